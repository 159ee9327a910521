#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 0 of 2
test_description='record --call-graph dwarf: stacks through code made at run time, with unwind information in its jitdump'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS,UNWIND
test_lazy_prereq X86 'the program makes code of x86-64' 'test "$(uname -m)" = x86_64'
test_require X86
test_lazy_prereq STYLE_libdw 'built without libdw' 'perf version --build-options | grep -q "libdw-dwarf-unwind: .*on"'
test_lazy_prereq STYLE_libunwind 'built without libunwind' 'perf version --build-options | grep -q "libunwind: .*on"'

# Who may call whom in tests/programs/jitcalls.c.
cat >allowed <<-END
	jit_leaf jit_saver
	jit_leaf jit_recurse
	jit_leaf called_back
	leaf jit_saver
	leaf called_back
	jit_saver jit_entry
	jit_recurse jit_recurse
	jit_recurse jit_entry
	called_back jit_entry
	jit_entry run_jit
	run_jit main
END
closed="jit_leaf jit_saver jit_recurse jit_entry leaf called_back"

# rec FILE HOW WHAT: record the program in way WHAT for a quarter of a second.
rec() { perf record -q -k mono -F 3000 -e cpu-clock:u --call-graph "$2" -o "$1" "$(program jitcalls)" . 0.25 "$3"; }
all_seen() { for f in jit_leaf jit_saver jit_recurse called_back leaf; do test_grep " $f" "$1" || return 1; done; }

test_expect_success 'read beside its dump: every stack is a possible one and whole' '
	rec j.data dwarf,4096 tables && perf script -i j.data -F ip,sym,dso >direct.txt 2>err && test_line_count = 0 err &&
	possible direct.txt && all_seen direct.txt &&
	perf report -i j.data --stdio -g none -v >out 2>err && test_grep ! "guessed" err &&
	perf report -i j.data --folded - >out 2>/dev/null && test_grep "main;run_jit;jit_entry;jit_recurse;.*;jit_leaf " out
'
test_expect_success 'inject -j: files from which the same stacks are unwound, and those of other unwinders' '
	perf inject -j -i j.data -o i.data && mkdir hidden && mv jit-*.dump hidden &&
	perf script -i i.data -F ip,sym,dso >files.txt 2>err && test_line_count = 0 err && test_cmp direct.txt files.txt &&
	readelf -S jitted-*-0.so >out && test_grep "eh_frame_hdr" out
'
for style in libdw libunwind; do
	test_expect_success STYLE_$style "... by $style" '
		perf script --unwind-style $style -i i.data -F ip,sym,dso >$style.txt 2>err && possible $style.txt && all_seen $style.txt
	'
done
test_expect_success REFERENCE '... by the reference, frame by frame' '
	perf script --no-inline -i i.data -F ip,sym | grep -v ffffffffffffffff >ours &&
	"$REF" script --no-inline -i i.data -F ip,sym 2>/dev/null | grep -v ffffffffffffffff >theirs &&
	test_cmp theirs ours &&
	mkdir -p kept && mv jitted-* kept && mv hidden/* . && "$REF" inject -j -i j.data -o r.data &&
	perf script --no-inline -i r.data -F ip,sym | grep -v ffffffffffffffff >ours &&
	"$REF" script --no-inline -i r.data -F ip,sym 2>/dev/null | grep -v ffffffffffffffff >theirs &&
	test_cmp theirs ours &&
	mv jit-*.dump hidden && rm -f jitted-* && mv kept/* .
'
test_expect_success 'inject --convert-callchain needs no files' '
	rm -f jitted-* && mv hidden/* . && perf inject --convert-callchain -i j.data -o c.data 2>err && test_grep "to the root" err &&
	perf script -i c.data -F ip,sym,dso >out && test_cmp direct.txt out
'
test_expect_success 'a table without an index' '
	rm -f jit-*.dump && rec l.data dwarf,4096 list && perf script -i l.data -F ip,sym,dso >list.txt && possible list.txt && all_seen list.txt
'
test_expect_success 'without unwind information, frame pointers lead on; that is a guess' '
	rm -f jit-*.dump && rec f.data dwarf,4096 frames && perf script -i f.data -F ip,sym,dso >frames.txt && all_seen frames.txt &&
	awk "/^\$/ { if (frames) { n++; r += rooted } frames = rooted = 0; next } { frames++ } / _start / { rooted = 1 } END { printf \"%d of %d rooted\n\", r, n; exit n < 100 || r < 0.99 * n }" frames.txt &&
	perf report -i f.data --stdio -g none -v >out 2>err && test_grep "^Note: .*% of the stacks have frames that no unwind table describes: those were guessed" err
'
test_expect_success 'record --call-graph dwarf,unwind keeps the copies that need the dump' '
	rm -f jit-*.dump && perf record -k mono -F 3000 -e cpu-clock:u --call-graph dwarf,4096,unwind -o u.data "$(program jitcalls)" . 0.25 tables 2>err &&
	test_grep "stay copies as a jitdump may tell more" err && perf script -i u.data -F ip,sym,dso >unwound.txt && possible unwound.txt && all_seen unwound.txt
'
test_done
