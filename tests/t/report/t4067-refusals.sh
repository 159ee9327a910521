#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 0 of 4
test_description='what report and diff refuse: each sentence, its status, and which one comes first'
. "$(dirname "$0")/../../lib/tap.sh"

test_require PYTHON
test_expect_success 'a recording' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "ID"]
		p.write("plain.data", [(p.attr(1, 0, fields), [1])],
		        [p.comm(100, 100, "prog")] + [p.sample(fields, TID=(100, 100), CPU=0, IP=0x1000, TIME=10**9 + i, PERIOD=1, ID=1) for i in range(3)])
	EOF
'

# refuses STATUS SENTENCE COMMAND...: nothing but that is said of what is wrong
refuses() {
	local status=$1 sentence=$2 got

	shift 2
	perf "$@" >out 2>err
	got=$?
	test $got = "$status" && grep -qF -- "$sentence" err && return
	echo "> perf $*: status $got instead of $status, and said:"
	sed 's/^/> /' err
	return 1
}
report() { refuses "$1" "$2" report -f -i plain.data "${@:3}"; }
diffs() { refuses "$1" "$2" diff -f "${@:3}"; }

test_expect_success 'report: options that exclude each other, before the file is opened' '
	report 234 "--prefix-strip requires --prefix" --prefix-strip 1 -k /nowhere &&
	report 234 "Invalid file: /nowhere" -k /nowhere --kallsyms /elsewhere &&
	report 234 "Invalid file: /elsewhere" --kallsyms /elsewhere --guestvmlinux /third &&
	report 234 "Invalid file: /third" --guestvmlinux /third
'
test_expect_success 'report: what the events do not allow comes before what options say' '
	report 254 "switch-on event not found (x)" --switch-on x --group-sort-idx 1 --stats --tasks &&
	report 234 "--group-sort-idx" --group-sort-idx 1 --mem-mode -b &&
	report 0 "branch and mem mode incompatible" --mem-mode -b -F sym --hierarchy &&
	report 0 "--hierarchy and --fields options cannot be used together" -F nothing --hierarchy --stats --tasks &&
	test "$(grep -c "perf report \[<options>\]" err)" = 1 && grep -q -- "-F, --fields" err && grep -q -- "--hierarchy" err &&
	report 0 "--tasks and --mmaps can'"'"'t be used together with --stats" --stats --mmaps -s nothing &&
	report 0 "nothing" -s nothing -F more -t . && grep -q -- "-s, --sort" err && grep -q -- "-F, --fields" err
'
test_expect_success 'report: values' '
	report 0 "is the only non valid --field-separator argument" -t . --tid x &&
	report 234 "is no list of tids" --tid x --parallelism x &&
	report 234 "invalid list of parallelism levels" --parallelism x -C x &&
	report 234 "failed to set cpu bitmap" -C x --time x &&
	report 234 "Invalid time string" --time x -g
'
test_expect_success 'report: heat maps' '
	report 255 "--pair and --heatmap do not go with exports" --heatmap x.svg --folded - --key a &&
	report 255 "--key is for --pair" --key a && report 255 "two events with a comma" --pair a
'
test_expect_success 'diff' '
	two="plain.data plain.data" &&
	diffs 255 "is the only non valid --field-separator argument" -t . --kallsyms /nowhere $two &&
	diffs 255 "Invalid file: /nowhere" --kallsyms /nowhere --stream -g $two &&
	diffs 255 "--stream shows whole call chains" --stream -g -s nothing -o 7 $two &&
	diffs 255 "rows are to be of functions" -c cycles -s dso --time 1:2 $two plain.data &&
	diffs 255 "3 files, and spans for 2 of them" --time 1,2:3,4 -o 7 $two plain.data &&
	diffs 255 "-o 7: there are 2 files" -o 7 -s nothing $two &&
	diffs 129 "nothing" -s nothing --cycles-hist $two && grep -q "Usage: perf diff" err &&
	diffs 129 "Usage: perf diff" --cycles-hist $two
'
test_done
