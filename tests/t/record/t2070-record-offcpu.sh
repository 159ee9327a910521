#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 0 of 2
test_description='perf record --off-cpu: who slept, where, how long'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq NOBODY 'cannot become another user' '
	test "$(id -u)" -eq 0 && command -v setpriv &&
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version'
test_lazy_prereq TWOCPUS 'only one CPU' 'test "$(nproc)" -gt 1 && command -v taskset'

test_expect_success NOBODY 'another user: what is needed' '
	mkdir -p -m 777 pub && chmod 755 "$TRASH" "$TRASH/cwd" &&
	test_expect_code 255 setpriv --reuid=65534 --regid=65534 --clear-groups \
		perf record --off-cpu -e cpu-clock:u -o pub/a.data touch pub/ran 2>err &&
	test_grep "^--off-cpu: .*BPF" err && test_grep "CAP_BPF" err && test ! -e pub/ran
'
"$PERF" record --off-cpu -e dummy -o p.data true >p.err 2>&1 ||
	{ test_require ROOT; test_skip_all "no BPF: $(tail -n 1 p.err)"; }

# off FILE COMM...: ns that COMM was off the CPUs
# Getting to sleep takes a part of the time that is asked for: what is asserted is a little less.
off() { perf script -i "$1" --comms "$2" -F event,period | awk '/offcpu-time/ { n += $1 } END { print n + 0 }'; }

test_expect_success 'a sleep: as long as it slept, with where' '
	perf record --off-cpu -e dummy -o a.data sleep 0.6 2>err &&
	ns=$(off a.data sleep) && test "$ns" -ge 590000000 && test "$ns" -lt 60000000000 &&
	perf script -i a.data -F event,comm,ip,sym >out && test_grep -i "nanosleep" out &&
	perf evlist -i a.data >out && test_grep "^offcpu-time$" out
'
test_expect_success 'its event: no raw data, no rates, whatever else is asked for' '
	perf record --off-cpu -R -d -W -c 777777 -e cpu-clock --user-regs -o b.data sleep 0.05 2>err &&
	perf evlist -v -i b.data | grep "^offcpu-time" >out &&
	test_grep "{ sample_period, sample_freq }: 1, sample_type: IP|TID|TIME|CALLCHAIN|CPU|PERIOD|IDENTIFIER," out &&
	test "$(off b.data sleep)" -ge 45000000
'
test_expect_success REFERENCE 'the reference reads the same' '
	for f in a b; do
		perf script --no-inline -i $f.data -F comm,pid,tid,time,event,period,ip,sym >out 2>/dev/null && test -s out &&
		"$REF" script --no-inline -i $f.data -F comm,pid,tid,time,event,period,ip,sym >ref 2>/dev/null && test_cmp ref out &&
		perf script --no-inline -i $f.data >out 2>/dev/null && "$REF" script --no-inline -i $f.data >ref 2>/dev/null && test_cmp ref out || return 1
	done
'
test_expect_success 'children are followed, unless told not to' '
	perf record --off-cpu -e dummy -o c.data sh -c "sleep 0.1; sleep 0.15; true" 2>err &&
	test "$(off c.data sleep)" -ge 240000000 && test "$(off c.data sh)" -ge 240000000 &&
	perf record -i --off-cpu -e dummy -o d.data sh -c "sleep 0.1; true" 2>err &&
	test "$(off d.data sleep)" -eq 0 && test "$(off d.data sh)" -ge 95000000
'
test_expect_success 'long sleeps are samples of their own, in time order; others are summed up' '
	perf record --off-cpu --off-cpu-thresh 600 -k mono -e cpu-clock -o e.data \
		sh -c "for i in 1 2 3; do sleep 0.65; sleep 0.03; done" 2>err &&
	perf script -i e.data --comms sleep -F comm,tid,event,period | grep offcpu >out &&
	# that a short sleep takes so long, too, is not excluded, but hardly each does
	awk "{ own += \$3 >= 600000000; sum += \$3 < 600000000 } END { exit own < 3 || own > 5 || !sum }" out &&
	perf script -i e.data -F time,event | awk "{ if (\$1 + 0 < last) exit 1; last = \$1 + 0 }" &&
	perf record --off-cpu --off-cpu-thresh 100000 -e dummy -o f.data \
		bash -c "mkfifo f; for i in 1 2 3; do read -t 0.05 <>f; done; true" 2>err &&
	test "$(off f.data bash)" -ge 140000000
'
test_expect_success 'threads and processes that run already; sleeps that have not ended count' '
	sh -c "while :; do sleep 0.05; done" & pid=$!
	sleep 100 & other=$!
	perf record --off-cpu -e dummy -p $pid -o g.data sleep 1 2>err; rc=$?
	perf record --off-cpu -e dummy -t $pid -o h.data sleep 1 2>err || rc=1
	kill $pid $other; wait
	test $rc -eq 0 && test "$(off g.data sh)" -ge 200000000 && test "$(off g.data sleep)" -ge 90000000 &&
	perf script -i h.data -F tid,event >out && test_grep offcpu out && test_grep ! -vE "^ *$pid +offcpu|^ *[0-9]+ dummy" out
