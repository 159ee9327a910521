#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 8
test_description='script: details of status, columns and filters, as the reference has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

printf 'ffffffff%s\n' '81000000 T _text' '81000000 T _stext' '81100000 T middle' '8fff0000 T _etext' >kallsyms

# same FILE OPTION...: equal text and status.
same() {
	local file=$1 ref our

	shift
	"$REF" script -f --no-inline --kallsyms kallsyms -i "$file" "$@" >ref.txt 2>ref.err </dev/null
	ref=$?
	perf script -f --no-inline --kallsyms kallsyms -i "$file" "$@" >our.txt 2>our.err </dev/null
	our=$?
	test $our = $ref && { cmp -s ref.txt our.txt || { no_plt && cmp -s ref.txt our.txt; }; } && return
	echo "script $*: exit $our, the reference $ref"
	diff ref.txt our.txt | head -n 5
	return 1
}
build() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 -; }

test_expect_success PERF_EVENTS 'recordings' '
	perf record -q --switch-events -g -e cpu-clock:u -o now.data ls -l /usr/share/doc >/dev/null 2>rec.err &&
	perf record -q --switch-events -e cpu-clock:u -o - ls -l /usr/share/doc >now.pipe 2>rec.err
'
test_expect_success PERF_EVENTS 'a stream: what cannot be shown has the status of arguments' '
	for x in "-F addr" "-F symoff" "-F -sym" "-F srcline" "-F brstackinsn" "--time nonsense" "--time 10%/2" \
		"--time 1,2 --reltime" "-F comm" "-F hw:addr" "-F break:"; do
		# shellcheck disable=SC2086
		same now.pipe $x || return 1
	done
'
test_expect_success PERF_EVENTS 'a stream: -I alone shows what it tells of itself' '
	same now.pipe -I && test_grep "^# hostname" our.txt && same now.pipe --header && same now.data -I
'
test_expect_success PERF_EVENTS 'a stream with a name: so are the files of its events' '
	mkdir dump && perf script -i now.pipe --per-event-dump -F comm >out.txt && test_grep "Wrote .* now.pipe.cpu-clock:u.dump" out.txt &&
	perf script -i now.pipe -F comm | cmp - now.pipe.cpu-clock:u.dump &&
	(cd dump && perf script -i - --per-event-dump <../now.pipe >out.txt && test -e perf.data.cpu-clock:u.dump)
'
test_expect_success PERF_EVENTS,ROOT '-D: samples that a time or a CPU leaves out have no thread' '
	perf record -q -a -e cpu-clock -F 99 -o cpus.data perf test -w thloop 2 0.3 >/dev/null 2>rec.err &&
	from=$(perf script -i cpus.data -F time --ns | sed -n "2s/[ :]//gp") && test -n "$from" &&
	for x in "--time $from," "--time ,$from" "-C 0" "-c perf" "-G" "-d"; do
		# shellcheck disable=SC2086
		same cpus.data -D $x || return 1
	done &&
	perf script -i cpus.data -D --time ",1" >out.txt && test_grep PERF_RECORD_SAMPLE out.txt && test_grep ! "[.][.][.] thread:" out.txt
'
test_expect_success PERF_EVENTS 'misc: of records that are no samples' '
	for x in --show-switch-events "--show-task-events --show-mmap-events" "--show-switch-events -G --ns"; do
		# shellcheck disable=SC2086
		same now.data -F +misc $x || return 1
	done &&
	perf script -i now.data -F comm,misc --show-task-events >out.txt && test_grep "^ *ls *E *PERF_RECORD_COMM exec" out.txt
'
test_expect_success PERF_EVENTS '--reltime: --time counts from the first sample on' '
	for x in 0,0.001 ,0.002 "0.0005,0.001 0.002,0.003" nonsense 0.1; do
		same now.data -G --reltime --time "$x" || return 1
	done &&
	perf script -i now.data -G --reltime --time 0.001, >tail.txt && perf script -i now.data -G --reltime >all.txt &&
	perf script -i now.data -G --reltime --time 0,0.000999999 >head.txt &&
	test $(($(wc -l <head.txt) + $(wc -l <tail.txt))) = "$(wc -l <all.txt)" && test -s head.txt
