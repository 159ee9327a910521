#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 0 of 2
test_description='call chains whose user part came in a record of its own: report and script show them whole'
. "$(dirname "$0")/../../lib/tap.sh"

u16() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))"; }
u32() { u16 $(($1 & 65535)) && u16 $(($1 >> 16 & 65535)); }
u64() { for v in "$@"; do u32 $((v & 4294967295)) && u32 $((v >> 32 & 4294967295)); done; }

# record TYPE MISC SIZE: its header
record() { u32 "$1" && u16 "$2" && u16 "$3"; }

# sample TIME FRAME COOKIE: thread 42 in the kernel at FRAME (IP TID TIME CALLCHAIN)
sample() {
	record 9 1 72
	u64 "$2" && u32 42 && u32 42 && u64 "$1" 4 -128 "$2" -640 "$3"
}

# chain TIME COOKIE: its two user frames
chain() {
	record 22 2 64
	u64 "$2" 3 -512 0x401100 0x402200 && u32 42 && u32 42 && u64 "$1"
}

records() {
	record 3 0 40
	u32 42 && u32 42 && printf 'sleepy\0\0' && u32 42 && u32 42 && u64 1
	sample 100 0x1000100 7
	sample 110 0x1000200 7
	chain 120 7
	sample 130 0x1000300 8
}

# Header, one attr (cpu-clock, 64 bytes, sample_id_all), data.
file() {
	records >records
	printf PERFILE2
	u64 104 80 104 80 184 "$(wc -c <records)" 0 0 0 0 0 0
	u32 1 && u32 64 && u64 0 1 $((1 | 2 | 4 | 32)) 0 $((1 << 18)) 0 0
	u64 0 0
	cat records
}

test_expect_success 'script: both samples end in the frames that came later' '
	file >whole.data &&
	perf script -i whole.data -F comm,ip >script.txt &&
	test "$(grep -c 401100 script.txt)" = 2 && test "$(grep -c 402200 script.txt)" = 2
'
test_expect_success 'script: the frame of the kernel stays in front' '
	awk "/1000100/ { k = NR } /401100/ && !u { u = NR } END { exit !(k && u == k + 1) }" script.txt
'
test_expect_success 'script: without the rest, the part of the kernel is shown' '
	tail -n 3 script.txt >last.txt && grep -q 1000300 last.txt && ! grep -q fffffd80 script.txt
'
test_expect_success 'script --no-merge-callchains: both parts where they were recorded, by the cookie' '
	perf script -i whole.data --no-merge-callchains -F comm,tid,time,ip >apart.txt &&
	test "$(grep -c "^	 *7 (cookie)$" apart.txt)" = 2 && test "$(grep -c "^	 *8 (cookie)$" apart.txt)" = 1 &&
	test "$(grep -c "401100" apart.txt)" = 1 && test_grep "42 .*DEFERRED CALLCHAIN \[cookie: 7\]$" apart.txt &&
	awk "/1000200/ { a = NR } /DEFERRED/ { d = NR } /401100/ { u = NR } /402200/ { v = NR } /1000300/ { b = NR }
		END { exit !(a < d && d + 1 == u && u + 1 == v && v < b) }" apart.txt &&
	perf script -i - --no-merge-callchains -F comm,tid,time,ip <whole.data >piped.txt && test_cmp apart.txt piped.txt &&
	perf script -i whole.data --merge-callchains -F comm,ip >out && test_cmp script.txt out &&
	perf script -i whole.data --no-merge-callchains --ndjson rows && test_grep "callchain.:..\"ip\":\"0x1000100" rows && test_grep DEFERRED rows
'
test_expect_success 'report: the frames are in the tree' '
	perf report --stdio -i whole.data -g graph,0.5,caller >report.txt &&
	grep -q 401100 report.txt && grep -q 402200 report.txt
'
test_expect_success 'report -D: the record is shown' '
	perf report -D -i whole.data >dump.txt && grep -q CALLCHAIN_DEFERRED dump.txt
'
test_done
