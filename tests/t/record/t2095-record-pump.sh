#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# turn 5 of 8
test_description='perf record: threads, rings, priority, what was lost, the sampling budget, faults'
# beside others
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

MANY=$(program many)
test_lazy_prereq CPUS 'fewer than two CPUs' 'test "$(nproc)" -gt 1'

# samples FILE
samples() { perf script -F ip -i "$1" 2>/dev/null | grep -c .; }

# --- several threads ---

test_expect_success ROOT '--threads: a folder with the records of each ring' '
	perf record -v --threads -a -F 999 -o t.data perf test -w thloop 2 0.1 2>err &&
	test -s t.data/data && test "$(find t.data -name "data.*" | wc -l)" -eq "$(nproc)" &&
	test "$(grep -c "started on cpu" err)" -eq "$(nproc)" &&
	test "$(stat -c %a t.data)" = 700 && test "$(stat -c %a t.data/data.0)" = 600 &&
	n=$(samples t.data) && test "$n" -gt 50 && test_grep "t.data ($n samples)" err &&
	perf report --header-only -i t.data >out && test_grep "directory data version : 1" out &&
	perf buildid-list -i t.data >ids && test_grep "perf$" ids
'
test_expect_success ROOT,REFERENCE 'the reference reads it, compressed or not' '
	"$REF" script -F ip,time -i t.data >out 2>/dev/null && test "$(grep -c . out)" -eq "$n" &&
	perf record -q --threads -z -a -F 999 -o z.data perf test -w thloop 2 0.1 &&
	n=$(samples z.data) && test "$n" -gt 50 &&
	"$REF" script -F ip,time -i z.data >want 2>/dev/null && perf script -F ip,time -i z.data >got &&
	test "$(grep -c . want)" -eq "$n" && diff <(awk "{print \$1}" want) <(awk "{print \$1}" got)
'
test_expect_success ROOT,CPUS 'lists of CPUs; what is recorded again keeps the folder before' '
	perf record -v --threads=0/1:1/0 -a -o t.data true 2>err && test -e t.data.old/data.1 && test -e t.data/data.1 &&
	perf record -v --threads=0-1/0 -a -o t.data true 2>err && test "$(grep -c "started on cpu0" err)" -eq 1 &&
	for s in core package numa; do
		perf record -q --threads=$s -o t.data perf test -w noploop 0.1 && test "$(samples t.data)" -gt 1 || return 1
	done &&
	perf record -q -o t.data perf test -w noploop 0.1 && test -f t.data && test -d t.data.old
'
test_expect_success ROOT '--threads with --tail-synthesize: what each thread has seen is known at the end' '
	perf record -q --threads --tail-synthesize -e dummy -o s.data sh -c "sleep 30 & echo \$! >p; \"$MANY\" forks 500; exit 0" &&
	perf script -i s.data --show-task-events --show-mmap-events >out && kill $(cat p) &&
	test "$(grep -c "COMM.*: sleep:$(cat p)/" out)" -eq 2 && test "$(grep -c "COMM.*: many:" out)" -eq 1
'
test_expect_success 'what does not go together' '
	test_expect_code 234 perf record --threads=foo -o x.data true 2>err && test_grep "Invalid thread maps or affinity specs" err &&
	test_expect_code 234 perf record --threads=0/0:0/0 -o x.data true 2>err && test_grep "CPU 0 is in two sets" err &&
	test_expect_code 255 perf record --threads=1000/0 -o x.data true 2>err && test_grep "1000" err &&
	test_expect_code 234 perf record --threads -o - true 2>err >/dev/null && test_grep "not available in pipe mode" err &&
	test_expect_code 234 perf record --threads --aio -o x.data true 2>err && test_grep "mutually exclusive" err &&
	test_expect_code 234 perf record --threads --per-thread -o x.data true 2>err && test_grep "mutually exclusive" err &&
	perf record --threads --switch-output=1s -o x.data true 2>err && test_grep "switch-output option is not available" err
