#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 4
test_description='report and data convert: folded stacks and flame graphs, beside the reference and in a browser'
. "$(dirname "$0")/../../lib/tap.sh"

check=$SRC/tests/lib/python/flame-check.py

# sum COLUMN: of all that a report shows
sum() { perf report -i a.data -q --no-children -g none -s comm -F "$1" -t, | awk -F, '{ n += $1 } END { print n }'; }

# A name with all that means something to somebody: to the shell it is quoted throughout.
hostile="</a><b o=\"';&"

test_expect_success PERF_EVENTS,GCC 'a recording' '
	cat >work.c <<-\END &&
	#include <string.h>
	#include <sys/mman.h>
	#include <sys/prctl.h>
	#include <time.h>
	volatile unsigned long n;
	__attribute__((noinline)) int wheel(int k) { for (volatile int i = 0; i < k; i++); return k; }
	__attribute__((noinline)) void pebble(void) { for (int i = 0; i < 1000; i++) n += i; }
	__attribute__((noinline)) void spiral(int k) { if (k) spiral(k - 1); else pebble(); n++; }
	__attribute__((noinline)) void once(void) { pebble(); n++; }
	int main(int argc, char **argv)
	{
		/* Code that is in no file, as of a runtime that makes it. */
		int (*made)(int) = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memcpy(made, wheel, 256);
		__builtin___clear_cache((char *)made, (char *)made + 256);
		prctl(PR_SET_NAME, argv[1]);
		for (clock_t end = clock() + CLOCKS_PER_SEC / 4; clock() < end; n++) {
			spiral(3);
			once();
			n += made(1000);
		}
		return 0;
	}
	END
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-plt -o work work.c &&
	perf record -q -F 2000 -g -e cpu-clock -o a.data ./work "$hostile" &&
	sum period >total && test "$(cat total)" -gt 0
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'folded: as from our own text, and of all that was counted' '
	perf report -i a.data --folded >folded &&
	test "$(python3 "$check" total folded)" -eq "$(cat total)" &&
	perf script -i a.data | python3 "$check" collapse >want &&
	LC_ALL=C sort folded >have && LC_ALL=C sort want | test_cmp - have &&
	test_grep ";main;spiral;spiral;spiral;.*pebble [0-9]" folded &&
	test_grep "main;\[perf-[0-9]*\.map\]" folded &&
	grep -F "</a><b_o=\"'"'"':&;" folded >/dev/null
'

test_expect_success PERF_EVENTS,GCC,PYTHON,REFERENCE 'folded: as from the text of the reference' '
	"$REF" script -i a.data 2>/dev/null | python3 "$check" collapse | LC_ALL=C sort >want &&
	sed "s/\[[^;]*\]/[]/g" want >ref.txt && perf report -i a.data --no-inline --folded >plain &&
	LC_ALL=C sort plain | sed "s/\[[^;]*\]/[]/g" | test_cmp ref.txt -
'

# Paths that begin with /tmp/perf- are those of JITs to the reference, and have no symbols then.
test_lazy_prereq BENCH 'BENCH_DIR has no b.fp.data of the benchmarks, or there is no perl' '
	test -s "$BENCH_DIR/b.fp.data" && command -v perl'
test_expect_success REFERENCE,BENCH 'folded: as from the text of the reference, for all of a large recording' '
	sed "s,/tmp/perf-,/tmp/Perf-,g" "$BENCH_DIR/b.fp.data" >big.data && perf report -f -i big.data --folded | LC_ALL=C sort >have &&
	"$REF" script -f -i big.data 2>/dev/null | perl "$SRC/tests/bench/collapse.pl" | LC_ALL=C sort >want &&
	test_line_count -gt 1000 want && cmp want have
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'several at once, to files and to standard output, from any number of workers' '
	perf report -i a.data --flamegraph a.svg --folded=b.folded --icicle --title "<&>" &&
	test_cmp folded b.folded &&
	PERF_WORKERS=1 perf report -i a.data --flamegraph - --icicle --title "<&>" | test_cmp a.svg - &&
	perf data convert -i a.data --to-folded=c.folded --to-flamegraph c.svg --icicle --title "<&>" 2>err &&
	test_cmp folded c.folded && test_cmp a.svg c.svg &&
	test_grep "into folded data .c.folded" err &&
	test_expect_code 255 perf data convert -i a.data --to-folded=c.folded 2>err &&
	test_grep "Output file exists" err &&
	perf report -i - --folded <a.data | test_cmp folded -
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'the picture: every function on its caller, names are text' '
	python3 "$check" svg a.svg "$(cat total)" &&
	perf report -i a.data --flamegraph b.svg --reverse --weight samples --min-width 1 --width 600 &&
	python3 "$check" svg b.svg "$(sum sample)"
