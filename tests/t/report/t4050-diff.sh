#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 4 of 8
test_description='diff: profiles side by side, as the reference prints them; noise and limits'
. "$(dirname "$0")/../../lib/tap.sh"

test_require GCC
test_lazy_prereq SCRIPT 'no script(1) to make a terminal with' 'script -qec true /dev/null'
test_expect_success 'recordings' '
	for i in $(seq -w 0 10); do echo "__attribute__((aligned(1024))) int f$i(void) { return 0; }"; done >prog.c &&
	echo "int main(void) { return 0; }" >>prog.c && gcc -no-pie -o prog prog.c &&
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" $(nm prog | sed -n "s/^\([0-9a-f]*\) T f00$/\1/p") <<-\EOF
		import random, sys
		import pdata as p
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "ID"]
		def make(name, seed, n, where, events=1, prog=sys.argv[1]):
		    rng = random.Random(seed)
		    records = [p.comm(100, 100, "prog1"), p.comm(101, 101, "prog2")]
		    records += [p.mmap2(pid, 0x400000, 0x100000, 0, prog) for pid in (100, 101)]
		    for i in range(n):
		        kernel = rng.random() < .2
		        records.append(p.sample(fields, misc=p.KERNEL if kernel else p.USER, TID=(100 + i % 2, 100 + i % 2), CPU=i % 2,
		            IP=0xffffffff81000100 if kernel else int(sys.argv[2], 16) + rng.choice(where) * 0x400,
		            TIME=10**9 + i * 10**6, PERIOD=100 + i % 7, ID=1 + i % events))
		    p.write(name, [(p.attr(1, j, fields), [j + 1]) for j in range(events)], records)
		make("old.data", 1, 1000, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
		make("new.data", 2, 900, [0, 1, 1, 1, 2, 2, 3, 4, 8, 9])
		make("third.data", 3, 500, [9, 9, 9, 0, 1, 10])
		make("two-old.data", 4, 500, [0, 1, 2], 2)
		make("two-new.data", 5, 500, [0, 0, 2], 2)
		def ties(name, seed, n): # few samples of equal periods: many rows of equal shares
		    rng = random.Random(seed)
		    records = [p.comm(100, 100, "prog1"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    for i, f in enumerate(rng.choices(range(11), k=n)):
		        records.append(p.sample(fields, TID=(100, 100), CPU=0, IP=int(sys.argv[2], 16) + f * 0x400, TIME=10**9 + i, PERIOD=100, ID=1))
		    p.write(name, [(p.attr(1, 0, fields), [1])], records)
		ties("ties.1", 10, 14), ties("ties.2", 11, 15), ties("ties.3", 12, 13)
		make("bare.data", 6, 300, [0, 1, 2], prog="/bin/nosuch")
		make("empty.data", 7, 0, [0])
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
		def chains(name, *paths):  # (count, frames from the leaf up)...
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    t = 10**9
		    for n, frames in paths:
		        ips = [int(sys.argv[2], 16) + 0x400 * f + 4 if f >= 0 else 0x700000 - f for f in frames]
		        for i in range(n):
		            t += 1000
		            records.append(p.sample(fields, TID=(100, 100), IP=ips[0], TIME=t, PERIOD=100, CALLCHAIN=[2**64 - 512] + ips))
		    p.write(name, [(p.attr(1, 0, fields), [1])], records)
		chains("calls.old", (100, [5, 3, 1, 0]), (200, [5, 4, 1, 0]), (100, [5, 4, 2, 0]), (200, [6, -1, -2, 0]), (400, [7, 0]))
		chains("calls.new", (300, [5, 3, 1, 0]), (0, [5, 4, 1, 0]), (100, [5, 4, 2, 0]), (200, [6, -3, 2, 0]), (400, [7, 0]))
		fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "BRANCH_STACK"]
		def blocks(name, *samples):  # (function, [(from, to, cycles)..., oldest first])
		    records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		    for i, (f, stack) in enumerate(samples):
		        at = int(sys.argv[2], 16) + 0x400 * f
		        records.append(p.sample(fields, TID=(100, 100), IP=at + 1, TIME=10**9 + i, PERIOD=100 * (i + 1),
		            BRANCH_STACK=[(at + a, at + b, c << 4 | 2) for a, b, c in stack][::-1]))
		    p.write(name, [(p.attr(0, 0, fields, branch=8), [1])], records)
		    def line(s):
		        return b"\x40\0\0\0" + s.encode().ljust(64, b"\0")
		    p.add_features(name, [(3, line("host")), (4, line("6.1")), (6, line("x86_64")), (9, line("cpu,1,2")), (15, b"")])
		def loop(times, end=8, start=2):
		    return [(4, start, 5)] + [(end, start, c) for c in times]
		steady = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
		blocks("b1", (0, loop(steady)))
		blocks("b2", (0, loop(range(1, 11))))
		blocks("b3", (0, loop([9, 1, 4]) + loop([8, 8, 9, 2], 9) + loop([7, 70], 9, 1)))
		blocks("b4", (0, loop([0, 1, 4], 9) + loop([60, 1, 1000], 9) + loop([3, 5, 4])))
		blocks("b5", (1, loop([7, 9], 9)))
		blocks("b6", (0, loop([9, 0])))
		blocks("b7", *[(i % 3, loop([3 + i % 3, 5])) for i in range(6)])
		blocks("b8", *[(i % 3, loop([3 + i % 3 * 10, 5])) for i in range(6)])
	EOF
'
# same ARGS...: text and status
same() {
	local want=0

	"$REF" diff "$@" >ref.out 2>/dev/null </dev/null || want=$?
	perf diff "$@" >our.out 2>our.err </dev/null
	test $? = $want && test_cmp ref.out our.out
}
# on_tty PERF ARGS...: its diff, as a terminal gets it
on_tty() { TERM=xterm COLUMNS=500 script -qec "$1 --no-pager diff ${*:2} 2>/dev/null" /dev/null </dev/null; }
for args in '' '-c ratio' '-c wdiff:1,2' '-c delta -p' '-b' '-s overhead,comm' '-s overhead,sample,dso third.data' '-t,'; do
	test_expect_success REFERENCE,SCRIPT "diff in colours $args" '
		on_tty "$REF" old.data new.data $args >ref.tty && on_tty perf old.data new.data $args >our.tty &&
		test_cmp ref.tty our.tty && case $args in
		-t*) test_grep ! "$(printf "\033")" our.tty ;;
		*) test_grep -F "$(printf "\033[31m")" our.tty ;;
		esac'
done
while read -r args; do
	test_expect_success REFERENCE "diff $args" "same $args && test -s our.out"
done <<\EOF
old.data new.data
-c delta old.data new.data
-c ratio old.data new.data
-c wdiff:1,2 old.data new.data
-F old.data new.data
-p -c delta old.data new.data
-p -F -c ratio old.data new.data
-F -c wdiff:3,-2 old.data new.data
-b old.data new.data
-b -c ratio old.data third.data
-s comm old.data new.data
-s comm,dso,sym old.data new.data
-s pid,sym old.data new.data
-s cpu old.data new.data
-t, old.data new.data
-t, -p old.data new.data
-q old.data new.data
-q two-old.data two-new.data
-s parent old.data new.data
-C prog1 -s comm,sym old.data new.data
-C prog1 -s comm,sym --percentage relative old.data new.data
-C prog1,prog2 old.data new.data
-d prog old.data new.data
-o 0 old.data new.data
old.data new.data third.data
-c delta -o 2 old.data new.data third.data
-o 0 -c ratio old.data new.data third.data
-p -F -c delta old.data new.data third.data
two-old.data two-new.data
two-old.data new.data
old.data two-new.data
bare.data bare.data
old.data bare.data
-m old.data new.data
-c delta -s sym old.data new.data
-c ratio -s dso old.data new.data
-c wdiff:2,3 -s comm old.data new.data
-b -o 0 old.data third.data
-b -F -p old.data third.data
-b -c wdiff:1,1 old.data new.data third.data
-p -t: -c ratio old.data new.data
-F -t: old.data new.data
-q -p old.data new.data third.data
-o 2 old.data new.data third.data
-o 2 -c wdiff:1,2 old.data new.data third.data
-d prog --percentage relative -c delta old.data new.data
-d prog -C prog2 -s comm,sym old.data new.data
-C nosuch old.data new.data
--time 1.1,1.3 old.data new.data
--time 1.1,1.3:1.2,1.5 old.data new.data
--time ,1.2 -c ratio old.data new.data
--time 1.2, -s comm old.data new.data
--kallsyms /dev/null old.data bare.data
--symfs /nosuch old.data new.data
-p -s comm two-old.data two-new.data
-o 0 ties.1 ties.2
-o 0 -c delta ties.1 ties.2
-o 0 -c ratio ties.1 ties.2
-o 0 -c wdiff:3,-2 ties.1 ties.2
ties.1 ties.2 ties.3
-o 2 ties.1 ties.2 ties.3
-o 0 ties.1 ties.2 ties.3
-c cycles b1 b2
-c cycles --cycles-hist b1 b2
-c cycles --cycles-hist b2 b1
-c cycles --cycles-hist b3 b4
-c cycles --cycles-hist b4 b3
-c cycles --cycles-hist b1 b1
-c cycles --cycles-hist -p -F b3 b4
-c cycles b1 b5
-c cycles b5 b1
-c cycles b1 b6
-c cycles -b b1 b2
-c cycles -o 0 b3 b4
-c cycles -q -s sym b4 b3
-c cycles -s comm,sym,dso b3 b4
-c cycles -o 2 b3 b4 b3
-c cycles --cycles-hist b3 b3 b4
-c cycles -d nosuch b1 b2
EOF
# Names with commas, columns that rows of other files would widen, threads that changed their names.
test_expect_success REFERENCE,CORPUS 'names of recorded files' '
	printf "ffffffff%s\n" "81000000 T _text" "81000000 T _stext" "811c1000 t bracket<a, b>(int)" "8fff0000 T _etext" >kallsyms &&
	for args in "-t," -b "-b -s comm,dso -c ratio" "-s pid" "-q"; do
		# shellcheck disable=SC2086
		same -f --kallsyms kallsyms $args "$CORPUS/perf.data.systemwide.5-3.8" "$CORPUS/perf.data.busy.1-3.8" || return 1
	done && grep -q "bracket<a, b>" our.out
'
test_expect_success REFERENCE,CORPUS 'recorded files' '
	for a in systemwide.5-3.8 busy.1-3.8; do
		for b in hw_and_sw-3.4 busy.1-3.8; do
			same "$CORPUS/perf.data.$a" "$CORPUS/perf.data.$b" || return 1
		done
	done'
test_expect_success REFERENCE 'what is not there' '
	same nosuch.data new.data && test_grep "Failed to open nosuch.data" our.err && same -c foo old.data new.data &&
	same -c wdiff old.data new.data &&
	same -c wdiff:0,1 old.data new.data && same -c wdiff:1,0 old.data new.data &&
	same -s foo old.data new.data && same -o 5 old.data new.data && same -t . old.data new.data'
test_expect_success 'filters choose samples' '
	perf diff -q -S f00,f01 --percentage relative old.data new.data >out && test_line_count = 2 out && test_grep "73.24% .*-48.30% .*f00" out &&
	perf diff -q -C prog2 old.data new.data >out && perf diff -q --tid 101 old.data new.data | test_cmp out -'
test_expect_success 'spans for each file, and records' '
	test_expect_code 255 perf diff --time 1.0,1.1:1.1,1.2 old.data new.data third.data 2>err && test_grep "spans for 2" err &&
	perf diff -q -s comm --time "50%/1:50%/2" old.data old.data >out && test_line_count = 2 out && perf diff -q -s comm old.data new.data >plain &&
	perf diff -q -s comm -D old.data new.data >out && grep -c RECORD_SAMPLE out >n && echo 1900 | test_cmp - n && tail -n 2 out | test_cmp - plain'
test_expect_success 'the files that record leaves behind' '
	cp old.data perf.data.old && cp new.data perf.data && perf diff >named && perf diff old.data new.data | test_cmp - named &&
	perf diff new.data | test_cmp - named && rm perf.data perf.data.old'
test_expect_success 'an event without samples' '
	perf diff empty.data old.data >out 2>err && test_grep ! nan out && test_grep "prog " out &&
	perf diff -c ratio --noise old.data empty.data >out && test_grep ! nan out'
test_expect_success 'noise: less with more samples, 0 where all is the same' '
	perf diff --noise -t, -s comm,sym old.data old.data >out && test_grep "+0.00% .*+-[0-9.]*%" out &&
	perf diff --noise -t, -s dso -q bare.data bare.data >out && test_grep "nosuch" out'
test_expect_success 'limits' '
	test_expect_code 1 perf diff --fail-if "5%" old.data new.data >out 2>err && test_grep "prog .*: .*% -> .*% in new.data" err &&
	perf diff --fail-if "<90%" old.data new.data >out 2>err && test ! -s err &&
	perf diff --fail-if 0% old.data old.data >out && perf diff --fail-if ">0%" old.data old.data >out &&
	test_expect_code 129 perf diff --fail-if much old.data new.data 2>err && test_grep "grew by more" err'
test_expect_success 'what may be chance is no failure' '
	perf diff -s cpu --fail-if "0%" old.data new.data >out 2>err && test ! -s err'
test_expect_success 'cycles of many samples, also with separators' '
	perf diff -q -c cycles --cycles-hist -t, b7 b8 >out 2>err && test_line_count = 6 out && sed -n 1p out >first &&
	test_grep "\[      2 ->       8\]    9 .*,± 57.7% █▁█▁ *,prog .*,\[.\] f02" first && test_grep "  5 .*f01" out &&
	perf diff -q -c cycles --fail-if 1% b7 b8 >out && test_expect_code 255 perf diff -c cycles old.data b7 2>err && test_grep "no branch stacks" err &&
	test_expect_code 255 perf diff -c cycles -s comm b7 b8 2>err && test_grep "symbol" err && test_expect_code 129 perf diff --cycles-hist b7 b8 2>err'
test_expect_success 'call paths that changed' '
	perf diff -q -g calls.old calls.new >raw 2>err && sed "s/ *\$//" raw >out && test_cmp - out <<-\EOF &&
	    40.00%     +0.00%  prog           [.] f05
	                30.00%    10.00%   -20.00%   +-3.39%  |--f04
	                20.00%     0.00%   -20.00%   +-2.48%  |  `--f01
	                                                      |     f00
	                10.00%    30.00%   +20.00%   +-3.39%  `--f03
	                                                         f01
	                                                         f00

	    40.00%     +0.00%  prog           [.] f07
	    20.00%     +0.00%  prog           [.] f06
	                20.00%    20.00%    +0.00%   +-3.51%  `--[unknown]
	                20.00%     0.00%   -20.00%   +-2.48%     |--f00
	                 0.00%    20.00%   +20.00%   +-2.48%     `--f02
	                                                            f00

	EOF
	perf diff -q -g25 calls.old calls.new >out && test_grep ! f03 out && perf diff -q --percent-limit 0.1 calls.old calls.new >out &&
	test ! -s out && perf diff -q -gcaller,0 -t, calls.old calls.new >out && test_grep "^10.00,30.00,+20.00,3.39,f00;f01;f03;f05" out'
test_expect_success 'hot streams' '
	perf diff --stream calls.old calls.new >out && test_grep "^\[ Matched hot streams \]" out && test_line_count = 51 out &&
	sed -n "/pair 1/,/^\$/p" out | tr -s " \t" " " >pair && test_cmp - pair <<-\EOF &&
	sed -n "/new perf data only/,\$p" out | tr -s " \t" " " >new && test_grep "f02 *$" new &&
	hot chain pair 1:
	 hits: 40.00% hits: 40.00%
	 --------------------------- --------------------------
	 f07 f07
	 f00 f00

	EOF
	test_expect_code 255 perf diff --stream -g calls.old calls.new 2>err && test_grep "not for it" err'
test_expect_success 'call paths: what cannot be' '
	! perf diff -g old.data new.data >out 2>err && test_grep "no callchain" err &&
	test_expect_code 129 perf diff -gsideways calls.old calls.new 2>err && test_grep "caller or callee" err'
test_done
