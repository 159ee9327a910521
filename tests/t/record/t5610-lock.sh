#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='lock: who waits for locks of the kernel, as the reference has it, and a known number of waits'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# Eight threads read from one terminal, so that seven wait for the mutex of its readers.
perf lock record -q -o a.data -- "$(program lineup)" tty 8 || exit 1
perf lock record -q -a --all-cgroups -o all.data -- sh -c "for i in 1 2; do seq 2000 | cat | cat >/dev/null & done; $(program lineup) tty 5 & $(program lineup) tty 3; wait"

# con FILE OPTIONS...: the table is on stderr
con() { local f=$1 && shift && perf lock contention -i "$f" "$@" 2>got; }

test_expect_success 'waits are recorded with eight frames of the kernel' '
	perf evlist -v -i a.data >events && test_grep "^lock:contention_begin: .*CALLCHAIN.* sample_max_stack: 8" events &&
	test_grep "^lock:contention_end:" events
'
test_expect_success 'a known number of waits, and who asked' '
	con a.data -Y mutex -S n_tty_read && test_grep "^ contended   total wait     max wait     avg wait         type   caller$" got &&
	test_line_count = 3 got && test_grep "^ *7 .* ms .*  mutex   n_tty_read+0x" got
'
test_expect_success 'the caller is no code of locks' '
	con all.data && test_line_count -gt 2 got &&
	! grep -E "   (_raw_(spin|read|write)_(lock|trylock)|__?mutex_lock|mutex_|queued_|native_queued|__pv_|down_(read|write)|rwsem_)" got
'
# The reference does not know the names of threads that did not set one.
test_expect_success REFERENCE 'rows by task and of the report are those of the reference' '
	nameless() { sed "s/ :[0-9]*\$/ lineup/; s/^ *:[0-9]*  /              lineup  /; s/:\( *\):[0-9]*\$/:\1lineup/" "$1"; } &&
	for o in "contention -t -k wait_min -F contended,wait_min" "contention -t -F avg_wait -k wait_max" "report -t -k wait_max"; do
		"$REF" lock -i a.data $o 2>want >out && perf lock -i a.data $o 2>got && nameless want | test_cmp - got || return 1
	done && "$REF" lock -i a.data info -t 2>want >out && perf lock -i a.data info -t 2>got && nameless want | test_cmp - got
'
# The reference names the lock by the fourth frame. It also counts waits that go on when a recording of all CPUs ends.
test_expect_success REFERENCE 'so is the report, but for the names' '
	names() { sed "s/^.\{20\}//" "$1" | sort; } &&
	for o in report "report -F acquired,wait_max -k contended"; do
		"$REF" lock -i a.data $o 2>want >out && perf lock -i a.data $o 2>got && names want >w && names got >g && test_cmp w g || return 1
	done
'
test_expect_success REFERENCE 'with three frames left out, callers have the sums of the reference' '
	sums() { perl -ne "/^ *(\d+) .* (\S+)   (\S+)\$/ or next; \$n{\$3} += \$1; END { print \"\$_ \$n{\$_}\n\" for sort keys %n }" "$1"; } &&
	"$REF" lock -i a.data contention 2>want >out && con a.data --stack-skip 3 && sums want >w && sums got >g && test -s w && test_cmp w g
'
test_expect_success 'each number of options, alone and together' '
	con a.data -E 1 -q && test_line_count = 1 got && con all.data -q -E 2 -l && test_line_count = 2 got &&
	con a.data -q -Y mutex,rwsem -S nothing_is_called_so && test ! -s got &&
	con all.data -q -Y spinlock && ! grep -v "  spinlock   " got &&
	con a.data -q -S tty_read && test_grep n_tty_read got && con a.data -q --max-stack 1 && ! grep -v "   Unknown$" got
'
test_expect_success 'locks by address, and only those that were asked for' '
	con a.data -l -S n_tty_read && test_grep "^ contended .*         address   symbol$" got && test_grep "^ *7 .*   [0-9a-f]\{16\}   (mutex)$" got &&
	address=$(sed -n "s/.*   \([0-9a-f]*\)   (mutex)$/\1/p" got) && con a.data -q -L "0x$address" && test_line_count = 1 got &&
	test_grep n_tty_read got && con a.data -q -L no_such_lock && test ! -s got
