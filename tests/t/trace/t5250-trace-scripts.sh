#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 0 of 4
test_description='perf trace: lines that scripts of newer versions look for'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

test_lazy_prereq COPIES 'BPF programs cannot copy memory here' 'perf trace -v -o out -e openat true 2>err; grep "memory of [1-9][0-9]* calls was copied" err'
test_lazy_prereq BTF 'no types of the running kernel' 'test -r /sys/kernel/btf/vmlinux'
# plain ARGS...: without names of arguments, times and alignment, the first line
plain() {
	HOME=$PWD/plain perf trace --sort-events --max-events=1 "$@" 2>line; cat line
}
mkdir -p plain && HOME=$PWD/plain perf config trace.show_arg_names=no trace.show_duration=no trace.show_timestamp=no trace.args_alignment=0

test_expect_success COPIES 'both paths of mv' '
	echo text >one && plain -e "renameat*" -- mv "$PWD/one" "$PWD/two" &&
	grep -E "^mv/[0-9]+ renameat(2)?\(.*, \"$PWD/one\", .*, \"$PWD/two\", .*\) += +[0-9]+$" line
'
test_expect_success COPIES 'the text that echo writes, and its length' '
	plain -e write -- /bin/echo "buffer content" >text && grep -E "^echo/[0-9]+ write\([0-9]+, buffer content.*, 15\) += +15$" line
'
test_expect_success COPIES,BTF 'the time of sleep by the types of the kernel' '
	plain -e clock_nanosleep --force-btf -- sleep 1 && grep -E "^sleep/[0-9]+ clock_nanosleep\(0, 0, \{1,.*\}, 0x[0-9a-f]+\) += +[0-9]+$" line
'
test_expect_success 'calls of the workload landlock' '
	perf trace -e landlock_add_rule perf test -w landlock 2>out &&
	grep -E "ruleset_fd: 11, rule_type: (LANDLOCK_RULE_PATH_BENEATH|LANDLOCK_RULE_NET_PORT), rule_attr: (0x[0-9a-f]+|\{.*\}), flags: 45\) = -1" out >lines &&
	test_line_count = 2 lines
'
test_expect_success 'ten runs of one event' '
	for i in 1 2 3 4 5 6 7 8 9 10; do perf trace -e syscalls:sys_enter_exit_group --no-comm true 2>>ten || return 1; done &&
	grep -c -E "^ +[0-9]+\.[0-9]+ [0-9]+ syscalls:sys_enter_exit_group\(\)$" ten >nr && test "$(cat nr)" -eq 10
'
test_expect_success 'a recording of sleep' '
	perf trace record -q -o s.data sleep 0.0001 && perf trace -i s.data 2>out && grep nanosleep out
'
test_done
