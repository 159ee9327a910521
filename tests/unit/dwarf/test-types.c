// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test types, variables and their places in an object whose debug information is made up byte by
 * byte (DWARF 4).
 */
#include "base/compat.h"
#include "base/alloc.h"
#include "dwarf/lines.h"
#include "dwarf/variables.h"
#include "asan-tls.h"
#include "sections.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#ifdef HAVE_LIBDW
/* Kinds of entries: number, tag, whether others are in it, attributes and their forms. */
enum {
	NONE,
	UNIT,      /* name, low, high */
	BASE,      /* name, size */
	POINTER,   /* type */
	STRUCTURE, /* name, size */
	MEMBER,    /* name, type, offset */
	BITS,      /* the same with offset and size in bits */
	NAMELESS,  /* a union: size */
	TYPEDEF,   /* name, type */
	ARRAY,     /* type */
	RANGE,     /* upper bound */
	OPEN,      /* no bound */
	CONST,     /* type */
	INNER,     /* type, offset */
	FUNCTION,  /* name, low, high, frame base, type */
	PARAMETER, /* name, type, list of places */
	VARIABLE,  /* name, type, place */
};
static const char abbrevs[] = "\x01\x11\x01\x03\x08\x11\x01\x12\x07\x00\x00"
			      "\x02\x24\x00\x03\x08\x0b\x0b\x00\x00"
			      "\x03\x0f\x00\x49\x13\x00\x00"
			      "\x04\x13\x01\x03\x08\x0b\x05\x00\x00"
			      "\x05\x0d\x00\x03\x08\x49\x13\x38\x0b\x00\x00"
			      "\x06\x0d\x00\x03\x08\x49\x13\x6b\x0b\x0d\x0b\x00\x00"
			      "\x07\x17\x01\x0b\x0b\x00\x00"
			      "\x08\x16\x00\x03\x08\x49\x13\x00\x00"
			      "\x09\x01\x01\x49\x13\x00\x00"
			      "\x0a\x21\x00\x2f\x0b\x00\x00"
			      "\x0b\x21\x00\x00\x00"
			      "\x0c\x26\x00\x49\x13\x00\x00"
			      "\x0d\x0d\x00\x49\x13\x38\x0b\x00\x00"
			      "\x0e\x2e\x01\x03\x08\x11\x01\x12\x07\x40\x18\x49\x13\x00\x00"
			      "\x0f\x05\x00\x03\x08\x49\x13\x02\x17\x00\x00"
			      "\x10\x34\x00\x03\x08\x49\x13\x02\x18\x00\x00";

/* The object that is being made, and what is in it. */
struct object {
	struct strbuf info, places;
	char *dir, *path;
	struct debuginfo *di;
	u32 number, letter, node, nodes, counter, loop; /* entries of types */
};

static u32 here(const struct object *o)
{
	return (u32)o->info.len;
}

static u32 put_typed(struct object *o, u8 kind, u32 type)
{
	u32 at = here(o);

	put_number(&o->info, kind, 1);
	put_number(&o->info, type, 4);
	return at;
}

static u32 put_base(struct object *o, const char *name, u8 size)
{
	u32 at = here(o);

	put_number(&o->info, BASE, 1);
	put_string(&o->info, name);
	put_number(&o->info, size, 1);
	return at;
}

static u32 put_array(struct object *o, u32 type, int length)
{
	u32 at = put_typed(o, ARRAY, type);

	put_number(&o->info, length ? RANGE : OPEN, 1);
	if (length)
		put_number(&o->info, (u64)length - 1, 1);
	put_number(&o->info, 0, 1);
	return at;
}

static void put_member(struct object *o, const char *name, u32 type, u8 offset)
{
	put_number(&o->info, name ? MEMBER : INNER, 1);
	if (name)
		put_string(&o->info, name);
	put_number(&o->info, type, 4);
	put_number(&o->info, offset, 1);
}

static u32 put_named(struct object *o, u8 kind, const char *name, u32 type)
{
	u32 at = here(o);

	put_number(&o->info, kind, 1);
	put_string(&o->info, name);
	put_number(&o->info, type, 4);
	return at;
}

static void put_end(struct object *o)
{
	put_number(&o->info, 0, 1);
}

/*
 * struct node { struct node *next; union { long number; char letters[4]; }; unsigned low : 3, high
 *: 7; counter_t count; struct { ... } as counter_t; char tail[]; }
 */
