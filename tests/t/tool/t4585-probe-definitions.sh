#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='perf probe -D, -L, -V and -F of a long table of definitions, compared with the reference (all of them with LONG=1)'
. "$(dirname "$0")/../../lib/tap.sh"

cat >t4585.c <<\E
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
typedef struct { struct point at; unsigned int width; const char *label; } box_t;
union any { long number; char letters[8]; };
struct node {
	struct node *left, *right;
	box_t box;
	union any any;
	unsigned char kind;
	short sizes[3];
};
static struct node *root;
unsigned long visited;
int limit = 50;
const char *title = "a title";

static inline __attribute__((always_inline)) int area(const box_t *b)
{
	int w = (int)b->width;

	return w * b->at.y + limit;
}
__attribute__((noinline, noipa)) struct node *grow(int x, const char *label, unsigned char kind)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		abort();
	n->box.at.x = x;
	n->box.at.y = x * 2;
	n->box.width = (unsigned int)x + 3;
	n->box.label = label;
	n->kind = kind;
	for (int i = 0; i < 3; i++)
		n->sizes[i] = (short)(x - i);
	return n;
}
__attribute__((noinline, noipa)) static void put(struct node **to, struct node *n)
{
	while (*to) {
		struct node *here = *to;

		visited++;
		to = n->box.at.x < here->box.at.x ? &here->left : &here->right;
	}
	*to = n;
}
__attribute__((noinline, noipa)) long walk(const struct node *n, int depth, long *most)
{
	long sum = 0;

	if (!n || depth > limit)
		return 0;
	sum = area(&n->box);
	if (sum > *most)
		*most = sum;
	sum += walk(n->left, depth + 1, most);
	sum += walk(n->right, depth + 1, most);
	return sum;
}
__attribute__((noinline, noipa)) int choose(int what, struct point p)
{
	switch (what) {
	case 0:
		return p.x;
	case 1:
		return p.y;
	case 2: {
		int both = p.x + p.y;

		printf("%d\n", both);
		return both * what;
	}
	default:
		return -1;
	}
}
int main(int argc, char **argv)
{
	long most = 0;
	char text[16] = "";

	for (int i = 0; i < argc + 9; i++)
		put(&root, grow((i * 37) % 11, argv[0], (unsigned char)i));
	snprintf(text, sizeof(text), "%ld", walk(root, 0, &most));
	printf("%s %s %d\n", title, text, choose(argc, root->right ? root->right->box.at : root->box.at));
	return most == 0;
}
E
cat >t4585.cc <<\E
#include <cstdio>
namespace shop {
enum class state { open, closed };
struct item { int price; const char *name; };
class stock {
public:
	explicit stock(int n) : size(n), when(state::open) { for (int i = 0; i < n; i++) { items[i].price = i * 3; items[i].name = "thing"; } }
	virtual ~stock();
	virtual int total(int percent) const;
	void close();
	int size;
	state when;
	item items[8];
};
stock::~stock() { size = 0; }
__attribute__((noinline)) int stock::total(int percent) const
{
	int sum = 0;

	for (int i = 0; i < size; i++)
		sum += items[i].price * percent;
	return sum / 100;
}
__attribute__((noinline)) void stock::close()
{
	when = state::closed;
}
}
template <class T> __attribute__((noinline)) T larger(const T &a, const T &b)
{
	return a > b ? a : b;
}
static shop::stock *kept;
__attribute__((noinline)) int visit(shop::stock &s, int k)
{
	int got = s.total(k);

	kept = &s;
	s.close();
	return larger(got, k);
}
int main(int argc, char **)
{
	shop::stock s(argc + 3);

	printf("%d %g\n", visit(s, argc * 50), larger(1.5, argc * 1.0));
	return kept->size == 0;
}
E

