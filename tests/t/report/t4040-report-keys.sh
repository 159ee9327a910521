#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 5 of 8
test_description='report: keys made of numbers of samples, filters by thread, time and socket, widths, as the reference prints them'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE

test_expect_success 'recordings' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import struct
		import pdata as p
		fields = ["IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "WEIGHT_STRUCT", "TRANSACTION", "DATA_PAGE_SIZE",
			  "CODE_PAGE_SIZE", "CGROUP"]
		cgroup = lambda id, path: p.record(19, 0, struct.pack("<Q", id) + p.text(path))
		who = [p.comm(100 + i, 100 + i, "prog%d" % i) for i in range(3)]
		who += [p.mmap2(100 + i, 0x400000, 0x1000, 0, "/bin/prog") for i in range(3)]
		def each(i):
		    return p.sample(fields, misc=p.KERNEL if i % 5 == 0 else p.USER, IP=0x400000 + i % 7 * 0x40, CPU=i % 4,
			TID=(100 + i % 3, 100 + i % 3), TIME=10**9 + 7000000 * i, PERIOD=100 + i,
			WEIGHT_STRUCT=i % 5 * 10 | i % 3 * 5 << 32 | i % 4 * 2 << 48, CGROUP=[1, 5, 9][i % 3],
			TRANSACTION=[0, 1, 2, 3, 4, 5, 0x20, 0x41 | 7 << 32, 8, 0x84][i % 10],
			CODE_PAGE_SIZE=[4096, 2 << 20, 0][i % 3])
		p.write("struct.data", [(p.attr(1, 0, fields), [1])],
			[cgroup(1, "/"), cgroup(5, "/user.slice/a b")] + who + [each(i) for i in range(60)])
		fields[6] = "WEIGHT"
		p.write("weight.data", [(p.attr(1, 0, fields), [1])], who + [p.sample(fields, IP=0x400000 + i % 7 * 0x40,
			TID=(100, 100), TIME=10**9 + i, PERIOD=100 + i, WEIGHT=i % 4 * 100000) for i in range(60)])
		p.write("light.data", [(p.attr(1, 0, fields), [1])], who + [p.sample(fields, IP=0x400000, TID=(100 + i % 3, 100 + i % 3),
			TIME=10**9 + i, PERIOD=100, WEIGHT=7 if i % 10 == 0 else 3 if i % 3 else 1) for i in range(60)])
	EOF
'
keys='cgroup socket weight local_weight ins_lat local_ins_lat p_stage_cyc local_p_stage_cyc transaction time code_page_size addr'
for k in $keys; do
	test_every 4 "$k" '
		same struct.data -F $k,sample && same struct.data -s comm,$k && same struct.data -s $k,sym,cpu -n -t,'
done
test_expect_success 'weights without struct' '
	same weight.data -F weight,local_weight,sample && same weight.data -s local_weight,weight'
test_expect_success 'the order of weights is that of one sample, not of all of a row' '
	for o in "-F comm -s weight" "-F weight,comm" "-F comm -s comm,weight" "--hierarchy -s weight,comm"; do same light.data $o || return 1; done'
test_expect_success 'time quanta' '
	for q in 10us 100ns 1s; do same struct.data -s time --time-quantum $q || return 1; done &&
	same struct.data -s time --time-quantum 1ms --ns &&
	test_must_fail perf report -i struct.data --time-quantum 5 2>err && test_grep "ms, us or ns" err
'
test_expect_success 'threads and processes' '
	same struct.data -s comm --pid 100 && same struct.data -s comm,sym --tid 100,101 &&
	same struct.data -s comm --tid 102 --percentage relative && same struct.data --pid 77'
test_expect_success 'spans of time' '
	same struct.data -s comm --time 1.2,1.3 && same struct.data -s comm,time --time 1.3, &&
	test_expect_code 234 perf report -i struct.data --time 1.2,1.3,4 2>err >out && test_grep "Invalid time string" err
'
test_expect_success 'spans of time of a stream, which has no parts that are known' '
	perf inject -i struct.data -o - >stream && perf report -i struct.data -s time,comm --time 1.2,1.3 | sed -n "/^ /p" >file &&
	test -s file && perf report -i - -s time,comm --time 1.2,1.3 <stream | sed -n "/^ /p" >out && test_cmp file out &&
	for c in report script "report --folded" "script --csv" "data convert --force --to-json=j"; do
		test_must_fail perf $c -i - --time 10%/2 <stream 2>err >out && test_grep "save the stream" err &&
		test_must_fail perf $c -i - --time 10x <stream 2>err >out && test_grep "Invalid time" err || return 1
	done
