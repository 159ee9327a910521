#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='report and data convert: folded stacks and flame graphs, beside the reference and in a browser'
. "$(dirname "$0")/../lib/tap.sh"

check=$SRC/tests/lib/flame-check.py
test_lazy_prereq PYTHON 'no python3' 'command -v python3'
test_lazy_prereq BROWSER 'no chromium with its driver' '
	python3 -c "import sys; sys.path.insert(0, \"$SRC/tests/lib\"); from browser import Browser; sys.exit(bool(Browser.missing()))"'

# sum COLUMN: of all that a report shows
sum() { perf report -i a.data -q --no-children -g none -s comm -F "$1" -t, | awk -F, '{ n += $1 } END { print n }'; }

# A name with all that means something to somebody: to the shell it is quoted throughout.
hostile="</a><b o=\"';&"

test_expect_success PERF_EVENTS,GCC 'a recording' '
	cat >work.c <<-\END &&
	#include <sys/prctl.h>
	#include <time.h>
	volatile unsigned long n;
	__attribute__((noinline)) void pebble(void) { for (int i = 0; i < 1000; i++) n += i; }
	__attribute__((noinline)) void spiral(int k) { if (k) spiral(k - 1); else pebble(); n++; }
	__attribute__((noinline)) void once(void) { pebble(); n++; }
	int main(int argc, char **argv)
	{
		prctl(PR_SET_NAME, argv[1]);
		for (clock_t end = clock() + CLOCKS_PER_SEC / 4; clock() < end; n++) {
			spiral(3);
			once();
		}
		return 0;
	}
	END
	"${CC:-cc}" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work work.c &&
	perf record -q -F 2000 -g -e cpu-clock -o a.data ./work "$hostile" &&
	sum period >total && test "$(cat total)" -gt 0
'

test_expect_success PERF_EVENTS,GCC,PYTHON 'folded: as from our own text, and of all that was counted' '
	perf report -i a.data --folded >folded &&
	test "$(python3 "$check" total folded)" -eq "$(cat total)" &&
	perf script -i a.data | python3 "$check" collapse >want &&
	LC_ALL=C sort folded >have && LC_ALL=C sort want | test_cmp - have &&
	test_grep ";main;spiral;spiral;spiral;.*pebble [0-9]" folded &&
	grep -F "</a><b_o=\"'"'"':&;" folded >/dev/null
'

test_expect_success PERF_EVENTS,GCC,PYTHON,REFERENCE 'folded: as from the text of the reference' '
	"$REF" script -i a.data 2>/dev/null | python3 "$check" collapse | LC_ALL=C sort >want &&
	sed "s/\[[^;]*\]/[]/g" want >ref.txt &&
	LC_ALL=C sort folded | sed "s/\[[^;]*\]/[]/g" | test_cmp ref.txt -
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

test_expect_success PERF_EVENTS,GCC,PYTHON 'filters, and the difference of two recordings' '
	perf report -i a.data --folded -S pebble >pebble && ! grep -v ";pebble [0-9]*$" pebble && test -s pebble &&
	perf report -i a.data --folded --symbol-filter ebbl >part && test_cmp pebble part &&
	perf report -i a.data --folded --comms nobody 2>err; test_grep "no samples" err &&
	perf report -i a.data --compare a.data --collapsed-diff both --flamegraph d.svg &&
	awk "\$NF != \$(NF - 1) { exit 1 }" both && test "$(wc -l <both)" -eq "$(wc -l <folded)" &&
	python3 "$check" svg d.svg "$(cat total)" && test_grep "Difference flame graph" d.svg &&
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
