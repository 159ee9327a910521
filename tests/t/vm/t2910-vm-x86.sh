#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# turn 1 of 16
test_description='an emulated x86 machine: kprobes, modules, data of the kernel, CPUs that go away'
TEST_TIMEOUT=600
VM_SECONDS=${VM_SECONDS:-450}
. "$(dirname "$0")/../../vm/lib.sh"
. "$(dirname "$0")/../../lib/tap.sh"

test -z "$SAN" || test_skip_all 'an emulated machine is slow enough without'
test "$(uname -m)" = x86_64 || test_skip_all 'runs the perf of this machine, which has to be x86_64'
vm_tools amd64 || test_skip_all "$vm_why"
vm_fetch amd64 busybox-static || test_skip_all "$vm_why"

# A program of 32 bits, which needs no libraries: write(), open() and exit() by int $0x80
cat >calls32.s <<'EOF'
.globl _start
_start:
	movl $4, %eax
	movl $1, %ebx
	movl $text, %ecx
	movl $6, %edx
	int $0x80
	movl $5, %eax
	movl $path, %ebx
	xorl %ecx, %ecx
	int $0x80
	movl $1, %eax
	movl $3, %ebx
	int $0x80
.data
text: .ascii "of 32\n"
path: .asciz "/no/such/32"
EOF
test_lazy_prereq CALLS32 'no assembler or linker for programs of 32 bits' 'as --32 -o calls32.o cwd/calls32.s && ld -m elf_i386 -o cwd/calls32 calls32.o'

capstone=$(ldconfig -p 2>/dev/null | sed -n "s/.*libcapstone\.so.* => //p" | head -n 1)
test_expect_success 'the machine boots, records and powers off' '
	test_have_prereq REFERENCE && ref=ref/perf=$REF
	test -z "$capstone" || library=$capstone=$capstone
	for m in irqbypass ccp kvm kvm-amd; do
		path=$(find "$VM_ROOT/modules" -name "$m.ko") && test -z "$path" || kvm="$kvm modules/$m.ko=$path"
	done
	test_have_prereq CALLS32 && calls32=bin/calls32=calls32
	vm_initrd amd64 initrd "$VM_DIR/amd64.sh" bpfload="$(program bpfload)" bin/guest="$(program guest)" ours/perf="$PERF" $kvm $ref $library $calls32 ||
		{ echo "$vm_why"; return 1; }
	vm_run amd64 initrd "$TRASH/cwd" -smp 2 &&
	test_set_prereq BOOTED
'
test_have_prereq BOOTED || test_done

test_expect_success 'every recording ended well' '
	for f in probe functions break modules unplug wall clock kcore stats; do
		test_grep "^exit 0" $f.out || return 1
	done
'

test_expect_success 'probes of functions of the kernel, with arguments' '
	test_grep "vm:open: (ffff.*) dfd=0xffffff9c path=\"/etc/passwd\"" probe.txt &&
	test_grep "vm:opened__return: (ffff.* <- ffff.*) ret=0x3" probe.txt
'

test_expect_success 'a probe on getname() tells the paths of system calls, and has no lines of its own' '
	grep -E "openat\(dfd: CWD, filename: \"/etc/passwd\"" getname.txt && ! grep vfs_getname getname.txt &&
	grep -E "openat\(dfd: CWD, filename: \"/etc/passwd\"" getname.live.txt && ! grep vfs_getname getname.live.txt
'
test_expect_success CALLS32 'calls of a program of 32 bits, which the shell that runs it has otherwise' '
	cat calls32.out calls32*.txt && test_grep "^exit 0" calls32.out &&
	for f in calls32.txt calls32.file.txt; do
		grep -E "calls32/[0-9]+ write\(fd: 1[^,]*, buf: (0x804a000|\"of 32\\\\n\"), count: 6\) *= 6$" $f &&
		grep -E "calls32/[0-9]+ open\(filename: (0x804a006|\"/no/such/32\"), flags: RDONLY\) *= -1 ENOENT" $f || return 1
	done &&
	grep -E "sh/[0-9]+ write\(fd: 1[^,]*, buf: \"64\\\\n\", count: 3\) *= 3$" calls32.txt &&
	grep -E "^ *open  *1  *1 " calls32.sums.txt && grep -E "^ *write  *1  *0 " calls32.sums.txt
