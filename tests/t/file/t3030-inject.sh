#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
# turn 7 of 8
test_description='inject: recordings written again: files and streams, build-ids, merged events'
. "$(dirname "$0")/../../lib/tap.sh"

# ways FILE OPTION...: to a file, to a stream, a stream to a stream, and to a file: w.1 to w.4
ways() {
	local in=$1
	shift

	rm -f w.[1-4]*
	perf inject -f "$@" -i "$in" -o w.1 && perf inject -f "$@" -i "$in" -o - >w.2 &&
		perf inject -f "$@" <w.2 | cat >w.3 && cat w.2 | perf inject -f "$@" -o w.4
}

# same_bytes WAY: is it byte for byte another one that comes before?
same_bytes() {
	case $1 in
	w.3) cmp -s w.2 w.3 ;;
	w.4) cmp -s w.1 w.4 ;;
	*) return 1 ;;
	esac
}

# same_text TEXT COMMAND...: each way's output is read to the same text.
same_text() {
	local text=$1 w
	shift

	for w in w.1 w.2 w.3 w.4; do
		same_bytes $w && continue
		"$@" -f -i $w >$w.txt 2>$w.err || { echo "$w: no text"; cat $w.err; return 1; }
		test_cmp "$text" $w.txt || { echo "$w"; return 1; }
	done
}

test_expect_success PERF_EVENTS 'recordings of one and of two events' '
	perf record -q -o a.data -e cpu-clock -c 200000 -g ls -R /usr/include/linux >/dev/null &&
	perf record -q -o b.data -e cpu-clock,task-clock -c 200000 ls -R /usr/include/linux >/dev/null &&
	perf record -q -N -B -o nob.data -e cpu-clock -c 200000 ls -R /usr/include/linux >/dev/null
'
for opts in '' -b --buildid-all; do
	test_expect_success PERF_EVENTS "the same samples all four ways, inject $opts" '
		for f in a.data b.data nob.data; do
			perf script -i $f >want && test -s want && ways $f $opts && same_text want perf script ||
				{ echo $f; return 1; }
		done
	'
	test_every 3 PERF_EVENTS,REFERENCE "the reference reads them too, inject $opts" '
		"$REF" script -i a.data >want && ways a.data $opts && "$REF" script -i w.1 >got && test_cmp want got &&
		"$REF" script -i b.data >want && ways b.data $opts && same_text want "$REF" script
	'
	test_every 3 PERF_EVENTS,REFERENCE "read to the same text as what the reference wrote, inject $opts" '
		"$REF" inject $opts -i a.data -o r.data && perf script -F comm,tid,time,event,ip -i r.data >want &&
			ways a.data $opts && same_text want perf script -F comm,tid,time,event,ip &&
			"$REF" script -F comm,tid,time,event,ip -i r.data >want && "$REF" script -F comm,tid,time,event,ip -i w.1 >got &&
			test_cmp want got
	'
