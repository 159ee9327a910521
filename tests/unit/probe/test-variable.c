// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test what the kernel is told to fetch for variables of an object whose debug information is made
 * up byte by byte, in DWARF 4 and 5: their places, and the steps to their members.
 */
#include "base/compat.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "dwarf/debuginfo.h"
#include "dwarf/frames.h"
#include "probe/variable.h"
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
	BASE,      /* name, size, encoding */
	POINTER,   /* type */
	STRUCTURE, /* name, size */
	MEMBER,    /* name, type, offset */
	BITS,      /* name, type, bits, first bit of the structure (DWARF 4) */
	OLD_BITS, /* name, type, size of the unit, bits, first from its highest, offset (DWARF 3) */
	DECLARED, /* name */
	ARRAY,    /* type */
	RANGE,    /* upper bound */
	FUNCTION, /* name, low, size, frame base */
	VARIABLE, /* name, type, place */
	LISTED,   /* name, type, list of places */
	CONSTANT, /* name, type, value */
	BLOCK,    /* low, size */
	NOWHERE,  /* name, type */
	EXTERN,   /* name, type; a declaration */
};
static const char abbrevs[] = "\x01\x11\x01\x03\x08\x11\x01\x12\x07\x00\x00"
			      "\x02\x24\x00\x03\x08\x0b\x0b\x3e\x0b\x00\x00"
			      "\x03\x0f\x00\x49\x13\x00\x00"
			      "\x04\x13\x01\x03\x08\x0b\x0b\x00\x00"
			      "\x05\x0d\x00\x03\x08\x49\x13\x38\x0b\x00\x00"
			      "\x06\x0d\x00\x03\x08\x49\x13\x0d\x0b\x6b\x0b\x00\x00"
			      "\x07\x0d\x00\x03\x08\x49\x13\x0b\x0b\x0d\x0b\x0c\x0b\x38\x0b\x00\x00"
			      "\x08\x13\x00\x03\x08\x3c\x19\x00\x00"
			      "\x09\x01\x01\x49\x13\x00\x00"
			      "\x0a\x21\x00\x2f\x0b\x00\x00"
			      "\x0b\x2e\x01\x03\x08\x11\x01\x12\x07\x40\x18\x00\x00"
			      "\x0c\x34\x00\x03\x08\x49\x13\x02\x18\x00\x00"
			      "\x0d\x34\x00\x03\x08\x49\x13\x02\x17\x00\x00"
			      "\x0e\x34\x00\x03\x08\x49\x13\x1c\x0d\x00\x00"
			      "\x0f\x0b\x01\x11\x01\x12\x07\x00\x00"
			      "\x10\x34\x00\x03\x08\x49\x13\x00\x00"
			      "\x11\x34\x00\x03\x08\x49\x13\x3c\x19\x00\x00";

/* The frame is at rsp + 8 where a function begins, and at rsp + 48 from its byte 4 on. */
static const u8 frames[] = {
	/* the entry that others refer to */
	20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1, 0, 0, 0, 0, 0, 0,
	/* from 0x1100 on, 0x300 bytes */
	28, 0, 0, 0, 28, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0,
	/* 4 bytes on, the frame is at 48 */
	0x44, 0x0e, 48, 0, 0, 0, 0, 0,
	/* the end */
	0, 0, 0, 0
};

enum type_here {
	LONG,
	INT,
	UNSIGNED,
	CHAR,
	SHORT,
	NAME,   /* char[8] */
	MATRIX, /* short[2][3] */
	NODE,   /* struct node { struct node *next; int v; char name[8]; short m[2][3]; } */
	NODES,  /* struct node * */
	PAIR,   /* struct pair { int a, b; long c; } */
	FIELDS, /* struct fields { unsigned a : 3, b : 7; int c : 5; } */
	OLD_FIELDS,
	OPAQUE, /* a pointer to a structure without a definition */
	LATER,  /* a pointer to a structure that is defined elsewhere */
	TYPES
};

struct made {
	u8 version;
	struct strbuf info, places;
	u32 types[TYPES];
	char *dir, *path;
	struct probe_target target;
	struct probe_object object;
};

