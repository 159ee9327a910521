#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='samples that read their groups: one of each member, in every command'
. "$(dirname "$0")/../../lib/tap.sh"
members='cpu-clock task-clock page-faults'
group='{cpu-clock,task-clock,page-faults}:S'

perf record -q -o reads.data -e "$group" perf test -w noploop 0.2 >/dev/null 2>&1 ||
	test_skip_all "this machine does not count $group"

# of FILE: event, samples, sum of periods; what the others are measured by
by_script() {
	perf script -i "$1" -F event,period 2>/dev/null |
		awk '{ sub(/:$/, "", $2); n[$2]++; p[$2] += $1 } END { for (e in n) printf "%s %d %d\n", e, n[e], p[e] }' |
		sort
}
by_stats() {
	awk '/ stats:$/ { e = $1 } /SAMPLE events:/ && e != "Aggregated" { print e, $3 }' | sort
}
by_report() {
	awk '/^# Samples:/ { gsub("\047", "", $NF); e = $NF } /%/ { n[e] += $2; p[e] += $3 }
		END { for (e in n) printf "%s %d %d\n", e, n[e], p[e] }' | sort
}

test_expect_success 'every member has samples' '
	by_script reads.data >want && test_line_count = 3 want &&
	for e in $members; do test_grep "^$e [1-9]" want || return 1; done
'
test_expect_success 'report has the samples and the periods of script' '
	perf report --stdio -n --show-total-period -g none --no-group -s comm -i reads.data 2>/dev/null |
		by_report >got && test_cmp want got
'
test_expect_success 'report --stats counts them' '
	perf report --stats -i reads.data 2>/dev/null | by_stats >got &&
	cut -d" " -f1,2 want >counts && test_cmp counts got
'
test_expect_success 'a member that did not go on has no sample' '
	clock=$(awk "/^cpu-clock/ { print \$2 }" want) && faults=$(awk "/^page-faults/ { print \$2 }" want) &&
	test "$faults" -lt "$clock"
'
test_expect_success 'data convert writes as many' '
	perf data convert --to-json out.json -i reads.data >/dev/null 2>&1 &&
	test "$(grep -c "\"timestamp\"" out.json)" = "$(awk "{ n += \$2 } END { print n }" want)"
'
test_expect_success 'a pipe brings the same' '
	perf record -q -o - -e "$group" perf test -w noploop 0.2 2>/dev/null >pipe.data &&
	perf script -i - -F event,period <pipe.data >/dev/null 2>&1 && by_script - <pipe.data >want.pipe &&
	test_line_count = 3 want.pipe &&
	perf report --stats -i - <pipe.data 2>/dev/null | by_stats >got &&
	cut -d" " -f1,2 want.pipe >counts && test_cmp counts got &&
	perf report --stdio -n --show-total-period -g none --no-group -s comm -i - <pipe.data 2>/dev/null |
		by_report >got && test_cmp want.pipe got
'
test_expect_success 'so does a compressed file' '
	perf record -q -z -o z.data -e "$group" perf test -w noploop 0.2 >/dev/null 2>&1 &&
	by_script z.data >want.z && test_line_count = 3 want.z &&
	perf report --stdio -n --show-total-period -g none --no-group -s comm -i z.data 2>/dev/null |
		by_report >got && test_cmp want.z got &&
	perf report --stats -i z.data 2>/dev/null | by_stats >got &&
	cut -d" " -f1,2 want.z >counts && test_cmp counts got
'
test_expect_success 'beside a group that is read, other events count as they are' '
	perf record -q -o mixed.data -e "{cpu-clock,page-faults}:S" -e task-clock perf test -w noploop 0.2 >/dev/null 2>&1 &&
	by_script mixed.data >want.mixed && test_line_count = 3 want.mixed &&
	perf report --stats -i mixed.data 2>/dev/null | by_stats >got &&
	cut -d" " -f1,2 want.mixed >counts && test_cmp counts got
'
test_done
