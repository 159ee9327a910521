#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='--unwind-style: stacks as libdw and libunwind unwind them, frame by frame beside those of the tables'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS,UNWIND,CC
test_lazy_prereq STYLE_libdw 'built without libdw' 'perf version --build-options | grep -q "libdw-dwarf-unwind: .*on"'
test_lazy_prereq STYLE_libunwind 'built without libunwind' 'perf version --build-options | grep -q "libunwind: .*on"'

# compared OURS THEIRS: each of our stacks starts with all frames of theirs, and most are equal.
compared() {
	test "$(grep -c "^$" "$1")" = "$(grep -c "^$" "$2")" &&
	awk -v RS= -F '\n' '
		NR == FNR { ours[FNR] = $0; next }
		{
			n++
			if ($0 == ours[FNR]) equal++
			else if (index(ours[FNR] "\n", $0 "\n") == 1) longer++
			else { print "stack " FNR " is another:\n" ours[FNR] "\n--\n" $0; bad = 1 }
		}
		END { printf "%d equal, %d longer\n", equal, longer; exit bad || n < 100 || equal < 0.95 * n }
	' "$1" "$2"
}

test_expect_success 'a recording of known calls, unwound by the tables' '
	build_called called && perf record -q -F 1500 -e cpu-clock:u --call-graph dwarf,16384 -o plain.data ./called 0.5 rqtsvgc &&
	perf script -i plain.data -F ip,sym,dso >ours && possible ours && perf script --unwind-style tables -i plain.data -F ip,sym,dso >out && test_cmp ours out
'
for style in libdw libunwind; do
	test_expect_success STYLE_$style "$style finds the same frames, signals and all" '
		perf script --unwind-style $style -i plain.data -F ip,sym,dso >$style.txt 2>err && test_line_count = 0 err &&
		compared ours $style.txt && test_grep " on_signal " $style.txt
	'
	test_expect_success STYLE_$style "$style in inject and by the configuration" '
		perf inject --convert-callchain --unwind-style $style -i plain.data -o conv.data 2>err &&
		perf script -i conv.data -F ip,sym,dso >conv.txt && test_cmp $style.txt conv.txt &&
		printf "[core]\n\tunwind-style = $style\n" >conf && PERF_CONFIG=$PWD/conf perf script -i plain.data -F ip,sym,dso >out && test_cmp $style.txt out &&
		perf report --unwind-style $style -i plain.data --folded - >out 2>/dev/null && test_grep "main;all;recurse;.*;leaf " out
	'
done
test_expect_success 'the first style of a list that is there; unknown ones are refused with the known ones' '
	perf script --unwind-style tables,libunwind -i plain.data -F ip,sym,dso >out && test_cmp ours out &&
	test_expect_code 255 perf script --unwind-style tables,frames -i plain.data 2>err &&
	test_grep "unwind-style: .frames. is unknown: the styles are tables, libdw and libunwind" err
'
test_have_prereq STYLE_libunwind ||
	test_expect_success 'a style that is not there is told' '
		test_expect_code 255 perf script --unwind-style libunwind -i plain.data 2>err && test_grep "built without that library" err &&
		perf script --unwind-style libunwind,tables -i plain.data -F ip,sym,dso >out && test_cmp ours out
	'
test_done