# ---- the tables: a letter of the verb and what it is asked ----
of_functions() {
	local f l
	for f in "$@"; do
		for l in "D|$f" "D|$f%return" "D|$f%return \$retval" "D|e=$f+4 %di" "D|$f@t4585.c" \
			"D|$f \$params" "L|$f" "L|$f:1-4" "L|$f:3+2" "V|$f" "V|$f%return" "F|$f"; do
			echo "$l"
		done
	done
}
of_lines() {
	local f l
	for f in "$@"; do
		for l in 0 2 4 5 6 7 8 9 12 40; do printf 'D|%s:%d\nV|%s:%d\n' "$f" "$l" "$f" "$l"; done
	done
}
table_c() {
	of_functions grow put walk choose main
	of_lines grow put walk choose main
	printf '%s\n' 'D|area' 'L|area' 'V|area' 'D|*' 'D|w*k' 'D|nothing' 'L|nothing' 'V|nothing' \
		'D|t4585.c:36' 'D|t4585.c:59' 'D|t4585.c:1' 'L|t4585.c' 'L|t4585.c:30-60' 'L|t4585.c:9999' \
		'V|t4585.c:59' \
		'D|grow;n->box*' 'D|walk;sum*' 'D|t4585.c;*abort*' 'D|grow x label kind' 'D|grow label:string' \
		'D|grow x:u8 x:s64 x:x16' 'D|grow x:u' 'D|a=grow y=x' 'D|walk n n->kind n->box.at.x' \
		'D|walk n->box.label:string' \
		'D|walk n->left->right->kind' 'D|walk most depth' 'D|walk n->any.number' 'D|walk n->sizes[1]' \
		'D|walk n->nosuch' 'D|walk nosuch' 'D|walk n.kind' 'D|walk depth->x' 'D|walk limit' \
		'D|walk root' 'D|walk title:string' 'D|walk visited' 'D|put to n' \
		'D|put *n' 'D|choose what' 'D|choose p' 'D|choose p.x' 'D|choose p.y' 'D|main argc argv' \
		'D|main argv[0]:string' 'D|put:6 here' 'D|put:6 here->box.width' 'D|walk:7 sum' 'D|walk:3 sum' \
		'D|main text' 'D|main:4 i' 'D|walk $vars' 'D|choose:8 both' 'D|grow+99999' 'D|0x10' 'F|g*' \
		'F|[mpw]*' 'F|!m*&?a*'
}
table_cc() {
	local f
	for f in visit main _ZN4shop5stock5closeEv _ZNK4shop5stock5totalEi; do printf '%s\n' "D|$f" "D|e=$f%return" "D|e=$f+4 %si"; done
	for f in visit main total close larger; do printf '%s\n' "L|$f" "V|$f" "D|e=$f" "L|$f:0-2"; done
	printf '%s\n' 'L|t4585.cc' 'L|t4585.cc:18-30' 'D|t4585.cc:23' 'D|t4585.cc:38' 'V|t4585.cc:38' \
		'D|visit k' 'D|visit s' 'D|visit s->size' 'D|total percent' 'D|total this' \
		'D|total this->size' 'D|visit:2 k' 'D|main argc' 'F|*' 'F|visit'
}
table_libc() {
	local f
	for f in malloc free getenv qsort strtol fopen fclose puts printf setenv; do printf '%s\n' "D|$f" "D|$f%return \$retval" "V|$f" "F|$f"; done
	printf '%s\n' 'D|malloc bytes' 'D|free mem' 'D|getenv name:string' 'D|qsort b n s' \
		'D|fclose fp fp->_flags' 'D|puts str:string' 'D|setenv name:string value:string replace' \
		'D|realloc oldmem bytes' 'D|calloc n elem_size' 'D|nothing_of_it' 'F|str*' 'F|mem*'
}
table_kernel() {
	local f
	for f in vfs_read vfs_write do_sys_openat2 tcp_sendmsg schedule kfree dput; do printf '%s\n' "D|$f" "D|$f%return" "D|e=$f+4" "V|$f" "L|$f:0-8" "D|$f:2"; done
	printf '%s\n' 'D|vfs_read count' 'D|vfs_read file->f_flags file->f_path.dentry->d_name.name:string' \
		'D|vfs_read pos' 'D|tcp_sendmsg size' 'D|tcp_sendmsg sk->__sk_common.skc_state size' \
		'D|do_sys_openat2 dfd filename:string' 'D|do_sys_openat2 how->flags' \
		'D|do_filp_open pathname->name:string' 'D|vfs_write $params' 'D|tcp_sendmsg jiffies' \
		'D|no_such_function' 'D|vfs_read nosuch' 'V|vfs_read:10' 'V|tcp_sendmsg:2' \
		'L|fs/open.c:100-120' 'D|fs/open.c:1225' 'F|vfs_*' 'F|tcp_send*'
}