'
test_expect_success 'a sleep that has not ended is marked, lasts to the end of the recording, and is as ever in reports' '
	perf record --off-cpu --off-cpu-thresh 20 -e dummy -o u.data sh -c "sleep 100 & echo \$! >napping; sleep 0.3" 2>err &&
	kill "$(cat napping)" && perf report -i u.data --folded u.txt && test_grep "^sleep;.*;\[unfinished\] [0-9]*$" u.txt &&
	test "$(grep -c "\[unfinished\]" u.txt)" -eq 1 && test "$(grep -c "^sleep;" u.txt)" -ge 2 &&
	awk "/unfinished/ { if (\$NF < 100000000) exit 1 }" u.txt &&
	perf report -i u.data --stdio >out 2>err && test_grep "nanosleep" out && test_grep ! "unfinished" out
'
test_expect_success TWOCPUS,ROOT 'CPUs: what goes to sleep elsewhere is not counted' '
	cp "$(command -v sleep)" napper-$$ &&
	perf record --off-cpu -a -C 1 -e dummy -o i.data taskset -c 0 ./napper-$$ 0.1 2>err && test "$(off i.data napper-$$)" -eq 0 &&
	perf record --off-cpu -a -C 1 -e dummy -o i.data taskset -c 1 ./napper-$$ 0.1 2>err && test "$(off i.data napper-$$)" -ge 95000000
'
test_expect_success ROOT 'everything: others too, perf not' '
	sh -c "while :; do sleep 0.02; done" & pid=$!
	perf record --off-cpu -a -e dummy -o j.data sleep 1 2>err & own=$!
	wait $own; rc=$?
	kill $pid; wait
	test $rc -eq 0 && perf script -i j.data -F pid,event >out && test_grep "^ *$pid offcpu" out && test_grep ! "^ *$own offcpu" out
'
test_lazy_prereq CGROUP2 'no cgroup2 that we can make groups in' '
	root=$(sed -n "s/^cgroup2 \([^ ]*\) .*/\1/p" /proc/mounts | head -n 1) && mkdir "$root/perf-off-$$" &&
	rmdir "$root/perf-off-$$"'
test_expect_success ROOT,CGROUP2 'control groups: the sleeps of one with what is below it; filters by one' '
	root=$(sed -n "s/^cgroup2 \([^ ]*\) .*/\1/p" /proc/mounts | head -n 1) cg=perf-off-$$
	mkdir -p $root/$cg/sub || return
	sh -c "echo 0 >$root/$cg/sub/cgroup.procs && while :; do sleep 0.02; done" & in=$!
	wait_for grep -qx $in $root/$cg/sub/cgroup.procs || return 1
	perf record --off-cpu --all-cgroups -a -e cpu-clock -G $cg -o m.data sleep 1 2>err; rc=$?
	perf record -a -e cpu-clock --filter "cgroup == $cg/sub" -o n.data sleep 0.1 2>err2; rc2=$?
	kill $in; wait $in; wait_for rmdir $root/$cg/sub; rmdir $root/$cg
	test $rc -eq 0 && test $rc2 -eq 0 && perf script -i m.data -F comm,tid,event,cgroup >out &&
	test_grep "^ *sh *$in *offcpu-time: */$cg/sub" out && test_grep ! "offcpu-time: */$" out &&
	perf script -i n.data -F comm >out && test_grep ! -vE "^ *(sh|sleep) *$" out
'
test_lazy_prereq PIDNS 'no pid namespaces' 'unshare -pf --mount-proc true'
test_expect_success ROOT,PIDNS 'in a container: threads by the numbers they have there' '
	unshare -pf --mount-proc perf record --off-cpu -e dummy -o q.data sh -c "sleep 0.1; (sleep 0.1; true); true" 2>err &&
	test "$(off q.data sleep)" -ge 190000000 && test "$(off q.data sh)" -ge 190000000 &&
	perf script -i q.data -F pid,event >out && test_grep offcpu out && awk "\$1 > 50 { exit 1 }" out
'
test_expect_success 'enabled and disabled meanwhile: nothing before, nothing after' '
	mkfifo ctl ack && exec 8<>ctl 9<>ack || return
	ask() { echo $1 >&8 && read -r -t 60 -u 9 _; }
	perf record --off-cpu -D -1 --control fifo:ctl,ack -e dummy -o r.data sh -c "while :; do sleep 0.05; done" 2>err & pid=$!
	ask ping && sleep 0.3 && from=${EPOCHREALTIME/./} && ask enable && sleep 0.5 && ask disable && to=${EPOCHREALTIME/./} &&
	sleep 0.5; ask stop; wait $pid; rc=$?
	exec 8>&- 9>&-
	ns=$(off r.data sleep) && echo "$ns ns in $((to - from)) us" &&
	test $rc -lt 144 && test "$ns" -gt 50000000 && test "$ns" -le $(((to - from) * 1000))
'
test_expect_success 'a delay; compressed; down a pipe' '
	perf record --off-cpu -D 700 -e dummy -o k.data sh -c "sleep 1.4; sleep 0.1" 2>err &&
	ns=$(off k.data sleep) && echo "$ns ns" && test "$ns" -ge 95000000 && test "$ns" -lt 1450000000 &&
	perf record --off-cpu -z -e cpu-clock -o l.data sleep 0.1 2>err && test "$(off l.data sleep)" -ge 95000000 &&
	perf record --off-cpu -e cpu-clock -o - sleep 0.1 2>err | perf script -i - -F event,period >out 2>&1 &&
	test_grep offcpu-time out
'
test_done
