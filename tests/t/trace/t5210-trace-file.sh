#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 1 of 4
test_description='perf trace record and perf trace -i: a recording as lines and sums, as the reference has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

asks=$(program asks)
# lines FILE: without arguments and results, which are not shown in the same way
lines() { sed -E 's/^( *[0-9.?]+ \([^)]*\): [^ ]+ )([^(]*)\(.*/\1\2/' "$1"; }
# sums FILE: without calls that began before the recording or never returned, which the reference counts otherwise; rows of
# the same total are sorted by name
sums() {
	grep -vE "^   (execve|exit_group|exit|clone3?|vfork|rt_sigreturn|rseq) " "$1" | cat -s |
	perl -0777 -ne '
		sub rows { my %at; my @l = split /\n/, $_[0]; my $i = 0;
			my @key = map { $i++; /^   \w+ +\d+ +\d+ +([0-9.]+) / ? ($at{$1} //= $i) : $i } @l;
			join("\n", map { $l[$_] } sort { $key[$a] <=> $key[$b] || $l[$a] cmp $l[$b] } 0 .. $#l) . "\n" }
		my @b = split /(?=^ \S.* \(\d+\), )/m; print shift @b, map { rows($_) } sort @b;'
}

test_expect_success 'trace record records both events, with the options of record' '
	perf trace record -q -o a.data -- "$asks" block &&
	perf evlist -i a.data >events && grep -x raw_syscalls:sys_enter events && grep -x raw_syscalls:sys_exit events &&
	perf trace -i a.data 2>out && grep "read(" out && grep "\[continued\]: read()" out
'
test_expect_success REFERENCE 'all lines and sums are those of the reference' '
	perf trace -i a.data -o our && "$REF" trace -i a.data -o ref &&
	lines our >our.txt && lines ref >ref.txt && test_cmp ref.txt our.txt &&
	perf trace -s --errno-summary -i a.data -o our && "$REF" trace -s --errno-summary -i a.data -o ref &&
	sums our >our.txt && sums ref >ref.txt && test_cmp ref.txt our.txt
'
test_expect_success REFERENCE 'the reference records what we read' '
	"$REF" trace record -o ref.data "$asks" known >log 2>&1 && perf trace -i ref.data 2>out &&
	grep -E "dup2\(.*= 77$" out
'
test_expect_success 'events of single calls become calls when both sides were recorded' '
	perf record -q -o b.data -e syscalls:sys_enter_dup2,syscalls:sys_exit_dup2,syscalls:sys_enter_lseek "$asks" known &&
	perf trace -i b.data 2>out && grep -E "\): asks/[0-9]+ dup2\(.*= 77$" out &&
	grep -E "syscalls:sys_enter_lseek\(fd: " out
'
test_expect_success 'calls are chosen by name, and threads and times by options' '
	perf trace -e "re*" -i a.data 2>out && grep "read(" out && ! grep "getppid(" out &&
	perf trace -t 999999 -i a.data 2>out && ! grep "read(" out &&
	perf trace -i - <a.data 2>pipe && perf trace -i a.data 2>out && test_cmp out pipe
'
test_expect_success 'damaged and foreign recordings do not crash it' '
	perf record -q -o c.data -e task-clock "$asks" many 9 && perf trace -i c.data 2>out &&
	head -c 3000 a.data >d.data && test_no_crash perf trace -i d.data >out 2>&1
	test_must_fail perf trace -i no.data 2>err && grep no.data err
'
test_done
