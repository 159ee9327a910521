#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 7 of 8
test_description='perf probe keeps on disk which units and functions a large object has: answers are those without, whatever is there'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq TMPFS 'no right to mount' 'mkdir m && mount -t tmpfs none m && umount m'

kept=$HOME/.debug/.cache
id=00112233445566778899aabbccddeeff00112233
file=$kept/00/${id#00}.source
# build FIRST SECOND: a program with two functions of these names, and with enough types to be large. All have one build-id.
build()
{
	{
		for i in {1..4000}; do echo "struct type_$i { int first_$i; long second_$i; struct type_$i *next, *last; unsigned char bytes[$i]; };"; done
		echo 'volatile int sum;'
		echo 'static inline __attribute__((always_inline)) int both(int k) { sum += k; return sum * 3; }'
		echo "__attribute__((noinline)) int $1(int k) { asm(\"\"); return both(k); }"
		echo "__attribute__((noinline)) int $2(int k)"
		echo '{'
		echo '	sum -= k;'
		echo '	return both(k) ^ both(k + 1);'
		echo '}'
	} >funcs.c
	cp funcs.c "$1-$2.c"
	echo 'extern volatile int sum; int '"$1(int), $2"'(int); int main(void) { return '"$1(1) + $2(2)"'; }' >main.c
	${CC:-gcc} -g -O2 -fno-eliminate-unused-debug-types -Wl,--build-id=0x$id -o prog funcs.c main.c && cp prog "$1-$2"
}
# again FIRST SECOND: have one that was built before, and its source.
again() { cp "$1-$2" prog && cp "$1-$2.c" funcs.c; }
# answers: what is said of the program, once more for each line.
answers()
{
	local n
	for n in "-D alpha" "-D bravo" "-D both" "-D [ab]*a*" "-D *" "-D bravo:2" "-D funcs.c:4006" "-D nosuch" "-D al*%return" \
		"-L bravo" "-L funcs.c:4003-4008" "-V alpha" "-V bravo:2" "-F" "--no-inlines -D both"; do
		set -f; perf probe -x prog $n 2>&1; set +f; echo "$n: $?"
	done
}
without() { perf config cache.source=false && answers >"$1" && perf config cache.source=true; }
same() { answers >our && test_cmp want our; }
# written: whether the file was written since it was last asked
written()
{
	local now=

	test ! -f "$file" || now=$(stat -c %i.%y "$file")
	test "$now" != "$was" && was=$now
}
was=

test_lazy_prereq PROGRAM 'needs a C compiler with debug information' 'cd cwd && build alpha bravo && perf probe -x prog -D alpha 2>/dev/null | grep -q alpha'
test_expect_success PROGRAM 'nothing is kept when it is not wanted, then units, then functions' '
	rm -rf "$kept" && without want && test ! -e "$file" && grep "probe_prog/bravo_L2 " want &&
	grep "probe_prog/both " want && test $(grep -c "^p:probe_prog/both " want) -ge 4 &&
	perf probe -x prog -D alpha && written && test -s "$file" && size=$(stat -c %s "$file") &&
	perf probe -x prog -L bravo:0-1 && written && test $(stat -c %s "$file") -gt $size &&
	perf probe -x prog -D both && ! written && same && ! written
'
test_expect_success PROGRAM 'the first run, the second and all others say the same' '
	while read -r options; do
		rm -rf "$kept" && perf config cache.source=false && perf probe -x prog $options >first 2>&1; perf config cache.source=true
		for i in 1 2 3; do perf probe -x prog $options >again 2>&1; test_cmp first again || return; done
	done <<-\E
	-D both
	-D b*o
	-D funcs.c:4003
	-D nosuch
	-L bravo
	-V both
	E
'
test_expect_success PROGRAM 'a damaged file is written again' '
	rm -rf "$kept" && same && cp "$file" saved && printf x | dd of="$file" bs=1 seek=2000 conv=notrunc 2>dd.err && same && cmp saved "$file" &&
	head -c 3000 saved >"$file" && same && cmp saved "$file" && : >"$file" && same && cmp saved "$file" &&
	rm "$file" && mkdir "$file" && same && rmdir "$file" && same && cmp saved "$file"
'
# Its names have the same sizes, so that all sections have, and few bytes are others.
test_expect_success PROGRAM 'another program with the same build-id: what is kept of the first is not believed' '
	same && build bravo alpha && without other && ! cmp -s want other && answers >our && test_cmp other our && answers >our && test_cmp other our &&
	again alpha bravo && same && build golf hotel1 && without other && answers >our && test_cmp other our && again alpha bravo && same
'
test_expect_success PROGRAM 'several at once' '
	rm -rf "$kept" && for i in 1 2 3 4; do answers >our.$i & done && wait &&
	for i in 1 2 3 4; do test_cmp want our.$i || return; done && ! ls -a $kept/* | grep part
'
test_expect_success PROGRAM 'nothing is said where nothing can be kept' '
	rm -rf "$kept" && : >"$kept" && same && test -f "$kept" && rm "$kept" && perf config cache.dir=/dev/null/x && same && perf config cache.dir=$kept
'
test_expect_success PROGRAM,TMPFS 'nor on a full disk' '
	mkdir -p full && mount -t tmpfs -o size=16k none full && ! head -c 99999 /dev/zero >full/rest && perf config cache.dir=$PWD/full && same && same; ret=$?
	find full -type f ! -name rest >left; umount full
	perf config cache.dir=$kept && test $ret = 0 && test ! -s left
'
test_expect_success PROGRAM 'it is removed with the rest of what copies of programs are kept for' '
	same && test -s "$file" && perf buildid-cache --purge-all && test ! -e "$file"
'
test_done
