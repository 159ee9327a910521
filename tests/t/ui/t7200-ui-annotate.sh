#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 3 of 8
test_description='perf annotate on a terminal: lines as --stdio2 prints them, arrows, calls that are followed, keys'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC
test_lazy_prereq CAPSTONE 'built without capstone' 'grep -q libcapstone.so "$PERF"'
test_require CAPSTONE
test_lazy_prereq LIBDW 'built without libdw' 'grep -q libdw.so "$PERF"'
test_lazy_prereq X86 'names of instructions of x86-64' 'test "$(uname -m)" = x86_64'
test_require X86

# Samples are at all bytes of two functions, those of the loop in the inner one most often, for two events.
# shellcheck disable=SC2046 # two words for each function
make_recording() {
	cat >prog.c <<-\EOF
		volatile int sum;
		__attribute__((noinline)) int leaf(int n)
		{
			for (int i = 0; i < n; i++)
				sum += i;
			return sum;
		}
		__attribute__((noinline)) int work(int n)
		{
			int r = 0;
			for (int i = 0; i < n; i++)
				r += leaf(i) * 3;
			return r;
		}
		int main(void) { return work(2) & 1; }
	EOF
	gcc -g -O1 -no-pie -fcf-protection=none -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - code.data "$PWD/prog" \
		$(nm -S prog | sed -n 's/^\([0-9a-f]*\) \([0-9a-f]*\) T \(work\|leaf\)$/\1 \2/p') <<-\EOF
		import sys
		import pdata as p
		fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD"]
		records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[2])]
		numbers = [int(v, 16) for v in sys.argv[3:]]
		t = 10**9
		for start, size, times in zip(numbers[::2], numbers[1::2], (8, 2)):
		    for at in range(size):
		        for event in (1, 2):
		            for i in range(times + (at == size // 2) * 9 * event):
		                t += 1000
		                records.append(p.sample(fields, IDENTIFIER=event, IP=start + at, TID=(100, 100), TIME=t, CPU=0,
		                                        PERIOD=1000 * event))
		p.write(sys.argv[1], [(p.attr(1, 0, fields), [1]), (p.attr(1, 1, fields), [2])], records)
	EOF
}

lines() { sed 's/ *$//; /^$/d'; }
on_screen() { sed '1,2d; $d' screen | sed 's/\(│\|█\)$//; s/│/ /' | lines; }

# as_text ARGUMENTS: the lines on the screen, which has no arrows, are those that perf annotate prints of one function.
as_text() {
	perf annotate -i code.data --stdio2 "$@" | awk '/^Samples:/ { n++ } n < 2' | sed '1,3d' | lines >text &&
	on_screen >rows && test_cmp text rows
}

title() { head -n 1 screen >first && test_grep "$1" first; }

test_expect_success 'a recording' '
	make_recording
'

test_expect_success 'lines, at two sizes, and their percentages as those of --stdio' '
	for size in 80x40 140x50; do
		ui_run $size "perf annotate -i code.data" && title "^leaf  .*/prog\$" &&
		test_grep "^Percent│ \[Percent: local period\] Samples: .* of event .cpu-clock" screen && ui_keys j && as_text leaf || return 1
	done &&
	perf annotate -i code.data --stdio leaf 2>/dev/null | awk "/Percent/ { n++ } n < 2" |
		sed -n "s/^ *\([0-9][0-9.]*\) :.*/\1/p" | grep -v "^0.00" >percents &&
	test -s percents && sed -n "s/^ *\([0-9][0-9.]*\) │.*/\1/p" screen >shown && test_cmp percents shown
'

test_expect_success 'keys change what is shown, as options do' '
	ui_run 120x50 "perf annotate -i code.data" && ui_keys j &&
	ui_keys t && test_grep "^Period" screen && as_text leaf --show-total-period &&
	ui_keys t && test_grep "^Samples" screen && as_text leaf -n && ui_keys t && as_text leaf &&
	ui_keys p && test_grep "^Percent│ .Percent: global period\]" screen && as_text --percent-type=global-period &&
	ui_keys b && test_grep "Percent: global hits" screen && as_text --percent-type=global-hits && ui_keys p b &&
	ui_keys s && as_text leaf --no-source && test_grep ! "sum += i" rows && ui_keys s && test_grep "sum += i" screen &&
	ui_keys k && test_grep "5 .*sum += i" screen && ui_keys k &&
	ui_keys O O && test "$(grep -c "│ *[0-9a-f]*: " screen)" -gt 5 && ui_keys O &&
	ui_keys f && test_grep "│ *4[0-9a-f]*: " screen && ui_keys f &&
	ui_keys o && test_grep "<leaf+0x[0-9a-f]*>" screen && ui_keys o &&
	ui_keys B && test_grep " [0-9a-f]\{4,\}  *mov" screen && ui_keys B && as_text leaf &&
	ui_keys l && test_grep "^[0-9a-f]* is of .*prog.c:[0-9]*\$" screen &&
	ui_keys y && test_grep "perf annotate -i code.data -s leaf --stdio2 --percent-type=local-period" screen
'

test_expect_success LIBDW 'types of data, of this function and the next ones' '
	ui_run 120x50 "perf annotate -i code.data" && ui_keys j && as_text leaf && test_grep ! "data-type" screen &&
	ui_keys T && test_grep "# data-type: int" screen && as_text leaf --code-with-type && ui_keys y &&
	test_grep "perf annotate -i code.data -s leaf --stdio2 .* --code-with-type" screen && ui_keys x ] && title "^work " &&
	as_text work --code-with-type && ui_keys [ T && as_text leaf &&
	ui_run 120x50 "perf annotate -i code.data --code-with-type" && ui_keys j && as_text leaf --code-with-type &&
	ui_report 120x50 "perf report -i code.data -s sym" && ui_keys a j T && title "^leaf " && as_text leaf --code-with-type
'

test_expect_success 'arrows: of the loop around the selected line, and of the selected jump' '
	ui_run 100x50 "perf annotate -i code.data" && ui_keys s &&
	test "$(grep -c "│.*\(┌─→\|└──\)" screen)" = 2 && test_grep "└──j" screen &&
	ui_keys Home && test_grep ! "┌─→" screen && ui_keys / && ui_type jle && ui_keys Enter && test_grep "┌──j" screen && test_grep "└─→" screen &&
	ui_keys Enter && test_grep ! "┌──j" screen && ui_keys j && test_grep ! "└──" screen
'

test_expect_success 'calls are followed, and come back; functions in turn' '
	ui_run 100x50 "perf annotate -i code.data" && ui_keys s ] && title "^work " && test_grep ! "r += leaf" screen &&
	ui_keys / && ui_type "call" && ui_keys Enter Enter && title "^leaf " && ui_keys Left && title "^work " &&
	ui_keys Enter && title "^leaf " && ui_keys Escape && title "^work " &&
	ui_keys Up Enter && test_grep "neither a jump nor a call" screen && ui_keys [ && title "^leaf " &&
	ui_keys ] ] && title "^leaf " && test_grep "event .task-clock" screen && ui_keys ] && title "^work " && ui_keys ] &&
	test_grep "event .task-clock" screen && title "^work " &&
	test_grep "There is no further function" screen && ui_tmux send-keys q && ui_left
