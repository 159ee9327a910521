#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='perf record --filter: samples and tracepoints dropped in the kernel; what is wrong is pointed at'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq NOBODY 'cannot become another user' '
	test "$(id -u)" -eq 0 && command -v setpriv &&
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version'
test_lazy_prereq SIEVE 'this user or kernel has no BPF programs on samples' '
	"$PERF" record -e cpu-clock --filter "cpu >= 0" -o p.data true'
test_lazy_prereq INSTANCES 'no trace instances' 'test -d /sys/kernel/tracing/instances'
test_lazy_prereq TWOCPUS 'only one CPU' 'test "$(nproc)" -gt 1'

# some 0.2 s of work
BUSY='i=0; while test $i -lt 80000; do i=$((i + 1)); done'
export BUSY
# kept, dropped: what the closing lines say
kept() { sed -n 's/^\[ perf record: Captured and wrote .* (\([0-9]*\) samples) \]$/\1/p' err; }
dropped() { sed -n 's/^\[ perf record: The filter dropped \([0-9]*\) samples \]$/\1/p' err; }
both() { perf record -a -F 2000 -o a.data "$@" -- sh -c "$BUSY & $BUSY; wait" 2>err; }

test_expect_success SIEVE 'a filter that keeps all, one that keeps nothing: counts' '
	perf record -e cpu-clock -c 1000000 --filter "period == 1000000" -o a.data sh -c "$BUSY" 2>err &&
	test "$(dropped)" -eq 0 && test "$(kept)" -ge 10 &&
	perf record -e cpu-clock -c 1000000 --filter "period > 1000000" -o a.data sh -c "$BUSY" 2>err &&
	test "$(dropped)" -ge 10 && test -z "$(kept)"
'
test_expect_success SIEVE,TWOCPUS,ROOT 'one filter for all fields we know: only what matches is there' '
	both -e cpu-clock --filter "cpu == 1, pid > 1 || ip > 0x8000000000000000" &&
	perf script -i a.data -F pid,tid,cpu,ip >out && test -s out &&
	awk "{ if (\$2 != \"[001]\") exit 1; split(\$1, id, \"/\");
	       if (id[1] <= 1 && \$3 !~ /^[89a-f]...............$/) exit 1 }" out &&
	test "$(dropped)" -gt 0 &&
	perf report -i a.data --stdio >out 2>/dev/null && test_grep "^# Samples dropped by filters: $(dropped)$" out
'
test_expect_success SIEVE,ROOT 'two events, a filter for one of them; ids tell whose the dropped are' '
	both -e cpu-clock --filter "pid == 0" -e task-clock &&
	perf script -i a.data -F event,pid >out &&
	awk "/cpu-clock/ && \$1 != 0 { exit 1 }" out && test_grep task-clock out &&
	perf script -i a.data --show-lost-events -D >dump 2>&1 && test_grep "LOST_SAMPLES" dump
'
test_expect_success SIEVE,REFERENCE 'the reference reads it' '
	"$REF" report -i a.data --stdio >ref 2>&1 && test_grep "Total Lost Samples: $(dropped)" ref
'
test_expect_success SIEVE 'without an -e: for the default event; fields are recorded when a filter asks' '
	perf record -F 2000 --filter "code_pgsz >= 4096, time > 0" -o a.data sh -c "$BUSY" 2>err &&
	test "$(kept)" -gt 0 && perf evlist -v -i a.data >out && test_grep CODE_PAGE_SIZE out
'
test_expect_success SIEVE,TWOCPUS 'many comparisons: the middle of a list still counts' '
	text="cpu == 1000" && for i in $(seq 60); do text="$text || cpu == $((1000 + i))"; done &&
	perf record -F 2000 -e cpu-clock --filter "$text || cpu < 1000" -o a.data sh -c "$BUSY" 2>err &&
	test "$(dropped)" -eq 0 && test "$(kept)" -gt 0
'
test_expect_success 'errors: a caret, a near name, before anything runs' '
	test_expect_code 129 perf record -e cpu-clock --filter "cpu == 1, perid > 1" -o b.data touch ran 2>err &&
	head -n 2 err >got && cat >want <<-\EOF &&
	filter syntax error: '\''cpu == 1, perid > 1'\''
	                                ___ samples have no field '\''perid'\'', did you mean '\''period'\''?
	EOF
	tr -d "\\\\" <got | test_cmp want - && test ! -e ran && test ! -e b.data &&
	test_expect_code 129 perf record -e cpu-clock --filter "filter main @ /bin/true" true 2>err &&
	test_grep "This CPU does not support address filtering" err &&
	test_expect_code 129 perf record --filter "cpu == 1" -e cpu-clock true 2>err &&
	test_grep "filter option should follow" err
'
test_expect_success NOBODY 'another user: what is needed' '
	mkdir -p -m 777 pub && chmod 755 "$TRASH" "$TRASH/cwd" &&
	test_expect_code 255 setpriv --reuid=65534 --regid=65534 --clear-groups \
		perf record -e cpu-clock:u --filter "cpu >= 0" -o pub/a.data touch pub/ran 2>err &&
	test_grep "CAP_BPF" err && test ! -e pub/ran
