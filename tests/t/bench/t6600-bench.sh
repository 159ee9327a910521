#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf bench: collections, their benchmarks, formats, JSON and comparisons'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success 'collections and benchmarks are listed' '
	perf bench >out && test_grep "^ *sched: Scheduler and IPC benchmarks$" out && test_grep "^ *all: All benchmarks$" out &&
	for c in $(sed -n "s/^ *\([a-z]*\): .*/\1/p" out); do
		test $c = all && continue
		perf bench $c >list && test_grep "for collection .$c.:$" list && test_grep "^ *all: Run all" list || return 1
	done
'
# lacks FILE OTHER: lines of a file that another one has nowhere
lacks() { awk 'NR == FNR { have = have "\n" $0; next } !index(have, $0)' "$2" "$1"; }

test_expect_success REFERENCE 'names, summaries and help of the reference are there' '
	for c in sched syscall mem numa futex epoll internals breakpoint; do
		"$REF" bench $c | grep -v " all: " >ref && perf bench $c >ours || return 1
		for b in $(sed -n "s/^ *\([a-z_-]*\): .*/\1/p" ref); do
			"$REF" bench $c $b -h 2>&1 | grep "^ *-" >>ref
			test_expect_code 129 perf bench $c $b -h >>ours 2>&1 || return 1
		done
		lacks ref ours >lacking; test_line_count = 0 lacking || { cat lacking; return 1; }
	done
'
test_expect_success 'unknown names: status 1, and those that are near' '
	test_expect_code 1 perf bench shed >out 2>err && test_grep "Unknown collection: .shed." err && test_grep "Did you mean sched?" err &&
	test_expect_code 1 perf bench sched pip 2>err && test_grep "Did you mean pipe?" err &&
	test_expect_code 1 perf bench -f nice sched pipe 2>err && test_grep "it is default or simple" err &&
	test_expect_code 1 perf bench -r 0 sched pipe 2>err && test_grep "1 at least" err &&
	test_expect_code 1 perf bench mem memcpy -s 5X 2>err && test_grep "Invalid size:5X" err &&
	test_expect_code 1 perf bench mem memcpy -f movs 2>err && test_grep "Unknown function: movs" err && test_grep "default ... Default memcpy" err &&
	test_expect_code 1 perf bench sched messaging -g 0 2>err && test_expect_code 129 perf bench sched pipe -l x 2>err
'
test_expect_success 'sched: tasks wake each other' '
	perf bench sched messaging -g 1 -l 2 >out && test_grep "^# 1 groups == 40 processes run$" out && test_grep "^     Total time: [0-9]*\.[0-9]* \[sec\]$" out &&
	perf bench sched messaging -g 1 -l 2 -t -p >out && test_grep "^# 20 sender and receiver threads per group$" out &&
	for o in "" -T -n "-T -n"; do
		perf bench sched pipe -l 50 $o >out &&
		test_grep "^# Executed 50 pipe operations between two " out &&
		test_grep "^ *[0-9.]* usecs/op$" out && test_grep "^ *[0-9]* ops/sec$" out || return 1
	done &&
	perf bench -f simple sched pipe -l 50 >out && test_line_count = 1 out && test_grep "^[0-9]*\.[0-9][0-9][0-9]$" out
'
test_expect_success 'sched pipe -G: groups that are not there' '
	test_expect_code 255 perf bench sched pipe -l 5 -G no-such-a,no-such-b 2>err && test_grep "no-such-a\|no control groups" err &&
	test_expect_code 1 perf bench sched pipe -l 5 -G one 2>err && test_grep "two control groups" err
'
test_lazy_prereq NOTIFY 'no seccomp filter may ask here' 'perf bench sched seccomp-notify -l 1'
test_expect_success NOTIFY 'sched seccomp-notify: each call is answered' '
	perf bench sched seccomp-notify -l 50 >out && test_grep "^# Executed 50 system calls$" out
'
test_expect_success 'syscall: as many calls as asked for' '
	for b in basic getpgid fork execve; do
		perf bench syscall $b -l 3 >out && test_grep "^# Executed 3 [a-z]*() calls$" out && test_grep "usecs/op$" out || return 1
	done
'
test_lazy_prereq STRACE 'no strace, it may not trace, or sanitizers run' 'test -z "$SAN" && strace -o s true'
test_expect_success STRACE 'the system calls are really made' '
	strace -f -c -o s perf bench syscall getpgid -l 1234 >out && test_grep " 123[4-9] .*getpgid" s
