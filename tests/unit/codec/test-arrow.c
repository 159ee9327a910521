// SPDX-License-Identifier: GPL-2.0-or-later
/* Test FlatBuffers and Arrow files as bytes, which were worked out by hand from the specifications.
 */
#include "base/compat.h"
#include "base/alloc.h"
#include "codec/arrow.h"
#include "codec/flatbuf.h"

#include <setjmp.h>

#include <cmocka.h>

static void expect(const struct strbuf *b, const void *bytes, size_t len)
{
	assert_int_equal(b->len, len);
	assert_memory_equal(b->buf, bytes, len);
}

/* A table: its list of offsets, then its fields, each aligned to its size; one is left out. */
static void test_table(void **state)
{
	const struct flat_slot slots[] = {
		{ 1, 7 },
		{ 0, 9 },
		FLAT_REF,
		{ 8, 0x1122334455667788 },
	};
	static const u8 want[] = {
		12,   0,    20,   0,    4,    0,    0, 0, 8,  0, 12,  0, /* list: sizes, offsets */
		12,   0,    0,    0,    7,    0,    0, 0, 12, 0, 0,   0,   0x88, 0x77,
		0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 2, 0, 0,  0, 'h', 'i', 0,
	};
	struct strbuf b = STRBUF_INIT;
	size_t at[ARRAY_SIZE(slots)];

	assert_int_equal(flat_table(&b, slots, ARRAY_SIZE(slots), at), 12);
	assert_int_equal(at[0], 16);
	assert_int_equal(at[2], 20);
	assert_int_equal(at[3], 24);
	flat_refer(&b, at[2], flat_string(&b, "hi"));
	expect(&b, want, sizeof(want));
	strbuf_release(&b);
}

