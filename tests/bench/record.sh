#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/bench/record.sh [-n RUNS] [-q]
#
# What recording costs, beside the reference: wall time and CPU time of whole commands, workload included
# (the line "workload" is the workload alone), and the size of the file. Medians of RUNS (7), runs of both
# programs taken in turn. Figures, not a test: the exit status says only whether everything ran.
#
# PERF: binary under test (build/perf); REF: the reference (/usr/bin/perf), left out when it is not there.

here=$(cd "$(dirname "$0")" && pwd)
PERF=${PERF:-$here/../../build/perf}
REF=${REF:-/usr/bin/perf}
runs=7
while getopts n:q opt; do
	case $opt in
	n) runs=$OPTARG ;;
	q) runs=3 ;;
	*) exit 2 ;;
	esac
done
PERF=$(readlink -f "$PERF")
test -x "$PERF" || { echo "no binary $PERF" >&2; exit 2; }
test -x "$REF" || REF=''
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
export HOME=$dir LC_ALL=C
cd "$dir" || exit 2
status=0
TIMEFORMAT='%R %U %S'

# once NAME COMMAND...: wall and CPU seconds, and the size of x.data, appended to NAME
once() {
	local name=$1 t

	shift
	rm -f x.data*
	t=$({ time timeout 60 "$@" >out.txt 2>err.txt </dev/null; } 2>&1) || {
		echo "failed: $*" >&2
		head -n 3 err.txt >&2
		status=1
		return
	}
	echo "$t" | awk -v s="$(stat -c %s x.data 2>/dev/null || echo 0)" '{ print $1, $2 + $3, s }' >>"$name"
}

# median NAME COLUMN
median() { sort -g -k "$2" "$1" | awk -v c="$2" '{ v[NR] = $c } END { print NR ? v[int((NR + 1) / 2)] : "nan" }'; }

line() { # TITLE NAME
	printf '  %-10s wall %8.1f ms   cpu %8.1f ms   file %9d\n' "$1" "$(median "$2" 1 | awk '{ print $1 * 1000 }')" \
		"$(median "$2" 2 | awk '{ print $1 * 1000 }')" "$(median "$2" 3)"
}

# bench TITLE 'RECORD OPTIONS' WORKLOAD...
bench() {
	local title=$1 opts=$2 i

	shift 2
	rm -f ours ref work
	for ((i = 0; i < runs; i++)); do
		once work "$@"
		# shellcheck disable=SC2086 # options are words
		once ours "$PERF" record $opts -o x.data "$@"
		# shellcheck disable=SC2086
		test -z "$REF" || once ref "$REF" record $opts -o x.data "$@"
	done
	echo "$title: record $opts $(basename "$1") ${*:2}"
	test -s work && line workload work
	test -s ours && line perf ours
	test -s ref && line reference ref
	test -s ours && test -s ref && test -s work &&
		echo "$(median ours 1) $(median ref 1) $(median work 1) $(median ours 2) $(median ref 2) $(median work 2)" |
		awk '{ printf "  %-10s wall above the workload %.1f ms (reference %.1f ms), cpu above it %.1f ms (reference %.1f ms)",
			"", ($1 - $3) * 1000, ($2 - $3) * 1000, ($4 - $6) * 1000, ($5 - $6) * 1000
			if ($4 > $6) printf ", ratio %.1f", ($5 - $6) / ($4 - $6); print "" }'
}

bench 'short program' '' true
bench 'busy threads' '-F 4000 -g' "$PERF" test -w thloop 2 0.3
if test "$(id -u)" -eq 0; then
	bench 'system, short' '-a' true
	bench 'system, call chains' '-a -g -F 4000' "$PERF" test -w thloop 2 0.3
	bench 'tracepoint flood' '-a -e sched:sched_switch,sched:sched_wakeup,raw_syscalls:sys_enter,raw_syscalls:sys_exit' \
		"$PERF" test -w context_switch_loop 20000
fi
exit $status
