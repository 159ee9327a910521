#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 1 of 4
test_description='the pager: when it is started, and which'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq SCRIPT 'no script(1) to make a terminal with' 'script -qec true /dev/null'
test_require SCRIPT
unset PAGER PERF_PAGER LESS

# on_tty COMMAND: run it on a terminal of its own; output, without carriage returns, to out.
on_tty() {
	script -qec "$1" /dev/null </dev/null >raw
	local rc=$?

	tr -d '\r' <raw >out
	return $rc
}

test_expect_success 'not without a terminal' '
	PERF_PAGER="sed s/^/P:/" perf -p version >out && test_grep "^perf version" out
'

test_expect_success '-p pages, --no-pager does not, plain version does not' '
	export PERF_PAGER="sed s/^/P:/" &&
	on_tty "perf -p version" && test_grep "^P:perf version" out &&
	on_tty "perf --paginate version" && test_grep "^P:perf version" out &&
	on_tty "perf version" && test_grep "^perf version" out &&
	on_tty "perf -p --no-pager version" && test_grep "^perf version" out &&
	unset PERF_PAGER
'

test_expect_success 'PERF_PAGER before core.pager before PAGER' '
	export PAGER="sed s/^/E:/" &&
	on_tty "perf -p version" && test_grep "^E:perf version" out &&
	perf config "core.pager=sed s/^/C:/" &&
	on_tty "perf -p version" && test_grep "^C:perf version" out &&
	PERF_PAGER="sed s/^/P:/" on_tty "perf -p version" && test_grep "^P:perf version" out &&
	rm "$HOME/.perfconfig" && unset PAGER
'

test_expect_success 'the usage is paged, a complaint about one option is not' '
	export PERF_PAGER="sed s/^/P:/" &&
	test_expect_code 129 on_tty "perf version -h" && test_grep "^P: Usage: perf version" out &&
	test_expect_code 129 on_tty "perf version --xyz" && test_grep "^P:  Error: unknown option" out &&
	test_expect_code 129 on_tty "perf version --build-options=3" && test_grep "^ Error: option" out &&
	unset PERF_PAGER
'

test_expect_success 'cat and nothing are no pagers' '
	PERF_PAGER=cat on_tty "perf -p version" && test_grep "^perf version" out &&
	PERF_PAGER= on_tty "perf -p version" && test_grep "^perf version" out
'

test_expect_success 'pager.<cmd>' '
	export PERF_PAGER="sed s/^/P:/" &&
	on_tty "perf help" && test_grep "^ usage:" out &&
	perf config pager.help=true && on_tty "perf help" && test_grep "^P: usage:" out &&
	on_tty "perf --no-pager help" && test_grep "^ usage:" out &&
	perf config pager.help=maybe && on_tty "perf help" && test_grep "bad config value for .pager.help." out &&
	rm "$HOME/.perfconfig" && unset PERF_PAGER
'

test_expect_success 'less gets FRSX unless LESS is set, and the width of the terminal' '
	PERF_PAGER="cat >/dev/null; echo LESS is \$LESS" on_tty "perf -p version" && test_grep "^LESS is FRSX" out &&
	LESS=R PERF_PAGER="cat >/dev/null; echo LESS is \$LESS" on_tty "perf -p version" && test_grep "^LESS is R" out
'

test_expect_success 'the exit status is that of the command' '
	export PERF_PAGER=cat\ - &&
	on_tty "perf -p version" &&
	test_expect_code 1 on_tty "perf -p check feature nosuch" && unset PERF_PAGER
'

test_expect_success 'a pager that cannot run or reads nothing does no harm' '
	PERF_PAGER=/nonexistent/pager on_tty "perf -p version"; test $? -ne 139 &&
	PERF_PAGER=true on_tty "perf -p version --build-options"; test $? -ne 139
'

test_done
