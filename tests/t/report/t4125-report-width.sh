#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 5 of 8
test_description='report and diff on a terminal: lines fit its width, and are as ever in files and pipes'
. "$(dirname "$0")/../../lib/tap.sh"

test_require GCC
test_require TMUX
test_require PYTHON
socket=none terminals=0
trap 'tmux -S "$socket" kill-server 2>/dev/null' EXIT

# Functions whose names have the same beginning, one with characters of several bytes and of two
# columns; deep chains.
test_expect_success 'recordings' '
	long=std::map::very::long::namespace::of::a::container::with::many::parameters::operator &&
	{ for f in begin end insert_unique größe_名前; do
		echo "__attribute__((aligned(1024))) int f_$((n++))(void) __asm__(\"\\\"${long}_$f\\\"\");"
		echo "int f_$((n - 1))(void) { return $n; }"
	done; echo "int main(void) { return 0; }"; } >prog.c &&
	gcc -no-pie -o a_program_whose_file_has_quite_a_long_name_for_a_column prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - \
		"$PWD/a_program_whose_file_has_quite_a_long_name_for_a_column" \
		$(nm a_program* | sed -n "s/^\([0-9a-f]*\) T .*_\(begin\|end\|unique\|größe_名前\)$/\1/p") <<-\EOF
		import sys
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
		at = [int(a, 16) + 4 for a in sys.argv[2:]]
		assert len(at) == 4
		def make(name, *paths):
		    records = [p.comm(100, 100, "a_worker_thread"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    t = 10**9
		    for n, frames in paths:
		        ips = [at[f] for f in frames]
		        for i in range(n):
		            t += 1000
		            records.append(p.sample(fields, TID=(100, 100), IP=ips[0], TIME=t, CPU=0, PERIOD=100, CALLCHAIN=[2**64 - 512] + ips))
		    p.write(name, [(p.attr(1, 0, fields), [1])], records)
		make("old.data", (100, [0, 1]), (50, [2, 1]), (50, [3, 2, 0]), (20, [1]))
		make("new.data", (10, [0, 1]), (90, [2, 1]), (50, [3, 2, 0]), (20, [1]))
	EOF
'

# start COLUMNS [LOCALE]: a terminal that wide, with a shell.
start() {
	tmux -S "$socket" kill-server 2>/dev/null
	socket="$TRASH/tmux$((terminals++))"
	LC_ALL=C.UTF-8 tmux -u -S "$socket" -f /dev/null new-session -d -x "$1" -y 500 \
		"env -u COLUMNS LC_ALL=${2:-C.UTF-8} PAGER=cat sh"
}

on_screen() {
	tmux -S "$socket" capture-pane -p -J >screen && grep -e "$1" screen
}

# shown COMMAND...: what is on the terminal when it has run, in the file `screen`. Lines that the
# terminal broke in two are joined.
shown() {
	echo "clear; echo begin=it; TERM=dumb $* 2>/dev/null; echo end=\$?" >show.sh &&
	tmux -S "$socket" send-keys ". ./show.sh" Enter && wait_for on_screen "^end=0" &&
	sed "0,/^begin=it/d; /^end=0/,\$d; /^# To display/d; /^# (Children is/,/^#/d; s/ *\$//; /^\$/d" screen >now && mv now screen &&
	tmux -S "$socket" send-keys "clear; echo over=it" Enter && mv screen kept &&
	wait_for on_screen "^over=it" && mv kept screen
}

# width FILE: of its widest line, in characters; and in columns, as two of them take two.
width() {
	python3 - "$1" <<-\EOF
		import re, sys, unicodedata as u
		lines = [re.sub("\033\\[[0-9;]*m|[ \n]*$", "", l) for l in open(sys.argv[1], encoding="utf-8") if "# To display" not in l]
		print(max(sum(2 if u.east_asian_width(c) == "W" else 1 for c in l) for l in lines))
	EOF
}

# fits COLUMNS ARGUMENTS: no line takes more columns, and all numbers are as in a file.
fits() {
	local columns=$1; shift
	shown "perf $*" && cat screen &&
	LC_ALL=C.UTF-8 perf "$@" 2>/dev/null | sed "/^# To display/d; s/ *\$//; /^\$/d" >file &&
	test "$(wc -l <screen)" -eq "$(wc -l <file)" &&
	test "$(width screen)" -le "$columns" && test "$(width file)" -gt 120 &&
	grep -o "[0-9.]*%" screen >numbers && grep -o "[0-9.]*%" file >numbers.file &&
	test_cmp numbers.file numbers &&
	grep "…" screen && ! grep "…" file
}

test_expect_success 'flat and with children, at 80 and 120 columns' '
	for columns in 80 120; do
		start $columns &&
		fits $columns report -i old.data --no-children -g none &&
		for f in begin end unique 名前; do
			grep "a_worker_thread  a_program_w.*…[a-z_]*column  \[\.\] std::map.*…[^ ]*$f\$" screen || return 1
		done &&
		test $(grep "\[\.\]" screen | sort -u | wc -l) = 4 &&
		fits $columns report -i old.data &&
		fits $columns report -i old.data --no-children -g flat || return 1
	done &&
	fits 120 report -i old.data -s comm,dso,sym,srcline -n --no-children -g none &&
	test $(width screen) -gt 100
'

test_expect_success 'hierarchies' '
	for columns in 80 120; do
		start $columns &&
		fits $columns report -i old.data --hierarchy -g none &&
		fits $columns report -i old.data --hierarchy --no-children -s comm,dso,sym || return 1
	done
'

test_expect_success 'differences, with call paths and streams' '
	for columns in 80 120; do
		start $columns &&
		fits $columns diff old.data new.data &&
		fits $columns diff --call-graph=0.1 old.data new.data &&
		fits $columns diff --stream old.data new.data || return 1
	done &&
	fits 120 diff -p old.data new.data
'

test_expect_success 'an ellipsis of dots where the locale is not UTF-8' '
	start 80 C &&
	shown perf report -i old.data --no-children -g none && cat screen &&
	test $(width screen) -le 80 && grep "std::map.*\.\.\..*begin$" screen && ! grep "…" screen
'

test_expect_success 'the full width: -w, COLUMNS, a field separator, hist.fit-width' '
	start 100 &&
	shown "COLUMNS=250 perf report -i old.data --no-children -g none" &&
	grep "operator_insert_unique\$" screen &&
	shown "perf report -i old.data --no-children -g none -w 0,0,0,20" &&
	grep "a_program_whose_file_has_quite_a_long_name_for_a_column  \[\.\] std::map::very::" screen &&
	! grep "…" screen &&
	shown "perf report -i old.data --no-children -g none -t ," &&
	grep "name_for_a_column *, *\[\.\] std::.*operator_insert_unique\$" screen && ! grep "…" screen &&
	printf "[hist]\n\tfit-width = false\n" >config &&
	shown "PERF_CONFIG=config perf report -i old.data --no-children -g none" &&
	grep "operator_insert_unique\$" screen && ! grep "…" screen
'

test_expect_success 'why the sums of children are more than the whole is told on a terminal, not in a file' '
	start 100 &&
	echo "clear; perf report -i old.data --stdio -g none; echo end=it" >show.sh && tmux -S "$socket" send-keys ". ./show.sh" Enter &&
	wait_for on_screen "^end=it" && test_grep "^# (Children is a function with all that it calls" screen &&
	perf report -i old.data -g none >file 2>err && test_grep ! "Children is" file
'

test_expect_success 'through the pager as on the terminal' '
	start 90 &&
	shown "PERF_PAGER=\"cat >paged\" perf report -i old.data --no-children -g none" && cat paged &&
	test $(width paged) -le 90 && test $(width paged) -gt 80 && grep "…" paged &&
	shown "COLUMNS=130 PERF_PAGER=\"cat >paged\" perf report -i old.data --no-children -g none" &&
	test $(width paged) -le 130 && test $(width paged) -gt 120
'

test_done
