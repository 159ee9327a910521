# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Sourced in the emulated arm64 machine: perf stat with each line of arm64-stat.txt, by both perfs.
mkdir stat
export PERF_CPUID=0x00000000480fd010
# The metric the reference knows of that processor, for ours.
mkdir -p /tmp/events
echo '[{"MetricName": "retiring", "MetricExpr": "INST_RETIRED / (4 * CPU_CYCLES)", "MetricGroup": "TopDownL1"}]' >/tmp/events/metrics.json
nr=0
set -f
while read -r line; do
	nr=$((nr + 1))
	# shellcheck disable=SC2086 # words
	for who in ours ref; do
		extra=
		test $who = ref || extra='--events-dir /tmp/events'
		test ! -x /$who/perf || /$who/perf stat $extra $line $WORK 2000 >stat/$nr.$who 2>&1
		echo "exit $?" >>stat/$nr.$who
	done
done </arm64-stat.txt
set +f
# shellcheck disable=SC2086 # words
/ours/perf stat -j -e cycles:u,instructions:u $WORK 2000 >stat/exact 2>&1
for loops in 10000 20000 30000; do
	/ours/perf stat -x, -e instructions:u -o stat/loops.$loops $WORK $loops
done
# Two that always have a counter, and the same again in nine that take turns on what is left, by programs of
# less than a turn, of about one and of some
test ! -e /long || for loops in 1000 20000 100000; do
	/ours/perf stat -x, -r 40 -e r11:uD,r11:kD,r11:u,r11:k,r11:u,r11:k,r11:u,r11:k,r11:u,r11:k,r11:u -o stat/turns.$loops $WORK $loops
done
/ours/perf stat -x, --bpf-counters -e instructions:u -o stat/bpf.loops $WORK 20000 2>stat/bpf.out
unset PERF_CPUID

# What a BPF program does
mkfifo /tmp/in /tmp/out
/bpfload -r </tmp/in >/tmp/out 2>stat/bpfload.err &
exec 7>/tmp/in 8</tmp/out
read -r id <&8
for runs in 1000 2000 3000; do
	/ours/perf stat -b $id -x, -e instructions:k,page-faults -o stat/bpf.$runs sh -c "echo $runs >&7; read -r ran <&8" 2>>stat/bpf.out
done
/ours/perf stat -b $id -A -e instructions:k,cpu-clock -o stat/bpf.text sh -c "echo 10 >&7; read -r ran <&8" 2>>stat/bpf.out
exec 7>&- 8<&-
wait
