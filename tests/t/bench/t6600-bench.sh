#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf bench: collections, their benchmarks, formats, JSON and comparisons'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success 'collections and benchmarks are listed' '
	perf bench >out && test_grep "^ *sched: Scheduler and IPC benchmarks$" out && test_grep "^ *all: All benchmarks$" out &&
	for c in $(sed -n "s/^ *\([a-z]*\): .*/\1/p" out); do
		test $c = all && continue
		perf bench $c >list && test_grep "for collection .$c.:$" list && test_grep "^ *all: Run all" list || return 1
	done
'
test_expect_success REFERENCE 'names and summaries of the reference are there' '
	for c in sched syscall mem futex; do
		"$REF" bench $c >ref && perf bench $c >ours || { echo "no $c"; return 1; }
		grep -v " all: " ref | while read -r line; do
			grep -qF "$line" ours || { echo "$c: no $line"; exit 1; }
		done || return 1
	done
'
test_expect_success REFERENCE 'each line of help of the reference is there' '
	for c in sched syscall mem futex; do
		for b in $("$REF" bench $c | sed -n "s/^ *\([a-z_-]*\): .*/\1/p" | grep -v "^all$"); do
			"$REF" bench $c $b -h >/dev/null 2>ref
			perf bench $c $b -h >/dev/null 2>ours
			test $? -eq 129 && grep "^ *-" ref | while read -r line; do
				grep -qF -e "$line" ours || { echo "$c $b: no $line"; exit 1; }
			done || return 1
		done
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
		perf bench sched pipe -l 50 $o >out && test_grep "^# Executed 50 pipe operations between two " out && test_grep "^ *[0-9.]* usecs/op$" out && test_grep "^ *[0-9]* ops/sec$" out || return 1
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
test_lazy_prereq STRACE 'no strace, or it may not trace' 'strace -o s true'
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
	perf bench futex hash -r 1 -t 2 -f 16 >out && test_grep "^\[thread  1\] futexes: 0x.* \[ [1-9][0-9]* ops/sec \]$" out && test_grep "^Averaged [1-9]" out &&
	perf bench -r 2 futex wake -t 3 >out && test_grep "^\[Run 2\]: Wokeup 3 of 3 threads in" out &&
	perf bench -r 2 futex wake-parallel -t 4 -w 2 >out && test_grep "(waking 2/4 threads)" out &&
	perf bench -r 1 futex requeue -t 3 -q 2 >out && test_grep "^Requeued 3 of 3 threads in" out &&
	perf bench -r 1 futex requeue -t 3 -p >out && test_grep "^Requeued 3 of 3 threads in" out &&
	perf bench futex lock-pi -r 1 -t 2 -M >out && test_grep "^\[thread   1\] futex: 0x.* \[ [1-9]" out &&
	test_expect_code 1 perf bench futex wake-parallel -t 4 -w 3 2>err && test_grep "perfectly divisible" err
'
test_expect_success 'JSON, runs and a comparison with an earlier one' '
	perf bench -r 3 --json syscall basic -l 1000 >a.json && python3 -m json.tool a.json >/dev/null &&
	test_grep "\"benchmark\":\"syscall/basic\",\"figure\":\"time per operation\",\"unit\":\"usecs\",\"better\":\"less\",\"runs\":3," a.json &&
	perf bench -r 3 --baseline a.json syscall basic -l 1000 >out && test_grep "^  syscall/basic  *time per operation  *[0-9.]*  *[0-9.]*  [-+][0-9.]*% (+- [0-9.]*%) usecs: " out &&
	test_grep "^# 3 runs: time per operation [0-9.]* usecs (+- [0-9.]*%)$" out &&
	echo "{}" >bad.json && test_expect_code 255 perf bench --baseline bad.json syscall basic -l 1 2>err && test_grep "bad.json holds no results" err &&
	test_expect_code 255 perf bench --baseline none.json syscall basic -l 1 2>err && test_grep "could not read none.json" err
'
test_expect_success 'lists of options run nothing' '
	perf bench all --list-opts >out; perf bench sched all --list-opts >>out; ! grep Running out &&
	test_expect_code 130 perf bench sched pipe --list-opts=table >out && test_grep "^l	loop" out && ! grep Running out
'
test_done
