#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='files cut anywhere or with flipped bytes: never a crash, a hang or a leak'
. "$(dirname "$0")/../lib/tap.sh"
# DAMAGE_RUNS: damaged copies per file and kind. Build with SAN=1 to make more than crashes count.
RUNS=${DAMAGE_RUNS:-4}
NO_CRASH_TIMEOUT=20
TEST_TIMEOUT=600

# damage SOURCE TARGET SEED KIND: the same seed makes the same damage
damage() {
	python3 - "$@" <<-\EOF
	import random, sys
	src, dst, seed, kind = sys.argv[1:]
	b = bytearray(open(src, "rb").read())
	r = random.Random(int(seed) * 7919 + len(b))
	if kind == "cut":
	    b = b[:r.randrange(len(b))]
	elif kind == "head":
	    for _ in range(r.choice([1, 1, 4])):
	        b[r.randrange(min(len(b), 512))] = r.randrange(256)
	elif kind == "tail":
	    for _ in range(r.choice([1, 4])):
	        b[len(b) - 1 - r.randrange(min(len(b), 4096))] = r.randrange(256)
	elif kind == "flip":
	    for _ in range(r.choice([1, 8, 64])):
	        b[r.randrange(len(b))] ^= 1 << r.randrange(8)
	elif kind == "sizes":
	    # 16-bit sizes in the data section: aligned words made extreme
	    for _ in range(4):
	        at = r.randrange(len(b) // 8) * 8
	        b[at:at + 8] = r.choice([b"\0" * 8, b"\xff" * 8, b"\xff\xff\xff\x7f" + b"\0" * 4,
	                                 b"\x09\0\0\0\x02\0\x08\0", b"\x0a\0\0\0\x02\0\xf8\xff"])
	open(dst, "wb").write(b)
	EOF
}

# survive FILE: each reading command on it, from a file and from a pipe
survive() {
	test_no_crash perf report --stdio -i "$1" >out 2>err || { tail -n 40 err; return 1; }
	test_no_crash perf script -i "$1" >out 2>err || { tail -n 40 err; return 1; }
	test_no_crash perf script -i - <"$1" >out 2>err || { tail -n 40 err; return 1; }
}

# many SOURCE KIND
many() {
	local i

	for i in $(seq "$RUNS"); do
		damage "$1" bad.data "$i" "$2" || return 1
		survive bad.data || {
			echo "file $1, kind $2, seed $i"
			return 1
		}
	done
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
	test_expect_success RECORDED "samples with call chains: $kind" 'many small.data '$kind
	test_expect_success RECORDED "a pipe: $kind" 'many pipe.data '$kind
	test_expect_success RECORDED "two events: $kind" 'many two.data '$kind
	test_expect_success RECORDED_TP "tracepoints: $kind" 'many tp.data '$kind
done

test_expect_success CORPUS 'each file of the corpus as it is' '
	for f in "$CORPUS"/*; do
		case $f in *.md) continue ;; esac
		test_no_crash perf report --stdio -i "$f" >out 2>err &&
		test_no_crash perf script -i "$f" >out 2>err || { echo "$f"; tail -n 40 err; return 1; }
	done
'

test_expect_success CORPUS 'each file of the corpus, damaged' '
	for f in "$CORPUS"/*; do
		case $f in *.md) continue ;; esac
		test "$(stat -c %s "$f")" -gt 2000000 && continue
		for kind in cut head flip sizes; do
			damage "$f" bad.data 1 $kind && survive bad.data || { echo "$f, $kind"; return 1; }
		done
	done
'

test_done
