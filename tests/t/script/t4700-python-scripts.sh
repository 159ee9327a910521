#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='script -s and -g: scripts in Python, generated ones and others, print what they print with the reference'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq ENGINE 'built without Python' 'test -e "$BUILD/script-python.so"'
test_require ENGINE,PYTHON
export PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/typed.py" made.data "$PERF"

# What is known of an event that has no handler, and of samples of other events.
cat >all.py <<\EOF
from perf_trace_context import *

def show(where, d):
    for k, v in d.items():
        if isinstance(v, dict):
            show(where + "." + k, v)
        elif k not in ("values", "dso_map_end"):
            print(where, k, type(v).__name__, v)

def process_event(d):
    show("event", d)
    print(perf_sample_srcline(perf_script_context)[1] >= 0)

def trace_unhandled(name, context, fields, sample):
    print(name, common_pc(context), common_flags(context), common_lock_depth(context))
    show("fields", fields)
    show("sample", sample)

def context_switch(time, cpu, pid, tid, np_pid, np_tid, machine_pid, out, preempt, *more):
    print("switch", time, cpu, pid, tid, np_pid, np_tid, machine_pid, out, preempt, more)

def trace_begin():
    print("begin")

def trace_end():
    print("end")
EOF

# same RECORDING SCRIPT [OPTIONS]: the reference and we print the same.
same() {
	local data=$1 script=$2

	shift 2
	"$REF" script "$@" -i "$data" -s "$script" >ref.txt 2>ref.err && perf script --no-inline "$@" -i "$data" -s "$script" >our.txt 2>err &&
		test_line_count -ge 10 our.txt && no_plt && test_cmp ref.txt our.txt
}

test_expect_success 'a script is generated, with a handler for each event, and runs' '
	perf script -i made.data -g python 2>err && test_grep "^generated Python script: perf-script.py$" err &&
	perf script -i made.data -g named.py 2>err && test_cmp perf-script.py named.py &&
	perf script -i made.data -s perf-script.py >out && test "$(grep -c "^sys__typed  *[0-3] 00001" out)" = 4 &&
	test "$(head -n 1 out; tail -n 1 out)" = "in trace_begin
in trace_end" && test_grep "mask=ONE | FOUR, name=name" out && test_grep "kind=SEVEN$" out &&
	perf script -i made.data -s Python:perf-script.py --pid 101 >out && test "$(grep -c ^sys__typed out)" = 2 &&
	perf script -i made.data -s named.py --time 1.000002, >out && test "$(grep -c ^sys__typed out)" = 2
'
test_expect_success 'a generated script takes nothing from the current folder' '
	mkdir -p Perf-Trace-Util && echo "raise SystemExit(9)" | tee Core.py >os.py && mkdir -p sub && cp perf-script.py sub &&
	perf script -i made.data -s sub/perf-script.py >out && test_grep "in trace_end" out; rc=$?
	rm -f Core.py os.py; return $rc
'
test_expect_success REFPYTHON 'its layout is the reference'\''s, but for comments' '
	mkdir -p theirs && (cd theirs && "$REF" script -i ../made.data -g python 2>&1) && grep -v "^#" theirs/perf-script.py >ref.txt &&
	grep -v "^#" perf-script.py | test_cmp ref.txt -
'
test_expect_success REFPYTHON,ROOT,TRACEFS,PERF_EVENTS 'generated scripts of a recording: each runs with both' '
	perf record -q -g -o tp.data -e sched:sched_switch,irq:softirq_entry,syscalls:sys_enter_openat,cpu-clock -- \
		sh -c "for i in 1 2 3; do ls / >list; done" &&
	perf script -i tp.data -g ours.py 2>err && (cd theirs && "$REF" script -i ../tp.data -g python 2>&1) &&
	same tp.data ours.py && same tp.data theirs/perf-script.py && same tp.data all.py
'
test_expect_success REFPYTHON,ROOT,PERF_EVENTS 'context switches' '
	perf record -q --switch-events -a -o sw.data -e cpu-clock -F 100 -- sleep 0.05 && same sw.data all.py && test_grep ^switch our.txt
'
test_expect_success REFPYTHON 'branches, and addresses of data' '
	cat >branches.py <<-\EOF &&
		def process_event(d):
		    d["sample"].pop("values")
		    for k in d:
		        print(k, d[k])
	EOF
	same made.data branches.py && test_grep "from_dsoname" our.txt && test_grep "addr_correlates_sym" our.txt
'
test_expect_success REFPYTHON,PERF_EVENTS 'counts of perf stat record, added up, each, and of intervals' '
	cat >counts.py <<-\EOF &&
		def stat__interval(time):
		    print("interval", time)
		globals()["stat__task-clock_u"] = lambda *a: print("task", a)
		globals()["stat__page-faults"] = lambda *a: print("faults", a)
		for i in range(9):
		    print("some lines")
	EOF
	perf stat record -o st.data -e task-clock:u,page-faults -- true >log 2>&1 && same st.data counts.py && test_grep ^task our.txt &&
	perf stat record -I 10 -o st.data -e task-clock:u,page-faults -- sleep 0.05 >log 2>&1 && same st.data counts.py &&
	{ ! perf stat record -a -A -o st.data -e task-clock:u,page-faults -- true >log 2>&1 || same st.data counts.py; }
'
test_expect_success GCC,REFPYTHON,PERF_EVENTS 'source lines and instructions' '
	cat >code.py <<-\EOF &&
		from perf_trace_context import *
		def process_event(d):
		    c = perf_script_context
		    if d.get("symbol") == "busy":
		        print(perf_sample_srcline(c), perf_sample_srccode(c), perf_sample_insn(c))
		def trace_end():
		    print("end\n" * 10)
	EOF
	cat >busy.c <<-\EOF && gcc -g -O1 -o busy busy.c &&
		volatile long n;
		__attribute__((noinline)) void busy(void)
		{
			for (long i = 0; i < 20000000; i++)
				n += i;
		}
		int main(void)
		{
			busy();
			return 0;
		}
	EOF
	perf record -q -F 999 -e cpu-clock:u -o code.data ./busy && same code.data code.py && test_grep "busy.c., [45], .*n += i" our.txt &&
	sed -i "s|n += i;|& /* \o351 */|" busy.c && perf script -i code.data -s code.py >our.txt && test_grep "n += i; /. .*xe9 ./" our.txt
'
scripts=$(for d in /usr/lib/perf-core /usr/libexec/perf-core /usr/share/perf-core; do ls -d $d/scripts/python; done 2>/dev/null | head -n 1)
test_lazy_prereq THEIRS 'the reference has no scripts here' 'test -n "$scripts"'
test_expect_success REFPYTHON,ROOT,TRACEFS,PERF_EVENTS,THEIRS 'scripts that come with the reference' '
	perf record -q -a -o sys.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -- ls / >list &&
	perf record -q -g -o fp.data -e cpu-clock -F 2000 -- ls -R /usr/include >list &&
	export PERF_EXEC_PATH=${scripts%/scripts/python} &&
	for s in syscall-counts syscall-counts-by-pid failed-syscalls-by-pid; do
		same sys.data $scripts/$s.py || return 1
	done &&
	same fp.data $scripts/stackcollapse.py; rc=$?
	unset PERF_EXEC_PATH; return $rc
'
test_done
