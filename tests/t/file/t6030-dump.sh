#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
# turn 7 of 8
test_description='-D, and the records that script --show-*-events shows, as the reference prints them'
. "$(dirname "$0")/../../lib/tap.sh"

W=$PWD
SHOW='--show-task-events --show-mmap-events --show-lost-events --show-bpf-events --show-cgroup-events
	--show-namespace-events --show-switch-events --show-text-poke-events'

# same FILE COMMAND OPTION...: equal text on both, not empty. The vdso has no name that stays. With
# sanitizers the text is the same, and what is seen is how it comes about.
same() {
	local f=$1

	shift
	if test -n "$SAN"; then
		perf "$@" -i "$f" 2>err.txt >our.txt </dev/null && test -s our.txt || { cat err.txt; return 1; }
		return
	fi
	"$REF" "$@" -i "$f" 2>/dev/null </dev/null | sed -E 's,/tmp/perf-vdso\.so-[^ )]+,[vdso],' >ref.txt
	perf "$@" -i "$f" 2>err.txt >our.txt </dev/null
	# Of a whole system: programs of others have PLTs, and of those that begin while the reference notes what runs,
	# it knows no maps.
	test -s our.txt && no_plt && strangers && cmp ref.txt our.txt || { diff -a ref.txt our.txt | head -n 10; return 1; }
}
# strangers: leave out of ref.txt and our.txt, line by line, what the reference finds in no map
strangers() {
	awk -v odd='[[]unknown[]] [(][[]unknown[]][)]|dso: <not found>' '
		NR == FNR { if ($0 ~ odd) gone[FNR]; else print >"ref.known"; next } !(FNR in gone)' ref.txt our.txt >our.known &&
		mv ref.known ref.txt && mv our.known our.txt
}
# dumps FILE: of both commands.
dumps() { same "$1" script --no-inline -D && { test -n "$SAN" || same "$1" report -D; }; }
# shows FILE: some one by one, in make check-long each; all; in the order of the file.
shows() {
	local o

	for o in $(printf "%s\n" $SHOW | sampled 3); do same "$1" script --no-inline "$o" || return 1; done
	same "$1" script --no-inline $SHOW && same "$1" script --no-inline --show-round-events $SHOW
}

test_expect_success REFERENCE,PERF_EVENTS,GCC 'a program to record' '
	cat >burn.c <<-\EOF &&
	__attribute__((noinline)) int leaf(int n) { volatile int x = 0; while (n--) x += n; return x; }
	int main(void) { int s = 0; for (int i = 0; i < 40; i++) s += leaf(100000); return s & 0; }
	EOF
	gcc -O1 -fno-omit-frame-pointer -o "$W/burn" burn.c
'
# What a sample can carry here: options of record, each with a file of its own; every fifth, in make check-long all.
nr=0
while read -r options; do
	nr=$((nr + 1))
	test_expect_success REFERENCE,PERF_EVENTS,GCC "-D of record $options" '
		"$REF" record -q --no-bpf-event -o s$nr.data $options -- "$W/burn" && dumps s$nr.data
	'
done < <(sampled 5 <<\EOF
-e cpu-clock
-g -e cpu-clock -F 999
-e cpu-clock -d -W --phys-data --data-page-size --code-page-size
-e cpu-clock -s -T
-e cpu-clock --intr-regs --user-regs=ax,bx,ip
-e cpu-clock,task-clock,faults -c 100000
-e {cpu-clock,task-clock,faults}:S -c 100000
-e cpu-clock:S
-e cpu-clock -z
-e cpu-clock --per-thread
EOF
)
test_expect_success REFERENCE,PERF_EVENTS,ROOT,TRACEFS '-D of a system with switches, cgroups, namespaces, tracepoints' '
	"$REF" record -q -a --switch-events --namespaces --all-cgroups -e cpu-clock,sched:sched_switch -o wide.data \
		-- sh -c "ls >/dev/null; sleep 0.1" && dumps wide.data
'
test_expect_success REFERENCE,PERF_EVENTS,ROOT,TRACEFS 'its records: --show-*-events' '
	shows wide.data && same wide.data script --show-task-events -C 0 -F comm,pid,tid,time &&
	same wide.data script --show-switch-events --ns --comms sleep && same wide.data script $SHOW -F ip
'
test_expect_success REFERENCE,PERF_EVENTS,GCC 'those of a program with call chains' '
	"$REF" record -q --no-bpf-event -g --namespaces --switch-events -e cpu-clock -o chain.data -- "$W/burn" && shows chain.data'
test_expect_success REFERENCE,PERF_EVENTS,ROOT 'in the order of a compressed file threads have the names of that moment' '
	"$REF" record -q --no-bpf-event -z -a -F 1999 -e cpu-clock -o packed.data -- \
		sh -c "for i in 1 2 3 4; do ls /usr >/dev/null; true | cat; done" &&
	same packed.data script --show-round-events && same packed.data script --dump-unsorted-raw-trace &&
	shows packed.data'
test_expect_success REFERENCE,PERF_EVENTS,ROOT '-D of a recording that is a directory' '
	"$REF" record -q --no-bpf-event --threads -a -e cpu-clock -o "$W/dir.data" -- sleep 0.1 && dumps "$W/dir.data"'
test_expect_success REFERENCE,PERF_EVENTS,GCC '-D of a pipe' '
	"$REF" record -q --no-bpf-event -e cpu-clock -o - -- "$W/burn" >p.data && same p.data script -D && same p.data report -D &&
	perf script -D -i - <p.data >our2.txt && perf script -D -i p.data | cmp our2.txt -'
test_expect_success REFERENCE,PERF_EVENTS '-D of counts' '
	"$REF" stat record -o stat.data -e task-clock,faults true && dumps stat.data && same stat.data script'
test_expect_success CORPUS 'the number of workers changes nothing' '
	perf script -D -i "$CORPUS"/perf.data.throttle-3.8 | md5sum >all &&
	taskset -c 0 perf script -D -i "$CORPUS"/perf.data.throttle-3.8 | md5sum >one && cmp all one'
test_expect_success CORPUS 'records of later versions are shown, and the dump goes on' '
	perf script -D -i "$CORPUS"/fibo.compressed2.pipe.data >out &&
	test "$(grep -c "PERF_RECORD_SAMPLE(IP" out)" = 547'
test_expect_success CORPUS 'a record of an unknown type is shown with its bytes' '
	python3 - "$CORPUS"/perf.data.lost_samples-4.4 odd.data <<-\EOF &&
	import struct, sys
	d = bytearray(open(sys.argv[1], "rb").read())
	at = struct.unpack_from("<Q", d, 40)[0]
	struct.pack_into("<I", d, at, 200)
	open(sys.argv[2], "wb").write(d)
	EOF
	perf script -D -i odd.data >out 2>err && test_grep "PERF_RECORD_UNKNOWN" out && test_grep ": event: 200$" out &&
	test_grep "PERF_RECORD_SAMPLE" out && test_grep "unknown type" err'
test_expect_success CORPUS 'a trace: what describes it, and how much of it there is' '
	perf script -D -i "$CORPUS"/perf.data.piped.intel_pt-4.14 >out 2>/dev/null &&
	test_grep "^  Max non-turbo ratio 12$" out && test_grep "AUXTRACE size: 0x12a70  offset: 0 " out &&
	test_grep "Intel Processor Trace data: size 76400 bytes$" out'
test_done
