#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 8
test_description='stat: counts that are known'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq TRACEPOINTS 'no tracepoints for this user' \
	'perf stat -e syscalls:sys_enter_getppid true'
test_lazy_prereq STRACE 'no strace' 'strace -o /dev/null true'

test_expect_success 'programs that do a known number of things' '
	cat >calls.c <<-\END &&
	#include <stdlib.h>
	#include <sys/syscall.h>
	#include <sys/wait.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		/* calls, children that do as many each */
		int nr = atoi(argv[1]), children = argc > 2 ? atoi(argv[2]) : 0;
		for (int c = 0; c < children; c++) {
			if (!fork()) {
				for (int i = 0; i < nr; i++)
					syscall(SYS_getppid);
				_exit(0);
			}
			if (c % 50 == 49)
				while (wait(NULL) > 0)
					;
		}
		while (wait(NULL) > 0)
			;
		for (int i = 0; i < nr; i++)
			syscall(SYS_getppid);
		return 0;
	}
	END
	cat >pages.c <<-\END &&
	#include <stdlib.h>
	#include <sys/mman.h>
	int main(int argc, char **argv)
	{
		long nr = atol(argv[1]);
		volatile char *p = mmap(0, (nr + 1) << 12, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise((void *)p, (nr + 1) << 12, MADV_NOHUGEPAGE);
		for (long i = 0; i < nr; i++)
			p[i << 12] = 1;
		return 0;
	}
	END
	cat >pong.c <<-\END &&
	#define _GNU_SOURCE
	#include <sched.h>
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		int nr = atoi(argv[1]), a[2], b[2];
		cpu_set_t one;
		char c = 0;
		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		sched_setaffinity(0, sizeof(one), &one);
		if (pipe(a) || pipe(b))
			return 1;
		if (!fork()) {
			for (int i = 0; i < nr; i++)
				if (read(a[0], &c, 1) != 1 || write(b[1], &c, 1) != 1)
					_exit(1);
			_exit(0);
		}
		for (int i = 0; i < nr; i++)
			if (write(a[1], &c, 1) != 1 || read(b[0], &c, 1) != 1)
				return 1;
		return wait(NULL) < 0;
	}
	END
	for p in calls pages pong; do $CC -O1 -o $p $p.c || return 1; done
'

# when_counted COMMAND...: perf stat $by of a process that becomes COMMAND when its counters are there
when_counted() {
	rm -f go ask ack && mkfifo go ask ack && exec 8<>ask 9<>ack 6<>go || return
	{ read -r _ <&6 && exec "$@"; } 8>&- 9>&- & local pid=$! stat rc
	perf stat $by -x, -o out -e syscalls:sys_enter_getppid --control fd:8,9 -p $pid 6>&- & stat=$!
	echo ping >&8 && read -r -t 60 -u 9 _ && echo >&6 && wait $stat
	rc=$?
	exec 6>&- 8>&- 9>&-
	rm -f go ask ack
	return $rc
}

# the count of the row of an event
count() {
	awk -F, -v e="$1" '$3 == e { print $1 }' "$2"
}

test_expect_success TRACEPOINTS 'system calls, to the one' '
	e=syscalls:sys_enter_getppid &&
	perf stat -x, -o out -e $e -e raw_syscalls:sys_enter ./calls 1234 &&
	test "$(count $e out)" = 1234 &&
	perf stat -x, -o more -e raw_syscalls:sys_enter ./calls 2234 &&
	test $(($(count raw_syscalls:sys_enter more) - $(count raw_syscalls:sys_enter out))) = 1000
'

test_expect_success TRACEPOINTS 'runs open events in another order each; each keeps its counts' '
	e=syscalls:sys_enter &&
	perf stat -vv -r 4 -x, -e "cs,{${e}_getppid,${e}_getpriority},{dummy,faults,${e}_exit_group},${e}_getuid" ./calls 77 2>err &&
	grep "^[0-9]*,,$e" err | cut -d, -f1-4 >rows &&
	printf "%s\n" 77,,${e}_getppid,0.00% 0,,${e}_getpriority,0.00% 1,,${e}_exit_group,0.00% 0,,${e}_getuid,0.00% | test_cmp - rows &&
	# an event like the one before is not described again
	sed -n -e "/^  config/p" -e "/executing run/p" err | awk "/executing/ { r++; next } { print >\"run.\" r }" &&
	test_line_count = 7 run.1 && ! cmp -s run.1 run.2 && ! cmp -s run.2 run.3 && ! cmp -s run.1 run.3
