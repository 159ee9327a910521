# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Helpers of the shell tests. A test program is a bash script:
#
#	#!/bin/bash
#	# SPDX-License-Identifier: GPL-2.0-or-later
#	test_description='what this file proves'
#	. "$(dirname "$0")/../../lib/tap.sh"
#
#	test_expect_success 'records a workload' '
#		perf record -o a.data true &&
#		test -s a.data
#	'
#	test_expect_success REFERENCE,PERF_EVENTS 'the reference reads it' '
#		"$REF" script -i a.data >out
#	'
#	test_done
#
# Every program runs in a trash directory of its own (kept with KEEP=1 or on failure)
# with HOME, TZ, LC_ALL, TERM and COLUMNS pinned. Bodies run in the same shell, so
# variables set by one are seen by the next. Output of a body is shown when it fails
# and with -v. One body may take TEST_TIMEOUT seconds (300); then what it started is
# killed and it fails.
#
# Variables: PERF (binary under test, also first in PATH as `perf`), REF (reference
# perf), CORPUS (recorded files), SRC (top of the source tree), BUILD (build folder).
# Options: -v prints every body's output; --run=N runs body N only. With TIMES=1 the CPU seconds
# spent so far, of children that have ended, follow each result.

# Programs that are started cost more than anything else here, so words of the shell are used instead.
TESTS_DIR=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
SRC=${TESTS_DIR%/*}
BUILD=${BUILD:-$SRC/build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
PERF=${PERF:-$BUILD/perf}
REF=${REF:-/usr/bin/perf}
CORPUS=${CORPUS:-$SRC/../shared/corpus}
TEST_TIMEOUT=${TEST_TIMEOUT:-300}

test_name=${0##*/} test_name=${test_name%.sh}
test_count=0 test_failed=0 test_broken_exit=1 test_verbose='' test_only='' test_watcher=''
test_prereqs=' ' test_unmet=' '
declare -A test_lazy test_why test_turns

for test_arg; do
	case $test_arg in
	-v) test_verbose=1 ;;
	--run=*) test_only=${test_arg#--run=} ;;
	*) echo "Bail out! unknown option $test_arg"; exit 2 ;;
	esac
done

if ! test -x "$PERF"; then
	echo "Bail out! no binary $PERF: run make, or set PERF"
	exit 2
fi

TRASH=$(mktemp -d "${TMPDIR:-/tmp}/test-$test_name.XXXXXX") || exit 2
test -z "$TRASH_NOTE" || echo "$TRASH" >"$TRASH_NOTE"
unset TRASH_NOTE
mkdir "$TRASH/.bin" "$TRASH/home" "$TRASH/cwd" && ln -s "$PERF" "$TRASH/.bin/perf" &&
	mkfifo "$TRASH/.watch" "$TRASH/.silent" && cd "$TRASH/cwd" || exit 2
# Scripts that choose between versions take longer than what we run.
test ! -x /usr/bin/python3 || ln -s /usr/bin/python3 "$TRASH/.bin/python3"
export HOME=$TRASH/home TZ=UTC LC_ALL=C TERM=dumb COLUMNS=80 LINES=24 PAGER=cat
export PATH=$TRASH/.bin:$PATH PERF REF SRC BUILD CORPUS TRASH
unset PERF_PAGER PERF_CONFIG PERF_EXEC_PATH PERF_BUILDID_DIR DEBUGINFOD_URLS CDPATH
exec 7<>"$TRASH/.watch" {test_silent}<>"$TRASH/.silent"

# Remove the trash; a program that ends without test_done has failed.
test_at_exit() {
	local rc=$?

	# A subshell ended before it had shed this trap.
	test $BASHPID = $$ || return

	cd / || exit 2
	test -z "$test_watcher" || kill -KILL "$test_watcher" 2>/dev/null
	if test -n "$test_broken_exit"; then
		echo "Bail out! $test_name ended before test_done"
		test $rc -ne 0 || rc=1
	fi
	if test -n "$KEEP" || { test $test_failed -gt 0 && test -z "$CI"; }; then
		echo "# trash kept: $TRASH"
	else
		chmod -R u+rwx "$TRASH" 2>/dev/null
		rm -rf "$TRASH"
	fi
	exit $rc
}
trap test_at_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# test_kill_below PID [KEEP]: end everything PID started, except KEEP.
test_kill_below() {
	local child

	for child in $(ps -o pid= --ppid "$1" 2>/dev/null); do
		test "$child" = "$2" && continue
		test_kill_below "$child" "$2"
		kill -KILL "$child" 2>/dev/null
	done
}

