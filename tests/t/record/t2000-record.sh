#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 0 of 4
test_description='perf record: the command it runs, statuses, signals, files'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# header_samples FILE: the number in the closing line
samples() { sed -n 's/^\[ perf record: Captured and wrote .* (\([0-9]*\) samples) \]$/\1/p' "$1"; }

test_expect_success 'a workload: closing lines, mode, output untouched' '
	perf record -o a.data perf test -w noploop 1 >out 2>err &&
	test_line_count -eq 0 out &&
	test_grep -E "^\[ perf record: Woken up [0-9]+ times to write data \]$" err &&
	test_grep -E "^\[ perf record: Captured and wrote [0-9]+\.[0-9]{3} MB a.data \([0-9]+ samples\) \]$" err &&
	test "$(stat -c %a a.data)" = 600 &&
	test "$(samples err)" -gt 50
'

test_expect_success 'stdin, stdout and stderr of the command pass through' '
	echo hello | perf record -q -o b.data sh -c "cat; echo oops >&2" >out 2>err &&
	echo hello >want && test_cmp want out &&
	echo oops >want && test_cmp want err
'

test_expect_success 'what a command prints does not get into a recording on stdout' '
	perf record -q -o - sh -c "echo hello; echo oops >&2" >b.pipe 2>err && printf "%s\n" hello oops | test_cmp - err &&
	perf script -i b.pipe >out 2>err && test ! -s err
'

test_expect_success 'the status of the command is passed on' '
	test_expect_code 0 perf record -q -o b.data true &&
	test_expect_code 7 perf record -q -o b.data sh -c "exit 7" &&
	test_expect_code 5 perf record -q -o b.data -- sh -c "exit 5"
'

test_expect_success 'death of the command by a signal is passed on' '
	(perf record -q -o b.data sh -c "kill -9 \$\$"; echo $? >rc) 2>/dev/null
	echo 137 >want && test_cmp want rc
'

test_expect_success 'a command that cannot be run: status 255, nothing written, nothing renamed' '
	rm -f c.data c.data.old && echo keep >c.data &&
	test_expect_code 255 perf record -o c.data ./no-such-command 2>err &&
	test_grep -E "^Failed to collect .* for the .\./no-such-command. workload: No such file or directory$" err &&
	test_line_count -eq 1 err &&
	echo keep >want && test_cmp want c.data && test ! -e c.data.old &&
	: >noexec && test_expect_code 255 perf record -o d.data ./noexec 2>err &&
	test_grep "Permission denied" err && test ! -e d.data
'

test_expect_success 'default output, and the old one kept' '
	rm -f perf.data perf.data.old &&
	perf record -q true && test -s perf.data && test ! -e perf.data.old &&
	cp perf.data first && chmod 644 perf.data && perf record -q true &&
	cmp first perf.data.old && test "$(stat -c %a perf.data)" = 600
'

test_expect_success '-q says nothing, -v says what was given up' '
	perf record -q -o b.data true 2>err && test_line_count -eq 0 err &&
	perf record -v -e cycles -o b.data true 2>err && test_grep "Captured and wrote" err
'

test_expect_success 'SIGTERM, SIGHUP and SIGINT end it cleanly, and it dies of them' '
	for sig in TERM HUP INT; do
		rm -f s.data
		(trap - INT; exec "$PERF" record -o s.data -e cpu-clock -p $$ 2>err) &
		pid=$!
		wait_for test -s s.data
		python3 -c "import os,signal,sys; os.kill(int(sys.argv[1]), getattr(signal, sys.argv[2]))" $pid SIG$sig
		wait $pid; rc=$?
		case $sig in TERM) want=143 ;; HUP) want=129 ;; *) want=130 ;; esac
		{ test $rc -eq $want || test $sig = INT; } || return 1
		test_grep "Captured and wrote" err && perf script -i s.data >out 2>warn && test ! -s warn || return 1
	done 2>/dev/null
'

test_expect_success 'nohup: SIGHUP does nothing' '
	rm -f s.data
	(trap "" HUP; exec "$PERF" record -o s.data -e cpu-clock -p $$ sh -c "until test -e hung; do sleep 0.05; done; exit 3" 2>err) &
	pid=$!
	wait_for test -s s.data && kill -HUP $pid && : >hung; wait $pid; rc=$?
	test $rc -eq 3 && test_grep "Captured and wrote" err
