#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='report --stdio prints what the reference prints, byte for byte but for the tip'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
test_require REFERENCE

# same FILE [OPTION...]: inlined functions are a matter of debug information, not of the report
same() {
	local f=$1

	shift
	"$REF" report --stdio --no-inline -i "$f" "$@" 2>ref.err </dev/null | steady >ref.out
	perf report --stdio --no-inline -i "$f" "$@" 2>our.err </dev/null | steady >our.out
	test -s ref.out || return
	no_clones ref.out our.out
	# names of the sanitizers' library make columns wider
	test -z "$SAN" || sed -i -E "s/ +/ /g; s/[.]{3,}/.../g" ref.out our.out
	cmp ref.out our.out
}

# Not compared: branch stacks (shown as samples here), files the reference cannot read, and pipes
# of other kernels, whose addresses the reference names by the kernel it runs on.
test_expect_success CORPUS 'recorded files of other machines' '
	for f in $(ls -d "$CORPUS"/* | sampled 4); do
		case $f in
		*.md | *branch* | *pipe* | *compressed* | */sleep.data | *forkexit*) continue ;;
		esac
		same "$f" || { echo "$f"; return 1; }
	done
'
for opts in '--no-children' '--no-children -s sym' '-g fractal' '-g callee' '-g flat' '-g folded,2' '-g graph,5,3' \
	'-g count' '-g none -n --show-total-period' '-s comm,dso' '-s pid,dso' '-s cpu,comm' '-t ,' '-q' \
	'-F sample,dso,overhead' '-U' '--symbol-filter a' '-F overhead,sym -s dso' '--percent-limit 1' '-G --no-children'; do
	test_every 4 CORPUS "call chains: $opts" \
		"same \"\$CORPUS/with-callchain.perf.data\" $opts && same \"\$CORPUS/s390x-cpu-clock-callgraph.data\" $opts"
done
# Numbers too far apart to be compared by their distance, as chains of frame pointers find them.
test_expect_success 'garbage in call chains' '
	for seed in 1 3 4 5; do
		PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - $seed <<-\EOF
			import random, sys
			import pdata as p
			fields = ["IP", "TID", "TIME", "PERIOD", "CALLCHAIN"]
			rng = random.Random(int(sys.argv[1]))
			records = [p.comm(100, 100, "prog"), p.comm(101, 101, "other")]
			for i in range(50):
			    ip = 0x1000 + rng.randrange(5)
			    tid = rng.choice([100, 101])
			    records.append(p.sample(fields, IP=ip, TID=(tid, tid), TIME=10**9 + i * 1000,
			        PERIOD=rng.choice([1, 1, 1, 2]), CALLCHAIN=[2**64 - 512, ip] + [rng.getrandbits(64) &
			        ~0xfff0000000000000 | rng.randrange(15) << 60 for _ in range(rng.randrange(4))]))
			p.write("garbage.data", [(p.attr(0, 0, fields), [1])], records)
		EOF
		same garbage.data && same garbage.data -g none || { echo "seed $seed"; return 1; }
	done
'
test_expect_success CORPUS 'groups' '
	same "$CORPUS/perf.data.lost_samples-4.4" -n &&
	same "$CORPUS/perf.data.lost_samples-4.4" -t,
'

test_expect_success PERF_EVENTS 'record fresh data with threads and call chains' '
	perf record -F 2000 -g -e cpu-clock -o chains.data perf test -w thloop 3 0.3 &&
	perf record -F 2000 -e cpu-clock,page-faults -o two.data sh -c "\"$(program many)\" forks 200; perf test -w noploop 0.1" &&
	perf record -c 1 -e page-faults -a -o all.data sh -c "for i in 1 2 3; do ls /usr/bin >/dev/null; done"
'
for opts in '' '--no-children' '-g fractal,2' '-s comm' '-s pid -n' '-s dso,sym,comm'; do
	test_every 4 PERF_EVENTS "fresh call chains: $opts" "same chains.data $opts"
done
test_expect_success PERF_EVENTS 'several events' 'same two.data && same two.data -s dso -n'
test_expect_success PERF_EVENTS 'system wide' 'same all.data -s comm,dso -n && same all.data -s cpu,comm,dso'
test_expect_success PERF_EVENTS 'a pipe' '
	perf record -F 2000 -e cpu-clock -o - perf test -w noploop 0.2 >p.data 2>/dev/null &&
	"$REF" report --stdio -i - <p.data 2>/dev/null | steady >ref.out &&
	perf report --stdio -i - <p.data 2>/dev/null | steady >our.out &&
	test_grep noploop our.out &&
	cmp ref.out our.out
'
for opts in '-s bogus' '-F bogus' '-i /nonexistent' '-g' '-C 0' '-t .'; do
	test_every 4 CORPUS "refusals: $opts" "
		\"\$REF\" report --stdio -i \"\$CORPUS/perf.data.true.v2\" $opts >ref.out 2>ref.err; r=\$?
		perf report --stdio -i \"\$CORPUS/perf.data.true.v2\" $opts >our.out 2>our.err; test \$? = \$r &&
		sed -i '/^# (Tip:/d' ref.out our.out && cmp ref.out our.out && sed -n 1,2p ref.err >a && sed '/^Note:/d' our.err | sed -n 1,2p >b && cmp a b
	"
done
test_done