/* ---- entries ---- */

static u32 put_kind(struct made *m, u8 kind)
{
	u32 at = (u32)m->info.len;

	put_number(&m->info, kind, 1);
	return at;
}

static u32 put_typed(struct made *m, u8 kind, u32 type)
{
	u32 at = put_kind(m, kind);

	put_number(&m->info, type, 4);
	return at;
}

static u32 put_named(struct made *m, u8 kind, const char *name, u32 type)
{
	u32 at = put_kind(m, kind);

	put_string(&m->info, name);
	put_number(&m->info, type, 4);
	return at;
}

static u32 put_base(struct made *m, const char *name, u8 size, u8 encoding)
{
	u32 at = put_kind(m, BASE);

	put_string(&m->info, name);
	put_number(&m->info, size, 1);
	put_number(&m->info, encoding, 1);
	return at;
}

static u32 put_structure(struct made *m, const char *name, u8 size)
{
	u32 at = put_kind(m, STRUCTURE);

	put_string(&m->info, name);
	put_number(&m->info, size, 1);
	return at;
}

static void put_member(struct made *m, const char *name, u32 type, u8 offset)
{
	put_named(m, MEMBER, name, type);
	put_number(&m->info, offset, 1);
}

static void put_bits(struct made *m, const char *name, u32 type, u8 bits, u8 first, bool old)
{
	put_named(m, old ? OLD_BITS : BITS, name, type);
	if (old)
		put_number(&m->info, 4, 1);
	put_number(&m->info, bits, 1);
	put_number(&m->info, old ? 32 - first - bits : first, 1);
	if (old)
		put_number(&m->info, 0, 1);
}

static u32 put_array(struct made *m, u32 type, u8 first, u8 second)
{
	u32 at = put_typed(m, ARRAY, type);

	put_kind(m, RANGE);
	put_number(&m->info, first - 1, 1);
	if (second) {
		put_kind(m, RANGE);
		put_number(&m->info, second - 1, 1);
	}
	put_kind(m, NONE);
	return at;
}

static u32 put_fields(struct made *m, bool old)
{
	u32 at = put_structure(m, "fields", 4);

	put_bits(m, "a", m->types[UNSIGNED], 3, 0, old);
	put_bits(m, "b", m->types[UNSIGNED], 7, 3, old);
	put_bits(m, "c", m->types[INT], 5, 10, old);
	put_kind(m, NONE);
	return at;
}

static u32 put_declared(struct made *m, const char *name)
{
	u32 at = put_kind(m, DECLARED);

	put_string(&m->info, name);
	return put_typed(m, POINTER, at);
}

static void put_types(struct made *m)
{
	u32 *t = m->types;

	t[LONG] = put_base(m, "long int", 8, 5);
	t[INT] = put_base(m, "int", 4, 5);
	t[UNSIGNED] = put_base(m, "unsigned int", 4, 7);
	t[CHAR] = put_base(m, "char", 1, 6);
	t[SHORT] = put_base(m, "short int", 2, 5);
	t[NAME] = put_array(m, t[CHAR], 8, 0);
	t[MATRIX] = put_array(m, t[SHORT], 2, 3);
	t[NODES] = put_typed(m, POINTER, (u32)m->info.len + 5);
	t[NODE] = put_structure(m, "node", 32);
	put_member(m, "next", t[NODES], 0);
	put_member(m, "v", t[INT], 8);
	put_member(m, "name", t[NAME], 12);
	put_member(m, "m", t[MATRIX], 20);
	put_kind(m, NONE);
	t[PAIR] = put_structure(m, "pair", 16);
	put_member(m, "a", t[INT], 0);
	put_member(m, "b", t[INT], 4);
	put_member(m, "c", t[LONG], 8);
	put_kind(m, NONE);
	t[FIELDS] = put_fields(m, false);
	t[OLD_FIELDS] = put_fields(m, true);
	t[OPAQUE] = put_declared(m, "opaque");
	t[LATER] = put_declared(m, "later");
	put_structure(m, "later", 8);
	put_member(m, "inner", t[INT], 4);
	put_kind(m, NONE);
}

