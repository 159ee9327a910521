#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 1 of 4
test_description='sched latency by cgroup and as rows for programs; filters of tasks in all verbs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

perf sched record --all-cgroups -q -o a.data -- sh -c 'for i in 1 2 3; do /bin/true; ls /usr/bin | sort | wc -l; done'
perf sched record -q -o none.data -- true

test_expect_success 'rows for programs have the numbers of the table' '
	perf sched latency -i a.data -p >text && perf sched latency -i a.data -p --json >json &&
	perf sched latency -i a.data -p --csv >csv &&
	perl -ne "print qq(\$1 \$2 \$3 \$4\n) if /:(\d+) *\| *([\d.]+) ms \| *(\d+) \| avg:.*max: *([\d.]+) ms/" text >want &&
	perl -MJSON::PP -ne "\$r = decode_json(\$_); printf qq(%d %.3f %d %.3f\n), \$r->{tid}, \$r->{runtime_ns} / 1e6,
		\$r->{switches}, \$r->{delay_max_ns} / 1e6" json >got &&
	test -s want && test_cmp want got &&
	test $(wc -l <got) = $(sed 1d csv | wc -l) && head -1 csv | grep "^comm,tid,tasks,cgroup,runtime_ns,switches,"
'
test_expect_success 'cgroups have the switches of their tasks' '
	perf sched latency -i a.data --cgroup --json >groups && grep "\"cgroup\":\"/" groups &&
	perl -MJSON::PP -e "for \$f (qw(groups json)) { open F, q(<), \$f; \$n{\$f} += decode_json(\$_)->{switches} while <F> }
		exit !(\$n{json} && \$n{groups} == \$n{json})" &&
	perf sched latency -i a.data --cgroup >text && grep -E "^  /.*:\([0-9]+\) *\|" text &&
	test_expect_code 255 perf sched latency -i none.data --cgroup 2>err && grep "sched record --all-cgroups" err &&
	test_expect_code 129 perf sched latency -i a.data --cgroup -p 2>err && grep "choose one" err
'
# Not every task has a row: some kernels do not tell of all switches.
read -r comm tid <<<"$(perl -ne 'if (/"comm":"(sort|ls|sh|wc|true)","tid":(\d+)/) { print "$1 $2"; exit }' json)"
test_expect_success 'tasks are chosen by name, thread and process' '
	perf sched latency -i a.data --comm $comm,nobody --json >some && test -s some && ! grep -v "\"comm\":\"$comm\"" some &&
	for o in --tid --pid; do
		perf sched latency -i a.data $o $tid -p --json >one && test $(wc -l <one) = 1 &&
		grep "\"tid\":$tid," one && grep -F -x -f one json || return 1
	done &&
	perf sched timehist -i a.data --comm $comm --json >some && test -s some && ! grep -v "\"comm\":\"$comm\"" some &&
	perf sched map -i a.data --comm $comm >map && grep "=> $comm:" map && ! grep "=>" map | grep -v "=> $comm:" &&
	perf sched map -i a.data --tid $tid >map && grep "=> .*:$tid\$" map && ! grep "=>" map | grep -v ":$tid\$"
'
test_done
