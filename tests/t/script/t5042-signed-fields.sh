#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='signed tracepoint fields of 8 and 16 bits; events whose names are letters of modifiers; clocks by number'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

cat >small.c <<\EOF
__attribute__((noinline)) int small(long a, long b)
{
	asm volatile("" : : "r"(a), "r"(b));
	return 0;
}

int main(void)
{
	small(-7, -300);
	return small(7, 300);
}
EOF
probes=/sys/kernel/tracing/uprobe_events
group=signed$$
test_lazy_prereq UPROBES 'needs x86-64, a C compiler and uprobes' '
	cd cwd && test "$(uname -m)" = x86_64 && ${CC:-gcc} -O1 -no-pie -o small small.c && at=$(nm small | sed -n "s/ T small$//p") &&
	at=$(printf "%#x" $((0x$at - 0x400000))) &&
	echo "p:$group/p $PWD/small:$at a=%di:s8 b=%si:s16 c=%di:u8" >>$probes && echo "r:$group/r $PWD/small:$at" >>$probes
'
trap 'for p in p r; do echo "-:$group/$p" >>$probes; done 2>/dev/null; test_at_exit' EXIT

test_expect_success UPROBES 'an event that is named p or r is that event' '
	for e in "$group:p" "$group:r" "$group:p:u" "{$group:p,$group:r}"; do
		perf record -q -e "$e" -o m.data ./small && perf evlist -i m.data | grep "^$group:" >out || return 1
		echo "$e" | tr -d "{}" | tr , "\n" | sed s/:u$// | test_cmp - out || return 1
	done
'
test_expect_success UPROBES 'script, report and rows print the sign' '
	perf record -q -e $group:p -o s.data ./small && perf script -i s.data -F trace | sed "s/(.*) //" >out &&
	printf "%s\n" "a=-7 b=-300 c=249" "a=7 b=300 c=7" | test_cmp - out &&
	perf report -i s.data --stdio -s trace_fields | sed -n "s/.*0x[0-9a-f]* *\\(.*\\)/\\1/p" | tr -s " " | sort >out &&
	printf "%s\n" "-7 -300 249" "7 300 7" | test_cmp - out &&
	perf script -i s.data --ndjson >out && test_grep "\"a\":-7,\"b\":-300,\"c\":249" out &&
	perf script -i s.data --csv >out && test_grep ",-7,-300,249" out &&
	perf data convert -i s.data --to-json=s.json >log 2>&1 && test_grep "\"a\": \"-7\", \"b\": \"-300\", \"c\": \"249\"" s.json
'
test_expect_success UPROBES 'filters take the sign' '
	for f in "a == -7" "a < 0" "b < -299" "b == -300 && a <= -7"; do
		perf record -q -e $group:p --filter "$f" -o f.data ./small && perf script -i f.data -F trace >out && test_line_count -eq 1 out &&
		test_grep "a=-7" out || return 1
	done
'
test_expect_success 'a clock by its number' '
	perf record -q -k 1 -o k.data true && perf report -i k.data --header-only >out && test_grep "^# clockid: monotonic (1)" out &&
	for k in 1st 99; do test_expect_code 129 perf record -k $k -o k.data true 2>err && test_grep "unknown clockid $k" err || return 1; done
'
test_done
