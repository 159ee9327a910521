#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='lock: recordings of kernels with LOCKDEP and without, of the other byte order, with lost events'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

kernel() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/lock-kernels.py" "$@"; }
for k in waits lockdep; do
	kernel $k.data kallsyms $k && kernel $k.big.data kallsyms $k big || exit 1
done
kernel lost.data kallsyms waits lost || exit 1

con() { local f=$1 && shift && perf lock contention --kallsyms kallsyms -i "$f" "$@" 2>got; }

test_expect_success 'waits by caller, in all units' '
	con waits.data && cat >want <<-\EOF && test_cmp want got
	 contended   total wait     max wait     avg wait         type   caller

	         1      1.50 m       1.50 m       1.50 m       rwsem:R   other_asker+0x20
	         1      3.00 s       3.00 s       3.00 s       rwsem:W   other_asker+0x20
	         1      3.00 ms      3.00 ms      3.00 ms        mutex   asker+0x10
	         2      3.00 us      2.50 us      1.50 us     spinlock   asker+0x10
	         1         0 ns         0 ns         0 ns   pcpu-sem:R   Unknown
	EOF
'
test_expect_success 'by lock, task and cgroup' '
	con waits.data -l && test_grep "^ *2 .* us   ffffffff81009000   the_lock (spinlock)$" got && test_grep "^ *2 .* 46.50 s    0000000000000020   (rwsem)$" got &&
	con waits.data -t && test_grep "^ *3 .*  101   a,b$" got && con waits.data --lock-cgroup && test_grep "^ *1 .* 3.00 s    /app/part$" got
'
test_expect_success 'filters' '
	con waits.data -q -L the_lock && test_line_count = 1 got && con waits.data -q -L 0x20,0x30 && test_line_count = 3 got &&
	con waits.data -q -G app && test_grep "3.00 s" got && ! grep "1.50 m" got && con waits.data -q -S far_ab && test_line_count = 2 got &&
	con waits.data -q -Y rwsem:W,pcpu-sem && test_line_count = 2 got && con waits.data -q -C 1 -Y spinlock && test_grep "500 ns" got &&
	con waits.data -q --tid 100 -t && test_line_count = 1 got
'
test_expect_success 'heat maps have the waits of the rows' '
	con waits.data --heatmap all.html && test "$(in_heatmap all.html)" = 6 && test_grep "Waits for locks" all.html &&
	con waits.data -Y spinlock --heatmap some.html && test "$(in_heatmap some.html)" = 2 &&
	con waits.data -l --heatmap some.html && test "$(in_heatmap some.html)" = 6 &&
	perf lock report -i lockdep.data --heatmap report.html 2>got && test "$(in_heatmap report.html)" = 2 &&
	test_expect_code 129 perf lock contention -b --heatmap x.svg true 2>err && test_grep "needs a recording" err
'
test_expect_success 'cells with the separator are in quotes' 'con waits.data -x , -t && test_grep ", 101, .a,b.$" got'
test_expect_success 'waits that are not complete' '
	con lost.data -v && test_grep "^waits without an end: 1, ends without a begin: 1, waits with lost events: 1$" got && test_grep "lost events (17 out of" got
'
test_expect_success 'the events of LOCKDEP, one by one' '
	perf lock report -i lockdep.data 2>got && test_grep "^          first_lock          2          1       100 ns       100 ns" got &&
	test_grep "^ a_read_lock_with\.\.\.          2          1      3.00 us" got && test_grep "^bad: 1, total: 4$" got && test_grep "^   acquired: 1$" got &&
	! grep begun_before got && perf lock report -c -i lockdep.data 2>got && test_grep "^          first_lock          3          1 " got
'
# The reference does not let readers wait.
test_expect_success REFERENCE 'as the reference counts them' '
	for o in "report" "report -t" "report -c" "report -k contended -F contended,acquired"; do
		"$REF" lock -i lockdep.data $o 2>ref >out && perf lock -i lockdep.data $o 2>got && sed -n "/===/q; /read_lock/d; / first /d; p" ref | sort >want &&
		sed -n "/===/q; /read_lock/d; / first /d; p" got | sort | test_cmp want - || return 1
	done
'
test_expect_success 'waits of LOCKDEP, and its locks' '
	perf lock contention -i lockdep.data 2>got && test_grep "^ *2      3.10 us      3.00 us      1.55 us      unknown   Unknown$" got &&
	perf lock info -m -i lockdep.data 2>got && test_grep "^ 0x20: a_read_lock_with_a_long_name$" got
'
test_expect_success 'the other byte order, and pipes' '
	for o in "contention" "contention -l" "contention -t" "contention --lock-cgroup" "contention -v" info; do
		perf lock -i waits.data --kallsyms kallsyms $o 2>want && perf lock -i waits.big.data --kallsyms kallsyms $o 2>got && test_cmp want got || return 1
	done && perf lock report -i lockdep.data 2>want && perf lock report -i lockdep.big.data 2>got && test_cmp want got &&
	perf lock report -i - <lockdep.big.data 2>got && test_cmp want got
'
test_expect_success 'recordings that are cut off end with what there is' '
	size=$(stat -c %s waits.data) && for part in 3 5 8; do
		head -c $((size * part / 9)) waits.data >cut.data && { con cut.data || test -s got; } && ! grep -i "assert\|sanitizer" got || return 1
	done
'
test_done
