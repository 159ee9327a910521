#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='--header, --header-only and -I of report and script, as the reference prints them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

# same COMMAND FILE OPTION...: the comment lines
same() {
	local cmd=$1 f=$2

	shift 2
	"$REF" "$cmd" -i "$f" "$@" 2>/dev/null </dev/null | grep "^#" >ref.out
	perf "$cmd" -i "$f" "$@" 2>our.err </dev/null | grep "^#" >our.out
	test -s ref.out && test_cmp ref.out our.out
}

# same_corpus COMMAND OPTION...: two of the files are too new for the reference.
same_corpus() {
	local cmd=$1 f

	shift
	for f in $(ls -d "$CORPUS"/*data* | sampled 8); do
		case $f in */sleep.data | */sleep.compressed.data) continue ;; esac
		same "$cmd" "$f" "$@" || { echo "$f"; return 1; }
	done
}

for opts in 'report --header-only' 'report --header-only -I' 'script --header-only' 'script --header-only -I' \
	'script --header -F tid' 'script --header -I -F tid'; do
	test_expect_success CORPUS "recorded files: $opts" 'same_corpus $opts'
done
test_expect_success PERF_EVENTS 'fresh files' '
	perf record -q -o a.data -k monotonic -e cpu-clock -e "{cs,faults}" true &&
	"$REF" record -q -o b.data -k monotonic -z1 -e cpu-clock -e "{cs,faults}" true &&
	for f in a.data b.data; do
		for c in report script; do
			same $c $f --header-only && same $c $f --header-only -I || return 1
		done
	done
'
test_expect_success PERF_EVENTS 'fresh pipes' '
	perf record -q -o - -e cpu-clock true >a.pipe && "$REF" record -q -o - -e cpu-clock true >b.pipe &&
	for f in a.pipe b.pipe; do
		same report $f --header-only -I && same script $f --header -I -F tid || return 1
	done
'
test_expect_success CORPUS 'files the reference does not read' '
	perf report --header-only -I -i "$CORPUS"/sleep.data >out &&
	test_grep "^# sibling sockets : 0-15$" out && test_grep "^# CPU 15: Core ID 7, Die ID 0, Socket ID 0$" out
'
test_done
