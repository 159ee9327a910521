#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='kwork: interrupts, softirqs and works of workqueues, as the reference has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# Softirqs are raised and handled while this runs, and a work writes back what was written.
busy='for i in 1 2 3; do dd if=/dev/zero of=x bs=64k count=4 conv=fsync 2>/dev/null; sleep 0.01; done'
perf kwork record -q -o a.data -- sh -c "$busy"

rows() {
	grep -E ' \| [0-9]{4} \| ' "$1" | sort
}

test_expect_success 'all classes are recorded, or those that are chosen' '
	perf evlist -i a.data >events && for e in irq:irq_handler_entry irq:softirq_raise \
		workqueue:workqueue_execute_end sched:sched_switch; do grep -x $e events || return 1; done &&
	perf kwork -k softirq record -q -o s.data -- true && perf evlist -i s.data >events &&
	grep -x irq:softirq_entry events && ! grep -E "irq_handler|workqueue|sched" events
'
test_expect_success 'each verb prints its table' '
	perf kwork -i a.data report >out && grep -q "^  Kwork Name  *| Cpu  | Total Runtime | Count " out && rows out | grep "(s)" &&
	perf kwork -i a.data latency >out && grep -q "| Avg delay  *| Count  *| Max delay " out && rows out | grep "(s)" &&
	perf kwork -i a.data timehist >out && grep -q "Kwork name  *Runtime  *Delaytime" out && grep -E "\[[0-9]{4}\]  \(s\)" out &&
	perf kwork -i a.data top >out && grep -q "PID  *%CPU  *RUNTIME  COMMAND" out && grep -E " ms  (dd|sh)$" out
'
test_expect_success 'options stand before and behind the verb, and verbs may be short' '
	perf kwork -k irq -i a.data report >before && perf kwork rep -k irq -i a.data >behind && test_cmp before behind &&
	! grep -E "\((s|w)\)" before
'
test_expect_success 'the summary adds up the rows' '
	perf kwork report -i a.data -S >out && perl -ne "
		if (/\| \d{4} \| +([\d.]+) ms \| +(\d+) \|/) { \$ms += \$1; \$n += \$2 }
		\$count = \$1 if /Total count +: +(\d+)/; \$all = \$1 if /Total runtime .*: +([\d.]+) /;
		END { exit !(\$n && \$count == \$n && abs(\$all - \$ms) < 0.001 * \$. + 0.001) }" out
'
test_expect_success 'rows are sorted by the keys, and unknown keys are refused' '
	perf kwork report -i a.data -s count >out && rows=$(sed -n "s/.* ms | *\([0-9]*\) | .*/\1/p" out) &&
	test "$rows" = "$(echo "$rows" | sort -nr)" && test -n "$rows" &&
	test_expect_code 129 perf kwork report -s avg 2>err && grep "Unknown --sort key: .avg" err &&
	test_expect_code 129 perf kwork -k nonsense report 2>err && grep "Unknown --kwork key: .nonsense" err &&
	test_expect_code 129 perf kwork latency -k sched 2>err && grep "cannot show all of .sched" err &&
	test_expect_code 129 perf kwork nonsense 2>err && grep nonsense err &&
	test_expect_code 129 perf kwork -D report 2>err && grep "kwork -D script" err
'
test_expect_success 'filters of name, CPU and time' '
	name=$(perf kwork report -i a.data | sed -n "s/^  (s)\([A-Z_]*\):.*/\1/p" | head -n 1) && test -n "$name" &&
	perf kwork report -i a.data -n "$name" >out && rows out >some && test -s some && ! grep -vF "(s)$name:" some &&
	perf kwork report -i a.data -C 0 >out && rows out >one && ! grep -vF "| 0000 |" one &&
	perf kwork report -i a.data --time ,1 >out && test -z "$(rows out)"
'
test_expect_success REFERENCE 'runs are those of the reference' '
	for o in "report -s runtime" "-k irq report" "-k softirq report -s max" "report -C 0"; do
		"$REF" kwork $o -i a.data >ref 2>/dev/null; perf kwork $o -i a.data >out &&
		rows ref | grep -v "^  (w)" >want; rows out | grep -v "^  (w)" >got; test_cmp want got || return 1
	done && grep "(s)" want &&
	"$REF" kwork -k irq,softirq timehist -i a.data 2>/dev/null | cut -c1-91 >want &&
	perf kwork -k irq,softirq timehist -i a.data | cut -c1-91 >got && test_cmp want got
'
# The reference takes the delay since the last of several raises, which it tells as skipped events.
test_expect_success REFERENCE 'delays of softirqs are those of the reference' '
	"$REF" kwork -k softirq latency -i a.data >ref 2>/dev/null && perf kwork -k softirq latency -i a.data >out &&
	rows ref >want && rows out >got && test -s want &&
	{ grep "including [1-9][0-9]* raise" ref || test_cmp want got; } # raised again: they count from another time
