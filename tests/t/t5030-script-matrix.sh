#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='script: many combinations of options, each as the reference prints it'
. "$(dirname "$0")/../lib/tap.sh"
test_require REFERENCE

# One combination of options per line; @EVENT is an event of the file, @TIME a time in it, @SYM a
# function and @DSO an object in it.
cat >combos <<-\EOF

	-G
	-F ip
	-F comm,tid
	-F comm,,tid
	-F ip,sym,symoff
	-F ip,sym,dso
	-F ip,sym,symoff,dso -G
	-F +pid
	-F +pid -F -comm
	-F -comm,-time
	-F +flags
	-F flags
	-F +callindent,+synth,+ipc
	-F +brstack
	-F +brstacksym
	-F hw:comm,time
	-F hw:+pid
	-F hw:+addr
	-F sw:time,event
	-F trace:time,event,trace
	-F break:ip -F synth:comm
	-F hw:time -F comm,tid
	-F comm -F hw:time,tid
	-F addr
	-F +addr
	-F trace
	-F +nonsense
	-F comm,+tid
	-F wrong:ip
	--deltatime
	-F hw:flags
	-F flags -F trace:flags
	--deltatime --ns -G
	--reltime
	--reltime --deltatime
	--reltime --show-task-events
	--deltatime --show-mmap-events
	--show-task-events -G
	--show-switch-events --show-namespace-events -G
	--show-round-events
	-a -G
	-C 0
	--max-stack 2
	--max-stack 1 -F ip,sym
	--stop-bt nosuch,@SYM -F ip,sym
	-S @SYM
	-S nosuch
	-S file://names -G
	-S ffffffff81100000 --addr-range 1000000
	-S 0xffffffff81000000,@SYM --addr-range 65536 -G
	--dsos [kernel.kallsyms]
	--dsos @DSO,nosuch -S @SYM
	--comms @COMM --reltime -G
	--tid @TID -F tid,time
	--time @TIME,
	--time ,@TIME --deltatime
	--time 10%-50%
	--switch-on @EVENT
	--switch-off @EVENT
	--switch-on @EVENT --switch-off @EVENT
	--switch-on @EVENT --switch-off @EVENT --show-on-off-events
	--switch-on @EVENT -C 0 --deltatime
	--switch-on nosuch
	-d
	--stitch-lbr
	--itrace=i100us
	--itrace=zzz
	--call-trace
	--call-ret-trace
	--graph-function main
	--show-kernel-path --demangle-kernel
	-F +tod
	--header-only
	--show-info --header -F comm
	--no-demangle -G
	--ns -F time
	--ns --reltime -F time,ip
	--max-stack 0
	--max-stack 3 --stop-bt @SYM
	-v -F comm,tid -G
	--show-lost-events -F comm,time
	--show-cgroup-events --show-bpf-events -F event
	--show-text-poke-events -F cpu,time
	--show-task-events --show-mmap-events --show-lost-events
	--show-task-events -F pid,tid,time
	--show-mmap-events -F comm,pid
	--show-mmap-events --ns -C 0
	--show-task-events -c @COMM
	--show-round-events -F time
	-F period
	-F event
	-F cpu
	-F pid
	-F tid,pid
	-F time,ns
	-F sym
	-F dso
	-F symoff
	-F sym,symoff
	-F ip,symoff
	-F ip,dso
	-F ip,sym,dso,addr
	-F comm,tid,pid,time,cpu,event,ip,sym,dso,symoff,period
	-F comm,misc,time
	-F +misc,+cpu
	-F weight
	-F +weight
	-F phys_addr
	-F data_src
	-F iregs
	-F uregs
	-F +brstackoff
	-F +brstackinsn
	-F brstackinsnlen,ip
	-F +insn -G
	-F insnlen,ip
	-F data_page_size
	-F code_page_size
	-F ins_lat
	-F trace:comm,time -F sw:ip
	-F hw:comm -F sw:tid -F trace:event
	-F sw:-comm
	-F sw:+pid,-time
	-F trace:-trace,+ip
	-F raw:time
	-F break:+addr
	-F hw:ip,sym,dso -G
	-F hw: -F sw: -F trace:time
	-F ,
	-F comm,
	-F -nosuch
	-F ip,+sym
	-F sw:trace
	-F hw:bpf-output
	-F synth:ip -F comm
	-F comm -F +time
	-F comm -F -comm
	-F comm,tid -F time
	-C 0,1
	-C 0-1 -G
	-C nonsense
	-C 1 -F cpu,time
	--tid @TID --pid 1
	--pid @TID
	--tid 0
	-c @COMM -F comm
	-c nosuch
	-c @COMM,nosuch -G
	--comms @COMM -C 0
	-S @SYM -F ip,sym -G
	-S @SYM,nosuch
	-S [unknown]
	-S @SYM --max-stack 1
	--dsos @DSO -F ip,dso
	--dsos nosuch
	--dsos @DSO --comms @COMM
	--stop-bt middle
	--stop-bt @SYM -G
	--time @TIME,@TIME
	--time ,
	--time nonsense
	--time 20%/2
	--time 10%/1,10%/3
	--time 0%-10%,40%-50%
	--time 110%/1
	--time @TIME, -F comm,time -C 0
	--switch-on @EVENT --switch-off @EVENT -F event
	--switch-off @EVENT --show-on-off-events
	--deltatime -F time
	--deltatime --show-task-events
	--deltatime -C 0 --ns
	--reltime --ns -S @SYM
	--insn-trace
	--stitch-lbr -G
	--itrace=e -F comm
	--call-trace -G
	-a -C 0 -F cpu
	--show-kernel-path -F ip,dso
	--demangle-kernel -S @SYM
	-I -F comm
	-f -F event,cpu
	-d --time @TIME,
