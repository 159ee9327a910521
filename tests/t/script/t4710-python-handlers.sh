#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 3 of 4
test_description='script -s: arguments of handlers, dictionaries that are completed when they are looked at, and all ways to end'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq ENGINE 'built without Python' 'test -e "$BUILD/script-python.so"'
test_require ENGINE,PYTHON
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONUNBUFFERED
PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/typed.py" made.data "$PERF"

Q="'"
# run [OPTIONS]: the script of standard input
run() { cat >s.py && perf script -i made.data "$@" -s s.py; }

test_expect_success 'fields have the values and signs of their types' '
	run >out <<-\EOF &&
		def sys__typed(name, context, cpu, secs, nsecs, pid, comm, chain, low, high, minus, tiny, byte, small, list, mask,
		               text, chars, dynamic, near, pointer, kind):
		    i = -1 - low
		    assert (name, secs, nsecs, cpu, pid) == ("sys__typed", 1, 1000 * i, i, 100 + i), (name, secs, nsecs, cpu, pid)
		    assert high == 2**63 + 5 + i and pointer == 0xffff800000000000 + i
		    assert (minus, tiny, byte, small, mask, kind) == (-2, -7, 249, -300, 5, 7 * (i % 2))
		    assert list == bytearray(b"\1\0\0\0\xff\xff\xff\xff" + bytes([i, 0, 0, 0])) and chars == bytearray(b"\1\2\3\4")
		    assert text == ("name" if i != 1 else bytearray(b"na\xffme\0x\0")), text
		    assert (dynamic, near, chain) == ("word", "odd", [])
		    assert comm == ("prog" if i % 2 == 0 else r"o\xffd"), comm
		    print(i)
	EOF
	printf "%s\n" 0 1 2 3 | test_cmp - out
'
test_expect_success 'handlers take one argument less, or one more, or any number; methods and other callables are fine' '
	run >out <<-\EOF &&
		import functools
		class Counter:
		    def handle(self, name, context, cpu, secs, nsecs, pid, comm, count):
		        print("method", count)
		def sys__typed(*a):
		    print("any", len(a))
		sys__plain = Counter().handle
	EOF
	test "$(sort -u out | tr "\n" " ")" = "any 22 method 0 method 1 method 2 method 3 " &&
	run >out <<-\EOF &&
		def sys__plain(name, context, cpu, secs, nsecs, pid, comm, chain, count, sample):
		    print(chain, count, sample["sample"]["cpu"], sample["ev_name"])
		def trace_unhandled(name, context, fields):
		    print(name, fields["common_s"], fields["low"])
	EOF
	test_grep "^\[\] 3 3 sys:plain$" out && test_grep "^sys__typed 1 -4$" out && run >out <<-\EOF &&
		import functools
		sys__plain = functools.partial(print, "partial")
	EOF
	test_grep "^partial sys__plain <capsule" out
'
test_expect_success 'a number of arguments that no event has: the message says which there are' '
	test_expect_code 1 run >out 2>err <<-\EOF &&
		def sys__plain(a, b):
		    pass
	EOF
	test_grep "TypeError: sys__plain() takes 2 positional arguments but 9 were given" err && test_grep "common_callchain may be left out" err
'
test_expect_success 'the dictionary of a sample is one like any other' '
	run >out <<-\EOF &&
		import copy, json, pickle
		kept = []
		looks = [len, str, repr, list, dict, copy.copy, copy.deepcopy, lambda d: {**d}, lambda d: d.copy(), lambda d: dict(d.items()),
		         lambda d: dict(zip(d.keys(), d.values())), lambda d: d == {}, lambda d: list(reversed(d)), lambda d: "%(comm)s" % d,
		         lambda d: pickle.loads(pickle.dumps(d)), lambda d: json.dumps(d["sample"]), lambda d: "symoff" in d, lambda d: {} | d]
		def process_event(d):
		    assert isinstance(d, dict) and "nothing" not in d and d.get("nothing", 5) == 5 and d.get("comm") == "prog"
		    for look in looks:
		        look(d)
		    assert dict(d) == d and {**d} == d == copy.deepcopy(d) == pickle.loads(pickle.dumps(d)) and type(copy.copy(d)) is dict
		    assert list(d)[:3] == ["ev_name", "attr", "sample"] and json.loads(json.dumps(d["sample"]))["cpu"] == d["sample"]["cpu"]
		    try:
		        d["nothing"]
		    except KeyError as e:
		        print("no", e)
		    d["mine"] = 1
		    del d["raw_buf"]
		    assert d.pop("mine") == 1 and "raw_buf" not in d and "mine" not in d
		    d.update(a=1)
		    d.setdefault("b", 2)
		    d.clear()
		    assert not d and len(d) == 0
		def trace_unhandled(name, context, fields, sample):
		    kept.append(sample)
		    kept.append(sample["sample"])
		def trace_end():
		    for d, s in zip(kept[::2], kept[1::2]):
		        print(d["ev_name"], s["time"], d["sample"] is s, sorted(d)[-2:], len(s))
	EOF
	test_line_count -eq 12 out && test_grep "^no .nothing.$" out && test_grep "^sys:typed 1000003000 True \[.symoff., .uregs.\]\|^sys:typed 1000003000 True" out &&
	test "$(grep -c "^sys:plain 100000[0-3]001 True" out)" = 4