done
# Under sanitizers -b, which does what the others do and more, is enough.
ids=('' -b --buildid-all)
test -z "$SAN" || ids=(-b)
test_expect_success CORPUS 'recorded files: the same text all four ways' '
	for f in $(ls -d "$CORPUS"/*data* | sampled 15); do
		perf script -f -i "$f" >want 2>/dev/null || { echo "$f"; return 1; }
		for opts in "${ids[@]}"; do
			ways "$f" $opts 2>err || { echo "$f $opts"; cat err; return 1; }
			same_text want perf script || { echo "$f $opts"; return 1; }
		done
	done
'
test_expect_success 'what later kernels have in an attr goes all four ways, to the last word' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF &&
	import pdata as p
	fields = ["IDENTIFIER", "IP", "TID", "TIME"]
	p.write("long.data", [(p.attr(4, 1, fields, more=(0x33, 0, 0x1122334455667788)), [1]),
	                      (p.attr(4, 2, fields, more=(0, 0, 0)), [2])],
	        [p.comm(100, 100, "prog")] + [p.sample(fields, IDENTIFIER=i, IP=0x400010, TID=(100, 100), TIME=i) for i in (1, 2)])
	EOF
	perf script -i long.data >want && test_line_count = 2 want && ways long.data && same_text want perf script &&
	for w in long.data w.1 w.2 w.3 w.4; do
		perf evlist -v -i $w >list && test_line_count = 2 list && test_grep "size: 152.*, config3: 0x33$" list &&
			grep -c "config3" list | grep -qx 1 &&
			LC_ALL=C grep -aqP "\x88\x77\x66\x55\x44\x33\x22\x11" $w || { echo $w; cat list; return 1; }
	done
'
addresses() { awk '/^\t/ { print $1; next } { print $1, $2 }'; }

# The copies are those that were made above: the reference has no sanitizers.
test -n "$SAN" || test_set_prereq PLAIN
test_why[PLAIN]='sanitizers find nothing in the reference'
# What the reference shows of streams lacks names of events and has a column more; it gives up on some.
test_expect_success CORPUS,REFERENCE,PLAIN 'recorded files: the reference reads the copies as it reads them' '
	for f in $(ls -d "$CORPUS"/*data* | sampled 20); do
		"$REF" script -f -i "$f" >want 2>/dev/null </dev/null || continue
		ways "$f" -b 2>/dev/null || { echo "$f"; return 1; }
		"$REF" script -f -i w.1 2>/dev/null </dev/null | test_cmp want - || { echo "$f"; return 1; }
		"$REF" script -f -F tid,ip -i "$f" 2>/dev/null </dev/null | addresses >want
		for w in w.2 w.3 w.4; do
			same_bytes $w && continue
			"$REF" script -f -F tid,ip -i $w 2>/dev/null </dev/null | addresses |
				test_cmp want - || { echo "$f $w"; return 1; }
		done
	done
'

# ---- build-ids ----

test_expect_success PERF_EVENTS 'ids of what has samples' '
	perf buildid-list -i a.data | sort >want && grep kernel want &&
	ways nob.data -b && perf buildid-list -H -i nob.data | sed "s/^ *//;s/.* //" | sort >names &&
	for w in w.1 w.2 w.3 w.4; do
		perf buildid-list -H -i $w >got && ! grep "^ " got && sed "s/.* //" got | sort | test_cmp names - ||
			{ echo $w; return 1; }
	done &&
	perf buildid-list -i w.1 | sed "s/.* //" | sort | test_cmp names -
'
test_expect_success PERF_EVENTS 'the table of the input stays' '
	perf buildid-list -i a.data >want && perf inject -i a.data -o w.1 && perf buildid-list -i w.1 | test_cmp want - &&
	perf buildid-list -H -i a.data | sort >want && perf inject -i a.data | perf buildid-list -i - | sort | test_cmp want -
'
test_expect_success PERF_EVENTS 'all that was mapped' '
	perf inject --buildid-all -i nob.data -o w.1 && perf buildid-list -i w.1 >all &&
	test_grep "ld-linux\|ld-musl\|/ld[-.]" all && test_grep "/ls\|coreutils" all &&
	perf inject --buildid-all <nob.data | perf script -i - >/dev/null
'
test_expect_success PERF_EVENTS 'known ids count more' '
	name=$(perf buildid-list -H -i nob.data | sed -n "s/^ *\(\/.*libc[.-].*\)/\1/p" | head -n 1) &&
	test -n "$name" || return 0
	id=0123456789abcdef0123456789abcdef01234567 && rm -f w.[1-4] &&
	perf inject -b --known-build-ids="$id $name" -i nob.data -o w.1 && perf buildid-list -i w.1 >got &&
	test_grep "^$id $name\$" got && printf "%s\n" "$id $name" "nonsense" >ids &&
	perf inject -b --known-build-ids=file://ids -i nob.data -o w.2 2>err && perf buildid-list -i w.2 | test_cmp got - &&
	test_grep "nonsense" err &&
	! perf inject -b --known-build-ids=file://not-there -i nob.data -o w.3 2>err && test_grep "not-there" err &&
	! test -e w.3
'
test_expect_success CORPUS 'an object that is gone has the id that was recorded' '
	perf inject -b -i "$CORPUS/s390x-cpu-clock-callgraph.data" -o w.1 &&
	perf buildid-list -i w.1 >got && test_grep "^d70fbc442d6a2dc2506955d5a028f301cf5ad3da /bin/busybox" got
'
test_expect_success CORPUS 'the byte order stays' '
	head -c 8 "$CORPUS/s390x-cpu-clock-callgraph.data" >want &&
	ways "$CORPUS/s390x-cpu-clock-callgraph.data" -b && for w in w.1 w.2 w.3 w.4; do
		head -c 8 $w | test_cmp want - || return 1
	done
'
test_expect_success CORPUS 'compressed: copied as it is, or opened when its records matter' '
	perf inject -b -i "$CORPUS/sleep.compressed.data" -o w.1 && perf report --stats -i w.1 >out 2>/dev/null &&
	test_grep "COMPRESSED" out &&
	perf inject -b -i "$CORPUS/sleep.compressed.pipe.data" -o w.2 && perf report --stats -i w.2 >out 2>/dev/null &&
	! grep " COMPRESSED" out && perf report --header-only -i w.2 >out 2>/dev/null && ! grep -i "compressed" out
'

test_expect_success PERF_EVENTS 'ids inside the mapping records' '
	perf script -i nob.data >want && for opt in --mmap2-buildids --mmap2-buildid-all; do
		ways nob.data $opt && same_text want perf script || { echo $opt; return 1; }
		perf script -D -i w.1 | grep PERF_RECORD_MMAP >maps.$opt
		! grep " r.xp /" maps.$opt | grep -v " <[0-9a-f]\{40\}>\]: " || { echo $opt; return 1; }
	done &&
	perf script -D -i nob.data | grep -c PERF_RECORD_MMAP >all &&
	wc -l <maps.--mmap2-buildid-all | test_cmp all - && test $(wc -l <maps.--mmap2-buildids) -lt $(cat all) &&
	perf buildid-list -H -i w.1 | sed "s/.* //" | sort >got && perf buildid-list -H -i nob.data | sed "s/.* //" | sort | test_cmp - got
'
test_expect_success PERF_EVENTS,REFERENCE 'ids inside the mapping records, for the reference' '
	"$REF" buildid-list -H -i nob.data | sed "s/.* //" | sort >want && perf inject --mmap2-buildids -i nob.data -o w.1 &&
	"$REF" buildid-list -H -i w.1 >got && ! grep "^ " got && sed "s/.* //" got | sort | test_cmp want -
'

# ---- other changes ----

test_lazy_prereq SCHED_STAT 'this kernel has no sched_stat_runtime, or tracepoints may not be opened' '
	perf record -q -o x.data -e sched:sched_stat_runtime -e sched:sched_switch true'
test_expect_success SCHED_STAT 'sched_stat and sched_switch' '
	perf record -q -o s.data -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -g \
		-- perf bench -f simple sched pipe -l 100 >/dev/null 2>&1 ||
		perf record -q -o s.data -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -g \
			-- perf test -w context_switch_loop 200 >/dev/null 2>&1
	ways s.data -s && for w in w.1 w.2 w.3 w.4; do
		perf script -F event -i $w | sed "/^\$/d;s/ //g" | sort -u >got
		case $w in w.3 | w.4) continue ;; esac # twice merged: nothing is left to merge
		echo "sched:sched_switch:" | test_cmp - got || { echo $w; return 1; }
	done
