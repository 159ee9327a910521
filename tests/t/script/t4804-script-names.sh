#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 3 of 4
test_description='script: scripts by their names: -l, record NAME, report NAME, and both at once'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success 'the list' '
	perf script -l >out && head -1 out | grep -qx "List of available trace scripts:" &&
	grep -qx "  rw-by-file <comm>                    r/w activity for a program, by file" out &&
	perf script --list | test_cmp out - && for f in "$SRC"/scripts/python/bin/*-report; do
		grep -q "^  $(basename "$f" -report) " out || return 1
	done
'
test_expect_success 'without a folder of scripts it says where it looked' '
	! PERF_EXEC_PATH=$PWD/nosuch perf script -l >out 2>err && grep -q "cannot read $PWD/nosuch/scripts" err &&
	grep -q PERF_EXEC_PATH err && ! test -s out
'

# Scripts of our own, which show their arguments.
bin=own/scripts/python/bin
mkdir -p $bin
for name in hello mytop half; do
	printf "%s\n" "#!/bin/sh" "# description: says hello" "# args: <who> [more]" "echo report \"\$@\"" \
		"case \$* in *-i\\ -*) cat ;; esac" >$bin/$name-report
	test $name = half || printf "%s\n" "#!/bin/sh" "echo record \"\$@\"" "command -v perf >found" >$bin/$name-record
done
own() { PERF_EXEC_PATH=$PWD/own perf script "$@"; }

test_expect_success 'arguments go to the right one' '
	own -l >out && grep -qx "  hello <who> \\[more\\]                   says hello" out &&
	own record hello -a b "c d" >out && echo "record -a b c d" | test_cmp - out &&
	test "$(realpath "$(cat found)")" = "$(realpath "$PERF")" &&
	own report hello x -y >out && echo "report x -y" | test_cmp - out &&
	own -i file report hello x >out && echo "report -i file x" | test_cmp - out &&
	own hello world ls -l >out && printf "%s\n" "report -i - world" "record -q -o - ls -l" | test_cmp - out &&
	own mytop a b >out && printf "%s\n" "report -i - a b" "record -q -o -" | test_cmp - out
'
test_expect_success 'what is missing is said' '
	test_expect_code 129 own hello 2>err && grep -q "hello wants arguments: <who> \\[more\\]" err &&
	test_expect_code 129 own nosuch 2>err && grep -q "find script .nosuch" err &&
	test_expect_code 129 own ../python/bin/hello 2>err &&
	test_expect_code 255 own record nosuch 2>err && grep -q "specify a valid record script" err &&
	test_expect_code 255 own report 2>err && grep -q "specify a valid report script" err &&
	test_expect_code 129 own half x 2>err && grep -q "half has no script that records" err
'

echo 'def trace_begin(): print("begun")' >begun.py
test_lazy_prereq ENGINE 'this perf was built without Python' '
	cd "$TRASH/cwd" && perf record -q -e cpu-clock -o begun.data true && perf script -i begun.data -s begun.py | grep begun'
test_expect_success ROOT,PERF_EVENTS,TRACEFS,ENGINE 'a recording by name, and its report' '
	perf script record failed-syscalls -q cat nosuch; perf script report failed-syscalls cat >out &&
	awk "\$1 == \"cat\" && \$2 > 0 { found = 1 } END { exit !found }" out
'
test_expect_success ROOT,PERF_EVENTS,TRACEFS,ENGINE 'both at once' '
	perf script rw-by-file dd dd if=/dev/zero of=/dev/null bs=700 count=13 >out 2>err &&
	awk "\$2 == 13 && \$3 == 9100 { n++ } END { exit n != 2 }" out
'
test_expect_success '"record" without a script is perf record' '
	perf script record -q -e cpu-clock -o plain.data true && perf evlist -i plain.data >out && grep cpu-clock out &&
	perf script record -h 2>&1 | grep "Usage: perf record" && test_expect_code 255 perf script record no-such-script 2>err && grep "valid record script" err
'
test_done