'
# No softirq runs that was not raised. The events are switched on, and off, one after the other, so only while the command runs is
# each raise and each run told of; then one may be raised before that time, and one end behind it.
test_expect_success 'each run of a softirq has a delay' '
	perf script -i a.data -F comm,time >when && within=$(perl -ne "
		/^ *dd +([\d.]+):/ or next; \$first //= \$1; \$last = \$1; END { print qq{\$first,\$last}; exit !\$first }" when) && echo "$within" &&
	perf kwork -k softirq latency -i a.data --time "$within" >delays && perf kwork -k softirq report -i a.data --time "$within" >runs && perl -ne "
		/^  (\(s\)\S+) *\| (\d+) *\| *[\d.]+ ms \| *(\d+)/ or next; \$n{qq{\$1 \$2}}{\$ARGV} = \$3;
		END { for (keys %n) { \$off = \$n{\$_}{runs} - \$n{\$_}{delays}; \$nr += \$n{\$_}{runs}; \$bad .= qq{\$_: \$off } if abs(\$off) > 1 }
			die \$bad if \$bad; exit !\$nr }" delays runs
'
sum() { perl -ne '$n += $1 if / ms \| +(\d+) \|/; END { print $n + 0 }' "$1"; }
test_expect_success 'heat maps have the runs and the delays of the rows' '
	for o in "" "-k softirq" "-C 0" "-n RCU"; do
		for verb in report latency; do
			perf kwork $verb -i a.data $o --heatmap $verb.html >out && test "$(in_heatmap $verb.html)" = "$(sum out)" || return 1
		done
	done && perf kwork report -i a.data >out && test "$(sum out)" -gt 0 &&
	perf kwork timehist -i a.data --heatmap t.html >out && test "$(in_heatmap t.html)" = "$(grep -cE " [0-9]+\.[0-9]+  +[0-9]+\.[0-9]+ *\$" out)" &&
	perf kwork report -i a.data --heatmap r.svg >out && test_grep "Runs of work of the kernel" r.svg &&
	perf kwork latency -i a.data --heatmap l.svg >out && test_grep "Delays of work of the kernel" l.svg &&
	test_expect_code 129 perf kwork report -b --heatmap x.svg true 2>err && test_grep "needs a recording" err && ! test -e x.svg &&
	test_expect_code 255 perf kwork report -i a.data --heatmap no/such/file 2>err && test_grep "no/such/file" err
'
test_expect_success 'works have the names of functions, and the history has call chains' '
	perf kwork record -q -g -o g.data -- sh -c "$busy" &&
	perf kwork -k workqueue report -i g.data >out && grep -E "^  \(w\)[a-z_]+" out &&
	perf kwork timehist -g -i g.data >out && grep -E "[0-9] +[a-z_]+( <- [][a-z_]+)+$" out &&
	perf kwork timehist -g --max-stack 1 -i g.data >few && test $(wc -c <few) -lt $(wc -c <out) &&
	perf kwork timehist -i g.data >none && ! grep -q -e "<-" none
'
test_expect_success 'top: all CPUs have as much time as passed, and interrupts are taken off' '
	perf kwork top -i a.data >out && perl -ne "
		(\$all, \$cpus) = (\$1, \$2) if /^Total  : +([\d.]+) ms, (\d+) cpus/;
		\$other = \$1 + \$2 if /%Cpu.s.:.*id, +([\d.]+)% hi, +([\d.]+)% si/;
		\$tasks += \$1 if /% +([\d.]+) ms  /;
		END { exit !(\$all && abs(\$tasks - \$all * (1 - \$other / 100)) < 0.002 * \$all + 0.1) }" out &&
	perf kwork top -k sched -i a.data >plain && grep "0.00% hi,   0.00% si" plain &&
	perf kwork top -i a.data -s tid >out && perl -ne "if (/^ +(\d+) +[\d.]+%/) { die if \$1 < \$last; \$last = \$1 }" out
'
test_expect_success 'a recording without the events is refused with the command that makes one' '
	perf record -q -e task-clock -o other.data true &&
	for verb in report latency timehist; do
		test_expect_code 255 perf kwork $verb -i other.data 2>err >out &&
		grep "kwork $verb: the recording has none of irq:irq_handler_entry" err && grep "perf kwork record" err || return 1
	done &&
	test_expect_code 255 perf kwork top -i s.data 2>err && grep "has no sched:sched_switch, only irq:softirq_raise" err
'
test_expect_success 'a stream, and script' '
	perf kwork record -q -o - -- true | perf kwork -i - report >out && grep -q "Kwork Name" out &&
	perf kwork -i a.data script -F event >out && perf script -i a.data -F event >want && test_cmp want out
'
test_done
