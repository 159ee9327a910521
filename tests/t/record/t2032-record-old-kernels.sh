#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='what older kernels refuse: what perf does without, and what it says of the rest'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq OLDKERNEL 'system calls cannot be answered by another process here' '"$(program oldkernel)" 5.10 true'
test_require ROOT,PERF_EVENTS,OLDKERNEL
test_lazy_prereq NOBODY 'cannot become another user, or kernel.perf_event_paranoid is not 2' '
	command -v setpriv && setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version &&
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2'
old=$(program oldkernel)
# What is recorded; runs for a while, so that there are samples.
busy="$PERF test -w noploop 0.1"
# asked FILE: the attrs, but for what the reference marks in its files alone
asked() { perf evlist -v -i "$1" 2>/dev/null | sed 's/, bpf_event: 1//'; }

test_expect_success 'the program that stands for an old kernel is right: the real one is left alone' '
	"$old" 99.0 perf record -q -o a.data -e cpu-clock -- true && perf record -q -o b.data -e cpu-clock -- true &&
	asked a.data >a && asked b.data >b && test_cmp b a && test_grep "read_format: ID.LOST" a
'
test_expect_success 'each version has samples, with what it knows' '
	for v in 5.10 5.0 4.9 4.0 3.16 3.10 3.0; do
		"$old" $v perf record -o $v.data -g -e cpu-clock -- $busy 2>err || { cat err; return 1; }
		test_line_count -eq 2 err && perf report --stdio -i $v.data -s sym -g none >out 2>&1 && test_grep noploop out || return 1
		asked $v.data | tr "\n" " " | sed "s/^/$v /" && echo
	done >all && cat all &&
	test_grep "^5.10.* ksymbol: 1" all && test_grep ! "^5.*LOST" all && test_grep ! "^5.0.* ksymbol: 1" all && test_grep "^5.0.* comm_exec: 1" all &&
	test_grep "^3.16.* mmap2: 1" all && test_grep "^3.10.* exclude_guest: 1" all && test_grep ! "^3.10.* mmap2: 1" all && test_grep ! "^3.0.* exclude_guest" all
'
test_expect_success REFERENCE 'these are the attrs of the reference there' '
	for v in 5.10 5.0 4.9 3.16 3.10; do
		"$old" $v perf record -q -o a.data -e cpu-clock,cs -- true && "$old" $v "$REF" record -q -o b.data -e cpu-clock,cs -- true &&
		asked a.data >a && asked b.data >b && test_cmp b a || { echo "$v"; return 1; }
	done
'
test_expect_success 'counting, with and without groups' '
	for v in 5.10 3.16 3.10 3.0; do
		"$old" $v perf stat -e cs,"{cpu-clock,faults}" -o out -- $busy && test_grep ! "not supported" out && test_grep "[1-9].* cpu-clock" out || return 1
	done
'
test_expect_success NOBODY 'users who may record user space only: the kernel refuses twice, for two reasons' '
	mkdir -m 777 users && chmod 755 "$TRASH" . && cd users && cp "$PERF" "$TRASH/theirs" && chmod 755 "$TRASH/theirs" &&
	HOME=$PWD "$old" 5.10 setpriv --reuid=65534 --regid=65534 --clear-groups "$TRASH/theirs" record -o n.data -- $TRASH/theirs test -w noploop 0.1 2>err; rc=$?
	cat err && test $rc -eq 0 && test_grep "Only user space is recorded" err && perf script -f -i n.data -F ip,sym >out && test_grep noploop out