static void put_types(struct object *o)
{
	u32 letters, pointer, either, tail, nameless;

	o->number = put_base(o, "long", 8);
	o->letter = put_base(o, "char", 1);
	letters = put_array(o, o->letter, 4);
	tail = put_array(o, o->letter, 0);
	either = here(o);
	put_number(&o->info, NAMELESS, 1);
	put_number(&o->info, 8, 1);
	put_member(o, "number", o->number, 0);
	put_member(o, "letters", letters, 0);
	put_end(o);
	nameless = here(o);
	put_number(&o->info, NAMELESS, 1);
	put_number(&o->info, 8, 1);
	put_member(o, "value", o->number, 0);
	put_end(o);
	o->counter = put_named(o, TYPEDEF, "counter_t", nameless);
	pointer = put_typed(o, POINTER, here(o) + 5);
	o->node = here(o);
	put_number(&o->info, STRUCTURE, 1);
	put_string(&o->info, "node");
	put_number(&o->info, 32, 2);
	put_member(o, "next", pointer, 0);
	put_member(o, NULL, either, 8);
	put_named(o, BITS, "high", o->number);
	put_number(&o->info, 16 * 8 + 3, 1);
	put_number(&o->info, 7, 1);
	put_member(o, "count", put_typed(o, CONST, o->counter), 24);
	put_member(o, "tail", tail, 32);
	put_end(o);
	o->nodes = put_array(o, o->node, 3);
	o->loop = put_typed(o, CONST, here(o)); /* refers to itself */
}

/* Put a variable whose place is the expression @bytes. */
static void put_variable(struct object *o, const char *name, u32 type, const char *bytes,
			 size_t len)
{
	put_named(o, VARIABLE, name, type);
	put_number(&o->info, len, 1);
	strbuf_add(&o->info, bytes, len);
}
#define EXPRESSION(bytes) bytes, sizeof(bytes) - 1

static void put_place(struct object *o, u64 start, u64 end, const char *bytes, size_t len)
{
	put_number(&o->places, start, 8);
	put_number(&o->places, end, 8);
	put_number(&o->places, len, 2);
	strbuf_add(&o->places, bytes, len);
}

static void put_function(struct object *o)
{
	put_number(&o->info, FUNCTION, 1);
	put_string(&o->info, "work");
	put_number(&o->info, 0x1100, 8);
	put_number(&o->info, 0x100, 8);
	put_number(&o->info, 1, 1);
	put_number(&o->info, 0x9c, 1); /* the frame base is the canonical frame address */
	put_number(&o->info, o->number, 4);
	put_named(o, PARAMETER, "first", o->nodes);
	put_number(&o->info, o->places.len, 4);
	put_place(o, 0x100, 0x110, EXPRESSION("\x55"));         /* rdi */
	put_place(o, 0x110, 0x120, EXPRESSION("\x76\x78\x9f")); /* rbp - 8, a value */
	put_place(o, 0x120, 0x130, EXPRESSION("\x50\x93\x08\x93\x04\x51\x93\x04")); /* parts */
	put_place(o, 0x130, 0x140, EXPRESSION("\xa3\x01\x55\x9f")); /* the caller's rdi */
	put_number(&o->places, 0, 8);
	put_number(&o->places, 0, 8);
	put_variable(o, "local", o->node, EXPRESSION("\x91\x60"));          /* frame - 32 */
	put_variable(o, "summed", o->node, EXPRESSION("\x9c\x11\x70\x22")); /* frame, -16, plus */
	put_variable(o, "less", o->node, EXPRESSION("\x9c\x40\x1c"));       /* frame, 16, minus */
	put_variable(o, "kept", o->node, EXPRESSION("\x03\x00\x20\0\0\0\0\0\0"));
	put_variable(o, "based", o->node, EXPRESSION("\x73\x04"));   /* at rbx + 4 */
	put_variable(o, "two", o->node, EXPRESSION("\x9c\x9c\x22")); /* no sum of addresses */
	put_variable(o, "empty", o->node, EXPRESSION("\x22"));       /* nothing to add */
	put_variable(o, "mine", o->number,
		     EXPRESSION("\x0e\x10\0\0\0\0\0\0\0\xe0")); /* of a thread */
	put_end(o);
}

static void make(struct object *o)
{
	*o = (struct object){ .dir = tmp_dir() };
	o->path = xasprintf("%s/object", o->dir);
	unit_begin(&o->info, UNIT, "made-up.c");
	put_number(&o->info, 0x1000, 8);
	put_number(&o->info, 0x1000, 8);
	put_types(o);
	put_variable(o, "list", o->nodes, EXPRESSION("\x03\x00\x30\0\0\0\0\0\0"));
	put_function(o);
	unit_end(&o->info);
}

