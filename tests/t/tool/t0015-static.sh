#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 2 of 16
test_description='make static: one file that records and reports where there is nothing but /proc'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'sanitizers need shared libraries'

test_lazy_prereq MAKE 'no make, or an unpacked binary' 'command -v make && test -f "$SRC/Makefile"'
test_lazy_prereq STATIC 'no static C library, libelf or libdw' '
	printf "#include <elfutils/libdw.h>\nint main(void) { return !dwarf_begin; }\n" >probe.c &&
	gcc -static -o probe probe.c -ldw -lelf -lz -lbz2 -llzma -lzstd'
test_lazy_prereq CHROOT 'cannot mount /proc below a folder and change into it' '
	mkdir -p root/proc && mount -t proc none root/proc && umount root/proc'
test_require MAKE,STATIC,PERF_EVENTS,ROOT,CHROOT

W=$PWD
mkdir -p root/proc
test_expect_success 'it is built, and asks for no library' '
	flock "$BUILD/.static" make -C "$SRC" O="$BUILD" static >out 2>&1 || { cat out; return 1; }
	test_grep ! warning out && cp "$BUILD-static/perf" root/perf &&
	readelf -lW root/perf >headers && test_grep ! INTERP headers && test_grep ! DYNAMIC headers
'
# within ARGS...: that perf in a folder with nothing else
within() { unshare -m sh -c "mount -t proc none $W/root/proc && exec chroot $W/root /perf \"\$@\"" sh "$@"; }

test_expect_success 'it says what it is, and what it goes without' '
	within version >version && test_grep "^perf version [0-9]" version &&
	within version --build-options >options && test_grep "libelf: \[ on" options && test_grep "debuginfod: \[ OFF" options &&
	test_grep "libdw-dwarf-unwind: \[ OFF" options && test_grep "libtraceevent: \[ OFF" options
'
test_expect_success 'a recording and its report: names and source lines' '
	within record -g -e cpu-clock -o /x.data -- /perf test -w noploop 0.5 2>err &&
	within report -i /x.data --stdio --no-children -g none -s dso,sym,srcline >report 2>err &&
	test_grep "perf  *\[\.\] noploop  *noploop.c:[0-9]" report && test_grep "\[k\]\|noploop" report &&
	within script -i /x.data -F ip,sym >script && test_grep noploop script
'
test_expect_success 'counts; a page' '
	within stat -e task-clock -- /perf test -w noploop 0.1 2>err && test_grep task-clock err &&
	within flame -q -e cpu-clock -o /f.html -- /perf test -w noploop 0.2 2>err && test -s root/f.html
'
test_expect_success 'users are those of /etc/passwd; filters that would be loaded are refused' '
	test_must_fail within record -u somebody -o /y.data -e cpu-clock -- /perf version 2>err && test_grep "Invalid User: somebody" err &&
	mkdir -p root/etc && echo "somebody:x:54321:54321::/:/bin/false" >root/etc/passwd &&
	test_must_fail within record -u somebody -o /y.data -e cpu-clock -- /perf version 2>err && test_grep 54321 err &&
	test_must_fail within script -i /x.data --dlfilter x.so 2>err && test_grep "a static perf loads no filters" err
'
test_expect_success 'a file of another tool is read by it as by the other' '
	perf record -q -e cpu-clock -o root/z.data -- true && within script -i /z.data -F comm,pid,time >ours &&
	perf script -i root/z.data -F comm,pid,time >want && test_cmp want ours
'
test_done