'
test_expect_success PYTHON 'pid: of the sample, whatever its thread is known as' '
	build <<-\EOF &&
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU"]
		p.write("pids", [(p.attr(1, 0, fields), [1])], [p.comm(7, 7, "seven"), p.comm(7, 8, "eight"),
		    p.sample(fields, IP=0x1000, TID=(1430, 0), TIME=10**9, CPU=1), p.sample(fields, IP=0x1000, TID=(9, 8), TIME=10**9 + 5, CPU=1)])
	EOF
	for x in pid pid,tid comm,pid,tid; do same pids -F $x || return 1; done && same pids -L -F pid,tid,comm &&
	perf script -f -i pids -F pid >out.txt && test_grep "^ *1430 *$" out.txt
'
test_expect_success PYTHON,REFERENCE 'a sample that comes after its round is told of, from a stream too' '
	build <<-\EOF &&
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU"]
		at = lambda t: p.sample(fields, IP=0x1000, TID=(7, 7), TIME=t * 10**9, CPU=1)
		end = p.record(68, 0, b"")
		p.write("late", [(p.attr(1, 0, fields, flags=1 << 18), [1])], [at(10), at(20), end, at(30), end, at(15), at(40)])
	EOF
	same late && "$REF" script -i late 2>err >ref && test_grep "^1 out of order" err &&
	perf script -i late 2>err >our && test_grep "^1 out of order events recorded" err &&
	perf inject -i late -o - >late.pipe && perf script -i - <late.pipe 2>err >our && test_cmp ref our && test_grep "^1 out of order events recorded" err &&
	perf report --stdio -i late 2>err >our && test_grep ! "out of order" err
'
test_expect_success PERF_EVENTS,ROOT '-C: a CPU that the recorded machine does not have' '
	perf record -q -a -e cpu-clock -o some.data true 2>rec.err && same some.data -C 0 && same some.data -C 100000 -G &&
	test_expect_code 255 perf script -i some.data -C 100000 2>err.txt && test_grep "recorded machine has [0-9]* CPUs" err.txt
'
test_expect_success PERF_EVENTS,ROOT,TRACEFS 'the event that tracks tasks is no software event to choose columns of' '
	perf record -q -g -a -e sched:sched_switch -o tp.data ls >/dev/null 2>rec.err &&
	for x in "-F sw:" "-F sw:ip" "-F -sym" "-F ip,symoff" "-F trace:+ip"; do
		# shellcheck disable=SC2086
		same tp.data -c ls $x || return 1
	done
'
test_expect_success PERF_EVENTS,GCC '--full-source-path: from the folder of the compilation' '
	mkdir -p src build && cat >src/spin.c <<-\EOF &&
		int main(void)
		{
			volatile unsigned s = 0;
			for (unsigned i = 0; i < 40000000; i++)
				s += i;
			return 0;
		}
	EOF
	(cd build && gcc -g -o ../spin ../src/spin.c) && "$REF" record -q -B -N -e cpu-clock:u -o spin.data ./spin &&
	for x in srcline srcline,srccode; do same spin.data --comms spin -S main -F ip,$x --full-source-path || return 1; done &&
	perf script -i spin.data -S main -F ip,srcline --full-source-path >out.txt && test_grep "/build/../src/spin.c:[45]" out.txt &&
	perf script -i spin.data -S main -F ip,srccode >out.txt && test_grep "^|[45] .*s += i\||[45] .*for (unsigned" out.txt
