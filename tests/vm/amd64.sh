# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Runs in the emulated x86 machine of two CPUs (t2910-vm-x86.sh), whose kernel has what many test
# hosts lack: probes on functions, modules, symbols of data, /proc/kcore, CPUs that can be taken away.
# Of each case, NAME.data and what was printed, NAME.out.

# record NAME OPTION... -- COMMAND
record() {
	name=$1
	shift
	/ours/perf record -o "$name.data" "$@" >"$name.out" 2>&1
	echo "exit $?" >>"$name.out"
}
BUSY='i=0; while test $i -lt 20000; do i=$((i + 1)); done'
online() { echo "$1" >/sys/devices/system/cpu/cpu1/online; }

# Probes: a function's arguments and what it returned
/ours/perf probe -a 'vm:open=do_sys_openat2 dfd=%di path=+0(%si):ustring' \
	-a 'vm:opened=do_sys_openat2%return ret=$retval' >made.txt 2>&1
record probe -e 'vm:*' -- cat /etc/passwd
/ours/perf script -i probe.data >probe.txt 2>&1
test ! -x /ref/perf || /ref/perf record --no-bpf-event -B -N -e 'vm:*' -o ref.probe.data -- cat /etc/passwd >ref.probe.out 2>&1


# A probe on getname() has the paths of calls
/ours/perf probe -a 'vfs_getname=do_sys_openat2 pathname=+0(%si):ustring' >getname.made.txt 2>&1
record getname -R -c 1 -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,probe:vfs_getname -- cat /etc/passwd
/ours/perf trace -i getname.data -o getname.txt
/ours/perf trace -e openat -o getname.live.txt -- cat /etc/passwd
/ours/perf probe -d 'probe:vfs_getname' >getname.gone.txt 2>&1

# A program of 32 bits, whose calls have other numbers, beside its shell, which has 64
if test -x /bin/calls32; then
	/ours/perf trace -e open,write -o calls32.txt -- sh -c 'calls32; echo 64' >calls32.out 2>&1
	echo "exit $?" >>calls32.out
	/ours/perf trace record -o calls32.data -- calls32 >/dev/null 2>&1
	/ours/perf trace -i calls32.data -o calls32.file.txt 2>>calls32.out
	/ours/perf trace -s -o calls32.sums.txt -- calls32 >/dev/null 2>&1
fi

# Probes as they are listed and removed, in a module, refused; the lines that make them, beside those of the reference
/ours/perf probe -m virtio_blk 'vm:block=virtio_queue_rq' >module.made.txt 2>&1
/ours/perf probe -l >probes.txt 2>&1
/ours/perf probe -a vfs_read -a 'bad=do_int3' >refused.txt 2>&1
/ours/perf probe -l 'probe:*' >half.txt 2>&1
/ours/perf probe -d 'vm:*' >removed.txt 2>&1
cat /sys/kernel/tracing/kprobe_events >left.txt
for d in vfs_read vfs_read+5 'vfs_read%return' 'vfs_w*ev' 'x:y=vfs_open a=%di b=+8(%si):u32 $comm'; do
	/ours/perf probe -q -D "$d" >>lines.txt 2>&1
	test ! -x /ref/perf || /ref/perf probe -q -D "$d" >>ref.lines.txt 2>/dev/null
done

# Counters of the scheduler, which the kernel does not count unless it is told to
cat /proc/sys/kernel/sched_schedstats >stats.before
/ours/perf sched stats record -o stats.data -- sh -c "$BUSY" >stats.out 2>&1
echo "exit $?" >>stats.out
/ours/perf sched stats -C 0 -- true >stats.live 2>&1
cat /proc/sys/kernel/sched_schedstats >stats.after

# A breakpoint on data of the kernel
record break -a -e mem:jiffies:w -c 1 -- sleep 0.1
/ours/perf script -i break.data -F event,ip,sym >break.txt 2>&1

# Modules at work
record modules -a -F 2000 -- dd if=/dev/vda of=/dev/null bs=4k count=4000 iflag=direct
/ours/perf report --stdio -s dso,sym -i modules.data >modules.txt 2>&1
/ours/perf buildid-list -i modules.data >modules.ids 2>&1
find /home/.debug >modules.cache
/ours/perf buildid-cache -k /proc/kcore >kcore.out 2>&1
echo "exit $?" >>kcore.out
find /home/.debug -path '*kcore*' -type f -exec ls -l {} \; >kcore.cache

