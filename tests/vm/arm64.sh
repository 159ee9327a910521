# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Runs in the emulated arm64 machine (t2900-vm-arm64.sh): records with both perfs; the other side
# looks at the files. Of each case, NAME.WHO.data and what was printed, NAME.WHO.out.
sysctl() { echo "$2" >/proc/sys/kernel/"$1"; }
WORK='/ours/perf test -w deterministic'

# The reference changes the environment of what it runs, which changes how much the loader does.
ENV=
if test -x /ref/perf; then
	/ref/perf record --no-bpf-event -o x.data -- env >vars 2>/dev/null
	ENV="env -i $(cat vars)"
	rm -f x.data vars
fi

# ours NAME OPTION...: with our perf; the workload does $LOOPS
ours() {
	name=$1
	shift
	$ENV $AS /ours/perf $SEP record --no-bpf-event -o "$name.ours.data" "$@" -- $WORK $LOOPS >"$name.ours.out" 2>&1
	echo "exit $?" >>"$name.ours.out"
}

# both NAME OPTION...: the reference does not look for build-ids, which takes it a second
both() {
	ours "$@"
	name=$1
	shift
	test ! -x /ref/perf || {
		/ref/perf record --no-bpf-event -B -N -o "$name.ref.data" "$@" -- $WORK $LOOPS >"$name.ref.out" 2>&1
		echo "exit $?" >>"$name.ref.out"
	}
}

dmesg | grep -i 'pmu driver' >pmu
(cd /sys/bus/event_source/devices && ls) >pmus
/ours/perf list hw >list.ours 2>&1
/ours/perf list pmu >list.pmu 2>&1
test ! -x /ref/perf || /ref/perf list hw >list.ref 2>&1

# As it is: the kernel stops what samples too often.
LOOPS=20000
ours throttle -e cycles:u -c 1000
# From here on it does not, and what the hardware does is all there is to see.
sysctl perf_cpu_time_max_percent 0
sysctl perf_event_max_sample_rate 4000000

$ENV /ours/perf stat -x, -e cycles:u -o total.ours -- $WORK $LOOPS
both period -e cycles:u -c 10007
ours again -e cycles:u -c 10007
both read -e '{cycles:u,instructions:u}:S' -c 10007
both forms -e r11:u -e cpu_cycles:u -e armv8_pmuv3/cpu_cycles/u -e armv8_pmuv3/event=0x11,period=20011,name=named/u -c 10007
both chains -g -e cycles:u -c 10007
both default
both attrs -c 100003 -e cycles:k,cycles:P,cycles:ppp,cycles:D -e '{cycles,r8}' -e '{r11,cycles:u}:e' -e instructions:uk
both freq -e cycles:u -F 50000
ours regs -e cycles:u -c 100003 --intr-regs --user-regs=pc,sp,x0 --call-graph dwarf,256
ours kernel -a -e cycles:k -c 50021
LOOPS=400000
both rotate -c 100003 -e r11:u,r11:u,r11:u,r11:u,r11:u,r11:u,r11:u,r11:u,r11:u,r11:u
LOOPS=20000
NINE=r11:u,r8:u,r11:u,r8:u,r11:u,r8:u,r11:u,r8:u,r11:u
ours weak -c 10007 -e "{$NINE}:W"
both nine -c 10007 -e "{$NINE}"
ours ninea -a -c 10007 -e "{$NINE}"
FIVE=r11,r8,r11,r8,r11
ours pinned -c 10007 -e "{$FIVE}:D,{$FIVE}:D"
ours pinneda -a -c 10007 -e "{$FIVE}:D,{$FIVE}:D"
both branches -b -e cycles
both stalled -e stalled-cycles-frontend

echo 'p:vm/openat do_sys_openat2 dfd=%x0' >/sys/kernel/tracing/kprobe_events
ours kprobe -e vm:openat -e cycles:u -c 10007

# BPF
ours filter -e cycles:u -c 10007 --filter 'period == 10007, ip & 4 || ip & 8'
ours refused -e cycles:u -c 10007 --filter 'time > 0'
/ours/perf record --no-bpf-event --off-cpu -e dummy -o offcpu.ours.data -- sh -c 'sleep 0.6; sleep 0.2' >offcpu.ours.out 2>&1

# top ends when nobody reads any more.
$WORK 100000000 >/dev/null 2>&1 &
/ours/perf top --stdio -e cycles:u -c 100003 -d 0.05 -p $! 2>&1 </dev/null | head -n 30 >top.ours.out
/ours/perf top --stdio -d 0.05 2>&1 </dev/null | head -n 5 >topdefault.ours.out
kill $!

# Counting
. /arm64-stat.sh

# Users
chmod 777 .
AS='start-stop-daemon -S -p /none -c nobody -x' SEP=-- ENV=
sysctl perf_event_paranoid 2
ours user
ours usercycles -e cycles -c 10007
ours userkernel -e cycles:k -c 10007
exit 0
