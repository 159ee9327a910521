#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='script: many combinations of options, each as the reference prints it'
. "$(dirname "$0")/../lib/tap.sh"
test_require REFERENCE

printf 'middle\n%s\n' 'bracket<a, b>(int)' >names
{
	printf 'ffffffff%s\n' '81000000 T _text' '81000000 T _stext' '81001000 T low' '81100000 T middle' \
		'811c1000 t bracket<a, b>(int)' '81300000 T upper' '81800000 T last_one' '8fff0000 T _etext'
} >kallsyms

turn=0
# What stands where @... does in combos: of the first lines of the reference's text.
fill_in() {
	"$REF" script -f --kallsyms kallsyms -G -i "$1" -F comm,tid,time,event,ip,sym,dso 2>/dev/null >probe
	"$REF" script -f --kallsyms kallsyms -G -i "$1" -F comm 2>/dev/null | sort | uniq -c | sort -n >comms
	sym=$(grep -o -w -e low -e middle -e upper probe | sort | uniq -c | sort -n | awk 'END { print $2 }')
	dso=$(grep -o '(/[^ ]*)' probe | sort | uniq -c | sort -n | awk 'END { print $2 }' | tr -d '()')
	comm=$(awk 'END { print $2 }' comms)
	time=$(grep -o ' [0-9]*\.[0-9]*: ' probe | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }' | tr -d :)
	tid=$(sed -n '1s/^ *[^ ]* *\([0-9]*\) .*/\1/p' probe)
	ip=$(grep -o " [0-9a-f]\{6,16\} " probe | sort | uniq -c | sort -n | awk 'END { print $2 }')
	event=$("$REF" evlist -f -i "$1" 2>/dev/null | grep -v '^#' | tail -n "${2:-1}" | head -n 1)
	sed "s|@SYM|${sym:-low}|; s|@DSO|$(basename "${dso:-none}")|; s|@COMM|${comm:-none}|; s|@TIME|${time:-1}|g
		s|@TID|${tid:-1}|; s|@EVENT|$event|g; s|@IP|${ip:-400000}|; /^#/d" "$SRC/tests/data/script-combos.txt"
}

# known FILE OPTIONS: is there a reason for a difference?
known() {
	local glob options

	while IFS=$'\t' read -r glob options _; do
		# shellcheck disable=SC2053 # a glob on purpose
		case $glob in \#*) continue ;; esac
		# shellcheck disable=SC2254
		case ${1##*/} in $glob) ;; *) continue ;; esac
		[[ $2 =~ $options ]] && return 0
	done <"$SRC/tests/data/script-differences.txt"
	return 1
}

# matrix FILE: all combinations; those that differ without a reason are shown.
matrix() {
	local bad=0 nr=0 listed=0 ref our line

	turn=$((turn + 1))
	fill_in "$@" | if test "$MATRIX" = all; then cat; else
		# Each combination with one of the files.
		awk -v san="$SAN" -v turn=$turn 'NR % (san ? 16 : 4) == turn % 4'
	fi >lines
	while read -r line; do
		# shellcheck disable=SC2086 # words on purpose
		"$REF" script -f --kallsyms kallsyms -i "$1" $line >ref.out 2>ref.err </dev/null &
		# shellcheck disable=SC2086
		"$PERF" script -f --kallsyms kallsyms -i "$1" $line >our.out 2>our.err </dev/null
		our=$?
		wait $!
		ref=$?
		nr=$((nr + 1))
		test $ref = $our && { cmp -s ref.out our.out || { no_plt ref.out our.out && cmp -s ref.out our.out; }; } && continue
		known "$1" "$line" && listed=$((listed + 1)) && continue
		bad=$((bad + 1))
		echo "script $line: exit $our, the reference $ref"
		diff ref.out our.out | head -n 4
	done <lines
	echo "${1##*/}: $nr combinations, $listed differ for a reason, $bad without" | tee -a counts
	test $nr -ge "$(test "$SAN" && echo 16 || echo 100)" && test $bad = 0
}

test_expect_success 'reasons are in the documentation' '
	tr -s "[:space:]" " " <"$SRC/Documentation/differences.md" >documentation &&
	sed "/^#/d" "$SRC/tests/data/script-differences.txt" | cut -f 3 | while IFS= read -r words; do
		grep -qF -- "$words" documentation || { echo "not there: $words"; exit 1; }
	done
'

# MATRIX=all: all combinations on all recorded files that the reference reads.
list=()
for name in raw_callgraph_branch-3.4 hw_and_sw-3.4 lost_samples-4.4 branch-4.14; do list+=("$CORPUS/perf.data.$name"); done
test "$MATRIX" != all || mapfile -t list < <(corpus_read)
for f in "${list[@]}"; do
	test_expect_success CORPUS "combinations on ${f##*/}" 'matrix "$f"'
done

test_expect_success PERF_EVENTS,ROOT,TRACEFS 'combinations on a recording of now' '
	perf record -q --sample-cpu -g -k CLOCK_MONOTONIC -e cpu-clock,page-faults,sched:sched_switch -o now.data -- \
		sh -c "ls /usr/share/doc; sleep 0.01; ls -lR /usr/share/doc/[ab]*" >ls.out 2>rec.err &&
	matrix now.data 2
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'a file of text for each event' '
	mkdir ref our && ln -s ../now.data ref && ln -s ../now.data our &&
	(cd ref && "$REF" script --kallsyms ../kallsyms -i now.data --per-event-dump -c ls,sh >../ref.out) &&
	(cd our && perf script --kallsyms ../kallsyms -i now.data --per-event-dump -c ls,sh >../our.out) &&
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
sed 's/^/# /' counts
test_done
