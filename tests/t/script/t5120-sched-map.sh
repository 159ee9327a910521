#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='sched map: what ran on each CPU, as the reference has it'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

perf sched record -q -o a.data -- sh -c 'for i in 1 2 3; do /bin/true; ls | sort; done'

# The reference shows tasks without a record of their name as ":72".
known() {
	# It introduces a task again that has executed a program of the same name.
	perl -ne 'print unless /=> :\d/ || (/secs (.* => .*?)( \(CPU \d+\))?$/ && $seen{$1}++)'
}

test_expect_success REFERENCE 'rows are those of the reference' '
	for o in "" --compact; do
		"$REF" sched -i a.data map $o 2>/dev/null | known >want &&
		perf sched -i a.data map $o >got &&
		test -s want && diff want got | grep "^<" >missing
		test_cmp /dev/null missing || return 1
	done
'
test_expect_success 'the CPU with the switch is marked, and tasks are introduced' '
	perf sched map -i a.data >out && test -s out && ! grep -v "\*" out &&
	grep -E "\*[A-Z][0-9] .* secs [A-Z][0-9] => [^ ]+:[0-9]+" out
'
test_expect_success 'only some CPUs' '
	perf sched map -i a.data --cpus 0 >out && test -s out && ! grep -vE "^  \*.. +[0-9.]+ secs" out
'
test_expect_success 'only tasks of a name, or of a part of it' '
	perf sched map -i a.data >all &&
	name=$(sed -n "s/.*=> \([a-z0-9_]*\):[0-9]*$/\1/p" all | grep -vx swapper | sed -n 1p) && test -n "$name" &&
	perf sched map -i a.data --task-name "$name" >out && grep "=> $name:" out && ! grep "=> swapper:" out &&
	perf sched map -i a.data --task-name "${name%?}" --fuzzy-name >fuzzy && grep "=> $name:" fuzzy &&
	test "$(wc -l <out)" -le "$(wc -l <fuzzy)" &&
	perf sched map -i a.data --task-name "no $name" >none && ! test -s none &&
	test_expect_code 129 perf sched map --fuzzy-name 2>err && grep -e "--task-name" err
'
test_expect_success 'colours when asked for' '
	perf sched map -i a.data --color-cpus 0 >plain && ! grep -q "$(printf "\033")" plain &&
	perf sched map -i a.data --color-cpus 0 --color always >out && grep -q "$(printf "\033\\[41m\\*")" out &&
	sed "s/$(printf "\033")\[[0-9]*m//g" out >stripped && test_cmp plain stripped
'
test_expect_success 'a list that is none is refused' '
	test_expect_code 129 perf sched map --cpus x 2>err && grep -e "--cpus" err
'
test_done
