#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='report --stats, --tasks, --mmaps: on recorded files the bytes the reference prints'
. "$(dirname "$0")/../../lib/tap.sh"
test_require CORPUS

# Where the reference is wrong on purpose of ours; see Documentation/differences.md.
differs() {
	case $1$2 in
	s390x-cpu-clock-callgraph.data--mmaps) return 0 ;;
	perf.data.piped.header_feautres_group_desc-6.8--stats) return 0 ;;
	esac
	return 1
}

# The file as the reference shows it; false when it cannot read it.
theirs() {
	"$REF" report -f -i "$1" "$2" >ref.txt 2>ref.err </dev/null
	test -s ref.txt && ! grep -qE "failed to process|bad event header|incompatible" ref.err
}

for f in "$CORPUS"/*data*; do
	name=${f##*/}
	for opt in --stats --tasks --mmaps; do
		test_expect_success REFERENCE "$name $opt" '
			perf report -f -i "$f" $opt >our.txt 2>our.err </dev/null && test -s our.txt || return 1
			if theirs "$f" $opt && ! differs "$name" "$opt"; then
				cmp our.txt ref.txt || { diff -a our.txt ref.txt | head -n 20; return 1; }
			fi
		'
	done
done

test_expect_success 'what the reference refuses is counted' '
	perf report --stats -i "$CORPUS"/sleep.data >out &&
	test_grep -E "^ +SAMPLE events: +7 " out &&
	test_grep "TOTAL events:" out
'
test_expect_success 'a foreign byte order: protections turned' '
	perf report --mmaps -i "$CORPUS"/s390x-cpu-clock-callgraph.data >out &&
	test_grep "1000000-11ec000 r-xp 00000000 59 /bin/busybox" out
'
test_expect_success REFERENCE,PERF_EVENTS 'a live recording: several events, forks, threads' '
	perf record -e cpu-clock,page-faults -o a.data sh -c "$PERF test -w thloop 2 0.1; ls; (ls | cat)" &&
	for opt in --stats --tasks --mmaps; do
		"$REF" report -i a.data $opt >ref.txt 2>/dev/null && perf report -i a.data $opt >our.txt &&
		test_cmp ref.txt our.txt || return 1
	done
'
test_done
