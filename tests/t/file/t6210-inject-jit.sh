#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# Not beside others: what it runs is named by us alone, in recordings of the whole system, too.
test_description='perf inject -j: what a jitdump tells becomes files and mappings, for any reader'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_expect_success 'functions over time, by report and script alone' '
	perf record -k mono -F 2000 -g -o j.data "$(program jit)" . 2>err && ls jit-*.dump &&
	perf report --no-children -g none --stdio -i j.data >out 2>err && test ! -s err &&
	for f in alpha beta "pkg.Gamma.run(int, long)"; do
		echo "$f" && test_grep -F "] $f" out || return 1
	done &&
	share=$(sed -n "s/^ *\([0-9]*\).*jitted-[0-9]*-1.so.*beta.*/\1/p" out) && echo "beta: $share %" &&
	test "$share" -ge 30
'
test_expect_success 'a file per function, and a mapping at its time' '
	perf script -G -i j.data >want && perf inject -j -i j.data -o i.data &&
	ls jitted-*-0.so jitted-*-1.so jitted-*-2.so && rm -rf hidden && mkdir hidden && mv jit-*.dump hidden &&
	perf script -G -i i.data >out 2>err && test_cmp want out && test ! -s err &&
	test_must_fail grep -a "jit-[0-9]*\.dump" i.data && mv hidden/* .
'
test_expect_success REFERENCE 'the reference reads it, and makes the same of it itself' '
	"$REF" script -i i.data -F comm,tid,time,ip,sym,symoff,dso --show-mmap-events 2>/dev/null |
		sed "s/ @ 0x80 [^]]*\]/]/" >ours.txt && mkdir -p kept && mv jitted-* kept &&
	"$REF" inject -j -i j.data -o r.data && "$REF" script -i r.data \
		-F comm,tid,time,ip,sym,symoff,dso --show-mmap-events 2>/dev/null |
		sed "s/ @ 0x80 [^]]*\]/]/" >refs.txt && test_cmp refs.txt ours.txt &&
	perf script -i r.data >refs.txt && rm -f jitted-* && mv kept/* . && perf script -i i.data >ours.txt &&
	test_cmp refs.txt ours.txt
'
test_expect_success 'the files: symbol, build-id, lines' '
	readelf -WSsln jitted-*-0.so >out 2>err && test ! -s err &&
	test_grep "FUNC .* alpha" out && test_grep "Build ID: [0-9a-f]\{40\}" out &&
	test_grep "LOAD *0x000080" out && addr2line -e jitted-*-0.so 0x80 0x84 >out &&
	test_grep "^/src/alpha.js:100" out && test_grep "^/src/alpha.js:101" out &&
	readelf -WS jitted-*-1.so >out && test_grep ! debug_line out &&
	id=$(readelf -n jitted-*-1.so | sed -n "s/.*Build ID: //p") && perf buildid-list -i i.data >out &&
	test_grep "^$id .*/jitted-[0-9]*-1.so" out
'
test_expect_success 'from a stream, to a stream' '
	perf record -k mono -F 2000 -o - "$(program jit)" . 2>err >p.data && perf script -i - <p.data >want &&
	perf inject -j <p.data >q.data && mv jit-*.dump hidden && perf script -i - <q.data >out 2>err &&
	test_grep "jitted-[0-9]*-2.so" out && test_cmp want out && rm -f hidden/* jitted-*
'
test_expect_success 'with build-ids of everything else' '
	perf record -B -k mono -F 500 -o j.data "$(program jit)" . 2>err && perf inject --buildid-all -j -i j.data -o i.data &&
	perf buildid-list -i i.data >out && test_grep "jitted-" out && test_grep "/programs/jit$" out
'
test_expect_success 'links in the way are replaced, not followed' '
	rm -f jitted-* && echo mine >mine &&
	pid=$(ls jit-*.dump | sed "s/[^0-9]//g") && ln -s mine jitted-$pid-0.so &&
	perf inject -j -i j.data -o i.data && test "$(cat mine)" = mine && test ! -L jitted-$pid-0.so
'
test_expect_success 'files of another recording stay' '
	rm -f jitted-* && pid=$(ls jit-*.dump | sed "s/[^0-9]//g") && perf inject -j -i j.data -o i.data &&
	cp jitted-$pid-1.so first.so && perf inject -j -i j.data -o i.data && cmp first.so jitted-$pid-1.so &&
	test ! -e jitted-$pid-1-1.so && cp jitted-$pid-0.so jitted-$pid-1.so && cp jitted-$pid-0.so other.so &&
	perf script -i j.data 2>/dev/null >want && perf inject -j -i j.data -o i.data && cmp other.so jitted-$pid-1.so &&
	cmp first.so jitted-$pid-1-1.so && perf script -i i.data 2>/dev/null >out && test_grep "beta.*jitted-$pid-1-1.so" out &&
	rm -f jitted-*
'
test_expect_success 'no dump: told, and everything is passed on' '
	rm -f jitted-* && mv jit-*.dump hidden && perf inject -j -i j.data -o i.data 2>err &&
	test_grep "jit-[0-9]*.dump.*No such file" err && perf script -i j.data 2>/dev/null >want &&
	perf script -i i.data 2>/dev/null >out && test_cmp want out && mv hidden/* .
'
test_expect_success 'nowhere to write the files: an error, and no output is left' '
	pid=$(ls jit-*.dump | sed "s/[^0-9]//g") && rm -f i.data jitted-* && mkdir jitted-$pid-0.so &&
	test_must_fail perf inject -j -i j.data -o i.data 2>err && test_grep "cannot write .*jitted-$pid-0.so" err &&
	test ! -e i.data && rmdir jitted-$pid-0.so
'
test_done
