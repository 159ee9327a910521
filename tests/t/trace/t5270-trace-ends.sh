#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 0 of 4
test_description='perf trace: how a run ends: nobody reads, the disk is full, signals; what users without rights see'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
# busy: a process that asks the kernel for something until the file "on" is gone
busy() { exec sh -c "while test -e on; do sleep 0.02; done"; }
# loaded PID: the BPF programs of a process, whose numbers are in ids then
loaded() { sed -n "s/^prog_id:[^0-9]*//p" /proc/"$1"/fdinfo/* 2>/dev/null | sort -u >ids; test -s ids; }
# gone: the kernel has none of these programs any more
gone() {
	perf record -q -o bpf.data -e dummy true && perf script -i bpf.data --show-bpf-events >events &&
	for id in $(cat ids); do ! grep -q "BPF_EVENT.* id $id\$" events || return 1; done
}
test_lazy_prereq COPIES 'BPF programs cannot copy memory here' 'perf trace -v -o out -e openat true 2>err; grep "memory of [1-9][0-9]* calls was copied" err'
test_lazy_prereq FULL 'no /dev/full, which takes nothing' 'test -c /dev/full && ! echo x 2>/dev/null >/dev/full'
perf=$(readlink -f "$(command -v perf)")
test_lazy_prereq NOBODY 'no setpriv, or another user may not run this perf' 'setpriv --reuid 65534 --regid 65534 --clear-groups "$perf" version'

test_expect_success 'nobody reads any more: it ends without a word' '
	{ perf trace -o /dev/stdout "$asks" many 300000 2>err; echo $? >status; } | head -n 1 >got && test "$(cat status)" -eq 0 && test ! -s err &&
	test "$(cat got | wc -l)" -eq 1 && { perf trace -S "$asks" many 300000 2>&1; echo $? >status; } | head -n 1 >got && test "$(cat status)" -eq 0
'
test_expect_success 'a recording: the same' '
	perf record -q -R -c 1 -m 1024 -o t.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit "$asks" many 20000 &&
	{ perf trace -i t.data -o /dev/stdout 2>err; echo $? >status; } | head -n 1 >got && test ! -s err && test "$(cat got | wc -l)" -eq 1
'
test_expect_success FULL 'a full disk: it is told, and the summary goes to stderr' '
	test_must_fail perf trace -S -o /dev/full "$asks" many 100000 2>err &&
	grep "^the output takes no more: No space left on device$" err &&
	test "$(grep -c "takes no more" err)" -eq 1 &&
	grep "^ Summary of events:" err && grep -E "^   [a-z]\w+ .*%$" err &&
	test_must_fail perf trace -s -o /dev/full "$asks" known 2>err && grep "takes no more: No space" err && grep -E "^   dup2 +1 " err &&
	test_must_fail perf trace -i t.data -o /dev/full 2>err && grep "takes no more: No space" err &&
	test_must_fail perf trace -S -i t.data -o /dev/full 2>err && grep "takes no more: No space" err && grep -E "^   getppid +[0-9]+ " err
'
test_expect_success COPIES 'a signal: the lines that were waiting and the summary are there, and no program is left' '
	for signal in INT TERM HUP; do
		: >on; { busy & } && pid=$! && wait_comm $pid sh || return 1
		rm -f out; perf trace -S -p $pid -o out & trace=$!
		wait_for test -s out && loaded $trace && ! gone && kill -$signal $trace && wait $trace || return 1
		rm -f on; wait $pid
		grep -qE "clock_nanosleep\(|wait4\(" out && grep "^ Summary of events:" out && grep -E "^   wait4 " out && wait_for gone || return 1
	done
'

# as_nobody COMMAND...: run it as a user without rights, who may read this folder
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
test_expect_success NOBODY 'without rights: what is missing is said in a sentence, and how to get it' '
	test_expect_code 255 as_nobody env HOME=/ "$perf" trace -o /dev/null true 2>err; cat err;
	test "$(cat err | wc -l)" -le 4 && grep -iE "perf_event_paranoid|No permissions to read|CAP_PERFMON" err
'
test_done
