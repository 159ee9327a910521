#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 2 of 4
test_description='perf test: the list, the choice, the results; the workloads'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success 'list: numbers and names, on stderr' '
	perf test list >out 2>err &&
	test_line_count -eq 0 out &&
	test_grep -E "^  1: [A-Z]" err &&
	test_grep -E "^  1:1: " err
'

test_expect_success 'list of a fragment, whatever its case' '
	perf test list WORKL 2>err &&
	test_line_count -eq 3 err &&
	test_grep -E "^ +[0-9]+: Workloads$" err
'

test_expect_success 'by a room of the source, of which the list with -v tells' '
	perf test list tracefmt 2>err && test_grep -E "^ +3: Tracepoint formats$" err &&
	perf test -v list tracefmt 2>err && test_grep -E "^ +3: Tracepoint formats: tracefmt$" err &&
	perf test list acefmt 2>err && test_line_count -eq 0 err
'

test_expect_success 'one suite by number' '
	perf test 1 2>err &&
	test_grep -E "^  1.1: .* : (Ok|Skip.*)$" err &&
	test_grep ! -E "^  2" err
'

test_expect_success 'by name, and --skip' '
	perf test workloads 2>err &&
	test_grep -E ": Ok$" err &&
	perf test --skip 1,workl 1 workloads 2>err &&
	test_line_count -eq 2 err &&
	test_grep -E ": Skip \(user override\)$" err
'

test_expect_success '-v shows the course of each test' '
	perf test -v 1 2>err &&
	test_grep -e "--- start ---" err &&
	test_grep -e "test child forked, pid" err &&
	test_grep -E "subtest 1: Ok$" err &&
	perf test -v -F 1 2>err &&
	test_grep ! forked err
'

test_expect_success '-p: several at the same time, told in their order' '
	perf test 1 4 2>one && perf test -p 1 4 2>many && test_cmp one many &&
	perf test -p -v 1 2>err && test_line_count -ge 1 err && test_grep -E "subtest 1: Ok$" err
'

test_expect_success 'scripts in the folder of commands are tests, too' '
	mkdir -p exec/tests/shell && cat >exec/tests/shell/own.sh <<-\EOF && chmod +x exec/tests/shell/own.sh &&
	#!/bin/sh
	# SPDX-License-Identifier: GPL-2.0
	# a test of this house
	test "$1" = -v && echo said
	exit 2
	EOF
	perf --exec-path=$PWD/exec test list house 2>err && test_grep -E "^ +[0-9]+: a test of this house$" err &&
	perf --exec-path=$PWD/exec test house 2>err && test_grep -E ": a test of this house +: Skip$" err &&
	perf --exec-path=$PWD/exec test -v house >out 2>&1 && test_grep "^said$" out &&
	sed -i s/2$/1/ exec/tests/shell/own.sh && test_expect_code 1 perf --exec-path=$PWD/exec test house 2>err &&
	test_grep "FAILED!" err
'

test_expect_success '--junit' '
	perf test --junit=r.xml 1 &&
	test_grep "<testcase classname=" r.xml &&
	python3 -c "import xml.dom.minidom; xml.dom.minidom.parse(\"r.xml\")" &&
	test_must_fail perf test --junit=/nonexistent/r.xml 1
'

test_expect_success 'all workloads are there by name' '
	cat >want <<-\EOF &&
	noploop
	thloop
	leafloop
	sqrtloop
	brstack
	datasym
	landlock
	inlineloop
	traploop
	context_switch_loop
	deterministic
	named_threads
	callchain
	jitdump
	EOF
	perf test --list-workloads >out &&
	test_cmp want out
'

test_expect_success 'a workload that does not exist' '
	test_expect_code 255 perf test -w nosuch 2>err &&
	test_grep "^No workload found: nosuch$" err
'

test_expect_success 'a workload ends in time, and on a signal' '
	timeout 60 perf test -w noploop 0.1 &&
	{ perf test -w noploop 60 & pid=$!; wait_comm $pid perf-noploop && worked $pid 100; kill $pid; wait $pid; }
'

test_expect_success 'what profiles name are symbols of the binary' '
	nm "$PERF" >syms || { echo "stripped"; return 0; }
	for f in noploop test_loop leaf parent sqrtloop_compute brstack_bench landlock_calls \
		inlineloop_parent trap_bench deterministic_foo named_threads_loop callchain_5; do
		test_grep " T $f$" syms || return 1
	done
	test_grep " [BD] buf1$" syms
'

test_done
