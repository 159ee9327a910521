#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='how recordings end: signals, failures, full disks, odd names, no rights'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# readable FILE: whole, with samples in it
readable() {
	perf script -i "$1" >script.txt 2>script.err && test -s script.txt &&
	perf report --stdio -i "$1" >report.txt 2>report.err && test -s report.txt
}

# interrupted SIGNAL OPTION...: record, and send the signal to perf when there is something in it: the file
# has its header, and the workload has worked. Leaves status in $rc.
# Background jobs of a shell ignore SIGINT: setsid through env gives it back its meaning.
interrupted() {
	local sig=$1 pid child

	shift
	rm -f "$sig.data"
	env --default-signal=INT,TERM,HUP perf record -o "$sig.data" "$@" 2>log &
	pid=$!
	wait_for test -s "$sig.data"
	case $* in
	-a) sleep 0.3 ;;
	*) wait_for pgrep -P $pid && child=$(pgrep -P $pid | head -n 1) && worked "$child" 100 || cat log ;;
	esac
	kill "-$sig" $pid
	wait $pid
	rc=$?
	cat log
	echo "status $rc"
}

for sig in INT TERM; do
	test_expect_success "SIG$sig ends it cleanly, and the workload with it" '
		interrupted $sig perf test -w noploop 30 &&
		readable $sig.data &&
		test_grep "Captured and wrote" log &&
		test_grep noploop report.txt
	'
	test_expect_success ROOT "SIG$sig without a workload" '
		interrupted $sig -a &&
		readable $sig.data &&
		test_grep "Captured and wrote" log
	'
done

test_expect_success 'a workload that ignores SIGTERM is waited for, the file is whole' '
	interrupted TERM sh -c "trap : TERM; i=0; while test \$i -lt 1000000; do i=\$((i + 1)); done; exit 3" &&
	readable TERM.data &&
	test_grep "Captured and wrote" log
'

test_expect_success 'the exit status of the workload is passed on' '
	for n in 0 1 7 200; do
		test_expect_code $n perf record -o s.data sh -c "exit $n" || return 1
		test -s s.data || return 1
	done
'

test_expect_success 'a workload killed by a signal' '
	(perf record -o s.data sh -c "kill -KILL \$\$"; exit $?) 2>log
	test $? -eq 137 && test -s s.data
'

test_expect_success 'its standard streams are untouched' '
	echo in | perf record -o s.data sh -c "cat; echo err >&2" >out 2>err &&
	echo in >want && test_cmp want out &&
	test_grep "^err$" err
'

test_expect_success 'exec failure: said at once, the file before is still there' '
	perf record -o keep.data true && cp keep.data before &&
	test_expect_code 255 perf record -o keep.data ./no-such-program 2>err &&
	test_grep "workload: No such file or directory" err &&
	test_grep -F "./no-such-program" err &&
	test_cmp before keep.data &&
	touch notexec && test_expect_code 255 perf record -o keep.data ./notexec 2>err &&
	test_grep "Permission denied" err &&
	test_cmp before keep.data
'

test_expect_success 'no such event, process, folder' '
	test_expect_code 129 perf record -e nosuch true 2>err &&
	test_grep "event syntax error" err &&
	test_must_fail perf record -p 999999999 2>err && test -s err &&
	test_must_fail perf record -o /nonexistent/x.data true 2>err &&
	test_grep /nonexistent/x.data err
'

test_expect_success 'a full disk: said, not success' '
	test_must_fail perf record -F 5000 -g -o /dev/full perf test -w noploop 0.2 2>err &&
	test_grep "No space left" err
'

test_lazy_prereq TMPFS 'may not mount a file system' '
	mkdir -p full && mount -t tmpfs -o size=64k none full && umount full'

test_expect_success ROOT,TMPFS 'a disk that fills up: what was written is readable' '
	mkdir small && mount -t tmpfs -o size=128k none small || return 1
	test_must_fail perf record -F 20000 -g -o small/x.data perf test -w thloop 2 1 2>err
	rc=$?
	cp small/x.data full.data
	umount small
	cat err
	test $rc -eq 0 && test_grep "No space left" err &&
	# Which symbols depends on whose ring was written first: samples are what must be there.
	test_no_crash perf script -i full.data >out 2>err && test_grep "cpu-clock" out
'

test_expect_success 'a limit on file size ends it with a message or the signal, never a hang' '
	(ulimit -f 8; timeout 60 perf record -F 20000 -g -o lim.data perf test -w noploop 0.3) 2>err
	rc=$?
	echo "status $rc"
	test $rc -ne 0 && test $rc -ne 124 &&
	test_no_crash perf report --stdio -i lim.data >out 2>&1
'

# a blank, an escape, a newline and a percent sign
odd=$(printf 'a b\033[31m\n%%s')
test_expect_success 'an output file with an odd name' '
	perf record -o "$odd.data" true && perf report --stdio -i "$odd.data" >out && test -s out
'

test_expect_success ROOT 'processes that vanish while it starts' '
	(while :; do /bin/true; done) & loop=$! &&
	for i in 1 2 3; do
		perf record -a -o van.data sleep 0.1 || { kill $loop; return 1; }
	done
	kill $loop; wait $loop
	readable van.data
'

test_expect_success 'a process that ends while it is watched' '
	perf test -w noploop 60 & pid=$! && wait_comm $pid perf-noploop &&
	{ timeout 60 perf record -p $pid -o gone.data 2>log & } && rec=$! && wait_for test -s gone.data &&
	worked $pid 100; kill $pid; wait $rec && readable gone.data
'

test_lazy_prereq NOBODY 'cannot become the user nobody' '
	setpriv --reuid=nobody --regid=nogroup --clear-groups true'

test_expect_success ROOT,NOBODY 'an ordinary user: own programs yes, the system no' '
	chmod a+rx "$TRASH" "$TRASH/cwd" "$TRASH/.bin" && mkdir -m 777 nb && cp "$(command -v perf)" nb/perf &&
	as="setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=$PWD/nb" &&
	if test "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2; then
		$as nb/perf record -o nb/own.data nb/perf test -w noploop 0.2 2>err || { cat err; return 1; }
		$as nb/perf report --stdio -i nb/own.data >report.txt && test_grep noploop report.txt &&
			$as nb/perf script -i nb/own.data >script.txt && test_grep noploop script.txt || return 1
		# a file of somebody else is not read unless told so
		test_must_fail perf script -i nb/own.data 2>err && test_grep "not owned" err &&
			perf script -f -i nb/own.data >forced.txt && test_cmp script.txt forced.txt || return 1
	fi &&
	test_must_fail $as nb/perf record -a -o nb/all.data true 2>err &&
	test_grep perf_event_paranoid err &&
	perf record -o secret.data true &&
	test_must_fail $as nb/perf report --stdio -i "$PWD/secret.data" 2>err >/dev/null &&
	test_grep -i "permission denied" err
'

test_expect_success 'standard output that is closed or full' '
	perf record -o p.data perf test -w noploop 0.1 &&
	perf script -i p.data | true &&
	test_must_fail perf script -i p.data >/dev/full &&
	test_must_fail perf report --stdio -i p.data >/dev/full
'

test_expect_success 'files that are not recordings' '
	: >empty.data && test_must_fail perf report --stdio -i empty.data 2>err && test -s err &&
	echo hello >text.data && test_must_fail perf script -i text.data 2>err && test -s err &&
	test_must_fail perf report --stdio -i missing.data 2>err && test_grep missing.data err &&
	test_must_fail perf report --stdio -i . 2>err && test -s err &&
	test_must_fail perf script -i - </dev/null 2>err && test -s err
'

test_done
