#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# takes long
# turn 4 of 16
test_description='perf record: header and side-band of our recordings and those of the reference are alike'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'takes long under sanitizers; t2000 to t2040 record the same things there'
test_require ROOT,PERF_EVENTS,REFERENCE
test_lazy_prereq MOUNTS 'no mount namespaces' 'unshare -m mount --bind /proc/self /proc/self/task'
test_lazy_prereq BPF 'the kernel lets nobody load BPF programs' '"$BUILD/tests/programs/bpfload" 1'

# What differs by nature: when, how much, which ids, who wrote it; memory comes and goes in virtual machines. Of BPF programs only our own is sure to stay.
mask() {
	sed -E -e 's/^(# (captured on|data offset|data size|feat offset|time of (first|last) sample|sample duration) *:).*/\1/' \
		-e 's/^(# (cmdline|perf version|reference time)) *:.*/\1/' -e 's/(total|free) = [0-9]+/\1 = N/g' \
		-e 's/^(# total memory) :.*/\1/' \
		-e 's/id = \{[^}]*\}/id = N/' -e 's/ratio = [0-9]+/ratio = N/' \
		-e 's/^(# missing features:.*) BUILD_ID/\1/' |
		awk -v id="$(cat id 2>/dev/null)" '/^# bpf_prog_info/ { own = $3 == id ":" }
			/^# (bpf_prog_info|\tsub_prog)/ && !own || /^# btf info/ { next } { print }'
}

# kinds FILE: which records there are about the recording itself, and what EVENT_UPDATE says
kinds() {
	"$REF" report --stats -D -i "$1" 2>/dev/null </dev/null | sed -nE \
		-e 's/.*(PERF_RECORD_(ID_INDEX|THREAD_MAP|CPU_MAP.*|EVENT_UPDATE|FINISHED_INIT)).*/\1/p' \
		-e '/^\.\.\. (unit|scale|name)/p' -e '/PERF_RECORD_EVENT_UPDATE/,/^$/s/^\.\.\. ([0-9].*)/cpus \1/p'
}

# alike WRAP ARGS...: record with both; header, events and records of both are the same
# The reference waits a second for its thread of BPF events to end: only the cases about these have it.
bpf=--no-bpf-event
alike() {
	local wrap=$1; shift

	$wrap "$REF" record -q $bpf -o r.data "$@" >/dev/null 2>r.err </dev/null || { cat r.err; return 1; }
	$wrap perf record -q $bpf -o o.data "$@" >/dev/null 2>o.err </dev/null || { cat o.err; return 1; }
	for x in r o; do
		"$REF" report --header-only -I -i $x.data 2>&1 </dev/null | mask >$x.header
		"$REF" evlist -v -i $x.data >$x.events 2>&1
		kinds $x.data >$x.kinds
	done
	test "$(wc -l <r.header)" -gt 20 && test_cmp r.header o.header && test_cmp r.events o.events &&
		test -s r.kinds && test_cmp r.kinds o.kinds
}

test_expect_success 'a command' 'alike "" true'
test_expect_success 'how much memory there is' '
	for _ in 1 2 3 4 5; do
		"$REF" record -q -o r.data true 2>r.err && perf record -q -o o.data true &&
		for x in r o; do
			"$REF" report --header-only -I -i $x.data | sed -n -E "s/, free.*//; /^# (total memory|node. meminfo) *: /p" >$x.memory || return 1
		done
		cmp -s r.memory o.memory && break
	done
	test -s r.memory && test_cmp r.memory o.memory
