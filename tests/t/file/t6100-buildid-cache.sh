#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# takes long
# turn 6 of 8
test_description='perf buildid-cache and archive: layout, messages, what is shared with the reference'
. "$(dirname "$0")/../../lib/tap.sh"

test_require GCC

CACHE=$HOME/.debug
cc=$(command -v gcc || command -v cc)
echo 'int main(void) { return 0; }' >one.c
echo 'int main(void) { return 1; }' >two.c
"$cc" -Wl,--build-id=sha1 -o one one.c && "$cc" -Wl,--build-id=sha1 -o two two.c
"$cc" -Wl,--build-id=none -o noid one.c
# Its recordings are small to pack: no kernel, no large program.
echo 'int main(void) { for (volatile int i = 0; i < 30000000; i++) ; return 0; }' >burn.c && "$cc" -Wl,--build-id=sha1 -o burn burn.c
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
ONE=$(id_of one) TWO=$(id_of two)

test_expect_success 'add: an object, its link, the list' '
	perf buildid-cache -a one >out 2>&1 &&
	test_line_count -eq 0 out &&
	cmp one "$CACHE$PWD/one/$ONE/elf" &&
	test "$(readlink "$CACHE/.build-id/${ONE:0:2}/${ONE:2}")" = "../..$PWD/one/$ONE" &&
	perf buildid-cache -l >out &&
	echo "$ONE $PWD/one" >want && test_cmp want out
'

test_expect_success 'nothing half-done is left beside it' '
	find "$CACHE" -name ".*.??????" >out && test_line_count -eq 0 out
'

test_expect_success 'what is no object is told, and the others are done' '
	perf buildid-cache -a two,nothere,noid,one.c,. >out 2>err &&
	test_line_count -eq 0 out &&
	test_grep "^Couldn.t add nothere: No such file or directory$" err &&
	test_grep "^Couldn.t add noid: no build-id in it$" err &&
	test_grep "^Couldn.t add one.c: not an ELF file$" err &&
	test_grep "^Couldn.t add .: Is a directory$" err &&
	perf buildid-cache -l >out && test_grep "^$TWO $PWD/two$" out
'

test_expect_success 'remove, with the words of -v' '
	perf buildid-cache -v -r two 2>err &&
	echo "Removing $TWO two: Ok" >want && test_cmp want err &&
	test ! -e "$CACHE$PWD/two/$TWO" &&
	perf buildid-cache -v -r two 2>err &&
	test_grep "^Removing $TWO two: FAIL$" err &&
	test_grep "^two wasn.t in the cache$" err
'

test_expect_success 'purge finds older versions of a file' '
	cp one prog && perf buildid-cache -a prog &&
	rm prog && cp two prog && perf buildid-cache -a prog &&
	perf buildid-cache -v -p prog 2>err &&
	test_grep "^Removing $ONE prog: Ok$" err &&
	test_grep "^Removing $TWO prog: Ok$" err &&
	test_grep "^Purging prog: Ok$" err &&
	perf buildid-cache -l >out && test_grep "^$ONE $PWD/one$" out
'

test_expect_success 'update; purge of all' '
	perf buildid-cache -v -u two 2>err &&
	test_grep "^Updating $TWO two: Ok$" err &&
	cmp two "$CACHE$PWD/two/$TWO/elf" &&
	perf buildid-cache -v -P 2>err &&
	test_grep "^Purged all: Ok$" err &&
	perf buildid-cache -l >out && test_line_count -eq 0 out &&
	find "$CACHE" -type f -o -type l >out && test_line_count -eq 0 out
'

test_expect_success 'a link that leads out of the cache removes nothing there' '
	mkdir -p victim "$CACHE/.build-id/ab" && echo keep >victim/elf &&
	ln -s "$(realpath --relative-to="$CACHE/.build-id/ab" victim)" "$CACHE/.build-id/ab/cdef0123" &&
	perf buildid-cache -P && test -f victim/elf &&
	rm -f "$CACHE/.build-id/ab/cdef0123"
'

test_expect_success 'another folder; a copy where no link can be' '
	test -w /dev/shm || return 0
	d=$(mktemp -d /dev/shm/perf-cache.XXXXXX) && chmod 750 one &&
	perf --buildid-dir "$d" buildid-cache -a one
	cmp one "$d$PWD/one/$ONE/elf" && test "$(stat -c %a "$d$PWD/one/$ONE/elf")" = 750
	rc=$?
	rm -rf "$d"
	return $rc