/* ---- variables ---- */

/* A variable, and what is fetched for an argument that names it. */
struct row {
	const char *name;
	enum type_here type;
	const char *place; /* an expression */
	size_t len;
	struct fetched {
		const char *arg, *want; /* VALUE:TYPE, or a part of the sentence that refuses it */
	} args[7];
};
#define AT(bytes) bytes, sizeof(bytes) - 1

#define THREAD_16 "\x0e\x10\0\0\0\0\0\0\0\xe0"
#define PARTS "\x91\x60\x93\x04\x37\x9f\x93\x04\x53\x93\x08"
static const struct row rows[] = {
	{ "r",
	  LONG,
	  AT("\x55"),
	  { { "r", "%di:s64" }, { "r:u", "%di:u64" }, { "r:x8", "%di:x8" } } },
	{ "i", INT, AT("\x54"), { { "i", "%si:s32" }, { "i[0]", "not an array or pointer" } } },
	{ "m",
	  MATRIX,
	  AT("\x91\x60"),
	  { { "m[1][0-2]", "+22(%sp):s16[3]" }, { "m[0][1-1]:x16", "+18(%sp):x16[1]" } } },
	{ "all",
	  NODES,
	  AT("\x55"),
	  { { "all[0-1]", "cannot be fetched together" },
	    { "all->name[1-3]:u8", "+13(%di):u8[3]" } } },
	{ "vector", LONG, AT("\x61"), { { "vector", "register 17 of DWARF" } } },
	{ "framed", LONG, AT("\x91\x60"), { { "framed", "+16(%sp):s64" } } },
	{ "p",
	  NODES,
	  AT("\x55"),
	  { { "p->v", "+8(%di):s32" },
	    { "p->next->next", "+0(+0(%di)):x64" },
	    { "p->name", "+12(%di):string" },
	    { "p->m[1]", "+26(%di):s16[3]" },
	    { "p->m[1][2]", "+30(%di):s16" },
	    { "p[1].v", "+40(%di):s32" },
	    { "p.v", "must be referred by '->'" } } },
	{ "pair",
	  PAIR,
	  AT("\x55\x93\x08\x54\x93\x08"),
	  { { "pair.a", "%di:s32" },
	    { "pair.b", "%di:b32@32/64" },
	    { "pair.b:u", "%di:b32@32/64" },
	    { "pair.b:s32", "shows as an unsigned one" },
	    { "pair.c", "%si:s64" },
	    { "pair.c:x8", "%si:x8" },
	    { "pair.d", "has no member d" } } },
	{ "half",
	  PAIR,
	  AT("\x93\x08\x54\x93\x08"),
	  { { "half.c", "%si:s64" }, { "half.a", "location of this part of 'half'" } } },
	{ "whole", PAIR, AT("\x91\x60"), { { "whole.c", "+24(%sp):s64" } } },
	{ "mixed",
	  PAIR,
	  AT(PARTS),
	  { { "mixed.a", "+16(%sp):s32" }, { "mixed.b", "\\7:s32" }, { "mixed.c", "%bx:s64" } } },
	{ "implicit", INT, AT("\x9e\x04\x01\x02\0\0"), { { "implicit", "\\513:s32" } } },
	{ "known",
	  FIELDS,
	  AT("\x0a\x55\x7f\x9f"),
	  { { "known.a", "\\5:x32" }, { "known.c", "\\-1:s32" } } },
	{ "fields",
	  FIELDS,
	  AT("\x55"),
	  { { "fields.a", "%di:b3@0/64" },
	    { "fields.b", "%di:b7@3/64" },
	    { "fields.c", "%di:b5@10/64" } } },
	{ "bits",
	  FIELDS,
	  AT("\x91\x60"),
	  { { "bits.b", "+16(%sp):b7@3/32" }, { "bits.c", "+16(%sp):b5@10/32" } } },
	{ "old",
	  OLD_FIELDS,
	  AT("\x91\x60"),
	  { { "old.a", "+16(%sp):b3@0/32" },
	    { "old.b", "+16(%sp):b7@3/32" },
	    { "old.c", "+16(%sp):b5@10/32" } } },
	{ "entry", LONG, AT("\xa3\x01\x55\x9f"), { { "entry", "register when work was entered" } } },
	{ "gnu", NODES, AT("\xf3\x01\x55\x9f"), { { "gnu->v", "register when work was entered" } } },
	{ "sum", LONG, AT("\x76\x78\x9f"), { { "sum", "computed from a register" } } },
	{ "behind", NODES, AT("\x76\x78\x9f"), { { "behind->v", "+0(%bp):s32" } } },
	{ "inside",
	  NODES,
	  AT("\x91\x60\x9f"),
	  { { "inside->v", "+24(%sp):s32" }, { "inside", "computed from a register" } } },
	{ "by_address", PAIR, AT("\x91\x60\x06"), { { "by_address.b", "+4(+16(%sp)):s32" } } },
	{ "kept", LONG, AT("\x75\x08\x06\x9f"), { { "kept", "+8(%di):s64" } } },
	{ "product",
	  LONG,
	  AT("\x75\x08\x75\x08\x1e\x9f"),
	  { { "product", "no code of the function" } } },
	{ "threads", INT, AT(THREAD_16), { { "threads", "each thread has its own" } } },
	{ "fixed", INT, AT("\x03\x00\x30\0\0\0\0\0\0"), { { "fixed", "@+8192:s32" } } },
	{ "word",
	  NAME,
	  AT("\x55"),
	  { { "word", "%di:x64" },
	    { "word:string", "is in a register" },
	    { "word[2]", "%di:b8@16/64" } } },
	{ "opaque",
	  OPAQUE,
	  AT("\x55"),
	  { { "opaque->x", "it is only declared" }, { "opaque", "%di:x64" } } },
	{ "later", LATER, AT("\x55"), { { "later->inner", "+4(%di):s32" } } },
};