'
test_expect_success 'by cgroup, if they were recorded' '
	con all.data --lock-cgroup && test_grep "avg wait   cgroup$" got && test_grep "   /" got &&
	path=$(sed -n "\$s/.*   \//\//p" got) && con all.data -q -G "$path" && test -s got &&
	test_expect_code 255 perf lock contention -i a.data --lock-cgroup 2>err && test_grep "perf lock record --all-cgroups" err
'
test_expect_success 'tasks and CPUs' '
	tid=$(perf lock info -t -i a.data 2>&1 | sed -n "s/^ *\([0-9]*\): lineup$/\1/p" | tail -n 1) && con a.data -q -t --tid $tid &&
	test_line_count = 1 got && test_grep "  $tid   lineup$" got && con a.data -q -p 1 && test ! -s got &&
	con all.data -q -F contended -k contended && cut -c1-10 got | perl -ne "\$n += \$_; END { print \$n }" >whole &&
	: >sum && last=$(($(getconf _NPROCESSORS_CONF) - 1)) &&
	for c in 0 $(test $last = 0 || echo 1-$last); do
		con all.data -q -F contended -k contended -C $c && cut -c1-10 got >>sum || return 1
	done &&
	perl -ne "\$n += \$_; END { print \$n }" sum | test_cmp whole -
'
test_expect_success 'for programs, and into a file' '
	con a.data -x , -E 1 && test_grep "^# output: contended, total wait, max wait, avg wait, type, caller$" got &&
	test "$(sed "s/[^,]//g" got | sort -u)" = ,,,,, && perf lock contention -i a.data -x , -E 1 --output file 2>err && test_cmp got file && test ! -s err &&
	perf lock report -i a.data --output file && test_grep "^                Name   acquired" file &&
	test_expect_code 255 perf lock report -i a.data --output no/where 2>err && test_grep "no/where.: No such file" err
'
test_expect_success 'through a pipe, and with options before the verb' '
	con a.data && perf lock -i - contention <a.data 2>pipe && test_cmp got pipe && perf lock -i a.data -q con -E 1 2>one && test_line_count = 1 one &&
	perf lock record -q -o - -- "$(program lineup)" tty 4 | perf lock contention -i - -q -S n_tty_read 2>live && test_grep "^ *3 .* n_tty_read" live
'
test_expect_success 'call chains, and script' '
	con a.data -v -S n_tty_read && test_grep "^			0x[0-9a-f]*  n_tty_read+0x" got && test_grep "^=== output for debug===$" got &&
	perf lock -i a.data script -F event >out && perf script -i a.data -F event >want && test_cmp want out
'
test_expect_success 'threads and locks of a recording' '
	perf lock info -i a.data 2>both && perf lock info -t -i a.data 2>one && echo >>one && perf lock info -m -i a.data 2>>one && test_cmp one both &&
	test_grep "^ 0x[0-9a-f]*: n_tty_read+0x" both
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf lock contention -k acquired 2>err && test_grep "Unknown --key: .acquired" err &&
	test_expect_code 129 perf lock contention -F nonsense 2>err && test_grep "Unknown --field: .nonsense" err &&
	test_expect_code 129 perf lock contention -Y nonsense 2>err && test_grep "Unknown --type-filter" err &&
	test_expect_code 129 perf lock contention -x a 2>err && test_grep "Take another" err &&
	test_expect_code 129 perf lock contention -t -l 2>err && test_grep "exclude each other" err &&
	test_expect_code 129 perf lock contention -a -p 1 2>err && test_expect_code 129 perf lock report -D 2>err && test_grep "lock -D script" err &&
	test_expect_code 129 perf lock nonsense 2>err && test_grep nonsense err && test_expect_code 129 perf lock 2>err &&
	perf record -q -e task-clock -o other.data true && test_expect_code 255 perf lock report -i other.data 2>err && test_grep "perf lock record$" err
'
test_done