'
test_expect_success SCHED_STAT,REFERENCE 'sched_stat: as the reference' '
	"$REF" inject -s -i s.data -o r.data && perf script -F comm,tid,cpu,time,period,event,ip,trace -i r.data >want &&
	test -s want && perf inject -s -i s.data -o w.1 &&
	perf script -F comm,tid,cpu,time,period,event,ip,trace -i w.1 | test_cmp want - &&
	perf inject -s -i s.data | perf script -F comm,tid,cpu,time,period,event,ip,trace -i - | test_cmp want -
'
test_expect_success PERF_EVENTS 'itrace and strip without traces' '
	rm -f w.[1-4] && perf inject --itrace -i a.data -o w.1 2>err && ! test -s err && perf script -i a.data >want &&
	perf script -i w.1 | test_cmp want - && perf inject --itrace --strip -i a.data -o w.2 && perf script -i w.2 >got &&
	! test -s got && perf report --stats -i w.2 2>/dev/null >out && ! grep SAMPLE out && test_grep MMAP out &&
	test_must_fail perf inject --strip -i a.data -o w.3 2>err && test_grep "requires --itrace" err &&
	test_must_fail perf inject --itrace=zz -i a.data -o w.3 2>err && test_grep "Bad Instruction Tracing options .zz" err &&
	! test -e w.3
