#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='--symfs: objects of another system, in their folders or all in one'
. "$(dirname "$0")/../../lib/tap.sh"
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC
test_lazy_prereq BINUTILS 'needs objcopy and strip' 'command -v objcopy && command -v strip'

test_expect_success BINUTILS 'a recording whose program is gone; its copies, stripped, with their debug files' '
	cat >prog.c <<-\EOF && gcc -O1 -g -Wl,--build-id=sha1 -o prog prog.c && perf record -q -N -e cpu-clock:u -F 2000 -o prog.data ./prog &&
	__attribute__((noinline)) void moved_hot(void) { for (volatile long i = 0; i < 100000000; i++) ; }
	int main(void) { moved_hot(); return 0; }
	EOF
	objcopy --only-keep-debug prog prog.debug && strip -s prog && objcopy --add-gnu-debuglink=prog.debug prog &&
	mkdir -p "tree$PWD" flat && cp prog prog.debug "tree$PWD/" && mv prog prog.debug flat/ && export HOME=$PWD/nowhere'

test_expect_success BINUTILS 'in their folders: no layout, hierarchy' '
	for layout in "" ,hierarchy; do
		perf report --stdio -i prog.data --symfs "tree$layout" 2>err >out && test_grep "\] moved_hot" out &&
		perf report --stdio -i prog.data --symfs "flat$layout" 2>err >out && test_grep ! moved_hot out || return
	done'

test_expect_success BINUTILS 'flat: all in one folder, in all readers' '
	perf report --stdio -i prog.data --symfs flat,flat 2>err >out && test_grep "\] moved_hot" out &&
	perf report --stdio -i prog.data --symfs tree,flat 2>err >out && test_grep ! moved_hot out &&
	perf script -i prog.data -F ip,sym,srcline --symfs=flat,flat 2>err >out && test_grep moved_hot out && test_grep "prog\.c:1$" out &&
	perf annotate --stdio -i prog.data --symfs flat,flat moved_hot 2>err >out && test_grep "volatile long i" out &&
	perf diff -q --symfs flat,flat prog.data prog.data 2>err >out && test_grep "\] moved_hot" out &&
	perf report -i prog.data --symfs flat,flat --folded folded 2>err && test_grep "moved_hot [0-9]" folded &&
	perf buildid-list --missing -i prog.data --symfs tree,flat >out && test_grep "file: tree/prog$" out &&
	perf buildid-list --missing -i prog.data --symfs flat,flat >out && test_grep ! "/prog$" out'

test_expect_success BINUTILS 'the folder may have a comma in its name; other layouts are refused, and --no-symfs forgets it' '
	mkdir -p here,there && cp flat/* here,there/ && perf report --stdio -i prog.data --symfs here,there,flat 2>err >out && test_grep "\] moved_hot" out &&
	for c in "report --stdio" script annotate diff "flame -o x.data"; do
		test_expect_code 129 perf $c --symfs flat,deep 2>err </dev/null && test_grep "deep.* is no layout" err || { cat err; return 1; }
	done && test ! -e x.data &&
	perf report --stdio -i prog.data --symfs flat,flat --no-symfs 2>err >out && test_grep ! moved_hot out'

test_expect_success BINUTILS 'perf flame looks there, too' '
	cp flat/prog prog && mkdir -p debug && cp flat/prog.debug debug/ &&
	perf flame -q -N -F 2000 -e cpu-clock:u --symfs missing -o f.data -H page.html ./prog 2>err; test $? -ne 0 &&
	test_grep "cannot read missing" err &&
	perf flame -N -F 2000 -e cpu-clock:u --symfs flat,flat -o f.data -H page.html ./prog 2>err && perf report --stdio -i f.data --symfs flat,flat 2>err >out &&
	test_grep "\] moved_hot" out && test -s page.html && rm prog'

test_done
