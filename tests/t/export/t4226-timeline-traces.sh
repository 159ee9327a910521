#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='timelines as traces for other viewers: timechart --pftrace and --ctf'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
test_lazy_prereq PROTOC 'no protoc (protobuf-compiler)' 'command -v protoc'
test_lazy_prereq BABELTRACE 'no babeltrace2' 'command -v babeltrace2'

py() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/$1.py" "${@:2}"; }
py timelinepage make 3

test_expect_success 'the option, or the name of the output, chooses the form' '
	perf timechart -f -i tl.data --pftrace 2>err && grep -x "Written 0.0 seconds of trace to output.pftrace." err &&
	perf timechart -f -i tl.data -o x.perfetto-trace && cmp output.pftrace x.perfetto-trace &&
	perf timechart -f -i tl.data --pftrace -o - >out && cmp output.pftrace out &&
	perf timechart -f -i tl.data --ctf 2>err && grep -x "Written 0.0 seconds of trace to output.ctf." err && test -s output.ctf/metadata &&
	perf timechart -f -i tl.data -o dir/x.ctf && test -s dir/x.ctf/perf_stream_1
'
test_expect_success 'options that do not fit are refused' '
	test_expect_code 129 perf timechart -i tl.data --pftrace --html 2>err && grep "exclude each other" err &&
	test_expect_code 129 perf timechart -i tl.data --pftrace -n 3 2>err && grep -e "what --pftrace writes" err &&
	test_expect_code 129 perf timechart -i tl.data --ctf -p ping 2>err && grep -e "--ctf has all tasks" err &&
	test_expect_code 129 perf timechart -i tl.data --ctf -o - 2>err && grep "writes a directory" err
'
test_expect_success PROTOC 'lanes are tracks, states are slices, wakeups and requests are arrows' '
	cat >want <<-EOF &&
	track CPUs:
	track CPU 0: ping:101 3000000, pong:102 6000000
	track CPU 0 interrupts: interrupt 9 100000
	track CPU 1: </script><b>&"\x01:200 1099800, timer:timer_start 1
	process 101 ping:
	thread 101 ping: asks 2, pong:102 3, runnable 3000000, running 3000000, signal:signal_generate 1, sleeping 3000000
	process 200 </script><b>&"\x01:
	thread 200 </script><b>&"\x01: blocked 7900000, running 1099800
	thread 102 pong: fork 1, ping:101 3, runnable 1500000, running 6000000, sleeping 1000000
	track 8,1: 1 request in flight 600000, complete 1
	track workqueue events: 1 work executed 100000, 1 work waiting 200000, complete 1
	thread 101 ping => thread 102 pong: 3
	thread 101 ping => track 8,1: 1
	thread 101 ping => track workqueue events: 1
	thread 102 pong => thread 101 ping: 3
	EOF
	py timelinetraces pftrace output.pftrace | sed "s/$(printf "\001")/\\\\x01/; s/ \$//" >got && test_cmp want got
'
test_expect_success PROTOC 'some of the tasks, or only CPUs' '
	perf timechart -f -i tl.data --pftrace -p pong -T -o some && py timelinetraces pftrace some >got && test_line_count -eq 2 got &&
	grep "^thread 102 pong: fork 1, runnable 1500000," got && perf timechart -f -i tl.data --pftrace -P -o some &&
	py timelinetraces pftrace some >got && test_line_count -eq 4 got && grep "^track CPU 0: ping" got