EOF
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
	event=$("$REF" evlist -f -i "$1" 2>/dev/null | grep -v '^#' | tail -n "${2:-1}" | head -n 1)
	sed "s|@SYM|${sym:-low}|; s|@DSO|$(basename "${dso:-none}")|; s|@COMM|${comm:-none}|; s|@TIME|${time:-1}|g
		s|@TID|${tid:-1}|; s|@EVENT|$event|g" combos
}

rounds() { perf report --stats -i "$1" | awk '/FINISHED_ROUND/ { n = $3 } END { print n + 0 }'; }

# matrix FILE: all combinations; those that differ are shown.
matrix() {
	local bad=0 nr=0 ref our line

	turn=$((turn + 1))
	# Parts of a time need what old recorders did not write. Ends of branches that are 0 are shown
	# as nowhere by the reference, and the vdso as a file of its own, with the code of the one it has
	# itself (Documentation/differences.md). Where a round ends amid the records, --show-round-events
	# of the reference leaves addresses without symbols that it names without that option.
	fill_in "$@" | case $1 in
	*.raw_call*) grep -v -e % -e brstack -e kernel-path -e insn ;;
	*.data.*) grep -v % ;;
	now.data) if test "$(rounds now.data)" -gt 1; then grep -v -e --show-round-events; else cat; fi ;;
	*) cat ;;
	esac | if test "$MATRIX" = all; then cat; else
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
		bad=$((bad + 1))
		echo "script $line: exit $our, the reference $ref"
		diff ref.out our.out | head -n 4
	done <lines
	echo "$1: $nr combinations, $bad differ"
	test $nr -ge "$(test "$SAN" && echo 8 || echo 38)" && test $bad = 0
}

files="raw_callgraph_branch-3.4 hw_and_sw-3.4 lost_samples-4.4 branch-4.14"
test "$MATRIX" != all || files="$files true.v2 group_desc-4.14 raw-3.4 i686-3.4 armv7-3.4 throttle-3.8 systemwide.5-3.8
	callgraph_and_branch-3.4 hybrid_topology proc.map.timeout-3.18 forkexit-3.4 numatopology-3.2 branch_stack_spec"
for name in $files; do
	test_expect_success CORPUS "combinations on $name" 'matrix "$CORPUS/perf.data.$name"'
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
		test $? = $ref && sed -i "/# (Tip/d" ref.out our.out && cmp ref.out our.out &&
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
test_done
