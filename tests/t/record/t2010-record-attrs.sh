#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf record: attrs and header are those the reference writes for the same command line'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS,REFERENCE

# rates are what was asked for
printf '[record]\n\tsample-budget = 0\n' >"$HOME/.perfconfig"

# The reference can die of damaged build-ids in mmap records, when another tool records at the same
# time: -B keeps it from looking at them.
# same ARGS...: both record it; evlist -v (of the reference) says the same of both files
same() {
	if test -n "$SAN"; then # their attrs are those of the build without sanitizers
		timeout 60 perf record --no-bpf-event -o our.data "$@" >/dev/null 2>our.err && perf evlist -v -i our.data >our.txt
		return
	fi
	timeout 60 "$REF" record -B --no-bpf-event -o ref.data "$@" >/dev/null 2>ref.err &&
	timeout 60 perf record --no-bpf-event -o our.data "$@" >/dev/null 2>our.err &&
	"$REF" evlist -v -i ref.data >ref.txt && "$REF" evlist -v -i our.data >our.txt &&
	test_cmp ref.txt our.txt
}

# Each line: the arguments of one recording; every eighth, in make check-long all.
while read -r args; do
	eval "words=($args)"
	test_expect_success "$args" 'same "${words[@]}"'
done < <(sampled 8 <<\EOF
true
-g true
-e cycles true
-e cycles:u true
-e cycles:pp true
-i true
-c 100000 true
-F 99 true
-n true
-d true
-s true
-W true
-P -c 1000 -e faults true
--no-period true
--sample-cpu true
--phys-data true
--code-page-size --data-page-size true
--per-thread true
--overwrite -e cpu-clock -e raw_syscalls:sys_enter true
--all-user true
--all-kernel true
--switch-events --namespaces --all-cgroups true
--sample-identifier true
-k mono true
-D 5 true
-D 5 -a true
-a -g true
-a -F 99 true
-a -s -W --phys-data true
-a -d -e page-faults -c 1 true
-C 0 true
-e faults,cs true
-e cpu-clock:u -e cs:k true
-e cpu-clock:H,cpu-clock:G,cpu-clock:P,cpu-clock:ukh true
-e cpu-clock:D,faults:I true
-e '{cpu-clock,faults}' true
-e '{cpu-clock,faults}:S' true
-e '{faults,cs}:u' -a true
-e cpu-clock/period=10000,name=foo/ true
-e cpu-clock/freq=99,call-graph=fp/ true
-e mem:0x1234:rw true
-e 1:2 true
--call-graph dwarf true
--call-graph dwarf,4096 -a true
--call-graph fp -e cpu-clock,faults true
--per-thread -T true
-T -P --weight --transaction true
--running-time -e '{cpu-clock,faults}:S' true
--group -e cpu-clock,faults true
-g --kernel-callchains true
-g --user-callchains -a true
--clockid boot true
--user-regs=ax,ip --intr-regs=sp true
EOF
)

# stream ARGS...: the same, of what goes down a pipe
stream() {
	if test -n "$SAN"; then
		timeout 20 perf record --no-bpf-event -o - "$@" 2>our.err >our.data && perf evlist -v -i our.data >our.txt
		return
	fi
	timeout 20 "$REF" record --no-bpf-event -o - "$@" 2>ref.err >ref.data &&
	timeout 20 perf record --no-bpf-event -o - "$@" 2>our.err >our.data &&
	"$REF" evlist -v -i ref.data >ref.txt && "$REF" evlist -v -i our.data >our.txt &&
	test_cmp ref.txt our.txt
}
while read -r args; do
	eval "words=($args)"
	test_expect_success "a stream: $args" 'stream "${words[@]}"'
done < <(sampled 6 <<\EOF
true
-g -e cpu-clock -c 100000 true
-n -s -R -e cpu-clock true
-a true
--per-thread true
-e cpu-clock,faults true
-e cpu-clock/call-graph=dwarf/,faults true
-e '{cpu-clock,faults}:S' true
--sample-identifier true
-D 5 true
-e mem:0x1234:rw true
-a -e dummy true
-z true
EOF
)

test_expect_success TRACEFS 'tracepoints: several, globs, modifiers, -R' '
	same -e faults,sched:sched_switch true &&
	same -e sched:sched_switch:u true &&
	same -F 99 -e sched:sched_switch true &&
	same -c 5 -e sched:sched_switch -a true &&
	same -R -e cpu-clock true &&
	same -e "sched:sched_s*,raw_syscalls:*" -a true
'

test_expect_success 'the header has the same lines' '
	for i in 1 2 3; do "$REF" record -o ref.data true 2>/dev/null && break; done &&
	perf record -o our.data true 2>/dev/null &&
	for f in ref our; do
		"$REF" report --header-only -I -i $f.data |
		sed -E "s/^# (captured on|data size|feat offset|perf version|cmdline|time of|sample duration|event) .*/# \1/
			s/(total|free) = [0-9]+/\1/g; /^# (time of|sample duration|bpf_prog_info|btf info)/d" >$f.txt || return 1
	done &&
	test_cmp ref.txt our.txt
'

test_expect_success TRACEFS 'tracing data: byte for byte' '
	cat >feat.py <<-\PY &&
	import struct, sys
	d = open(sys.argv[1], "rb").read()
	off, size = struct.unpack_from("<QQ", d, 40)
	assert d[72] & 2, "no tracing data"
	o, s = struct.unpack_from("<QQ", d, off + size)
	sys.stdout.buffer.write(d[o:o + s])
	PY
	for f in ref our; do
		test $f = ref && p=$REF || p=$PERF
		$p record -B -e "sched:sched_switch,raw_syscalls:*" -o $f.data true 2>/dev/null &&
		python3 feat.py $f.data >$f.bin || return 1
	done &&
	cmp ref.bin our.bin
'
test_expect_success '--data-mmap and --sample-mem-info: a part of what -d records each' '
	maps() { perf script -D -i "$1" | grep -c "RECORD_MMAP2.*\[stack\]"; } &&
	perf record -e cpu-clock -o none.data true && perf record -e cpu-clock --data-mmap -o maps.data true &&
	perf record -e cpu-clock --sample-mem-info -o src.data true &&
	perf evlist -v -i maps.data | test_grep "mmap_data: 1" - && test "$(maps none.data)" = 0 && test "$(maps maps.data)" -gt 0 &&
	perf evlist -v -i src.data >out && test_grep "DATA_SRC" out && test_grep ! "ADDR|" out && test_grep ! "mmap_data" out
'
test_done