# test_watch PID: one process for all bodies is told in a fifo "begin SECONDS" and "end"; what PID has started is ended
# when the second does not come in time.
test_watch() {
	local word seconds

	while read -r word seconds <&7; do
		test "$word" = begin || continue
		while :; do
			read -r -t "$seconds" word <&7 && break
			: >"$TRASH/.timedout"
			test_kill_below "$1" "$BASHPID"
			seconds=1
		done
	done
}

test_say() { printf '%s\n' "$*"; }

# --- prerequisites ---------------------------------------------------------------------

# test_set_prereq NAME: from now on NAME holds.
test_set_prereq() { test_prereqs="$test_prereqs$1 "; }

# test_lazy_prereq NAME 'reason when missing' 'script': run once, when first asked for.
test_lazy_prereq() {
	test_why[$1]=$2
	test_lazy[$1]=$3
}

# test_have_prereq NAME[,NAME...]: true if all hold; else test_missing is the first that does not.
test_have_prereq() {
	local p list=${1//,/ }

	for p in $list; do
		case $test_prereqs in *" $p "*) continue ;; esac
		case $test_unmet in *" $p "*) test_missing=$p; return 1 ;; esac
		if test -n "${test_lazy[$p]}" &&
			(cd "$TRASH" && eval "${test_lazy[$p]}") >/dev/null 2>&1 </dev/null; then
			test_set_prereq "$p"
			continue
		fi
		test_unmet="$test_unmet$p "
		test_missing=$p
		return 1
	done
}