'

# --- rings ---

test_expect_success '--aio, --mmap-flush, -m: nothing is missing' '
	# small rings: it is the recorder that has to come first, whatever else runs
	first=$(chrt -f 1 echo -r 1 2>/dev/null)
	for o in --aio --aio=4 --mmap-flush=16K "--mmap-flush=1M -m 8" "-m 16,4" "--affinity=node" "--affinity=cpu"; do
		# nor is that always enough where the machine itself stands still at times: what is lost then is told
		for _ in 1 2 3 4 5; do
			perf record $first -c 1 -e page-faults $o -o r.data "$MANY" forks 200 2>err || return 1
			grep -q "and lost" err || break
		done
		perf report --stats -i r.data >out && test_grep "FORK events: *200 " out || return 1
	done &&
	perf record -m ,4 -o r.data true 2>err && test_grep "no event here has an AUX area" err &&
	for o in "-m 128,x" "-m x" "--mmap-flush=x" "--aio=x" "--affinity=moon"; do
		test_must_fail perf record $o -o x.data true 2>err && test_grep -i "invalid\|unknown" err || return 1
	done
'
test_lazy_prereq ROOM 'too little memory for rings that hold what is expected' \
	'test "$(($(awk "/MemTotal/ { print \$2 }" /proc/meminfo) / 128 / $(nproc)))" -gt 4096'
