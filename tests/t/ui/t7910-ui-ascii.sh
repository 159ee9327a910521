#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='all screens on a terminal that has ASCII characters alone'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC
test_lazy_prereq CAPSTONE 'built without capstone' 'grep -q libcapstone.so "$PERF"'
test_lazy_prereq X86 'names of instructions of x86-64' 'test "$(uname -m)" = x86_64'

# The source and a name of the program have other characters.
test_expect_success 'recordings' '
	cat >prog.c <<-\EOF &&
	__attribute__((noinline)) int leaf(int n) { return n * 2; } /* käse */
	int other(int n) __asm__("wörk");
	__attribute__((noinline)) int other(int n)
	{
		int r = 0;
		for (int i = 0; i < n; i++)
			r += leaf(i) * 3; /* käse */
		return r;
	}
	int main(void) { return other(2) & 1; }
	EOF
	gcc -g -O1 -no-pie -fcf-protection=none -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" $(nm prog | sed -n "s/^\([0-9a-f]*\) T \(wörk\|leaf\)$/\1/p") <<-\EOF
	import sys
	import pdata as p
	fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
	leaf, work = (int(v, 16) for v in sys.argv[2:])
	def make(name, times):
	    records = [p.comm(100, 100, "käfer"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
	    for n, ips in times:
	        for i in range(n):
	            records.append(p.sample(fields, IDENTIFIER=1, IP=ips[0], TID=(100, 100), TIME=10**9 + len(records) * 1000, CPU=0,
	                                    PERIOD=1000, CALLCHAIN=[2**64 - 512] + ips))
	    p.write(name, [(p.attr(1, 0, fields), [1])], records)
	make("one.data", [(20, [leaf, work + 9]), (60, [work + 4]), (20, [leaf])])
	make("two.data", [(60, [leaf, work + 9]), (20, [work + 4]), (20, [leaf])])
	branch = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK"]
	p.write("b.data", [(p.attr(0, 0, branch, branch=8), [1])], [p.comm(100, 100, "k"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])] +
	        [p.sample(branch, TID=(100, 100), IP=work, TIME=10**9 + i, PERIOD=100, BRANCH_STACK=[(work + 8, work, 5 << 4), (leaf + 4, work + 2, 5 << 4)])
	         for i in range(9)])
	p.add_features("b.data", [(3, b"\x40\0\0\0" + b"host".ljust(64, b"\0")), (15, b"")])
	EOF
'

start() { ui_run "$1" "$2" LC_ALL=C && plain "$3"; }

# plain PATTERN: the screen has it, and no character that the terminal does not have.
plain() { test_grep -e "$1" screen && ! LC_ALL=C grep "[^ -~]" screen; }

# at KEY PATTERN: so has the screen that a key opens.
at() { ui_keys "$1" && plain "$2"; }

test_expect_success 'report, its windows, and the screens that it opens' '
	start 80x20 "perf report -i one.data --children" "w?rk" && plain "k?fer" && at E "^ *- w?rk" && at h "+Help---" && at x "Samples: 100" &&
	at y "perf report -i one.data" && at x "Samples: 100" && at Enter "|Annotate" && at Escape "Samples: 100" &&
	at T "^all  *.*#" && at Tab "by thread" && at Space "." && at End "all 100 samples" && at Enter "Time: " && at u "Samples: 100" &&
	at f "w?rk" && at Escape "Samples: 100" && at b "Callers and callees" && at Escape "Samples: 100" && at M " g main" && at Escape "Samples: 100" &&
	at i "hostname\|captured" && at x "Samples: 100" && ui_tmux send-keys C-c && ui_left
'
test_expect_success CAPSTONE,X86 'code' '
	start 100x40 "perf annotate -i one.data" "^w?rk " && plain "|  *> *call" && plain "k?se" && ui_keys s &&
	at / "Search" && ui_type call && at Enter "+->" && at Enter "^leaf " && plain "|  *< *ret"
'
test_expect_success 'blocks, differences and events' '
	start 120x20 "perf report -i b.data --total-cycles" "Blocks by cycles" &&
	start 120x20 "perf diff --tui one.data two.data" "w?rk" && start 80x20 "perf list --pick sw" "cpu-clock"
'
test_expect_success PERF_EVENTS 'what runs now' '
	start 100x20 "perf top" "[0-9]%" && at h "Help" && at x "." && ui_tmux send-keys q && ui_left
'

test_done
