#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf buildid-cache and archive: layout, messages, what is shared with the reference'
. "$(dirname "$0")/../lib/tap.sh"

test_require GCC

CACHE=$HOME/.debug
cc=$(command -v gcc || command -v cc)
echo 'int main(void) { return 0; }' >one.c
echo 'int main(void) { return 1; }' >two.c
"$cc" -Wl,--build-id=sha1 -o one one.c && "$cc" -Wl,--build-id=sha1 -o two two.c
"$cc" -Wl,--build-id=none -o noid one.c
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
	perf record -q -e cpu-clock -F 20000 -o a.data perf test -w noploop 0.1 &&
	perf buildid-cache -P && perf archive a.data >out &&
	printf "%s\n" "Now please run:" "" "\$ tar xvf a.data.tar.bz2 -C ~/.debug" "" \
		"wherever you need to run '\''perf report'\'' on." >want && test_cmp want out &&
	tar tf a.data.tar.bz2 >list && test_grep "/elf$" list && test_grep "^.build-id/" list &&
	perf buildid-cache -M a.data >out && test_line_count -eq 0 out
'

test_expect_success PERF_EVENTS 'the reports are equal on another machine' '
	perf report --stdio -i a.data >want && perf buildid-cache -P &&
	perf archive a.data >/dev/null && mkdir -p "$TRASH/far/.debug" &&
	tar xf a.data.tar.bz2 -C "$TRASH/far/.debug" &&
	HOME=$TRASH/far perf report --stdio -i a.data >out && test_cmp want out
'

# Copies are made in the background: wait for one.
cached() { for _ in $(seq 50); do perf buildid-cache -l | grep -q " $1\$" && return; sleep 0.1; done; return 1; }

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

test_expect_success REFERENCE,PERF_EVENTS 'archive: members as the reference packs them' '
	"$REF" record -q -e cpu-clock -F 20000 -o r.data ls -R /usr/share >/dev/null 2>&1 &&
	"$REF" archive r.data >/dev/null && tar tf r.data.tar.bz2 | grep -v "/probes$" >want &&
	perf archive r.data >/dev/null && tar tf r.data.tar.bz2 | grep -v "/probes$" >out &&
	grep -v -F -x -f out want >lost
	test_line_count -eq 0 lost
'

test_done
