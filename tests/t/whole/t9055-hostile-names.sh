#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Not beside others: we escape what such names do to a terminal, the reference does not, and both
# would find them in the recordings of the whole system that other tests compare.
# with sanitizers turn 1 of 4
test_description='programs with names that a terminal, a line or JSON would stumble over, while they run'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_expect_success 'control bytes in names do not reach the terminal' '
	cp /bin/true "$(printf "x\033[31m")" &&
	perf record -q -c 1 -e page-faults -o esc.data "./$(printf "x\033[31m")" 2>/dev/null &&
	perf report --stdio -i esc.data >out 2>/dev/null &&
	test_grep "x\\\\x1b\[31m" out && test_grep ! "$(printf "\033")" out
'

# A program whose name has a blank, an escape, a newline and a percent sign
odd=$(printf 'a b\033[31m\n%%s')

test_expect_success 'names with blanks, escapes and newlines' '
	mkdir "dir $odd" && cp "$(command -v perf)" "dir $odd/$odd" &&
	perf record -o odd.data "dir $odd/$odd" test -w noploop 0.2 &&
	perf report --stdio -i odd.data >out && cat -v out &&
	perf report --stdio -s comm -i odd.data >out2 &&
	perf script -i odd.data >out3 &&
	! grep -q "$(printf "\033")" out out2 out3 &&
	test_grep noploop out &&
	test_grep noploop out3
'

test_expect_success PYTHON 'JSON: names with quotes, control bytes and no UTF-8' '
	name=$(printf "a\\042b\\134c\\n\\377\\303\\274") && cp "$(command -v sleep)" "$name" &&
	perf record -q -o odd.data -e cpu-clock -c 10000 "./$name" 0.01 &&
	perf data convert --all --to-json odd.json -i odd.data 2>err && python3 - <<-"END"
	import json
	data = json.load(open("odd.json"))
	assert any("a\"b\\c\n\\xff\u00fc" in e.get("filename", "") for e in data["events"]), data["events"]
	END
'

test_done
