#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='the map browser of perf report: the symbols of an object, as nm has them'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/ui.sh"

test_require SLANG
test_require PYTHON
test_require GCC

test_expect_success 'a recording, and the symbols of its program' '
	ui_recording two.data &&
	nm -S --defined-only prog | awk "NF == 4 && \$3 ~ /[TtWw]/ { print \$1, \$2, tolower(\$3), \$4 }" | sort >nm &&
	while read -r start size kind name; do
		case $kind in w) ;; *) kind=$(nm prog | awk -v n="$name" "\$3 == n { print \$2 == \"T\" ? \"g\" : \"l\" }") ;; esac
		printf "%x %x %s %s\n" $((0x$start - 0x400000)) $((0x$start + 0x$size - 0x400000)) $kind $name
	done <nm >symbols && test_grep " g leaf$" symbols
'

# has_symbols: each line of symbols is on the screen, and its lines are in the order of addresses.
has_symbols() {
	sed '1d; $d; s/[│█]$//; s/ *$//; /^$/d' screen >rows
	LC_ALL=C sort -c rows && sed 's/^ *//' rows >names && while read -r line; do
		grep -qxF "$line" names || { echo "not there: $line"; return 1; }
	done <symbols
}

test_expect_success 'symbols by address, at several sizes, from the selected one on' '
	for size in 80x44 132x60; do
		ui_report $size "perf report -i two.data --no-children" && ui_keys M && test "$(head -n 1 screen)" = prog &&
		has_symbols && ui_keys Escape && test_grep "^Samples: 100 " screen || return 1
	done &&
	for size in 80x12 40x10; do
		ui_report $size "perf report -i two.data --no-children" && ui_keys M && test_grep " g leaf" screen && ui_keys End &&
		test_grep ! " g leaf" screen && ui_keys Home && test_grep " g _init" screen && test_grep ! " g _fini" screen || return 1
	done
'

test_expect_success 'search for names and addresses' '
	ui_report 40x10 "perf report -i two.data --no-children" && ui_keys M Home / && ui_type idl && ui_keys Enter && test_grep " g idle" screen &&
	ui_keys Home n && test_grep " g idle" screen && ui_keys Home g && ui_type "$(awk "/ work$/ { print \$1 }" symbols)" && ui_keys Enter &&
	test_grep " g work" screen && ui_keys g && ui_type 1 && ui_keys Enter && test_grep "No symbol is at 1" screen &&
	ui_keys g && ui_type xyz && ui_keys Enter && test_grep ".xyz. is no address" screen && ui_keys g Escape && test_grep ! Address screen
'

test_expect_success 'the menu leads there, and P writes it' '
	rm -f perf.hist.* && ui_report 100x24 "perf report -i two.data --no-children" && ui_keys m && test_grep "Browse map details (M)" screen &&
	ui_keys Escape M y && test_grep "nm -n" screen && ui_keys P && test_grep "Written to perf.hist.0" screen && { cat perf.hist.0; echo; } >screen &&
	has_symbols
'

test_expect_success 'objects without symbols are told' '
	echo nothing >prog && ui_report 120x24 "perf report -i two.data --no-children" && ui_keys M && tail -n 1 screen >said &&
	test_grep "symbols" said && test_grep "^Samples: " screen && ui_keys m && test_grep ! "Browse map" screen && ui_keys Escape
'

test_done
