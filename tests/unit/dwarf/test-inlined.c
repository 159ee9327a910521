// SPDX-License-Identifier: GPL-2.0-or-later
/* Test inlined functions of an object whose debug information is made up byte by byte (DWARF 4). */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "dwarf/lines.h"
#include "sections.h"
#include "tmp-tree.h"

#include <elf.h>
#include <setjmp.h>
#include <cmocka.h>

#define END 0x2000 /* of the unit, which begins at 0x1000 */

/* ---- bytes ---- */

/* Kinds of entries: number, tag, whether others are in it, attributes and their forms. */
enum { UNIT = 1, FUNCTION, INLINED, ABSTRACT, INSTANCE, BLOCK, IN_PARTS, LOOP, METHOD };
static const u8 abbrevs[] = {
	UNIT,     0x11, 1,    0x03, 0x08, 0x10,     0x17,     0x11, 0x01,
	0x12,     0x07, 0,    0, /* name, stmt_list,
				    low and high */
	FUNCTION, 0x2e, 1,    0x03, 0x08, 0x11,     0x01,     0x12, 0x07,
	0,        0, /* name, low, high */
	INLINED,  0x1d, 1,    0x31, 0x13, 0x11,     0x01,     0x12, 0x07,
	0x58,     0x0b, 0x59, 0x0b, 0,    0,        ABSTRACT, 0x2e, 0,
	0x03,     0x08, 0x6e, 0x08, 0,    0,           /* name, linkage name */
	INSTANCE, 0x2e, 0,    0x47, 0x13, 0,        0, /* specification */
	BLOCK,    0x0b, 1,    0,    0,    IN_PARTS, 0x1d,     0,    0x31,
	0x13,     0x55, 0x17, 0x58, 0x0b, 0x59,     0x0b,     0,    0, /* ranges */
	LOOP,     0x0b, 0,    0x01, 0x13, 0,        0,                 /* sibling */
	METHOD,   0x2e, 0,    0x03, 0x08, 0,        0,                 /* name alone */
	0,
};

/* A line table with one file and no lines. */
static void make_lines(struct strbuf *b)
{
	static const u8 lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct strbuf h = STRBUF_INIT;

	put_number(&h, 1, 1); /* bytes of an instruction */
	put_number(&h, 1, 1);
	put_number(&h, 1, 1);
	put_number(&h, 0xfb, 1);
	put_number(&h, 14, 1);
	put_number(&h, 13, 1);
	strbuf_add(&h, (const char *)lengths, sizeof(lengths));
	put_number(&h, 0, 1); /* no folders */
	put_string(&h, "made-up.c");
	put_number(&h, 0, 3);
	put_number(&h, 0, 1);
	put_number(b, 2 + 4 + h.len, 4);
	put_number(b, 4, 2);
	put_number(b, h.len, 4);
	strbuf_add(b, h.buf, h.len);
	strbuf_release(&h);
}

struct object {
	struct strbuf info, ranges;
	char *dir, *path;
	struct lines *lines;
};

static u32 here(const struct object *o)
{
	return (u32)o->info.len;
}

static void put_code(struct object *o, u64 start, u64 size)
{
	put_number(&o->info, start, 8);
	put_number(&o->info, size, 8);
}

static void put_inlined(struct object *o, u32 origin, u64 start, u64 end, u8 line)
{
	put_number(&o->info, INLINED, 1);
	put_number(&o->info, origin, 4);
	put_code(o, start, end - start);
	put_number(&o->info, 1, 1);
	put_number(&o->info, line, 1);
}

static void put_function(struct object *o, const char *name, u64 start, u64 end)
{
	put_number(&o->info, FUNCTION, 1);
	put_string(&o->info, name);
	put_code(o, start, end - start);
}

static void put_end(struct object *o)
{
	put_number(&o->info, 0, 1);
}

static u32 put_abstract(struct object *o, const char *name, const char *linkage)
{
	u32 at = here(o);

	put_number(&o->info, ABSTRACT, 1);
	put_string(&o->info, name);
	put_string(&o->info, linkage);
	return at;
}

