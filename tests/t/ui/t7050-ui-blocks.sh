#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='perf report --total-cycles on a terminal: blocks as --stdio prints them, and the way into their functions'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

# Each block of f0 to f3 begins at a multiple of 16 bytes and has 8; samples are at the start of f0 to f2.
test_expect_success 'a recording of branches' '
	for i in 0 1 2 3; do
		echo "__attribute__((aligned(1024))) int f$i(int x) { __asm__(\".rept 200\\nnop\\n.endr\"); return x; }"
	done >prog.c && echo "int main(void) { return 0; }" >>prog.c && gcc -O1 -no-pie -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" $(nm prog | sed -n "s/^\([0-9a-f]*\) T f0$/\1/p") <<-\EOF
		import sys
		import pdata as p
		base, at = int(sys.argv[2], 16), []
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK"]
		starts = [base + f * 1024 + n * 16 for f in range(4) for n in range(8)]
		records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		for i in range(96):
		    path = [starts[(i * 7 + k) % 32] for k in range(5)]
		    stack = [(to + 8, path[k + 1], (3 + (to >> 4) % 50 + i % 3) << 4 | 2) for k, to in enumerate(path[:4])]
		    records.append(p.sample(fields, TID=(100, 100), IP=base + i % 3 * 1024, TIME=10**9 + i, PERIOD=100,
		        BRANCH_STACK=stack[::-1]))
		p.write("b.data", [(p.attr(0, 0, fields, branch=8), [1])], records)
		p.add_features("b.data", [(3, b"\x40\0\0\0" + b"host".ljust(64, b"\0")), (15, b"")])
	EOF
'

# as_stdio COLUMNS ARGUMENTS: the rows on the screen are the first ones that perf report prints, as far as there is room.
as_stdio() {
	local columns=$1; shift
	sed '1,2d; $d; s/│$//; s/█$//; s/ *$//; /^$/d' screen >rows && perf report -i b.data --stdio --total-cycles "$@" 2>/dev/null | sed '/^#/d; /^$/d' |
		head -n "$(wc -l <rows)" | cut -c "1-$columns" | sed 's/ *$//' >stdio && test -s rows && test_cmp stdio rows
}

test_expect_success 'blocks, at several sizes' '
	perf report -i b.data --stdio --total-cycles >out && test "$(grep -c "\[f[0-3]+" out)" -gt 20 &&
	ui_report 180x60 "perf report -i b.data --total-cycles" && as_stdio 180 && test "$(wc -l <rows)" = "$(grep -c "\[f" out)" &&
	test_grep "^Blocks by cycles. Samples: .* of event .cycles" screen && test_grep "Sampled Cycles%  Sampled Cycles  Avg Cycles%" screen &&
	for size in 132x40 80x24 40x10; do
		ui_report $size "perf report -i b.data --total-cycles" && as_stdio $((${size%x*} - 1)) &&
		ui_tmux send-keys q && ui_left || return 1
	done &&
	ui_report 180x24 "perf report -i b.data --total-cycles --percent-limit=3" && as_stdio 180 --percent-limit=3
'

test_expect_success 'a block leads into its function where it begins, and back' '
	ui_report 180x24 "perf report -i b.data --total-cycles" && ui_keys / && ui_type "[f1+112" && ui_keys Enter Enter &&
	test_grep "^f1 " screen && ui_keys O O && test_grep "[^0-9a-f]70: *nop" screen && ui_keys Escape && test_grep "^Blocks by cycles" screen &&
	ui_keys Home / C-u && ui_type "[f3+16" && ui_keys Enter Enter && test_grep "No sample is in a function here" screen
'

# Each block was run with each of three numbers of cycles equally often.
test_expect_success 'perf annotate: the fewest and the most cycles of a block' '
	least=$((3 + (0x$(nm prog | sed -n "s/ T f1$//p") + 112) / 16 % 50)) &&
	ui_run 100x24 "perf annotate -i b.data f1" && ui_keys O O / && ui_type "78:" && ui_keys Enter &&
	test_grep "IPC Cycle" screen && test_grep " $((least + 1)) .*[^0-9a-f]78:" screen && ui_keys c &&
	test_grep "IPC     Cycle(min/max)" screen && test_grep " $((least + 1))($least/$((least + 2))) .*[^0-9a-f]78:" screen &&
	ui_keys c && test_grep ! "min/max" screen
'

test_expect_success 'the command, the file, and help' '
	rm -f perf.hist.* && ui_report 180x50 "perf report -i b.data --total-cycles" && ui_keys y &&
	test_grep "perf report -i b.data --total-cycles --stdio" screen && ui_keys x P && test_grep "Written to perf.hist.0" screen &&
	perf report -i b.data --stdio --total-cycles | sed "/^#/d; /^$/d" >stdio && sed 1,2d perf.hist.0 >saved && test_cmp stdio saved &&
	ui_keys h && test_grep "ENTER RIGHT a  *Look into the function, where the block begins" screen
'

test_expect_success 'rows where there are no branches' '
	ui_recording two.data && ui_report 100x20 "perf report -i two.data --no-children --total-cycles" && test_grep "^Samples: 100 " screen &&
	ui_report 180x24 "perf report -i b.data --total-cycles -b" && test_grep "^Blocks by cycles" screen
'

test_done