'

test_expect_success TRACEPOINTS '1000 children, each of which ends before it is read; none with -i' '
	e=syscalls:sys_enter_getppid &&
	perf stat -x, -o out -e $e ./calls 3 1000 && test "$(count $e out)" = 3003 &&
	perf stat -i -x, -o out -e $e ./calls 3 50 && test "$(count $e out)" = 3
'

test_expect_success TRACEPOINTS 'intervals add up to the whole' '
	e=syscalls:sys_enter_getppid &&
	perf stat -I 1 -x, -o out -e $e ./calls 20 500 &&
	test "$(awk -F, "{ n += \$2 } END { print n }" out)" = 10020 && test "$(wc -l <out)" -gt 3
'

test_expect_success TRACEPOINTS 'a filter; the whole system; a group' '
	e=syscalls:sys_enter_getppid &&
	perf stat -x, -o out -e raw_syscalls:sys_enter --filter "id < 0" ./calls 9 &&
	test "$(count raw_syscalls:sys_enter out)" = 0 -o \
		"$(count raw_syscalls:sys_enter out)" = "<not counted>" &&
	perf stat -a -x, -o out -e $e ./calls 777 && test "$(count $e out)" -ge 777 &&
	perf stat -x, -o out -e "{$e,page-faults}" ./calls 5 && test "$(count $e out)" = 5
'

test_expect_success '--hide-zero-events: no rows of what counted nothing' '
	perf stat -x, -e page-faults,emulation-faults,dummy -o all true && test "$(grep -c ",page-faults,\|,emulation-faults,\|,dummy," all)" = 3 &&
	perf stat -x, -e page-faults,emulation-faults,dummy --hide-zero-events -o some true && test "$(sed "/^#/d;/^\$/d" some | cut -d, -f3)" = page-faults
'

test_expect_success 'page faults of touched pages' '
	./pages 1 && # how much of a file is mapped at a fault depends on what is in memory
	perf stat -x, -o few -e page-faults ./pages 100 &&
	perf stat -x, -o many -e page-faults ./pages 5100 &&
	n=$(($(count page-faults many) - $(count page-faults few))) && test $n -ge 4980 -a $n -le 5040
'

test_expect_success 'two processes that wait for each other switch at each turn' '
	perf stat -x, -o out -e cs ./pong 1000 && test "$(count cs out)" -ge 1990 &&
	test "$(count cs out)" -le 2600
'

test_expect_success TRACEPOINTS 'what runs already, until it ends; its new threads and children are counted' '
	when_counted ./calls 5 20 && test "$(count syscalls:sys_enter_getppid out)" = 105
'

test_expect_success STRACE 'hardly anything is done while it counts' '
	ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" strace -o calls.txt perf stat true 2>/dev/null &&
	awk "/\"..\", 1\\) *= 1\$/ { on = 1 } /getrusage/ && on { exit } on { n++ }
		END { print n + 0; exit n < 1 || n > 30 }" calls.txt
'

