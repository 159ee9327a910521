#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 4 of 8
test_description='report writes profiles for other programs, which read them and find what report shows'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq PROTOC 'no protoc (protobuf-compiler)' 'command -v protoc'
test_lazy_prereq DOT 'no dot (graphviz)' 'command -v dot'
test_lazy_prereq CALLGRIND 'no callgrind_annotate (valgrind)' 'command -v callgrind_annotate'
# Where SPEEDSCOPE is not the folder of the unpacked package it comes from npm.
: "${SPEEDSCOPE:=$TRASH/package}"
test_lazy_prereq SPEEDSCOPE 'no npm package speedscope: SPEEDSCOPE is not its folder, and npm does not bring it' '
	test -e "$SPEEDSCOPE/dist/release/index.html" ||
	{ timeout 60 npm pack --silent --fetch-retries=0 speedscope@1.25.0 && tar -xzf speedscope-*.tgz; }'
test_require GCC
test_require PYTHON

exports() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/exports.py" "$@"; }
report() { perf report -f -i perf.data "$@" </dev/null; }

# expected ARGS...: event, samples and period of what report shows
expected() {
	report --stdio --no-children -g none -s comm -F sample,period,comm -t , --percent-limit=0 "$@" 2>/dev/null | tr -d " " |
		awk -F "," "/^#Samples:/ { split(\$0, part, \"\047\"); event = part[2] }
			/^[0-9]/ { samples[event] += \$1; period[event] += \$2 }
			END { for (e in samples) print e, samples[e], period[e] }" | sort >want
}

# same FORMAT FILE: it sums up to what is in want; what a format does not tell is not compared
same() {
	exports totals "$1" "$2" >got || return
	awk 'NR == FNR { samples[$1] = $2; period[$1] = $3; n++; next }
		{ n--; if ($2 != "-" && $2 != samples[$1] || $3 != "-" && $3 != period[$1]) exit bad = 1 }
		END { exit bad || n }' want got || { cat want got; return 1; }
}

# part FORMAT FILE: the same, of the event that FORMAT has room for
part() {
	exports totals "$1" "$2" >got && test_line_count -eq 1 got &&
		awk 'NR == FNR { period[$1] = $3; next } $3 != period[$1] { exit 1 }' want got
}

test_expect_success 'a recording with names as nobody should have them' '
	cat >prog.c <<-\EOF &&
	__attribute__((noinline)) int h(int x) { return x * 3; }
	__attribute__((noinline)) int g(int x) { return h(x) + 1; }
	__attribute__((noinline)) int f(int x) { return g(x) + 1; }
	int main(int n, char **v) { return f(n); }
	__asm__(".text\n.type \"</script><img onerror=1>\", @function\n.globl \"</script><img onerror=1>\"\n"
		"\"</script><img onerror=1>\": nop; nop; nop; nop; nop; nop; ret\n"
		".size \"</script><img onerror=1>\", .-\"</script><img onerror=1>\"\n");
	EOF
	gcc -g -O1 -no-pie -o prog prog.c && exports make prog &&
	expected && test_line_count -eq 3 want && test_grep "^cpu-clock 900 1304550$" want &&
	test_grep "^sched:sched_switch 90 90$" want
'
test_expect_success 'all at once' '
	report --pprof=a.pprof --speedscope=a.speedscope --gecko=a.gecko --chrome-trace=a.chrome-trace --perfetto=a.perfetto \
		--dot=a.dot --callgrind=a.callgrind --otlp=a.otlp --ndjson=a.ndjson --percent-limit=0.0001 >out &&
	test_line_count -eq 0 out &&
	for f in pprof speedscope gecko chrome-trace perfetto dot callgrind otlp ndjson; do
		test -s a.$f && report --$f=- --percent-limit=0.0001 >b.$f && test -s b.$f || return
	done &&
	cmp a.pprof b.pprof && cmp a.otlp b.otlp && cmp a.ndjson b.ndjson && cmp a.perfetto b.perfetto && cmp a.gecko b.gecko &&
	cmp a.speedscope b.speedscope && cmp a.chrome-trace b.chrome-trace
'
test_expect_success 'JSON: speedscope, Firefox Profiler, Chrome, lines; totals and names are the report'"'"'s' '
	for f in speedscope gecko chrome-trace ndjson; do
		same $f a.$f && exports has $f a.$f main f g h "</script><img onerror=1>" || return
	done &&
	test_grep ! "</script>" a.gecko && test_grep ! "</script>" a.chrome-trace
'
test_expect_success SPEEDSCOPE 'speedscope: its own schema has it so' '
	exports schema "$SPEEDSCOPE/dist/release/file-format-schema.json" a.speedscope
'
test_expect_success SPEEDSCOPE,BROWSER 'speedscope: opened by itself, it shows what the folded stacks sum up to' '
	report --folded --weight=samples | awk "{
		n = \$NF; sub(/ [0-9]*\$/, \"\"); depth = split(\$0, at, \";\"); delete seen
		for (i = 2; i <= depth; i++) if (!seen[at[i]]++) total[at[i]] += n
		self[at[depth]] += n
	} END { for (name in total) print total[name], self[name] + 0, name }" | sort >sums &&
	report --weight=samples --speedscope=s.speedscope &&
	PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/speedscope.py" "$SPEEDSCOPE" s.speedscope >out &&
	sort out >shown && test_line_count -eq 6 sums && test_cmp sums shown
'
test_expect_success PROTOC 'protoc: pprof, OpenTelemetry, Perfetto' '
	for f in pprof otlp perfetto; do
		same $f a.$f && exports has $f a.$f main f g h "</script><img onerror=1>" || return
	done
