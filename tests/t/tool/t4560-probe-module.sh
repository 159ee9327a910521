#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf probe of the files of kernel modules: functions, lines, variables, sections, compression, debug files'
. "$(dirname "$0")/../../lib/tap.sh"

# The file is a relocatable object as those of modules are, with code in several sections. It has no
# .eh_frame, as the kernel has none.
cat >t4560.c <<\E
struct item { int id; const char *name; struct item *next; unsigned long long flags; };
struct item *t4560_list;
static int counted;
__attribute__((noinline, noclone)) static int t4560_weigh(struct item *it, int n)
{
	int sum = it->id + n;

	if (it->next)
		sum += it->next->id * 3;
	return sum;
}
static inline __attribute__((always_inline)) int t4560_twice(int k)
{
	counted += k;
	return k * 2;
}
int t4560_entry(struct item *it, int n);
int t4560_entry(struct item *it, int n)
{
	volatile char buf[16] = "on the stack";
	int local = t4560_twice(n);

	t4560_list = it;
	buf[n & 15] = 1;
	local += t4560_weigh(it, local);
	return local + buf[3];
}
__attribute__((section(".text.unlikely"))) int t4560_cold(struct item *it);
__attribute__((section(".text.unlikely"))) int t4560_cold(struct item *it)
{
	counted++;
	return it->id;
}
__attribute__((section(".init.text"))) int t4560_start(int flag);
__attribute__((section(".init.text"))) int t4560_start(int flag)
{
	counted = flag;
	return t4560_twice(flag) > 3;
}
/* gcc splits off the part that is cold, and puts it back into the function as a copy of it. */
extern int t4560_tell(const char *) __attribute__((cold));
extern int t4560_ask(struct item *, long, struct item **);
static int t4560_block(struct item *it, long n, struct item *to, int create)
{
	int ret;

	if (create) {
		t4560_tell(__func__);
		return -30;
	}
	ret = t4560_ask(it, n, &to);
	return ret < 0 ? ret : 0;
}
int t4560_map(struct item *it, long n);
int t4560_map(struct item *it, long n)
{
	struct item dummy = { 0, 0, 0, 1 };

	return t4560_block(it, n, &dummy, 0) ? 0 : (int)dummy.flags;
}
int (*const t4560_table[])(struct item *, long, struct item *, int) = { t4560_block };
__attribute__((section(".modinfo"), used)) static const char info[] = "name=t4560_mod\0license=GPL";
__attribute__((section(".gnu.linkonce.this_module"), used)) static char this_module[256] = { [24] = 't', '4', '5', '6', '0', '_', 'm', 'o', 'd' };
E
test_lazy_prereq MODULE 'needs a C compiler for x86-64 with debug information' '
	cd cwd && test "$(uname -m)" = x86_64 && ${CC:-gcc} -g -O2 -fno-asynchronous-unwind-tables -fno-pic -mcmodel=kernel -Wl,--build-id -c -o t4560-mod.o t4560.c &&
	ld -r --build-id -o t4560-mod.ko t4560-mod.o
'
# line_of TEXT: the number of the line of the source that has it.
line_of() { grep -n -F -- "$1" t4560.c | head -n 1 | cut -d: -f1; }

test_expect_success MODULE 'functions of all sections, by their names' '
	perf probe -m ./t4560-mod.ko -F >all && grep -v "block\|map" all >out &&
	printf "t4560_cold\nt4560_entry\nt4560_start\nt4560_weigh\n" >want && test_cmp want out &&
	perf probe -m ./t4560-mod.ko -D t4560_entry -D t4560_cold -D t4560_start%return -D "t4560_weigh+4 a=%di" >out && cat >want <<-E && test_cmp want out
	p:probe/t4560_entry t4560_mod:t4560_entry+0
	p:probe/t4560_cold t4560_mod:t4560_cold+0
	r:probe/t4560_start__return t4560_mod:t4560_start+0
	p:probe/t4560_weigh t4560_mod:t4560_weigh+4 a=%di
	E