static void put_variable(struct made *m, const struct row *r)
{
	put_named(m, VARIABLE, r->name, m->types[r->type]);
	put_number(&m->info, r->len, 1);
	strbuf_add(&m->info, r->place, r->len);
}

/* Put one place of a list, for distances from the beginning of the unit. */
static void put_place(struct made *m, u8 start, u8 end, const char *place, size_t len)
{
	bool old = m->version == 4;

	if (!old)
		put_number(&m->places, 4, 1);
	put_number(&m->places, 0x80 | (start & 0x7f), old ? 0 : 1);
	put_number(&m->places, old ? start + 0x100u : (start + 0x100u) >> 7, old ? 8 : 1);
	put_number(&m->places, 0x80 | (end & 0x7f), old ? 0 : 1);
	put_number(&m->places, old ? end + 0x100u : (end + 0x100u) >> 7, old ? 8 : 1);
	put_number(&m->places, len, old ? 2 : 1);
	strbuf_add(&m->places, place, len);
}

static void put_list(struct made *m, const char *name)
{
	put_named(m, LISTED, name, m->types[LONG]);
	if (m->version == 5) {
		put_number(&m->places, 0x100, 4); /* more than there is, which nobody reads */
		put_number(&m->places, 5, 2);
		put_number(&m->places, 8, 2);
		put_number(&m->places, 0, 4);
	}
	put_number(&m->info, m->places.len, 4);
	put_place(m, 0x00, 0x10, AT("\x55"));
	put_place(m, 0x10, 0x20, AT("\x53"));
	put_place(m, 0x20, 0x30, AT("\xa3\x01\x55\x9f"));
	put_place(m, 0x40, 0x50, AT("\x91\x60"));
	put_number(&m->places, 0, m->version == 5 ? 1 : 8);
	put_number(&m->places, 0, m->version == 5 ? 0 : 8);
}

static void put_function(struct made *m, const char *name, u64 addr, const char *frame, size_t len)
{
	put_kind(m, FUNCTION);
	put_string(&m->info, name);
	put_number(&m->info, addr, 8);
	put_number(&m->info, 0x100, 8);
	put_number(&m->info, len, 1);
	strbuf_add(&m->info, frame, len);
}

