# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# What runs in the emulated machine with the kernel of Debian 11 (t2930): a perf without libraries.
# run NAME COMMAND...: its output and status in NAME.out
run() {
	name=$1
	shift
	"$@" >"$name.out" 2>&1
	echo "exit $?" >>"$name.out"
}
cd /out || exit
run version perf version
run record perf record -g -F 500 -o record.data -- perf test -w noploop 1
run report perf report -i record.data --stdio --no-children -g none -s comm,dso,sym
run all perf record -a -e cpu-clock,sched:sched_switch -o all.data -- perf test -w thloop 2 0.5
run script perf script -i all.data -F comm,pid,cpu,time,event,ip,sym
run stat perf stat -e task-clock,context-switches,page-faults -- perf test -w noploop 0.3
run kallsyms perf kallsyms schedule
run buildid perf record --buildid-mmap -e cpu-clock -o buildid.data -- perf test -w noploop 0.2
run pages perf record --data-page-size -e cpu-clock -o pages.data -- perf test -w noploop 0.2
run calls perf trace -v -o calls.txt sh -c "cat /proc/version >/dev/null"
echo 2 >/proc/sys/kernel/perf_event_paranoid
run nobody su -s /bin/sh nobody -c 'cd /tmp && perf record -e cpu-clock -o n.data -- perf test -w noploop 0.2'
uname -r >kernel.out
exit 0