# The kernel's code beside the data: what of it is there, as the memory itself changes
kdir() {
	"$1" record --kcore -e cpu-clock -o "/tmp/$2" -- true >"$2.out" 2>&1
	echo "exit $?" >>"$2.out"
	(cd "/tmp/$2/kcore_dir" && wc -c kcore && cmp kallsyms /proc/kallsyms && cmp modules /proc/modules &&
		dd if=kcore bs=1k count=4 2>/dev/null | od -A n -t x1 -N 1024) >"$2.txt" 2>&1
	rm -r "/tmp/$2"
}
kdir /ours/perf ours.kdir
test ! -x /ref/perf || kdir /ref/perf ref.kdir

# Code of the kernel and of a module, as it is in memory; what the kernel changes while that is copied
of() { sed -n "s/.*$1\] *\[k\] \([a-z_0-9]*\) *\$/\1/p" modules.txt | head -n 1; }
/ours/perf annotate --stdio -i modules.data "$(of kernel.kallsyms)" >code.kernel 2>&1
/ours/perf annotate --stdio -i modules.data "$(of 'virtio_[a-z]*')" >code.module 2>&1
EVENT=/sys/kernel/tracing/events/sched/sched_switch/enable
/ours/perf record --kcore -a -e cpu-clock -o /tmp/poked -- sh -c "echo 1 >$EVENT; echo 0 >$EVENT" >poked.out 2>&1
echo "exit $?" >>poked.out
/ours/perf script --show-text-poke-events -F ip,sym -i /tmp/poked >poked.txt 2>&1
rm -r /tmp/poked

# A CPU goes
record unplug -a -F 1000 -- sh -c 'sleep 0.3; echo 0 >/sys/devices/system/cpu/cpu1/online; sleep 0.9'
online 1

# A CPU goes and comes back, twice, with more than it to think of: groups, threads that write
AWAY='sleep 0.3; echo 0 >online; sleep 0.3; echo 1 >online; sleep 0.3'
AWAY="cd /sys/devices/system/cpu/cpu1; $AWAY; $AWAY"
record back -v -a -F 1000 -e '{cpu-clock,cs}' -- sh -c "$AWAY"
record backz -v -a -F 1000 -z -g --threads -- sh -c "$AWAY"

# Counting: a CPU goes and comes back, is away; what a BPF program does
/ours/perf stat -a -A -I 100 -x, -e cpu-clock,cs -o stat.away \
	sh -c "cd /sys/devices/system/cpu/cpu1; sleep 0.3; echo 0 >online; sleep 0.3; echo 1 >online; sleep 0.4" 2>stat.err
echo "exit $?" >>stat.err
online 0
/ours/perf stat -C 1 -e cs true >stat.off 2>&1
echo "exit $?" >>stat.off
/ours/perf stat -a -A -x, -e cpu-clock -o stat.one sleep 0.1
online 1
mkfifo /tmp/in /tmp/out
/bpfload -r </tmp/in >/tmp/out 2>bpfload.err &
exec 7>/tmp/in 8</tmp/out
read -r id <&8
# (of the few again and again: what comes between may take longer than they do)
for runs in 10 11 12 13 14 50000; do
	/ours/perf stat -b "$id" -x, -e cpu-clock,page-faults -o stat.bpf.$runs sh -c "echo $runs >&7; read -r ran <&8" 2>>bpfload.err
done
exec 7>&- 8<&-

# The clock is set while it runs
record wall -a -F 1000 -k realtime -- sh -c \
	"sleep 0.3; date -s '2020-01-01 00:00:00'; sleep 0.3; date -s '2030-01-01 00:00:00'; sleep 0.4"
record clock -a -F 1000 -- sh -c "sleep 0.2; date -s '2021-01-01 00:00:00'; sleep 0.4"

# Control groups of version 1: their processes and no others; one set of events for each
mkdir /tmp/cg && mount -t cgroup -o perf_event cg /tmp/cg && mkdir /tmp/cg/one /tmp/cg/two /tmp/cg/one/below
for g in one two; do
	sh -c "echo \$\$ >/tmp/cg/$g/tasks; while :; do :; done" &
	echo $! >cg.$g
done
record cgonly -a -F 500 -e cpu-clock,cs -G one -- sleep 0.6
record cgeach -a -F 500 -e cpu-clock,cs --for-each-cgroup one,two -- sleep 0.6
record cgglob -a -e cpu-clock --for-each-cgroup '^one' -- true
record cgnone -a -e cpu-clock -G three -- true
for p in ours ref; do
	test -x /$p/perf || continue
	/$p/perf stat -a -x, -e cpu-clock,cs --for-each-cgroup one,two,one/below -o stat.cg.$p.each sleep 0.6
	/$p/perf stat -a -x, -e cpu-clock,cpu-clock -G one,two -o stat.cg.$p.two sleep 0.6