'
test_expect_success 'each look at a dictionary that was not looked at before gives all of it' '
	run >out <<-\EOF &&
		looks = [lambda d: len(d), lambda d: len(list(d)), lambda d: len(dict(d)), lambda d: len({**d}), lambda d: len(d.keys()),
		         lambda d: len(d.items()), lambda d: len(d.copy()), lambda d: len(d | {}), lambda d: len({} | d), lambda d: len(eval(repr(d)))]
		nr = 0
		def process_event(d):
		    global nr
		    print(nr, looks[nr](d["sample"] if nr % 2 else d))
		    nr += 1
		def sys__plain(name, context, cpu, secs, nsecs, pid, comm, chain, count, d):
		    process_event(d)
	EOF
	test_line_count -eq 8 out && test "$(cut -d" " -f2 out | sort -u | wc -l)" -le 4 && awk "\$2 < 10 { exit 1 }" out
'
test_expect_success 'a script that exits: its status, and no end of its own' '
	for n in 0 7 255; do
		test_expect_code $n run >out 2>err <<-EOF || return 1
			import sys
			def trace_unhandled(*a):
			    print("once")
			    sys.exit($n)
			def trace_end():
			    print("end")
		EOF
		test "$(cat out)" = once && ! test -s err || return 1
	done &&
	test_expect_code 1 run 2>err <<-\EOF &&
		import sys
		sys.exit("told why")
	EOF
	test "$(cat err)" = "told why" && test_expect_code 3 run <<-\EOF
		def trace_end():
		    raise SystemExit(3)
	EOF
