#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 2
test_description='perf record: what is refused, how it is said, and what happens when resources run out'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

samples() { sed -n 's/^\[ perf record: Captured and wrote .* (\([0-9]*\) samples) \]$/\1/p' err; }

test_lazy_prereq NOBODY 'cannot become another user' '
	test "$(id -u)" -eq 0 && command -v setpriv &&
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version'
test_lazy_prereq PARANOID2 'kernel.perf_event_paranoid is not 2' \
	'test "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2'
test_lazy_prereq SMALLFS 'cannot mount a small file system' '
	test "$(id -u)" -eq 0 && mkdir -p mnt && mount -t tmpfs -o size=64k none mnt && umount mnt'

nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

test_expect_success 'an unknown event: caret, hint, usage, status 129' '
	test_expect_code 129 perf record -e foo true 2>err &&
	cat >want <<-\EOF &&
	event syntax error: '\''foo'\''
	                     \___ parser error
	Run '\''perf list'\'' for a list of valid events

	 Usage: perf record [<options>] [<command>]
	    or: perf record [<options>] -- <command> [<options>]

	    -e, --event <event>   event selector. use '\''perf list'\'' to list available events
	EOF
	test_cmp want err
'
test_expect_success REFERENCE 'wrong events: as the reference says it' '
	for e in foo sched:foo foo:bar cycles:z cpu-clock:uu cpu-clock:pppp cpu-clock,foo "sched:*foo" rzz \
		cpu-clock,,faults nosys:\* "cpu-clock faults" sched:sched_switch:z "sched:sched_sw*,foo" nopmu/event=1/; do
		"$REF" record -o x.data -e "$e" true >/dev/null 2>want; want=$?
		perf record -o x.data -e "$e" true >/dev/null 2>err; rc=$?
		test $rc -eq $want && test_cmp want err || { echo "event: $e, status $rc"; return 1; }
	done
'
test_expect_success 'hardware events without hardware: said, not crashed; cycles falls back' '
	perf record -e cycles -o a.data true 2>err &&
	if ! perf record -e instructions -o a.data true 2>err; then
		test_grep "The instructions event is not supported" err
	fi
'
test_expect_success 'targets that are not there' '
	test_expect_code 244 perf record -p 1999999999 -o a.data 2>err && test_grep "No such process" err &&
	test_expect_code 244 perf record -p abc -o a.data 2>err && test_grep "abc" err &&
	test_expect_code 255 perf record -t 1999999999 -o a.data 2>err && test_grep "No such process" err &&
	test_expect_code 129 perf record -t 1,x -o a.data 2>err && test_grep "1,x" err &&
	test_expect_code 237 perf record -C 9999 -o a.data true 2>err && test_grep "CPU 9999" err &&
	test_expect_code 129 perf record -C x -o a.data true 2>err && test_grep "list .x." err
'
test_expect_success REFERENCE 'targets that are not there: the statuses of the reference' '
	for target in "-p 1999999999" "-p abc" "-t 1999999999" "-t 1,x" "-C 9999" "-C x"; do
		rc=0 && { "$REF" record -o r.data $target true >out 2>&1 || rc=$?; } && echo "$target: $rc" &&
		test_expect_code $rc perf record -o a.data $target true 2>err || return 1
	done &&
	for target in "-p 1999999999" "-p abc" "-t 1,x" "-C x"; do
		rc=0 && { "$REF" stat $target true >out 2>&1 || rc=$?; } && echo "stat $target: $rc" &&
		test_expect_code $rc perf stat $target true 2>err && test_grep -E "invalid|No such process" err || return 1
	done
'
test_expect_success 'an output that cannot be: said before the command runs' '
	test_expect_code 255 perf record -o /nonexistent/x touch ran 2>err &&
	test_grep "/nonexistent/x" err && test ! -e ran &&
	test_expect_code 255 perf record -o . touch ran 2>err && test ! -e ran
'
test_expect_success 'names of registers and of branches' '
	test_expect_code 129 perf record -I? true 2>err && test_grep "^available registers: " err &&
	for regs in foo ax,,bx ax, ,; do
		test_expect_code 129 perf record -I"$regs" true 2>err && test_grep "Unknown register" err || return 1
		test_expect_code 129 perf record --user-regs="$regs" true 2>err && test_grep "Unknown register" err || return 1
	done &&
	for filter in foo any,,u any, ""; do
		test_expect_code 129 perf record -j "$filter" true 2>err && test_grep "unknown branch filter" err || return 1
	done
'
test_expect_success 'branches where there are none: said by name' '
	test_expect_code 255 perf record -b -e cpu-clock -o a.data touch ran 2>err &&
	test_grep "^cpu-clock: PMU Hardware or event type doesn.t support branch stack sampling" err && test ! -e ran