'

test_expect_success 'usage' '
	test_expect_code 129 perf buildid-cache 2>err &&
	test_expect_code 129 perf buildid-cache extra 2>err &&
	test_expect_code 129 perf buildid-cache -l -P 2>err &&
	test_grep "Error: -l is exclusive" err &&
	test_expect_code 255 perf buildid-cache -M nothere 2>err &&
	test_grep "^failed to open nothere: No such file or directory$" err
'

test_expect_success ROOT 'files of another mount namespace' '
	perf buildid-cache --target-ns $$ -a one &&
	cmp one "$CACHE$PWD/one/$ONE/elf" &&
	perf buildid-cache --target-ns 999999999 -a two 2>err &&
	test_grep "cannot enter the mount namespace of process 999999999" err
'

test_expect_success REFERENCE 'each reads what the other has put in' '
	perf buildid-cache -P && "$REF" buildid-cache -P &&
	perf buildid-cache -a one && "$REF" buildid-cache -a two &&
	perf buildid-cache -l >out && "$REF" buildid-cache -l >want && test_cmp want out &&
	test_line_count -eq 2 out &&
	"$REF" buildid-cache -r one && perf buildid-cache -r two &&
	perf buildid-cache -l >out && test_line_count -eq 0 out
'

test_expect_success REFERENCE 'the same words, but for what is in no file of ours' '
	for args in "-v -a one,two" "-v -a one" "-v -u one" "-v -r two" "-v -r two" "-v -p one" \
		"-v -p nothere" "-v -a nothere" "-l" "-v -P"; do
		HOME=$TRASH/a perf buildid-cache $args >out 2>&1; echo $? >>out
		HOME=$TRASH/b "$REF" buildid-cache $args 2>&1 | grep -v "^DEBUGINFOD_URLS=" >want
		echo ${PIPESTATUS[0]} >>want
		echo "$args" && test_cmp want out || return 1
	done
'

test_expect_success PERF_EVENTS 'archive: the objects of a recording, and the closing hint' '
	perf record -q -e cpu-clock:u -F 20000 -o a.data ./burn &&
	perf buildid-cache -P && perf archive a.data >out &&
	printf "%s\n" "Now please run:" "" "\$ tar xvf a.data.tar.bz2 -C ~/.debug" "" \
		"wherever you need to run '\''perf report'\'' on, or there with this perf:" "" "\$ perf archive --unpack a.data.tar.bz2" >want &&
	test_cmp want out && cp a.data "it'\''s a.data" && perf archive "it'\''s a.data" >out &&
	test_grep -F "\$ perf archive --unpack '\''it'\''\\'\'''\''s a.data.tar.bz2'\''" out &&
	tar tf a.data.tar.bz2 >list && test_grep "/elf$" list && test_grep "^.build-id/" list &&
	perf buildid-list -H -i a.data | sed "s, .*,," >hits && perf buildid-cache -M a.data >out &&
	test_grep ! -F -f hits out
'

test_expect_success PERF_EVENTS 'the reports are equal on another machine' '
	perf report --stdio -i a.data >want && perf buildid-cache -P &&
	perf archive a.data >/dev/null && mkdir -p "$TRASH/far/.debug" &&
	tar xf a.data.tar.bz2 -C "$TRASH/far/.debug" &&
	HOME=$TRASH/far perf report --stdio -i a.data >out && test_cmp want out
'

# Copies are made in the background: wait for one.
cached() { wait_for sh -c "perf buildid-cache -l | grep \" $1\\$\""; }

test_expect_success PERF_EVENTS 'record puts what samples hit into the cache' '
	mkdir -p rec && HOME=$PWD/rec &&
	perf record -q -e cpu-clock -F 20000 -o c.data perf test -w noploop 0.1 &&
	cached "$(realpath "$PERF")" && perf buildid-cache -M c.data >out &&
	test_grep ! / out && find rec/.debug -name kallsyms >out && test_line_count -eq 0 out
	rc=$?; HOME=$TRASH/home; return $rc
'