'
test_expect_success CORPUS 'itrace and strip with traces: told, and nothing is lost' '
	f=$CORPUS/perf.data.piped.intel_pt-4.14 && perf inject --itrace --strip -i "$f" -o w.1 2>err &&
	test_grep "decoding of instruction traces is not in this perf" err && perf report --stats -i "$f" 2>/dev/null >want &&
	perf report --stats -i w.1 2>/dev/null | test_cmp want -
'

test_expect_success PERF_EVENTS 'samples that read their groups are written once' '
	perf record -q -e "{cpu-clock,task-clock,page-faults}:S" -F 1000 -o g.data perf test -w thloop 2 0.1 &&
	perf script -i g.data >want && perf report --stats -i g.data | grep SAMPLE >stats &&
	for how in "" -b -s; do
		rm -f w.1 && perf inject $how -i g.data -o w.1 && perf script -i w.1 | test_cmp want - &&
		perf report --stats -i w.1 | grep SAMPLE | sed "s/ *(.*//" >out && sed "s/ *(.*//" stats | test_cmp - out || return 1
	done
'

# ---- the output ----

test_expect_success PERF_EVENTS 'the input is not overwritten' '
	cp a.data c.data && test_must_fail perf inject -b -i c.data -o c.data 2>err && test_grep "input itself" err &&
	test_cmp a.data c.data && test_must_fail perf inject -b -i c.data 1<>c.data 2>err && test_cmp a.data c.data
'
test_expect_success PERF_EVENTS 'an older file is kept' '
	echo old >o.data && perf inject -i a.data -o o.data && echo old | test_cmp - o.data.old && perf script -i o.data >/dev/null
'
test_expect_success PERF_EVENTS 'no room: told, and nothing half stays' '
	rm -f w.[1-4] && (ulimit -f 4; test_must_fail perf inject -b -i a.data -o w.full 2>err) && test_grep "w.full" err && ! test -e w.full &&
	test_must_fail perf inject -i a.data -o /dev/full 2>err && test_grep "No space left" err &&
	test_must_fail perf inject -i a.data -o /not/there 2>err && test_grep "/not/there" err &&
	test_must_fail perf inject -i not-there -o w.3 2>err && test_grep "not-there" err && ! test -e w.3 &&
	test_must_fail perf inject -b -k /not/there -i a.data -o w.3 2>err && test_grep "Invalid file: /not/there" err
'
test_expect_success PERF_EVENTS 'cut off and unfinished: what can be read is whole again' '
	size=$(stat -c %s a.data) && head -c $((size * 2 / 3)) a.data >cut.data &&
	test_expect_code 255 perf script -i cut.data >want 2>/dev/null && test -s want && ways cut.data -f -b 2>/dev/null &&
	same_text want perf script && perf script -i w.1 2>err >/dev/null && ! test -s err
'
test_expect_success PERF_EVENTS 'a recording of several threads becomes one file' '
	"$REF" record -q --threads -o d.data -e cpu-clock -c 200000 ls -R /usr/include/linux >/dev/null 2>&1 || return 0
	perf script -i d.data >want && ways d.data -b && same_text want perf script
'
test_done
