#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 2 of 4
test_description='timechart: pictures of the scheduler and of I/O, and the recordings for them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

busy='for i in 1 2 3; do /bin/true; dd if=/dev/zero of=x bs=64k count=4 conv=fsync 2>/dev/null; done'

test_lazy_prereq CPU_IDLE 'the kernel has no power:cpu_idle' '
	perf list --raw-dump tracepoint | grep -qw power:cpu_idle
'
test_lazy_prereq SYSCALLS 'the kernel has no tracepoints of system calls' '
	perf list --raw-dump tracepoint | grep -qw syscalls:sys_enter_read
'
test_lazy_prereq XMLLINT 'there is no xmllint' 'command -v xmllint >/dev/null'

well_formed() {
	xmllint --noout --nonet "$1" && ! grep -iE "<script|href|url\(|onload|@import" "$1"
}

perf timechart record -T -q -o a.data -- sh -c "$busy"

test_expect_success 'a picture has a row for CPUs and tasks, and the last line tells its time' '
	perf timechart -i a.data -o a.svg 2>err && tail -n 1 err | grep -E "^Written [0-9]+\.[0-9] seconds of trace to a\.svg\.$" &&
	grep ">CPU 0<" a.svg && grep -E ">[^<]+:[0-9]+ \([0-9.]+[mun]?s\)<" a.svg && grep "Waiting for cpu" a.svg
'
test_expect_success XMLLINT 'it is well-formed, and nothing in it loads or runs' 'well_formed a.svg'
test_expect_success 'the usual name, and standard output' '
	perf timechart -i a.data 2>/dev/null && cmp output.svg a.svg && perf timechart -i a.data -o - 2>/dev/null >out && cmp out a.svg
'
test_expect_success 'only CPUs, only tasks, only a part of the time' '
	perf timechart -i a.data -P -o p.svg && grep ">CPU 0<" p.svg && ! grep -E ">[^<]+:[0-9]+ \(" p.svg &&
	perf timechart -i a.data -T -o t.svg && ! grep ">CPU 0<" t.svg && grep -E ">[^<]+:[0-9]+ \(" t.svg &&
	perf timechart -i a.data --time 10%-20% -o part.svg 2>err && ! cmp a.svg part.svg &&
	test_expect_code 129 perf timechart -i a.data -P -T 2>err && grep "exclude each other" err
'
rows() {
	grep -cE ">[^<]+:[0-9]+ \([0-9.]+[mun]?s\)<" "$1"
}
test_expect_success 'tasks by number, by name, and the width' '
	perf timechart -i a.data -n 1000 -o all.svg && perf timechart -i a.data -n 1 -o few.svg &&
	test $(rows few.svg) -le $(rows all.svg) && test $(rows all.svg) -ge 5 &&
	perf timechart -i a.data -p dd -o dd.svg && test $(rows dd.svg) -eq 3 && ! grep ">sh:[0-9]* (" dd.svg &&
	pid=$(sed -n "s/.*>dd:\([0-9]*\) (.*/\1/p" dd.svg | head -n 1) &&
	perf timechart -i a.data -p "$pid" -o one.svg && test $(rows one.svg) -eq 1 &&
	perf timechart -i a.data -p dd -p sh -o two.svg && test $(rows two.svg) -ge 4 &&
	perf timechart -i a.data -p nosuch -o none.svg && ! grep -E ">[^<]+:[0-9]+ \(" none.svg &&
	perf timechart -i a.data -w 400 -o w.svg && grep "<svg .* width=\"[0-9]*\"" w.svg &&
	test_expect_code 129 perf timechart -w 3 2>err && grep -e "-w: 3" err
'
test_expect_success 'runs that are long, or of a name, have another colour' '
	{ grep -c "class=\"highlight\"" all.svg >plain; true; } &&
	perf timechart -i a.data -n 1000 --highlight dd -o hi.svg && test $(grep -c "class=\"highlight\"" hi.svg) -gt $(cat plain) &&
	perf timechart -i a.data -n 1000 --highlight 1us -o hi.svg && test $(grep -c "class=\"highlight\"" hi.svg) -gt $(cat plain)