'
test_expect_success 'files with symbols that cannot be read: said, not passed over' '
	for c in "report -i struct.data --vmlinux=not/there" "report -i struct.data --kallsyms=not/there" "script -i struct.data -k not/there" \
		"script -i struct.data --kallsyms not/there" "diff --kallsyms=not/there struct.data struct.data" \
		"report -i struct.data --guestvmlinux=not/there"; do
		test_must_fail perf $c >out 2>err && test_grep "^Invalid file: not/there: No such file" err && test_line_count = 0 out || return 1
	done
'
test_expect_success 'widths that are asked for' '
	for w in 7,6,5,4 3,1; do same struct.data -s pid,cpu,comm -w $w || return 1; done &&
	for w in 3,8, 12,4,30,6 0,3; do same struct.data -w $w && same struct.data -n -w $w --show-total-period || return 1; done &&
	test_must_fail perf report -i struct.data -w x 2>err && test_grep "column width" err'
test_expect_success 'shares of the kernel and of user space' '
	for f in struct.data "$CORPUS/with-callchain.perf.data" "$CORPUS/perf.data.group_desc-4.14"; do
		test -e $f || continue
		same $f --show-cpu-utilization && same $f --show-cpu-utilization -n -s comm &&
		same $f -s overhead,overhead_sys,overhead_us,overhead_guest_sys,overhead_guest_us,comm &&
		same $f -F comm,overhead_sys -t, && same $f -s overhead_us,comm -w 5,6,7 && same $f -s cpu,overhead_us ||
		return 1
	done'