# Cases that compare much and break rarely on their own.
test_lazy_prereq LONG 'make check-long has it' 'test -n "$LONG"'
test_lazy_prereq ROOT 'needs to run as root' 'test "$(id -u)" -eq 0'
test_lazy_prereq REFERENCE 'no reference perf installed' '"$REF" version'
test_lazy_prereq REFPYTHON 'the reference runs no scripts in Python' '"$REF" version --build-options | grep -q "libpython: \[ on"'
test_lazy_prereq CORPUS 'no corpus of recorded files beside the checkout' 'test -d "$CORPUS"'
test_lazy_prereq PERF_EVENTS 'this kernel or user may not open perf events' '
	test -e /proc/sys/kernel/perf_event_paranoid &&
	{ test "$(id -u)" -eq 0 || test "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2; }'
test_lazy_prereq TRACEFS 'tracefs is not readable' '
	test -r /sys/kernel/tracing/events/sched/sched_switch/id ||
	test -r /sys/kernel/debug/tracing/events/sched/sched_switch/id'
test_lazy_prereq GCC 'no C compiler' 'command -v gcc || command -v cc'
test_lazy_prereq TMUX 'no tmux' 'command -v tmux'
test_lazy_prereq PYTHON 'no python3' 'command -v python3'
test_lazy_prereq BROWSER 'no chromium with its driver, or no python3' 'python3 "$SRC/tests/lib/python/browser.py"'

# --- test bodies -----------------------------------------------------------------------

# A function of its own, so that a body may `return`.
test_body() { eval "$1"; }

# test_expect_success [PREREQ[,PREREQ]] 'title' 'script'
test_expect_success() {
	local need='' rc

	if test $# -eq 3; then need=$1; shift; fi
	test $# -eq 2 || { echo "Bail out! test_expect_success wants 2 or 3 arguments"; exit 2; }
	test_count=$((test_count + 1))
	if test -n "$test_only" && test "$test_only" -ne $test_count; then
		test_say "ok $test_count - $1 # SKIP not chosen"
		return 0
	fi
	if test -n "$need" && ! test_have_prereq "$need"; then
		test_say "ok $test_count - $1 # SKIP ${test_why[$test_missing]:-missing $test_missing}"
		return 0
	fi
	test ! -e "$TRASH/.timedout" || rm "$TRASH/.timedout"
	test -n "$test_watcher" || {
		test_watch $$ >/dev/null 2>&1 </dev/null &
		test_watcher=$!
		disown $test_watcher
	}
	echo "begin $TEST_TIMEOUT" >&7
	test_body "$2" >"$TRASH/.out" 2>&1 </dev/null
	rc=$?
	cd "$TRASH/cwd" || exit 2
	echo end >&7
	test -e "$TRASH/.timedout" && rc=timeout
	test -z "$TIMES" || { times >"$TRASH/.times"; sed -n 's/^/# CPU: /; 2p' "$TRASH/.times"; }
	if test "$rc" = 0; then
		test_say "ok $test_count - $1"
		test -z "$test_verbose" || sed 's/^/# /' "$TRASH/.out"
		return 0
	fi
	test_failed=$((test_failed + 1))
	test_say "not ok $test_count - $1"
	if test "$rc" = timeout; then
		test_say "#   no end after $TEST_TIMEOUT s"
	else
		test_say "#   exit status $rc"
	fi
	printf '%s\n' "$2" | sed 's/^/#   | /'
	tail -n 60 "$TRASH/.out" | sed 's/^/#   > /'
	# A body keeps messages in files. tests/run looks for such reports, too.
	test -z "$SAN" || grep -sI -d skip -m 1 -E 'Sanitizer: |runtime error: ' -- /dev/null * | sed 's/^/# in /'
}

# test_every N [PREREQ[,PREREQ]] 'title' 'script': in a loop, the first of its cases and every Nth after that; make
# check-long has them all, and so has --run.
test_every() {
	local step=$1 line=${BASH_LINENO[0]}

	shift
	if test -n "$LONG$test_only" || test $((test_turns[$line]++ % step)) -eq 0; then
		test_expect_success "$@"
		return
	fi
	test_count=$((test_count + 1))
	test $# -eq 2 || shift
	test_say "ok $test_count - $1 # SKIP ${test_why[LONG]}"
}

# test_skip_all 'reason': nothing in this file can run here.
test_skip_all() {
	echo "1..0 # SKIP $1"
	test_broken_exit=''
	exit 0
}

# test_require PREREQ[,...]: skip the rest of the file unless they hold.
test_require() {
	test_have_prereq "$1" && return
	test $test_count -eq 0 && test_skip_all "${test_why[$test_missing]:-missing $test_missing}"
	test_done
}

test_done() {
	echo "1..$test_count"
	test_broken_exit=''
	test $test_failed -eq 0
	exit $?
}

# --- assertions ------------------------------------------------------------------------

# test_cmp EXPECTED ACTUAL
test_cmp() { diff -u "$1" "$2"; }

# test_expect_code N COMMAND...
test_expect_code() {
	local want=$1 got

	shift
	"$@"
	got=$?
	test "$got" -eq "$want" && return 0
	echo "exit status $got, expected $want: $*" >&2
	return 1
}

# test_must_fail COMMAND...: ends with an error of its own, not a signal or a sanitizer report.
test_must_fail() {
	local got

	"$@"
	got=$?
	case $got in
	0) echo "succeeded, should have failed: $*" >&2; return 1 ;;
	99 | 12[67] | 13[0-9] | 1[4-8][0-9]) echo "crashed ($got): $*" >&2; return 1 ;;
	esac
}

# test_no_crash COMMAND...: may fail, must not die of a signal, a sanitizer report or the clock.
test_no_crash() {
	local got

	timeout -k 5 "${NO_CRASH_TIMEOUT:-60}" "$@"
	got=$?
	case $got in
	99 | 12[4567] | 13[0-9] | 1[4-8][0-9]) echo "crashed or hung ($got): $*" >&2; return 1 ;;
	esac
	return 0
}

