#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='lock --user: who waits for futexes of programs, and a known number of waits'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

lineup=$(program lineup)
perf lock record --user -q -o a.data -- "$lineup" futex 6 || exit 1
user() { local f=$1 && shift && perf lock contention --user -i "$f" "$@" 2>got; }

test_expect_success 'calls on futexes are recorded, with maps of data' '
	perf evlist -v -i a.data >events && test_grep "^syscalls:sys_enter_futex: .*mmap_data: 1" events && test_grep "^syscalls:sys_exit_futex:" events &&
	! grep "^lock:" events
'
test_expect_success 'a known number of waits, the variable, and who ended them' '
	user a.data && test_grep "^ contended   total wait     max wait     avg wait            address   symbol$" got &&
	test_grep "^ *6 .* m*s   [0-9a-f]\{16\}   gate (guess: lineup/[0-9]*)$" got
'
test_expect_success 'a heat map has all waits' '
	user a.data -q -k contended -F contended --heatmap all.html && n=$(awk "{ n += \$1 } END { print n }" got) &&
	test "$n" -ge 6 && test "$(in_heatmap all.html)" = "$n"
'
test_expect_success 'columns, rows and filters' '
	user a.data -q -E 1 -k contended -F contended && test_line_count = 1 got && test_grep "^ *6   " got &&
	tid=$(perf script -i a.data -F tid,event | sed -n "s/^ *\([0-9]*\) .*enter_futex.*/\1/p" | head -n 1) && user a.data -q --tid $tid -k contended &&
	test_grep "^ *1 .* gate" got && user a.data -q -p 1 && test ! -s got
'
test_expect_success 'for programs, and through a pipe' '
	user a.data -x , -E 1 && test "$(sed "s/[^,]//g" got | sort -u)" = ,,,,,, && test_grep "^# output: .*, address, symbol, holder$" got &&
	user a.data && perf lock contention --user -i - <a.data 2>pipe && test_cmp got pipe &&
	perf lock record --user -q -o - -- "$lineup" futex 3 | perf lock contention --user -i - -q 2>live && test_grep "^ *3 .* gate" live
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf lock contention --user -b 2>err && test_grep "about locks of the kernel" err &&
	test_expect_code 129 perf lock contention --user -Y mutex 2>err &&
	perf record -q -e task-clock -o other.data true && test_expect_code 255 perf lock contention --user -i other.data 2>err &&
	test_grep "perf lock record --user$" err
'
test_done
