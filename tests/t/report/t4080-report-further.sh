#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='report: callers by their own lines, call graphs of reference events, filters'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq LIBELF 'built without libelf' '"$PERF" version --build-options | grep -q "libelf: \[ on"'

# Rows without what pads them.
rows()
{
	perf report "$@" -g none -t, >out 2>err && grep -v '^#' out | grep . | tr -d ' '
}

test_expect_success PERF_EVENTS,GCC,LIBELF 'with --children a caller has the lines it calls from' '
	cat >lines.c <<-\EOF &&
		static volatile long s;
		__attribute__((noinline)) static void leaf(long n)
		{
			while (n--)
				s += n * n;
		}
		__attribute__((noinline)) static void call(long n)
		{
			leaf(n);
			s++;
		}
		int main(void)
		{
			for (int i = 0; i < 300; i++) {
				call(20000);
				s++;
				call(60000);
				s++;
			}
			return s == 1;
		}
	EOF
	gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o lines lines.c &&
	perf record -q -g -e cpu-clock:u -F 4000 -o lines.data ./lines &&
	rows -i lines.data -s srcline --comms lines >rows &&
	grep -E "^([5-9]|[1-4][0-9])\.[0-9]*%,0.00%,lines.c:16$" rows && grep -E "^[5-9][0-9]\.[0-9]*%,0.00%,lines.c:18$" rows &&
	grep -E "^[0-9.]*%,[1-9][0-9.]*%,lines.c:[45]$" rows &&
	rows -i lines.data -s srcfile,symbol_size --comms lines >rows && grep -E "^[0-9.]*%,0.00%,lines.c,[0-9]+" rows &&
	perf report -i lines.data -s srcline,sym --comms lines -g folded >out && grep "^[0-9.]*% main;leaf$" out
'
test_expect_success PERF_EVENTS,GCC,LIBELF 'in either order of chains, cut short, and by any number of workers' '
	rows -i lines.data -s srcline,sym >all && PERF_WORKERS=2 rows -i lines.data -s srcline,sym >rows && test_cmp all rows &&
	PERF_WORKERS=3 perf report -i lines.data -s srcline,sym >three && PERF_WORKERS=1 perf report -i lines.data -s srcline,sym >one &&
	test_cmp one three &&
	perf report -i lines.data -s srcline,sym --max-stack 1 -g callee >rows && grep "\] leaf" rows && ! grep " 0.00% .*\] main" rows &&
	perf report -i lines.data --no-children -s srcline --ignore-callees "^main$" >rows && ! grep "lines.c:[45] *$" rows
'
test_expect_success 'two events, of which one has call chains' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import struct
		import pdata as p
		fields = ["IP", "TID", "TIME", "PERIOD", "IDENTIFIER"]
		ALL = 1 << 18
		USER = (1 << 64) - 512
		def by(tid, t, ident):
		    return struct.pack("<IIQQ", 100, tid, t, ident)
		def ran(ident, ip, t, period, chain=()):
		    more = {"CALLCHAIN": [USER, *chain]} if chain else {}
		    return p.sample(fields + list(more), IDENTIFIER=ident, IP=ip, TID=(100, 100), TIME=t, PERIOD=period, **more)
		p.write("two.data", [(p.attr(1, 0, fields + ["CALLCHAIN"], flags=ALL), [1]), (p.attr(1, 2, fields, flags=ALL), [2])], [
		    p.record(3, 0, struct.pack("<II", 100, 100) + p.text("main") + by(100, 1, 1)),
		    ran(1, 0x1000, 10, 300, [0x1000, 0x2000]), ran(1, 0x1000, 11, 100, [0x1000, 0x3000]), ran(1, 0x1500, 12, 600, [0x1500]),
		    ran(2, 0x1000, 13, 40), ran(2, 0x1700, 14, 40)])
	EOF
'
test_expect_success '--show-ref-call-graph: scaled to the row; rows without a counterpart have none' '
	perf report -i two.data --no-children -s sym --show-ref-call-graph -g folded,0,callee,period >out &&
	grep "^# Samples: 2  of event .page-faults.*., show reference callgraph" out && sed -n "/page-faults/,\$p" out >faults &&
	grep -v "^#" faults | grep . | sed "s/ *$//" >rows &&
	printf "%s\n" "    50.00%  [.] 0x0000000000001000" "30 0x1000;0x2000" "10 0x1000;0x3000" "    50.00%  [.] 0x0000000000001700" >want && test_cmp want rows &&
	perf report -i two.data -s sym -g folded >out && sed -n "/page-faults/,\$p" out >faults && ! grep "0x1000;" faults &&
	perf report -i two.data -s sym --show-ref-call-graph -g caller >out && ! grep "cpu-clock.*reference" out && grep -e "--0x[23]000" out
'
test_done
