#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 1 of 4
test_description='lines and inlined functions are the same in every form that debug information has'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq CLANG 'no clang' 'command -v clang'
test_lazy_prereq DWP 'no llvm-dwp' 'command -v llvm-dwp && command -v clang'
test_lazy_prereq DWZ 'no dwz' 'command -v dwz'
test_lazy_prereq ADDR2LINE 'no eu-addr2line or llvm-addr2line' 'command -v eu-addr2line || command -v llvm-addr2line'
"$PERF" version --build-options | grep -q "libelf: \[ on" || test_skip_all 'built without libelf'
test_require PERF_EVENTS,GCC

# Without build-ids a program is replaced by one that has the same code and other debug information.
compile() { "$1" -O2 -fno-omit-frame-pointer -Wl,--build-id=none "${@:2}"; }
# shown FOLDER: what samples show when the program is that below FOLDER, without the way to its source
shown()
{
	perf script --inline -F ip,sym,srcline --symfs "$1" -i prog.data 2>err | sed 's, /[^ ]*/, ,; s/^ *//'
}
same() { shown "$1" >our && test_cmp "${2:-plain}" our; }

test_expect_success 'a program of two files, with functions in each other' '
	cat >one.c <<-\EOF &&
	#include "in.h"
	int two(int n);
	static __attribute__((noinline)) int one(int n)
	{
		int r = middle(n);

		return r + two(n);
	}
	int main(void)
	{
		int s = 0;

		for (int i = 0; i < 300; i++)
			s += one(i * 500);
		return s == 1;
	}
	EOF
	cat >two.c <<-\EOF &&
	#include "in.h"
	int two(int n)
	{
		int k = 0;

		for (int i = 0; i < 2; i++) {
			int r = middle(n - i);

			k += r;
		}
		return k + leaf(n / 2);
	}
	EOF
	cat >in.h <<-\EOF &&
	static inline __attribute__((always_inline)) int leaf(int n)
	{
		volatile int x = 0;

		while (n-- > 0)
			x = x + n;
		return x;
	}
	static inline __attribute__((always_inline)) int middle(int n)
	{
		return leaf(n) + 1;
	}
	EOF
	compile gcc -gdwarf-5 -o prog one.c two.c && perf record -q -g -e cpu-clock:u -F 4000 -o prog.data ./prog &&
	mkdir -p plain.d$PWD && cp prog plain.d$PWD && shown plain.d >plain &&
	grep -q "^in.h:[0-9]* (inlined)$" plain && grep -q "^two.c:[0-9]*$" plain
'
# sampled FOLDER: the functions at sampled addresses of the program, one address a line, innermost function first
sampled()
{
	shown "$1" | awk '!NF { all = ""; n = 0; next } NF > 1 && !/\(inlined\)$/ { at = $1; name = $2; next } n { next }
		{ all = all " " name " " $1 } !/\(inlined\)$/ { n = 1; if (name ~ /^(one|two|main)$/) print at all }' | sort -u
}
# other_readers PROGRAM FOLDER: they say the same as we do when the program is that below FOLDER
other_readers()
{
	local tool

	sampled "$2" >our && test -s our && cut -d" " -f1 our | sed "s/^/0x/" >addrs || return
	for tool in eu-addr2line llvm-addr2line; do
		command -v $tool >/dev/null || continue
		$tool -i -f -a -e "$1" <addrs | sed "s/ inlined at .*//; s,.*/,,; s/ (discriminator.*//; s/\(:[0-9]*\):[0-9]*$/\1/" |
			awk '/^0x/ { if (all) print all; sub(/^0x0*/, ""); all = $0; next } { all = all " " $0 } END { print all }' | sort -u >want
		test_cmp want our || { test_say "$tool"; return 1; }
	done
}
test_expect_success ADDR2LINE 'other readers say the same of each sampled address' '
	other_readers prog plain.d && grep -q "leaf in.h:[0-9]* middle in.h:11 two two.c:7$" our
'
# In lists of ranges before version 5 this compiler leaves out what starts with an empty range.
for version in 2 3 4; do
	test_expect_success "DWARF $version" '
		mkdir -p old$PWD && compile gcc -gdwarf-$version -o old$PWD/prog one.c two.c &&
		if test -s plain4; then same old plain4; else shown old >plain4 && grep -q "(inlined)" plain4; fi
	'
done
test_expect_success ADDR2LINE 'other readers say the same of DWARF 4' '
	other_readers old$PWD/prog old
'
for form in gdwarf64 gz=zlib gz=zlib-gnu fdebug-types-section; do
	test_expect_success "gcc -$form" '
		mkdir -p v$PWD && compile gcc -gdwarf-5 -$form -o v$PWD/prog one.c two.c 2>err &&
		cmp <(objcopy -O binary -j .text prog /dev/stdout) <(objcopy -O binary -j .text v$PWD/prog /dev/stdout) && same v
	'
done
for version in 4 5; do
	test_expect_success "split into other files, DWARF $version" '
		want=plain && test $version = 5 || want=plain4 &&
		mkdir -p split$PWD && (cd split$PWD && cp $OLDPWD/*.[ch] . && compile gcc -gdwarf-$version -gsplit-dwarf -o prog one.c two.c) &&
		ls split$PWD/*.dwo && same split $want && rm -rf moved && mkdir moved && mv split/* moved && same moved $want &&
		rm moved$PWD/*.dwo && HOME=$PWD/none shown moved >our && ! grep -q "(inlined)" our && grep -q "^in.h:" our
	'
done
test_expect_success CLANG,DWP 'files of split information in one package' '
	mkdir -p clang$PWD package$PWD && (cd clang$PWD && cp $OLDPWD/*.[ch] . && compile clang -gdwarf-5 -o prog one.c two.c) &&
	(cd package$PWD && cp $OLDPWD/*.[ch] . && compile clang -gdwarf-5 -gsplit-dwarf -o prog one.c two.c && llvm-dwp -e prog -o prog.dwp && rm *.dwo) &&
	cp clang$PWD/prog . && perf record -q -g -e cpu-clock:u -F 4000 -o prog.data ./prog && shown clang >want &&
	grep -q "(inlined)" want && same package want
'
test_expect_success CLANG 'without a list of addresses, and in the order of another compiler' '
	test ! -s want || { mkdir -p four$PWD && compile clang -gdwarf-4 -fuse-ld=bfd -o four$PWD/prog one.c two.c && same four want; }
'
test_expect_success DWZ 'what two files have in common in a third' '
	compile gcc -gdwarf-4 -o prog one.c two.c && perf record -q -g -e cpu-clock:u -F 4000 -o prog.data ./prog &&
	mkdir -p before$PWD after$PWD && cp prog before$PWD && cp prog after$PWD/prog && cp prog after$PWD/other && shown before >want && grep -q "(inlined)" want &&
	(cd after$PWD && dwz -m common prog other && test -s common) && readelf -SW after$PWD/prog | grep gnu_debugaltlink && same after want
'
test_done
