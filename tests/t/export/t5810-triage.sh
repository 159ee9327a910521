#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='triage: programs that are slow for one known reason, and the first sentence that names it'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

slow=$(program slow)
# A program that is ahead of all others hardly waits for a CPU, however busy the machine is.
ahead=
! chrt -f 10 true 2>/dev/null || ahead='chrt -f 10'

# The kind of the first verdict. On a busy machine the run queue may come before what is looked for,
# which is the truth, so that it does not count unless it is asked for.
cat >first.py <<'END'
import json, sys
got = json.load(open(sys.argv[1]))
kinds = [v for v in got["verdicts"] if v["kind"] != "run-queue" or sys.argv[2] == "run-queue"]
first = kinds[0]
print(first["kind"], first["program"], first.get("what", ""), "matters" if first["matters"] else "", sep=";")
if got["verdicts"][0] == first and first["matters"] and got["headline"] != first["sentence"]:
    sys.exit("the first sentence is not that of the first verdict")
END
# shellcheck disable=SC2086
first() { # KIND REASON [FILE]
	local kind=$1
	shift
	perf triage --json -o a.data -- $ahead "$slow" "$1" 150 "${@:2}" >got.json 2>err && python3 first.py got.json "$kind" >first &&
		cat first && grep -q "^$kind;slow;" first
}

test_expect_success ROOT 'a function that computes' 'first cpu cpu && test_grep "^cpu;slow;hot_loop;" first'
test_expect_success ROOT 'a lock of the kernel, with who asks for it' '
	first kernel-lock lock && test_grep ";mutex in n_tty_read;" first && grep -q "perf lock contention -i a.data" got.json
'
test_expect_success ROOT 'the lock is found by the command that tells more' '
	perf lock contention -i a.data -E 3 2>out && test_grep "n_tty_read" out
'
test_expect_success ROOT 'a lock of the program' 'first user-lock futex && test_grep "futex at 0x\|mutex" first'
test_expect_success ROOT 'page faults, with the function that has them' 'first page-faults fault && test_grep ";fault;" first'
test_expect_success ROOT 'system calls' 'first system-calls call && test_grep ";read;" first'
test_expect_success ROOT 'a child that sleeps, and who waits for it' '
	perf triage -o a.data -- sh -c "sleep 0.25; true" >out &&
	grep "^ *[0-9]*\. " out | grep -v "run queue" | head -n 1 >line &&
	test_grep "\`sleep\` is sleeping.* its parent \`sh\` waits" line
'
test_expect_success ROOT 'a network peer' 'first network net && test_grep "^network;slow;read;" first'
test_expect_success ROOT 'a rival on the same CPU' '
	cpu=$(sed "s/[-,].*//" /sys/devices/system/cpu/online) && { taskset -c "$cpu" "$slow" cpu 30000 & rival=$!; } &&
	perf triage --json -o a.data -- taskset -c "$cpu" "$slow" queue 150 >got.json; kill $rival; wait $rival 2>/dev/null
	python3 first.py got.json run-queue >first && cat first && test_grep "^run-queue;slow;" first && grep -q "perf sched why -i a.data slow" got.json
'
test_expect_success ROOT 'a disk, by its name and with the time of its operations' '
	disk=$(df --output=source . | tail -n 1) && { test -b "$disk" || disk=; } &&
	{ test -z "$disk" || { first disk flush "$PWD/written" && test_grep "^disk;slow;[a-z0-9]*, [0-9.]*[mu]*s per [a-z]* ([0-9]* of them)" first; }; }
'
test_expect_success ROOT 'many functions that each take little: nothing stands out' '
	perf triage --json -o a.data -- $ahead "$slow" mixed 150 >got.json && python3 first.py got.json cpu >first && test_grep "^cpu;slow;part[0-9]*;$" first &&
	perf triage -i a.data >out && { head -n 1 out | grep "^Nothing stands out: " || grep "run queue" out; }
'
test_expect_success ROOT 'one screen, and each verdict with evidence and a command' '
	test $(wc -l <out) -le 30 && test_grep "^ 1\. [0-9]* % of the time of .slow. is " out && test_grep "^      [0-9.]*[mu]*s by [0-9]* samples; sure$" out &&
	test_grep "^      perf report .*-i a.data --comm slow$" out
'
test_expect_success ROOT 'a process, and the machine' '
	{ "$slow" cpu 30000 & pid=$!; } && perf triage -o p.data -p $pid --duration 0.5 >out; perf triage -o all.data -a --duration 0.5 --json >all.json
	kill $pid; wait $pid 2>/dev/null
	test_grep "^# processes, .* 1 program$" out && test_grep "of the time of .slow." out && grep -q "\"program\":\"slow\"" all.json
'
test_expect_success ROOT 'pages: the verdict, the timeline, the flame graph' '
	perf triage -i a.data --html pages >out 2>&1 && test_grep "<h1>.*slow" pages/index.html && test_grep "iframe src=.timeline.html" pages/index.html &&
	test -s pages/timeline.html && test -s pages/flame.html && ! grep "<script" pages/index.html
'
test_expect_success 'a recording that lacks events: which verdicts it cannot give' '
	perf record -q -e task-clock -o less.data "$slow" cpu 100 && perf triage -i less.data >out &&
	head -n 1 out >line && test_grep "computing in its own code.*hot_loop" line &&
	test_grep "^# not seen: no sched:sched_switch: " out && test_grep "^# not seen: no verdict is given on: .*run-queue, disk, " out &&
	perf triage -i less.data --json >got.json && grep -q "\"not_seen\":\[\"" got.json
'
test_expect_success ROOT 'without root it says what it could not see' '
	mkdir -m 777 open && chmod 755 "$TRASH" . && ( cd open && setpriv --reuid=65534 --clear-groups "$PERF" triage -o u.data -- "$slow" cpu 200 ) >out 2>err &&
	test_grep "computing in its own code" out && test_grep "^# not seen: without root" out
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf triage -a -p 1 2>err && test_grep "one of these" err && test_expect_code 129 perf triage --json --html x -i a.data 2>err &&
	test_expect_code 255 perf triage -i none.data 2>err && test_grep "none.data" err &&
	test_expect_code 255 perf triage -p 4194304 2>err && test_grep "no process 4194304" err
'
test_done
