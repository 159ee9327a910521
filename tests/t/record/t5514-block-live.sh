#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='block live: tables while devices work, and the report of all of it at the end, without a file'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

test_lazy_prereq LOOP 'no loop device could be made' '
	truncate -s 8M "$TRASH/disk" && losetup -f --show "$TRASH/disk" >"$TRASH/loop"
'
trap 'test ! -s "$TRASH/loop" || losetup -d "$(cat "$TRASH/loop")"' EXIT
# while_writing COMMAND...: write the loop device until the command is over
while_writing() {
	"$@" &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		dd if=/dev/zero of="$loop" bs=4k count=5 oflag=direct 2>/dev/null && sleep 0.05
	done
	wait $pid
}
test_expect_success LOOP 'tables come while it runs, and the report at Ctrl-C' '
	loop=$(cat "$TRASH/loop") && while_writing timeout --preserve-status -s INT 2 perf block live --refresh 400 -d $loop --comm dd >out 2>err &&
	test "$(grep -c "^# in [0-9.]* s$" out)" -ge 2 && test_grep "^# device  *reads/s .* write KiB/s" out && test_grep "^# ${loop#/dev/} (.*): busy " out &&
	test ! -s err && test ! -e perf.data
'
test_expect_success LOOP 'the report is of all tables' '
	perl -ne "\$total = 1 if /: busy /; if (m{^  \S+ +dd/\d+ +0 +(\d+) }) { \$total ? (\$all += \$1) : (\$sum += \$1) } END { exit !(\$sum >= 10 && \$all >= \$sum) }" out
'
test_expect_success LOOP 'SIGTERM ends it as well; rows for programs' '
	while_writing timeout --preserve-status -s TERM 1 perf block live --refresh 60000 -d $loop --by op --json >out &&
	test_grep "{\"op\":\"WS\",.*\"write_requests\":[1-9]" out
'
test_expect_success 'a closed pipe ends it' '
	timeout 20 perf block live --refresh 100 | head -1 >out && test_grep "^# in " out
'
test_expect_success 'it reads no recording' '
	test_expect_code 129 perf block live -i perf.data 2>err && grep "leave out -i" err &&
	test_expect_code 129 perf block live --refresh 0 2>err && grep "0 ms are too few" err
'
test_done
