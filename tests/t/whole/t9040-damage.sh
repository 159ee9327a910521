#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers turn 0 of 4
test_description='files cut anywhere or with flipped bytes: never a crash, a hang or a leak'
. "$(dirname "$0")/../../lib/tap.sh"
# DAMAGE_RUNS: damaged copies per file and kind. Without sanitizers only crashes and hangs count, which
# t9045 looks for, too.
RUNS=${DAMAGE_RUNS:-$((${SAN:+1} + 1))}
NO_CRASH_TIMEOUT=60
TEST_TIMEOUT=600

# damage RUNS KIND... <FILES: RUNS damaged copies of each and kind go to bad/N.data; "N FILE KIND SEED" on
# standard output. The same seed makes the same damage.
damage() {
	rm -rf bad && mkdir bad || return
	python3 -c '
import random, sys

def cut(r, b):
    del b[r.randrange(len(b)):]
def head(r, b):
    for _ in range(r.choice([1, 1, 4])):
        b[r.randrange(min(len(b), 512))] = r.randrange(256)
def tail(r, b):
    for _ in range(r.choice([1, 4])):
        b[len(b) - 1 - r.randrange(min(len(b), 4096))] = r.randrange(256)
def flip(r, b):
    for _ in range(r.choice([1, 8, 64])):
        b[r.randrange(len(b))] ^= 1 << r.randrange(8)
def sizes(r, b): # of records, 16 bits in the data section: aligned words made extreme
    for _ in range(4):
        at = r.randrange(len(b) // 8) * 8
        b[at:at + 8] = r.choice([b"\0" * 8, b"\xff" * 8, b"\xff\xff\xff\x7f" + b"\0" * 4,
            b"\x09\0\0\0\x02\0\x08\0", b"\x0a\0\0\0\x02\0\xf8\xff"])

n = 0
for line in sys.stdin:
    source = line.rstrip("\n")
    whole = open(source, "rb").read()
    for kind in sys.argv[2:]:
        for seed in range(1, int(sys.argv[1]) + 1):
            b = bytearray(whole)
            globals()[kind](random.Random(seed * 7919 + len(b)), b)
            open("bad/%d.data" % n, "wb").write(b)
            print(n, source, kind, seed)
            n += 1
' "$@"
}

# survive FILE: each reading command on it, from a file and from a pipe
survive() {
	test_no_crash perf report --stdio -i "$1" >out 2>err || { tail -n 40 err; return 1; }
	test_no_crash perf script -i "$1" >out 2>err || { tail -n 40 err; return 1; }
	test_no_crash perf script -i - <"$1" >out 2>err || { tail -n 40 err; return 1; }
}

# many RUNS KIND... <FILES
many() {
	local n what

	damage "$@" >list && test -s list || return 1
	while read -r n what; do
		survive "bad/$n.data" || { echo "file, kind and seed: $what"; return 1; }
		rm "bad/$n.data"
	done <list
}

test_expect_success PERF_EVENTS 'recordings to damage' '
	perf record -g -F 2000 -o small.data perf test -w thloop 2 0.05 &&
	perf record -g -F 2000 -o - perf test -w thloop 2 0.05 >pipe.data &&
	perf record -e cpu-clock,page-faults -o two.data true &&
	test_set_prereq RECORDED
'
test_expect_success ROOT,PERF_EVENTS,TRACEFS 'tracepoints to damage' '
	perf record -e sched:sched_switch,raw_syscalls:sys_enter -a -o tp.data true &&
	test_set_prereq RECORDED_TP
'
for kind in cut head tail flip sizes; do
	test_expect_success RECORDED "samples with call chains: $kind" 'echo small.data | many $RUNS '$kind
	test_expect_success RECORDED "a pipe: $kind" 'echo pipe.data | many $RUNS '$kind
	test_expect_success RECORDED "two events: $kind" 'echo two.data | many $RUNS '$kind
	test_expect_success RECORDED_TP "tracepoints: $kind" 'echo tp.data | many $RUNS '$kind
done

test_expect_success CORPUS 'each file of the corpus as it is' '
	ls "$CORPUS"/* | grep -v "\.md$" | sampled "${SAN:+4}" >each && test -s each &&
	while read -r f; do
		test_no_crash perf report --stdio -i "$f" >out 2>err &&
		test_no_crash perf script -i "$f" >out 2>err || { echo "$f"; tail -n 40 err; return 1; }
	done <each
'

if test -n "$SAN"; then
	test_expect_success CORPUS 'each file of the corpus, damaged' '
		find "$CORPUS" -type f ! -name "*.md" -size -2000k | sort | sampled 8 >files &&
		awk "NR % 2" files | many 1 cut flip && awk "NR % 2 == 0" files | many 1 head sizes
	'
fi

test_done
