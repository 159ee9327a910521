#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# turn 0 of 16
test_description='hardware events: an emulated arm64 machine, whose PMU counts cycles and instructions exactly'
# building takes long on a busy machine
TEST_TIMEOUT=1500
VM_SECONDS=${VM_SECONDS:-450}
. "$(dirname "$0")/../../vm/lib.sh"
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/t/stat/stat.sh"

test -z "$SAN" || test_skip_all 'the machine runs a build of its own'
vm_tools arm64 || test_skip_all "$vm_why"
command -v aarch64-linux-gnu-gcc >/dev/null || test_skip_all 'no aarch64-linux-gnu-gcc'
vm_fetch arm64 build-deps linux-perf busybox-static || test_skip_all "$vm_why"
REMOTE=$VM_ROOT/usr/bin/perf
CROSS_O=$BUILD-aarch64-linux-gnu

test_expect_success 'cross building, with the libraries of a sysroot' '
	vm_build arm64 "$CROSS_O" &&
	readelf -h "$CROSS_O/perf" >elf &&
	test_grep "Machine: *AArch64" elf &&
	test_grep "libelf: \[ on" "$CROSS_O/features.txt"
'

test_expect_success 'the machine boots, records and powers off' '
	aarch64-linux-gnu-gcc -static -O1 -o bpfload "$SRC/tests/programs/bpfload.c" &&
	grep -v "^#" "$VM_DIR/arm64-stat.txt" | sampled 16 >stat-lines.txt &&
	echo "$LONG" >long &&
	vm_initrd arm64 initrd "$VM_DIR/arm64.sh" ours/perf="$CROSS_O/perf" ref/perf="$REMOTE" \
		bpfload=bpfload arm64-stat.sh="$VM_DIR/arm64-stat.sh" arm64-stat.txt=stat-lines.txt ${LONG:+long=long} || {
		echo "$vm_why"
		return 1
	}
	vm_run arm64 initrd "$TRASH/cwd" &&
	test_grep "armv8_pmuv3 PMU driver, 7 counters" pmu &&
	test_set_prereq BOOTED
'
test_have_prereq BOOTED || test_done
test -s period.ref.data && test_have_prereq REFERENCE && test_set_prereq BOTH
test -z "$LONG" || test_set_prereq TURNS
test_why[TURNS]='120 runs in an emulated machine: make check-long has them'
test_why[BOTH]='no reference perf, here or for that machine'

# what was sampled where, and how often
ips() { perf script -i "$1" -F comm,event,period,ip 2>/dev/null; }
count() { perf script -i "$1" -F comm 2>/dev/null | wc -l; }
# overflowed NUMBER PERIOD: as often as the counter of what the workload needs gets there; what is
# executed between an overflow and the interrupt is in no period
total=$(sed -n 's/^\([0-9]*\),,cycles:u,.*/\1/p' total.ours)
overflowed() {
	test "$total" -gt 2000000 && test "$1" -le $((total / $2)) && test "$1" -ge $((total * 98 / 100 / $2)) || {
		echo "$1 samples of $2 in $total"
		return 1
	}
}
samples=$(count period.ours.data)
attrs() { perf evlist -v -i "$1" 2>/dev/null; }

test_expect_success 'a period: as many samples as the counter overflowed, at the same places each time' '
	overflowed "$samples" 10007 &&
	ips period.ours.data >a && ips again.ours.data >b && test_cmp a b
'

test_expect_success 'names from the programs of that machine' '
	perf report --stdio --symfs "$PWD/symfs" -s sym -i period.ours.data >unknown 2>&1 &&
	mkdir -p symfs/ours && cp "$CROSS_O/perf" symfs/ours/ &&
	perf report --stdio --symfs "$PWD/symfs" -s sym -i period.ours.data >names 2>&1 &&
	awk "/deterministic_bar/ { found = \$1 + 0 > 70 } END { exit !found }" names
'