'
test_expect_success 'exceptions: a traceback, behind what was printed, and status 1' '
	test_expect_code 1 run >out 2>&1 <<-\EOF &&
		def trace_unhandled(name, context, fields):
		    print("before")
		    fields["nosuch"]
	EOF
	test "$(head -n 1 out)" = before && test_grep "^  File \"s.py\", line 3, in trace_unhandled$" out && test_grep "^KeyError: .nosuch.$" out &&
	test_expect_code 1 run 2>err <<-\EOF && test_grep "No module named .nosuchmodule." err &&
		import nosuchmodule
	EOF
	test_expect_code 1 run 2>err <<-\EOF && test_grep SyntaxError err &&
		def (
	EOF
	test_expect_code 1 run 2>err <<-\EOF && test_grep "no sample is at hand" err
		from perf_trace_context import *
		common_pc(perf_script_context)
	EOF
'
test_expect_success 'scripts that cannot be run' '
	test_expect_code 255 perf script -i made.data -s nosuch.py 2>err && test_grep "^Can.t open Python script \"nosuch.py\": No such file" err &&
	mkdir -p folder.py && test_expect_code 255 perf script -i made.data -s folder.py 2>err && test_grep "Is a directory" err &&
	test_expect_code 129 perf script -i made.data -s made.data 2>err && test_grep "^invalid script extension" err &&
	test_expect_code 129 perf script -i made.data -s Cobol:x.py 2>err && test_grep "^invalid language specifier" err &&
	test_expect_code 254 perf script -i made.data -g cobol 2>err && test_grep "^invalid language specifier cobol" err &&
	for o in --csv -D -d --per-event-dump; do test_expect_code 129 perf script -i made.data -s s.py $o 2>err || return 1; done &&
	perf script -s lang 2>err && test_grep "^  py  *\[Python\]$" err &&
	cp "$PERF" alone && test_expect_code 255 ./alone script -i made.data -s s.py 2>err && test_grep "Install libpython3" err
'
test_expect_success 'a pipe that nobody reads, and a device that is full' '
	cat >s.py <<-\EOF &&
		def trace_unhandled(*a):
		    for i in range(5000):
		        print("x" * 50)
	EOF
	perf script -i made.data -s s.py 2>err | head -n 1 >out && test "${PIPESTATUS[0]}" = 0 && ! test -s err &&
	{ ! test -w /dev/full || { test_expect_code 1 perf script -i made.data -s s.py 2>err >/dev/full && test_grep "No space left" err; }; } &&
	{ ! test -w /dev/full || { echo "print(1)" >s.py && test_expect_code 128 perf script -i made.data -s s.py 2>err >/dev/full &&
		test_grep "^write failure on standard output: " err; }; }
'
test_expect_success 'arguments, modules beside the script, other lines of perf in between' '
	mkdir -p scripts && echo "value = 42" >scripts/beside.py && cat >scripts/main.py <<-\EOF &&
		import sys, beside
		print(sys.argv[1:], beside.value, sys.argv[0] == __file__, __name__)
	EOF
	perf script -i made.data -s scripts/main.py one -x "t w o" >out && test "$(cat out)" = "[${Q}one$Q, $Q-x$Q, ${Q}t w o$Q] 42 True __main__" &&
	run --show-task-events >out <<-\EOF &&
		def trace_unhandled(name, *a):
		    print(name)
	EOF
	test "$(head -n 2 out | grep -c PERF_RECORD_COMM)" = 2 && test "$(grep -c "^sys__" out)" = 8
'
test_expect_success 'records that are no samples' '
	PYTHONPATH=$SRC/tests/lib/python python3 - <<-\EOF &&
		import struct
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "IDENTIFIER"]
		trailer = struct.pack("<IIQIIQ", 100, 101, 10**9 + 5, 3, 0, 1)
		error = struct.pack("<6IQQ", 1, 4, 3, 100, 101, 1, 0x1234, 10**9 + 7) + b"broken".ljust(64, b"\0")
		p.write("rec.data", [(p.attr(1, 0, fields, 1, flags=1 << 18), [1])], [
		    p.record(5, 0, struct.pack("<QQQ", 10**9 + 5, 1, 2**63 + 7) + trailer),
		    p.record(6, 0, struct.pack("<QQQ", 10**9 + 6, 1, 7) + trailer), p.record(14, 0x2000, trailer),
		    p.record(15, 0x6000, struct.pack("<II", 5, 6) + trailer), p.record(72, 0, error)])
	EOF
	cat >s.py <<-\EOF &&
		def throttle(*a): print("throttle", *a)
		def unthrottle(*a): print("unthrottle", *a)
		def context_switch(time, cpu, pid, tid, np_pid, np_tid, machine_pid, out, preempt):
		    print("switch", time, cpu, pid, tid, np_pid, np_tid, machine_pid, out, preempt)
		def auxtrace_error(*a): print("error", *a)
	EOF
	perf script -i rec.data -s s.py >out && sort >expected <<-\EOF && sort out | test_cmp expected -
		error 1 4 3 100 101 4660 1000000007 broken 0 0 -1
		throttle 1000000005 1 9223372036854775815 3 100 101
		unthrottle 1000000006 1 7 3 100 101
		switch 1000000005 3 100 101 -1 -1 -1 True False
		switch 1000000005 3 100 101 5 6 -1 True True
	EOF
'
test_expect_success 'a stream' '
	perf inject -i made.data -o - >made.pipe && cat >s.py <<-\EOF &&
		def sys__typed(name, context, cpu, secs, nsecs, pid, comm, chain, low, *fields):
		    print(low, comm)
		def process_event(d):
		    print(d["ev_name"], d["sample"]["time"], len(d["callchain"]))
	EOF
	perf script -i made.data -s s.py >file.out && perf script -i - -s s.py <made.pipe >out && test_line_count -eq 8 out &&
	test_cmp file.out out && perf inject -i made.data -o - | perf script -s s.py >out && test_cmp file.out out
'
test_expect_success 'threads and children of a script' '
	run >out <<-\EOF &&
		import os, threading, time
		done = threading.Event()
		def trace_begin():
		    threading.Thread(target=done.set).start()
		def sys__plain(*a):
		    if not os.fork():
		        os._exit(0)
		    print(os.wait()[1])
		def trace_end():
		    print(done.wait(30))
	EOF
	printf "%s\n" 0 0 0 0 True | test_cmp - out
'
# What a shell runs behind ignores interrupts.
cat >takes.py <<\EOF
import signal, subprocess, sys
sys.exit(subprocess.call(sys.argv[1:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)))
EOF
test_expect_success 'an interrupt shows what there is; a second one ends a handler that does not return' '
	cat >endless.py <<-\EOF &&
		import os, signal, sys
		def trace_unhandled(name, *a):
		    print(name, flush=True)
		    os.kill(os.getpid(), signal.SIGINT)
		    if len(sys.argv) > 1:
		        os.kill(os.getpid(), signal.SIGINT)
		        while True:
		            pass
		def trace_end():
		    print("end")
	EOF
	python3 takes.py "$PERF" script -i made.data -s endless.py >out 2>err && printf "%s\n" sys__typed end | test_cmp - out &&
	test_expect_code 130 python3 takes.py "$PERF" script -i made.data -s endless.py twice >out 2>err && test_grep KeyboardInterrupt err
