#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# takes long
test_description='perf script prints what the reference prints, from files and pipes, whoever recorded them'
. "$(dirname "$0")/../../lib/tap.sh"

W=$PWD

# same_text FILE [OPTIONS]: the text of ours and of the reference on one file, not empty.
same_text() {
	"$REF" script --no-inline -i "$@" 2>/dev/null >ref.txt &&
		perf script --no-inline -i "$@" 2>err.txt >our.txt &&
		test -s our.txt || return 1
	no_plt
	cmp ref.txt our.txt || {
		diff ref.txt our.txt | head -n 10
		return 1
	}
}

test_expect_success PERF_EVENTS,GCC 'record with the reference: a program, call chains, tracepoints' '
	cat >burn.c <<-\EOF &&
	__attribute__((noinline)) int leaf(int n) { volatile int x = 0; while (n--) x += n; return x; }
	int main(void) { int s = 0; for (int i = 0; i < 60; i++) s += leaf(100000); return s & 0; }
	EOF
	gcc -g -O1 -fno-omit-frame-pointer -o "$W/burn" burn.c &&
	{ test_have_prereq REFERENCE || return 0; } &&
	"$REF" record -q --no-bpf-event -e cpu-clock -o plain.data "$W/burn" &&
	"$REF" record -q --no-bpf-event -g -e cpu-clock -o chain.data "$W/burn"
'
test_expect_success REFERENCE,PERF_EVENTS,GCC 'a program' 'same_text plain.data && grep -q "leaf+0x" our.txt'
test_expect_success REFERENCE,PERF_EVENTS,GCC 'a program with call chains' '
	same_text chain.data && grep -q "^	 .* main+0x" our.txt'
test_expect_success REFERENCE,PERF_EVENTS,GCC 'columns' '
	same_text chain.data -G &&
	same_text chain.data --ns &&
	same_text chain.data -F +pid &&
	same_text chain.data -F ip,sym,dso &&
	same_text chain.data -F comm,tid,time,ip &&
	same_text chain.data --fields=-comm,-event &&
	same_text chain.data -F sw:time,event &&
	same_text chain.data --max-stack 2 &&
	same_text plain.data -F event,period
'
test_expect_success REFERENCE,PERF_EVENTS,ROOT,TRACEFS 'system-wide, with tracepoints and call chains' '
	"$REF" record -q --no-bpf-event -a -g -e cpu-clock,sched:sched_switch -o wide.data -- sleep 0.3 &&
	same_text wide.data && same_text wide.data -G && same_text wide.data -F comm,time,trace &&
	same_text wide.data -C 0 && same_text wide.data --comms sleep
'
test_expect_success REFERENCE,PERF_EVENTS,ROOT,TRACEFS 'payloads of many tracepoints' '
	"$REF" record -q --no-bpf-event -a -e "sched:*,raw_syscalls:*,syscalls:*read*,irq:*,kmem:*" -o tp.data -- \
		sh -c "ls -R /usr/share/doc/[a-c]* >/dev/null; cat /etc/passwd >/dev/null" &&
	same_text tp.data && grep -q "sched_switch: prev_comm=" our.txt &&
	grep -q "raw_syscalls:sys_enter: NR " our.txt
'
test_expect_success REFERENCE,PERF_EVENTS,GCC 'a pipe written by the reference' '
	"$REF" record -q --no-bpf-event -g -e cpu-clock -o - "$W/burn" >pipe.data &&
	"$REF" script --no-inline -i - <pipe.data >ref.txt 2>/dev/null &&
	perf script --no-inline -i - <pipe.data >our.txt &&
	cat pipe.data | perf script --no-inline >our2.txt &&
	test -s our.txt && cmp ref.txt our.txt && cmp our.txt our2.txt
'
test_expect_success REFERENCE,CORPUS 'recorded files of many versions' '
	for f in armv7-3.4 branch-4.14 branch_stack_spec busy.1-3.8 callgraph_and_branch-3.4 group_desc-4.14 \
		hw_and_sw-3.4 hybrid_topology i686-3.4 lost_samples-4.4 numatopology-3.2 proc.map.timeout-3.18 \
		raw-3.4 raw_callgraph_branch-3.4 systemwide.5-3.8 throttle-3.8 true.v2; do
		echo "$f" && same_text "$CORPUS/perf.data.$f" || return 1
	done
'
test_expect_success REFERENCE,CORPUS 'a file of the other byte order' '
	same_text "$CORPUS/s390x-cpu-clock-callgraph.data"'

test_expect_success PERF_EVENTS,GCC 'filters choose lines' '
	perf record -e cpu-clock -o own.data "$W/burn" 2>/dev/null >&2 &&
	perf script -i own.data >all.txt &&
	pid=$(perf script -i own.data -F pid | head -n 1 | tr -d " ") &&
	perf script -i own.data --pid "$pid" | cmp - all.txt &&
	test -z "$(perf script -i own.data --pid 1)" &&
	test -z "$(perf script -i own.data --comms nobody)" &&
	perf script -i own.data --time 0%-50% >first.txt &&
	perf script -i own.data --time 50%-100% >second.txt &&
	test -s first.txt && test -s second.txt && cat first.txt second.txt | cmp - all.txt
'
test_expect_success PERF_EVENTS,GCC 'what cannot be shown is said' '
	test_must_fail_with() { want=$1; shift; "$@" >out.txt 2>err.txt; test $? = "$want"; } &&
	test_must_fail_with 255 perf script -i own.data -F addr &&
	grep -q "do not have ADDR attribute set. Cannot print .addr. field" err.txt &&
	test_must_fail_with 129 perf script -i own.data -F nonsense &&
	grep -q "Invalid field requested" err.txt &&
	test_must_fail_with 129 perf script -i own.data -F comm,+tid &&
	test_must_fail_with 255 perf script -i nosuch.data &&
	grep -q "nosuch.data: No such file" err.txt && test ! -s out.txt &&
	test_must_fail_with 129 perf script -i own.data nosuchscript
'
test_expect_success PERF_EVENTS,GCC 'a closed pipe ends it quietly' '
	perf script -i own.data 2>err.txt | head -n 1 >out.txt && test -s out.txt && test ! -s err.txt'
test_expect_success PERF_EVENTS,GCC 'a cut file shows what is there, and says so' '
	size=$(stat -c %s own.data) && head -c $((size * 2 / 3)) own.data >cut.data &&
	perf script -i cut.data >out.txt 2>err.txt; test -s err.txt
'
test_done