'
test_expect_success MODULE 'lines: of a function, of the file, inlined copies in two sections' '
	perf probe -m ./t4560-mod.ko -D t4560_entry:5 -D "t4560.c:$(line_of "t4560_list = it")" >out && test_line_count = 2 out &&
	test "$(sed -n "1s/.* //p" out)" = "$(sed -n "2s/.* //p" out)" && test_grep "^p:probe/t4560_entry_L5 t4560_mod:t4560_entry+[1-9][0-9]*$" out &&
	perf probe -m ./t4560-mod.ko -D t4560_twice >out && test_grep "t4560_mod:t4560_entry+" out && test_grep "t4560_mod:t4560_start+" out &&
	perf probe -m ./t4560-mod.ko -D t4560_block >out && test_line_count = 2 out && test_grep "t4560_mod:t4560_block+0$" out && test_grep "t4560_mod:t4560_map+" out
'
test_expect_success MODULE 'variables: registers, members through pointers, the stack, those outside of functions' '
	perf probe -m ./t4560-mod.ko -D "t4560_weigh n name=it->name:string id=it->next->id it->flags" >out &&
	test_grep "n=%si:s32 name=+0(+8(%di)):string id=+0(+16(%di)):s32 flags=+24(%di):x64$" out &&
	perf probe -m ./t4560-mod.ko -D "t4560_entry:5 buf" >out && test_grep "buf=[+-][0-9]*(%sp)" out &&
	perf probe -m ./t4560-mod.ko -V t4560_weigh >out && test_grep "int	n$" out && test_grep "struct item\*	it$" out &&
	perf probe -m ./t4560-mod.ko -L t4560_weigh >out && test_grep "<t4560_weigh@.*/t4560.c:0>" out && test_grep "^ *4[[:blank:]]*if (it->next)$" out
'
test_expect_success MODULE,REFERENCE 'as the reference' '
	n=0
	while read -r d; do
		"$REF" probe -q -m ./t4560-mod.ko -D "$d" >ref 2>/dev/null || continue
		perf probe -q -m ./t4560-mod.ko -D "$d" >our 2>err || { cat err; return 1; }
		test_cmp ref our || { echo "$d"; return 1; }
		n=$((n + 1))
	done <<-\E
	t4560_entry
	t4560_weigh
	t4560_weigh n
	t4560_weigh it->id it->name:string
	t4560_weigh it->next->id
	t4560_cold it->flags
	t4560_weigh%return $retval
	t4560_weigh:4
	t4560_entry:5
	t4560_entry+8
	t4560_block
	E
	echo "compared: $n" && test $n -ge 5