'
test_expect_success 'the whole system' 'alike "" -a true'
test_expect_success 'call chains' 'alike "" -g true'
test_expect_success 'several events' 'alike "" -e cpu-clock,faults,task-clock:u true'
test_expect_success 'a group' 'alike "" -e "{cpu-clock,faults}" true'
test_expect_success 'a group that is read' 'alike "" -e "{cpu-clock,faults}:S" true'
test_expect_success 'a group with modifiers' 'alike "" -e "{cpu-clock,faults}:De" true'
test_expect_success 'output of BPF programs' 'alike "" -e bpf-output -F 99 true'
test_expect_success 'one kind of space' 'alike "" --all-user -a true && alike "" --all-kernel -a true'
test_expect_success TRACEFS 'tracepoints' 'alike "" -e sched:sched_switch,sched:sched_wakeup -a true'
test_expect_success 'a breakpoint, without any sample' 'alike "" -e mem:0x1000:w true'
test_expect_success 'a process' 'alike "" -p $$ sleep 0.1'
test_expect_success 'a thread' 'alike "" -t $$ sleep 0.1'
test_expect_success 'one CPU' 'alike "" -C 0 true'
test_expect_success 'per thread' 'alike "" --per-thread true'
test_expect_success 'addresses, weights, counts' 'alike "" -d -W -s --phys-data true'
test_expect_success 'stacks' 'alike "" --call-graph dwarf true'
test_expect_success 'registers, when interrupted and of user space' 'alike "" --intr-regs=ax,IP --user-regs=sp -a true'
test_expect_success 'all registers' 'alike "" -I --user-regs true'
test_expect_success 'stacks and some registers, system-wide' 'alike "" --user-regs=ax --call-graph dwarf,4096 -a true'
test_expect_success 'namespaces, control groups, switches' 'alike "" --namespaces --all-cgroups --switch-events -a true'
for clock in mono monotonic_raw realtime boottime tai; do
	test_expect_success "clock $clock" "alike '' -k $clock true"
done
test_expect_success 'clock data: both clocks at the same time' '
	perf record -q -k mono -o o.data true &&
	perf script -F time -i o.data | tr -d ": " >times && "$REF" report --header-only -i o.data >out &&
	ref=$(sed -n "s/^# reference time: .* = \([0-9.]*\) (monotonic)/\1/p" out) &&
	awk -v r="$ref" "{ d = \$1 - r; if (d < 0 || d > 60) exit 1 } END { exit !NR }" times
'
test_expect_success 'compressed' 'alike "" -z true'

# Machines that are not here: the kernel's folders are replaced for a process and its children.
fake() {
	rm -rf fake; mkdir fake
	cp -rL /sys/bus/event_source/devices fake/pmus 2>/dev/null
	(
		cd fake/pmus || exit
		for p in "$@"; do mkdir -p "$p/caps" "$p/format" "$p/events"; echo "config:0-7" >"$p/format/event"; done
	)
}
put() { echo "$2" >"fake/pmus/$1"; }
in_fake() { unshare -m sh -c 'mount --bind fake/pmus /sys/bus/event_source/devices && exec "$@"' sh "$@"; }

