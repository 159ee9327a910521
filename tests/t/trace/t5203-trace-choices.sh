#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf trace: targets, switches, lines of JSON, distributions, names by the types of the kernel, long runs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
test_lazy_prereq BTF 'no types of the running kernel' 'test -r /sys/kernel/btf/vmlinux'
test_lazy_prereq COPIES 'BPF programs cannot copy memory here' 'perf trace -v -o out -e openat true 2>err; grep "memory of [1-9][0-9]* calls was copied" err'
test_lazy_prereq SETPRIV 'no setpriv to become another user' 'setpriv --reuid=65534 --regid=65534 --clear-groups true'
test_lazy_prereq CGROUPS 'no control groups of our own' '
	root=$(sed -n "s/^cgroup2* \([^ ]*\) .*\(perf_event\|cgroup2\).*/\1/p" /proc/mounts | tail -n 1) &&
	mkdir "$root/perf-try-$$" && rmdir "$root/perf-try-$$"'
# busy: makes calls until the file "on" is gone
busy() { exec "$@" sh -c "while test -e on; do sleep 0.02; done"; }

test_expect_success PYTHON 'each call is an object of JSON in a line' '
	perf trace --json -o out -e lseek,dup2,close,sched:sched_process_exit "$asks" known && python3 -c "