/* Write the object with the first @len bytes of the entries, and open it. */
static void use(struct object *o, size_t len)
{
	const struct section sections[] = {
		{ ".debug_info", o->info.buf, len },
		{ ".debug_abbrev", abbrevs, sizeof(abbrevs) },
		{ ".debug_loc", o->places.buf, o->places.len },
	};

	sections_write(o->path, sections, ARRAY_SIZE(sections));
	o->di = debuginfo_open(o->path);
}

static void drop(struct object *o)
{
	debuginfo_close(o->di);
	tmp_remove(o->dir);
	free(o->path);
	strbuf_release(&o->info);
	strbuf_release(&o->places);
}

static const struct variable *variable_of(const struct debug_function *f, const char *name,
					  const struct variable_place **place)
{
	for (size_t i = 0; i < f->nr_places; i++) {
		const struct variable *v = &f->variables[f->places[i].variable];

		if (strcmp(v->name, name) != 0)
			continue;
		*place = &f->places[i];
		return v;
	}
	return NULL;
}

static const struct variable_place *place_from(const struct debug_function *f, u64 start)
{
	for (size_t i = 0; i < f->nr_places; i++)
		if (f->places[i].start == start)
			return &f->places[i];
	return NULL;
}

static void is_text(struct object *o, u32 type, const char *text)
{
	struct strbuf sb = STRBUF_INIT;

	type_text(o->di, type, &sb);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void is_path(struct object *o, u32 type, u64 offset, const char *path)
{
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(type_path(o->di, type, offset, &sb), *path != '\0');
	assert_string_equal(strbuf_str(&sb), path);
	strbuf_release(&sb);
}

static void test_types(void **state)
{
	const struct type_member *members;
	const struct global *list;
	struct object o;
	u32 node;

	make(&o);
	use(&o, o.info.len);
	assert_non_null(o.di);
	assert_true(debuginfo_has_unit(o.di, 0x1000));
	assert_false(debuginfo_has_unit(o.di, 0x2000));
	list = debug_global_at(o.di, 0x3000 + 3 * 32 - 1);
	assert_non_null(list);
	assert_null(debug_global_at(o.di, 0x3000 + 3 * 32));
	assert_null(debug_global_at(o.di, 0x2fff));
	assert_string_equal(list->name, "list");
	is_text(&o, list->type, "struct node[]");
	assert_int_equal(list->size, 96);
	node = type_element(o.di, list->type);
	assert_int_equal(type_get(o.di, node)->size, 32);
	assert_int_equal(type_members(o.di, node, &members), 5);
	is_text(&o, members[0].type, "struct node*");
	is_text(&o, members[3].type, "counter_t");
	assert_int_equal(members[2].offset, 16);
	assert_int_equal(members[2].size, 2); /* bits 3 to 9 */
	is_path(&o, node, 0, "next");
	is_path(&o, node, 8, "number"); /* the first member of a union */
	is_path(&o, list->type, 64 + 24, "count.value");
	is_path(&o, node, 20, "");
	is_path(&o, node, 32 + 7, "tail"); /* an array without an end */
	assert_int_equal(type_first(o.di, list->type, 64 + 25), 25);
	assert_int_equal(type_first(o.di, node, 9), 9);
	drop(&o);
}

/* The lines tell which unit has an address, and units that nobody asked for are read when all are
 * needed. */
static void test_by_lines(void **state)
{
	const struct debug_function *f;
	struct debuginfo *di;
	struct object o;
	struct lines *l;
	size_t nr, same;

	make(&o);
	use(&o, o.info.len);
	l = lines_open(o.path, NULL);
	assert_non_null(l);
	di = debuginfo_open_by(l, o.path);
	assert_non_null(di);
	assert_true(debuginfo_has_unit(di, 0x1000));
	assert_false(debuginfo_has_unit(di, 0x2000));
	assert_null(debug_function_at(di, 0x2000));
	f = debug_function_at(di, 0x1100);
	assert_non_null(f);
	assert_ptr_equal(debug_function_at(di, 0x1100), f);
	assert_int_equal(f->nr_variables, debug_function_at(o.di, 0x1100)->nr_variables);
	debug_globals(di, &nr);
	debug_globals(o.di, &same);
	assert_int_equal(nr, same);
	assert_true(nr > 0);
	debuginfo_close(di);
	lines_close(l);
	drop(&o);
}

static void test_places(void **state)
{
	static const struct {
		const char *name;
		enum place_kind kind;
		u16 reg;
		s64 offset;
	} wanted[] = {
		{ "local", PLACE_FRAME, 0, -32 },  { "summed", PLACE_FRAME, 0, -16 },
		{ "less", PLACE_FRAME, 0, -16 },   { "kept", PLACE_FIXED, 0, 0x2000 },
		{ "based", PLACE_BASED, 3, 4 },    { "mine", PLACE_THREAD, 0, 16 },
		{ "first", PLACE_REGISTER, 5, 0 },
	};
	const struct variable_place *p = NULL;
	const struct debug_function *f;
	struct object o;

	make(&o);
	use(&o, o.info.len);
	assert_null(debug_function_at(o.di, 0x10ff));
	assert_null(debug_function_at(o.di, 0x1200));
	f = debug_function_at(o.di, 0x11ff);
	assert_non_null(f);
	assert_string_equal(f->name, "work");
	assert_int_equal(f->entry, 0x1100);
	is_text(&o, f->returns, "long");
	assert_int_equal(f->nr_variables, 9);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		assert_non_null(variable_of(f, wanted[i].name, &p));
		assert_int_equal(p->kind, wanted[i].kind);
		assert_int_equal(p->reg, wanted[i].reg);
		assert_int_equal(p->offset, wanted[i].offset);
		assert_int_equal(p->listed, wanted[i].kind == PLACE_REGISTER);
	}
	assert_null(variable_of(f, "two", &p));
	assert_null(variable_of(f, "empty", &p));
	assert_int_equal(p->start, 0x1100);
	p = place_from(f, 0x1110);
	assert_int_equal(p->kind, PLACE_VALUE);
	assert_int_equal(p->reg, 6);
	assert_int_equal(p->offset, -8);
	assert_int_equal(p->end, 0x1120);
	p = place_from(f, 0x1130);
	assert_int_equal(p->kind, PLACE_ENTRY_VALUE);
	assert_int_equal(p->reg, 5);
	drop(&o);
}