'
test_lazy_prereq OWNMOUNTS 'cannot mount a bpf file system of its own' '
	unshare -m mount -t bpf none "$TRASH"'
test_expect_success NOBODY,SIEVE,OWNMOUNTS 'another user, when root has prepared it: the same filters' '
	mkdir -p -m 777 pub && chmod 755 "$TRASH" "$TRASH/cwd" &&
	cat >pinned.sh <<-\EOF &&
	nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	# one of our own, whatever there is outside
	mount -t bpf -o mode=0755 none /sys/fs/bpf && perf record --setup-filter pin && perf record --setup-filter list || exit
	nobody perf record -c 1000000 -e cpu-clock:u --filter "period == 1000000, uid == 65534 || cgroup == 1" \
		-o pub/p.data sh -c "$BUSY" 2>err1 &&
	nobody perf record -c 1000000 -e cpu-clock:u --filter "!(period == 1000000, uid == 65534)" \
		-o pub/q.data sh -c "eval \"\$BUSY\"" 2>err2 &&
	perf record --setup-filter list && perf record --setup-filter unpin && ! perf record --setup-filter list
	EOF
	unshare -m bash -e pinned.sh >out && test "$(grep -c "; 0 in use" out)" -eq 2 &&
	cp err1 err && test "$(dropped)" -eq 0 && test "$(kept)" -ge 10 &&
	cp err2 err && test "$(dropped)" -ge 10 && test -z "$(kept)" &&
	test_expect_code 129 perf record --setup-filter x 2>err && test_grep "pin, unpin or list" err
'
test_expect_success TRACEFS 'tracepoints: fields, operators, the nearest name' '
	test_expect_code 255 perf record -e sched:sched_switch --filter "prev_pid == 1 && next_cmm ~ \"x\"" -o c.data true 2>err &&
	test_grep "did you mean .next_comm.?" err && test_grep "next_prio  *int  *== != < <= > >= &" err &&
	test_grep "failed to set filter .* on event sched:sched_switch with 22 (Invalid argument)" err &&
	test_expect_code 255 perf record -e sched:sched_switch --filter "prev_pid => 1" -o c.data true 2>err &&
	test_grep ".=>. is no operator, use .>=." err && test ! -e c.data
'
test_expect_success TRACEFS,ROOT 'what only the kernel can judge: in its own words, and no trace instance is left' '
	perf record -e kmem:kmalloc --filter "call_site.function == no_such_function" -o c.data true 2>err & own=$!
	wait $own; test $? -eq 255 &&
	test_grep "with 22 (Invalid argument)" err && if test_have_prereq INSTANCES; then test_grep "^parse_error: " err; fi &&
	test ! -e /sys/kernel/tracing/instances/perf-$own
'
test_expect_success TRACEFS,ROOT 'tracepoints: kept by the kernel, for all events of an -e; --exclude-perf' '
	perf record -e "sched:sched_switch,sched:sched_waking" --filter "common_pid != 0" --exclude-perf -a -o c.data \
		perf test -w context_switch_loop 100 2>err & own=$!
	wait $own && perf script -i c.data -F comm,tid,event >out && test -s out &&
	test_grep ! -E "^ *(perf +$own|swapper) " out &&
	test_expect_code 129 perf record -e cpu-clock --exclude-perf true 2>err &&
	test_grep "exclude-perf option should follow a -e tracepoint option" err
'
test_expect_success TRACEFS,ROOT 'tracepoints of a pattern: those that lack a field are left out and named' '
	perf record -q -e "sched:sched_s*" --filter "prev_pid != 0" -a -o c.data perf test -w context_switch_loop 100 2>err &&
	test_grep "^--filter .prev_pid != 0. does not apply to [0-9]* of [0-9]* events, which are left out: .*sched:sched_" err && test_line_count = 1 err &&
	perf evlist -i c.data 2>/dev/null >out && test_grep "^sched:sched_switch$" out && test "$(grep -c sched: out)" = 1 &&
	perf script -i c.data -F trace >out && test -s out && test_grep ! "prev_pid=0 " out &&
	test_expect_code 255 perf record -e "sched:sched_s*" --filter "no_such == 0" -o d.data true 2>err && test_grep "has no field .no_such." err &&
	test_expect_code 255 perf record -e "sched:sched_s*,sched:sched_wakeup" --filter "prev_pid == 0" -o d.data true 2>err &&
	test_grep "sched_wakeup has no field" err && test ! -e d.data
'
test_expect_success 'values that perf reads itself are not recorded, and that is told' '
	perf record -q -e num_cpus,cpu-clock -o c.data true 2>err &&
	echo "There are no samples of num_cpus: perf stat shows the value." >want && test_cmp want err &&
	test_expect_code 234 perf top --stdio -e num_cpus,slots -d 1 </dev/null 2>err &&
	test_grep "^There are no samples of num_cpus, slots: perf stat shows the values.$" err &&
	test_grep "^there is nothing to show: no event that was named has samples$" err
'
test_done