'

test_expect_success 'SIGTERM ends the workload too' '
	perf record -o s.data sh -c "echo \$\$ >pid; exec sleep 30" 2>err & pid=$!
	wait_for test -s pid
	kill -TERM $pid; wait $pid; rc=$?
	test $rc -eq 143 && test_grep "Captured and wrote" err && ! kill -0 "$(cat pid)" 2>/dev/null
'

test_expect_success 'signal dispositions of the command are those perf was started with' '
	perf record -q -o s.data grep -E "^Sig(Blk|Ign)" /proc/self/status >rec &&
	grep -E "^Sig(Blk|Ign)" /proc/self/status >plain && test_cmp plain rec &&
	(trap "" PIPE INT; perf record -q -o s.data grep -E "^Sig(Blk|Ign)" /proc/self/status >rec
	 grep -E "^Sig(Blk|Ign)" /proc/self/status >plain; test_cmp plain rec)
'

test_expect_success 'a command that takes no SIGTERM: the file is complete before it is waited for' '
	perf record -e cpu-clock -o s.data sh -c "trap : TERM; echo \$\$ >pid2; while :; do sleep 0.1; done" 2>err & pid=$!
	wait_for test -s pid2
	kill -TERM $pid
	wait_for grep "Captured and wrote" err && kill -0 "$(cat pid2)"; rc=$?
	kill -KILL "$(cat pid2)"; wait $pid
	test $rc -eq 0
'

test_expect_success '-p records all threads of a process, and ends with it' '
	perf test -w thloop 3 60 & pid=$!
	wait_comm $pid perf && worked $pid 50
	perf record -e cpu-clock -o p.data -p $pid 2>err & rec=$!
	wait_for test -s p.data && worked $pid 200
	kill $pid; wait $rec; rc=$?
	test $rc -eq 0 && test "$(samples err)" -gt 10 &&
	perf script -i p.data >out && test "$(awk "{print \$2}" out | sort -u | wc -l)" -ge 2
'

test_expect_success '-p with a command: until it ends' '
	perf test -w noploop 60 & pid=$!
	wait_comm $pid perf-noploop
	perf record -e cpu-clock -o p.data -p $pid "$(program worked)" $pid 100 2>err; rc=$?
	kill $pid; wait $pid
	test $rc -eq 0 && test "$(samples err)" -gt 10
'

test_expect_success '-t records that thread only; --per-thread' '
	perf test -w noploop 60 & pid=$!
	wait_comm $pid perf-noploop
	perf record -e cpu-clock -o t.data -t $pid "$(program worked)" $pid 100 2>err &&
	test "$(samples err)" -gt 10 &&
	perf record -e cpu-clock --per-thread -o t.data -p $pid "$(program worked)" $pid 100 2>err &&
	test "$(samples err)" -gt 10
	rc=$?
	kill $pid; wait $pid
	test $rc -eq 0
'

test_expect_success '-D: nothing of the first milliseconds' '
	perf record -e cpu-clock -D 600 -o d.data perf test -w noploop 1 2>err &&
	test_grep "Events disabled" err && test_grep "Events enabled" err &&
	test "$(samples err)" -gt 10 && test "$(samples err)" -lt 3500
'

test_expect_success 'stdout a pipe: the data goes there' '
	perf record -e cpu-clock perf test -w noploop 1 2>err | perf script -i - >out &&
	test_line_count -gt 50 out &&
	perf record -e cpu-clock -o - perf test -w noploop 1 2>err | cat >p.data &&
	perf script -i - <p.data >out2 && test_line_count -gt 50 out2
'

# Of several the quickest: what the others took is the machine's. What waits for something takes a second.
test -n "$SAN" || test_set_prereq FAST_BUILD
test_why[FAST_BUILD]='a sanitizer build is slow'
test_expect_success FAST_BUILD 'record true is quick' '
	for i in $(seq 20); do
		start=$(date +%s%N) && perf record -q -o q.data true && took=$((($(date +%s%N) - start) / 1000000)) || return 1
		echo "$took ms"
		test $took -ge ${RECORD_TRUE_MS:-500} || return 0
	done
	return 1
'
test_done
