#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='-D shows the packets of Intel PT, Arm SPE and BTS as the reference does'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

# trace FILE KIND [WORD...]: a recording with a trace
trace() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/aux-files.py" "$@"
}

# packets COMMAND FILE: the lines of packets
packets() {
	perf "$1" -D -i "$2" 2>err.txt | sed -n '/data: size/,/^$/p' >our.txt && test -s our.txt
}

# same COMMANDS KIND [WORD...]: the packets of a trace as the reference shows them
same() {
	local c commands=$1

	shift
	trace a.data "$@" || return 1
	for c in $commands; do
		packets $c a.data || return 1
		"$REF" $c -D -i a.data 2>/dev/null | sed -n '/data: size/,/^$/p' >ref.txt
		cmp ref.txt our.txt || { diff ref.txt our.txt | head -n 10; return 1; }
	done
}

test_expect_success 'packets of Arm SPE say what was accessed, how long it took and what was missed' '
	trace spe.data spe && packets report spe.data &&
	grep -q "PC 0x400130 el0 ns=1$" our.txt && grep -q "VA 0x7f0000001018$" our.txt && grep -q "LAT 23 ISSUE$" our.txt &&
	grep -q "EV RETIRED L1D-ACCESS L1D-REFILL LLC-ACCESS LLC-REFILL$" our.txt && ! grep -q Bad our.txt
'
test_expect_success 'packets of Intel PT say where the flow went' '
	trace pt.data pt && packets report pt.data && grep -q "TIP.PGE 0x400100$" our.txt && grep -q "TNT TTN (3)$" our.txt &&
	grep -q "MODE.Exec IF:0 64$" our.txt && ! grep -q Bad our.txt
'
test_expect_success 'a stream shows the same packets as its file' '
	for f in spe pt; do
		packets report $f.data && mv our.txt want.txt && perf inject -i $f.data -o - | cat >$f.pipe &&
		cat $f.pipe | packets report - && test_cmp want.txt our.txt &&
		cat $f.pipe | perf script --no-itrace -D -i - 2>err.txt | sed -n "/data: size/,/^\$/p" >our.txt &&
		test_cmp want.txt our.txt || return 1
	done
'
test_expect_success 'what is no packet is told byte by byte' '
	trace a.data spe hex=0271 && packets report a.data && test "$(grep -c "Bad packet!" our.txt)" = 2
'
# Padding up to a multiple of a number is where the reference goes by its memory. Bytes of that seed have none.
for kind in 'spe packets' 'pt packets' bts 'pt truncated' 'random seed=3 size=8000'; do
	test_expect_success REFERENCE "the reference shows the same: $kind" "same report $kind"
done
# Bytes that look like Intel PT, because they often have its second bytes.
test_expect_success REFERENCE 'the reference shows the same of bytes that often look like packets of Intel PT' '
	same "report script" pt "hex=$(python3 - <<-\EOF
		import random
		r, b = random.Random(5), b""
		seconds = bytes.fromhex("a38273c363135383f32362e233b30322129232b2a2c843c2")
		while len(b) < 4000:
		    b += bytes([2, r.choice(seconds)] if r.random() < .5 else []) + bytes(r.randrange(256) for _ in range(r.randrange(8)))
		print(b.hex())
	EOF
	)"
'
test_expect_success 'a trace that the file cuts off is shown as far as it goes' '
	head -c -700 spe.data >cut.data && perf report -f -D -i cut.data >out.txt 2>err.txt; grep -q "PC 0x400100 el0" out.txt
'

test_done
