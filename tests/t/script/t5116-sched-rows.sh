#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 1 of 4
test_description='sched timehist: priorities, delays before migrations, idle time by call chain, rows for programs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

perf sched record -g -q -o a.data -- nice -n 5 sh -c 'for i in 1 2 3; do /bin/true; ls /usr/bin | sort | wc -l; done'

test_expect_success 'priorities are a column, and choose rows' '
	perf sched timehist -i a.data --show-prio --no-call-graph | sed 1,3d >all &&
	grep -E "^ +[0-9.]+ \[[0-9]+\]  ls\[[0-9/]+\] +125 +[0-9.]+ +[0-9.]+ +[0-9.]+ *\$" all &&
	perf sched timehist -i a.data --show-prio --prio 125 --no-call-graph | sed 1,3d >nice &&
	test -s nice && ! grep -v -E "\] +([0-9]+->)?125 " nice &&
	test_expect_code 129 perf sched timehist -i a.data --prio high 2>err &&
	grep "is not a list of priorities" err
'
test_expect_success 'delays before migrations are parts of delays' '
	perf sched timehist -i a.data -P >out && grep "sch delay  pre-mig time   run time" out &&
	perf sched timehist -i a.data --json >rows &&
	perl -ne "next unless /\"delay_ns\":(\d+),\"pre_migration_ns\":(\d+)/; \$n++; die \$_ if \$2 > \$1;
		END { exit !\$n }" rows
'
test_expect_success 'rows for programs have the numbers of the text' '
	perf sched timehist -i a.data -wM | sed 1,3d >text &&
	perf sched timehist -i a.data -wM --json >json && perf sched timehist -i a.data -wM --csv >csv &&
	test $(wc -l <text) = $(wc -l <json) && test $(wc -l <json) = $(sed 1d csv | wc -l) &&
	head -1 csv | grep "^kind,time_ns,cpu,comm,tid,pid,prio,state,wait_ns,delay_ns,pre_migration_ns,run_ns," &&
	perl -MJSON::PP -ne "\$r = decode_json(\$_); next if \$r->{kind} ne q(switch);
		printf qq(%.3f %.3f %.3f\n), map { int(\$r->{\$_} / 1000) / 1000 } qw(wait_ns delay_ns run_ns)" json >got &&
	perl -ne "print qq(\$1 \$2 \$3\n) if /(?:\]|<idle>) +([\d.]+) +([\d.]+) +([\d.]+) *(  |\$)/" text >want &&
	test -s want && test_cmp want got
'
test_expect_success 'so have sums, and there is one table at a time' '
	perf sched timehist -i a.data -s | perl -ne "print qq(\$1\n) if /\] +-?\d+ +(\d+) +[\d.]+ /" | sort >want &&
	perf sched timehist -i a.data -s --json | perl -MJSON::PP -ne "print decode_json(\$_)->{runs}, qq(\n)" | sort >got &&
	test -s want && test_cmp want got &&
	test_expect_code 129 perf sched timehist -i a.data -S --json 2>err && grep "two tables" err &&
	test_expect_code 129 perf sched timehist -i a.data --csv --json 2>err && grep "two forms" err
'
test_expect_success 'heat maps have the delays of the tables' '
	perf sched latency -i a.data -H --heatmap l.html >out && n=$(sed -n "s/^Latency Distribution.*, \([0-9]*\) delays\$/\1/p" out) &&
	test "$n" -gt 0 && test "$(in_heatmap l.html)" = "$n" &&
	perf sched timehist -i a.data --json --comm ls --heatmap t.html >json &&
	test "$(in_heatmap t.html)" = "$(grep -c "\"delay_ns\":[1-9]" json)" && test -s json &&
	perf sched timehist -i a.data -s --heatmap t.svg >/dev/null && grep "^<svg" t.svg && grep "Delays of tasks" t.svg &&
	test_expect_code 255 perf sched latency -i a.data --heatmap no/such/file >/dev/null 2>err && grep "no/such/file" err
'
test_expect_success 'idle time is summed up by the call chains before it' '
	perf sched timehist -i a.data -I -s >out && grep "^Idle stats by callchain:" out &&
	perl -ne "\$cpu{\$1} = \$2 if /CPU +(\d+): +([\d.]+) +msec\$/; \$at = \$1 if /CPU +(\d+): /;
		\$sum{\$at} += \$1 if /^ +([\d.]+) +\d+  \S/;
		END { for (keys %cpu) { die qq(\$_: \$sum{\$_}) if \$sum{\$_} > \$cpu{\$_} + 0.01 } exit !%cpu }" out &&
	perf sched timehist -i a.data -I -s --no-call-graph >none && ! grep "by callchain" none
'
test_done