# ring OPTION...: KiB of the largest ring's data
ring() {
	perf record -q -o g.data "$@" sh -c 'grep perf_event /proc/$PPID/maps' |
		while IFS='- ' read -r from to _; do echo $(((16#$to - 16#$from - $(getconf PAGESIZE)) / 1024)); done | sort -n | tail -n 1
}
test_expect_success ROOT,TRACEFS,ROOM 'rings hold 64 ms of what is expected' '
	few=$(ring -e cpu-clock) many=$(ring -a -e raw_syscalls:sys_enter) stacks=$(ring -F 4000 --call-graph dwarf,32768 -e cpu-clock) &&
	echo "$few $many $stacks" && test "$few" -le 1024 && test "$many" -ge $((2 * few)) &&
	test "$stacks" -ge 4096 && test "$(ring -m 64K -e raw_syscalls:sys_enter)" -eq 64 &&
	test "$(ring -e raw_syscalls:sys_enter --switch-output=1M)" -lt "$many"
'
test_expect_success '--no-buffering: a wake-up for each record' '
	perf record -vv --no-buffering --dry-run true 2>err && test_grep "wakeup_events.* 1$" err
'
test_expect_success ROOT 'the recorder runs before others, the workload does not; -r; --affinity=cpu' '
	perf record -q -o p.data sh -c "nice >n; ps -o ni= -p \$PPID >p" && test "$(cat n)" -eq "$(nice)" && test "$(tr -d " " <p)" = -20 &&
	perf record -q -r 3 -o p.data sh -c "chrt -p \$\$ >n; chrt -p \$PPID >p" &&
	test_grep "SCHED_OTHER" n && test_grep "SCHED_FIFO" p && test_grep "priority: 3" p &&
	test_expect_code 255 perf record -r 200 -o p.data true 2>err && test_grep "Could not set realtime priority" err &&
	perf record -q -C 0 --affinity=cpu -m 1 -F 4000 -o p.data sh -c "perf test -w noploop 0.2; taskset -cp \$PPID >p" &&
	test_grep "list: 0$" p
'
test_expect_success '--num-thread-synthesize: the same processes' '
	sleep 60 & pid=$! && wait_for grep -q "r-xp.*sleep\\|r-xp.*coreutils" "/proc/$pid/maps" && sleep 0.2
	for n in 1 4; do
		perf record -q --num-thread-synthesize $n -a -o s.data true &&
		perf script --show-task-events --show-mmap-events -i s.data | grep -E "RECORD_(COMM|MMAP2).*[ :]$pid/$pid" |
			sed "s/.*RECORD/RECORD/" >s.$n || break
	done
	kill $pid; wait $pid 2>/dev/null
	test_line_count -gt 3 s.1 && test_cmp s.1 s.4 && test_grep "r-xp /.*/sleep\|r-xp /.*coreutils" s.1
'
test_expect_success ROOT,TRACEFS 'what was lost: of which event, where, and what would have helped' '
	for _ in 1 2 3 4 5; do
		perf record -m 1 -a -e raw_syscalls:sys_enter -o l.data "$MANY" writes 50000 2>err
		grep -q "Lost:" err && break
	done
	test_grep "lost [0-9]* chunks ([0-9]* events)" err && test_grep "Lost: raw_syscalls:sys_enter [0-9]*.*; CPU [0-9]* [0-9]*" err &&
	test_grep "^.-m [0-9]*. would have held it (the rings had 1 pages)" err &&
	perf report --stdio -i l.data 2>&1 >out | test_grep -i lost
'

# What a recorder does itself, and others less, whatever else runs.
OWN="syscalls:sys_enter_epoll_*wait,syscalls:sys_enter_write,syscalls:sys_enter_writev"
# feeds OPTION...: a recorder that records mostly itself; its command makes system calls when that was told, or after 20 s
feeds() {
	perf record -m 8 --no-buffering -a -e "$OWN" "$@" -o "$to" sh -c "echo \$PPID \$\$ >p; n=0
		until grep -q \"left out\" err || test \$((n += 1)) -gt 400; do sleep 0.05; done; exec \"$MANY\" writes 2000" >o.data 2>err
}
test_expect_success ROOT,TRACEFS 'a recorder that records mostly itself stops doing so' '
	for o in "" -z --threads --aio -; do
		rm -rf f.data && to=f.data && case $o in -) to=- o= ;; esac
		feeds $o && test_grep "recorder.s own: they are left out" err || return 1
		test $to = f.data || mv o.data f.data
		perf script -F comm,pid,time -i f.data >out 2>/dev/null && awk -v p="$(cat p)" "BEGIN { split(p, pid, \" \") } { t = \$3 + 0 }
			\$2 == pid[1] { own++; last = t } \$1 == \"many\" && \$2 == pid[2] && !first { first = t }
			END { print own, last, first; exit !(own > 1000 && first && last < first) }" out || return 1
	done &&
	perf record -a -e "raw_syscalls:*" -o o.data sh -c "echo \$PPID >p; exec sleep 0.2" 2>err &&
	test_must_fail grep -q "left out" err && perf script -F pid -i o.data >out && test_grep "^ *$(cat p) *$" out
'
test_expect_success ROOT,TRACEFS 'each output file is looked at by itself' '
	perf record -m 8 --no-buffering --switch-output -a -e "$OWN" -o s.data sh -c "n=0
		until grep -q \"left out\" err && grep -q \" Dump \" err || test \$((n += 1)) -gt 400; do kill -USR2 \$PPID; sleep 0.05; done" >o.data 2>err &&
	test_grep "recorder.s own: they are left out" err && ls s.data.* >files && test_line_count -gt 1 files
'

# --- the budget ---

test_expect_success '-F max stays within the budget, and says so' '
	perf record -vv --sample-budget 1 -F max -o b.data true 2>err &&
	test_grep "info: [0-9]* samples a second would take [0-9]* % of each CPU here: using [0-9]* to stay within 1 %" err &&
	f=$(sed -n "s/.*: using \([0-9]*\) to stay.*/\1/p" err) &&
	test_grep "sample_freq }  *$f$" err &&
	perf record --sample-budget 0 -F max -o b.data true 2>err && test_must_fail grep -q "to stay within" err &&
	perf record -F 999 -o b.data true 2>err && test_must_fail grep -q "to stay within" err &&
	printf "[record]\n\tsample-budget = 1\n" >cfg && PERF_CONFIG=cfg perf record -F max -o b.data true 2>err &&
	test_grep "to stay within 1 %" err && test_must_fail perf record --sample-budget 101 -o b.data true
'

# --- faults ---

test_expect_success 'the recorder is killed: what was written is read' '
	for o in "" -z --threads --aio; do
		rm -rf k.data*
		perf record -q -m 1 -F 4000 $o -o k.data perf test -w noploop 5 & pid=$!
		wait_for sh -c "test \$(cat k.data k.data/* 2>/dev/null | wc -c) -gt 6000" && sleep 0.3
		kill -9 $pid; wait $pid 2>/dev/null
		perf script -i k.data >out 2>err && test_line_count -gt 5 out && test_grep "never finished" err &&
		perf report --stdio -i k.data >out 2>/dev/null && test_grep noploop out || return 1
	done
'
test_expect_success ROOT,TRACEFS,PERF_EVENTS 'killed: events have their names, tracepoints their fields; ended well: the formats are there once' '
	perf record -q -m 1 -e syscalls:sys_enter_write -o k.data "$MANY" writes 2000000 & pid=$!
	wait_for sh -c "test \$(stat -c %s k.data) -gt 100000"; kill -9 $pid; wait $pid 2>/dev/null
	perf script -i k.data 2>/dev/null | grep "sys_enter_write: fd: 0x0000000[0-9]" >out && test_line_count -gt 100 out &&
	perf evlist -i k.data >out 2>/dev/null && test_grep "^syscalls:sys_enter_write$" out &&
	perf record -q -e syscalls:sys_enter_write -o w.data "$MANY" writes 10 &&
	test "$(grep -ac "name: sys_enter_write" w.data)" -eq 1 &&
	perf script -i w.data >out && test_grep "sys_enter_write: fd: 0x" out &&
	{ test ! -x "$REF" || { "$REF" script -i w.data >out 2>/dev/null && test_grep "sys_enter_write: fd: 0x" out; }; }
'
test_expect_success 'the recorder is stopped and goes on' '
	perf record -F 999 -o c.data perf test -w noploop 0.6 2>err & pid=$!
	sleep 0.2 && kill -STOP $pid && sleep 0.2 && kill -CONT $pid && wait $pid &&
	perf script -i c.data >out && test_line_count -gt 20 out
'
test_expect_success 'many children and threads: 1000 and 500, in make check-long ten times as many' '
	z=00 && test -n "$LONG" && test -z "$SAN" && z=000
	perf record -q -F 99 -o f.data "$MANY" forks 10$z && perf report --stats -i f.data >out &&
	test_grep "FORK events: *10$z " out && test_grep "EXIT events: *10${z%0}[01] " out &&
	perf record -q -F 99 -o f.data "$MANY" threads 5$z && perf report --stats -i f.data >out &&
	test_grep "FORK events: *5$z " out && test_must_fail grep -q "LOST events" out
'
test_expect_success 'targets that end, and grow, while they are attached to' '
	for d in 0 0.005 0.01 0.02; do
		sleep $d & timeout 60 perf record -o a.data -p $! sleep 0.05 2>err
		rc=$?
		echo "status $rc" # 143: the command was ended with the target
		case $rc in 0 | 143 | 244 | 255) ;; *) return 1 ;; esac
	done &&
	# again when it was gone before
	for _ in $(seq 20); do
		"$MANY" threads 1000 & pid=$!
		sleep 0.05; timeout 60 perf record -o a.data -p $pid sleep 0.1 2>err; rc=$?
		wait $pid; test $rc -ge 244 && grep "No such process" err || break
	done
	echo "status $rc"; test $rc -eq 0 -o $rc -eq 143 && perf report --stats -i a.data >out
'
test_done
