#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='script --columnar, data convert --to-arrow: columns as a reader of the Arrow format finds them'
. "$(dirname "$0")/../../lib/tap.sh"

python() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/$1.py" "${@:2}"; }
arrow() { python arrow "$@"; }

# same OPTION...: columns and rows say the same; how many rows
same() { perf script "$@" --ndjson rows.ndjson && perf script "$@" --columnar rows.arrow && arrow rows rows.arrow rows.ndjson; }

# sums FILE: the sizes of batches are those of 70000 rows, 65536 at most in each
sums() { awk '{ for (i = 1; i <= NF; i++) { n += $i; bad += $i > 65536 } exit bad || n != 70000 || NF < 2 }' "$1"; }

test_lazy_prereq PYARROW 'python3 has no pyarrow' 'python3 -c "import pyarrow"'
test_lazy_prereq NODE_ARROW 'node has no apache-arrow' 'node -e "require(\"apache-arrow\")"'

test_expect_success PERF_EVENTS,TRACEFS,ROOT 'recordings: two tracepoints; call chains' '
	perf record -q -o tp.data -e "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_process_exec" -- ls -R /usr/include/linux >/dev/null &&
	perf record -q -g --sample-cpu -o chain.data -e cpu-clock/period=500000/,page-faults/period=10/ ls -lR /usr/include/linux >/dev/null
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'the values of rows: all, chosen columns, filtered samples, a pipe' '
	n=$(same -i tp.data) && test "$n" -eq "$(perf script -i tp.data | wc -l)" && test "$n" -gt 100 &&
	n=$(same -i chain.data -F +cpu,+srcline) && test "$n" -eq "$(perf script -i chain.data -G | wc -l)" && test "$n" -gt 5 &&
	n=$(same -i chain.data -F comm,time,ip,dso,dsoff -c ls --time 10%-70%) && test "$n" -gt 1 &&
	perf record -q -o - -g -e cpu-clock -c 500000 ls -R /usr/include/linux 2>/dev/null | cat >pipe.data &&
	perf script -i - --columnar piped.arrow <pipe.data && perf script -i - --ndjson piped.ndjson <pipe.data &&
	n=$(arrow rows piped.arrow piped.ndjson) && test "$n" -gt 0
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'types' '
	perf script -i chain.data --columnar a.arrow && arrow schema a.arrow >out && cat >want <<-END && test_cmp want out &&
	time uint64
	event dictionary<utf8>
	comm dictionary<utf8>
	pid uint32
	tid uint32
	cpu uint32
	period uint64
	ip uint64
	sym dictionary<utf8>
	symoff uint32
	dso dictionary<utf8>
	callchain list<item: struct<ip: uint64, sym: dictionary<utf8>, symoff: uint32, dso: dictionary<utf8>, inlined: bool>>
	END
	perf script -i tp.data -F event,trace --columnar a.arrow && arrow schema a.arrow >out && test_grep "^fields.id int64$" out &&
	test_grep "^fields.args list<item: uint64>$" out && test_grep "^fields.filename utf8$" out
'
test_expect_success PERF_EVENTS,ROOT,PYTHON 'the text of script' '
	f="-F comm,pid,tid,cpu,time,event,ip,sym --ns -G" && perf record -q -a -o flat.data -e cpu-clock -c 1000000 -- ls -lR /usr/include/linux >/dev/null &&
	perf script -i flat.data $f | sed "s/^ *//; s/  */ /g" >want && perf script -i flat.data $f --columnar a.arrow &&
	arrow text a.arrow >got && test_cmp want got && test_line_count -gt 5 got
'
test_expect_success PERF_EVENTS,ROOT,PYTHON,REFERENCE 'the text of the reference' '
	"$REF" script -i flat.data -F comm,pid,tid,cpu,time,event --ns 2>/dev/null | sed "s/^ *//; s/  */ /g; s/ *$//" >want &&
	perf script -i flat.data -F comm,pid,tid,cpu,time,event,ip,sym --columnar a.arrow &&
	arrow text a.arrow | sed "s/: cpu-clock: .*/: cpu-clock:/" >got && test_cmp want got
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'the same bytes from one thread and from several' '
	PERF_WORKERS=1 perf script -i tp.data --columnar one.arrow && PERF_WORKERS=3 perf script -i tp.data --columnar several.arrow &&
	cmp one.arrow several.arrow && perf data convert -i tp.data --to-arrow converted.arrow 2>err && cmp one.arrow converted.arrow &&
	test_grep "into Arrow data .converted.arrow" err && test_expect_code 255 perf data convert -i tp.data --to-arrow converted.arrow 2>err &&
	test_grep "converted.arrow exists" err && perf data convert --force -i tp.data --to-arrow converted.arrow 2>err
