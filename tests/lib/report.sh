# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# perf report beside the reference's. Source this.

# steady: a report without what chance decides: the tip, and whether the reference calls what is left in a
# fractal graph inlined, for which it looks at memory it never set
steady() {
	sed '/^# (Tip:/d; s/--\[\.\.\.\] (inlined)$/--[...]/'
}

# same FILE [OPTION...]: rows and head lines
same() {
	local f=$1

	shift
	"$REF" report --stdio --no-inline -f -i "$f" "$@" 2>ref.err </dev/null | steady >ref.out
	perf report --stdio --no-inline -f -i "$f" "$@" 2>our.err </dev/null | steady >our.out
	test_line_count -ge 2 our.out && test_cmp ref.out our.out
}