'
test_expect_success BABELTRACE 'the other trace has the events of the kernel' '
	cat >want <<-EOF &&
	irq:irq_handler_entry on 0: 9 x 1
	irq:irq_handler_exit on 0: 9 x 1
	queue:asked on 0: 101 "8,1" 1 x 1
	queue:asked on 0: 101 "workqueue events" 0 x 1
	queue:done on 0: "8,1" 1 x 1
	queue:done on 0: "workqueue events" 0 x 1
	queue:runs on 0: "8,1" 0 x 1
	queue:runs on 0: "8,1" 1 x 1
	queue:runs on 0: "workqueue events" 0 x 1
	queue:runs on 0: "workqueue events" 1 x 1
	queue:waits on 0: "workqueue events" 1 x 1
	sched:sched_process_fork on 0: 101 102 x 1
	sched:sched_switch on 0: 101 1 102 x 3
	sched:sched_switch on 0: 102 1 101 x 2
	sched:sched_switch on 1: 0 0 200 x 1
	sched:sched_switch on 1: 200 2 0 x 1
	sched:sched_wakeup on 0: 101 0 x 3
	sched:sched_wakeup on 0: 102 0 x 3
	signal:signal_generate on 0: 101 x 1
	timer:timer_start on 1: 0 x 1
	EOF
	babeltrace2 output.ctf >text && py timelinetraces ctf text >got && test_cmp want got &&
	perf timechart -f -i tl.data --ctf -P -o p.ctf && babeltrace2 p.ctf >text && grep irq_handler text && ! grep sched_wakeup text &&
	perf timechart -f -i tl.data --ctf -T -o t.ctf && babeltrace2 t.ctf >text && ! grep irq_handler text && grep sched_wakeup text
'
# Events are put in order for one span of time after the other, each of which has no more than 65536.
test_expect_success BABELTRACE 'a long recording has all of its events, in order' '
	mkdir long && (cd long && py timelinepage make 17000) && perf timechart -f -i long/tl.data --ctf -o long.ctf &&
	babeltrace2 long.ctf >text && py timelinetraces ctf text >got &&
	sed "s/\(101 1 102\|102 0\|101 0\) x 3/\1 x 17000/; s/102 1 101 x 2/102 1 101 x 16999/" want >more && test_cmp more got
'
test_expect_success BABELTRACE 'guests enter and leave the CPUs on which they run' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
	from timelinepage import START, SWITCH
	from tracefile import TraceFile
	t = TraceFile()
	t.event("sched:sched_switch", SWITCH)
	t.event("kvm:kvm_entry", "unsigned int vcpu_id")
	t.event("kvm:kvm_exit", "unsigned int exit_reason; unsigned int vcpu_id")
	t.comm(300, "qemu")
	t.add("sched:sched_switch", START, cpu=1, prev_comm="swapper", next_comm="qemu", next_pid=300)
	for i, cpu in enumerate((1, 1, 0)):
	    t.add("kvm:kvm_entry", START + 1000 * i + 100, cpu=cpu, pid=300, tid=300, vcpu_id=5)
	    t.add("kvm:kvm_exit", START + 1000 * i + 600, cpu=cpu, pid=300, tid=300, vcpu_id=5, exit_reason=12)
	t.write("kvm.data")
	EOF
	perf timechart -f -i kvm.data --ctf -o kvm.ctf && babeltrace2 kvm.ctf >text && py timelinetraces ctf text >got &&
	cat >want <<-EOF && test_cmp want got
	kvm:kvm_entry on 0: 5 x 1
	kvm:kvm_entry on 1: 5 x 2
	kvm:kvm_exit on 1: 5 12 x 2
	EOF
'
test_expect_success 'exports of profiles draw the runs of the same timeline' '
	perf report -f -i tl.data --chrome-trace=profile.json >out 2>err && python3 - profile.json >got <<-\EOF &&
	import json, sys
	sums = {}
	for e in json.load(open(sys.argv[1]))["traceEvents"]:
	    if e["ph"] == "X":
	        key = e["tid"], e["args"]["tid"]
	        sums[key] = sums.get(key, 0) + round(e["dur"] * 1000)
	for key in sorted(sums):
	    print(*key, sums[key])
	EOF
	printf "%s\n" "0 101 3000000" "0 102 6000000" "1 200 1099800" >want && test_cmp want got
'
test_expect_success 'a directory that cannot be written, and one that has another trace' '
	echo keep >file && test_expect_code 255 perf timechart -f -i tl.data --ctf -o file 2>err && grep "cannot write a trace to the directory file" err &&
	test "$(cat file)" = keep && echo old >output.ctf/perf_stream_7 && perf timechart -f -i tl.data --ctf && ! test -e output.ctf/perf_stream_7
'
test_done