# the same for the folder of CPUs: cpus ARGS... removes files from it
cpus() {
	rm -rf cpus; mkdir cpus
	(
		cd /sys/devices/system/cpu || exit
		for f in present online possible cpu[0-9]*/topology/*_* cpu[0-9]*/cache/index*/*; do
			mkdir -p "$TRASH/cwd/cpus/$(dirname "$f")"
			test -f "$f" && cat "$f" >"$TRASH/cwd/cpus/$f" 2>/dev/null
		done
	)
	for f; do rm -rf cpus/$f; done
}
on_cpus() { unshare -m sh -c 'mount --bind cpus /sys/devices/system/cpu && exec "$@"' sh "$@"; }

test_expect_success MOUNTS 'a machine without dies' '
	cpus "cpu*/topology/die*" && alike on_cpus true && test_grep "^# CPU 0: Core ID 0, Socket ID 0" o.header
'
test_expect_success MOUNTS 'a CPU that is offline' '
	n=$(($(nproc --all) - 1)) && test $n -gt 0 && cpus "cpu$n/topology" && echo 0 >cpus/online &&
	alike on_cpus true && test_grep "^# CPU $n: Core ID -1" o.header && test_grep "^# nrcpus online : 1" o.header
'
test_expect_success MOUNTS 'a machine that tells nothing of its caches' '
	cpus "cpu*/cache" && alike on_cpus true
'
test_expect_success MOUNTS 'capabilities of PMUs' '
	fake cpu big empty && rmdir fake/pmus/empty/caps && put cpu/type 4 && put big/type 70 && put empty/type 71 &&
	put cpu/caps/max_precise 3 && put cpu/caps/branches 16 && put big/caps/slots 6 && put big/caps/name "a b" &&
	alike in_fake -e cpu-clock true &&
	test_grep "^# cpu pmu capabilities: .*max_precise=3" o.header && test_grep "^# big pmu capabilities: .*slots=6" o.header
'
test_expect_success MOUNTS 'two kinds of cores' '
	fake cpu_core cpu_atom && put cpu_core/type 4 && put cpu_atom/type 10 && put cpu_core/cpus 0 &&
	put cpu_atom/cpus 1 && put cpu_core/caps/max_precise 3 && put cpu_atom/caps/max_precise 2 &&
	alike in_fake -a -e cpu-clock true &&
	test_grep "^# cpu_atom cpu list : 1" o.header && test_grep "^# cpu_core pmu capabilities: max_precise=3" o.header
'
test_expect_success MOUNTS 'events with a unit, a scale and CPUs of their own' '
	fake uncore && put uncore/type 1 && put uncore/cpumask 0 && put uncore/events/clk event=0x0 &&
	put uncore/events/clk.unit Joules && put uncore/events/clk.scale 2.5e-3 &&
	alike in_fake -a -e uncore/clk/,uncore/event=9/ true && test_grep "unit: *Joules" o.kinds
'

test_expect_success BPF 'BPF programs that are there already' '
	"$BUILD/tests/programs/bpfload" 20000 >id & pid=$!
	wait_for test -s id
	bpf=; alike "" -a true; rc=$?; bpf=--no-bpf-event
	for x in r o; do
		"$REF" report --stats -D -i $x.data 2>/dev/null | sed -n "s/^.*\(PERF_RECORD_KSYMBOL.*_demo_\)/\1/p
			s/^.*\(PERF_RECORD_BPF_EVENT.* id $(cat id)$\)/\1/p" >$x.bpf
	done
	kill $pid; wait $pid
	test $rc -eq 0 && test_grep "^# bpf_prog_info $(cat id):" o.header &&
	test_grep "sub_prog 1: bpf_prog_.*_demo_half" o.header && test_line_count = 3 o.bpf &&
	test_cmp r.bpf o.bpf
'
test_expect_success BPF 'BPF programs that come and go meanwhile' '
	perf record -o o.data "$BUILD/tests/programs/bpfload" -n 3 100 >ids 2>/dev/null &&
	"$REF" report --header-only -I -i o.data >out && test_line_count = 3 ids &&
	for id in $(cat ids); do test_grep "^# bpf_prog_info $id:" out || return 1; done &&
	perf record --no-bpf-event -o o.data "$BUILD/tests/programs/bpfload" >ids 2>/dev/null &&
	"$REF" report --header-only -I -i o.data >out && test_grep ! "bpf_prog_info $(cat ids):" out
'
test_expect_success REFERENCE '--buildid-all: objects without samples too, in the cache or not' '
	for p in "$REF" "$PERF"; do
		for o in "" -N; do
			"$p" --buildid-dir "$PWD/all$o" record --buildid-all $o -e dummy:u -o all.data true 2>err || return 1
		done &&
		"$p" --buildid-dir "$PWD/few" record -e dummy:u -o few.data true 2>err || return 1
		{ perf buildid-list -i all.data; echo; perf buildid-list -i few.data; ls -d all/usr all-N; } 2>&1 | sort >"ids.$(test "$p" = "$REF" && echo ref || echo our)"
		rm -rf all all-N few
	done &&
	test_grep libc ids.our && test_grep "kernel.kallsyms" ids.our && test_cmp ids.ref ids.our
'
test_expect_success 'a stream' '
	perf record -e cpu-clock,faults -k mono -o - true 2>/dev/null >p.data &&
	"$REF" report --header-only -I -i - <p.data >out 2>&1 && test_grep "^# nrcpus online" out &&
	test_grep "^# event : name = faults" out && test_grep "^# clockid: monotonic (1)" out &&
	test_grep ! -i "fail\|invalid" out
'
test_done