'
test_expect_success PYTHON 'hostile names are UTF-8; more rows than a batch has' '
	python rows hostile bad.data && n=$(same -i bad.data) && test "$n" -eq 8 &&
	arrow many many.data && perf script -i many.data --columnar many.arrow && arrow batches many.arrow >out && sums out
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'a stream: on standard output, in a pipe, with names that come later; the values are those of the file' '
	for f in tp chain; do
		perf script -i $f.data --columnar - >$f.stream && perf script -i $f.data --ndjson $f.ndjson &&
		arrow rows $f.stream $f.ndjson >n && test "$(cat n)" -gt 5 && PERF_WORKERS=1 perf script -i $f.data --columnar - | cmp - $f.stream || return 1
	done &&
	mkfifo fifo && { cat fifo >piped.stream & } && perf script -i tp.data --columnar fifo && wait $! && cmp tp.stream piped.stream && test -p fifo &&
	perf script -i many.data --columnar - >many.stream && arrow batches many.stream >out && sums out &&
	perf script -i tp.data -c nobody --columnar - >none.stream && arrow batches none.stream >out && echo | test_cmp - out
'
# any RUNS SEED FILE: columns and rows say the same, and so does a stream, with random options that are not refused
any() {
	local i n runs=$1 options file=$3
	RANDOM=$2
	for ((i = 0; i < runs; i++)); do
		options=$(pick)
		# shellcheck disable=SC2086
		until perf script -i "$file" $options --ndjson rows.ndjson 2>err; do
			options=$(pick)
		done
		for n in - rows.arrow; do
			# shellcheck disable=SC2086
			perf script -i "$file" $options --columnar $n >rows.stream 2>err && { test $n != - || n=rows.stream; } &&
				arrow rows $n rows.ndjson >got || { echo "$file: $options"; return 1; }
		done
	done
}

# pick: options of script
pick() {
	local all=(comm pid tid time cpu period "ip,sym" "sym,symoff" dso dsoff addr srcline insn insnlen misc tod weight) i
	local some=("" "-G" "-c ls" "--reltime" "--deltatime" "--no-inline" "--max-stack 2" "--time 20%-80%" "-C 0" "--stop-bt main") what=event

	for ((i = RANDOM % 6; i >= 0; i--)); do
		what+=,${all[RANDOM % ${#all[@]}]}
	done
	echo "-F $what${TRACE:+,trace} ${some[RANDOM % ${#some[@]}]} ${some[RANDOM % 3]}"
}

test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'any options: columns, a stream of them, and rows' '
	perf record -q -g -d -W -T --sample-cpu -o any.data -e cpu-clock/period=1000000/,page-faults/period=30/ ls -lR /usr/include/linux >/dev/null &&
	perf record -q -o few.data -e "sched:*" ls >/dev/null &&
	any $((${LONG:+38} + 2)) ${SEED:-7} any.data && TRACE=1 any $((${LONG:+38} + 2)) ${SEED:-7} few.data
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'what does not go together is told; half a file goes away' '
	test_expect_code 129 perf script -i tp.data --columnar a --csv 2>err && test_grep "one at a time" err &&
	test_expect_code 129 perf script -i tp.data --columnar no.arrow --show-task-events 2>err && test_grep "samples alone" err &&
	test_expect_code 129 perf script -i tp.data -D --columnar no.arrow 2>err && test_expect_code 129 perf script -i tp.data --header --columnar - 2>err >out &&
	test_expect_code 255 perf script -i tp.data -F +srccode --columnar no.arrow 2>err && test_grep "srccode. is no column of --columnar" err &&
	test_expect_code 255 perf script -i tp.data --columnar /dev/full 2>err && test_grep "No space left" err && test -e /dev/full && ! test -e no.arrow &&
	test_expect_code 255 perf script -i tp.data --columnar - 2>err >/dev/full && test_grep "Cannot write standard output: No space left" err &&
	{ perf script -i tp.data --columnar - 2>err; echo $? >status; } | true && test "$(cat status)" = 141 -o "$(cat status)" = 0
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYARROW 'pyarrow reads the same' '
	for f in tp chain; do
		perf script -i $f.data --columnar $f.arrow && PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 -c "
import arrow, sys, pyarrow.feather as f
assert f.read_table(sys.argv[1]).to_pylist() == list(arrow.table(sys.argv[1]).rows())" $f.arrow || return 1
	done
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON,NODE_ARROW 'so does the package for node' '
	perf script -i chain.data -F comm,time,ip,sym --columnar a.arrow && arrow lines a.arrow >want &&
	perf script -i chain.data -F comm,time,ip,sym --columnar - >a.stream && for a in a.arrow a.stream; do
		node -e "
const table = require(\"apache-arrow\").tableFromIPC(require(\"fs\").readFileSync(\"$a\"));
for (const row of table)
	console.log([row.comm, row.time, row.ip, row.sym, row.callchain.toArray().map((f) => f.sym)].join(\" \"));" >got && test_cmp want got || return 1
	done
'
test_done
