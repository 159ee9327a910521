#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='source lines and inlined functions are kept on disk: taken from there, and done without'
. "$(dirname "$0")/../../lib/tap.sh"
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC
test_lazy_prereq TMPFS 'no right to mount' 'mkdir m && mount -t tmpfs none m && umount m'

kept=$HOME/.debug/.cache
lines() { perf script --inline -F ip,sym,srcline -i prog.data "$@" 2>err && test ! -s err; }
same() { lines "$@" >our && test_cmp want our; }

test_expect_success 'what a report has found is kept by build-id' '
	cat >prog.c <<-\EOF &&
	static inline __attribute__((always_inline)) int leaf(int n)
	{
		volatile int x = 0;

		while (n-- > 0)
			x = x + n;
		return x;
	}
	int main(void)
	{
		int s = 0;

		for (int i = 0; i < 300; i++)
			s += leaf(i * 1000);
		return s == 1;
	}
	EOF
	gcc -O2 -g -fno-omit-frame-pointer -Wl,--build-id=sha1 -o prog prog.c && perf record -q -g -e cpu-clock:u -F 4000 -o prog.data ./prog &&
	id=$(readelf -n prog | sed -n "s/.*Build ID: //p") && file=$kept/${id%"${id#??}"}/${id#??}.lines &&
	lines >want && grep -q "prog.c:6 (inlined)$" want && test -s "$file" && same
'
test_expect_success 'and taken when there is no other way to know it' '
	cp prog whole && strip -g prog && perf script --no-inline -F ip,sym -i prog.data >/dev/null 2>err && test ! -s err && same &&
	perf report --stdio --inline -i prog.data --no-children -s sym -g caller >out 2>err && grep "leaf (inlined)" out &&
	perf report --stdio -i prog.data -s srcline -g none >out 2>err && grep "prog.c:[56] *$" out
'
without() { lines >our && ! grep -q prog.c our; }
test_expect_success 'not when the configuration says so, or the file is damaged' '
	perf config cache.lines=false && without && perf config cache.lines=true && same &&
	perf config cache.dir=$PWD/elsewhere && without && perf config cache.dir=$kept && same &&
	cp "$file" saved && printf x | dd of="$file" bs=1 seek=80 conv=notrunc 2>err && without &&
	head -c 100 saved >"$file" && without && : >"$file" && without && rm "$file" && mkdir "$file" && without && rmdir "$file"
'
test_expect_success 'a damaged file is replaced' '
	cp whole prog && head -c 90 saved >"$file" && same && cp "$file" again && strip -g prog && same
'
test_expect_success 'several at once' '
	cp whole prog && rm -rf "$kept" &&
	for i in 1 2 3 4 5 6; do lines >our.$i & done && wait &&
	for i in 1 2 3 4 5 6; do test_cmp want our.$i || return; done && strip -g prog && same && ! ls -a $kept/* | grep part
'
test_expect_success 'nothing is said where nothing can be kept' '
	cp whole prog && rm -rf "$kept" && : >"$kept" && same && test -f "$kept" && rm "$kept" &&
	perf config cache.dir=/dev/null/x && same && perf config cache.dir=$kept
'
test_expect_success TMPFS 'nor on a full disk' '
	mkdir -p full && mount -t tmpfs -o size=8k none full && perf config cache.dir=$PWD/full && same && same; ret=$?; find full -type f >left; umount full
	perf config cache.dir=$kept && test $ret = 0 && ! grep part left
'
test_expect_success 'what was not used for long goes when there is too much' '
	mkdir -p $kept/01 && head -c 300000 /dev/zero >$kept/01/23.lines && touch -d "3 days ago" $kept/01/23.lines && : >$kept/01/notes &&
	perf config cache.size=200k && same && test ! -e $kept/01/23.lines && test -e $kept/01/notes && test -s "$file"
'
test_done
