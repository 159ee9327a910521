// SPDX-License-Identifier: GPL-2.0-or-later
/* Test stripped objects: symbols out of .gnu_debugdata beside those of .dynsym, damaged ones, and
 * where a name without a size ends. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "symbol/symbol-internal.h"

#include <setjmp.h>
#include <cmocka.h>

#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif

static const struct eb_sym exported[] = {
	{ "exported", 0x400100, 0x40, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "sizeless", 0x400200, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
	{ "far", 0x400800, 0, STT_FUNC, STB_GLOBAL, 0, 0 },
};
static const u64 functions[] = { 0x400100, 0x400200, 0x400230, 0x400300, 0 };

static const struct eb_sym hidden[] = {
	{ "hidden", 0x400230, 0x20, STT_FUNC, STB_LOCAL, 0, 0 },
	{ "_ZN1A4goodEv", 0x400300, 0x20, STT_FUNC, STB_LOCAL, 0, 0 },
};

struct packed {
	u8 bytes[1 << 16];
	size_t len;
};

/* Return: whether there is a library for it. */
static bool pack(const void *bytes, size_t len, struct packed *out)
{
#ifdef HAVE_LIBLZMA
	out->len = 0;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, len, out->bytes,
						 &out->len, sizeof(out->bytes)),
			 LZMA_OK);
	return true;
#else
	(void)bytes;
	(void)len;
	(void)out;
	return false;
#endif
}

static struct eb stripped(const struct packed *p)
{
	return (struct eb){ .vaddr = 0x400000,
			    .syms = exported,
			    .nr_syms = ARRAY_SIZE(exported),
			    .dynsym = true,
			    .functions = functions,
			    .debugdata = p ? p->bytes : NULL,
			    .debugdata_size = p ? p->len : 0 };
}

static u8 *hidden_file(u16 machine, size_t *size)
{
	struct eb e = { .vaddr = 0x400000,
			.machine = machine,
			.debug_only = true,
			.syms = hidden,
			.nr_syms = ARRAY_SIZE(hidden) };

	return eb_build(&e, size);
}

/* A table of an object that is written for it; the caller frees what it is in. */
struct loaded {
	char *dir, *path;
	struct symbols *s;
	const struct symtab *t;
};

static void load(struct loaded *l, const struct eb *e)
{
	struct symconf conf = { .buildid_dir = "" };
	struct dso dso = { .short_name = "prog", .cpumode = PERF_RECORD_MISC_USER };

	l->dir = tmp_dir();
	dso.path = l->path = xasprintf("%s/prog", l->dir);
	eb_write(e, l->path);
	l->s = symbols_new(&conf);
	l->t = symbols_load(l->s, &dso);
}

static void unload(struct loaded *l)
{
	symbols_free(l->s);
	tmp_remove(l->dir);
	free(l->path);
}

static const char *name_at(const struct symtab *t, u64 addr)
{
	u32 i = symtab_find(t, addr);

	return i == UINT32_MAX ? "-" : symtab_name(t, i);
}

#define AT(addr, text) assert_string_equal(name_at(l.t, addr), text)

static void test_ends_at_function(void **state)
{
	struct eb e = stripped(NULL);
	struct loaded l;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		e.is32 = i & 1;
		e.swap = i & 2;
		load(&l, &e);
		AT(0x113f, "exported");
		AT(0x1140, "-");
		AT(0x1200, "sizeless");
		AT(0x122f, "sizeless");
		AT(0x1230, "-"); /* another function starts here */
		AT(0x1320, "-");
		AT(0x1800, "far"); /* no function is known behind it */
		AT(0x1900, "far");
		unload(&l);
	}
}

static void test_merged(void **state)
{
	struct packed p;
	struct loaded l;
	struct eb e;
	size_t size;
	u8 *file = hidden_file(EM_X86_64, &size);

	(void)state;
	if (!pack(file, size, &p)) {
		free(file);
		skip();
	}
	free(file);
	e = stripped(&p);
	load(&l, &e);
	assert_null(symtab_why(l.t));
	assert_int_equal(symtab_origin(l.t), 'n');
	assert_string_equal(symtab_file(l.t), l.path);
	assert_int_equal(symtab_nr(l.t), 5);
	AT(0x1100, "exported");
	AT(0x1200, "sizeless");
	AT(0x1230, "hidden");
	AT(0x124f, "hidden");
	AT(0x1250, "-");
	AT(0x1310, "A::good");
	AT(0x1800, "far");
	unload(&l);
}

/* Names and what is said about the section. */
static void check_refused(const struct packed *p, const char *why)
{
	struct eb e = stripped(p);
	struct loaded l;

	load(&l, &e);
	assert_non_null(symtab_why(l.t));
	assert_non_null(strstr(symtab_why(l.t), why));
	AT(0x1100, "exported");
	AT(0x1230, "-");
	assert_int_equal(symtab_origin(l.t), 'd');
	unload(&l);
}

static void test_damaged(void **state)
{
	struct packed p;
	size_t size, i;
	u8 *file = hidden_file(EM_X86_64, &size), *zeros;

	(void)state;
	if (!pack(file, size, &p)) {
		free(file);
		skip();
	}
	free(file);
	for (i = 1; i < p.len; i += 7) {
		struct packed cut = p;

		cut.len = p.len - i;
		check_refused(&cut, "is cut off or damaged");
	}
	p.bytes[p.len / 2] ^= 0x10;
	check_refused(&p, "is cut off or damaged");
	pack("text", 4, &p);
	check_refused(&p, "does not hold an ELF file");
	/* Little that becomes much. */
	zeros = xcalloc(1, 64 << 20);
	pack(zeros, 64 << 20, &p);
	free(zeros);
	check_refused(&p, "is larger than the symbols of such a program can be");
	file = hidden_file(EM_AARCH64, &size);
	pack(file, size, &p);
	free(file);
	check_refused(&p, "does not hold an ELF file of the same kind");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends_at_function),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