/* The elements of a vector are aligned, not its head. */
static void test_vector(void **state)
{
	static const u8 want[] = { 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0,
				   6, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
	struct strbuf b = STRBUF_INIT;

	flat_number(&b, 1, 1);
	assert_int_equal(flat_vector(&b, 2, 8), 4);
	flat_number(&b, 5, 8);
	flat_number(&b, 6, 8);
	assert_int_equal(flat_refs(&b, 1), 24);
	expect(&b, want, sizeof(want));
	strbuf_release(&b);
}

static void put(void *ctx, const void *data, size_t len)
{
	strbuf_add(ctx, data, len);
}

static u32 number(const struct strbuf *b, size_t at)
{
	const u8 *p = (const u8 *)b->buf + at;

	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

/* Find where the body of the message at @at begins. */
static size_t body(const struct strbuf *b, size_t at)
{
	assert_int_equal(number(b, at), UINT32_MAX);
	assert_int_equal(number(b, at + 4) % 8, 0);
	return at + 8 + number(b, at + 4);
}

static void start(struct arrow_file *f, struct strbuf *out, enum arrow_type type)
{
	*f = (struct arrow_file){ .put = put, .ctx = out, .nr = 1 };
	f->columns = xcalloc(1, sizeof(*f->columns));
	f->columns[0] = (struct arrow_column){ .name = xstrdup("a"), .type = type };
	arrow_begin(f);
	assert_memory_equal(out->buf, "ARROW1\0\0", 8);
	assert_int_equal(body(out, 8), out->len);
}

/* The second batch has nothing of the first one. */
static void test_numbers(void **state)
{
	static const u8 first[] = { 5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0 };
	struct strbuf out = STRBUF_INIT;
	struct arrow_file f;
	size_t at;

	start(&f, &out, ARROW_U32);
	at = out.len;
	arrow_set_number(&f.columns[0], 0, 5);
	arrow_set_number(&f.columns[0], 2, 6);
	arrow_batch(&f, 3);
	at = body(&out, at);
	assert_memory_equal(out.buf + at, "\5\0\0\0\0\0\0\0", 8); /* which are valid */
	assert_memory_equal(out.buf + at + 8, first, sizeof(first));
	assert_int_equal(out.len, at + 24);
	arrow_batch(&f, 2);
	at = body(&out, at + 24);
	for (size_t i = at; i < at + 16; i++)
		assert_int_equal(out.buf[i], 0);
	assert_int_equal(out.len, at + 16);
	arrow_end(&f);
	assert_memory_equal(out.buf + out.len - 6, "ARROW1", 6);
	assert_int_equal(number(&out, out.len - 10) % 8, 0);
	arrow_release(&f);
	strbuf_release(&out);
}

/* No bits are there when all values are; rows without a text end where they begin. */
static void test_texts(void **state)
{
	static const u8 all[] = { 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 'x', 'y', 'z' };
	static const u8 some[] = { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,
				   0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 'q' };
	struct strbuf out = STRBUF_INIT;
	struct arrow_file f;
	size_t at;

	start(&f, &out, ARROW_TEXT);
	at = out.len;
	arrow_set_text(&f.columns[0], 0, "x", 1);
	arrow_set_text(&f.columns[0], 1, "yz", 2);
	arrow_batch(&f, 2);
	at = body(&out, at);
	assert_memory_equal(out.buf + at, all, sizeof(all));
	at = out.len;
	arrow_set_text(&f.columns[0], 1, "q", 1);
	arrow_batch(&f, 3);
	at = body(&out, at);
	assert_memory_equal(out.buf + at, some, sizeof(some));
	arrow_release(&f);
	strbuf_release(&out);
}

static void test_lists(void **state)
{
	static const u8 want[] = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
				   0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0 };
	struct strbuf out = STRBUF_INIT;
	struct arrow_column *item = xcalloc(1, sizeof(*item));
	struct arrow_file f;
	size_t at;

	start(&f, &out, ARROW_LIST);
	*item = (struct arrow_column){ .name = xstrdup("item"), .type = ARROW_S64 };
	f.columns[0].children = item;
	f.columns[0].nr_children = 1;
	at = out.len;
	assert_int_equal(arrow_set_list(&f.columns[0], 0, 2), 0);
	arrow_set_number(item, 0, 7);
	arrow_set_number(item, 1, 8);
	arrow_batch(&f, 2);
	at = body(&out, at);
	assert_memory_equal(out.buf + at, want, sizeof(want));
	assert_int_equal(out.len, at + sizeof(want));
	arrow_release(&f);
	strbuf_release(&out);
}

/* Rows that begin amid a byte of bits, behind rows that are null. */
static void test_append(void **state)
{
	static const u8 numbers[] = { 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0,
				      0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,
				      8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	struct arrow_column to = { .type = ARROW_U32 }, from = { .type = ARROW_U32 };

	arrow_set_number(&from, 0, 7);
	arrow_set_number(&from, 2, 8);
	arrow_append(&to, 1, &from, 4);
	arrow_append(&to, 6, &from, 3);
	assert_int_equal(to.nr_valid, 4);
	assert_int_equal(to.valid[0], 0x4a);
	assert_int_equal(to.valid[1], 1);
	assert_memory_equal(to.values, numbers, sizeof(numbers));
	arrow_empty(&from, 4);
	arrow_append(&to, 9, &from, 4);
	assert_int_equal(to.nr_valid, 4);
	assert_int_equal(arrow_bytes(&to, 9), 36);
	arrow_column_release(&from);
	arrow_column_release(&to);
}

/* Many at once: bits amid a byte, whole bytes and the rest. */
static void test_many(void **state)
{
	struct arrow_column c = { .type = ARROW_U64 };
	u64 *values = arrow_set_numbers(&c, 3, 16);

	for (int i = 0; i < 16; i++)
		values[i] = (u64)i;
	arrow_set_numbers(&c, 20, 1);
	assert_int_equal(c.nr_valid, 17);
	assert_memory_equal(c.valid, "\xf8\xff\x17\0", 4);
	assert_int_equal(((u64 *)c.values)[18], 15);
	arrow_column_release(&c);
}

static void test_append_lists(void **state)
{
	struct arrow_column to = { .type = ARROW_LIST, .nr_children = 1 }, from = to;
	struct arrow_column *text;

	to.children = xcalloc(1, sizeof(to));
	from.children = xcalloc(1, sizeof(to));
	text = from.children;
	to.children->type = text->type = ARROW_TEXT;
	for (u64 row = 0; row < 6; row += 3) {
		assert_int_equal(arrow_set_list(&from, 1, 2), 0);
		arrow_set_text(text, 0, "ab", 2);
		arrow_set_text(text, 1, "c", 1);
		arrow_append(&to, row, &from, 3);
		arrow_empty(&from, 3);
	}
	assert_int_equal(arrow_items(&to, 6), 4);
	assert_int_equal(arrow_items(&to, 2), 2);
	assert_memory_equal(to.ends, ((const u32[]){ 0, 0, 2, 2, 2, 4, 4 }), 7 * sizeof(u32));
	assert_memory_equal(to.children->ends, ((const u32[]){ 0, 2, 3, 5, 6 }), 5 * sizeof(u32));
	assert_memory_equal(to.children->text.buf, "abcabc", 6);
	arrow_column_release(&from);
	arrow_column_release(&to);
}

/* A stream has neither magic bytes nor a list of messages. */
static void test_stream(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct arrow_file f = { .put = put, .ctx = &out, .nr = 1, .stream = true };
	struct arrow_column name = { .type = ARROW_TEXT };
	size_t at;

	f.columns = xcalloc(1, sizeof(*f.columns));
	f.columns[0] = (struct arrow_column){ .name = xstrdup("a"), .type = ARROW_NAME };
	arrow_begin(&f);
	at = out.len;
	assert_int_equal(body(&out, 0), at);
	arrow_set_text(&name, 0, "x", 1);
	arrow_dictionary(&f, 0, &name, 1);
	at = body(&out, at) + 16; /* two ends, a text with what fills it up */
	arrow_set_number(&f.columns[0], 0, 0);
	arrow_batch(&f, 1);
	at = body(&out, at) + 8;
	arrow_end(&f);
	assert_memory_equal(out.buf + at, "\377\377\377\377\0\0\0", 8);
	assert_int_equal(out.len, at + 8);
	arrow_column_release(&name);
	arrow_release(&f);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),        cmocka_unit_test(test_vector),
		cmocka_unit_test(test_numbers),      cmocka_unit_test(test_texts),
		cmocka_unit_test(test_lists),        cmocka_unit_test(test_append),
		cmocka_unit_test(test_append_lists), cmocka_unit_test(test_stream),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
