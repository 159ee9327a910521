#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='evlist: events of recorded files and fresh ones, as the reference lists them'
. "$(dirname "$0")/../../lib/tap.sh"

# same FILE OPTION...
same() {
	"$REF" evlist -i "$@" >ref.out 2>/dev/null </dev/null &&
		perf evlist -i "$@" >our.out 2>our.err </dev/null && test_cmp ref.out our.out
}

# What the reference cannot read, or reads wrongly: see Documentation/differences.md.
known() {
	case $1:$2 in
	sleep.data:* | sleep.compressed.data:*) ;;
	*piped.ctx_switch*:* | *piped.header_features-4.16:* | *piped.intel_pt*:*) ;;
	*piped.header_feautres*:-g | *piped.target*:-v) ;;
	*) return 1 ;;
	esac
}

for opt in '' -F -v -g --trace-fields -f; do
	test_expect_success REFERENCE,CORPUS "recorded files, evlist $opt" '
		n=0
		for f in "$CORPUS"/*data*; do
			known "${f##*/}" "$opt" && continue
			same "$f" $opt || { echo "$f"; return 1; }
			n=$((n + 1))
		done
		test $n -ge 20
	'
done
test_expect_success CORPUS 'events of files the reference does not list' '
	perf evlist -i "$CORPUS"/sleep.data >out && echo cycles:Pu | test_cmp - out &&
	perf evlist -F -i "$CORPUS"/perf.data.piped.ctx_switch_namespaces-4.14 >out &&
	echo "cycles: sample_freq=4000" | test_cmp - out &&
	perf evlist -g -i "$CORPUS"/perf.data.piped.header_feautres_group_desc-6.8 >out &&
	echo "{cycles:uH,instructions:uH}" | test_cmp - out
'
test_expect_success PERF_EVENTS 'fresh: frequency, period, groups' '
	perf record -q -o a.data -F 99 -e cpu-clock -e cs/period=1/ -e "{faults,cs}:u" true &&
	perf evlist -i a.data >out && test_line_count -ge 4 out && test_grep "^cpu-clock$" out &&
	perf evlist -g -i a.data >out && test_grep "^{faults" out &&
	perf evlist -v -i a.data >out && test_grep "^cpu-clock: type: 1, size: " out
'
test_expect_success PERF_EVENTS,REFERENCE 'fresh: as the reference' '
	for o in "" -F -v -g --trace-fields; do same a.data $o || return 1; done
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'fields of tracepoints, from a file and from a pipe' '
	perf record -q -o t.data -e sched:sched_process_exec true &&
	perf evlist --trace-fields -i t.data >out &&
	test_grep "^sched:sched_process_exec: trace_fields: filename,pid,old_pid$" out &&
	perf evlist -i t.data >out && test_grep "^# Tip: use .perf evlist --trace-fields." out &&
	perf record -q -o - -e sched:sched_process_exec true >t.pipe &&
	perf evlist --trace-fields <t.pipe -i - >out &&
	test_grep "^sched:sched_process_exec: trace_fields: filename,pid,old_pid$" out
'
EVENT_DESC=12
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'a tracepoint that only its format names' '
	python3 -c "import sys; sys.path.insert(0, \"$SRC/tests/lib/python\"); import pdata
pdata.drop_feature(\"t.data\", $EVENT_DESC)" &&
	! perf report --header-only -i t.data | grep "^# event : " &&
	perf evlist -i t.data >out && test_grep "^sched:sched_process_exec$" out &&
	perf report --stdio -i t.data >out 2>/dev/null &&
	test_grep "of event .sched:sched_process_exec.$" out &&
	perf script -i t.data >out && test_grep " sched:sched_process_exec: filename=" out
'
test_expect_success 'wrong use' '
	test_expect_code 129 perf evlist -g -v 2>err &&
	test_grep "group option is not compatible with other options" err &&
	test_expect_code 129 perf evlist x 2>err && test_grep "Usage: perf evlist" err &&
	test_expect_code 255 perf evlist -i none.data 2>err &&
	test_grep "failed to open none.data: No such file or directory" err
'
test_done
