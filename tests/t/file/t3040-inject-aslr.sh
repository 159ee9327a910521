#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='inject --aslr: recordings without the addresses of their machine, and reports of them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# ranges FILE: the mappings of a recording
ranges() {
	perf script --show-mmap-events -i "$1" 2>/dev/null |
		sed -n 's/.*PERF_RECORD_MMAP.*\[0x\([0-9a-f]*\)(0x\([0-9a-f]*\)).*/\1 \2/p'
}
left() { "$(program hasaddr)" "$1" <ranges; }
# frames FILE: what each frame is, without its address, unless it is in no object
frames() {
	perf script -F comm,tid,time,event,ip,sym,symoff,dso -i "$1" | sed -E 's/^\t *[0-9a-f]+ //; s/^(\[unknown\]) .*/\1/'
}
# rows FILE: a report. What has no name has an address, by which it stands among others that are as frequent.
rows() { perf report --stdio -g none -i "$1" 2>/dev/null | unnamed; }
unnamed() { sed -E 's/0x[0-9a-f]{3,}/ADDR/; /^# \(Tip/d' | LC_ALL=C sort; }

test_expect_success 'a recording with call chains' '
	perf record -q -o a.data -e cpu-clock -c 100000 -g ls -R /usr/include/linux >/dev/null &&
	ranges a.data >ranges && test $(wc -l <ranges) -gt 4 && test $(left a.data) -gt 50
'
test_expect_success 'a file, a stream, a stream to a stream: no address is left, at any byte' '
	perf inject --aslr -i a.data -o f.data && perf inject --aslr -i a.data -o - >p.data &&
	perf inject -i a.data -o - | perf inject --aslr | cat >q.data &&
	for f in f p q; do test "$(left $f.data)" = 0 || { echo $f; return 1; }; done
'
test_expect_success 'reports and frames are the same' '
	rows a.data >want && test $(wc -l <want) -gt 50 && frames a.data >frames && test $(wc -l <frames) -gt 100 &&
	for f in f p q; do
		rows $f.data >got && test_cmp want got && frames $f.data >got && test_cmp frames got || { echo $f; return 1; }
	done
'
test_expect_success REFERENCE 'the reference reports the same of both' '
	"$REF" report --stdio -g none -i a.data 2>/dev/null | unnamed >want &&
	"$REF" report --stdio -g none -i f.data 2>/dev/null | unnamed >got && test_cmp want got
'
test_expect_success 'registers and stacks are gone, also from what the events are said to record' '
	perf record -q -o d.data -e cpu-clock -c 100000 --call-graph dwarf,8192 --intr-regs=ip,sp ls -R /usr/include/linux >/dev/null &&
	perf inject --aslr -i d.data -o e.data && ranges d.data >ranges && test "$(left e.data)" = 0 &&
	perf evlist -v -i e.data >out && ! grep -e "REGS" -e "STACK_USER" out && test $(wc -c <e.data) -lt $(($(wc -c <d.data) / 4))
'
test_expect_success TRACEFS 'what system calls get and return is not theirs any more; numbers are' '
	perf record -q -o t.data -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_stat_runtime ls >/dev/null &&
	perf inject --aslr -i t.data -o u.data && perf script -i t.data -F event,trace >t.txt && perf script -i u.data -F event,trace >u.txt &&
	grep -oE "\b(7f|5[56])[0-9a-f]{10}\b" t.txt | sort -u >addrs && test -s addrs && ! grep -qFf addrs u.txt &&
	grep -c sys_enter t.txt >want && grep -c sys_enter u.txt >got && test_cmp want got &&
	grep -o "runtime=[0-9]*" t.txt >want; grep -o "runtime=[0-9]*" u.txt >got; test_cmp want got &&
	grep -o "NR [0-9]*" t.txt >want && grep -o "NR [0-9]*" u.txt >got && test_cmp want got
'
test_expect_success 'additions with addresses of their own come first' '
	test_expect_code 255 perf inject --aslr -j -i a.data -o x.data 2>err && test_grep "aslr goes with -b and --buildid-all alone" err && ! test -e x.data &&
	perf inject --aslr -b -i a.data -o b.data && perf buildid-list -i b.data >got && perf buildid-list -i a.data >want && test_cmp want got
'
test_done