done
kill "$(cat cg.one)" "$(cat cg.two)"

# BPF: filters on a kernel that fills in samples late, for users too; time off the CPUs
mount -t bpf -o mode=0755 none /sys/fs/bpf
echo 2 >/proc/sys/kernel/perf_event_paranoid
record filter -e cpu-clock -c 1000000 --filter 'pid > 1, ip < 0x8000000000000000, mem_op == na, cpu < 2' -- sh -c "$BUSY"
record later --filter 'time > 0' -- true
/ours/perf record --setup-filter pin >pin.out 2>&1
echo "exit $?" >>pin.out
chmod 777 .
start-stop-daemon -S -p /none -c nobody -x /ours/perf -- record -e cpu-clock:u -c 1000000 \
	--filter 'uid == 65534, period == 1000000' -o pinned.data -- sh -c "$BUSY" >pinned.out 2>&1
echo "exit $?" >>pinned.out
record offcpu --off-cpu -e dummy -- sh -c 'sleep 0.6; sleep 0.2'

# A guest, which the emulated CPU runs with its SVM
for m in irqbypass ccp kvm kvm-amd; do
	test ! -e /modules/$m.ko || insmod /modules/$m.ko >>guest.insmod 2>&1
done
if test -e /dev/kvm; then
	/ours/perf kvm stat record -o guest.data -- guest >guest.out 2>&1
	echo "exit $?" >>guest.out
	/ours/perf kvm -i guest.data stat report >guest.txt 2>&1
	test ! -x /ref/perf || /ref/perf kvm -i guest.data stat report >ref.guest.txt 2>&1
	/ours/perf kvm stat live --stdio -d 1 >guest.live.txt 2>guest.live.err &
	live=$!
	i=0
	while test $i -lt 100 && ! grep -q VM-EXIT guest.live.txt; do
		sleep 0.1
		i=$((i + 1))
	done
	guest
	sleep 0.2
	kill -INT $live
	wait $live
	echo "exit $?" >>guest.live.err
fi

# Every function of the kernel that a command runs. On one CPU: two emulated ones that trap at each
# function lock each other out for minutes.
online 0
record functions -g -e ftrace:function -- true

# The kernel's tracers: the graph of functions with an event in it, sums and times; settings as before after each
tracing() {
	for f in tracing_on current_tracer set_ftrace_pid set_ftrace_filter set_graph_function max_graph_depth trace_clock; do
		echo "$f: $(cat /sys/kernel/tracing/$f)"
	done
	ls /sys/kernel/tracing/instances
}
ftrace() {
	name=$1
	shift
	/ours/perf ftrace "$@" >"ftrace.$name.txt" 2>"ftrace.$name.out"
	echo "exit $?" >>"ftrace.$name.out"
	tracing >"ftrace.$name.after"
}
tracing >ftrace.before
/ours/perf ftrace -F 'vfs_re*' >ftrace.list.txt 2>&1
ftrace graph trace -G __x64_sys_nanosleep -G __x64_sys_clock_nanosleep --graph-opts depth=5 -e sched:sched_switch sleep 0.1
ftrace profile profile -G __x64_sys_nanosleep -G __x64_sys_clock_nanosleep --graph-opts depth=1 sleep 0.1
ftrace latency latency -T do_sys_openat2 cat /etc/passwd
ftrace bpf latency -b -T do_sys_openat2 cat /etc/passwd
ftrace function -T do_sys_openat2 --func-opts call-graph cat /etc/passwd
online 1
/ours/perf script -F event,ip,sym -i functions.data 2>&1 | head -n 400 >functions.txt

# Locked down, at the very end: there is no way back
mount -t securityfs none /sys/kernel/security 2>/dev/null
for level in integrity confidentiality; do
	echo $level >/sys/kernel/security/lockdown || continue
	cat /sys/kernel/security/lockdown >lock.$level
	record lock.$level.plain -e cpu-clock -F 500 -- sh -c "$BUSY"
	record lock.$level.regs -I -e cpu-clock -- true
	record lock.$level.trace -e sched:sched_switch -- true
	record lock.$level.break -e mem:jiffies:w -- true
	record lock.$level.offcpu --off-cpu -e dummy -- true
done
exit 0
