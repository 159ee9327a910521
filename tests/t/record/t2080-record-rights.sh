#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Not beside others: it sets what all the kernel's users have.
# with sanitizers in check-long only
test_description='perf record: what users may not have: what is said, with which remedy, and what is done instead'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS,ROOT

test_lazy_prereq NOBODY 'cannot become another user' \
	'command -v setpriv && setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version'
test_lazy_prereq SYSCTL 'kernel.perf_event_paranoid and kptr_restrict cannot be set' '
	cd /proc/sys/kernel && cat perf_event_paranoid >perf_event_paranoid && cat kptr_restrict >kptr_restrict'
test_lazy_prereq USERNS 'cannot make user namespaces' 'unshare -Ur true'
test_lazy_prereq UNMOUNT 'cannot unmount tracefs in a mount namespace' '
	unshare -m sh -c "umount -l /sys/kernel/tracing && { umount -l /sys/kernel/debug; true; }"'

chmod 755 "$TRASH" "$TRASH/cwd" && mkdir -m 777 pub
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$PWD/pub" "$@"; }
# with_sysctl NAME VALUE COMMAND...: and back; one test at a time
with_sysctl() (
	file=/proc/sys/kernel/$1
	exec 8>/tmp/perf-test-sysctl.lock && flock -w 60 8 || exit 99
	was=$(cat "$file")
	trap 'echo "$was" >"$file"' EXIT
	trap 'exit 99' INT TERM
	echo "$2" >"$file" && "${@:3}"
)
# tried STATUS EVENT-ARGS...: as nobody
tried() {
	test_expect_code "$1" nobody perf record -o pub/a.data "${@:2}" true 2>err || { cat err; return 1; }
}
# What nobody gets at each level; beyond 2 only on kernels that know it.
at_level() {
	echo "# level $1"
	if test "$1" -le 1; then
		tried 0 -e cpu-clock && perf evlist -f -i pub/a.data | grep -qx cpu-clock &&
		test_must_fail grep -q "Only user space" err || return 1
	else
		tried 0 -e cpu-clock && perf evlist -f -i pub/a.data | grep -qx cpu-clock:u &&
		test_grep "perf_event_paranoid to be 1 or lower, it is $1" err &&
		tried 255 -e cpu-clock:k && test_grep "perf_event_paranoid to be 1 or lower; it is $1" err &&
		tried 255 -e cpu-clock --phys-data && test_grep "leave out --phys-data" err || return 1
	fi
	if test "$1" -le 0; then
		tried 0 -e cpu-clock -a
	else
		tried 255 -e cpu-clock -a && test_grep "perf_event_paranoid to be 0 or lower; it is $1" err &&
		test_grep "sudo sysctl kernel.perf_event_paranoid=0" err && test_grep "setcap cap_perfmon" err
	fi || return 1
	if test "$1" -lt 0; then
		tried 0 -e cpu-clock:u -m 16384 && test_must_fail grep -q "made smaller" err
	else
		tried 0 -e cpu-clock:u -m 16384 && test_grep "made smaller" err &&
		test_grep "perf_event_mlock_kb=[0-9]*, or ulimit -l [0-9]*" err && test_grep CAP_IPC_LOCK err
	fi
}

for level in -1 0 1 2 3 4; do
	test_expect_success NOBODY,SYSCTL "perf_event_paranoid $level: what works, what is said of the rest" \
		"with_sysctl perf_event_paranoid $level at_level $level"
done
test_expect_success NOBODY 'processes of others, namespaces, -q' '
	test_expect_code 255 nobody perf record -p $$ -e cpu-clock:u -o pub/b.data true 2>err &&
	test_grep "belongs to another user" err && test_grep CAP_SYS_PTRACE err && test ! -e pub/b.data &&
	nobody perf record --namespaces -e cpu-clock:u -o pub/a.data true 2>err && test_grep "Namespaces are recorded as they are at the start" err &&
	nobody perf record -q --namespaces -e cpu-clock -o pub/a.data true 2>err && test ! -s err
