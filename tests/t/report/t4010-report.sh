#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 2 of 4
test_description='report: options, filters, what is said when there is nothing to show'
. "$(dirname "$0")/../../lib/tap.sh"
test_require CORPUS
chains=$CORPUS/with-callchain.perf.data
flat=$CORPUS/single-event-multi-process.perf.data

test_expect_success 'perf.data is the default, -i names another' '
	cp "$chains" perf.data &&
	perf report --stdio >a 2>/dev/null && perf report --stdio -i perf.data >b 2>/dev/null && cmp a b &&
	test_grep "^# Samples: 48K of event .cpu-clock.$" a
'
test_expect_success '-q: rows only' '
	perf report --stdio -q -g none -i "$chains" >out 2>/dev/null &&
	test_grep ! "^#" out && test_grep -E "^ +90.95% +0.00%  a.out" out
'
test_expect_success '-n and --show-total-period add up' '
	perf report --stdio --no-children -g none -n --show-total-period -s comm -i "$chains" >out 2>/dev/null &&
	awk "/%/ { n += \$2; p += \$3 } END { exit !(n == 48399 && p == 12099750000) }" out
'
test_expect_success 'rows add up to a hundred percent, and samples to all samples' '
	perf report --stdio -q -n -s pid,cpu,dso,sym -i "$flat" >out 2>/dev/null &&
	perf report --stdio -q -n -s comm -i "$flat" >all 2>/dev/null &&
	test "$(awk "{ n += \$2 } END { print n }" out)" = "$(awk "{ n += \$2 } END { print n }" all)"
'
test_expect_success '-t separates, without rulers' '
	perf report --stdio -t ";" -g none -i "$chains" >out 2>/dev/null &&
	test_grep "^# Children;    Self;Command;" out && test_grep ! "^# \.\.\." out
'
test_expect_success 'filters: one name takes its column away and is told above' '
	perf report --stdio -g none --comms a.out --dsos "[kernel.kallsyms]" -i "$chains" >out 2>/dev/null &&
	test_grep "^# comm: a.out$" out && test_grep "^# dso: \[kernel.kallsyms\]$" out &&
	test_grep ! "Shared Object" out
'
test_expect_success '--percentage relative makes the rest a hundred percent' '
	perf report --stdio -q --no-children -g none --percentage relative --dsos "[kernel.kallsyms]" -s dso -F overhead,dso \
		-i "$chains" >out 2>/dev/null &&
	test_grep -E "^ +100.00%" out
'
test_expect_success '--percent-limit leaves out rows and branches' '
	perf report --stdio -q -g none --percent-limit 5 -i "$chains" >out 2>/dev/null &&
	awk "/%/ { if (\$1 + 0 < 5) bad = 1; n++ } END { exit bad || !n }" out
'
test_expect_success '-C chooses processors' '
	perf report --stdio -q -n -s cpu -i "$CORPUS/perf.data.numatopology-3.2" >all 2>/dev/null &&
	perf report --stdio -q -n -s cpu -C 0 -i "$CORPUS/perf.data.numatopology-3.2" >one 2>/dev/null &&
	test "$(grep -c % all)" -gt 1 && test "$(grep -c % one)" = 1 && test_grep " 000$" one
'
test_expect_success 'nothing to show is said, and is no failure' '
	perf report --stdio -i "$CORPUS/perf.data.true.v1" >out 2>err &&
	test_grep "data has no samples!" err
'
test_expect_success 'a cut file shows what is there' '
	head -c 2000000 "$chains" >cut.data &&
	perf report --stdio -i cut.data >out 2>err; test_grep -E "^ +[0-9.]+% .*a.out" out && test -s err
'
test_expect_success 'workers: the output of one' '
	PERF_WORKERS=1 perf report --stdio -g fractal,1 -i "$chains" >one 2>/dev/null &&
	for n in 2 3 8; do
		PERF_WORKERS=$n perf report --stdio -g fractal,1 -i "$chains" >many 2>/dev/null && cmp one many || return 1
	done
'
test_done