# ---- what differs on purpose: a pattern of TARGET|VERB|DEFINITION|HOW, and words of Documentation/differences.md. HOW tells
# whether the reference and whether ours knows an answer. ----
cat >accepted <<\E
*|[DV]|*:[0-9]*|no-yes	A line that begins where another line does can be probed
*|L|*|yes-yes	A line that begins where another line does can be probed
*|[DV]|*:[0-9]*|yes-no	A line behind the end of its function is refused
c.*|[DV]|*grow*|no-yes	A function that has parts of its code elsewhere
c.*|D|t4585.c;*|no-yes	A function that has parts of its code elsewhere
c.*|D|\*|yes-yes	A function that has parts of its code elsewhere
libc|D|* *|no-yes	So are functions of libraries that have several names
libc|V|*|yes-yes	calls a pointer to void `void*`
c.*|D|walk $vars|yes-yes	It lists variables that are constants, or have parts in registers
c.*|D|walk *|yes-yes	their place in the file (6.1: `@name`, which the kernel refuses
c.*|D|main text|yes-yes	arrays of `char` as text
c.*|D|choose p.?|no-yes	Members of structures in
c.*|D|put \*n|yes-no	neither a variable nor anything that the kernel fetches
c.*|V|area|yes-yes	In a copy those of
*|V|t4585.c*:*|yes-yes	of a file as it was asked for
c.*|V|*|yes-yes	It lists variables that are constants, or have parts in registers
cc.*|V|main|yes-yes	leaves out parameters without a name
cc.*|V|visit|yes-yes	names references of C++ by what they refer to
cc.*|V|total|yes-yes	It lists variables that are constants, or have parts in registers
cc.*|D|_Z*|yes-yes	named by its symbol of C++
cc.*|D|e=_Z*%return|no-yes	named by its symbol of C++
cc.*|D|*s->size|no-yes	Members of objects of a class can be fetched
*|F|*|yes-yes	lists functions (6.1: variables and labels, too)
kernel|V|*|yes-yes	calls a pointer to void `void*`
E
REASONS=$SRC/Documentation/differences.md

# reason TARGET|VERB|DEFINITION|HOW: print why it may differ.
reason() {
	local pattern words
	while IFS='	' read -r pattern words; do
		# shellcheck disable=SC2254 # it is a pattern
		case $1 in $pattern) echo "$words"; return ;; esac
	done <accepted
	return 1
}
# in_kernel: the places of a kernel as addresses, which are told as FUNCTION+OFFSET or by the distance from _text.
in_kernel() {
	if test -s symbols; then
		awk 'NR == FNR { at[$2] = $1; next } { split($2, place, "+"); if (place[1] in at) $2 = sprintf("%.0f", at[place[1]] + place[2]); print }' symbols -
	else
		cat
	fi
}
# show VERB: what is printed, without what only tells several events of one name apart.
show() {
	case $1 in
	D) in_kernel | sed -E 's,^([pr]:[^ /]*/[A-Za-z_0-9]*[A-Za-z])_[0-9]+ ,\1 ,; s,/[a-z_]*([A-Za-z0-9_]*)_[0-9]+ ,/\1 ,' | LC_ALL=C sort ;;
	F) LC_ALL=C sort -u ;;
	L) sed '1s,^<\(.*@\)\{0\,1\}.*/,<\1,' ;; # the folder may be the one that was given
	*) cat ;;
	esac
}
# compare TARGET OPTION... <table: each definition with both; those that differ have a reason. Counts are added to the file counts.
compare() {
	local target=$1 verb d how same=0 other=0 bad=0
	shift
	while IFS='|' read -r verb d; do
		"$REF" probe -q "$@" "-$verb" "$d" >ref.out 2>/dev/null && how=yes || how=no
		perf probe -q "$@" "-$verb" "$d" >our.out 2>/dev/null && how=$how-yes || how=$how-no
		show "$verb" <ref.out >ref.shown
		show "$verb" <our.out >our.shown
		case $how in
		no-no) same=$((same + 1)) && continue ;;
		yes-yes) test -s our.shown && cmp -s ref.shown our.shown && same=$((same + 1)) && continue ;;
		esac
		if reason "$target|$verb|$d|$how" >why && grep -qF -- "$(cat why)" "$REASONS"; then
			other=$((other + 1))
		else
			bad=$((bad + 1))
			echo "$target -$verb $d: answers of the reference and ours: $how"
			diff ref.shown our.shown | head -n 10
		fi
	done
	echo "$target: $same the same, $other with a reason, $bad without"
	echo "$same $other $bad" >>counts
	test $bad = 0 && test $((same + other)) -gt 0
}
builds='O0-5|-O0 -gdwarf-5
O2-5|-O2 -gdwarf-5
O2-4|-O2 -gdwarf-4
O1-4|-O1 -gdwarf-4
Os-5|-Os -gdwarf-5'
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd &&
	while IFS="|" read -r name flags; do ${CC:-gcc} -g $flags -o c.$name t4585.c || exit 1; done <<<"$builds" &&
	! "$PERF" probe -x ./c.O0-5 -L walk 2>&1 | grep -q "no debug"
