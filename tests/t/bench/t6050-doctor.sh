#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf doctor: what perf can do here, and what a recording lacks'
. "$(dirname "$0")/../../lib/tap.sh"

# verdict_of NAME: the first word of the line of a check in file out
verdict_of() { awk -v n="$1" '$2 == n { print $1 }' out; }

test_expect_success 'a line for each check, and one that counts them' '
	perf doctor >out 2>err && test_line_count = 0 err && test_grep "^# this machine: [0-9]* ok, [0-9]* limited, [0-9]* missing$" out &&
	for n in events rights pmu kernel-symbols ring-memory open-files tracefs kprobes uprobes bpf btf debuginfod disassembler interpreters container; do
		case $(verdict_of $n) in ok | limited | missing) ;; *) echo "no $n"; return 1 ;; esac
	done && ! grep -vE "^(ok|limited|missing|#) " out
'
test_expect_success 'JSON says the same' '
	perf doctor --json >json && python3 -m json.tool json >/dev/null && test "$(grep -c "\"verdict\":\"ok\"" json)" -eq "$(grep -c "^ok " out)" &&
	test "$(grep -c "\"fix\":" json)" -eq "$(grep -c "Fix: " out)"
'
test_expect_success PERF_EVENTS 'what it says of counters is so' '
	if test "$(verdict_of pmu)" = ok; then perf stat -e cycles:u true 2>s &&
	! grep "not supported" s; else perf stat -e cycles:u true 2>s; test_grep "not supported" s; fi
'
test_expect_success ROOT,TRACEFS 'an ordinary user is told of rights' '
	command -v setpriv >/dev/null || return 0
	cp "$PERF" p && chmod 755 p . .. && setpriv --reuid 65534 --clear-groups ./p doctor >user &&
	test_grep "^\(limited\|missing\) *rights .*Fix: .*perf_event_paranoid" user &&
	test_grep "^missing *tracefs .*is for root: .*Fix: run as root, or sudo mount -o remount,mode=755 /sys/kernel/" user &&
	test_grep "^missing *uprobes .*Fix: " user && test_grep "^missing *bpf .*Fix: " user
'
test_expect_success PERF_EVENTS 'a recording without chains, times and CPUs' '
	perf record -q -e cpu-clock:u -F 500 --no-timestamp -B -N -o few.data perf test -w noploop 0.1 2>/dev/null ||
		perf record -q -e cpu-clock:u -F 500 -B -N -o few.data perf test -w noploop 0.1 &&
	perf doctor few.data >out && test "$(verdict_of call-chains)" = missing &&
	test_grep "call-chains .*Fix: perf record -g" out && test "$(verdict_of times)" = limited &&
	test "$(verdict_of complete)" = ok && test "$(verdict_of kernel)" = limited && test "$(verdict_of event)" = limited && test_grep "^# few.data: " out
'
test_expect_success PERF_EVENTS 'one that has all that can be' '
	perf record -q -e cpu-clock -F 2000 -g -a -o full.data perf test -w noploop 0.2 2>/dev/null &&
	perf doctor full.data >out && for n in complete samples lost call-chains times header machine build-ids formats; do
		test "$(verdict_of $n)" = ok || { grep " $n " out; return 1; }
	done
'
test_expect_success PERF_EVENTS 'a stream, a file that was cut, and what is no recording' '
	perf record -q -e cpu-clock -F 500 -g -o - perf test -w noploop 0.1 2>/dev/null >p.data && perf doctor p.data >out && test "$(verdict_of call-chains)" = ok &&
	perf doctor - <p.data >out2 && test_grep "^ok *call-chains" out2 &&
	head -c $(($(stat -c %s full.data) / 2)) full.data >cut.data && perf doctor cut.data >out 2>&1; test_grep "^missing *complete .*Fix: " out &&
	echo no >no.data && test_expect_code 255 perf doctor no.data 2>err && test_line_count -gt 0 err &&
	test_expect_code 255 perf doctor none.data 2>err && test_grep "none.data" err && test_expect_code 129 perf doctor a b 2>err
'
test_expect_success CORPUS 'recordings of other machines, of all ages' '
	for f in "$CORPUS"/perf.data.*-3.4 "$CORPUS"/*piped.header_features*; do
		perf doctor -f "$f" >out || { echo "$f"; return 1; }
		test_grep "^# .*: [0-9]* ok" out || return 1
	done
'
test_expect_success PYTHON 'traces: those of Arm SPE become samples, of others it is told what they are' '
	for f in spe pt; do PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/aux-files.py" $f.data $f || return 1; done &&
	perf doctor spe.data >out && test_grep "^limited *samples *[0-9]* samples are few" out &&
	perf doctor pt.data >out && test_grep "^missing *samples *.*traces of the processor" out
'
test_done