# nearly A B: the same, but for two lines at most: an interrupt of a device may come an instruction earlier or later
nearly() { { test "$(wc -l <"$1")" = "$(wc -l <"$2")" && test "$(diff "$1" "$2" | grep -c "^<")" -le 2; } || test_cmp "$1" "$2"; }
test_expect_success BOTH 'the same samples as the reference takes' '
	for name in period read forms; do
		ips $name.ours.data >a && ips $name.ref.data >b && test -s a && nearly a b || return 1
	done &&
	perf script -i chains.ours.data -F ip >a && perf script -i chains.ref.data -F ip >b && test_cmp a b
'

test_expect_success BOTH 'the same attrs as the reference gives its events' '
	for name in period read forms chains default attrs freq rotate; do
		attrs $name.ours.data >a && attrs $name.ref.data >b && test -s a && test_cmp b a || return 1
	done
'

test_expect_success BOTH 'the same facts of that machine in the header' '
	for who in ours ref; do
		perf report --header-only -I -i period.$who.data 2>/dev/null >header &&
		grep -vE "captured on|size|offset|perf version|cmdline|event :|sample|missing" header |
			sed "s/, free = .*//" >$who.header || return 1
	done &&
	test_grep "cpuid : 0x00000000410fd070" ours.header && test_cmp ref.header ours.header
'

test_expect_success REFERENCE 'what was recorded there is read here as the reference reads it' '
	for f in *.ours.data; do
		# what filters drop is counted, and told apart from losses
		case $f in filter*) continue ;; esac
		test -s $f || continue
		perf script -i $f >a 2>/dev/null && "$REF" script -i $f >b 2>/dev/null && test_cmp b a &&
		perf report --stdio -i $f 2>/dev/null | grep -v "Tip:\|Lost Samples\|dropped by filters" >a &&
		"$REF" report --stdio -i $f 2>/dev/null | grep -v "Tip:\|Lost Samples\|dropped by filters" >b && test_cmp b a || return 1
	done
'

test_expect_success 'groups read by their leader: both counts advance alike' '
	perf script -i read.ours.data -F event,period >a 2>/dev/null &&
	test "$(grep -c "10007 *cycles:u" a)" -eq "$samples" &&
	test "$(grep -c "10007 *instructions:u" a)" -eq "$samples" &&
	perf report --stdio -i read.ours.data -F period,sym 2>/dev/null >b &&
	awk "\$1 ~ /^[0-9]+\$/ && \$1 != \$2 { bad = 1 } \$1 ~ /^[0-9]+\$/ { n++ } END { exit bad || !n }" b
'

test_expect_success 'raw, by name and by number: the same event' '
	for e in r11:u cpu_cycles:u armv8_pmuv3/cpu_cycles/u; do
		perf script -i forms.ours.data -F event,period,ip 2>/dev/null | grep -F " $e:" >a &&
		test_line_count -eq "$samples" a || return 1
	done &&
	perf script -i forms.ours.data -F event,period 2>/dev/null | grep "20011 *named" >a &&
	overflowed "$(wc -l <a)" 20011
'

test_expect_success 'a frequency: the period is found while it runs' '
	attrs freq.ours.data >a && test_grep "sample_freq }: 50000" a &&
	perf script -i freq.ours.data -F period 2>/dev/null | tail -n 20 >b &&
	awk "\$1 < 10000 || \$1 > 40000 { bad = 1 } END { exit bad || NR < 20 }" b
'

test_expect_success 'more events than counters take turns' '
	perf script -i rotate.ours.data -F event 2>/dev/null | sort | uniq -c >a &&
	awk "{ n += \$1 } END { exit n < 2800 || n > 5000 }" a &&
	perf report -D -i rotate.ours.data 2>/dev/null | sed -n "s/.*PERF_RECORD_SAMPLE.*/&/p" >b &&
	test_line_count -ge 2800 b
'

test_expect_success BOTH 'as many as the reference sees then' '
	a=$(count rotate.ours.data) b=$(count rotate.ref.data) &&
	echo "$a $b" && test $((a * 100)) -gt $((b * 95)) && test $((a * 100)) -lt $((b * 105))
'

