#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 4
test_description='heat maps of report --heatmap in a browser'
. "$(dirname "$0")/../../lib/tap.sh"

lib() {
	local script=$SRC/tests/lib/python/$1
	shift
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$script" "$@"
}

test_require PYTHON

test_expect_success 'a recording, and its pictures' '
	lib durations.py 3000 && perf report -f -i durations.data --pair say:it,say:it --heatmap pairs.svg >out &&
	perf report -f -i durations.data --pair say:it,say:it --heatmap pairs.html >again && test_cmp out again
'
test_expect_success BROWSER 'in a browser: pairs, as a picture and as a page' '
	nr=$(grep -o "<title>[^<]*: [0-9]* pairs" pairs.svg | awk "{ n += \$(NF - 1) } END { print n }") && test "$nr" -gt 100 &&
	lib heatmap.py pairs.svg "$nr" && lib heatmap.py pairs.html "$nr"
'
test_done