'
test_expect_success CALLGRIND 'callgrind_annotate: costs of functions, and with what they call' '
	same callgrind a.callgrind && exports has callgrind a.callgrind main f g h "</script><img onerror=1>" &&
	report --callgrind=c.callgrind --event=cpu-clock &&
	# Of its own folder it strips the name in some places and not in others.
	(cd / && callgrind_annotate --inclusive=yes --auto=no --threshold=100 "$OLDPWD/c.callgrind") >out &&
	sed -n "s/^[^(]*(\([0-9.]*\)%).*:\([fhm][a-z]*\) \[.*prog\]\$/\2 \1/p" out | sort >got &&
	report --stdio --children -g none -s sym -F overhead_children,sym -t , --percent-limit=0 2>/dev/null |
		sed -n "/of event .sched/,\$d; s/100.00/100.0/; s/% *, *\[\.\] /,/; s/^ *\([0-9.]*\),\([fhm][a-z]*\) *\$/\2 \1/p" |
		sort >want.children &&
	test_line_count -eq 3 want.children && test_cmp want.children got
'
test_expect_success DOT 'graphviz: functions and calls' '
	part dot a.dot && exports has dot a.dot main f g h "</script><img onerror=1>" &&
	report --dot=b.dot --event=say:it --percent-limit=0.0001 && part dot b.dot &&
	report --dot=b.dot --percent-limit=30 && test_grep "left out" b.dot && dot -Tsvg b.dot >b.svg && test_grep "</svg>" b.svg
'
test_expect_success 'filters, and what is counted' '
	for filter in "--tid 101" "--time 1.2,1.5" "-S h" "--cpu 1"; do
		expected $filter && report $filter --ndjson=f.ndjson --speedscope=f.speedscope --gecko=f.gecko &&
		same ndjson f.ndjson && same speedscope f.speedscope && same gecko f.gecko || return
	done &&
	grep "\"ph\":\"X\"" a.chrome-trace >slices && test -s slices && ! grep -v "\"tid\":0,\"ts\"" slices &&
	report --tid 100 --chrome-trace=f.trace && test_grep ! "\"ph\":\"X\"" f.trace &&
	report --time 0%-20%,60%-80% --chrome-trace=f.trace && test_grep ! "\"ph\":\"X\"" f.trace &&
	report --time 1.2,1.5 --chrome-trace=f.trace && test_grep "\"ph\":\"X\"" f.trace &&
	report --weight=samples --speedscope=f.speedscope && exports totals speedscope f.speedscope >got &&
	test_grep "^cpu-clock - 900$" got &&
	report --event=cpu-clock --ndjson=f.ndjson && exports totals ndjson f.ndjson >got && test_line_count -eq 1 got
'
test_expect_success 'how long things went on' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/durations.py" &&
	for workers in 1 2 3; do
		for f in ndjson chrome-trace; do
			PERF_WORKERS=$workers perf report -f -i durations.data --weight duration --$f=d.$f &&
			exports totals $f d.$f >got && test_cmp want got || return
		done
	done &&
	perf report -f -i durations.data --weight duration --ndjson=- </dev/null >d.ndjson &&
	perf report -f -i - --weight duration --ndjson <durations.data | sed 1d >got && sed 1d d.ndjson | test_cmp - got &&
	python3 -c "
import collections, json
sums = collections.defaultdict(int)
for row in map(json.loads, open(\"d.ndjson\")):
    if row[\"type\"] == \"stack\":
        sums[row[\"event\"] + \" \" + str(row[\"tid\"])] += row[\"period\"]
for name, n in sorted(sums.items()):
    print(name, n)" >got && test_cmp want.threads got &&
	# what a filter of functions keeps out ends what it lets through
	perf report -f -i durations.data --weight duration --comms t100 --event cycles --folded >got &&
	awk "\$1 == \"cycles\" && \$2 == 100 { want = \$3 } END { exit want == 0 }" want.threads &&
	test "$(awk "{ n += \$NF } END { print n }" got)" = "$(sed -n "s/^cycles 100 //p" want.threads)" &&
	test_must_fail perf report -f -i perf.data --weight years --folded 2>err && test_grep "period, samples or duration" err
'
test_expect_success 'what is there stays until there is something in its place' '
	mkdir place && echo before >place/a && chmod 600 place/a && ln -s a place/b &&
	(ulimit -f 1 && exec "$PERF" report -f -i perf.data --ndjson=place/a </dev/null 2>err); test $? -ne 0 &&
	test "$(cat place/a)" = before && test "$(ls place | tr "\n" " ")" = "a b " &&
	report --ndjson=place/b && cmp a.ndjson place/a && test -L place/b && test "$(stat -c %a place/a)" = 600 &&
	report --ndjson=place/new && cmp a.ndjson place/new && test "$(ls place | tr "\n" " ")" = "a b new "
'
test_expect_success 'data convert writes the same' '
	perf data convert -f -i perf.data --to-pprof=c.pprof --to-perfetto=c.perfetto --to-ndjson=c.ndjson 2>err &&
	cmp a.pprof c.pprof && cmp a.perfetto c.perfetto && cmp a.ndjson c.ndjson &&
	for f in folded flamegraph html pprof speedscope gecko chrome-trace perfetto dot callgrind otlp ndjson; do
		report --$f=one.$f && perf data convert -f -i perf.data --to-$f=two.$f 2>err && test_grep "two.$f" err &&
		cmp one.$f two.$f || return
	done
'
test_expect_success 'what cannot be written is told' '
	test_must_fail perf report -f -i perf.data --pprof=/nowhere/x 2>err && test_grep "Cannot write /nowhere/x: " err &&
	test_must_fail perf report -f -i perf.data --gecko=x --event=nothing 2>err && test_grep "event .nothing." err &&
	test ! -e x
'
test_done