# test_grep [!] [-E..] PATTERN FILE: shows the file when the answer is wrong.
test_grep() {
	local not='' file=${*: -1}

	if test "$1" = '!'; then not=1; shift; fi
	if grep -q "$@"; then
		test -z "$not" && return 0
		echo "found, should not be there: $*" >&2
	else
		test -n "$not" && return 0
		echo "not found: $*" >&2
	fi
	head -n 60 "$file" >&2
	return 1
}

# test_line_count OP N FILE, as in: test_line_count -ge 3 out
test_line_count() {
	local n

	n=$(wc -l <"$3")
	test "$n" "$1" "$2" && return 0
	echo "$3 has $n lines, expected $1 $2" >&2
	head -n 60 "$3" >&2
	return 1
}

# wait_for COMMAND...: until it succeeds, for a minute at most.
wait_for() {
	for _ in $(seq 3000); do
		"$@" >/dev/null 2>&1 && return
		read -r -t 0.02 -u "$test_silent" _ # which nobody writes to
	done
	echo "never: $*" >&2
	return 1
}

# sampled N: every Nth of the lines it reads (all when N is empty); make check-long has them all.
sampled() {
	awk -v n="${LONG:+1}" -v step="$1" 'BEGIN { n = n ? n : step ? step : 1 } NR % n == 0'
}

# corpus_read: the recorded files that the reference reads, one per line.
corpus_read() {
	local f

	for f in "$CORPUS"/*; do
		case $f in
		*.md | *compressed2* | */sleep.compressed.data | */sleep.data | *intel_pt*) ;;
		*) echo "$f" ;;
		esac
	done
}

# but_losses FILE: what the reference says in it, but for samples that were lost, as they are on a busy machine
but_losses() { sed '/^Warning:$/ { N; /\nProcessed [0-9]* \(events\|samples\) and lost /d; }' "$1"; }

# no_clones REF OUR: where ours has them, take out what tells the clones of a C++ function apart, which 6.1 does not do, and
# the blanks at the end of lines. The library of the sanitizers has such functions.
no_clones() { ! grep -aq "\[clone " "$2" || sed -E -i "s/ \[clone [^]]*\]//g; s/ +$//" "$@"; }

# no_plt [REF OUR]: leave out of ref.txt and our.txt, line by line, the addresses in entries of PLTs, in code compiled
# at run time and in files that are deleted but still run, which we name and the reference does not
# (Documentation/differences.md). What runs beside a system-wide recording may be there.
no_plt() {
	local ref=${1:-ref.txt} our=${2:-our.txt} ours='@plt|/jitted-[0-9]+-[0-9]+[.]so|[(]deleted[)]'

	no_clones "$ref" "$our"
	awk -v ours="$ours" 'NR == FNR { if ($0 ~ ours) plt[FNR]; next } !(FNR in plt)' "$our" "$ref" >"$ref.no-plt" &&
		mv "$ref.no-plt" "$ref" && sed -E -i "\\,$ours,d" "$our"
}

# in_heatmap PAGE: how many spans the distribution in the page of a heat map has
in_heatmap() { perl -0777 -ne '($pre) = m!<pre.*?>(.*?)</pre>!s; $n += $1 while $pre =~ /^ +\S+ - +\S+ +(\d+) /mg; print $n + 0' "$1"; }

# wait_comm PID COMM: until that process has become that program
wait_comm() { wait_for grep -qx "$2" "/proc/$1/comm"; }

# worked PID MS: until that process has spent MS of CPU time from now on; as the command of a
# recording it is "$(program worked)"
worked() { "$(program worked)" "$@"; }

# program NAME: path of tests/programs/NAME.c, built by make.
program() { echo "$BUILD/tests/programs/$1"; }

# A sanitizer report ends with 99, told apart from a command's own exit codes.
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=99:detect_leaks=1:allocator_may_return_null=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-exitcode=99:print_stacktrace=1}
# Python does not free all that its modules have made, and Perl nothing at its end; S-Lang keeps what it
# has read of the terminal.
printf 'leak:%s\n' libpython libperl libslang >"$TRASH/.suppressions"
export LSAN_OPTIONS=${LSAN_OPTIONS:-exitcode=99:suppressions=$TRASH/.suppressions:print_suppressions=0}
