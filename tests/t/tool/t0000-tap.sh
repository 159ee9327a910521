#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='the test helpers themselves: a failing body fails, a hanging one is ended'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'nothing here is built with sanitizers'

# sub_test BODY [SECONDS]: run BODY as a test program of its own, output in sub.out
sub_test() {
	cat >sub.sh <<-EOT
	test_description=sub
	. "$SRC/tests/lib/tap.sh"
	$1
	EOT
	TEST_TIMEOUT=${2:-60} CI=1 bash sub.sh >sub.out 2>&1
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
	! sub_test "test_expect_success hang \"sleep 300\"; test_done" 1 &&
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
	! "$SRC/tests/run" --log log ./a ./b >out &&
	test "$(tail -n 1 out)" = "2 passed, 2 failed, 1 skipped" &&
	printf "# ./a: not ok 2\n# ./b: not ok - ./b: exit status 139\n2 2 1\n" >want && diff want log
'

test_expect_success 'the runner tries a few failures again, and says so' '
	printf "#!/bin/sh\necho 1..1; test -e seen && echo ok 1 || echo not ok 1; touch seen\n" >once &&
	printf "#!/bin/sh\necho 1..1; echo not ok 1\n" >never && chmod +x once never &&
	! "$SRC/tests/run" ./once >out && rm seen &&
	! "$SRC/tests/run" --again 1 ./once ./never >out && rm seen &&
	test "$(tail -n 1 out)" = "0 passed, 2 failed, 0 skipped" && test "$(grep -c "^not ok" out)" -eq 2 &&
	! "$SRC/tests/run" --again 2 ./once ./never >out && rm seen &&
	test_grep "^# failed at first: once (1) never (1)$" out && test "$(grep -c "^not ok" out)" -eq 1 &&
	test "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped" &&
	"$SRC/tests/run" --again 2 ./once >out && test_grep ! "^not ok" out && test_grep "^# first try: not ok 1" out &&
	test "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped"
'

test_expect_success 'the runner never tries again what a sanitizer reported' '
	printf "#!/bin/sh\necho x.c:1: runtime error: y; echo 1..1; test -e s && echo ok 1 || echo not ok 1; touch s\n" >san &&
	chmod +x san && ! "$SRC/tests/run" --again 5 ./san >out && test_grep "^not ok 1" out &&
	test "$(tail -n 1 out)" = "0 passed, 1 failed, 0 skipped" &&
	rm -f s && sed "s/x.c:1: .* y;/==9==LeakSanitizer has encountered a fatal error.;/" san >lsan && chmod +x lsan &&
	"$SRC/tests/run" --again 5 ./lsan >out && test_grep "^# first try: not ok 1" out
'

test_expect_success 'a report of a sanitizer that a body keeps in a file is shown when it fails' '
	! SAN=1 sub_test "test_expect_success bad \"echo x.c:1: runtime error: y >err; false\"; test_done" &&
	test_grep "^# in err:x.c:1: runtime error: y" sub.out
'

gone() { ! kill -0 "$(cat "$1")" 2>/dev/null; }
test_expect_success 'the runner ends what a program leaves running' '
	printf "#!/bin/sh\nsleep 300 & echo \$! >left\necho 1..1; echo ok 1\n" >c && chmod +x c &&
	"$SRC/tests/run" ./c >out && test "$(tail -n 1 out)" = "1 passed, 0 failed, 0 skipped" && wait_for gone left
'

test_expect_success 'a program that hangs is killed and told, its folder and processes go' '
	cat >hang.sh <<-EOT &&
	test_description=hang
	. "$SRC/tests/lib/tap.sh"
	trap "" TERM
	echo "\$TRASH" >"$PWD/where"; echo \$\$ >"$PWD/left"
	test_expect_success hangs "while :; do sleep 0.1; done"
	EOT
	sed "s/timeout -k 10/timeout -k 1/" "$SRC/tests/run" >run && ! PROGRAM_TIMEOUT=6 bash run ./hang.sh >out &&
	test_grep "not ok - ./hang.sh: no end in time" out && test ! -e "$(cat where)" && wait_for gone left
'

test_expect_success 'the runner that is interrupted leaves nothing' '
	cat >long.sh <<-EOT &&
	test_description=long
	. "$SRC/tests/lib/tap.sh"
	echo "\$TRASH" >"$PWD/where.new"; echo \$\$ >"$PWD/left"; mv "$PWD/where.new" "$PWD/where"
	test_expect_success waits "sleep 100"
	EOT
	rm -f where && { bash "$SRC/tests/run" ./long.sh >out & } && wait_for test -s where && kill -TERM $! &&
	wait_for gone left && wait_for sh -c "test ! -e $(cat where)"
'

test_done
