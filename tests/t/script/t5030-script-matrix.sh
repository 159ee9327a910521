#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 6 of 8
test_description='script: many combinations of options, each as the reference prints it'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

. "$SRC/tests/lib/matrix.sh"

printf 'middle\n%s\n' 'bracket<a, b>(int)' >names
STEP=36
mapfile -t list < <(matrix_files perf.data.raw_callgraph_branch-3.4 perf.data.hw_and_sw-3.4 perf.data.lost_samples-4.4 \
	perf.data.branch-4.14)
for f in "${list[@]}"; do
	test_expect_success CORPUS "combinations on ${f##*/}" 'matrix script "$f"'
done

test_expect_success PERF_EVENTS,ROOT,TRACEFS 'combinations on a recording of now' '
	perf record -q --sample-cpu -g -k CLOCK_MONOTONIC -e cpu-clock,page-faults,sched:sched_switch -o now.data -- \
		sh -c "ls /usr/share/doc; sleep 0.01; ls -lR /usr/share/doc/[ab]*" >ls.out 2>rec.err &&
	matrix script now.data
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'combinations on a compressed one, on one with addresses of data and on a stream' '
	perf record -q -z -e cpu-clock,sched:sched_switch -o now-compressed.data -- ls -lR /usr/share/doc/[ab]* >ls.out 2>rec.err &&
	perf record -q -d -W -T -c 1 -e page-faults -o now-addresses.data -- ls /usr >ls.out 2>rec.err &&
	perf record -q -e sched:sched_switch,page-faults -o - -- sh -c "ls /usr; sleep 0.01" 2>rec.err >now.pipe.data &&
	STEP=48 matrix script now-compressed.data now-addresses.data now.pipe.data
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'a file of text for each event' '
	mkdir ref our && ln -s ../now.data ref && ln -s ../now.data our &&
	(cd ref && "$REF" script --no-inline --kallsyms ../kallsyms -i now.data --per-event-dump -c ls,sh >../ref.out) &&
	(cd our && perf script --no-inline --kallsyms ../kallsyms -i now.data --per-event-dump -c ls,sh >../our.out) &&
	diff -r ref our && test -s our/now.data.cpu-clock.dump &&
	sed "s/Wrote [0-9.]* MB//" ref.out >ref.told && sed "s/Wrote [0-9.]* MB//" our.out | cmp - ref.told
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'report between events' '
	for x in "--switch-on page-faults" "--switch-off cpu-clock" "--switch-on nosuch" \
		"--switch-on page-faults --switch-off cpu-clock --show-on-off-events -C 0" \
		"--switch-on page-faults --switch-off sched:sched_switch"; do
		# shellcheck disable=SC2086
		"$REF" report -i now.data --stdio --no-children -g none -s cpu $x >ref.out 2>ref.err
		ref=$?
		# shellcheck disable=SC2086
		perf report -i now.data --stdio --no-children -g none -s cpu $x >our.out 2>our.err
		our=$?
		# What the profile lacks is told by ours, and depends on what else runs.
		test $our = $ref && sed -i "/# (Tip/d" ref.out our.out && sed -i "/^Note: /d" our.err && cmp ref.out our.out &&
			cmp ref.err our.err || { echo "report $x"; return 1; }
	done
'
test_expect_success CORPUS 'stacks are what collapsers of stacks read, whatever is in a name' '
	perf script -f --kallsyms kallsyms -i "$CORPUS/perf.data.raw_callgraph_branch-3.4" >out.txt &&
	python3 - out.txt >names.txt <<-\EOF &&
		import re, sys
		for line in open(sys.argv[1]):
		    if line.startswith("\t"):
		        m = re.match(r"^\s*(\w+)\s*(.+) \((.*)\)$", line)
		        print(re.sub(r"\+0x[0-9a-f]+$", "", m.group(2)))
	EOF
	sort -u names.txt >unique.txt && grep -qxF "bracket<a, b>(int)" unique.txt && grep -qx low unique.txt &&
	! grep -vxE "low|middle|upper|last_one|\[unknown\]|bracket<a, b>\(int\)|__vdso_.*|[a-z_]+" unique.txt
'
test_expect_success CORPUS 'a hardware trace in a pipe is told of' '
	perf script -i - --insn-trace <"$CORPUS/perf.data.piped.intel_pt-4.14" >out.txt 2>err.txt &&
	test "$(grep -c "decoding of instruction traces" err.txt)" = 1
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'what cannot be done is told' '
	perf script -i now.data --xed -G 2>err.txt >out.txt && test -s out.txt && grep -q xed err.txt &&
	perf script -i now.data --graph-function main 2>err.txt >out.txt && test ! -s out.txt &&
	grep -q "no decoded trace" err.txt &&
	test_expect_code 255 perf script -i now.data -S file://nosuch 2>err.txt &&
	grep -q "problems parsing symbol list" err.txt &&
	perf script -i now.data --insn-trace=disasm >out.txt 2>err.txt && test -s out.txt
'
sed 's/^/#/; s/^## /# /' counts
test_done
