#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf trace: programs of 32 bits on a kernel of 64 bits, by their own numbers and structs'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

cat >narrow.c <<'END'
struct { int sec, nsec; } nap = { 0, 2000000 };
static long call(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
}
void _start(void)
{
	call(295, -100, (long)"/no/such", 02000000); /* openat */
	call(162, (long)&nap, 0, 0);                 /* nanosleep */
	call(6, -7, 0, 0);                           /* close */
	call(252, 7, 0, 0);                          /* exit_group */
}
END
test "$(uname -m)" = x86_64 || test_skip_all 'runs programs of i386, on x86_64 only'
${CC:-cc} -m32 -nostdlib -static -fno-pie -no-pie -fno-stack-protector -O1 -o narrow narrow.c 2>err ||
	test_skip_all "the compiler makes no programs of 32 bits: $(head -n 1 err)"
./narrow; test $? -eq 7 || test_skip_all 'the kernel runs no programs of 32 bits'

# calls FILE: what the program asks, without times and alignment
calls() { sed -nE 's/^.*narrow\/[0-9]+ //p' "$1" | sed -E 's/ +(= [^=]*)$/ \1/; s/(filename|rqtp): (0x[0-9a-f]+|"[^"]*"|\{[^}]*\})/\1: */' | sed -n '/openat/,$p'; }
cat >want <<'END'
openat(dfd: CWD, filename: *, flags: RDONLY|CLOEXEC) = -1 ENOENT (No such file or directory)
nanosleep(rqtp: *) = 0
close(fd: -7) = -1 EBADF (Bad file descriptor)
exit_group(error_code: 7) = ?
END

test_expect_success 'live' '
	test_expect_code 7 ./narrow && perf trace -o out ./narrow; calls out >got && test_cmp want got
'
test_expect_success 'from a recording, run by a shell of 64 bits: exec is one call, under both numbers' '
	perf record -q -R -c 1 -m 256 -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o n.data sh -c "./narrow; cat narrow.c >copy; true" &&
	perf trace --json -i n.data -o out &&
	grep "\"comm\": \"narrow\"" out | sed -E "s/.*\"call\": \"(\w+)\", \"nr\": ([0-9]+).*\"ret\": (-?[0-9]+).*/\1 \2 \3/" | grep -v "[\"}]" >got &&
	printf "%s\n" "execve 59 0" "openat 295 -2" "nanosleep 162 0" "close 6 -9" >want && test_cmp want got &&
	grep "\"comm\": \"cat\".*\"call\": \"openat\", \"nr\": 257," out
'
test_expect_success 'calls are chosen by their names, which are those of either' '
	perf trace -i n.data -e nanosleep,close -o out && grep -E "narrow/[0-9]+ close\(fd: -7\)" out && grep -E "cat/[0-9]+ close\(" out &&
	grep -E "narrow/.*nanosleep" out && ! grep -E "(openat|getppid|sync|lstat)\(" out
'
test_expect_success 'tables and JSON have the names, and the numbers as the program has them' '
	perf trace -s -i n.data -o out && sed -n "/^ narrow (/,/^ [^ ].*events/p" out >table &&
	for call in openat nanosleep close exit_group execve; do grep -E "^   $call +1 " table || return 1; done && ! grep -E "^   (preadv|sync|lstat|munmap) " table &&
	perf trace --json -i n.data -e nanosleep -o out && grep "\"comm\": \"narrow\".*\"call\": \"nanosleep\", \"nr\": 162" out
'
test_expect_success 'live, calls are chosen by the names, not by numbers that others have, too' '
	perf trace -e nanosleep,close -o out sh -c "./narrow; cat narrow.c >copy; true" &&
	grep -E "narrow/[0-9]+ nanosleep\(" out && grep -E "narrow/[0-9]+ close\(fd: -7\)" out &&
	grep -E "cat/[0-9]+ close\(" out && ! grep -E "(openat|exit_group|sync|lstat)\(" out &&
	perf trace -e "!close,sync" -o out sh -c "for i in $(seq -s " " 30); do ./narrow; done" &&
	grep -E "narrow/[0-9]+ nanosleep\(" out && ! grep -E "(close|sync)\(" out &&
	test "$(grep -cE "narrow/[0-9]+ .*openat\(.*ENOENT" out)" -eq 30
'
test_expect_success 'calls of the command itself are there from its first one on, and of a process that runs soon' '
	sed "s/call(162.*/for (;;) { call(162, (long)\&nap, 0, 0); call(6, -9, 0, 0); }/" narrow.c >naps.c &&
	${CC:-cc} -m32 -nostdlib -static -fno-pie -no-pie -fno-stack-protector -O1 -o naps naps.c &&
	for i in 1 2 3 4 5; do
		perf trace -e "!lstat,sync" -o out ./narrow; grep -E "narrow/[0-9]+ close\(fd: -7\)" out && grep " nanosleep(" out || return 1 # which have these numbers
	done
	./naps & pid=$!; perf trace -e "!lstat" -p $pid --max-events 20 -o out; kill $pid; grep -E "naps/[0-9]+ close\(fd: -9\)" out
'
test_expect_success 'sums of calls that are chosen' '
	perf trace -s --bpf-summary -e nanosleep,close -o out sh -c "./narrow; true" 2>err || { echo "SKIP: $(cat err)"; return 0; }
	sed -n "/^ narrow (/,/^ [^ ].*events/p" out >table && grep -E "^   nanosleep +1 +0 " table &&
	grep -E "^   close +1 +1 " table && ! grep -E "^   (openat|exit_group|sync)" table
'
test_expect_success 'sums that are counted in the kernel' '
	perf trace -s --bpf-summary -o out sh -c "./narrow; true" 2>err || { echo "SKIP: $(cat err)"; return 0; }
	sed -n "/^ narrow (/,/^ [^ ].*events/p" out >table &&
	for call in openat nanosleep close exit_group execve; do grep -E "^   $call +1 " table || return 1; done && ! grep -E "^   (preadv|sync|lstat|munmap) " table
'
test_done