test_expect_success PERF_EVENTS 'unless -N, -B or record.build-id say otherwise' '
	for how in -N -B no-cache skip; do
		rm -rf none && mkdir none && opt=$how
		case $how in
		-*) ;;
		*) HOME=$PWD/none perf config record.build-id=$how && opt= ;;
		esac
		HOME=$PWD/none perf record $opt -q -e cpu-clock -F 20000 -o n.data perf test -w noploop 0.05 &&
		test ! -e none/.debug || return 1
	done
'

test_expect_success 'archive: nothing to pack' '
	test_expect_code 1 perf archive nothere >out 2>err &&
	test_grep "^perf archive: no build-ids found$" out &&
	test_grep "^failed to open nothere" err
'

# Our part of it is done without the reference, too, by the next tests.
test -n "$SAN" || test_set_prereq PLAIN
test_why[PLAIN]='sanitizers find nothing in the reference'
test_expect_success REFERENCE,PERF_EVENTS,PLAIN 'archive: members as the reference packs them' '
	"$REF" record -q -e cpu-clock:u -F 20000 -o r.data ./burn >/dev/null 2>&1 &&
	"$REF" archive r.data >/dev/null && tar tf r.data.tar.bz2 >want &&
	perf archive r.data >/dev/null && tar tf r.data.tar.bz2 >out && test_cmp want out &&
	mkdir -p apart && HOME=$PWD/apart perf archive --unpack r.data.tar.bz2 2>err &&
	HOME=$PWD/apart "$REF" buildid-cache -l >out && test -s out &&
	"$REF" report --stdio -i r.data 2>/dev/null | grep -v "Tip:" >want &&
	HOME=$PWD/apart "$REF" report --stdio -i r.data 2>/dev/null | grep -v "Tip:" >out && test_cmp want out
'

test_expect_success PERF_EVENTS 'archive: only what samples hit; --all: everything, and the recording' '
	perf record -q -B -N -e cpu-clock:u -F 20000 -o h.data ./burn && perf inject --buildid-all -i h.data -o i.data &&
	perf buildid-list -i i.data | sort >all && perf buildid-list -H -i i.data | sort >hits &&
	test "$(wc -l <hits)" -lt "$(wc -l <all)" && perf archive i.data >/dev/null 2>&1 &&
	tar tf i.data.tar.bz2 >list && test "$(grep -c "^.build-id/" list)" -le "$(wc -l <hits)" &&
	test_grep ! "^i.data$" list && perf archive --all i.data >out 2>/dev/null &&
	test_grep "^. perf archive --unpack i.data.all.tar.bz2$" out &&
	tar tf i.data.all.tar.bz2 >list && test "$(grep -c "^.build-id/" list)" -gt "$(wc -l <hits)" &&
	test_grep "^i.data$" list
'
test_expect_success PERF_EVENTS 'archive --unpack: on another machine nothing else is needed' '
	perf report --stdio -i i.data >want && mkdir -p away/home && (
		cd away && export HOME=$PWD/home && perf archive --unpack ../i.data.all.tar.bz2 2>err &&
		test_grep "files unpacked into .*/away/home/.debug" err && perf report --stdio -i i.data >out &&
		test_cmp ../want out && test_must_fail perf archive --unpack ../i.data.all.tar.bz2 2>err &&
		test_grep "i.data. cannot be created here: File exists" err && rm i.data &&
		perf archive --unpack ../i.data.all.tar.bz2 2>err && test_grep "^0 files unpacked" err
	)
'

