# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# perf report beside the reference's. Source this.

# same FILE [OPTION...]: rows and head lines
same() {
	local f=$1

	shift
	"$REF" report --stdio -f -i "$f" "$@" 2>/dev/null </dev/null | grep -v "^# (Tip:" >ref.out
	perf report --stdio -f -i "$f" "$@" 2>our.err </dev/null | grep -v "^# (Tip:" >our.out
	test_line_count -ge 2 our.out && test_cmp ref.out our.out
}