/* Put a block in which three names mean other variables, two of which live nowhere. */
static void put_block(struct made *m)
{
	const struct row inner = { "i", LONG, AT("\x53"), { { NULL, NULL } } };

	put_kind(m, BLOCK);
	put_number(&m->info, 0x1150, 8);
	put_number(&m->info, 0x10, 8);
	put_variable(m, &inner);
	put_named(m, NOWHERE, "r", m->types[LONG]);
	put_named(m, NOWHERE, "everywhere", m->types[LONG]);
	put_kind(m, NONE);
}

static void put_functions(struct made *m)
{
	const struct row framed = { "framed", LONG, AT("\x91\x60"), { { NULL, NULL } } };

	put_function(m, "work", 0x1100, AT("\x9c"));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		put_variable(m, &rows[i]);
	put_list(m, "moved");
	put_named(m, CONSTANT, "constant", m->types[INT]);
	put_number(&m->info, 0x79, 1); /* -7 */
	put_block(m);
	put_kind(m, NONE);
	put_function(m, "pointed", 0x1200, AT("\x56")); /* rbp has the address */
	put_variable(m, &framed);
	put_kind(m, NONE);
	put_function(m, "above", 0x1300, AT("\x77\xc0\x00")); /* rsp + 64 */
	put_variable(m, &framed);
	put_kind(m, NONE);
}

/* ---- the object ---- */

static void write_object(struct made *m)
{
	const struct section sections[] = {
		{ ".debug_info", m->info.buf, m->info.len },
		{ ".debug_abbrev", abbrevs, sizeof(abbrevs) },
		{ m->version == 4 ? ".debug_loc" : ".debug_loclists", m->places.buf,
		  m->places.len },
		{ ".eh_frame", frames, sizeof(frames) },
	};

	sections_write(m->path, sections, ARRAY_SIZE(sections));
}

static void make(struct made *m, u8 version)
{
	const struct row global = {
		"everywhere", PAIR, AT("\x03\x10\x30\0\0\0\0\0\0"), { { NULL, NULL } }
	};
	const struct row threads = { "own", INT, AT(THREAD_16), { { NULL, NULL } } };

	*m = (struct made){ .version = version, .dir = tmp_dir() };
	m->path = xasprintf("%s/object", m->dir);
	if (version == 4)
		unit_begin(&m->info, UNIT, "made-up.c");
	else
		unit5_begin(&m->info, UNIT, "made-up.c");
	put_number(&m->info, 0x1000, 8);
	put_number(&m->info, 0x1000, 8);
	put_types(m);
	put_variable(m, &global);
	put_variable(m, &threads);
	put_named(m, CONSTANT, "unwritten", m->types[INT]);
	put_number(&m->info, 5, 1);
	put_named(m, EXTERN, "declared", m->types[LONG]);
	put_functions(m);
	unit_end(&m->info);
	write_object(m);
	m->object = (struct probe_object){ .target = &m->target,
					   .user = true,
					   .path = m->path,
					   .file = m->path,
					   .debug_tried = true,
					   .debug_fd = -1,
					   .info = debuginfo_open(m->path) };
	assert_non_null(m->object.info);
}

static void drop(struct made *m)
{
	debuginfo_close(m->object.info);
	frames_close(m->object.frames);
	tmp_remove(m->dir);
	free(m->path);
	strbuf_release(&m->info);
	strbuf_release(&m->places);
}

/* Check what is fetched for an argument at an address of the headers; the file has it 0x1000 bytes
 * before. */
static void is_fetched(struct made *m, u64 addr, const char *arg, const char *want)
{
	const struct probe_point p = { .function = "work", .addr = addr, .offset = addr - 0x1000 };
	struct probe_fetches out = { 0 };
	struct probe_arg a;
	struct err err = { 0 };
	char got[512];

	assert_int_equal(probe_arg_parse(&a, arg, &err), 0);
	if (probe_fetch_variable(&m->object, &a, &p, &out, &err))
		snprintf(got, sizeof(got), "%s", err.msg);
	else
		snprintf(got, sizeof(got), "%s:%s", out.v[0].value, out.v[0].type);
	if (out.nr ? strcmp(got, want) != 0 : !strstr(got, want))
		fail_msg("DWARF %d, %s: \"%s\", not \"%s\"", m->version, arg, got, want);
	probe_fetches_release(&out);
	probe_arg_release(&a);
}