'

test_expect_success PERF_EVENTS,GCC,PYTHON,BROWSER 'the picture in a browser: pointed at, zoomed into, searched' '
	perf report -i a.data --flamegraph c2.svg && python3 "$check" browser c2.svg spiral
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'the picture: the command is its title; processes, threads, CPUs or nothing at its roots' '
	test_grep "id=.title.*>\./work .*: <tspan" b.svg && roots() {
		perf report -i a.data --flamegraph r.svg --root "$1" && python3 "$check" svg r.svg "$(cat total)" &&
		sed -n "s/.*data-d=\"1\"><title>\(.*\) (.*/\1/p" r.svg
	} &&
	roots process >out && test_line_count -eq 1 out && test_grep " [0-9]*$" out && roots thread | test_cmp out - &&
	roots cpu >out && ! grep -v "CPU" out && roots none >out && test_grep ! "^</a>" out &&
	perf report -i a.data --flamegraph c3.svg --root comm && perf report -i a.data --flamegraph c4.svg && test_cmp c3.svg c4.svg &&
	test_expect_code 129 perf report -i a.data --flamegraph no.svg --root user 2>err && test_grep "invalid root .user." err &&
	test_expect_code 1 perf report -i a.data --compare a.data --flamegraph no.svg --root cpu 2>err &&
	test_grep "does not go with --compare" err && ! test -e no.svg
'

test_expect_success PERF_EVENTS,PYTHON,BROWSER 'the picture of several events: each can be chosen' '
	perf record -q -g -e cpu-clock,page-faults -o two.data sh -c "for i in 1 2 3; do perf version; done" >out &&
	perf report -i two.data --flamegraph two.svg && python3 "$check" events two.svg cpu-clock page-faults &&
	perf report -i two.data --flamegraph one.svg --event page-faults && test_grep ! "id=.events" one.svg
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'filters, and the difference of two recordings' '
	perf report -i a.data --folded -S pebble >pebble && ! grep -v ";pebble [0-9]*$" pebble && test -s pebble &&
	perf report -i a.data --folded --symbol-filter ebbl >part && test_cmp pebble part &&
	perf report -i a.data --folded --comms nobody 2>err; test_grep "no samples" err &&
	perf report -i a.data --compare a.data --collapsed-diff both --flamegraph d.svg &&
	awk "\$NF != \$(NF - 1) { exit 1 }" both && test "$(wc -l <both)" -eq "$(wc -l <folded)" &&
	python3 "$check" svg d.svg "$(cat total)" && test_grep "Difference flame graph" d.svg &&
	perf report --collapsed-diff two a.data a.data && cmp both two &&
	test_expect_code 129 perf report --collapsed-diff three a.data a.data a.data 2>err &&
	test_expect_code 1 perf report -i a.data --collapsed-diff none 2>err && test_grep "compare" err &&
	! test -e none
'

test_expect_success PERF_EVENTS,GCC 'what cannot be written is told, and nothing is left' '
	test_expect_code 1 perf report -i a.data --folded=/dev/full 2>err && test_grep "No space left" err &&
	test_expect_code 1 perf report -i a.data --folded=no/such/place 2>err && test_grep "no/such/place" err &&
	test_expect_code 1 perf report -i a.data --event nothing --folded=e.folded 2>err &&
	test_grep "nothing" err && ! test -e e.folded
'

test_done