'
others() {
	python3 - "$1" <<-\EOF
	import base64, json, re, sys, zlib
	text = re.search("id=\"data\">([A-Za-z0-9+/=]*)", open(sys.argv[1]).read())[1]
	data, n, at, shift = zlib.decompressobj(-15).decompress(base64.b64decode(text)), 0, 0, 0
	while not at or data[at - 1] & 128:
	    n, at, shift = n | (data[at] & 127) << shift, at + 1, shift + 7
	print("\n".join(json.loads(data[at:at + n]).get("others", ["none"])))
	EOF
}
test_expect_success PYTHON 'a page has all other events that were recorded, and a trace has each of them' '
	perf timechart record -T -q -e signal:signal_generate -o m.data -- sh -c "trap : USR1; for i in 1 2 3 4 5; do kill -USR1 \$\$; done" &&
	perf timechart -i m.data --html -o m.html && others m.html >got && echo signal:signal_generate >want && test_cmp want got &&
	n=$(perf script -i m.data -F event | grep -c signal_generate) && test "$n" -ge 5 &&
	perf timechart -i m.data --pftrace -o m.pftrace 2>err && test $(grep -oa signal:signal_generate m.pftrace | wc -l) -eq "$n" && ! grep "other events" err &&
	perf timechart -i a.data --html -o none.html && others none.html >got && echo none >want && test_cmp want got &&
	perf record -a -q -c 1 -m 256 -e "sched:*,irq:*" -o many.data -- sh -c "$busy" && perf timechart -i many.data --html -o many.html && others many.html >got &&
	grep -x irq:softirq_raise got && grep -x sched:sched_process_exec got && ! grep -x -e sched:sched_switch -e sched:sched_wakeup -e irq:softirq_entry got
'
test_expect_success REFERENCE 'tasks are those of the reference' '
	"$REF" timechart -i a.data -p dd -o ref.svg 2>/dev/null && grep -oE ">dd:[0-9]+" ref.svg | sort -u >want &&
	grep -oE ">dd:[0-9]+" dd.svg | sort -u >got && test -s want && test_cmp want got
'
test_expect_success 'names are escaped' '
	perl -pe "s/\0dd\0\0\0\0\0\0/\0d<\&\"\001 b\0/g" a.data >names.data && perf timechart -i names.data -n 1000 -f -o names.svg &&
	grep "d&lt;&amp;&quot;" names.svg && ! grep "d<&" names.svg && ! grep "$(printf "\001")" names.svg
'
test_expect_success XMLLINT 'such a picture is well-formed' 'well_formed names.svg'
test_expect_success SYSCALLS 'I/O' '
	perf timechart record -I -q -o io.data -- sh -c "$busy" && perf timechart -i io.data -o io.svg 2>err && grep Written err &&
	grep -E ">dd:[0-9]+ \([0-9.]+ KB\)<" io.svg && grep "sync.* ms" io.svg && grep "write.* fd=1" io.svg &&
	grep "class=\"disk\"" io.svg && perf timechart -i io.data --io-skip-eagain --io-min-time 10us --io-merge-dist 5ms -o m.svg &&
	test_expect_code 129 perf timechart --io-min-time x 2>err && grep -e "--io-min-time" err &&
	test_expect_code 255 perf timechart -i io.data --html 2>err && grep "a recording of I/O: draw it without --html" err && ! test -e output.html
'
test_expect_success SYSCALLS,XMLLINT 'a picture of I/O is well-formed' 'well_formed io.svg'
test_expect_success CPU_IDLE 'recordings have the events that were asked for' '
	perf timechart record -P -q -o p.data -- true && perf evlist -i p.data >events && grep power:cpu_idle events && ! grep sched: events &&
	perf evlist -i a.data >events && grep sched:sched_switch events && ! grep power: events &&
	test_expect_code 129 perf timechart record -P -I true 2>err && grep "exclude each other" err
'
test_expect_success 'call chains tell in which functions tasks slept' '
	# Several, for one of them may have been woken unseen.
	perf timechart record -T -g -q -o chains.data -- sh -c "for i in 1 2 3 4; do sleep 0.02; done; $busy" &&
	perf timechart -i chains.data -n 1000 -o chains.svg &&
	{ grep -E "<title>sleeping [^<]*, in [^<]*nanosleep" chains.svg || {
		perf script -G -F comm,tid,cpu,time,event,trace -i chains.data | grep sleep; false; }; } &&
	perf --buildid-dir "$PWD/none" timechart -i chains.data --symfs /nonexistent -n 1000 -o bare.svg && ! cmp -s chains.svg bare.svg &&
	perf timechart -i chains.data -o chains.html && ! grep ", in " a.svg
'
test_expect_success XMLLINT 'such a picture is well-formed, too' 'well_formed chains.svg'
test_expect_success 'other recordings are refused with what was looked for, and the file is left alone' '
	perf record -q -e task-clock -o other.data -- true && echo old >kept.svg &&
	test_expect_code 255 perf timechart -i other.data -o kept.svg 2>err && grep "none of sched:sched_switch, .*only task-clock" err &&
	grep "perf timechart record" err && test "$(cat kept.svg)" = old
'
test_expect_success 'a recording that is cut off is drawn up to there' '
	size=$(stat -c %s a.data) && head -c $((size * 9 / 10)) a.data >cut.data &&
	test_expect_code 255 perf timechart -i cut.data -o cut.svg 2>err &&
	test_grep "cut off at the end of the file" err && test_grep "^Written [0-9.]* seconds of trace" err &&
	test_grep "<svg" cut.svg && perf timechart -i a.data -o whole.svg && test "$(stat -c %s cut.svg)" -le "$(stat -c %s whole.svg)"
'
test_done
