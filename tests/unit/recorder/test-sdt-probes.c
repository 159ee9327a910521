// SPDX-License-Identifier: GPL-2.0-or-later
/* Test probes for markers: this program has some, and the kernel is a file that lines are put
 * into. */
#include "base/compat.h"
#include "recorder/sdt-probes.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if __SIZEOF_POINTER__ == 8
#define MARKER(name)                                                                               \
	".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"                                   \
	".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"                \
	"993: .8byte 990b, _.stapsdt.base, 0\n.asciz \"prov\"\n.asciz \"" name "\"\n.asciz \"\"\n" \
	"994: .balign 4\n.popsection\n"

__asm__(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
	".weak _.stapsdt.base\n_.stapsdt.base: .space 1\n.popsection\n"
	".text\n990: nop\n" MARKER("go") "990: nop\n" MARKER("stop"));
#endif

#define HEX "0123456789abcdef0123456789abcdef01234567"

struct bench {
	struct sysroot sysroot;
	struct sdt_probes p;
	char own[PATH_MAX]; /* the path of this program */
	char text[4096];    /* what lines() read */
	struct err err;
};

static int begin(void **state)
{
	static struct bench b;
	char *dir = tmp_dir(), *link, *target, *markers, *text;

	b = (struct bench){ .sysroot.prefix = dir };
	b.p = (struct sdt_probes){ .sysroot = &b.sysroot, .cache_dir = dir, .owner = getpid() };
	assert_true(readlink("/proc/self/exe", b.own, sizeof(b.own) - 1) > 0);
	tree_put(dir, "sys/kernel/tracing/events/enable", "0\n");
	tree_put(dir, "sys/kernel/tracing/uprobe_events", "");
	markers = xasprintf("%s/" HEX "/probes", b.own + 1);
	text = xasprintf("%%sdt_prov:go=go\np:sdt_prov/go %s:0x1\n"
			 "%%sdt_prov:stop=stop\np:sdt_prov/stop %s:0x2\n",
			 b.own, b.own);
	tree_put(dir, markers, text);
	tree_put(dir, ".build-id/01/unused", "");
	link = xasprintf("%s/.build-id/01/%s", dir, &HEX[2]);
	target = xasprintf("../..%s/" HEX, b.own);
	assert_int_equal(symlink(target, link), 0);
	free(markers);
	free(text);
	free(link);
	free(target);
	*state = &b;
	return 0;
}

static int end(void **state)
{
	struct bench *b = *state;

	sdt_probes_remove(&b->p);
	tmp_remove((char *)b->sysroot.prefix);
	return 0;
}

/* Return: how many lines the kernel got; b->text has them. */
static int lines(struct bench *b)
{
	char *path = xasprintf("%s/sys/kernel/tracing/uprobe_events", b->sysroot.prefix);
	FILE *f = fopen(path, "r");
	int nr = 0;

	assert_non_null(f);
	b->text[fread(b->text, 1, sizeof(b->text) - 1, f)] = 0;
	fclose(f);
	free(path);
	/* each is written at once, without a newline */
	for (const char *s = b->text; (s = strstr(s, ":sdt_prov/")); s++)
		nr++;
	return nr;
}

static int make(struct bench *b, const char *sys, const char *name, const char *object)
{
	b->err = (struct err){ 0 };
	return sdt_probes_make(&b->p, sys, name, object, &b->err);
}

static void test_make(void **state)
{
	struct bench *b = *state;

	if (__SIZEOF_POINTER__ != 8)
		skip();
	assert_int_equal(make(b, "sdt_prov", "go", NULL), 0);
	assert_int_equal(lines(b), 1);
	assert_non_null(strstr(b->text, "p:sdt_prov/go "));
	assert_non_null(strstr(b->text, b->own));
	/* the provider alone, and a pattern; what is there already is not made twice */
	assert_int_equal(make(b, "prov", "s*", NULL), 0);
	assert_int_equal(b->p.set.nr, 2);
}

static void test_none(void **state)
{
	struct bench *b = *state;

	assert_int_equal(make(b, "sdt_prov", "nosuch", NULL), -ENOENT);
	assert_int_equal(make(b, "sdt_other", "go", NULL), -ENOENT);
	b->p.cache_dir = NULL;
	assert_int_equal(make(b, "sdt_prov", "go", NULL), -ENOENT);
	assert_int_equal(lines(b), 0);
}

static void test_object(void **state)
{
	struct bench *b = *state;
	char *with = xasprintf("%s(" HEX ")", b->own), *other = xasprintf("%s(77)", b->own);

	assert_int_equal(make(b, "sdt_prov", "go", "/bin/other"), -ENOENT);
	assert_int_equal(make(b, "sdt_prov", "go", other), -ENOENT);
	if (__SIZEOF_POINTER__ == 8)
		assert_int_equal(make(b, "sdt_prov", "go", with), 0);
	free(with);
	free(other);
}

static void test_refused(void **state)
{
	struct bench *b = *state;
	char *path = xasprintf("%s/sys/kernel/tracing/uprobe_events", b->sysroot.prefix);

	if (__SIZEOF_POINTER__ != 8)
		skip();
	assert_int_equal(unlink(path), 0);
	assert_int_equal(make(b, "sdt_prov", "go", NULL), -ENXIO);
	assert_non_null(strstr(b->err.msg, "the probe sdt_prov/go cannot be made"));
	free(path);
}

/* A child that ends leaves the probes to whoever made them. */
static void test_remove(void **state)
{
	struct bench *b = *state;
	pid_t child;
	int status;

	if (__SIZEOF_POINTER__ != 8)
		skip();
	assert_int_equal(make(b, "sdt_prov", "*", NULL), 0);
	assert_int_equal(lines(b), 2);
	child = fork();
	if (!child) {
		sdt_probes_remove(&b->p);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(lines(b), 2);
	sdt_probes_remove(&b->p);
	assert_int_equal(lines(b), 4);
	assert_non_null(strstr(b->text, "-:sdt_prov/go"));
	assert_non_null(strstr(b->text, "-:sdt_prov/stop"));
	assert_int_equal(b->p.set.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_make, begin, end),
		cmocka_unit_test_setup_teardown(test_none, begin, end),
		cmocka_unit_test_setup_teardown(test_object, begin, end),
		cmocka_unit_test_setup_teardown(test_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_remove, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