'
test_expect_success 'perf probe of the kernel: made, listed, in a module, removed; refused as a whole' '
	test_grep "^  vm:open  *(on do_sys_openat2 with dfd=%di path=+0(%si):ustring)$" made.txt &&
	test_grep "^  vm:block  *(on virtio_queue_rq in virtio_blk)$" module.made.txt && test_grep "^  vm:block  *(on virtio_queue_rq in virtio_blk)$" probes.txt &&
	test_grep "^  vm:opened__return  *(on do_sys_openat2%return with ret)$" probes.txt && test_line_count = 3 probes.txt &&
	test_grep "Failed to write event" refused.txt && test_line_count = 0 half.txt && test_line_count = 3 removed.txt && test_line_count = 0 left.txt
'
test_expect_success REFERENCE 'perf probe -D of the kernel as the reference' '
	test_line_count = 5 lines.txt && sort ref.lines.txt >a && sort lines.txt >b && test_cmp a b
'

test_expect_success REFERENCE 'the same as the reference: events, and what it reads of ours' '
	for f in probe ref.probe; do
		perf evlist -v -i $f.data 2>/dev/null | sed "s/, bpf_event: 1//" >$f.attrs || return 1
	done &&
	test_cmp ref.probe.attrs probe.attrs &&
	# where the clock of the machine stands still, what a thread was called at that moment has no answer:
	# among two samples, and beside an exec
	for f in probe break modules unplug clock; do
		perf script -i $f.data >a 2>/dev/null && "$REF" script -i $f.data >b 2>/dev/null && test_line_count = "$(wc -l <b)" a &&
		"$REF" script --show-task-events -i $f.data >all 2>/dev/null &&
		awk "{ match(\$0, / [0-9]+\\.[0-9]+: /); t = substr(\$0, RSTART, RLENGTH) } NR == FNR { n[t]++; next } n[t] == 1" all b >ref &&
		awk "{ match(\$0, / [0-9]+\\.[0-9]+: /); t = substr(\$0, RSTART, RLENGTH) } NR == FNR { n[t]++; next } n[t] == 1" all a >ours &&
		test_cmp ref ours && cat ours >>compared || return 1
	done &&
	test "$(wc -l <compared)" -gt 1000
'

test_expect_success 'functions of the kernel as events, with who called them' '
	test_grep "^ *ftrace:function:" functions.txt && test_grep "ffff[0-9a-f]* [a-z_]" functions.txt
'
test_expect_success 'tracers of the kernel: functions listed, their graph with an event in it, sums, times; settings as before' '
	for f in graph profile latency function; do
		cat ftrace.$f.out && test_grep "^exit 0" ftrace.$f.out && test_cmp ftrace.before ftrace.$f.after || return 1
	done &&
	test_grep "^vfs_read$" ftrace.list.txt && test_grep "^# " ftrace.graph.txt && test_grep "__x64_sys_\(clock_\)\?nanosleep() {" ftrace.graph.txt &&
	test_grep "sched_switch: prev_comm=sleep" ftrace.graph.txt &&
	awk "\$NF ~ /sys_(clock_)?nanosleep/ { n++; t = \$1; c = \$(NF - 1) } END { print n, t, c; exit !(n == 1 && c == 1 && t > 99000) }" ftrace.profile.txt &&
	test_grep "###" ftrace.latency.txt && test_grep "do_sys_openat2 *<-" ftrace.function.txt && test_grep "=> .*do_syscall_64" ftrace.function.txt
'
# A program that is linked statically opens one file. The kernel may have no types, and then a probe takes the times and
# a sentence says so.
test_expect_success 'times of a function by BPF' '
	cat ftrace.bpf.txt ftrace.bpf.out && test_grep "^exit 0" ftrace.bpf.out && test_cmp ftrace.before ftrace.bpf.after &&
	awk "/^ *count:/ { c = \$2 } END { exit !(c == 1) }" ftrace.bpf.txt
'
test_expect_success 'counters of the scheduler: on for the run, and what two CPUs did' '
	test "$(cat stats.before)" = 0 && test_cmp stats.before stats.after && test_grep "^CPU 0, DOMAIN " stats.live && test_grep ! "^CPU 1" stats.live &&
	perf sched stats report --json -i stats.data >stats.json && python3 -c "