test_expect_success 'a weak group that does not fit is taken apart' '
	test_grep "^exit 0" weak.ours.out &&
	perf evlist -g -i weak.ours.data >a 2>/dev/null && test_grep ! "{" a &&
	attrs weak.ours.data >b && test_line_count -eq 9 b && test "$(grep -c enable_on_exec b)" -eq 9 &&
	perf script -i weak.ours.data -F event,period 2>/dev/null >c && test_grep "10007 *r11:u" c
'

test_expect_success 'pinned events that get no counter are told' '
	test_grep "^exit 0" pinned.ours.out &&
	test "$(grep -c "is pinned and did not count" pinned.ours.out)" -eq 1 &&
	test_grep "r11 with its group is pinned and did not count" pinned.ours.out &&
	test_grep "r11 with its group is pinned and did not count" pinneda.ours.out &&
	test_grep ! pinned attrs.ours.out
'

test_expect_success BOTH 'what the hardware cannot: errors and exit codes of the reference' '
	for name in nine branches stalled; do
		test_cmp $name.ref.out $name.ours.out && test_grep "^exit 255" $name.ours.out || return 1
	done &&
	test_grep "returned with 22 (Invalid argument) for event (r11:u)" ninea.ours.out
'

test_expect_success 'too many samples: the kernel stops the event for a while, and it is told' '
	perf report --stats -i throttle.ours.data >a 2>/dev/null &&
	test_grep " THROTTLE events: *[1-9]" a &&
	test "$(count throttle.ours.data)" -lt $((total / 1000))
'

test_expect_success 'the kernel alone; names from the file' '
	perf script -i kernel.ours.data -F ip,dso 2>/dev/null >a && test_line_count -gt 20 a &&
	# the interrupt may come a moment late
	test $(($(grep -c "^ *ffff.*kernel" a) * 10)) -gt $(($(wc -l <a) * 9))
'

test_expect_success 'registers and stacks of that machine' '
	perf script -i regs.ours.data -F iregs,uregs 2>/dev/null >a &&
	test_grep "x0:0x.*x29:0x.*lr:0x.*sp:0x.*pc:0x" a &&
	perf report -D -i regs.ours.data >b 2>/dev/null && test_grep "ustack: size" b
'

test_expect_success 'a probe on a function of the kernel' '
	test_grep "^exit 0" kprobe.ours.out &&
	perf script -i kprobe.ours.data -F event,trace >a 2>/dev/null && test_grep "vm:openat:.*dfd=0x" a
'

test_expect_success 'users: their own programs, without the kernel' '
	for name in user usercycles; do
		test_grep "^exit 0" $name.ours.out && perf evlist -f -v -i $name.ours.data >a 2>/dev/null &&
		test_grep "^cycles:u: .*exclude_kernel: 1" a || return 1
	done &&
	# 400000 turns of seven instructions; before them the loader does the more, the larger the program
	n=$(perf script -f -F ip -i usercycles.ours.data 2>/dev/null | wc -l) &&
	test "$n" -ge 280 && test "$n" -le 310 &&
	test_grep "^exit 255" userkernel.ours.out && test_grep perf_event_paranoid userkernel.ours.out
'

test_expect_success BOTH 'perf list: the counters that are there' '
	grep Hardware list.ref >a && grep Hardware list.ours >b && test_cmp a b
'

test_expect_success 'perf list: what the PMU names' '
	test_grep "armv8_pmuv3/cpu_cycles/" list.pmu && test_grep "armv8_pmuv3/inst_retired/" list.pmu
'

test_expect_success 'samples of the hardware, filtered: each was kept or dropped' '
	kept=$(count filter.ours.data) && dropped=$(sed -n "s/.*The filter dropped \([0-9]*\) samples.*/\1/p" filter.ours.out) &&
	test "$((kept + dropped))" -eq "$samples" && test "$kept" -gt 0 && test "$dropped" -gt 0 &&
	ips filter.ours.data >a && test_grep ! -E "[0-3]$" a && ips period.ours.data | grep -vE "[0-3]$" >b && test_cmp b a &&
	test_grep "Linux 6.3 and later do" refused.ours.out