static void test_parts(void **state)
{
	const struct debug_function *f;
	struct object o;
	size_t parts = 0;

	make(&o);
	use(&o, o.info.len);
	f = debug_function_at(o.di, 0x1100);
	for (size_t i = 0; i < f->nr_places; i++) {
		const struct variable_place *p = &f->places[i];

		if (p->start != 0x1120)
			continue;
		assert_int_equal(p->reg, parts);
		assert_int_equal(p->part, parts ? 12 : 0); /* nowhere between them */
		assert_int_equal(p->part_size, parts ? 4 : 8);
		parts++;
	}
	assert_int_equal(parts, 2);
	drop(&o);
}

/* Entries that end anywhere, and types that refer to themselves, cost what they describe alone. */
static void test_damaged(void **state)
{
	struct object o;

	make(&o);
	for (size_t len = 11; len <= o.info.len; len++) {
		const struct debug_function *f;
		const struct global *g;

		use(&o, len);
		if (!o.di)
			continue;
		f = debug_function_at(o.di, 0x1100);
		for (size_t i = 0; f && i < f->nr_variables; i++)
			type_strip(o.di, f->variables[i].type);
		g = debug_global_at(o.di, 0x3000);
		if (g)
			type_first(o.di, g->type, 40);
		debuginfo_close(o.di);
	}
	o.di = NULL;
	for (size_t at = 11; at < o.info.len; at++) {
		struct strbuf sb = STRBUF_INIT;
		const struct global *g;
		u32 loop = o.loop;

		/* each reference to a type leads to the one that refers to itself */
		if (at + 4 > o.info.len || memcmp(o.info.buf + at, &o.node, 4) != 0)
			continue;
		memcpy(o.info.buf + at, &loop, 4);
		use(&o, o.info.len);
		g = o.di ? debug_global_at(o.di, 0x3000) : NULL;
		if (g)
			type_path(o.di, g->type, 8, &sb);
		debuginfo_close(o.di);
		o.di = NULL;
		strbuf_release(&sb);
	}
	assert_null(debuginfo_open("/nonexistent"));
	drop(&o);
}
#endif

int main(void)
{
#ifdef HAVE_LIBDW
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),   cmocka_unit_test(test_by_lines),
		cmocka_unit_test(test_places),  cmocka_unit_test(test_parts),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return 0;
#endif
}