'
test_expect_success MODULE 'compressed files, and a debug file by the build-id' '
	want=$(perf probe -m ./t4560-mod.ko -D "t4560_weigh:2 n") && test -n "$want" && mkdir -p packed root/usr/lib/debug/.build-id && for z in xz gzip:gz zstd:zst; do
		command -v "${z%:*}" >/dev/null || continue
		"${z%:*}" -q -c t4560-mod.ko >"packed/t4560-mod.ko.${z#*:}" &&
		test "$(perf probe -m "packed/t4560-mod.ko.${z#*:}" -D "t4560_weigh:2 n")" = "$want" || return 1
	done &&
	mkdir -p bare && objcopy --compress-debug-sections=zlib t4560-mod.ko packed/t4560-mod.ko &&
	test "$(perf probe -m packed/t4560-mod.ko -D "t4560_weigh:2 n")" = "$want" &&
	objcopy --strip-debug t4560-mod.ko bare/t4560-mod.ko &&
	test_must_fail perf probe -m bare/t4560-mod.ko -D "t4560_weigh:2" >out 2>err &&
	test_line_count = 0 out &&
	test_grep "bare/t4560-mod.ko has no debug information" err && perf probe -m bare/t4560-mod.ko -D t4560_cold >out && test_grep "t4560_mod:t4560_cold+0" out &&
	id=$(readelf -n t4560-mod.ko | sed -n "s/.*Build ID: //p") && mkdir -p "root/usr/lib/debug/.build-id/${id:0:2}" &&
	objcopy --only-keep-debug t4560-mod.ko "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" &&
	test "$(perf probe --symfs "$PWD/root" -m bare/t4560-mod.ko -D "t4560_weigh:2 n")" = "$want" &&
	perf probe --symfs "$PWD/root" -m bare/t4560-mod.ko -D "t4560_entry:5 buf" >out && test_grep "buf=[+-][0-9]*(%sp)" out
'
test_expect_success MODULE 'below --symfs: the module, and its debug file of the same path' '
	want=$(perf probe -m ./t4560-mod.ko -D "t4560_weigh:2 n") && dir=lib/modules/t4560/kernel && mkdir -p "tree/$dir" "tree/usr/lib/debug/$dir" &&
	objcopy --strip-debug t4560-mod.ko "tree/$dir/t4560-mod.ko" && objcopy --only-keep-debug t4560-mod.ko "tree/usr/lib/debug/$dir/t4560-mod.ko" &&
	test "$(perf probe --symfs "$PWD/tree" -m "/$dir/t4560-mod.ko" -D "t4560_weigh:2 n")" = "$want"
'
test_expect_success MODULE 'below --symfs with the layout flat: a module, a program, and what another layout is' '
	want=$(perf probe -m ./t4560-mod.ko -D "t4560_weigh:2 n") && mkdir flat && cp t4560-mod.ko flat/ &&
	test "$(perf probe --symfs "$PWD/flat,flat" -m /lib/modules/t4560/kernel/t4560-mod.ko -D "t4560_weigh:2 n")" = "$want" &&
	echo "int main(int n, char **v) { return n > 99; }" >t4560-prog.c && "${CC:-cc}" -g -Wl,--build-id=sha1 -o t4560-prog t4560-prog.c &&
	objcopy --only-keep-debug t4560-prog t4560-prog.debug && objcopy --strip-debug --add-gnu-debuglink=t4560-prog.debug t4560-prog flat/t4560-prog &&
	test_must_fail perf probe --symfs "$PWD/flat,flat" -x /opt/t4560-prog -D "main n" 2>err &&
	mv t4560-prog.debug flat/ &&
	perf probe --symfs "$PWD/flat,flat" -x /opt/t4560-prog -D "main n" >out &&
	test_grep "^p:probe_t4560/main /opt/t4560-prog:0x[0-9a-f]* n=.*:s32$" out &&
	test_must_fail perf probe --symfs "$PWD/flat,round" -m t4560-mod.ko -D t4560_weigh 2>err && test_grep "round.* is no layout" err
'
# A module of the machine with its debug information: places of all functions, by both perfs.
real=$(find /usr/lib/debug/lib/modules -name "*.ko" -o -name "*.ko.debug" -size +200k 2>/dev/null | sort | head -n 1)
test_lazy_prereq REAL_MODULE 'needs debug information of kernel modules below /usr/lib/debug' 'test -n "$real"'
test_expect_success REAL_MODULE,REFERENCE 'a module of the machine, as the reference' '
	perf probe -m "$real" -F >functions && n=0 same=0 &&
	for f in $(head -n 40 functions); do
		"$REF" probe -q -m "$real" -D "$f" >ref 2>/dev/null || continue
		n=$((n + 1)) && perf probe -q -m "$real" -D "$f" >our 2>/dev/null && cmp -s ref our && same=$((same + 1)) || diff ref our
	done
	echo "the same: $same of $n" && test $n -gt 0 && test $((same * 10)) -ge $((n * 8))
'
test_expect_success MODULE 'what is no module, and what a module does not have' '
	test_must_fail perf probe -m /bin/true -D main 2>err && test_grep "a program, not a module" err &&
	test_must_fail perf probe -m ./t4560.c -D main 2>err && test_grep "is not an ELF file" err &&
	test_must_fail perf probe -m ./nosuch.ko -D main 2>err && test_grep "No such file" err &&
	test_must_fail perf probe -m ./t4560-mod.ko -D t4560_wiegh 2>err && test_grep "Did you mean t4560_weigh?" err
'
test_done