test_expect_success 'the status is that of the command; a signal ends it with its counts' '
	test_expect_code 7 perf stat -e cs -o out sh -c "exit 7" &&
	for s in INT:130 TERM:143 HUP:129; do
		rm -f out ready
		{ perf stat -e cs -o out sh -c ": >ready; exec sleep 60" 2>err & pid=$!; } && wait_for test -e ready &&
		kill -${s%:*} $pid && { wait $pid; test $? = ${s#*:}; } && grep " cs " out || return 1
	done
'
test_expect_success 'a command that does not end at the first Ctrl-C is not waited for after the second' '
	rm -f ready told &&
	{ perf stat -e cs -o out sh -c "trap \": >told\" INT TERM; echo \$\$ >ready; while :; do sleep 0.1; done" 2>err & pid=$!; } &&
	wait_for test -s ready && kill -INT $pid && wait_for test -e told && sleep 0.5 && kill -INT $pid &&
	{ wait $pid; test $? = 130; } && grep " cs " out; rc=$?
	kill -KILL $(cat ready); return $rc
'

test_expect_success 'a full disk is told, by the status too; descriptors that are none' '
	test_expect_code 255 perf stat -e cs -o /dev/full true 2>err && test_grep "failed to write the counts: No space left" err &&
	test_expect_code 255 perf stat -I 20 -x, -e cs -o /dev/full sleep 0.1 2>err && test_line_count = 1 err &&
	test_expect_code 255 perf stat -e cs --log-fd 5 true 5>/dev/full 2>err && test_grep "No space left" err &&
	test_expect_code 234 perf stat -e cs --log-fd 77 true 2>err && test_grep "Failed opening logfd: Bad file descriptor" err &&
	test_expect_code 234 perf stat -e cs --log-fd -2 true 2>err
'
# of the reference some versions of 6.1 look at standard output, others at nothing
test_expect_success '--interval-clear is for terminals' '
	test_expect_code 255 perf stat --interval-clear -I 40 -e cs sleep 0.1 2>err && test_grep "interval-clear does not work with output" err'
test_expect_success 'what --post says fails: the counts are there; --pre: nothing runs' '
	test_expect_code 255 perf stat -e cs -o out --post false true 2>err && grep " cs " out && test_grep "^.false. failed" err &&
	rm -f ran && test_expect_code 255 perf stat -e cs -o out --pre "exit 3" sh -c ": >ran" 2>err && ! test -e ran
'
test_expect_success 'a soft limit is raised: 500 events on each CPU' '
	(ulimit -Sn 64 && perf stat -a -A -x, -e "$(printf "cs,%.0s" $(seq 499))cs" -o out true) &&
	test "$(grep -c ",cs," out)" = $((500 * $(nproc)))
'
test_expect_success 'more events than descriptors: told what helps' '
	(ulimit -n 40 && test_expect_code 255 perf stat -e "$(printf "cs%.0s," $(seq 60))cs" true 2>err) &&
	grep -i "ulimit -n\|LimitNOFILE\|RLIMIT_NOFILE" err
'

test_expect_success '--control: nothing before enable, stop ends it' '
	mkfifo ctl ack &&
	{ perf stat -D -1 -x, -o out -e cs --control fifo:ctl,ack sleep 10 2>err & pid=$!; } &&
	{ echo ping >ctl; read -r word <ack; echo evlist >ctl; read -r word <ack; echo stop >ctl; wait $pid; } &&
	test "$word" = ack && grep "^Events disabled" err && grep "^cs$" err &&
	test "$(count cs out)" = "<not counted>"
'

test_expect_success 'a program that tells how much memory and how many descriptors its parent has' '
	cat >usage.c <<-\END &&
	#include <dirent.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	static void tell(void)
	{
		/* one write: pages in memory, descriptors */
		char name[64], line[64];
		long size, pages = 0, nr = 0;
		FILE *f;
		DIR *d;
		snprintf(name, sizeof(name), "/proc/%d/statm", getppid());
		f = fopen(name, "r");
		if (!f || fscanf(f, "%ld %ld", &size, &pages) != 2)
			exit(1);
		snprintf(name, sizeof(name), "/proc/%d/fd", getppid());
		d = opendir(name);
		while (d && readdir(d))
			nr++;
		if (write(1, line, snprintf(line, sizeof(line), "%ld %ld\n", pages, nr)) < 0)
			exit(1);
	}
	int main(int argc, char **argv)
	{
		tell();
		if (argc > 1) {
			usleep(atoi(argv[1]) * 1000);
			tell();
		}
		return 0;
	}
	END
	$CC -O1 -o usage usage.c
'
# same LINES: after some of them no more memory, in pages, and as many descriptors; those of the pipes to a command that
# just began may or may not be closed
same() {
	awk -v lines="$1" 'NR == (lines > 10 ? 10 : 1) { early = $1 } { late = $1 } NR == 1 || $2 < min { min = $2 } $2 > max { max = $2 }
		END { print NR, early, late, min, max; exit !(NR == lines && late < early + 100 && max < min + 10) }' usage.txt
}
# of memory that is freed what sanitizers keep is to be used again
frugal=$ASAN_OPTIONS:quarantine_size_mb=0:thread_local_quarantine_size_kb=0
runs=${LONG:+1000} runs=${runs:-200}
test_expect_success "$runs runs: no more memory and descriptors at the end" '
	ASAN_OPTIONS=$frugal perf stat -r $runs -e cs,faults -o out ./usage >usage.txt && same $runs && grep "($runs runs)" out
'
test_expect_success '... of many events on all CPUs' '
	ASAN_OPTIONS=$frugal perf stat -r 40 -a -A -e "$(printf "cs,%.0s" $(seq 39))faults" -o out ./usage >usage.txt && same 40
'
test_expect_success '500 events on each CPU, every millisecond: the same' '
	ASAN_OPTIONS=$frugal perf stat -I 1 -a -A -x, -e "$(printf "cs,%.0s" $(seq 499))faults" -o out ./usage 1500 >usage.txt && same 2 &&
	# all rows of an interval, or none
	sed "/^#/d" out | cut -d, -f1 | grep . | uniq -c | awk -v rows=$((500 * $(nproc))) "\$1 != rows { exit 1 } END { print NR; exit NR < 1 }"
'

test_expect_success 'intervals stay where they belong, also after one that was late' '
	# what else runs here is not to make it late
	first=$(chrt -f 1 echo chrt -f 1 2>/dev/null)
	{ $first perf stat -I 20 -x, -o out -e cpu-clock -a sleep 1.2 & pid=$!; } &&
	for late in 030 050 010 070; do
		sleep 0.2; kill -STOP $pid; sleep 0.$late; kill -CONT $pid
	done; wait $pid &&
	# behind the mark, never before it; most of them soon
	awk -F, "NF > 3 { at = \$1 * 1000 % 20; n++; soon += at < 10 } END { print soon, n; exit !(n > 20 && soon > n * 0.75) }" out &&
	# none twice, however late one was; the last one ends with the command
	sed \$d out | awk -F, "NF > 3 { mark = int(\$1 * 50 + 1e-6); if (mark <= last) exit 1; last = mark }"
'

test_expect_success 'what no PMU counts: also as a metric, each event by itself' '
	perf stat -M IPC -x, -o out true && test "$(grep -c "^<not supported>,,\|^[0-9]" out)" = 2
'

test_lazy_prereq MOUNTS 'no mount namespaces' 'unshare -m true'
test_expect_success MOUNTS 'an event that got no counter: what to try' '
	echo 1 >watchdog &&
	hide="mount --bind watchdog /proc/sys/kernel/nmi_watchdog && perf stat -D 20000 -o" &&
	unshare -m sh -c "$hide cs -e cs true" &&
	unshare -m sh -c "$hide mem -e mem:0:w true" && grep "not counted" cs && grep "not counted" mem &&
	! grep watchdog cs && test "$(grep -c nmi_watchdog mem)" = 2
'

test_expect_success 'CPUs that are not there, caches that are not known' '
	test_expect_code 255 perf stat -C 0,9999 -e cs true 2>err && grep "CPU 9999 is not online" err &&
	test_expect_code 255 perf stat -a --per-cache=L9 -e cs true 2>err && grep "CPU 0 has no cache of level 9" err &&
	test_expect_code 129 perf stat -a --per-cache=X true 2>err && grep "L1 to L9" err
'

test_lazy_prereq CACHES 'no caches told of' 'test -e /sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list'
test_expect_success CACHES 'by cache' '
	perf stat -a --per-cache -e cpu-clock -o out true && grep "^S[0-9-]*-D[0-9-]*-L[0-9]-ID0  *[0-9]  *[0-9.]* msec cpu-clock" out &&
	perf stat -a --per-cache=L1 -j -e cpu-clock -o out true && test "$(grep -c "\"cache\" : \"S.*-L1-ID" out)" -ge 1
'

# what JSON may not have as it is, in names of events and control groups
test_lazy_prereq CGROUPS 'no control groups of our own' 'root=$(sed -n "s/^cgroup2* \([^ ]*\) .*\(perf_event\|cgroup2\).*/\1/p" /proc/mounts | tail -n 1) && mkdir "$root/perf-try-$$" && rmdir "$root/perf-try-$$"'
names="cs/name=a\"b/ cs/name=x\\y/ cs/name=$(printf "\001c\377")/"
cat >lines.py <<\END
import json, sys
n = 0
for line in open(sys.argv[1], "rb"):
    json.loads(line.decode("utf-8"))
    n += 1
print(n)
sys.exit(n < int(sys.argv[2]))
END
test_expect_success PYTHON 'JSON whatever counts are told apart by, and whatever events are called' '
	for how in "" $(printf "%s\n" -A --per-core --per-die --per-socket --per-node --per-cluster | sampled 3); do
		for e in $names cycles "{cs,faults}" "duration_time,cs"; do
			perf stat -j -o out -a $how -e "$e" true && python3 lines.py out 1 || return 1
		done &&
		perf stat -j -o out -a $how -r 2 -d true && python3 lines.py out 8 &&
		perf stat -j -o out -a $how -I 5 --summary -e cs,cycles sleep 0.05 && python3 lines.py out 4 &&
		perf stat -j -o out -a $how --metric-only true && python3 lines.py out 1 || return 1
	done
'
test_expect_success PYTHON,CGROUPS 'JSON of control groups with odd names' '
	root=$(sed -n "s/^cgroup2* \([^ ]*\) .*\(perf_event\|cgroup2\).*/\1/p" /proc/mounts | tail -n 1) rc=0 &&
	for name in "we\"ird-$$" "$(printf "c\001\303\274\377-$$")"; do
		mkdir "$root/$name" || return 1
		for how in "" $(printf "%s\n" -A --per-core | sampled 2); do
			perf stat -j -o out -a $how -e cs -G "$name" true && python3 lines.py out 1 || rc=1
		done
		rmdir "$root/$name"
	done && test $rc = 0
'

test_lazy_prereq BPF 'the kernel lets nobody load BPF programs' 'perf stat --bpf-counters -e cs true'
test_expect_success BPF,TRACEPOINTS 'by BPF: the same counts, of children that come and go, of what runs already, of the system' '
	e=syscalls:sys_enter_getppid bpf="perf stat --bpf-counters -x, -o out -e $e" &&
	$bpf ./calls 3 1000 && test "$(count $e out)" = 3003 &&
	$bpf -i ./calls 3 50 && test "$(count $e out)" = 3 &&
	$bpf -a ./calls 777 && test "$(count $e out)" -ge 777 &&
	$bpf -I 1 ./calls 20 200 && test "$(awk -F, "{ n += \$2 } END { print n }" out)" = 4020 &&
	$bpf -r 3 ./calls 7 && test "$(count $e out)" = 7 &&
	by=--bpf-counters when_counted ./calls 5 20 && test "$(count $e out)" = 105
'

test_expect_success BPF,MOUNTS 'by BPF: one counter for all who count the same; control groups' '
	cat >share.sh <<-\END &&
	mount -t bpf bpf /sys/fs/bpf || exit
	perf stat --bpf-counters -v -e cs,page-faults -a sh -c ": >counting; until test -e enough; do sleep 0.05; done" 2>first &
	until test -e counting; do sleep 0.05; done
	perf stat --bpf-counters -v -e cs,page-faults,cpu-clock,cs true 2>second
	: >enough
	wait
	perf stat --bpf-counters --bpf-attr-map /sys/fs/bpf/own -e cs true 2>third; ls /sys/fs/bpf >names
	END
	unshare -m sh share.sh && test_grep ! "are shared" first && test_grep "^2 of 3 counters are shared" second &&
	test_grep "^own$" names && test_grep "^perf_stat_attr_map$" names &&
	test_expect_code 255 perf stat --bpf-counters --bpf-attr-map "$PWD/no" -e cs true 2>err &&
	test_expect_code 234 perf stat --bpf-attr-map /sys/fs/bpf/own true 2>err
'

test_expect_success BPF 'by BPF: what cannot be' '
	test_expect_code 255 perf stat -b 2147483647 -e cs true 2>err && grep "no BPF program 2147483647" err &&
	test_expect_code 255 perf stat -b x -e cs true 2>err && grep "invalid BPF program id list" err &&
	test_expect_code 255 perf stat record --bpf-counters -o no.data -e cs true 2>err && ! test -e no.data &&
	test_expect_code 255 perf stat --bpf-counters --per-thread -p $$ -e cs true 2>err && grep "no --per-thread" err
'

test_expect_success 'facts about the machine as events' '
	perf stat -x, -e num_cpus_online,num_cpus,smt_on -o out true && cut -d, -f1,3 out | grep , >got &&
	test_grep "^$(getconf _NPROCESSORS_ONLN),num_cpus_online$" got && test_grep "^$(getconf _NPROCESSORS_CONF),num_cpus$" got &&
	test_grep "^[01],smt_on$" got && perf stat -x, -a -I 20 -e num_cpus_online -o out sleep 0.06 &&
	test "$(grep num_cpus_online out | cut -d, -f2 | sort -u)" = "$(getconf _NPROCESSORS_ONLN)"
'

test_expect_success 'whether CPUs or tasks are counted, and whole cores, as events' '
	facts() { perf stat -x, -e target_cpu,core_wide,smt_on -o out "$@" -- true && cut -d, -f1,3 out | grep , | tr "\n" " "; } &&
	test_grep "^0,target_cpu " <(facts) && test_grep "^1,target_cpu 1,core_wide " <(facts -a) && test_grep "^1,target_cpu " <(facts -C 0) &&
	facts >got && test_grep "1,core_wide 0,smt_on\|0,core_wide 1,smt_on" got &&
	perf stat -x, -e tool/slots/ -o out true && if cat /sys/bus/event_source/devices/*/caps/slots 2>/dev/null; then
		test_grep "^[1-9][0-9]*,,slots," out
	else test_grep "^<not counted>,,slots," out; fi
'

test_expect_success 'retire latency: 0 without --record-tpebs, and that is told; options that go together; a recording of counts' '
	perf stat -x, -e cycles:R,r1d3:R,cs -o out true 2>err && test_grep "^0,,cycles:R,1,100.00,,$" out && test_grep "^[0-9]*,,cs," out &&
	echo "The retire latency of cycles:R, r1d3:R is shown as 0: --record-tpebs measures it." | test_cmp - err &&
	perf stat --record-tpebs -x, -e cs -o out true 2>err && test_grep "^[0-9]*,,cs," out && test_cmp /dev/null err &&
	test_expect_code 129 perf stat -e cs:R true 2>err && test_grep "R is for events of a processor.s PMU, which retire" err &&
	test_expect_code 129 perf stat --record-tpebs --tpebs-mode median -e cycles:R true 2>err && test_grep "is none of mean, min, max and last" err &&
	test_expect_code 234 perf stat --tpebs-mode min -e cycles:R true 2>err && test_grep "^--tpebs-mode is for --record-tpebs" err &&
	test_expect_code 234 perf stat --record-tpebs -b 1 -e cycles:R true 2>err && test_grep "^--record-tpebs samples tasks and CPUs" err &&
	perf stat record -I 20 -e cycles:R -o lat.data sleep 0.05 2>err && perf stat report -i lat.data -x, 2>out && test_grep ",0,,cycles:R,1,100.00,,$" out
'
test_lazy_prereq NO_PMU 'a PMU of the processor' '! ls -d /sys/bus/event_source/devices/cpu*'
test_expect_success NO_PMU 'retire latency: where no PMU tells it, one sentence' '
	for mode in mean min max last; do
		perf stat --record-tpebs --tpebs-mode $mode -r 2 -x, -e cycles:R,r1d3:R,cs -o out true 2>err &&
		test_grep "^<not supported>,,cycles:R," out && test_grep "^<not supported>,,r1d3:R," out && test_grep "^[0-9]*,,cs," out &&
		test_line_count = 1 err &&
		test_grep "^No PMU of this machine tells the retire latency of cycles:R, r1d3:R: it takes Intel.s TPEBS, which begins with Granite Rapids.$" err || return 1
	done
'

test_expect_success 'terms say on which CPUs events count' '
	test "$(nproc)" -ge 2 || return 0
	set -- $(taskset -cp $$ | sed "s/.*: //; s/[-,]/ /g") && a=$1 && b=$2 &&
	perf stat -x, -o out -e task-clock/cpu=$a/ -e task-clock/cpu=$b/ -e "{cs/cpu=$b/,faults/cpu=$b/}" \
		taskset -c $a perf test -w noploop 0.05 && grep , out >got && cat got &&
	awk -F, "/cpu=$a/ { there = \$1 } /task-clock.cpu=$b/ { other = \$1 } END { exit !(there >= 20 && other < there / 2) }" got &&
	grep -q "^[0-9]*,,faults/cpu=$b/" got &&
	perf stat -x, -o out -a -A -e cpu-clock/cpu=$b/ true && grep , out >got && test "$(cut -d, -f1 got)" = "CPU$b" &&
	test_expect_code 129 perf stat -e cs/cpu=x/ true 2>err && grep "expected a CPU" err
'

test_done