# More fields than a report has places for, of events with fields of the same and of other names.
test_expect_success 'fields of many events' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END &&
		import struct
		import pdata as p
		fields, head = ["IP", "TID", "TIME", "CPU", "PERIOD", "RAW", "ID"], ""
		for kind, at, n in (("unsigned short common_type", 0, 2), ("unsigned char common_flags", 2, 1),
		    ("unsigned char common_preempt_count", 3, 1), ("int common_pid", 4, 4)):
		    head += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:0;\n" % (kind, at, n)
		def form(e):
		    names = ["both", "of%d" % e] + ["f%d_%d" % (e, k) for k in range(8)]
		    text = "name: many%d\nID: %d\nformat:\n%s\n" % (e, 100 + e, head)
		    text += "".join("\tfield:unsigned int %s;\toffset:%d;\tsize:4;\tsigned:0;\n" % (n, 8 + 4 * k) for k, n in enumerate(names))
		    text += "\tfield:__data_loc char[] s;\toffset:48;\tsize:4;\tsigned:0;\n"
		    return text + "\nprint fmt: \"both=%%u of%d=0x%%x (%%u) %%s\", REC->both, REC->of%d, REC->f%d_0, __get_str(s)\n" % (e, e, e)
		def say(e, i):
		    return struct.pack("<HBBi11I2s2x", 100 + e, 0, 0, 1, i % 3, e + i % 2, *[k * i % 5 for k in range(8)], 2 << 16 | 52, b"x")
		p.write("fields.data", [(p.attr(2, 100 + e, fields), [1 + e]) for e in range(24)], [p.comm(100, 100, "prog")] +
		    [p.sample(fields, IP=0x400000, TID=(100, 100), TIME=10**9 + i, CPU=0, PERIOD=10 + i // 24, ID=1 + i % 24, RAW=say(i % 24, i)) for i in range(24 * 9)])
		p.add_features("fields.data", [(1, p.tracing_data([("test", [form(e) for e in range(24)])]))])
	END
	for k in both,comm trace_fields,comm comm,f23_7,of23 of23,both s,of0; do same fields.data -s $k || return 1; done &&
	same fields.data -s trace_fields,comm -t, && test_grep "f23_7" our.out
'
# A text that was never compared with another does not widen the column, which it is cut to then.
test_expect_success 'texts of tracepoints, compared or alone' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
		import random
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "RAW"]
		form, say = p.saying(7, 40)
		for seed, nr in enumerate((1, 3, 8, 20)):
		    rng = random.Random(seed)
		    each = [p.sample(fields, IP=0x400000, TID=(100 + rng.randrange(4),) * 2, TIME=10**9 + i, CPU=rng.randrange(4),
			PERIOD=rng.choice([10, 10, 20, 30]), RAW=say("x" * rng.randrange(36))) for i in range(nr)]
		    p.write("say%d.data" % seed, [(p.attr(2, 7, fields), [1])], [p.comm(100 + i, 100 + i, "prog%d" % i)
			for i in range(4)] + each)
		    p.add_features("say%d.data" % seed, [(1, p.tracing_data([("test", [form])]))])
		fields.insert(5, "CALLCHAIN")
		p.write("calls0.data", [(p.attr(2, 7, fields), [1])], [p.comm(100, 100, "prog"), p.sample(fields, IP=0x400000, TID=(100, 100),
		    TIME=10**9, CPU=0, PERIOD=7, CALLCHAIN=[2**64 - 512, 0x400000, 0x400010, 0x400020], RAW=say("a text that is longer"))])
		p.add_features("calls0.data", [(1, p.tracing_data([("test", [form])]))])
	EOF
	same calls0.data && same calls0.data -s sym,trace && same calls0.data -g none && same calls0.data --no-children &&
	for f in $(ls say?.data | sampled 2); do
		for k in trace comm,trace trace,comm cpu,trace comm,cpu,trace comm,trace,cpu cpu,comm,sym,trace pid,cpu,trace; do
			same $f -s $k || return 1
		done && same $f -s comm,cpu,trace -t, && same $f -s cpu,comm,trace -w 7,6,5,4 && same $f -F trace,sample || return 1
	done'
test_expect_success 'of tracepoints alone it is the default' '
	for o in "" "-s +comm" "--raw-trace" "-n -t," "--hierarchy" "-F overhead,comm" "-v" "-S nosuch" "--raw-trace -n"; do
		same say3.data $o || return 1
	done &&
	perf report -i say3.data >out && test_grep "Trace output" out && perf report -i struct.data >out && test_grep ! "Trace output" out &&
	perf diff say2.data say3.data >out && test_grep "Symbol" out &&
	perf inject -i say3.data -o - | perf report -i - >out && test_grep "Symbol" out
'
test_expect_success 'fields of tracepoints where there are none' '
	same struct.data -s comm,trace_fields && same struct.data -s trace_fields && perf report -i struct.data -F trace_fields,comm >out 2>err &&
	test_grep "Command" out
'
test_expect_success 'samples without a control group are in none' '
	same weight.data -s cgroup,comm && grep -q "N/A" our.out
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'what tracepoints say' '
	# (the reference ends names at a blank)
	perf record -q -e sched:sched_switch --filter "!(prev_comm ~ \"* *\") && !(next_comm ~ \"* *\")" \
		-e raw_syscalls:sys_enter,cpu-clock -a -o trace.data sleep 0.02 2>/dev/null &&
	same trace.data -s trace && same trace.data -s comm,trace && same trace.data -F trace,sample -t, && same struct.data -s trace &&
	PERF_WORKERS=1 perf report --stdio -i trace.data -s trace >one && PERF_WORKERS=3 perf report --stdio -i trace.data -s trace >three &&
	test_cmp one three'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'fields of tracepoints' '
	for k in prev_comm prev_pid,comm sched:sched_switch.prev_state next_prio,next_comm prev_state/raw sched_switch.next_pid \
		common_pid comm,id args trace_fields trace_fields/raw; do
		same trace.data -s $k || return 1
	done &&
	same trace.data -s id,prev_comm,next_comm -t, && same trace.data -s trace_fields --raw-trace &&
	perf report --stdio -i trace.data -F prev_comm,sample >out && test_grep "^ *sleep *[0-9]*$" out &&
	for k in prev_nothing sched_switch.nothing nothing.prev_comm raw_syscalls:*.id; do
		perf report -i trace.data -s "$k" >out 2>err && test_grep "Unknown --sort key: ." err && test_grep "trace_fields" err || return 1
	done &&
	PERF_WORKERS=1 perf report --stdio -i trace.data -s trace_fields >one &&
	PERF_WORKERS=3 perf report --stdio -i trace.data -s trace_fields >three && test_cmp one three'
test_expect_success PERF_EVENTS,ROOT 'sockets of a machine' '
	perf record -q -a -e cpu-clock -F 200 -o wide.data sleep 0.1 2>/dev/null && same wide.data -s socket,cpu &&
	same wide.data -s comm --socket-filter 0 && same wide.data -s comm --socket-filter 1'
test_expect_success 'workers change nothing' '
	PERF_WORKERS=1 perf report --stdio -i struct.data -s comm,weight,time >one &&
	PERF_WORKERS=4 perf report --stdio -i struct.data -s comm,weight,time >four && test_cmp one four'
test_expect_success 'a pipe brings the same' '
	perf inject -i struct.data -o - >p.data && perf report --stdio -i - -s comm,weight,time <p.data | grep -v "^#" >pipe &&
	perf report --stdio -i struct.data -s comm,weight,time | grep -v "^#" >file && test_cmp file pipe'
test_done