'
cat >expected <<\EOF
['NONE', 'A', '', 'A | BC'] ['NONE', 'A', '', 'BC'] True
NONE IRQS_OFF | SOFTIRQ 1000000005 1 5     1.000000005
{'k': (1, 10, 5.0, 3)} 2.0 ENOENT 1000000 S
1.5 1000000005
PMU event: name=           n, symbol=                       s, comm=       c, dso=           d
PebsNHM 2 2
EOF
test_expect_success 'modules of scripts' '
	run >out <<-\EOF &&
		import os, sys
		sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
		from Core import *
		from Util import *
		from EventClass import *
		counts = autodict()
		counts["a"]["b"] = 1
		define_flag_field("e", "f", "|")
		for value, name in (1, "A"), (6, "BC"), (0, "NONE"):
		    define_flag_value("e", "f", value, name)
		    define_symbolic_value("e", "s", value, name)
		print([flag_str("e", "f", v) for v in (0, 1, 2, 7)], [symbol_str("e", "s", v) for v in (0, 1, 2, 6)], flag_str("x", "y", 1) == "")
		print(trace_flag_str(0), trace_flag_str(0x11), nsecs(1, 5), nsecs_secs(10**9 + 5), nsecs_nsecs(10**9 + 5), nsecs_str(10**9 + 5))
		stats = {}
		for v in 4, 10, 1:
		    add_stats(stats, "k", v)
		print(stats, avg(6, 3), strerror(-2), syscall_name(10**6), taskState(1))
		print(EventHeaders(0, 1, 5000, 2, "c", []).ts_format(), EventHeaders(0, 1, 5, 2, "c", []).ts())
		create_event("n", "c", "d", "s", bytes(144)).show()
		print(type(create_event("n", "c", "d", "s", bytes(176))).__name__, PerfEvent.event_num, PebsEvent.pebs_num)
	EOF
	test_cmp expected out
'
printf "[unit]\n\tword = some words\n" >config
cat >asks.py <<\EOF
import sys
from perf_trace_context import *
def trace_begin():
    for options in sys.argv[1:] or [""]:
        print(options, perf_set_itrace_options(perf_script_context, options))
    print(perf_set_itrace_options(perf_script_context))
    for wrong in (), (None, "i"), (perf_script_context, 3):
        try:
            perf_set_itrace_options(*wrong)
            print("no exception")
        except (TypeError, ValueError):
            pass
EOF
test_expect_success 'how traces are decoded is said once, and variables of the configuration have values' '
	perf script -i made.data -s asks.py i0ns e >out 2>err && printf "%s\n" "i0ns 0" "e 1" 1 | test_cmp - out && test_cmp /dev/null err &&
	perf script -i made.data -s asks.py bogus e >out 2>err && printf "%s\n" "bogus -22" "e 1" 1 | test_cmp - out &&
	test_grep "^Bad Instruction Tracing options .bogus.$" err &&
	perf script -i made.data --itrace=i -s asks.py e >out && printf "%s\n" "e 1" 1 | test_cmp - out &&
	PERF_CONFIG=config run >out <<-\EOF &&
		from perf_trace_context import *
		def trace_begin():
		    print(perf_config_get("unit.word"), perf_config_get("Unit.Word"), perf_config_get("unit.none"))
		    try:
		        perf_config_get(1)
		    except TypeError:
		        print("no number")
	EOF
	printf "%s\n" "some words some words None" "no number" | test_cmp - out
'
test_expect_success REFPYTHON 'the reference returns the same for what traces are' '
	for options in "" "i0ns e" "bogus e" Z "b e"; do
		set -- $options &&
		for perf in "$REF" perf; do $perf script -i made.data -s asks.py "$@" >$(basename $perf).out 2>$(basename $perf).err || return 1; done &&
		test_cmp "$(basename "$REF").out" perf.out && test_cmp "$(basename "$REF").err" perf.err || return 1
	done
'
test_expect_success CORPUS 'a recording with traces that the script asks for: that they are not decoded is told once' '
	perf script -i "$CORPUS"/perf.data.piped.intel_pt-4.14 -s asks.py i >out 2>err && test_grep "^i 0$" out &&
	test $(grep -c "instruction traces is not in this perf" err) = 1
'
test_expect_success 'system calls have the names of the recorded machine, or numbers' '
	run >out <<-\EOF && echo "getpid 1000000 None" | test_cmp - out
		import os, sys
		sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
		import perf_trace_context
		from Util import syscall_name
		def trace_end():
		    number = {"x86_64": 39}.get(os.uname().machine, 172)
		    print(syscall_name(number), syscall_name(10**6), perf_trace_context.syscall_name(-1))
	EOF
'
test_done
