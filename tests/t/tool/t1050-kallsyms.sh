#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf kallsyms: where the running kernel has symbols'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq ADDRESSES 'addresses of the kernel are hidden' 'grep -q "^[0-9a-f]*[1-9a-f][0-9a-f]* T schedule$" /proc/kallsyms'

test_expect_success ADDRESSES,REFERENCE 'names of the kernel as the reference shows them' '
	for name in schedule vfs_read __x64_sys_getpid; do "$REF" kallsyms $name 2>/dev/null; done >ref &&
	perf kallsyms schedule vfs_read __x64_sys_getpid >out 2>err && test_line_count = 0 err && test_line_count -gt 0 ref && test_cmp ref out
'
test_expect_success ADDRESSES 'names that several have, kinds, names that none has' '
	name=$(cut -d" " -f3 /proc/kallsyms | grep -v "[^a-z_]" | sort | uniq -d | head -1) && perf kallsyms -v "$name" no_such_name schedule >out &&
	n=$(awk -v n="$name" "\$3 == n" /proc/kallsyms | wc -l) && test "$(grep -c "^$name: .* [a-zA-Z]$" out)" -eq "$n" && test "$n" -gt 1 &&
	test_grep "^no_such_name: not found$" out && test_grep "^schedule: .* T$" out
'
test_expect_success ADDRESSES,ROOT 'an ordinary user is told why there are no addresses' '
	command -v setpriv || return 0
	cp "$PERF" p && chmod 755 p . .. && test_expect_code 255 setpriv --reuid 65534 --clear-groups ./p kallsyms schedule >out 2>err &&
	test_line_count = 0 out && test_grep "Couldn.t read /proc/kallsyms: its addresses are hidden" err &&
	test_grep "kptr_restrict is [0-9], kernel.perf_event_paranoid [-0-9]*" err && test_grep "To see them: sudo sysctl" err
'
test_expect_success 'no name: the usage' '
	test_expect_code 129 perf kallsyms 2>err && test_grep "Usage: perf kallsyms" err
'
test_done