static void begin(struct object *o)
{
	*o = (struct object){ 0 };
	unit_begin(&o->info, UNIT, "made-up.c");
	put_number(&o->info, 0, 4);
	put_code(o, 0x1000, END - 0x1000);
}

static void write_elf(struct object *o)
{
	struct strbuf lines = STRBUF_INIT;

	make_lines(&lines);
	{
		const struct section sections[] = {
			{ ".debug_info", o->info.buf, o->info.len },
			{ ".debug_abbrev", abbrevs, sizeof(abbrevs) },
			{ ".debug_line", lines.buf, lines.len },
			{ ".debug_ranges", o->ranges.buf, o->ranges.len },
		};

		sections_write(o->path, sections, ARRAY_SIZE(sections));
	}
	strbuf_release(&lines);
}

static void finish(struct object *o)
{
	unit_end(&o->info);
	o->dir = tmp_dir();
	o->path = xasprintf("%s/object", o->dir);
	write_elf(o);
	o->lines = lines_open(o->path, o->path);
	assert_non_null(o->lines);
}

static void drop(struct object *o)
{
	lines_close(o->lines);
	tmp_remove(o->dir);
	free(o->path);
	strbuf_release(&o->info);
	strbuf_release(&o->ranges);
}

/* "h:7 g:3": the functions at an address and where they are called. */
static void expect(struct object *o, u64 addr, const char *want)
{
	struct strbuf got = STRBUF_INIT;
	struct inlined in[INLINED_MAX];
	size_t nr = lines_inlined(o->lines, addr, true, in);

	for (size_t i = 0; i < nr; i++) {
		strbuf_addf(&got, "%s%s:%u", i ? " " : "", in[i].name, in[i].line);
		assert_string_equal(in[i].file, "made-up.c");
	}
	assert_string_equal(strbuf_str(&got), want);
	strbuf_release(&got);
}

/* ---- what there is ---- */

static void test_nested(void **state)
{
	struct object o;
	u32 g, h;

	(void)state;
	begin(&o);
	g = put_abstract(&o, "g", "_Z1gi");
	h = put_abstract(&o, "h", "_Z1hi");
	put_function(&o, "f", 0x1000, 0x1100);
	put_number(&o.info, BLOCK, 1);
	put_inlined(&o, g, 0x1010, 0x1050, 3);
	put_inlined(&o, h, 0x1020, 0x1030, 7);
	put_end(&o);
	put_inlined(&o, h, 0x1030, 0x1034, 8);
	put_end(&o);
	put_end(&o);
	put_inlined(&o, h, 0x1050, 0x1060, 9);
	put_end(&o);
	put_end(&o);
	put_end(&o);
	put_function(&o, "other", 0x1200, 0x1210);
	put_end(&o);
	finish(&o);
	for (int again = 0; again < 2; again++) {
		expect(&o, 0xfff, "");
		expect(&o, 0x1000, "");
		expect(&o, 0x100f, "");
		expect(&o, 0x1010, "_Z1gi:3");
		expect(&o, 0x1020, "_Z1hi:7 _Z1gi:3");
		expect(&o, 0x102f, "_Z1hi:7 _Z1gi:3");
		expect(&o, 0x1033, "_Z1hi:8 _Z1gi:3");
		expect(&o, 0x1034, "_Z1gi:3");
		expect(&o, 0x1050, "_Z1hi:9");
		expect(&o, 0x1060, "");
		expect(&o, 0x1100, "");
		expect(&o, 0x1208, "");
		expect(&o, END, "");
	}
	drop(&o);
}