'
test_lazy_prereq CXX 'needs a C++ compiler' 'cd cwd && for o in 0 2; do ${CXX:-g++} -g -O$o -o cc.O$o t4585.cc || exit 1; done'
libc=$(ldd /bin/true | sed -n 's/.*libc\.so[^ ]* => \([^ ]*\).*/\1/p')
test_lazy_prereq LIBC 'needs the debug information of the C library' '"$PERF" probe -x "$libc" -V malloc'
vmlinux=${VM_VMLINUX:-$(ls /usr/lib/debug/boot/vmlinux-* 2>/dev/null | head -n 1)}
test_lazy_prereq VMLINUX 'needs the debug information of a kernel and LONG=1' 'test -n "$LONG" && test -e "$vmlinux"'

while IFS='|' read -r name _; do
	test_expect_success PROGRAM,REFERENCE "a C program, $name" "table_c | sampled 25 | compare c.$name -x ./c.$name"
done <<<"$builds"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'
test_lazy_prereq X86 'names what compilers for x86 make' 'test "$(uname -m)" = x86_64'
group=t4585_$$
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "$group:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT
test_expect_success PROGRAM,UPROBES,X86 'where it differs ours is right: the values are those that the program has' '
	for b in O2-5 ${LONG:+O0-5 O1-4 O2-4}; do
		cp c.$b run && perf probe -q -x ./run -a "$group:grown=grow x label:string" -a "$group:walked=walk limit visited title:string root->box.width" \
			-a "$group:chosen=choose what p.x p.y" -a "$group:met=put:5 here->box.at.x n->box.at.x" &&
		perf record -q -o data -e "$group:*" ./run >printed && perf script -i data >out && clean && test_grep "^a title 1460 8$" printed || return 1
		test "$(sed -n "s/.*grown: .* x=\([0-9]*\) label_string=\"\.\/run\"$/\1/p" out | tr "\n" " ")" = "0 4 8 1 5 9 2 6 10 3 " &&
		test_grep "chosen: .* what=1 x=4 y=8$" out &&
		test_grep "walked: .* limit=50 visited=0x[0-9a-f]* title_string=\"a title\" width=0x3$" out && test_grep "met: .* x=0 x_1=4$" out &&
		met=$(grep -c "met: " out) && test_grep "walked: .* visited=$(printf 0x%x "$met") " out || return 1
	done
'
# names: files without their folders, of which the reference shows the last one.
names() { sed 's,@[^ ]*/,@,' | LC_ALL=C sort; }
test_expect_success PROGRAM,UPROBES,REFERENCE '-l: the same of functions, and the line of lines' '
	for b in O2-5 ${LONG:+O1-4 O2-4 Os-5}; do
		perf probe -q -x ./c.$b -a "$group:a=walk" -a "$group:b=walk%return value=\$retval" -a "$group:c=choose what x=%si" -a "$group:d=put" -a "$group:e=main argc argv" -a "$group:f=grow%return" &&
		"$REF" probe -l "$group:*" 2>/dev/null | names >ref &&
		perf probe -l "$group:*" | names >ours && test_line_count = 6 ours && test_cmp ref ours &&
		clean || return 1
		perf probe -q -x ./c.$b -a "$group:a=walk:9" -a "$group:b=walk:10" &&
		perf probe -l "$group:*" >ours && clean &&
		test_grep "$group:a  *(on walk:9@.*/t4585.c in .*/c.$b)" ours &&
		test_grep "$group:b  *(on walk:10@" ours || return 1
	done
'
for o in 0 2; do
	test_expect_success PROGRAM,CXX,REFERENCE "a C++ program, -O$o" "table_cc | sampled 20 | compare cc.O$o -x ./cc.O$o"
done
test_expect_success PROGRAM,LIBC,REFERENCE 'the C library' 'table_libc | sampled 25 | compare libc -x "$libc"'
test_expect_success VMLINUX,REFERENCE 'a kernel' 'nm -t d "$vmlinux" | sed -n "s/^\(-*[0-9][0-9]*\) [a-zA-Z] /\1 /p" >symbols && table_kernel | compare kernel -k "$vmlinux" ${VM_SOURCE:+-s "$VM_SOURCE"}'
rm -f symbols
test_expect_success PROGRAM,REFERENCE 'these are many' '
	awk -v least=$((${LONG:+170} + 30)) "{ same += \$1; other += \$2 } END { print same + other; exit same + other < least }" counts
'
test_done