'
# refused WORDS -- COMMAND...: as nobody; all of the words (regular expressions, one a line) are in at most four lines.
# What was given on the command line is named as it was given.
refused() {
	echo "# ${*:2}" && test_must_fail nobody perf "${@:2}" </dev/null >out 2>err || return 1
	while read -r word; do
		test -z "$word" || grep -q -e "$word" err || { echo "no '$word' in:"; cat err; return 1; }
	done <<<"$1"
	grep -v "^$\|^ \|^Error:$" err >told; test "$(wc -l <told)" -le 4 || { cat err; return 1; }
}
all_refused() {
	refused "The cpu-clock event on whole CPUs
		CAP_PERFMON is missing
		kernel.perf_event_paranoid=0" stat -e cpu-clock -a true &&
	refused "The cpu-clock:k event in the kernel
		to be 1 or lower; it is 2" stat -e cpu-clock,cpu-clock:k true &&
	refused "The task-clock event was refused: thread 1 belongs to another user (uid 0, this is uid 65534)
		CAP_SYS_PTRACE" stat -e task-clock -p 1 &&
	refused "The context-switches event was refused: thread 1 belongs" record -o pub/n.data -e context-switches -t 1 &&
	refused "The cycles[:P]* event was refused: thread 1 belongs" record -o pub/n.data -p 1 &&
	refused "The task-clock event was refused: thread [0-9]* belongs" record -e task-clock -o pub/n.data -u root &&
	refused "The mem:0xffffffff81000000:x event in the kernel
		to be 1 or lower; it is 2" record -o pub/n.data -e mem:0xffffffff81000000:x true &&
	refused "The mem:0x1000:k event in the kernel" record -o pub/n.data -e mem:0x1000:k true &&
	refused "kcore is not readable
		/proc/kcore, for --kcore:
		CAP_SYS_RAWIO" record -o pub/n.data --kcore true &&
	refused "realtime priority 9: Operation not permitted
		up to 0 (ulimit -r)
		CAP_SYS_NICE" record -o pub/n.data -r 9 true &&
	refused "^failed to open /proc/1/x *: " record -o /proc/1/x true || return 1
	if test ! -e /sys/kernel/btf/vmlinux; then :; else
		refused "off-cpu.*Operation not permitted
			CAP_BPF" record -o pub/n.data --off-cpu true || return 1
	fi
	if ! nobody test -r /sys/kernel/tracing/events; then
		refused "sched:sched_switch
			No permissions to read /sys/kernel/tracing/events/sched/sched_switch
			mount -o remount,mode=755" stat -e sched:sched_switch true
	fi
}
test_expect_success NOBODY,SYSCTL 'each refusal: the event as it was given, the reason with its value, the remedy, in few lines' '
	with_sysctl perf_event_paranoid 2 all_refused
'
test_expect_success NOBODY 'little memory to lock: 0 kB' '
	(ulimit -l 0 && nobody perf record -m 16384 -e cpu-clock:u -o pub/a.data true) 2>err &&
	test_grep "and 0 kB more here (ulimit -l)" err && perf script -f -i pub/a.data >out
'
test_expect_success 'few descriptors: the number needed is named' '
	! (ulimit -n 40 && perf record -a -e "{dummy,dummy,dummy,dummy,dummy,dummy}" -e dummy,dummy,dummy,dummy,dummy,dummy \
		-e dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy,dummy -C 0 -u 0 -o a.data true) 2>err &&
	test_grep "each event takes a file descriptor per CPU and thread, [0-9]* together beside those of other files, and this process may have 40" err &&
	test_grep "ulimit -n [0-9]*" err && test_grep CAP_SYS_RESOURCE err &&
	: "enough for the events, but not to look into /proc" &&
	for n in 14 18; do ! (ulimit -n $n && perf record -e dummy -C 0 -o a.data true) 2>err && test_grep "Too many events\|Too many open files" err || return 1; done
'
test_expect_success USERNS 'root of a user namespace: own processes, and why no more' '
	unshare -Ur perf record -e cpu-clock:u -o a.data true 2>err &&
	test_expect_code 255 unshare -Ur perf record -a -e cpu-clock -o b.data true 2>err &&
	if test "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0; then
		test_grep "capabilities of a user namespace do not count" err
	fi
'
test_expect_success UNMOUNT,TRACEFS 'without tracefs: it is mounted' '
	unshare -m sh -c "umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null
		test ! -e /sys/kernel/tracing/events && perf record -e sched:sched_switch -a -o t.data true" 2>err &&
	perf evlist -i t.data | grep -qx sched:sched_switch
'
hidden() {
	perf record -e cpu-clock:u -o a.data true 2>err && test_must_fail grep -q "have no names" err &&
	setpriv --bounding-set -syslog --inh-caps -syslog perf record -c 20000 -e cpu-clock -o a.data perf test -w noploop 1 2>err &&
	if perf script -i a.data -F ip | grep -q "^ *f\{6,\}"; then
		test_grep "have no names where no vmlinux is found: .*kptr_restrict is $1" err &&
		test_grep "To see them: sudo sysctl" err || return 1
	fi
	perf record -c 20000 -e cpu-clock -o a.data true 2>err &&
	case $1 in
	2) test_grep "kptr_restrict is 2" err ;;
	*) test_must_fail grep -q "have no names" err ;;
	esac
}
for level in 0 1 2; do
	test_expect_success SYSCTL "kptr_restrict $level: a warning where the kernel was sampled, else none" \
		"with_sysctl kptr_restrict $level hidden $level"
done
test_done
