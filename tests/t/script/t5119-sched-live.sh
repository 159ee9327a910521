#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='sched latency --live: tables while things run, without a file'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# Work until the command is over, with a name that nothing else has.
while_napping() {
	perl -e '$0 = "napper"; select(undef, undef, undef, 0.005) while 1' &
	nap=$!
	"$@"
	status=$?
	kill $nap
	wait $nap 2>/dev/null
	return $status
}

test_expect_success 'tables come while it runs, and one at the end' '
	while_napping timeout -s INT 2 perf sched latency --live --refresh 500 --comm napper >out 2>err
	test $(grep -c "^  TOTAL:" out) -ge 2 && grep "^  napper:[0-9]* *|" out && test ! -e perf.data &&
	perl -ne "if (/^  napper:\d+ *\|.*\| *(\d+) \| avg/) { die \$_ if \$1 < \$last; \$last = \$1 } END { exit !\$last }" out
'
test_expect_success 'rows for programs, by cgroup' '
	while_napping timeout -s INT 2 perf sched latency --live --refresh 60000 --cgroup --json >out
	grep "\"cgroup\":\"/.*\"switches\":[1-9]" out
'
test_expect_success 'it reads no recording' '
	test_expect_code 129 perf sched latency --live -i perf.data 2>err && grep "leave out -i" err
'
test_done