'
test_expect_success 'rates: none, both, too high' '
	test_expect_code 234 perf record -F 0 true 2>err && test_grep "frequency and count are zero" err &&
	test_expect_code 234 perf record -F 10 -c 10 true 2>err &&
	max=$(cat /proc/sys/kernel/perf_event_max_sample_rate) &&
	perf record -F $((max * 2)) -o a.data true 2>err && test_grep "throttling from" err &&
	test_expect_code 234 perf record --strict-freq -F $((max * 2)) -o a.data true 2>err &&
	# which the kernel may have made lower meanwhile
	perf record -F max -o a.data true 2>err && test_grep "maximum frequency rate of [0-9]" err &&
	told=$(sed -n "s/.*maximum frequency rate of \([0-9]*\).*/\1/p" err) && test "$told" -le "$max" &&
	test "$told" -ge "$(cat /proc/sys/kernel/perf_event_max_sample_rate)" &&
	for wrong in abc 1x -1 ""; do
		test_expect_code 234 perf record -F "$wrong" -o b.data true 2>err && test_grep "invalid frequency .$wrong.:" err &&
			test ! -e b.data || return 1
	done
'
test_expect_success '-m: rounded, refused' '
	perf record -m 3 -o a.data true 2>err && test_grep "rounding mmap pages size to 16K (4 pages)" err &&
	test_expect_code 129 perf record -m x -o a.data true 2>err
'
test_expect_success TRACEFS 'filters: taken by the kernel, refused by the kernel, misplaced' '
	perf record -e sched:sched_switch --filter "prev_pid == 0" -a -o f.data sleep 0.1 2>err &&
	perf script -i f.data >out && test_grep ! -E "prev_pid=[1-9]" out &&
	test_expect_code 255 perf record -e sched:sched_switch --filter "nope == 1" -o f.data true 2>err &&
	test_grep "nope == 1" err &&
	test_expect_code 129 perf record --filter "a == 1" -o f.data true 2>err
'
test_expect_success NOBODY,PARANOID2 'another user: user space only, the rest explained' '
	chmod 755 "$TRASH" "$TRASH/cwd" && mkdir -m 777 pub &&
	nobody perf record -o pub/a.data true 2>err && perf script -f -i pub/a.data >out 2>&1 &&
	test_expect_code 255 nobody perf record -a -o pub/b.data true 2>err &&
	test_grep "perf_event_paranoid" err && test_grep "sysctl kernel.perf_event_paranoid=0" err &&
	test_expect_code 255 nobody perf record -p 1 -o pub/b.data sleep 0.1 2>err &&
	test_grep "another user" err && test ! -e pub/b.data
'
test_expect_success NOBODY 'a ring larger than may be locked is made smaller' '
	mkdir -p -m 777 pub && nobody perf record -m 16384 -o pub/m.data -e cpu-clock:u true 2>err &&
	test_grep "perf_event_mlock_kb" err && test -s pub/m.data
'
test_expect_success TRACEFS,ROOT 'descriptors: the soft limit is raised, the hard one explained' '
	(ulimit -Sn 20 && perf record -e "sched:*" -a -o n.data true) &&
	! (ulimit -n 20 && perf record -e "sched:*" -a -o n.data true) 2>err &&
	test_grep "ulimit -n" err
'
test_expect_success ROOT 'lost events are counted and told' '
	perf record -m 1 -a -F 20000 -o l.data perf test -w thloop 2 1 2>err &&
	if grep -q "lost" err; then
		test_grep -E "Processed [0-9]+ events and lost [0-9]+ chunks \([0-9]+ events\)!" err &&
		test_grep "Check IO/CPU overload" err
	fi
'
test_expect_success SMALLFS 'a full disk: an error, and a file that can be read' '
	mkdir -p mnt && mount -t tmpfs -o size=200k none mnt &&
	# of one program: what all others have mapped may fill it alone; it ends when the disk is full
	{ perf record -F 20000 -o mnt/a.data perf test -w thloop 2 20 2>err; rc=$?
	  perf script -i mnt/a.data >out 2>err2; rc2=$?
	  umount mnt; }
	test $rc -eq 255 && test_grep "No space left on device" err &&
	test $rc2 -eq 0 && test "$(samples)" -eq "$(wc -l <out)" && test_line_count -gt 100 out
'
test_expect_success 'a reader that goes away' '
	perf record -e cpu-clock -o - perf test -w noploop 1 2>err | head -c 10 >/dev/null
	rc=${PIPESTATUS[0]}
	test "$rc" -eq 255 && test_grep -i "broken pipe" err
'
test_expect_success 'an output that is removed meanwhile' '
	test_expect_code 255 perf record -o gone.data sh -c "sleep 0.3; rm gone.data" 2>err &&
	test_grep "removed while" err
'
test_expect_success '/dev/full' '
	test_expect_code 255 perf record -o /dev/full true 2>err && test_grep "No space left" err
'
test_expect_success REFERENCE 'what is no size or name ends as in the reference' '
	for o in "-m abc" "-m 1,abc" "-m 3" "-k foo" "-j foo" "--call-graph=foo" "--switch-output=abc" "-D abc" "--max-size=abc" "--control=abc" "-G foo" "-F 0"; do
		"$REF" record $o -o r.data -e dummy true >out 2>&1; ref=$?
		perf record $o -o o.data -e dummy true >out 2>&1; ours=$?
		test $ours -eq $ref || { echo "$o: $ours, the reference $ref"; return 1; }
	done
'
test_done
