#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='kwork -b: interrupts, softirqs and works are counted in the kernel, as a recording of the same time has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS
perf kwork report -b -- true >out 2>err || test_skip_all "$(head -n 1 err)"

busy='for i in 1 2 3; do dd if=/dev/zero of=x bs=64k count=4 conv=fsync 2>/dev/null; sleep 0.01; done'
# What is counted lies within what is recorded.
perf kwork record -q -o a.data -- "$PERF" kwork report -b -S -- sh -c "$busy" >live || exit 1

# rows FILE: name, CPU and count of softirqs and interrupts
rows() { sed -n 's/^  \(([s])[^ ]*\|[a-z][^ (]*:[0-9]*\) *| \([0-9]*\) | *[0-9.]* ms | *\([0-9]*\) .*/\1 \2 \3/p' "$1"; }

test_expect_success 'softirqs, interrupts and works with their names' '
	test_grep "^  Kwork Name  *| Cpu  | Total Runtime | Count " live && grep -qE "^  \(s\)[A-Z_]+:[0-9]+ .* ms " live && grep -qE "^  \(w\)[a-z_]+ " live &&
	test_grep "Total count  *: *[1-9]" live && test_grep "% load average" live
'
test_expect_success 'no more than was recorded at the time, and of what there is much not much less' '
	perf kwork report -i a.data >all && rows all >recorded && rows live >counted && test -s counted && perl -ne "
		/(\S+) (\d+) (\d+)/; if (\$ARGV eq q{recorded}) { \$r{qq{\$1 \$2}} = \$3 } else { \$c += \$3; \$bad |= \$3 > \$r{qq{\$1 \$2}} }
		END { exit !(\$c && !\$bad) }" recorded counted
'
test_expect_success 'delays, classes, names and CPUs' '
	perf kwork -k softirq latency -b -- sh -c "$busy" >out &&
	test_grep "| Avg delay  *| Count  *| Max delay " out && grep -q "^  (s)" out && ! grep "^  (w)" out &&
	perf kwork report -b -C 0 -n RCU -k softirq -- sh -c "$busy" >out && ! grep "^  (s)" out | grep -v "^  (s)RCU:9  *| 0000 |"
'
test_expect_success 'top: all CPUs have as much time as passed, and tasks have their names' '
	perf kwork top -b -- sh -c "$busy; \"$PERF\" test -w noploop 0.3" >out && perl -ne "
		(\$all, \$cpus) = (\$1, \$2) if /^Total  : +([\d.]+) ms, (\d+) cpus/;
		\$other = \$1 + \$2 if /%Cpu.s.:.*id, +([\d.]+)% hi, +([\d.]+)% si/;
		\$tasks += \$1 if /% +([\d.]+) ms  /;
		END { exit !(\$all && abs(\$tasks - \$all * (1 - \$other / 100)) < 0.02 * \$all + 0.1) }" out &&
	grep -q " ms  perf" out && perf kwork top -b -k sched -- true >plain && test_grep "0.00% hi,   0.00% si" plain
'
test_expect_success 'Ctrl-C ends it with the table' '
	env --default-signal=INT "$PERF" kwork report -b >out & own=$!
	loaded() { test "$(grep -hs "^prog_type:" /proc/$own/fdinfo/* | wc -l)" -ge 8; } && wait_for loaded && sleep 0.2 && kill -INT $own && wait $own &&
	test_grep "Kwork Name" out && grep -q "^  (s)" out
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf kwork report true 2>err && test_expect_code 129 perf kwork report -b -i x 2>err && test_grep "about a recording" err &&
	test_expect_code 129 perf kwork report -b -k sched 2>err && test_grep "cannot show all of .sched" err &&
	test_expect_code 255 perf kwork report -b -C 9999 -- true 2>err && test_expect_code 255 perf kwork latency -b -- ./no/such/program 2>err &&
	test_grep "Workload failed: ./no/such/program" err
'
test_done
