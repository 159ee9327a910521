#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf record --wall: where threads run and where they wait, in one profile without BPF'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS GCC

test_lazy_prereq NOBODY 'cannot become another user' '
	test "$(id -u)" -eq 0 && command -v setpriv &&
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" version'
test_lazy_prereq PARANOID 'kernel.perf_event_paranoid is not above 1' 'test "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1'
test_lazy_prereq KALLSYMS 'the names of the kernel are hidden' 'grep -q " [tT] do_nanosleep" /proc/kallsyms && ! grep -q "^0* [tT] do_nanosleep" /proc/kallsyms'

cat >waits.c <<'E2'
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long n;
static int ends[2];
__attribute__((noinline)) void busy(long k) { for (long i = 0; i < k; i++) n += i; }
__attribute__((noinline)) void nap(void) { struct timespec t = { 0, 120000000 }; nanosleep(&t, 0); n++; }
__attribute__((noinline)) void take(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); n++; }
__attribute__((noinline)) void get(void) { char c; (void)!read(ends[0], &c, 1); n++; }
static void *run(void *arg) { take(); return arg; }
int main(void)
{
	pthread_t t;

	(void)!pipe(ends);
	pthread_mutex_lock(&lock);
	pthread_create(&t, 0, run, 0);
	nap();
	busy(100000000);
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	if (!fork()) {
		usleep(110000);
		(void)!write(ends[1], "x", 1);
		usleep(105000);
		_exit(0);
	}
	get();
	wait(0);
	return 0;
}
E2
# ns FILE FRAMES: of the stacks that have these frames in this order
ns() { perf report -i "$1" --folded - | grep -E "$2" | awk '{ n += $NF } END { printf "%d\n", n }'; }

test_expect_success KALLSYMS 'each wait has its time, its stack and what it is for' '
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o waits waits.c -lpthread &&
	perf record -q --wall -o w.data ./waits &&
	test "$(ns w.data "main;.*nanosleep.*;\[sleep\] ")" -ge 119000000 &&
	test "$(ns w.data "run;.*;\[futex\] ")" -ge 119000000 &&
	test "$(ns w.data "main;.*read;.*;\[pipe\] ")" -ge 109000000 &&
	test "$(ns w.data "wait4;.*;\[child\] ")" -ge 50000000 &&
	test "$(ns w.data "busy( |;[^[])")" -gt 10000000
'
test_expect_success KALLSYMS 'one event, in report, page and picture' '
	perf report -i w.data --stdio -g none --no-children -s dso,sym >out 2>err && test_grep "of event .wall-clock.$" out &&
	test_grep ! "wall-blocked" out && test_grep "%  \[waits\] .*\[k\] \[futex\]" out &&
	perf report -i w.data --flamegraph w.svg --html w.html 2>err &&
	test_grep "class=.wait[^>]*><title>\[sleep\]" w.svg &&
	test_grep "class=.kernel[^>]*>.*<title>.*nanosleep" w.svg &&
	PERF_WORKERS=1 perf report -i w.data --folded one && perf report -i w.data --folded many && test_cmp one many
'
test_expect_success KALLSYMS 'short waits do not count, if that is asked for' '
	perf record -q --wall --min-block 60ms -o m.data ./waits && perf evlist -v -i m.data | grep "^wall-blocked" >out && test_grep "config2 }: 0x3938700" out &&
	perf report -i m.data --folded - | awk "/\\]\$/ { next } /\\[(sleep|futex|pipe|child|preempted)\\] / && \$NF < 60000000 { bad++; } END { exit bad }" &&
	test "$(ns m.data "\[sleep\] ")" -ge 119000000
'
test_expect_success KALLSYMS 'a process that runs already; who sleeps to the end has slept until then' '
	sleep 30 & pid=$! && wait_comm $pid sleep && perf record -q --wall -p $pid -o p.data -- sleep 0.3; kill $pid; wait $pid
	perf record -q --wall -o q.data sh -c "sleep 0.05; sleep 30 & sleep 0.2; kill \$!" && test "$(ns q.data "sleep;.*\[sleep\](;| )")" -ge 240000000
'
test_expect_success KALLSYMS 'a wait that goes on when the recording ends is marked in trees; time goes on to its end' '
	perf record -q --wall -o u.data sh -c "sleep 30 & echo \$! >napping; sleep 0.3"; kill "$(cat napping)"
	test "$(ns u.data "sleep;.*\[sleep\];\[unfinished\] ")" -ge 50000000 && test "$(ns w.data unfinished)" -eq 0 &&
	perf report -i u.data --stdio -g none --no-children -s sym >out 2>err && test_grep "\[sleep\]" out && test_grep ! unfinished out &&
	end=$(perf report -i w.data --ndjson - | sed -n "1s/.*\"last_time\":\([0-9]*\).*/\1/p") &&
	last=$(perf script --ns -i w.data --show-switch-events -F time,event | grep SWITCH | tr -dc "0-9\n" | sort -n | tail -n 1) &&
	test "$end" -ge "$last"
'
test_expect_success 'flame, too, and the raw samples stay what they are' '
	perf flame -q --wall --min-block 1 -- ./waits 2>err && test -s perf-flame.html &&
	perf script -i perf.data -F event | sort -u >out && test_grep "wall-blocked" out && test_grep "wall-clock" out
'
test_expect_success REFERENCE 'the reference reads it, as two events' '
	"$REF" script -i w.data -F comm,tid,time,event,period,ip,sym >ref 2>/dev/null &&
	perf script --no-inline -i w.data -F comm,tid,time,event,period,ip,sym >out 2>/dev/null &&
	test_cmp ref out
'
test_expect_success 'what it does not go with' '
	test_expect_code 255 perf record --wall -a -o x.data true 2>err; test_grep "threads of a program" err &&
	perf record --wall -e cpu-clock -o x.data true 2>err; test_grep "events of its own" err &&
	perf record --wall -o - true 2>err >/dev/null; test_grep "needs a file" err &&
	perf record --wall --min-block soon -o x.data true 2>err; test_grep "invalid --min-block .soon." err && test ! -e x.data
'
test_expect_success NOBODY,PARANOID 'another user: what is needed' '
	mkdir -p -m 777 pub && chmod 755 "$TRASH" "$TRASH/cwd" &&
	HOME=/ setpriv --reuid=65534 --regid=65534 --clear-groups perf record --wall -o pub/a.data touch pub/ran 2>err
	test_grep "perf_event_paranoid=.*1 or less" err && test ! -e pub/ran
'
test_done