'

# each line of the table, with its number
test_expect_success BOTH 'stat: laid out as the reference does' '
	nr=0 bad=0
	while read -r line; do
		nr=$((nr + 1))
		# whether events take turns within so short a time is chance
		for who in ours ref; do masked stat/$nr.$who | sed "s/ *(N%)\$//" | some_intervals >$who; done
		test -s ours && cmp -s ref ours || { bad=$((bad + 1)); echo "--- stat $line"; diff ref ours; }
	done <stat-lines.txt
	test $nr -ge 6 && test $bad = 0
'
test_expect_success 'stat: an instruction is a cycle there, and neither is lost' '
	a=$(sed -n "s/.*counter-value\" : \"\([0-9]*\).*cycles:u.*/\1/p" stat/exact) &&
	b=$(sed -n "s/.*counter-value\" : \"\([0-9]*\).*instructions:u.*/\1/p" stat/exact) &&
	test "$a" -gt 100000 && test "$a" = "$b"
'
# first LINES: the count of the first line of an event
first() { sed -n "/^[0-9]/{s/,.*//p;q}" "stat/$1"; }

test_expect_success 'stat: a loop takes the same number of instructions each time it is run through' '
	a=$(first loops.10000) b=$(first loops.20000) c=$(first loops.30000) && echo "$a $b $c" &&
	test $((b - a)) -ge 1000000 && test $((c - b)) = $((b - a))
'

# The mean of runs may be off by what is printed as its error: of 27 some are by more than that, some by more than
# twice that, and none by more than five times.
test_expect_success TURNS 'stat: of events that take turns the error is as large as is said' '
	awk -F, "/^[0-9]/ && \$3 ~ /D\$/ { is[substr(\$3, 1, 5)] = \$1 }
		/^[0-9]/ && \$3 !~ /D\$/ {
			n++; shared += \$6 < 90; off = (\$1 - is[\$3]) / is[\$3] * 100; if (off < 0) off = -off
			print FILENAME, \$3, off \" % off, told: \", \$4, \"for\", \$6, \"% of the time\"
			far += off > 2 * \$4 + 0.05; bad += off > 5 * \$4 + 0.05
		} END { print n, shared, far + 0, bad + 0; exit !(n == 27 && shared == 27 && far <= 4 && !bad) }" \
		stat/turns.1000 stat/turns.20000 stat/turns.100000
'

test_expect_success 'stat: the same counted by BPF, but for what comes before the program' '
	a=$(first loops.20000) b=$(first bpf.loops) && echo "$a $b" && test $((b - a)) -ge 0 && test $((b - a)) -le 20000
'
test_expect_success 'stat -b: what a BPF program does, each time the same' '
	cat stat/bpf.out stat/bpfload.err stat/bpf.[0-9]* stat/bpf.text &&
	a=$(first bpf.1000) b=$(first bpf.2000) c=$(first bpf.3000) && test "$a" -gt 5000 &&
	# but for the interrupts that come in between
	awk "BEGIN { x = ($b - $a) / 1000; y = ($c - $b) / 1000; print x, y; exit !(x > 5 && y / x > 0.9 && y / x < 1.1) }" &&
	grep "stats for .BPF program(s) [0-9]*.:" stat/bpf.text && grep "^CPU0 .*instructions:k" stat/bpf.text
'
test_expect_success 'perf top: a period of a hardware event, and the event that is used by default' '
	test_grep "PerfTop: .*100003 cycles:u\], *(target_pid: [0-9]*" top.ours.out &&
	awk "/%.*deterministic_bar/ { found = \$1 + 0 > 70 } END { exit !found }" top.ours.out &&
	test_grep "PerfTop: .*\[4000Hz cycles[:P]*\], *(all, [0-9]* CPU" topdefault.ours.out
'
test_expect_success 'time off the CPUs' '
	perf script -i offcpu.ours.data -F comm,event,period 2>/dev/null |
		awk "/^ *sleep / { n += \$2 } END { exit !(n >= 800000000 && n < 60000000000) }"
'

test_done
