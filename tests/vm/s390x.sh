# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Runs in the emulated s390x machine (t2920-vm-s390x.sh): the other byte order. Files that were recorded
# elsewhere lie in /given; what both perfs of this machine say of them goes home.
WORK='/ours/perf test -w deterministic 400000'
for p in ours ref; do
	test -x /$p/perf || continue
	/$p/perf record --no-bpf-event -e task-clock -c 1000000 -o clock.$p.data -- $WORK >clock.$p.out 2>&1
	/$p/perf record --no-bpf-event -e sched:sched_switch,syscalls:sys_enter_openat -o trace.$p.data -- \
		cat /etc/passwd >trace.$p.out 2>&1
done
/ours/perf record --no-bpf-event -z -a -g -F 1000 -o packed.ours.data -- $WORK >packed.ours.out 2>&1
for f in *.data; do
	/ours/perf script -i $f >$f.there 2>/dev/null
done
for f in /given/*.data; do
	/ours/perf script -i $f -F comm,tid,time,event,ip >"${f##*/}.swapped" 2>/dev/null
done
/ours/perf test >suites 2>&1
echo "exit $?" >>suites
exit 0