'
# left_out VERSION WHAT OPTION...: it is recorded, with one warning that says so
left_out() {
	local v=$1 what=$2

	shift 2
	"$old" $v perf record -o a.data -e cpu-clock "$@" -- true 2>err || { cat err; return 1; }
	grep -F "which is left out: $what." err && test_line_count -eq 4 err && perf script -i a.data >out && test -s out
}
test_expect_success 'what was asked for and can be left out is told; what was not asked for is not' '
	left_out 5.6 "--all-cgroups (since Linux 5.7)" --all-cgroups &&
	left_out 4.11 "--namespaces (since Linux 4.12)" --namespaces &&
	left_out 5.10 "--data-page-size, --code-page-size (since Linux 5.11)" --data-page-size &&
	left_out 4.0 "--clockid (since Linux 4.1)" -k CLOCK_MONOTONIC &&
	left_out 6.18 "--call-graph fp,defer (since Linux 6.19)" --call-graph fp,defer && test_grep ! defer_ err &&
	perf evlist -v -i a.data >out && test_grep CALLCHAIN out && test_grep ! defer out
'
test_expect_success 'a kernel that knows of deferred call chains is asked for them' '
	"$old" defer perf record -o a.data -e cpu-clock -e cs --call-graph fp,defer -- $busy 2>err && test_line_count -eq 2 err &&
	perf evlist -v -i a.data >out && test "$(grep -c "defer_callchain: 1" out)" = 2 && test "$(grep -c "defer_output: 1" out)" = 1 &&
	perf report --stdio -i a.data -s sym -g none >out 2>&1 && test_grep noploop out
'
# refused VERSION WHAT OPTION...: nothing is recorded, and one error says what would have to be left out
refused() {
	local v=$1 what=$2

	shift 2
	rm -f a.data
	test_expect_code 255 "$old" $v perf record -o a.data -e cpu-clock "$@" -- true 2>err && test_line_count -eq 3 err &&
	grep -F -e "$what" err && test_grep "event asks for: --" err && test_grep "this one is $v.0-old" err && test ! -e a.data
}
test_expect_success 'what cannot be left out is told with the version that has it' '
	refused 3.18 "--intr-regs (since Linux 3.19)" -I && refused 3.6 "--call-graph dwarf, --user-regs (since Linux 3.7)" --call-graph dwarf &&
	refused 4.2 "--switch-events, --wall (since Linux 4.3)" --switch-events && refused 4.6 "--overwrite (since Linux 4.7)" --overwrite &&
	refused 4.13 "--phys-data (since Linux 4.14)" --phys-data && refused 3.9 "--weight (since Linux 3.10)" -W &&
	# the same options on kernels that have them
	for v in 4.3:--switch-events 4.7:--overwrite 3.19:-I; do
		"$old" ${v%:*} perf record -q -o a.data -e cpu-clock ${v#*:} -- true || return 1
	done
'
test_expect_success 'another reason for a refusal is not hidden by what an old kernel does not know' '
	test_must_fail perf record -o a.data -e cpu-clock -b -- true 2>want && test_must_fail "$old" 5.10 perf record -o a.data -e cpu-clock -b -- true 2>err &&
	test_cmp want err
'
test_expect_success 'a kernel that takes no longer attr gets a shorter one, if nothing is lost' '
	"$old" size=112 perf record -q -o a.data -g -e cpu-clock -- $busy && perf report --stdio -i a.data -s sym -g none >out 2>&1 && test_grep noploop out &&
	"$old" size=72 perf stat -e cs -o out -- true && test_grep ! "not supported" out &&
	test_must_fail "$old" size=80 perf record -o b.data -e cpu-clock --call-graph dwarf -- true 2>err && cat err &&
	test_grep "asks for: --call-graph dwarf, --user-regs (since Linux 3.7)" err
'
test_expect_success 'no perf_event_open at all is one sentence, for all commands' '
	for c in "record -e cpu-clock" "record -a -e cpu-clock" "stat" "stat -e cs" "flame -H f.html -e cpu-clock"; do
		test_must_fail "$old" none perf $c -- true 2>err && cat err && test_grep "^There are no performance events here" err &&
		test_grep "CONFIG_PERF_EVENTS" err && test_line_count -eq 2 err || { echo "$c"; return 1; }
	done
'
test_done
