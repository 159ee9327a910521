#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='the page of timechart --html in a browser'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

page() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/timelinepage.py" "$@"; }

test_expect_success 'a page is written when --html or the name of the output says so' '
	page make && perf timechart -f -i tl.data --html 2>err && tail -n 1 err | grep -x "Written 0.1 seconds of trace to output.html." &&
	perf timechart -f -i tl.data -o page.htm 2>err && cmp output.html page.htm &&
	perf timechart -f -i tl.data --html -o - 2>err >out && cmp output.html out && grep "<script>" out &&
	grep "default-src .none.; script-src .sha256-" out && ! grep "<b>" out
'
test_expect_success 'options that only pictures have are refused' '
	test_expect_code 129 perf timechart -i tl.data --html -w 500 2>err && grep -e "-w and -n are for pictures" err &&
	test_expect_code 129 perf timechart -i tl.data -o x.html -n 5 2>err && grep -e "-w and -n are for pictures" err && ! test -e x.html
'
test_expect_success BROWSER 'the browser opens it, and a large one' '
	page make 9000 && perf timechart -f -i tl.data -o large.html 2>err && page look output.html large.html >seen
'
for check in opens rows_and_names sums something_is_drawn wheel_and_drag pointer_tells_latency list_and_lanes marks measure \
	wakers search_and_folding folded_sums search_events queues other_events address_and_theme first_view_of_a_large_page; do
	test_expect_success BROWSER "in the browser: $check" '
		grep "ok $check\(:\|\$\)" seen; test_grep "^ok $check\$" seen
	'
done
test_done
