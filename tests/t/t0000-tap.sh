#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the test helpers themselves: a failing body fails, a hanging one is ended'
. "$(dirname "$0")/../lib/tap.sh"

# sub_test BODY: run BODY as a test program of its own, output in sub.out
sub_test() {
	cat >sub.sh <<-EOT
	test_description=sub
	. "$SRC/tests/lib/tap.sh"
	$1
	EOT
	TEST_TIMEOUT=1 CI=1 bash sub.sh >sub.out 2>&1
}

test_expect_success 'environment is pinned' '
	test "$TZ$LC_ALL$TERM$COLUMNS" = UTCCdumb80 &&
	test "$HOME" = "$TRASH/home" &&
	test "$(command -v perf)" = "$TRASH/.bin/perf"
'

test_expect_success 'a false body is reported and fails the program' '
	! sub_test "test_expect_success bad false; test_done" &&
	test_grep "^not ok 1 - bad" sub.out &&
	test_grep "^1..1" sub.out
'

test_expect_success 'a body that returns early is reported' '
	! sub_test "test_expect_success early \"return 3\"; test_done" &&
	test_grep "exit status 3" sub.out
'

test_expect_success 'a program without test_done fails' '
	! sub_test "test_expect_success good true" &&
	test_grep "^Bail out" sub.out
'

test_expect_success 'a body that hangs is ended by the clock' '
	! sub_test "test_expect_success hang \"sleep 30\"; test_done" &&
	test_grep "no end after 1 s" sub.out
'

test_expect_success 'a missing prerequisite skips with its reason' '
	sub_test "test_lazy_prereq NOPE \"not today\" false
	test_expect_success NOPE skipped false; test_done" &&
	test_grep "^ok 1 - skipped # SKIP not today" sub.out
'

test_expect_success 'test_must_fail tells an error from a crash' '
	test_must_fail false &&
	! test_must_fail true &&
	! test_must_fail bash -c "kill -SEGV \$\$"
'

test_expect_success 'the runner counts cases and crashed programs' '
	printf "#!/bin/sh\necho ok 1; echo not ok 2; echo ok 3 \"# SKIP x\"; echo 1..3; exit 1\n" >a &&
	printf "#!/bin/sh\necho 1..2; echo ok 1; kill -SEGV \$\$\n" >b &&
	chmod +x a b &&
	! "$SRC/tests/run" ./a ./b >out &&
	test "$(tail -n 1 out)" = "2 passed, 2 failed, 1 skipped"
'

test_done
