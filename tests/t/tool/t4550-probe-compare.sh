#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='perf probe -D of a table of definitions, compared with the reference (all of them with LONG=1)'
. "$(dirname "$0")/../../lib/tap.sh"

cat >t4550.c <<\E
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; char name[12]; struct item *next; };
int total;
static inline __attribute__((always_inline)) int weigh(const struct item *i) { return i->key * 3 + total; }
__attribute__((noinline, noipa)) static int add_item(struct item **list, int key, const char *name)
{
	struct item *i = malloc(sizeof(*i));

	if (!i)
		return 0;
	i->key = key;
	strncpy(i->name, name, sizeof(i->name) - 1);
	i->next = *list;
	*list = i;
	total += weigh(i);
	return total;
}
__attribute__((noinline, noipa)) int add_cold(int k) { return k + total; }
__attribute__((noinline, noipa)) int add_all(int n)
{
	struct item *list = NULL;
	int sum = 0;

	for (int k = 0; k < n; k++) {
		sum += add_item(&list, k, "an item");
		if (k > 1000)
			sum += add_cold(k);
	}
	for (struct item *i = list; i; i = i->next)
		sum += weigh(i);
	return sum;
}
int main(int argc, char **argv)
{
	printf("%d %s\n", add_all(argc + 3), argv[0]);
	return 0;
}
E
cat >t4550.cc <<\E
#include <cstdio>
namespace shop { struct box { int w; box(int k) : w(k) {} virtual ~box(); virtual int open(int k); }; int count(const box &b); }
__attribute__((noinline)) shop::box::~box() { w = 0; }
__attribute__((noinline)) int shop::box::open(int k) { return w += k; }
__attribute__((noinline)) int shop::count(const box &b) { return b.w * 2; }
template <class T> __attribute__((noinline)) T twice(T k) { return k + k; }
int main(int argc, char **) { shop::box b(argc); b.open(3); printf("%d %d %g\n", shop::count(b), twice(argc), twice(argc + 0.5)); }
E
libc=$(ldd /bin/true | sed -n 's/.*libc\.so[^ ]* => \([^ ]*\).*/\1/p')
# Lines are those that the reference does not refuse (see differences.md). Places, each with what may go in front of it and behind it.
places() {
	echo 'add_item add_all main weigh add_cold add_item+4 add_all+1 add_* *_all m*n add_item%return add_all%return add_item:0 add_item:3 add_item:5 add_item:8
		add_all:3 add_all:6 add_all:99 t4550.c:13 t4550.c:31 t4550.c:2 t4550.c:9999 nothing no_* add_all+99999 add_item@t4550.c add_item@other.c' | tr ' ' '\n' | sed '/^\t*$/d; s/\t//g'
}
table() {
	for p in $(places); do
		echo "$p"
		echo "mine=$p"
		echo "grp:mine=$p %di:s32"
		case $p in *return) echo "$p \$retval:s32" ;; *) echo "$p one=%si:x64 two=+8(%di):u32 \$stack1" ;; esac
	done
}
# compare PROGRAM [CHANGE] <definitions: the same lines in any order, and both succeed or fail. Which of
# several addresses has which number is not compared, nor what CHANGE, of sed, takes away.
compare() {
	local n=0 d rc
	while read -r d; do
		"$REF" probe -q -x "$1" -D "$d" >ref 2>/dev/null; rc=$?
		perf probe -q -x "$1" -D "$d" >ours 2>/dev/null; test $((rc > 0)) = $(($? > 0)) || { echo "$d: exit status of the reference $rc"; return 1; }
		for f in ref ours; do sed -E "s,/(mine|[a-z_]*)_[0-9]+ ,/\\1 ,; $2" $f | sort >$f.sorted; done; test_cmp ref.sorted ours.sorted || { echo "$d"; return 1; }
		n=$((n + 1))
	done
	test $n -gt 3
}
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && for o in 0 2; do ${CC:-gcc} -g -O$o -o prog.$o t4550.c || exit 1; done && perf probe -x prog.0 -D add_all:6 | grep -q add_all_L6
'
for o in 0 2; do
	test_expect_success PROGRAM,REFERENCE "-D of a C program, -O$o" "table | sampled 9 | compare prog.$o"
	test_expect_success PROGRAM,REFERENCE "-F of a C program, -O$o" "
		perf probe -x prog.$o -F 'add_*|main' >ours && \"\$REF\" probe -x prog.$o -F 'add_*|main' | LC_ALL=C sort -u >ref && LC_ALL=C sort -u ours >sorted && test_cmp ref sorted
	"
done
test_expect_success PROGRAM,REFERENCE '-D of a C++ program: addresses' '
	${CXX:-g++} -g -O1 -o prog.cc t4550.cc || return 0
	for d in _ZN4shop3box4openEi _ZN4shop5countERKNS_3boxE main "main:0" t4550.cc:5 _Z5twiceIiET_S0_ "open k=%si"; do echo "$d"; done | compare prog.cc "s,/[^ ]* ,/ ,"
'
test_expect_success PROGRAM,REFERENCE '-D of a library' '
	for d in malloc malloc%return puts _IO_puts "puts +0(%di):string" "e=fopen+4" "l:fclose=fclose" qsort "pthread_create%return \$retval" getenv setenv \
		strtol realloc+1 nothing_of_it "mem*"; do echo "$d"; done | sampled 3 | compare "$libc"
'
test_done