'
test_expect_success 'mem: rates of each routine, and what they write' '
	for w in memcpy memset mmap; do perf bench mem $w -s 256KB >>out || return 1; done &&
	test_grep "^# function .default. (Default memcpy() provided by glibc)$" out && test_grep "^ *[0-9.]* GB/sec$" out &&
	perf bench -f simple mem memcpy -s 4KB -f default -k 1KB -l 3 >out && test_line_count = 2 out && test_grep "^[0-9.]*$" out &&
	perf bench mem find_bit -i 2 -j 3 >out && test_grep "^3 operations 4 bits set of 8 bits$" out
'
test_expect_success 'futex: short runs of all' '
	perf bench futex hash -r 0 -t 2 -f 16 >out && test_grep "^\[thread  1\] futexes: 0x.* \[ [1-9][0-9]* ops/sec \]$" out && test_grep "^Averaged [1-9]" out &&
	perf bench -r 2 futex wake -t 3 >out && test_grep "^\[Run 2\]: Wokeup 3 of 3 threads in" out &&
	perf bench -r 2 futex wake-parallel -t 4 -w 2 >out && test_grep "(waking 2/4 threads)" out &&
	perf bench -r 1 futex requeue -t 3 -q 2 >out && test_grep "^Requeued 3 of 3 threads in" out &&
	perf bench -r 1 futex requeue -t 3 -p >out && test_grep "^Requeued 3 of 3 threads in" out &&
	perf bench futex lock-pi -r 0 -t 2 -M >out && test_grep "^\[thread   1\] futex: 0x.* \[ [1-9]" out &&
	test_expect_code 1 perf bench futex wake-parallel -t 4 -w 3 2>err && test_grep "perfectly divisible" err
'
test_lazy_prereq BUCKETS 'the kernel has no hash tables of processes' 'perf bench futex wake -t 1 -b 16'
test_expect_success BUCKETS,STRACE 'futex: each benchmark sets the size of the hash table' '
	for o in "hash -r 0 -t 1" "wake -t 1" "wake-parallel -t 1" "requeue -t 1" "lock-pi -r 0 -t 1"; do
		strace -o s -e trace=prctl -e raw=prctl perf bench -r 1 futex $o -b 32 >out && test_grep "prctl(0x4e, 0x1, 0x20," s &&
		strace -o s -e trace=prctl -e raw=prctl perf bench -r 1 futex $o >out && test_grep ! "prctl(0x4e" s || return 1
	done
'
test_expect_success BUCKETS 'futex: a size that is none is refused' '
	test_expect_code 255 perf bench futex requeue -b 3 2>err; cat err; test_grep "hash buckets to 3: .* power of 2" err
'
test_expect_success 'numa mem: tasks, CPUs and nodes' '
	perf bench numa mem -p 2 -t 2 -P 1 -T 0.5 -L 0.25 -s 1 -l 3 -d >out && test_grep "^ # 4 tasks will execute (on" out &&
	test_grep "^ main,  *[0-9.]*, GB/sec,         total-speed$" out && test_grep "^ process1:thread1  *[0-9.]*, GB/sec" out &&
	for o in -R -W -B -Z -r "-Z --no-data_rand_walk" "-u 10" "-H -1" -0 "-C 0 -M 0x2" "-c -m" "-x 1" "-S -z"; do
		perf bench numa mem $o -p 1 -t 1 -P 1 -l 2 -q >out && test_grep "^ *[0-9.]* GB/sec total speed$" out || { echo "with $o"; return 1; }
	done &&
	test_expect_code 255 perf bench numa mem -l 1 -C 60000 2>err && test_grep "CPUs and nodes that there are" err &&
	test_expect_code 1 perf bench numa mem -l 1 -C 1- 2>err && test_expect_code 1 perf bench numa mem -P x 2>err && test_grep "no number of megabytes" err
'
test_expect_success 'epoll: short runs' '
	perf bench epoll wait -r 1 -t 1 -f 4 -v -N 1 -m >out && test_grep "^Using multi queue model$" out &&
	test_grep "^\[thread  0\] fdmap: 0x.* \[ [1-9][0-9]* ops/sec \]$" out &&
	perf bench epoll wait -r 0 -t 2 -f 4 -B -E -S -R -n >out && test_grep "^Averaged [0-9]" out &&
	perf bench epoll ctl -r 0 -t 1 -f 4 -R >out && test_grep "^Averaged [0-9][0-9]* ADD operations" out