import json
lines = [json.loads(line) for line in open(\"out\")]
calls = [l for l in lines if l.get(\"call\") in (\"lseek\", \"dup2\") or l.get(\"errno\") == \"EBADF\"]
assert [l[\"call\"] for l in calls] == [\"lseek\", \"dup2\", \"close\"], calls
lseek, dup, close = calls
assert lseek[\"args\"][\"whence\"] == \"END\" and lseek[\"ret\"] == 0 and lseek[\"nr\"] >= 0, lseek
assert dup[\"ret\"] == 77 and dup[\"comm\"] == \"asks\" and dup[\"pid\"] == dup[\"tid\"], dup
assert dup[\"time_ns\"] >= lseek[\"time_ns\"] + lseek[\"duration_ns\"] and dup[\"cpu\"] >= 0, dup
assert close[\"ret\"] == -9 and close[\"result\"].startswith(\"-1 EBADF\"), close
assert lines[-1][\"event\"] == \"sched:sched_process_exit\" and \"asks\" in lines[-1][\"text\"], lines[-1]
" && perf trace --json -o out -e read "$asks" block && ! grep -v "^{.*}$" out && grep -c "\"ret\": 1," out >nr && test "$(cat nr)" -eq 1 &&
	test_must_fail perf trace --json --print-sample true 2>err && grep "^ *Error: --json: use it without --print-sample" err
'
test_expect_success 'lines name the CPU' '
	perf trace --show-cpu -o out -e dup2 taskset -c 0 "$asks" known && grep -E "ms\): \[000\] asks/[0-9]+ dup2\(" out
'
test_expect_success 'percentiles and a distribution' '
	perf trace --summary=p50,p99.9 --hist getppid -o out "$asks" many 500 &&
	grep -E "stddev +p50 +p99.9$" out && grep -E "^   getppid +500 +0 +[0-9. ]+% +[0-9.]+ +[0-9.]+$" out &&
	sed -n "/^   getppid (msec):/,\$p" out | perl -ne "\$n += \$1 if / (\d+) \|#* *\|\$/; END { exit(\$n != 500) }" &&
	test_must_fail perf trace --summary=50 true 2>err && grep "list of at most" err &&
	test_must_fail perf trace --summary=p101 true 2>err && test_must_fail perf trace --hist read true 2>err && grep "with -s or -S" err &&
	test_must_fail perf trace -s --hist nosuch true 2>err && grep "no system call .nosuch." err
'
test_expect_success 'a heat map has the times of all calls, and is written at the end' '
	perf trace -s --heatmap all.html -e getppid -o out "$asks" many 500 &&
	test "$(in_heatmap all.html)" = 500 && test_grep "Times of system calls" all.html &&
	perf trace record -q -o map.data -- "$asks" many 200 &&
	perf trace -i map.data -e getppid --heatmap rec.html -o out &&
	test "$(grep -c "getppid()" out)" = 200 && test "$(in_heatmap rec.html)" = 200 &&
	perf trace -i map.data -s -e getppid --heatmap sums.html -o out &&
	test "$(in_heatmap sums.html)" = 200 &&
	perf trace --heatmap late.html -e getppid -o out \
		sh -c "\"$asks\" many 5; sleep 0.6; ls late.html; :" >early &&
	test ! -s early && test "$(in_heatmap late.html)" = "$(grep -c "getppid()" out)" &&
	test_must_fail perf trace -s --bpf-summary --heatmap x.svg true 2>err &&
	grep "leave out --bpf-summary" err
'
# tables FORM ARGS...: tables of a program that sleeps and of one whose close() fails
tables() {
	perf trace "$@" --errno-summary --summary=p50,wall -e close,clock_nanosleep \
		sh -c "\"$asks\" wait 150; \"$asks\" known"
}
# check_tables: those in "out" (JSON, with lines of calls) and "csv"
check_tables() {
	python3 -c '
import csv, json
rows = [json.loads(line) for line in open("out")]
assert sum(r.get("call") == "close" and "ret" in r for r in rows) > 1, rows # the lines
for rows in [r for r in rows if "calls" in r], list(csv.DictReader(open("csv"))):
    sleep, = [r for r in rows if r["call"] == "clock_nanosleep"]
    assert sleep["comm"] == "asks" and int(sleep["calls"]) == 1, sleep
    assert int(sleep["min_ns"]) == int(sleep["total_ns"]) >= 150e6, sleep
    assert float(sleep["p50_ns"]) >= 130e6 and 5 < float(sleep["wall_percent"]) <= 100, sleep
    failed, = [r for r in rows if r["call"] == "close" and int(r["errors"])]
    assert failed["errnos"] == "EBADF:1" and failed["tid"] != sleep["tid"], failed
for r in rows:
    if r["call"] == "close":
        assert sum(int(p.split(":")[1]) for p in r["hist"].split()) == int(r["calls"]), r'
}
test_expect_success PYTHON 'the tables as JSON and as CSV, with the share of the time' '
	for counted in --bpf-summary --no-bpf-summary; do
		tables -S $counted --json -o out &&
		tables -s $counted --csv --hist close -o csv &&
		check_tables || return 1
	done &&
	test_must_fail perf trace -S --csv true 2>err && grep "tables of -s alone" err &&
	test_must_fail perf trace -s --csv --json true 2>err && grep "choose one" err
'
test_expect_success 'the share of the time in a recording' '
	perf trace record -q -o w.data "$asks" wait 150 &&
	perf trace -s --summary=wall -i w.data 2>out &&
	awk "/clock_nanosleep/ { n++; exit !(\$9 > 20 && \$9 <= 100) } END { exit !n }" out &&
	test_must_fail perf trace --summary=p50,wal true 2>err && grep "wal. is no list" err
'
test_expect_success 'rows of tables at intervals, as CSV' '
	perf trace -s --csv --summary-mode total -I 50 -e getppid -o out "$asks" many 300000 &&
	sed -n 1p out | grep "^from_ns,events,.*,call,calls," &&
	awk -F, "NR > 1 && \$5 == \"getppid\" { n += \$6; t[\$1]++ }
		END { for (i in t) k++; exit !(n == 300000 && k > 1) }" out
'
test_expect_success BTF 'structs of the kernel on request, live and from a recording' '
	perf trace --force-btf -e uname,newfstatat,statx -o out sh -c "uname; cat /dev/null" && grep -E "uname\(name: \{.sysname = \"Linux\", " out &&
	grep -E "(newfstatat|statx)\(.*(st_mode|stx_mode) = " out && perf trace -e uname,newfstatat,statx -o out uname >text && ! grep -E "st_mode|sysname" out &&
	perf trace --force-btf record -q -o s.data uname >text && perf trace --force-btf -i s.data -e uname -o out && grep "sysname = \"Linux\"" out
'
# configured VARIABLE ARGS...: perf trace of "asks known" with a variable of [trace]
configured() {
	printf "[trace]\n\t%s\n" "$1" >config
	shift
	PERF_CONFIG=$PWD/config perf trace -o out "$@" "$asks" known
}
test_expect_success 'calls and events of the configuration are added' '
	both="add_events = lseek,sched:sched_process_exit" &&
	configured "$both" && grep " dup2(" out && grep "sched:sched_process_exit(comm: .asks" out &&
	configured "$both" -e dup2 && grep " dup2(" out && grep " lseek(" out &&
	! grep " close(" out && grep sched_process_exit out &&
	configured "$both" -e sched:sched_process_exec && ! grep " dup2(" out &&
	test_line_count = 3 out && grep " lseek(" out &&
	test_must_fail configured "add_events = !lseek" 2>err &&
	grep "trace.add_events: .*cannot leave out" err &&
	configured "tracepoint_beautifiers = lib" -e dup2 2>err &&
	grep "neither libbeauty nor libtraceevent" err
'
test_expect_success 'options that are taken back' '
	perf trace --string-len 3 --no-string-len -e access -o out "$asks" known && ! grep "\"\.\.\." out &&
	test_must_fail perf trace --string-len x true 2>err && grep "no number of bytes" err
'
test_expect_success 'tables at intervals' '
	perf trace -s -I 100 -e clock_nanosleep,getppid -o out sh -c "\"$asks\" many 5; \"$asks\" wait 150; \"$asks\" many 7" &&
	grep -c "^ From [0-9.]* ms on:$" out >nr && test "$(cat nr)" -ge 2 &&
	perl -ne "\$asks = /^ asks/ if /^ \S+ \(\d+\), /; \$n += \$1 if \$asks && /^   getppid +(\d+) /; END { exit(\$n != 12) }" out &&
	test_must_fail perf trace -I 100 true 2>err && grep "with -s or -S" err
'
test_expect_success BTF 'enums of events have names' '
	perf trace -a -o out -e timer:hrtimer_start --max-events=1 sleep 1 && test_line_count = 1 out &&
	grep -E "timer:hrtimer_start\(.*mode: HRTIMER_MODE_[A-Z_]+\)$" out
'
test_expect_success 'filters on arguments of calls, in the kernel' '
	perf trace -o out -e lseek,openat --filter "common_pid > 0" -e close --filter "fd == 77" -e dup2 "$asks" known &&
	grep -c " close(fd: 77" out >nr && test "$(cat nr)" -eq 2 && grep " dup2(" out && grep " lseek(" out &&
	! grep -v -E " (lseek|openat|dup2|close)\(" out && test "$(grep -c " close(" out)" -eq 2 &&
	perf trace -o out -e lseek --filter "whence == CUR" "$asks" known && test_must_fail grep lseek out &&
	perf trace -o out -e lseek --filter "whence == END" "$asks" known && test_line_count = 1 out &&
	test_must_fail perf trace -e close --filter "count > 1" true 2>err && grep "close has no argument .count." err &&
	test_must_fail perf trace -e lseek --filter "whence == NOSUCH" true 2>err && grep "no such value" err
'
test_expect_success 'a filter on arguments that some calls of a glob lack' '
	perf trace -o out -e "open*" --filter "flags & CREAT" sh -c "cat /dev/null >made" 2>err && test_line_count = 1 err &&
	test_grep "^--filter .flags & CREAT. does not apply to [0-9] of [0-9] calls, which are left out: .*openat2" err &&
	grep "made" out && ! grep -v " openat(" out && test_line_count = 1 out &&
	test_must_fail perf trace -e "open*,close" --filter "flags & CREAT" true 2>err && test_grep "close has no argument .flags." err &&
	test_must_fail perf trace -e "open*" --filter "nosuch == 1" true 2>err && test_grep "open has no argument .nosuch." err
'
test_expect_success 'terms of events: so many lines of one, frames of its chains' '
	perf trace -o out -e "sched:sched_process_exit/nr=2/,getppid" "$asks" forks 4 && test "$(grep -c sched_process_exit out)" -eq 2 &&
	perf trace -o out -e "syscalls:sys_enter_getppid/nr=3,max-stack=2/,dup2" "$asks" many 9 && test "$(grep -c sys_enter_getppid out)" -eq 3 &&
	grep -A9 sys_enter_getppid out | grep -c "^ \{30,\}[^ ]" >nr && test "$(cat nr)" -eq 6
'
test_expect_success COPIES 'strings of calls with filters on their arguments' '
	perf trace -o out -e openat --filter "flags & CREAT" sh -c "cat /dev/null >made" && test_line_count = 1 out && grep "filename: \"made\", flags: CREAT" out &&
	perf trace -o out -e openat --filter "flags & CREAT" -e close sh -c "cat /dev/null >made" &&
	test "$(grep -c "openat(" out)" -eq 1 && grep "filename: \"made\", flags: CREAT" out
'
test_expect_success SETPRIV 'strings of such calls that go on, without BPF programs' '
	setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin "$(command -v perf)" trace -o out -e clock_nanosleep --filter "flags == 0" "$asks" wait 200 &&
	grep "rqtp: { .tv_sec: 0, .tv_nsec: 200000000 }" out
'
test_expect_success 'after a delay' '
	perf trace -D 1200 -o out sh -c "\"$asks\" many 5; sleep 2; exec \"$asks\" known" && ! grep "getppid(" out && grep " dup2(" out
'
test_expect_success 'switches on and off' '
	on="-e lseek,close,exit_group,syscalls:sys_enter_dup2,syscalls:sys_enter_access" &&
	perf trace $on --switch-on syscalls:sys_enter_dup2 -o out "$asks" known && ! grep " lseek(" out && grep EBADF out &&
	grep " exit_group(" out && ! grep sys_enter_dup2 out &&
	perf trace $on --switch-on syscalls:sys_enter_dup2 --switch-off syscalls:sys_enter_access -o out "$asks" known &&
	! grep " lseek(" out && grep EBADF out && ! grep " exit_group(" out &&
	perf trace $on --switch-on syscalls:sys_enter_dup2 --show-on-off-events -o out "$asks" known && grep sys_enter_dup2 out
'
test_expect_success SETPRIV 'processes of a user' '
	rm -f out && : >on && chmod 755 . && { busy setpriv --reuid=65534 --regid=65534 --clear-groups & } && pid=$! &&
	wait_for grep -q "^Uid:.65534" /proc/$pid/status && { perf trace -u 65534 -o out & } && trace=$! &&
	wait_for grep "sh/" out && "$asks" known && kill -INT $trace && wait $trace && rm on && ! grep "asks/" out &&
	{ perf trace -u "$(id -u)" -e ioctl,sched_yield -o own sh -c "$asks known" & } && trace=$! && wait $trace && ! grep "/$trace " own
'
test_expect_success CGROUPS 'a control group' '
	root=$(sed -n "s/^cgroup2* \([^ ]*\) .*\(perf_event\|cgroup2\).*/\1/p" /proc/mounts | tail -n 1) && cg=perf-trace-$$ &&
	mkdir "$root/$cg" && rm -f out && : >on && { sh -c "echo 0 >$root/$cg/cgroup.procs; while test -e on; do sleep 0.02; done" & } && in=$! &&
	wait_for grep -qx $in "$root/$cg/cgroup.procs" && { perf trace -a -G $cg -o out sleep 0.5; rc=$?; } &&
	rm on && wait $in; rmdir "$root/$cg" && test "$rc" -eq 0 && grep "sh/$in " out && ! grep "perf/" out
'
test_expect_success LONG 'what ended processes have left is dropped' '
	perf trace -s --tool_stats -e getppid -a -o out "$asks" forks 9000 && grep -E "^ renewed : [1-9]" out &&
	perf trace -s -o sums "$asks" forks 20 && grep -c "^ asks (" sums >nr && test "$(cat nr)" -eq 21
'
test_done
