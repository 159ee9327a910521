// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the kept form of units and functions: what is written is read again, and what does not make
 * sense is not. */
#include "base/compat.h"
#include "base/alloc.h"
#include "dwarf/source-index-internal.h"

#include <setjmp.h>
#include <cmocka.h>

#define INFO_LEN 1000

static const u8 info[INFO_LEN];
static const char strings[] = "one\0/src/dir";

static struct dw_file make_file(void)
{
	struct dw_file f = { .nr_units = 0 };

	f.sec[DW_INFO] = (struct dw_part){ info, sizeof(info) };
	f.sec[DW_STR] = (struct dw_part){ (const u8 *)strings, sizeof(strings) };
	return f;
}

static struct dw_unit make_unit(struct dw_file *f, u64 off, u64 end)
{
	return (struct dw_unit){
		.file = f,
		.sec = f->sec,
		.sizes = { 5, 8, 4 },
		.type = DW_UT_compile,
		.off = off,
		.root = off + 12,
		.end = end,
		.abbrevs_off = 77,
		.root_abbrev = 78,
		.tag = DW_TAG_compile_unit,
		.has_lines = true,
		.is_c = true,
		.lines_off = 5,
		.low_pc = 0x1000,
		.str_base = 8,
		.addr_base = 9,
		.rnglists_base = 10,
		.ranges_base = 11,
		.comp_dir = off ? NULL : strings + 4,
	};
}

/* An index of two units, three pieces of addresses and two functions. */
struct made {
	struct dw_file file;
	struct index_origin origin;
	struct kept_unit units[2];
	struct kept_piece pieces[3];
	struct kept_name names[2];
	u32 places[3];
	struct source_index x;
	struct strbuf bytes;
};

static void make(struct made *m)
{
	struct dw_unit first, second;

	*m = (struct made){
		.file = make_file(),
		.pieces = { { 0x1000, 0, 0 }, { 0x2000, 1, 0 }, { 0x3000, RANGE_NONE, 0 } },
		.names = { { 1, 0, 0, 2 }, { 5, 9, 2, 1 } },
		.places = { 30, 60, 400 },
	};
	first = make_unit(&m->file, 0, 300);
	second = make_unit(&m->file, 300, INFO_LEN);
	m->origin = index_origin_of(&m->file);
	m->units[0] = kept_unit_of(&first);
	m->units[1] = kept_unit_of(&second);
	m->x = (struct source_index){ m->units, m->pieces, m->names, m->places, "\0fun\0run\0_Zrun",
				      2,        3,         2,        3,         15,
				      true };
	source_index_write(&m->x, &m->origin, &m->bytes);
}

static void drop(struct made *m)
{
	free(m->file.units);
	strbuf_release(&m->bytes);
}

static void test_same(void **state)
{
	const struct dw_unit *u;
	struct source_index x;
	struct made m;

	(void)state;
	make(&m);
	assert_true(source_index_read(&x, m.bytes.buf, m.bytes.len, &m.origin));
	assert_true(x.listed);
	assert_int_equal(x.nr_names, 2);
	assert_string_equal(x.texts + x.names[1].name, "run");
	assert_string_equal(x.texts + x.names[1].linkage, "_Zrun");
	assert_int_equal(x.places[x.names[1].first], 400);
	assert_int_equal(x.pieces[2].of, RANGE_NONE);
	assert_true(kept_units_take(&m.file, &x));
	assert_int_equal(m.file.nr_units, 2);
	u = &m.file.units[0];
	assert_ptr_equal(u->sec, m.file.sec);
	assert_string_equal(u->comp_dir, "/src/dir");
	assert_int_equal(u->low_pc, 0x1000);
	assert_int_equal(u->sizes.version, 5);
	assert_true(u->is_c && u->has_lines && dw_unit_has_code(u));
	assert_null(m.file.units[1].comp_dir);
	assert_ptr_equal(dw_unit_at(&m.file, 299), u);
	assert_ptr_equal(dw_unit_at(&m.file, 300), u + 1);
	drop(&m);
}

/* It is cut off anywhere, or longer. */
static void test_length(void **state)
{
	struct source_index x;
	struct made m;
	u64 *copy;

	(void)state;
	make(&m);
	copy = xcalloc(m.bytes.len + 1, 1);
	for (size_t len = 0; len <= m.bytes.len + 1; len++) {
		memcpy(copy, m.bytes.buf, MIN(len, m.bytes.len));
		assert_int_equal(source_index_read(&x, copy, len, &m.origin), len == m.bytes.len);
	}
	free(copy);
	drop(&m);
}

/* It is of another file: its sections have other sizes, or other bytes. */
static void test_origin(void **state)
{
	u8 other[INFO_LEN] = { [INFO_LEN / 2] = 1 };
	struct index_origin origin;
	struct source_index x;
	struct made m;

	(void)state;
	make(&m);
	m.file.sec[DW_STR].len--;
	origin = index_origin_of(&m.file);
	assert_false(source_index_read(&x, m.bytes.buf, m.bytes.len, &origin));
	m.file.sec[DW_STR].len++;
	m.file.sec[DW_INFO].p = other;
	origin = index_origin_of(&m.file);
	assert_false(source_index_read(&x, m.bytes.buf, m.bytes.len, &origin));
	m.file.sec[DW_INFO].p = info;
	origin = index_origin_of(&m.file);
	assert_true(source_index_read(&x, m.bytes.buf, m.bytes.len, &origin));
	drop(&m);
}

/* Read the index after it was changed. Return: whether all of it is taken. */
static bool is_taken(struct made *m)
{
	struct source_index x;
	bool taken;

	strbuf_reset(&m->bytes);
	source_index_write(&m->x, &m->origin, &m->bytes);
	taken = source_index_read(&x, m->bytes.buf, m->bytes.len, &m->origin) &&
		kept_units_take(&m->file, &x);
	if (!taken) {
		assert_null(m->file.units);
		assert_int_equal(m->file.nr_units, 0);
	}
	return taken;
}

#define REFUSED(change)                                                                            \
	do {                                                                                       \
		make(&m);                                                                          \
		change;                                                                            \
		assert_false(is_taken(&m));                                                        \
		drop(&m);                                                                          \
	} while (0)

static void test_nonsense(void **state)
{
	struct made m;

	(void)state;
	make(&m);
	assert_true(is_taken(&m));
	drop(&m);
	REFUSED(m.units[1].off = 299);
	REFUSED(m.units[1].end = INFO_LEN + 1);
	REFUSED(m.units[1].root = 300);
	REFUSED(m.units[1].root = INFO_LEN + 1);
	REFUSED(m.units[0].addr = 3);
	REFUSED(m.units[0].offset = 0);
	REFUSED(m.units[0].version = 6);
	REFUSED(m.units[0].comp_dir = sizeof(strings));
	REFUSED(m.units[0].comp_dir_in = DW_SECTIONS + 1);
	REFUSED(m.units[0].comp_dir_in = DW_LINE); /* which the file does not have */
	REFUSED(m.pieces[0].of = 2);
	REFUSED(m.pieces[1].start = 0x1000);
	REFUSED(m.names[0].name = 15);
	REFUSED(m.names[1].linkage = UINT32_MAX);
	REFUSED(m.names[1].nr = 2);
	REFUSED(m.names[1].first = 4);
	REFUSED(m.x.texts = "\0fun\0run\0_Zrunx");
	REFUSED(m.x.texts = "xfun\0run\0_Zrun");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_origin),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
