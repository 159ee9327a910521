#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 2 of 8
test_description='buildid-list: objects of recorded files and fresh ones, as the reference lists them'
. "$(dirname "$0")/../../lib/tap.sh"

# same FILE OPTION...: the reference calls the vdso by the name of a temporary copy.
same() {
	"$REF" buildid-list -i "$@" 2>/dev/null </dev/null |
		sed 's,/tmp/perf-vdso\.so-.*,[vdso],' >ref.out
	perf buildid-list -i "$@" >our.out 2>our.err </dev/null && test_cmp ref.out our.out
}

for opt in '' -H -f -k; do
	test_expect_success REFERENCE,CORPUS "recorded files, buildid-list $opt" '
		for f in "$CORPUS"/*data*; do
			case $f in # which the reference does not read
			*/fibo.* | */sleep.* | *intel_pt*) continue ;;
			esac
			same "$f" $opt || { echo "$f"; return 1; }
		done
	'
done
test_expect_success CORPUS 'files the reference does not read' '
	perf buildid-list -i "$CORPUS"/sleep.data >out && test_line_count -eq 3 out &&
	test_grep "^b7087383948bbb19e90455122b415e1ff20c5594 \[kernel.kallsyms\]$" out &&
	perf buildid-list -H -i "$CORPUS"/fibo.compressed2.pipe.data >out && test_grep "/usr/lib/libc.so.6$" out
'
test_expect_success PERF_EVENTS 'fresh' '
	perf record -q -o a.data -e cpu-clock -c 100000 ls -lR /usr/include >/dev/null &&
	perf buildid-list -i a.data >all && test_line_count -ge 2 all &&
	test_grep -E "^[0-9a-f]{40} \[kernel.kallsyms\]$" all &&
	perf buildid-list -H -i a.data >hit && test_grep "kernel.kallsyms" hit &&
	perf record -q -o - -e cpu-clock -c 100000 sh -c "ls -lR /usr/include >&2" 2>/dev/null >a.pipe &&
	perf buildid-list -i - <a.pipe >out && test_grep "\[kernel.kallsyms\]$" out
'
test_expect_success PERF_EVENTS,REFERENCE 'fresh: as the reference' '
	same a.data && same a.data -H && "$REF" record -q -o b.data -e cpu-clock -c 100000 true &&
	same b.data && same b.data -H
'
test_expect_success 'an ELF file' '
	perf buildid-list -i "$PERF" >out && test_grep -E "^[0-9a-f]{40}$" out &&
	readelf -n "$PERF" | sed -n "s/.*Build ID: //p" | test_cmp - out
'
test_expect_success 'the running kernel' '
	if test -r /sys/kernel/notes; then
		perf buildid-list -k >out && test_grep -E "^[0-9a-f]{40}$" out
	fi
'
test_lazy_prereq MOUNTS 'may not make a mount namespace, or built with sanitizers, which need the real /proc' '
	! grep -q __asan_init "$PERF" && unshare -m mount --bind /sys/module /sys/module'
test_expect_success MOUNTS,REFERENCE 'kernel and modules, those of a made-up /proc' '
	test -r /sys/kernel/notes || return 0
	mkdir -p proc/self mod/foo/notes mod/bar/notes && cp /proc/self/status proc/self/ &&
	printf "%s\n" "ffffffff81000000 T _text" "ffffffff81000000 T _stext" "ffffffff81001000 T do_x" \
		"ffffffff82000000 T _etext" "ffffffffc0001000 t f	[foo]" >proc/kallsyms &&
	printf "%s\n" "foo 16384 0 - Live 0xffffffffc0001000" "bar 8192 1 - Live 0xffffffffc0005000" >proc/modules &&
	printf "\004\0\0\0\024\0\0\0\003\0\0\0GNU\0aaaabbbbccccddddeeee" >mod/foo/notes/.note.gnu.build-id &&
	unshare -m sh -c "mount --bind mod /sys/module && mount --bind proc /proc &&
		$REF buildid-list -m >ref.out; $PERF buildid-list -m >our.out" &&
	test_cmp ref.out our.out && test_grep "^6161.* ffffffffc0001000 ffffffffc0005000 \[foo\]$" our.out
'
test_expect_success PERF_EVENTS,GCC '--missing: what is not found of the objects with samples, and what would help' '
	printf "int main(void) { for (volatile long i = 0; i < 60000000L; i++) ; return 0; }\n" >burn.c &&
	"${CC:-cc}" -g -Wl,--build-id=sha1 -o burn burn.c && id=$(perf buildid-list -i burn) &&
	d=root/usr/lib/debug/.build-id/$(echo $id | cut -c1-2) && f=$d/$(echo $id | cut -c3-).debug &&
	perf record -q -N -e task-clock:u -o m.data ./burn && perf buildid-list --missing -i m.data >out &&
	test_grep ! "/burn$" out && objcopy --only-keep-debug burn burn.debug && strip burn &&
	mkdir -p root/var/lib/dpkg/info && printf "%s\n" /. /usr "$PWD/burn" >root/var/lib/dpkg/info/burner:amd64.list &&
	DEBUGINFOD_URLS= perf buildid-list --missing --symfs root -i m.data >out && grep -A 6 "/burn$" out >mine &&
	test_grep "^$id $PWD/burn$" mine && test_grep "^	samples: [1-9][0-9]* ([0-9.]*%)$" mine &&
	test_grep "^	missing: file, symbols, lines$" mine && test_grep "^	why: cannot open " mine &&
	test_grep "^	package: burner, burner-dbgsym$" mine && test_grep "^	file: root$PWD/burn$" mine &&
	test_grep "^	file: $f$" mine && test_grep ! debuginfod: out &&
	mkdir -p "root$PWD" $d && cp burn "root$PWD/" && DEBUGINFOD_URLS=http://localhost:1 \
		perf buildid-list --missing --symfs root -i m.data >out && grep -A 6 "/burn$" out >mine &&
	test_grep "^	missing: symbols, lines$" mine && test_grep "^	package: burner-dbgsym$" mine &&
	test_grep "^	debuginfod: debuginfod-find debuginfo $id$" mine && cp burn.debug $f &&
	perf buildid-list --missing --symfs root -i m.data >out && test_grep ! "/burn$" out
'
test_expect_success PERF_EVENTS,GCC '--missing: packages may list a file with or without /usr' '
	rm -rf root && mkdir -p root/var/lib/dpkg/info && at=$(realpath burn) &&
	echo "/usr$at" >root/var/lib/dpkg/info/liar.list && echo "$at" >root/var/lib/dpkg/info/other.md5sums &&
	perf buildid-list --missing --symfs root -i m.data >out && test_grep "^	package: liar, liar-dbgsym$" out
'
test_expect_success '--missing: usage' '
	test_expect_code 129 perf buildid-list --missing -k 2>err && test_grep "missing goes with neither" err &&
	test_expect_code 129 perf buildid-list --symfs / 2>err && test_grep "symfs goes with --missing" err
'
test_expect_success 'no such file' '
	test_expect_code 255 perf buildid-list -i none.data 2>err &&
	test_grep "failed to open none.data: No such file or directory" err
'
test_done