'
test_expect_success PERF_EVENTS,GCC 'srcline: an object without any' '
	strip -o bare spin && gcc -O1 -shared -fPIC -xc -o lib.so - <<<"int f(int n) { volatile int s = 0; while (n--) s++; return s; }" &&
	gcc -o calls -xc - -xnone ./lib.so <<<"int f(int n); int main(void) { return f(20000000) < 0; }" &&
	"$REF" record -q -B -N -e cpu-clock:u -o bare.data sh -c "./bare; ./calls" &&
	HOME=$PWD/apart same bare.data --comms bare --dsos bare -F ip,srcline && test_grep "bare.[0-9a-f]*.$" our.txt &&
	"$REF" script -i bare.data --comms calls --dsos lib.so -F ip,srcline >ref.txt 2>/dev/null &&
	perf script -i bare.data --comms calls --dsos lib.so -F ip,srcline >our.txt && test_grep "^  ??:0\$" our.txt &&
	grep -v "^  ??:0\$" our.txt >lines.txt && test_cmp ref.txt lines.txt && test_grep ! "lib.so." our.txt
'
test_expect_success 'columns are those of the first event of a kind' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\END &&
		import pdata as p
		first = ["IDENTIFIER", "IP", "TID", "TIME", "PERIOD"]
		second = first + ["CPU", "ADDR"]
		p.write("two.data", [(p.attr(1, 0, first), [1]), (p.attr(1, 2, second), [2])], [p.comm(100, 100, "prog")] + [
		    p.sample(second if i % 2 else first, IDENTIFIER=1 + i % 2, IP=0x1000, TID=(100, 100), TIME=10**9 + i, CPU=3, PERIOD=7, ADDR=9)
		    for i in range(4)])
	END
	for x in "" -G "-F -comm" "-F +addr" "-F cpu,ip" "-F sw:cpu" "-F trace:cpu"; do same two.data $x || return 1; done
'
test_expect_success PERF_EVENTS 'of several things that cannot be columns are told first, then times, then events that switch' '
	set -- "-F weight" "--time nonsense" "--switch-on nosuch" &&
	for a; do for b; do
		# shellcheck disable=SC2086
		same now.data $a $b || return 1
	done; done
'
test_expect_success PERF_EVENTS 'of several columns that cannot be the same one is told' '
	set -- addr data_src weight symoff srcline brstackinsn iregs uregs phys_addr data_page_size code_page_size ins_lat &&
	for a; do for b in $(printf "%s\n" "$@" | sampled 5); do
		test $a = $b || same now.data -F $a,$b || return 1
		grep -v "^Overriding" ref.err | head -n 1 >ref.told && head -n 1 our.err | test_cmp ref.told - || return 1
	done; done &&
	same now.data -F "-period,+pid,," && test -s our.txt
'
test_expect_success 'several times, each behind the one before' '
	build <<-\EOF &&
		import pdata as p
		fields = ["IP", "TID", "TIME"]
		p.write("times", [(p.attr(1, 0, fields), [1])], [p.comm(7, 7, "seven")] +
		    [p.sample(fields, IP=0x1000, TID=(7, 7), TIME=10**9 * t) for t in range(1, 9)])
	EOF
	for x in "1,2 5,6" " 1,2" "1,2  3," "1,2 2,3" "1,3 2,4" "3,4 1,2" "1, 2,3" "1,2 ,3" "1,2 "; do
		same times --time "$x" -F time || return 1
	done
'
test_expect_success PERF_EVENTS '--per-event-dump: samples without columns are not counted' '
	same now.data --per-event-dump -F sw:addr && test_grep "(0 samples)" our.txt
'
test_expect_success 'the idle task has no process, whoever was about to end' '
	for x in 0 1430 7 9; do same pids --pid $x -F pid,tid || return 1; done && same pids --pid 0 -F tid && test_line_count = 1 our.txt
'
test_expect_success PERF_EVENTS 'kinds of events that are not there, whatever is asked of flags' '
	for x in "-F break: -F -flags" "-F break: -F break:+flags" "-F break: -F +trace" "-F break: -F +cpu" "-F break: -F flags" \
		"-F break: -F break:-cpu"; do
		# shellcheck disable=SC2086
		same now.data $x || return 1
	done
'
test_expect_success PERF_EVENTS '--call-trace: objects have a column' '
	for x in ip,dso ip,sym,dso "ip,sym,dso -G"; do
		# shellcheck disable=SC2086
		same now.data --call-trace -F $x || return 1
	done && test_grep "(/.* )$" our.txt
'
test_done
