#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='report --stdio prints what the reference prints, byte for byte but for the tip'
. "$(dirname "$0")/../lib/tap.sh"
test_require REFERENCE

# same FILE [OPTION...]: inlined functions are a matter of debug information, not of the report;
# what is left in a fractal graph the reference sometimes calls inlined, from memory it never set.
same() {
	local f=$1

	shift
	"$REF" report --stdio --no-inline -i "$f" "$@" 2>ref.err </dev/null |
		sed 's/^# (Tip:.*/# TIP/; s/--\[\.\.\.\] (inlined)$/--[...]/' >ref.out
	perf report --stdio -i "$f" "$@" 2>our.err </dev/null | sed 's/^# (Tip:.*/# TIP/' >our.out
	test -s ref.out && cmp ref.out our.out
}

# Not compared: branch stacks (shown as samples here), files the reference cannot read, and pipes
# of other kernels, whose addresses the reference names by the kernel it runs on.
test_expect_success CORPUS 'recorded files of other machines' '
	for f in "$CORPUS"/*; do
		case $f in
		*.md | *branch* | *pipe* | *compressed* | */sleep.data | *forkexit*) continue ;;
		esac
		same "$f" || { echo "$f"; return 1; }
	done
'
for opts in '--no-children' '--no-children -s sym' '-g fractal' '-g callee' '-g flat' '-g folded,2' '-g graph,5,3' \
	'-g count' '-g none -n --show-total-period' '-s comm,dso' '-s pid,dso' '-s cpu,comm' '-t ,' '-q' \
	'-F sample,dso,overhead' '-U' '--symbol-filter a' '-F overhead,sym -s dso' '--percent-limit 1' '-G --no-children'; do
	test_expect_success CORPUS "call chains: $opts" \
		"same \"\$CORPUS/with-callchain.perf.data\" $opts && same \"\$CORPUS/s390x-cpu-clock-callgraph.data\" $opts"
done
test_expect_success CORPUS 'groups' '
	same "$CORPUS/perf.data.lost_samples-4.4" -n &&
	same "$CORPUS/perf.data.lost_samples-4.4" -t,
'

test_expect_success PERF_EVENTS 'record fresh data with threads and call chains' '
	perf record -F 2000 -g -e cpu-clock -o chains.data perf test -w thloop 3 0.3 &&
	perf record -F 2000 -e cpu-clock,page-faults -o two.data sh -c "ls -lR /usr/include | sort >/dev/null" &&
	perf record -c 1 -e page-faults -a -o all.data sh -c "for i in 1 2 3; do ls /usr/bin >/dev/null; done"
'
for opts in '' '--no-children' '-g fractal,2' '-s comm' '-s pid -n' '-s dso,sym,comm'; do
	test_expect_success PERF_EVENTS "fresh call chains: $opts" "same chains.data $opts"
done
test_expect_success PERF_EVENTS 'several events' 'same two.data && same two.data -s dso -n'
test_expect_success PERF_EVENTS 'system wide' 'same all.data -s comm,dso -n && same all.data -s cpu,comm,dso'
test_expect_success PERF_EVENTS 'a pipe' '
	perf record -F 2000 -e cpu-clock -o - perf test -w noploop 0.2 >p.data 2>/dev/null &&
	"$REF" report --stdio -i - <p.data 2>/dev/null | sed "s/^# (Tip:.*/# TIP/" >ref.out &&
	perf report --stdio -i - <p.data 2>/dev/null | sed "s/^# (Tip:.*/# TIP/" >our.out &&
	test_grep noploop our.out &&
	cmp ref.out our.out
'
for opts in '-s bogus' '-F bogus' '-i /nonexistent' '-g' '-C 0' '-t .'; do
	test_expect_success CORPUS "refusals: $opts" "
		\"\$REF\" report --stdio -i \"\$CORPUS/perf.data.true.v2\" $opts >ref.out 2>ref.err; r=\$?
		perf report --stdio -i \"\$CORPUS/perf.data.true.v2\" $opts >our.out 2>our.err; test \$? = \$r &&
		sed -i '/^# (Tip:/d' ref.out our.out && cmp ref.out our.out && sed -n 1,2p ref.err >a && sed -n 1,2p our.err >b && cmp a b
	"
done
test_done