/* Tell whether this machine has the registers that the tests name. */
static bool is_x86(void)
{
	return arch_host() == arch_of("x86_64");
}

static void test_places(void **state)
{
	struct made m;

	(void)state;
	if (!is_x86())
		skip();
	for (u8 version = 4; version <= 5; version++) {
		make(&m, version);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			for (const struct fetched *f = rows[i].args;
			     f < rows[i].args + ARRAY_SIZE(rows[i].args) && f->arg; f++)
				is_fetched(&m, 0x1110, f->arg, f->want);
		is_fetched(&m, 0x1110, "constant", "\\-7:s32");
		is_fetched(&m, 0x1110, "everywhere.c", "@+8216:s64");
		is_fetched(&m, 0x1110, "unwritten", "\\5:s32");
		is_fetched(&m, 0x1110, "declared", "Failed to find the location of the 'declared'");
		m.object.user = false; /* a kernel finds its symbols itself */
		is_fetched(&m, 0x1110, "declared", "@declared+0:s64");
		is_fetched(&m, 0x1110, "everywhere.b", "@everywhere+4:s32");
		is_fetched(&m, 0x1110, "own", "each thread has its own");
		is_fetched(&m, 0x1110, "nothing", "Failed to find the location of the 'nothing'");
		drop(&m);
	}
}

/* The frame of a function is where its base is: the canonical frame address, which moves, or a
 * register. */
static void test_frames(void **state)
{
	struct made m;

	(void)state;
	if (!is_x86())
		skip();
	make(&m, 4);
	is_fetched(&m, 0x1100, "framed", "-24(%sp):s64");
	is_fetched(&m, 0x1103, "framed", "-24(%sp):s64");
	is_fetched(&m, 0x1104, "framed", "+16(%sp):s64");
	is_fetched(&m, 0x1210, "framed", "-32(%bp):s64");
	is_fetched(&m, 0x1310, "framed", "+32(%sp):s64");
	drop(&m);
}

/* A name means the variable of the innermost block, also where that lives nowhere. */
static void test_blocks(void **state)
{
	struct made m;

	(void)state;
	if (!is_x86())
		skip();
	make(&m, 5);
	is_fetched(&m, 0x114f, "i", "%si:s32");
	is_fetched(&m, 0x1150, "i", "%bx:s64");
	is_fetched(&m, 0x1160, "i", "%si:s32");
	is_fetched(&m, 0x1155, "r", "Failed to find the location of the 'r' variable");
	is_fetched(&m, 0x1155, "everywhere", "Failed to find the location of the 'everywhere'");
	is_fetched(&m, 0x1155, "framed", "+16(%sp):s64");
	drop(&m);
}

/* The values that registers had when the function was entered are known there, and nowhere else. */
static void test_lists(void **state)
{
	struct made m;

	(void)state;
	if (!is_x86())
		skip();
	for (u8 version = 4; version <= 5; version++) {
		make(&m, version);
		is_fetched(&m, 0x1100, "entry", "%di:s64");
		is_fetched(&m, 0x1100, "gnu->v", "+8(%di):s32");
		is_fetched(&m, 0x1100, "moved", "%di:s64");
		is_fetched(&m, 0x110f, "moved", "%di:s64");
		is_fetched(&m, 0x1110, "moved", "%bx:s64");
		is_fetched(&m, 0x1120, "moved", "register when work was entered");
		is_fetched(&m, 0x1130, "moved", "in work it is known from +0 to +32, +64 to +80");
		is_fetched(&m, 0x1140, "moved", "+16(%sp):s64");
		drop(&m);
	}
}
#endif

int main(void)
{
#ifdef HAVE_LIBDW
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return 0;
#endif
}
