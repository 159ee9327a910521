#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 3 of 8
test_description='every perf command line that README.md shows works as it is written'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'the same command lines, which other tests run with sanitizers'
test_require PERF_EVENTS,ROOT,TRACEFS
test -f "$SRC/README.md" || test_skip_all 'no README.md beside the tests'

cat >program.c <<\E
#include <time.h>

__attribute__((noinline)) long function(int count, const char *name)
{
	long sum = *name;
	for (int i = 0; i < count; i++)
		sum += i ^ sum;
	return sum;
}

int main(void)
{
	long sum = 0;

	while (clock() < CLOCKS_PER_SEC / 5)
		sum += function(100000, "thing");
	return sum == 1;
}
E
"${CC:-gcc}" -g -O0 -fno-omit-frame-pointer -o program program.c || test_skip_all 'no C compiler'
sleep 120 &
sleeper=$!
sed -n '/^```$/,/^```$/d; s/^ \{3,4\}\(perf .*\)/\1/p' "$SRC/README.md" >lines

test_lazy_prereq FUNCTIONS 'the kernel has no tracer of functions' 'grep -q function_graph /sys/kernel/tracing/available_tracers'
test_lazy_prereq PCI_PORTS 'no PMU counts what passes through PCIe root ports' 'perf iostat list'
test_lazy_prereq JAVA 'no java, or the agent is not installed' 'command -v java && test -e /usr/local/lib/perf/libperf-jvmti.so'
test_lazy_prereq MEM_PMU 'no PMU samples memory accesses' 'perf mem record -q -o any.data true'

mkdir base
# Shorter, with a real PID, and a folder of its own; what waits for Ctrl-C gets one.
while read -r line; do
	command=$(echo "$line" | sed "s/PID/$sleeper/; s/sleep 10/sleep 0.3/; s/noploop 2/noploop 0.3/; s,/var/lib/perf,$PWD/base,")
	case $line in
	*PID | "perf top" | "perf block live") limit=5 ;; # they end with Ctrl-C
	*) limit=100 ;;
	esac
	case $line in
	"perf mem "* | "perf c2c "*) needs=MEM_PMU ;;
	"perf iostat "*) needs=PCI_PORTS ;;
	*" java "*) needs=JAVA ;;
	"perf ftrace"*" -G "* | "perf ftrace"*" -T "*) needs=FUNCTIONS ;;
	*) needs='' ;;
	esac
	test_expect_success "$needs" "$line" '
		timeout -k 5 -s INT $limit bash -c "$command" >out 2>err </dev/null
		rc=$?
		cat err
		test $rc -eq 0 || { test $rc -eq 124 && { grep "Captured and wrote" err || grep "^ *PerfTop:" out ||
			{ [[ $command == "perf "@(trace|block)* ]] && test ! -s err; }; }; }
	'
done <lines

test_expect_success 'there were command lines to try' 'test_line_count -ge 12 lines'
kill $sleeper
perf daemon stop 2>/dev/null

test_done
