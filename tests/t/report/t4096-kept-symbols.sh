#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 0 of 2
test_description='indexes of large symbol tables are kept on disk: taken from there, and done without'
. "$(dirname "$0")/../../lib/tap.sh"
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC
test_lazy_prereq TMPFS 'no right to mount' 'mkdir m && mount -t tmpfs none m && umount m'

kept=$HOME/.debug/.cache
# build FIRST SECOND [NUMBER]: a program with 2500 variables and two functions of these names, the first of which takes longer;
# the number is in its code
build()
{
	{
		printf 'int work(int) __asm__("%s"), rest(int) __asm__("%s");\nint v0' "$1" "$2" && printf ', v%d' {1..2500}
		cat <<-\EOF
		;
		__attribute__((noinline)) int work(int n)
		{
			volatile int x = 0;

			while (n-- > 0)
				x = x + n;
			return x;
		}
		__attribute__((noinline)) int rest(int n)
		{
			volatile int x = NUMBER;

			while (n-- > 0)
				x = x + n;
			return x;
		}
		int main(void)
		{
			int s = 0;

			for (int i = 0; i < 300; i++)
				s += work(i * 1000) + rest(i * 300);
			return s == 1;
		}
		EOF
	} >prog.c && gcc -O1 -DNUMBER="${3:-1}" -Wl,--build-id=sha1 -o prog prog.c && perf record -q -e cpu-clock:u -F 4000 -o prog.data ./prog &&
		id=$(readelf -n prog | sed -n "s/.*Build ID: //p") && file=$kept/${id%"${id#??}"}/${id#??}.symbols
}
report() { perf report --stdio -i prog.data 2>err && test ! -s err; }
same() { report >our && test_cmp want our; }
# written: whether the file was written since it was last asked
written()
{
	local now=

	test ! -f "$file" || now=$(stat -c %i.%y "$file")
	test "$now" != "$was" && was=$now
}
was=

test_expect_success 'the second report says what the first did, from what that has kept, and so does one without' '
	build _ZN3app4workEi _ZN3app4restEi && report >want && grep "app::work" want && grep "app::rest" want && written && test -s "$file" &&
	same && ! written && perf config cache.symbols=false && same && rm "$file" && same && test ! -e "$file" && perf config cache.symbols=true &&
	perf script -F ip,sym,symoff -i prog.data >first && written && perf script -F ip,sym,symoff -i prog.data >second && test_cmp first second
'
test_expect_success 'names are not those that were kept when they are shown as they are in the object' '
	perf report --stdio --no-demangle -i prog.data >out && grep " _ZN3app4workEi" out && same
'
test_expect_success 'a damaged file is written again' '
	same && cp "$file" saved && printf x | dd of="$file" bs=1 seek=2000 conv=notrunc 2>dd.err && same && cmp saved "$file" &&
	head -c 3000 saved >"$file" && same && cmp saved "$file" && : >"$file" && same && cmp saved "$file" &&
	rm "$file" && mkdir "$file" && same && rmdir "$file" && same && cmp saved "$file"
'
test_expect_success 'another program in its place' '
	cp prog first-prog && cp prog.data first.data && first=$file &&
	build _ZN3app4restEi _ZN3app4workEi 2 && test "$file" != "$first" && test -s "$first" && report >other &&
	awk "/app::/ { print \$NF; exit }" other >hottest && echo app::rest >expected && test_cmp expected hottest && test -s "$file" &&
	report >again && test_cmp other again &&
	mv first-prog prog && mv first.data prog.data && file=$first && same
'
# Linkers leave names out of what they make the build-id of.
test_expect_success 'the same code with other names' '
	cp prog first-prog && cp prog.data first.data && build _ZN3app4restEi _ZN3app4workEi && report >our && perf config cache.symbols=false &&
	report >other && perf config cache.symbols=true && test_cmp other our && report >again && test_cmp other again &&
	mv first-prog prog && mv first.data prog.data && file=$first && same
'
test_expect_success 'several at once' '
	rm -rf "$kept" && for i in 1 2 3 4 5 6; do report >our.$i & done && wait &&
	for i in 1 2 3 4 5 6; do test_cmp want our.$i || return; done && cmp saved "$file" && ! ls -a $kept/* | grep part
'
test_expect_success 'nothing is said where nothing can be kept' '
	rm -rf "$kept" && : >"$kept" && same && test -f "$kept" && rm "$kept" && perf config cache.dir=/dev/null/x && same && perf config cache.dir=$kept
'
test_expect_success TMPFS 'nor on a full disk' '
	mkdir -p full && mount -t tmpfs -o size=16k none full && perf config cache.dir=$PWD/full && same && same; ret=$?; find full -type f >left; umount full
	perf config cache.dir=$kept && test $ret = 0 && test ! -s left
'
test_expect_success 'symbols of the running kernel are kept, but not where it is' '
	perf record -q -B -e cpu-clock -F 2000 -o kernel.data dd if=/dev/zero of=/dev/null bs=64k count=4000 2>dd.err &&
	perf script -F ip,sym,symoff -i kernel.data >first &&
	perf report --stdio -i kernel.data >kernel.want && ls $kept/*/*.kernel >list &&
	test_line_count = 1 list &&
	! grep -ai "$(sed -n "s/ T _text$//p;T;q" /proc/kallsyms)" "$(cat list)" && perf script -F ip,sym,symoff -i kernel.data >second &&
	test_cmp first second && perf report --stdio -i kernel.data >kernel.our && test_cmp kernel.want kernel.our && perf config cache.symbols=false &&
	perf script -F ip,sym,symoff -i kernel.data >second && test_cmp first second && perf config cache.symbols=true &&
	printf x | dd of="$(cat list)" bs=1 seek=3000 conv=notrunc 2>dd.err &&
	perf script -F ip,sym,symoff -i kernel.data >second && test_cmp first second && grep -q + first
'
test_expect_success 'it is removed with the rest of what copies of programs are kept for' '
	same && test -s "$file" && mkdir -p $kept/01 && : >$kept/01/notes && perf buildid-cache --purge-all &&
	test ! -e "$file" && test -e $kept/01/notes && same && test -s "$file"
'
test_done