'
test_expect_success PERF_EVENTS 'internals: our own code' '
	perf bench internals synthesize -i 3 >out && test_grep "^  Average num. events: [1-9]" out &&
	perf bench internals synthesize -t -I 1 -M 2 >out && test_grep "^  Number of synthesis threads: 2$" out &&
	perf bench internals kallsyms-parse >out &&
	test_grep "^  Average kallsyms__parse took: [0-9.]* ms (+- 0.000 ms)$" out &&
	test_grep "^  Average loading of the kept table took: [0-9.]* ms" out &&
	perf bench internals inject-build-id -i 1 -m 3 -n 4 -v >out &&
	test_grep "^   Child [0-9]* exited with 0$" out &&
	test_grep "^  Average build-id-all injection took" out &&
	perf bench internals evlist-open-close -i 2 -n 3 -e dummy,cpu-clock >out && test_grep "^  Number of events:	6 (" out &&
	test_expect_code 255 perf bench internals evlist-open-close -e no_such_event 2>err && test_grep "no_such_event" err &&
	perf bench internals pmu-scan -i 2 >out && test_grep "^  Average PMU scanning took" out
'
test_lazy_prereq BREAKPOINT 'no hardware breakpoints here' 'perf bench breakpoint enable'
test_expect_success BREAKPOINT 'breakpoint: threads inherit them' '
	perf bench -r 3 breakpoint thread -t 2 -p 2 >out && test_grep "^# Created/joined 3 threads with 1 breakpoints and 2 parallelism$" out &&
	perf bench breakpoint all >out && test_grep "^# Running breakpoint/enable benchmark...$" out && test_grep "usecs/op/cpu$" out &&
	test_expect_code 255 perf bench breakpoint thread -b 200 2>err && test_grep "could not set a breakpoint" err
'
test_lazy_prereq UPROBE 'no uprobes with BPF here' 'perf bench uprobe empty -l 1'
test_expect_success UPROBE 'uprobe: all leave nothing behind' '
	for b in baseline empty trace_printk empty_ret trace_printk_ret; do
		perf bench uprobe $b -l 20 >out && test_grep "^# Executed 20 usleep(1000) calls$" out && test_grep "^ [0-9.]* usecs/op$" out || return 1
	done
'
test_expect_success ROOT 'what an ordinary user may not do says so, and the rest goes on' '
	command -v setpriv >/dev/null || return 0
	cp "$PERF" p && chmod 755 p . .. && setpriv --reuid 65534 --clear-groups ./p bench sched pipe -l 5 >out && test_grep "usecs/op" out &&
	test_expect_code 255 setpriv --reuid 65534 --clear-groups ./p bench uprobe empty -l 1 2>err && test_line_count -gt 0 err
'
test_expect_success 'JSON, runs and a comparison with an earlier one' '
	perf bench -r 3 --json syscall basic -l 1000 >a.json && python3 -m json.tool a.json >/dev/null &&
	test_grep "\"benchmark\":\"syscall/basic\",\"figure\":\"time per operation\",\"unit\":\"usecs\",\"better\":\"less\",\"runs\":3," a.json &&
	perf bench -r 3 --baseline a.json syscall basic -l 1000 >out &&
	test_grep "^  syscall/basic  *time per operation  *[0-9.]*  *[0-9.]*  [-+][0-9.]*% (+- [0-9.]*%) usecs: " out &&
	test_grep "^# 3 runs: time per operation [0-9.]* usecs (+- [0-9.]*%)$" out &&
	echo "{}" >bad.json && test_expect_code 255 perf bench --baseline bad.json syscall basic -l 1 2>err && test_grep "bad.json holds no results" err &&
	test_expect_code 255 perf bench --baseline none.json syscall basic -l 1 2>err && test_grep "could not read none.json" err
'
test_expect_success 'lists of options run nothing' '
	perf bench all --list-opts >out; perf bench sched all --list-opts >>out; ! grep Running out &&
	test_expect_code 130 perf bench sched pipe --list-opts=table >out && test_grep "^l	loop" out && ! grep Running out
'
test_done
