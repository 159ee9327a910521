#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 1 of 4
test_description='every reading command on recordings damaged with knowledge of their format'
. "$(dirname "$0")/../../lib/tap.sh"
# STORM_RUNS: damaged files. STORM_SECONDS: go on for so long instead. STORM_SEED: where to begin.
RUNS=${STORM_RUNS:-$((${SAN:+-120} + 150))}
SEED=${STORM_SEED:-1}
TEST_TIMEOUT=$((${STORM_SECONDS:-0} + 600))
if [ -n "$STORM_SECONDS" ]; then LIMIT=(-t "$STORM_SECONDS"); else LIMIT=(-n "$RUNS"); fi
STORM=$BUILD/tests/fuzz/storm

# storm FILE...: failures are told with the damaged file that shows them, which stays.
storm() {
	local measure=-m

	test -n "$SAN" && measure=
	mkdir -p "$BUILD/storm"
	"$STORM" "${LIMIT[@]}" -s "$SEED" $measure \
		-p "$BUILD/perf" -o "$BUILD/storm" "$@"
}

test_expect_success 'files that the fuzzers know' 'storm "$SRC"/tests/fuzz/corpus/{file,text,profile}/*'

test_expect_success PERF_EVENTS 'recordings' '
	perf record -g -F 2000 -o chains.data perf test -w thloop 2 0.03 &&
	perf record -g -F 2000 -o - perf test -w thloop 2 0.03 >pipe.data &&
	perf record -e cpu-clock,page-faults -o two.data true &&
	storm chains.data pipe.data two.data
'

test_expect_success ROOT,PERF_EVENTS,TRACEFS 'tracepoints' '
	perf record -e sched:sched_switch,raw_syscalls:sys_enter -a -o tp.data true &&
	perf record -e sched:sched_switch,raw_syscalls:sys_enter -a -o - true >tppipe.data &&
	storm tp.data tppipe.data
'

test_expect_success CORPUS 'the corpus' '
	find "$CORPUS" -name "*data*" -size -400k -print0 | sort -z >list &&
	mapfile -d "" files <list && storm "${files[@]}"
'

test_done