'

test_expect_success 'a called function without samples is shown, too' '
	ui_run 100x50 "perf annotate -i code.data work" && title "^work " && ui_keys s / && ui_type "call" &&
	ui_keys Enter Enter && title "^leaf " && test_grep ! "[0-9] │.*add" screen && test_grep "ret" screen &&
	ui_keys H && test_grep "There are no samples" screen && ui_keys Left y &&
	test_grep "perf annotate -i code.data -s work --stdio2" screen
'

test_expect_success 'the hottest line, the next ones, and search' '
	ui_run 100x50 "perf annotate -i code.data" && ui_keys l && cp screen hottest && ui_keys Home H l && test_cmp hottest screen &&
	ui_keys Tab l && ! cmp -s hottest screen && ui_keys BTab l && test_cmp hottest screen &&
	ui_keys / && ui_type nosuch && ui_keys Enter && test_grep ".nosuch. is in no row" screen &&
	ui_keys "?" C-u && ui_type ret && ui_keys Enter n N l && test_grep "prog.c:[67]\$" screen
'

test_expect_success 'samples of the function as text' '
	ui_run 132x50 "perf annotate -i code.data leaf" && ui_keys r && test_grep "Scripts for samples of the function" screen &&
	ui_keys Enter && test_grep "Samples as text" screen && test_grep " leaf+0x" screen && test_grep ! " work+0x" screen &&
	ui_keys Escape && title "^leaf "
'

test_expect_success 'P writes what is shown' '
	rm -f perf.annotation.* && ui_run 100x50 "perf annotate -i code.data" && ui_keys P &&
	test_grep "Written to perf.annotation.0" screen && perf annotate -i code.data --stdio2 leaf | awk "/^Samples:/ { n++ } n < 2" |
		sed 1,3d | lines >text && sed 1,2d perf.annotation.0 | lines >rows && test_cmp text rows
'

test_expect_success 'the report browser leads there, by key and by menu, with what passes its filters' '
	ui_report 100x50 "perf report -i code.data -s sym" && ui_keys a && title "^leaf " && ui_keys j && as_text leaf &&
	ui_keys Left && title "^Samples: " && ui_keys Down a && title "^work " && test_grep ! "├\|┌─→" screen &&
	ui_keys / && ui_type "call" && ui_keys Enter Enter && title "^leaf " && ui_keys y &&
	test_grep "perf annotate -i code.data -s leaf --stdio2" screen && ui_keys x Escape Escape && title "^Samples: " &&
	ui_keys Tab a && test_grep "event .task-clock" screen && ui_keys Escape BTab Enter && test_grep "Annotate leaf" screen &&
	ui_keys Enter && title "^leaf " && ui_tmux send-keys q && ui_left &&
	ui_report 100x50 "perf report -i code.data -s sym --tid 100" && ui_keys a j && title "^leaf " && as_text leaf &&
	ui_report 100x50 "perf report -i code.data -s dso" && ui_keys a && test_grep "No sample is in a function here" screen
'

test_expect_success 'help, and text where there is no terminal' '
	ui_run 100x60 "perf annotate -i code.data" && ui_keys h && test_grep "TAB  *Go to the next of the hot" screen &&
	ui_keys x && ui_tmux send-keys C-c && ui_left &&
	perf annotate -i code.data </dev/null >out 2>err && test_grep "Source code & Disassembly of prog" out
'

test_done