# bad NAME TYPE TARGET: an archive with an honest member first, then that one
bad() {
	rm -rf bad.tar badhome && python3 - "$@" <<-"EOF" || return 1
		import sys, tarfile, io
		name, kind, target = sys.argv[1:4]
		t = tarfile.open("bad.tar", "w")
		ok = tarfile.TarInfo("usr/bin/x/" + "ab" * 20 + "/kallsyms")
		t.addfile(ok, io.BytesIO(b""))
		m = tarfile.TarInfo(name)
		m.type = {"file": tarfile.REGTYPE, "sym": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE,
			  "fifo": tarfile.FIFOTYPE, "dir": tarfile.DIRTYPE}[kind]
		m.linkname = target
		t.addfile(m, io.BytesIO(b""))
		t.close()
	EOF
	HOME=$PWD/badhome perf archive --unpack bad.tar >out 2>err
}
test_expect_success 'archive --unpack: members that lead elsewhere; nothing is written then' '
	hex=$(printf "ab%.0s" $(seq 20)) && bad "usr/bin/y/$hex/elf2" file "" && test -e badhome/.debug &&
	while read -r name kind target; do
		bad "$name" $kind "$target"; rc=$?
		echo "$name: $rc" && test $rc -eq 1 && test_grep "does not belong" err && test ! -e badhome || return 1
	done <<-EOF
		/etc/x/$hex/elf file
		usr/../../$hex/elf file
		../x/$hex/elf file
		usr/bin/x/elf file
		perf.data file
		.build-id/ab/x file
		.build-id/ab/${hex#ab} sym /etc
		.build-id/ab/${hex#ab} sym ../../../x/$hex
		.build-id/ab/${hex#ab} sym ../../usr/bin/x/cdcdcdcdcd
		usr/bin/x/$hex/elf sym /etc/passwd
		usr/bin/x sym /
		usr/bin/x/$hex/elf hard /etc/passwd
		usr/bin/x/$hex/elf hard usr/../../x/$hex/y
		usr/bin/x/$hex/elf fifo
		../x dir
	EOF
'
test_expect_success 'archive --unpack: damaged, or no archive at all' '
	printf "ab%.0s" $(seq 20) >/dev/null && bad "usr/bin/y/abababababab/elf2" file "" &&
	head -c 700 bad.tar >cut.tar && test_expect_code 1 perf archive --unpack cut.tar 2>err &&
	test_grep "cut off" err && bzip2 -k bad.tar && head -c 80 bad.tar.bz2 >cut.bz2 &&
	test_expect_code 1 perf archive --unpack cut.bz2 && echo junk >junk &&
	test_expect_code 1 perf archive --unpack junk && test_expect_code 1 perf archive --unpack nothere 2>err &&
	test_grep "failed to open nothere" err
'
test_expect_success 'archive --unpack: an object that is not the one its name says' '
	hex=$(printf "ab%.0s" $(seq 20)) && mkdir -p "liar/x/$hex" && cp "$PERF" "liar/x/$hex/elf" &&
	tar cf liar.tar -C liar "x/$hex" && test_expect_code 1 env HOME="$PWD/lied" perf archive --unpack liar.tar 2>err &&
	test_grep "^1 objects had another build-id" err && test ! -e "lied/.debug/x/$hex/elf"
'

# markers FILE: a program with notes of sys/sdt.h
markers() {
	cat >m.S <<-"EOF" && ${CC:-gcc} -o "$1" m.S -I"$SRC/tests/lib" -Wl,--build-id
		#include "sdt.inc"
		990: nop
		note prov, none, ""
		990: nop
		note prov, regs, "8@%rdx -4@%eax 2@%cx -1@%sil 8@%r15"
		990: nop
		note prov, mem, "8@8(%rsp) -4@$5 4@(%rax) 8@16(%rax,%rbx,8) -8@-16(%rbp)", sema
		990: nop
		note prov, none, "8@%rdi"
		xor %eax,%eax
		ret
		.section .probes,"aw"
		sema: .2byte 0
	EOF
}
test_lazy_prereq X86_64 'markers of x86-64' '[ "$(uname -m)" = x86_64 ]'
test_expect_success X86_64,GCC 'probes: the markers of an object' '
	markers marked && HOME=$PWD/m1 perf buildid-cache -a marked && cat "m1/.debug$PWD/marked"/*/probes >out &&
	test_grep "^%sdt_prov:none=none$" out && test_line_count -eq 7 out &&
	test_grep "^p:sdt_prov/regs .*/marked:0x[0-9a-f]* arg1=%dx:u64 arg2=%ax:s32 arg3=%cx:u16 arg4=%si:s8 arg5=%r15:u64$" out &&
	test_grep "^p:sdt_prov/mem .*/marked:0x[0-9a-f]*(0x[0-9a-f]*) arg1=+8(%sp):u64 arg3=+0(%ax):u32 arg5=-16(%bp):s64$" out
'
test_expect_success X86_64,GCC,REFERENCE 'probes: as the reference writes them' '
	for f in marked "$(command -v ls)" $(ls /usr/lib/*/libstdc++.so.6 /usr/lib/*/ld-linux*.so.2 2>/dev/null); do
		HOME=$PWD/m1 perf buildid-cache -a "$f" && HOME=$PWD/m2 "$REF" buildid-cache -a "$f" || return 1
	done
	diff -r m1/.debug m2/.debug
'

# A kernel made of text: kcore, kallsyms, modules and notes in the folders a real one has.
made_kernel() {
	mkdir -p k/proc k/sys/kernel && python3 - <<-"EOF"
		import struct
		segs = [(0xffffffff81000000, 0x8000), (0xffffffffc0000000, 0x4000), (0xffff888000000000, 0x10000)]
		at = [0x1000 + sum(l for _, l in segs[:i]) for i in range(len(segs))]
		ph = b"".join(struct.pack("<IIQQQQQQ", 1, 7, o, a, 0, l, l, 4096) for o, (a, l) in zip(at, segs))
		data = b"".join(bytes((i * 7 + (a >> 12)) & 255 for i in range(l)) for a, l in segs)
		head = b"\x7fELF" + bytes([2, 1, 1, 0]) + bytes(8)
		head += struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(segs), 0, 0, 0)
		open("k/proc/kcore", "wb").write((head + ph).ljust(0x1000, b"\0") + data)
		open("k/proc/kallsyms", "w").write("ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
			"ffffffff81001000 T do_it\nffffffff81005800 T _etext\nffffffffc0001000 t fn\t[mymod]\n"
			"ffffffffc0003000 t o_fn\t[other]\n")
		open("k/proc/modules", "w").write("mymod 8192 0 - Live 0xffffffffc0001000\n"
			"other 4096 1 - Live 0xffffffffc0003000 (OE)\n")
		open("k/sys/kernel/notes", "wb").write(struct.pack("<III", 4, 20, 3) + b"GNU\0" + bytes(range(20)))
	EOF
}
test_expect_success '-k: the code of a kernel, its symbols and modules' '
	made_kernel && HOME=$PWD/k1 perf buildid-cache -v -k "$PWD/k/proc/kcore" 2>err &&
	test_grep "^kcore added to build-id cache directory $PWD/k1/.debug/\[kernel.kcore\]/000102.*/20[0-9]\{14\}$" err &&
	at=$(sed "s/.*directory //" err) && cmp k/proc/kallsyms "$at/kallsyms" && cmp k/proc/modules "$at/modules" &&
	readelf -lW "$at/kcore" >out && test_grep "LOAD .* 0xffffffff81000000 .* 0x006000 0x006000 RWE" out &&
	test_grep "LOAD .* 0xffffffffc0001000 .* 0x003000" out && test "$(stat -c %a "$at"/* | uniq)" = 400 &&
	HOME=$PWD/k1 perf buildid-cache -v -k "$PWD/k/proc/kcore" 2>err && test_grep -F "same kcore found in $at" err &&
	sed -i s/c0003000/c0002000/ k/proc/modules && HOME=$PWD/k1 perf buildid-cache -v -k "$PWD/k/proc/kcore" 2>err &&
	test_grep "^kcore added" err
'
test_expect_success REFERENCE,ROOT '-k: both know the copies of the other' '
	made_kernel && HOME=$PWD/k2 "$REF" buildid-cache -k "$PWD/k/proc/kcore" &&
	cmp k2/.debug/*/*/*/kcore k1/.debug/*/*/"$(basename "$at")"/kcore &&
	HOME=$PWD/k2 perf buildid-cache -v -k "$PWD/k/proc/kcore" 2>err && test_grep "^same kcore" err &&
	HOME=$PWD/k1 "$REF" buildid-cache -v -k "$PWD/k/proc/kcore" 2>err && test_grep "^same kcore" err
'
test_expect_success '-k: what cannot be added is told, and leaves nothing' '
	made_kernel && HOME=$PWD/k3 && perf buildid-cache -k nothere/kcore 2>err &&
	test_grep "^Couldn.t add nothere/kcore: No such file" err &&
	sed -i "s/^[0-9a-f]\{16\}/0000000000000000/" k/proc/kallsyms && perf buildid-cache -k k/proc/kcore 2>err &&
	test_grep "does not tell where the kernel is" err && made_kernel && truncate -s 20480 k/proc/kcore &&
	perf buildid-cache -k k/proc/kcore 2>err && test_grep "^Couldn.t add k/proc/kcore: " err &&
	made_kernel && echo junk >k/proc/kcore && perf buildid-cache -k k/proc/kcore 2>err &&
	test_grep "not a core file" err && test -z "$(find k3 -type f 2>/dev/null)"
	rc=$?; HOME=$TRASH/home; return $rc
'

test_done