import json
j = json.load(open(\"stats.json\"))
assert 15 <= j[\"version\"] <= 17 and j[\"jiffies\"] > 0 and [c[\"cpu\"] for c in j[\"cpus\"]] == [\"all\", 0, 1]
c = j[\"cpus\"][0]
assert c[\"counters\"][\"sched_count\"] > c[\"counters\"][\"sched_goidle\"] > 0 and c[\"counters\"][\"rq_cpu_time\"] > 0
assert c[\"domains\"][0][\"nr_cpus\"] == 2 and c[\"domains\"][0][\"counters\"][\"busy_lb_count\"] > 0"
'
test_expect_success 'a breakpoint on a variable of the kernel, by its name' '
	test_line_count -gt 5 break.txt && test_grep "mem:jiffies:w: .*jiffies" break.txt
'

test_expect_success 'functions of modules are named, under the names of their modules' '
	test_grep "\[virtio_[a-z]*\] *\[k\] v[a-z_]*" modules.txt &&
	test_grep ! "\[virtio_[a-z]*\] *\[k\] 0x" modules.txt
'

test_expect_success 'modules that samples are in: build-ids, and copies in the cache' '
	test_grep "^[0-9a-f]* /lib/modules/.*/kernel/virtio_[a-z]*\.ko$" modules.ids &&
	test_grep "lib/modules/.*/kernel/virtio_[a-z]*\.ko/[0-9a-f]*/elf" modules.cache &&
	test_grep "^[0-9a-f]* \[kernel.kallsyms\]" modules.ids
'

test_expect_success 'the memory of the kernel, put into the cache' '
	for f in kcore kallsyms modules; do
		test_grep "[1-9][0-9]* .*/\[kernel\.kcore\]/[0-9a-f]*/[0-9]*/$f\$" kcore.cache || return 1
	done
'

test_expect_success '--kcore: a copy beside the data' '
	test_grep "^exit 0" ours.kdir.out && test_grep "^[0-9]\{7,\} kcore" ours.kdir.txt && test_grep "7f 45 4c 46" ours.kdir.txt &&
	test_grep ! "differ\|cmp:" ours.kdir.txt
'
test_expect_success REFERENCE '--kcore: what the reference copies, but for the gaps between modules' '
	ref=$(sed -n "s/ kcore$//p" ref.kdir.txt) ours=$(sed -n "s/ kcore$//p" ours.kdir.txt) &&
	echo "$ours bytes, reference $ref" && test "$ours" -le "$ref" && test $((ours * 100)) -gt $((ref * 95))
'

test -z "$capstone" || test_set_prereq CAPSTONE
test_expect_success CAPSTONE 'code of the kernel and of a module is that in memory, and calls between them have names' '
	test_grep "^ *[0-9.]* : *ffffffff[0-9a-f]*: " code.kernel && test_grep "100.00\|[1-9][0-9]*\.[0-9]* : *ffffffffc[0-9a-f]*: " code.module &&
	test_grep "callq\? *ffffffff[0-9a-f]* <[a-z_0-9]*>" code.module
'
test_expect_success '--kcore: changes of the code are recorded' '
	test_grep "^exit 0" poked.out && test_grep "TEXT_POKE ffffffff[0-9a-f]* [a-z_0-9A-Z]*+0x[0-9a-f]* old len" poked.txt
'

# times CPU: of the samples there, first and last
times() { perf script -i "$2" -F cpu,time 2>/dev/null | awk -v cpu="[$1]" '$1 == cpu { n++; last = $2; if (!first) first = $2 }
	END { print n + 0, first + 0, last + 0 }'; }

test_expect_success 'a CPU that is taken away: what it did until then is there, the others go on' '
	times 000 unplug.data >a && times 001 unplug.data >b && cat a b &&
	read -r n first last <a && read -r n1 first1 last1 <b &&
	test "$n" -gt 100 && test "$n1" -gt 20 &&
	awk "BEGIN { exit !($last - $first > 0.9 && $last1 < $last) }" &&
	perf report --stats -i unplug.data >stats 2>/dev/null && test_grep ! LOST stats
'
test_expect_success 'a CPU that comes back is recorded again, with all that was said of its events' '
	for f in back backz; do
		test_grep "^exit 0" $f.out && test_grep "CPU 1 came back and is recorded again" $f.out &&
		perf script -i $f.data -F cpu,time,event 2>$f.err >$f.all && test_grep ! -i "unknown\|not known" $f.err &&
		grep -F "[001]" $f.all >$f.one &&
		# before it went, after it came back, after it came back again
		awk "{ t = \$2 + 0; if (NR == 1 || t > last + 0.15) parts++; n[parts]++; last = t }
			END { for (i = 1; i <= parts; i++) many += n[i] > 3; print NR, parts, many; exit !(many >= 3) }" $f.one || return 1
	done &&
	awk "{ print \$3 }" back.one | sort | uniq -c >events && test_line_count -eq 2 events &&
	perf report --stats -i back.data >stats 2>/dev/null && test_grep ! LOST stats
'
test_expect_success REFERENCE '... for the reference too' '
	for f in back backz; do
		# what two CPUs recorded at the same time has no order
		perf script -i $f.data -F cpu,time,event 2>/dev/null | sort >a && test -s a &&
		"$REF" script -i $f.data -F cpu,time,event 2>/dev/null | sort >b && test_cmp b a || return 1
	done
'

test_expect_success 'counting goes on on the others; a CPU that is away is not waited for' '
	test_grep "^exit 0" stat.err &&
	# where this machine stands still for a while, an interval is longer than it should be
	awk -F, "\$2 == \"CPU0\" && \$5 == \"cpu-clock\" { n++; sum += \$3; last = \$1 } END { print n, sum, last; exit !(n >= 5 && sum > 800 && last > 0.85) }" stat.away &&
	awk -F, "\$2 == \"CPU1\" && \$5 == \"cpu-clock\" && \$3 + 0 > 1 { n++ } END { print n; exit !(n >= 1 && n <= 9) }" stat.away &&
	test_grep "CPU 1 is not online" stat.off && test_grep "^exit 255" stat.off &&
	test_grep "^CPU0,[0-9]" stat.one && test_grep ! "^CPU1" stat.one
'
test_expect_success 'what a BPF program does, each time it runs' '
	cat bpfload.err stat.bpf.* &&
	few=$(sed -n "s/^\([0-9.]*\),.*cpu-clock.*/\1/p" stat.bpf.1? | sort -n | head -n 1) &&
	many=$(sed -n "s/^\([0-9.]*\),.*cpu-clock.*/\1/p" stat.bpf.50000) &&
	# the clock of the machine may not have gone on during the few
	awk "BEGIN { exit !($many > 0 && $many > 5 * ${few:-0}) }"
'

test_expect_success 'the clock is set: recorded times are not, or follow it when asked to' '
	perf script -i clock.data -F time 2>/dev/null >a && test_line_count -gt 100 a &&
	awk "\$1 + 0 > 3600 || \$1 + 0 < last { bad = 1 } { last = \$1 + 0 } END { exit bad }" a &&
	perf script -i wall.data -F time 2>/dev/null >b && test_line_count -gt 100 b &&
	awk "\$1 > 1577836800 && \$1 < 1577836900 { old++ } \$1 > 1893456000 && \$1 < 1893456100 { new++ }
		END { exit !(old > 20 && new > 20) }" b
'

# pids EVENT FILE: of its samples; a few may be of what interrupted
pids() { perf script -i "$2" -F pid,event 2>/dev/null | awk -v e="$1:" '$2 == e { n[$1]++ } END { for (p in n) if (n[p] > 5) print p }'; }

test_expect_success 'control groups of version 1: -G, --for-each-cgroup' '
	for f in cgonly cgeach cgglob; do test_grep "^exit 0" $f.out || return 1; done &&
	test "$(pids cpu-clock cgonly.data)" = "$(cat cg.one)" &&
	perf evlist -i cgeach.data >list && grep , list >own &&
	printf "%s\n" cpu-clock,one cs,one cpu-clock,two cs,two | test_cmp - own &&
	for g in one two; do test "$(pids "cpu-clock,$g" cgeach.data)" = "$(cat cg.$g)" || return 1; done &&
	perf evlist -i cgglob.data >list && grep , list >own && printf "%s\n" cpu-clock,one cpu-clock,one/below | test_cmp - own &&
	test_grep "^exit 255\|^exit 129" cgnone.out && test_grep "no access to cgroup .*/cg/three" cgnone.out
'
test_expect_success '... and counted; as the reference names them' '
	awk -F, "\$3 == \"cpu-clock\" { t[\$4] = \$1 } END { for (g in t) print g, t[g]; exit !(t[\"one\"] > 100 && t[\"two\"] > 100) }" stat.cg.ours.each &&
	awk -F, "\$3 == \"cpu-clock\" && \$1 > 100 { n++ } END { exit n != 2 }" stat.cg.ours.two &&
	{ ! test_have_prereq REFERENCE || for f in each two; do
		for p in ours ref; do awk -F, "NF > 3 { print \$3, \$4 }" stat.cg.$p.$f >$p.names || return 1; done &&
		test_cmp ref.names ours.names || return 1
	done; }
'

test ! -e guest.out || test_set_prereq KVM
# The last exit, to halt, has no entry after it and is not counted.
# exits REASON FILE: of all tables in it
exits() { awk -v r="$1" '$1 == r { n += $2 } END { print n + 0 }' "$2"; }
test_expect_success KVM 'a guest of KVM: why it was left, recorded and live' '
	cat guest.out guest.txt guest.live.txt guest.live.err && test_grep "^exit 0" guest.out && test_grep "^exit 0" guest.live.err &&
	for f in guest.txt guest.live.txt; do
		test "$(exits io $f)" = 100 && test "$(exits npf $f)" = 1 || return 1
	done
'
test_expect_success KVM,REFERENCE '... as the reference counts it' '
	grep -E "^ *[a-z_]+ +[0-9]+ " ref.guest.txt | cut -c 1-51 | sort >want &&
	grep -E "^ *[a-z_]+ +[0-9]+ " guest.txt | cut -c 1-51 | sort >got && test_cmp want got
'

# how many samples the filter let through, and how many not
kept() { sed -n 's/.*Captured and wrote .* (\([0-9]*\) samples).*/\1/p' $1.out | grep . || echo 0; }
dropped() { sed -n 's/.*The filter dropped \([0-9]*\) samples.*/\1/p' $1.out; }

test_expect_success 'filters of samples where the kernel fills in little; what it does not show is told' '
	test_grep "^exit 0" filter.out && perf script -i filter.data -F pid,ip >a 2>/dev/null &&
	test "$(kept filter)" -gt 10 && test "$(dropped filter)" -gt 0 &&
	awk "length(\$2) > 15 || \$1 < 2 { exit 1 }" a &&
	test_grep "^exit 255" later.out && test_grep "does not show .time. to filters, Linux 6.3 and later do" later.out
'
test_expect_success 'filters of a user, prepared by root' '
	test_grep "^exit 0" pin.out && test_grep "^exit 0" pinned.out &&
	test "$(kept pinned)" -gt 10 && test "$(dropped pinned)" -eq 0
'
test_expect_success 'time off the CPUs' '
	test_grep "^exit 0" offcpu.out && perf script -i offcpu.data -F comm,event,period >a 2>/dev/null &&
	awk "/^ *sleep / { n += \$2 } END { exit !(n >= 790000000 && n < 60000000000) }" a
'

test_expect_success 'locked down to integrity: all that is recorded elsewhere' '
	grep -q "\[confidentiality\]" lock.confidentiality && grep -q "\[integrity\]" lock.integrity &&
	for f in plain regs trace break offcpu; do test_grep "^exit 0" lock.integrity.$f.out || return 1; done &&
	test "$(perf script -i lock.integrity.plain.data | wc -l)" -gt 20
'
test_expect_success 'locked down to confidentiality: what is kept back is said at once, with the reason; the rest works' '
	for f in plain break; do test_grep "^exit 0" lock.confidentiality.$f.out || return 1; done &&
	test "$(perf script -i lock.confidentiality.plain.data | wc -l)" -gt 20 &&
	for f in regs trace offcpu; do
		test_grep "^exit 255" lock.confidentiality.$f.out && test_grep "/sys/kernel/security/lockdown" lock.confidentiality.$f.out &&
		test ! -e lock.confidentiality.$f.data || return 1
	done &&
	test_grep "Without -I it can be recorded" lock.confidentiality.regs.out &&
	test_grep "events that are no tracepoints can be recorded" lock.confidentiality.trace.out
'

test_done