/* In pieces, of a method that is declared elsewhere; a function in a function. */
static void test_parts(void **state)
{
	static const u64 pieces[] = {
		0x10, 0x20, 0x40, 0x48, 0, 0
	}; /* from the start of the unit */
	u32 method, instance;
	struct object o;

	(void)state;
	begin(&o);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		put_number(&o.ranges, pieces[i], 8);
	method = here(&o);
	put_number(&o.info, METHOD, 1);
	put_string(&o.info, "method");
	instance = here(&o);
	put_number(&o.info, INSTANCE, 1);
	put_number(&o.info, method, 4);
	put_function(&o, "f", 0x1000, 0x1100);
	put_number(&o.info, IN_PARTS, 1);
	put_number(&o.info, instance, 4);
	put_number(&o.info, 0, 4);
	put_number(&o.info, 1, 1);
	put_number(&o.info, 5, 1);
	put_function(&o, "lambda", 0x1400, 0x1440);
	put_inlined(&o, instance, 0x1410, 0x1420, 6);
	put_end(&o);
	put_end(&o);
	put_end(&o);
	finish(&o);
	expect(&o, 0x100f, "");
	expect(&o, 0x1010, "method:5");
	expect(&o, 0x1020, "");
	expect(&o, 0x1047, "method:5");
	expect(&o, 0x1048, "");
	expect(&o, 0x1410, "method:6");
	expect(&o, 0x1420, "");
	drop(&o);
}

/* ---- what is wrong ---- */

static void test_circles(void **state)
{
	struct object o;
	u32 self, loop;

	(void)state;
	begin(&o);
	self = here(&o);
	put_number(&o.info, INSTANCE, 1);
	put_number(&o.info, self, 4);
	put_function(&o, "f", 0x1000, 0x1100);
	put_inlined(&o, self, 0x1010, 0x1020, 2);
	put_end(&o);
	loop = here(&o);
	put_number(&o.info, LOOP, 1);
	put_number(&o.info, loop, 4); /* comes after itself */
	put_end(&o);
	finish(&o);
	expect(&o, 0x1010, "[unknown]:2");
	expect(&o, 0x1040, "");
	drop(&o);
}

/* More in each other than is told, and entries in each other without end. */
static void test_depth(void **state)
{
	struct inlined in[INLINED_MAX];
	struct object o;
	u32 g;

	(void)state;
	begin(&o);
	g = put_abstract(&o, "g", "g");
	put_function(&o, "f", 0x1000, 0x1100);
	for (u32 i = 0; i < 100; i++)
		put_inlined(&o, g, 0x1000, 0x1100 - i, (u8)i);
	for (u32 i = 0; i < 101; i++)
		put_end(&o);
	put_function(&o, "deep", 0x1100, 0x1200);
	for (u32 i = 0; i < 100000; i++)
		put_number(&o.info, BLOCK, 1);
	finish(&o);
	assert_int_equal(lines_inlined(o.lines, 0x1000, true, in), INLINED_MAX);
	assert_int_equal(in[0].line, 99);
	assert_int_equal(in[INLINED_MAX - 1].line, 100 - INLINED_MAX);
	expect(&o, 0x1150, "");
	drop(&o);
}

/* An inner function that reaches beyond the outer one is there as far as it says. */
static void test_beyond(void **state)
{
	struct object o;
	u32 g, h;

	(void)state;
	begin(&o);
	g = put_abstract(&o, "g", "g");
	h = put_abstract(&o, "h", "h");
	put_function(&o, "f", 0x1000, 0x1100);
	put_inlined(&o, g, 0x1010, 0x1020, 1);
	put_inlined(&o, h, 0x1018, 0x1028, 2);
	put_end(&o);
	put_end(&o);
	put_inlined(&o, g, 0x1030, 0x1020, 3); /* ends before it begins */
	put_end(&o);
	put_end(&o);
	finish(&o);
	expect(&o, 0x1017, "g:1");
	expect(&o, 0x1018, "h:2 g:1");
	expect(&o, 0x1027, "h:2 g:1");
	expect(&o, 0x1028, "");
	drop(&o);
}

int main(void)
{
#ifndef HAVE_LIBELF
	puts("1..0 # SKIP built without libelf");
	return 0;
#endif
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),  cmocka_unit_test(test_parts),
		cmocka_unit_test(test_circles), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_beyond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
