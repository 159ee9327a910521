#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='perf c2c report on a terminal: lines and the places in them, as --stdio prints them'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"
. "$SRC/tests/t/mem/files.sh"

test_require SLANG
test_require PYTHON
mem_program && mem_file i.data intel "program=$PWD/prog" && perf c2c report --stdio -i i.data >text 2>err || exit 1

# The rows on the screen, without the scrollbar and the last line.
rows() { sed '1,2d; $d; s/[│█]$//; s/ *$//; /^$/d' screen; }

test_expect_success 'lines, as --stdio prints them' '
	ui_run 240x30 "perf c2c report -i i.data" && test_grep "^Contended cache lines: [0-9]* by Total HITMs, of 3 shared ones" screen &&
	test_grep "^ *Index  *Address  *Node  *PA cnt  *Hitm " screen && rows >got &&
	sed -n "/Cache Line Table/,/Pareto/p" text | grep "^ *[0-9]*  *0x" | sed "s/ *\$//" >want && test -s want && test_cmp want got
'
test_expect_success 'the places in a line, more of their nodes, and one of them' '
	ui_keys Enter && test_grep "^Cache line 0x[0-9a-f]* (shared+0 of prog): [0-9]* places, 75 accesses" screen && rows >got &&
	test_grep "reader  *prog  *prog.c:11 *1\$" got && test_grep "0x10 .* writer" got && ui_keys n && test_grep "{" screen &&
	ui_keys n && ui_keys n && rows | test_cmp got - && ui_keys Down && ui_keys d && test_grep "on CPU" screen && test_grep "Source  *prog.c:" screen &&
	ui_keys x && ui_keys Escape && test_grep "^Contended cache lines" screen
'
test_expect_success 'sums, the command, the file, and help' '
	ui_keys s && test_grep "Trace Event Information" screen && ui_keys Escape && ui_keys y && test_grep "perf c2c report -i i.data --stdio" screen &&
	ui_keys x P && test_grep "Written to perf.c2c.0" screen && sed 1,2d perf.c2c.0 | sed "s/ *\$//" | test_cmp want - &&
	ui_keys h && test_grep "ENTER RIGHT d  *Show the places" screen && ui_keys x && ui_tmux send-keys q && ui_left
'
test_lazy_prereq X86 'the code of this machine is not that of x86' 'test "$(uname -m)" = x86_64'
test_lazy_prereq OBJDUMP 'no objdump' 'command -v objdump'
test_expect_success X86,OBJDUMP 'the details of a place: instructions, by a library or by objdump, and callers' '
	mem_file calls.data intel "program=$PWD/prog" chains && printf "#!/bin/sh\necho run >>ran\nexec objdump \"\$@\"\n" >own && chmod +x own &&
	for o in "-M intel" "--objdump=$PWD/own -M intel"; do
		ui_run 120x50 "perf c2c report -i calls.data $o" && ui_keys Enter Down d && test_grep "^.*Instructions" screen &&
		test_grep "> *[0-9a-f]*  *[a-z]* .*\[rip" screen && test_grep "Callers" screen && test_grep -e "---writer\|---reader" screen &&
		ui_keys x && ui_tmux send-keys q && ui_left || return 1
	done && test -s ran
'
test_expect_success 'no line is contended for' '
	mem_file none.data intel bare && perf c2c report --stdio -i none.data -d peer >/dev/null 2>&1 && ui_run 100x20 "perf c2c report -i none.data -d peer" &&
	test_grep "^Contended cache lines: 0" screen && ui_keys Enter && test_grep "No line is contended for" screen && ui_tmux send-keys q && ui_left
'
test_done
