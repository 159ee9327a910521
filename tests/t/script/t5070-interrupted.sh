#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='script and report that are interrupted end at once, by the signal'
. "$(dirname "$0")/../../lib/tap.sh"

# A stream that never ends: what it has is shown, and then it waits.
cat >interrupt.py <<-\EOF
	import os, signal, subprocess, sys, time
	import pdata as p
	fields = ["IP", "TID", "TIME"]
	attr = p.attr(1, 0, fields)
	head = b"PERFILE2" + (16).to_bytes(8, "little") + p.record(64, 0, attr + (1).to_bytes(8, "little"))
	records = p.comm(100, 100, "prog") + b"".join(
	    p.sample(fields, IP=0x400000 + i, TID=(100, 100), TIME=10**9 + i) for i in range(1000))
	done = p.record(68, 0, b"")
	name, args = int(sys.argv[1]), sys.argv[2:]
	# A shell that runs it behind would have it ignore the interrupt.
	run = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=open("out", "wb"), stderr=open("err", "wb"), start_new_session=True,
	                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
	run.stdin.write(head + (records + done) * 3)
	run.stdin.flush()
	time.sleep(0.3)
	for _ in range(1200): # script shows what it has, when it gets there
	    if "report" in args or open("out", "rb").read().count(b"\n") >= 1000:
	        break
	    time.sleep(0.05)
	assert run.poll() is None, "it ended by itself: %s" % run.returncode
	os.kill(run.pid, name)
	print(run.wait(60))
EOF
interrupt() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 interrupt.py "$@"; }

test_expect_success 'script that waits for more' '
	test "$(interrupt 2 "$PERF" script -i -)" = -2 && test_grep ! -i "error\|sanitizer" err && wc -l out && test_line_count -ge 1000 out
'
test_expect_success 'script to be ended' '
	test "$(interrupt 15 "$PERF" script -i -)" = -15 && test_grep ! -i "error\|sanitizer" err
'
test_expect_success 'report that waits for more' '
	interrupt 2 "$PERF" report --stdio -i - >code && cat code && test_grep "^-2$" code
'
test -w /dev/full && test_set_prereq FULL
test_expect_success FULL 'standard output that takes no more, of a file and of a stream: told once, with status 128' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END &&
		import pdata as p
		fields = ["IP", "TID", "TIME"]
		p.write("a.data", [(p.attr(1, 0, fields), [1])], [p.sample(fields, IP=i, TID=(7, 7), TIME=10**9 + i) for i in range(2000)])
	END
	perf inject -i a.data -o - >a.pipe &&
	for c in "script -i a.data" "script -D -i a.data" "script -i -" "report -i a.data" "report -D -i a.data"; do
		test_expect_code 128 perf $c <a.pipe >/dev/full 2>err && test $(grep -c "^write failure on standard output: No space" err) = 1 ||
			return 1
	done
'
test_done
