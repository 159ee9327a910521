#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 0 of 2
test_description='lock contention -b: waits of the running kernel are counted, and nothing is recorded'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT
perf lock contention -b -- true 2>err || test_skip_all "$(head -n 1 err)"

lineup=$(program lineup)
live() { perf lock contention -b "$@" 2>got; }

test_expect_success 'a known number of waits, with who asked for the lock' '
	live -Y mutex -S n_tty_read -- "$lineup" tty 6 && test_grep "^ contended   total wait     max wait     avg wait         type   caller$" got &&
	test_line_count = 3 got && test_grep "^ *5 .* ms .*  mutex   n_tty_read+0x" got && test ! -e perf.data
'
test_expect_success 'by lock, task, owner and cgroup' '
	live -q -Y mutex -S n_tty_read -l -- "$lineup" tty 4 && test_grep "^ *3 .*   [0-9a-f]\{16\}   (mutex)$" got &&
	live -q -Y mutex -S n_tty_read -t -k contended -- "$lineup" tty 4 && test "$(grep -c "   lineup$" got)" = 3 &&
	live -q -Y mutex -S n_tty_read -o -- "$lineup" tty 4 && test_grep "^ *3 .*   lineup$" got &&
	live -q -Y mutex -S n_tty_read --lock-cgroup -F contended -k contended -- "$lineup" tty 4 && test_grep "^ *3   /" got
'
test_expect_success 'filters count less, and one row is one line' '
	live -q -Y rwlock -S n_tty_read -- "$lineup" tty 3 && test ! -s got && live -q -L 0x10 -a -- "$lineup" tty 3 && test ! -s got &&
	live -q -G / -Y mutex -S n_tty_read -- "$lineup" tty 3 && test_line_count = 1 got && live -q -E 1 -a -- "$lineup" tty 4 && test_line_count = 1 got
'
test_expect_success 'for programs, with as many separators in the heading as in rows' '
	live -x , -E 1 --output file -- "$lineup" tty 3 && test ! -s got && test_line_count = 2 file && test "$(sed "s/[^,]//g" file | sort -u)" = ,,,,,
'
test_expect_success 'call chains begin with the code of the lock' '
	live -v -Y mutex -S n_tty_read -- "$lineup" tty 3 && sed -n "4,6p" got >first && test_grep "^			0x[0-9a-f]*  [a-z_.0-9]*mutex_lock" first && ! grep bpf_ got
'
test_expect_success 'what there is no room for is told' '
	live -M 1 -l -- sh -c "$lineup tty 3 & $lineup tty 3 & $lineup tty 3 & wait" && more=$(sed -n "s/.* rows: -M \([0-9]*\) has it$/\1/p" got) &&
	test -n "$more" && test "$more" -ge 2 && test "$more" -lt 200
'
test_expect_success 'the call chain of who has the lock, and the slab cache that a lock lies in' '
	live -v -o -Y mutex -- "$lineup" tty 4 &&
	{ test_grep "call chains of other tasks, which Linux 6.2 does" got ||
		{ test_grep "^ *3 .*   lineup$" got && test_grep "^			0x[0-9a-f]*  n_tty_read+0x" got; }; } &&
	live -v -l -L 0x10 -- true && { test_grep "slab cache a lock lies in, which Linux 6.13 does" got || {
		# three write into one pipe, whose mutex is part of it; how often they meet is not known
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
			live -q -l -- sh -c "{ yes & yes & yes; } | head -c 30000000 >pipe" && grep -q "&.*(mutex)" got && break
		done
		test_grep "&[-a-z0-9]* (mutex)" got; }; }
'
# loaded PID: its programs run
loaded() { test "$(grep -hs "^prog_type:" /proc/$1/fdinfo/* | wc -l)" -ge $2; }
test_expect_success 'Ctrl-C and SIGTERM end it with the table' '
	for s in INT TERM; do
		env --default-signal=INT "$PERF" lock contention -b -a 2>got & own=$!
		wait_for loaded $own 2 && sleep 0.2 && kill -$s $own && { wait $own; rc=$?; } && test_grep "^ contended " got &&
		case $s in INT) test $rc = 0 ;; TERM) test $rc = 143 ;; esac || return 1
	done
'
test_expect_success 'a process that runs already, and its children' '
	sh -c "while ! test -e go; do sleep 0.02; done; $lineup tty 4; true" & own=$!
	"$PERF" lock contention -b -q -Y mutex -S n_tty_read -p $own 2>got & watch=$!
	wait_for loaded $watch 3 && sleep 0.2 && touch go && wait $own && kill -TERM $watch && { wait $watch || true; } && test_grep "^ *3 .* n_tty_read" got
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf lock contention sleep 1 2>err && test_grep "counted with -b, or recorded: perf lock record -- sleep" err &&
	test_expect_code 129 perf lock contention -o 2>err && test_grep "need -b" err && test_expect_code 129 perf lock contention -b -i x 2>err &&
	test_expect_code 129 perf lock contention -b -M 0 2>err && test_expect_code 129 perf lock contention -b -p $$ true 2>err &&
	test_expect_code 255 perf lock contention -b -L no_such_lock true 2>err && test_grep "no variable .no_such_lock" err &&
	test_expect_code 255 perf lock contention -b -J 20ms@0x10 true 2>err && test_grep "above 10 ms .* -f" err &&
	test_expect_code 255 perf lock contention -b -J nonsense true 2>err && test_grep "100us@tasklist_lock" err &&
	test_expect_code 255 perf lock contention -b -- ./no/such/program 2>err && test_grep "Workload failed: ./no/such/program" err &&
	test_expect_code 255 perf lock contention -b -p 999999999 2>err
'
test_expect_success 'users without rights are told what they need' '
	perms="$(command -v setpriv)" && cp "$PERF" perf-copy && chmod 755 perf-copy . &&
	{ setpriv --reuid 65534 --clear-groups ./perf-copy lock contention -b -- true 2>err; test $? = 255; } &&
	test_grep "CAP_BPF" err
'
test_done
