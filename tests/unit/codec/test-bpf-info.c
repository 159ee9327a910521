// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what header features say of BPF programs: functions, their code and lines; and damaged ones.
 */
#include "base/compat.h"
#include "base/strbuf.h"
#include "codec/bpf-info.h"

#include <setjmp.h>
#include <cmocka.h>

#define ADDR 0xffffffffc0001000ULL
#define INFO_SIZE 232

static void put32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void set32(u8 *info, size_t at, u32 v)
{
	memcpy(info + at, &v, sizeof(v));
}

static void set64(u8 *info, size_t at, u64 v)
{
	memcpy(info + at, &v, sizeof(v));
}

/* Types: 1 an integer, 2 a prototype, 3 function "one", 4 function "two". */
static void build_btf(struct strbuf *out, u32 id)
{
	static const char strings[] = "\0int\0one\0two\0a.c\0first();\0second();";
	static const u32 types[] = { 1, 1U << 24,  4, 32, 0,         13U << 24, 1,
				     5, 12U << 24, 2, 9,  12U << 24, 2 };
	struct strbuf b = STRBUF_INIT;

	put32(&b, 0xeb9f | 1U << 16);
	put32(&b, 24);
	put32(&b, 0);
	put32(&b, sizeof(types));
	put32(&b, sizeof(types));
	put32(&b, sizeof(strings));
	strbuf_add(&b, types, sizeof(types));
	strbuf_add(&b, strings, sizeof(strings));
	put32(out, 1);
	put32(out, id);
	put32(out, (u32)b.len);
	strbuf_add(out, b.buf, b.len);
	strbuf_release(&b);
}

/* Make a program of two functions, of 5 and 3 bytes; the second begins 64 bytes behind the
 * first. */
static void build_info(struct strbuf *out, u32 id, u64 arrays)
{
	u8 info[INFO_SIZE] = { 0 };
	struct strbuf data = STRBUF_INIT;

	set32(info, 4, id);
	set32(info, 16, 8);
	set64(info, 24, data.len);
	strbuf_add(&data, "\x90\x91\x92\x93\xc3\x31\xc0\xc3", 8);
	memcpy(info + 64, "progname", 8);
	set32(info, 104, 2);
	set32(info, 108, 2);
	set64(info, 112, data.len);
	put64(&data, ADDR);
	put64(&data, ADDR + 64);
	set64(info, 120, data.len);
	put32(&data, 5);
	put32(&data, 3);
	set32(info, 128, 9); /* BTF */
	set32(info, 132, 8);
	set64(info, 136, data.len);
	set32(info, 144, 2);
	put32(&data, 0);
	put32(&data, 3);
	put32(&data, 7);
	put32(&data, 4);
	set32(info, 148, 3);
	set64(info, 152, data.len);
	for (u32 i = 0; i < 3; i++) {
		put32(&data, i);
		put32(&data, 13);
		put32(&data, i == 1 ? 26 : 17);
		put32(&data, (i == 1 ? 30 : 20 - i) << 10 | 3);
	}
	set64(info, 160, data.len);
	set32(info, 168, 3);
	put64(&data, ADDR + 2); /* not in the order of addresses */
	put64(&data, ADDR + 64);
	put64(&data, ADDR);
	set32(info, 172, 16);
	set32(info, 176, 8);
	set32(info, 180, 2);
	set64(info, 184, data.len);
	strbuf_add(&data, "\1\2\3\4\5\6\7\x8\xa\xb\xc\xd\xe\xf\1\2", 16);
	put32(out, INFO_SIZE);
	put32(out, (u32)data.len);
	put64(out, arrays);
	strbuf_add(out, info, sizeof(info));
	strbuf_add(out, data.buf, data.len);
	strbuf_release(&data);
}

#define ALL 0x1f9

/* The features, and what was read of them. */
struct built {
	struct strbuf info, btf;
	struct bpf_programs p;
};

static void read_built(struct built *b)
{
	bpf_programs_release(&b->p);
	bpf_programs_read(&b->p, b->info.buf, b->info.len, b->btf.buf, b->btf.len);
}

static void build(struct built *b, u64 arrays)
{
	*b = (struct built){ .info = STRBUF_INIT };
	put32(&b->info, 1);
	build_info(&b->info, 77, arrays);
	build_btf(&b->btf, 9);
	read_built(b);
}

static void release(struct built *b)
{
	bpf_programs_release(&b->p);
	strbuf_release(&b->info);
	strbuf_release(&b->btf);
}

static void test_functions(void **state)
{
	const struct bpf_function *f;
	struct built b;

	build(&b, ALL);
	assert_int_equal(b.p.nr, 2);
	f = bpf_programs_find(&b.p, ADDR, 5, "bpf_prog_0102030405060708_one");
	assert_ptr_equal(f, &b.p.v[0]);
	assert_string_equal(f->name, "bpf_prog_0102030405060708_one");
	assert_int_equal(f->id, 77);
	assert_memory_equal(f->code, "\x90\x91\x92\x93\xc3", 5);
	f = bpf_programs_find(&b.p, ADDR + 64, 4096, "bpf_prog_ff_two"); /* tags vary, and sizes */
	assert_ptr_equal(f, &b.p.v[1]);
	assert_string_equal(f->name, "bpf_prog_0a0b0c0d0e0f0102_two");
	assert_memory_equal(f->code, "\x31\xc0\xc3", 3);
	assert_null(bpf_programs_find(&b.p, ADDR + 1, 5, "bpf_prog_ff_one"));
	assert_null(bpf_programs_find(&b.p, ADDR, 4, "bpf_prog_ff_one"));
	release(&b);
}

static void test_lines(void **state)
{
	const struct bpf_line *l;
	struct built b;

	build(&b, ALL);
	l = bpf_function_line(&b.p.v[0], 1);
	assert_int_equal(l->line, 18);
	assert_string_equal(l->file, "a.c");
	assert_string_equal(l->text, "first();");
	assert_int_equal(bpf_function_line(&b.p.v[0], 4)->line, 20);
	assert_int_equal(bpf_function_line(&b.p.v[1], 0)->line, 30);
	assert_string_equal(bpf_function_line(&b.p.v[1], 2)->text, "second();");
	release(&b);
}

/* Arrays that the recorder did not have, and BTF that is not there, are missed and nothing else. */
static void test_parts(void **state)
{
	struct built b;

	build(&b, ALL & ~1ULL);
	assert_null(b.p.v[0].code);
	assert_int_equal(b.p.v[0].nr_lines, 2);
	strbuf_release(&b.btf);
	read_built(&b);
	assert_int_equal(b.p.nr, 2);
	assert_string_equal(b.p.v[1].name, "bpf_prog_0a0b0c0d0e0f0102_F");
	assert_int_equal(b.p.v[0].nr_lines, 0);
	release(&b);
}

/* Several programs were at one address: the name tells which of them is meant. */
static void test_same_place(void **state)
{
	struct built b;

	build(&b, ALL);
	build_info(&b.info, 2, ALL);
	*(u32_una *)b.info.buf = 2;
	read_built(&b);
	assert_int_equal(b.p.nr, 4);
	free(b.p.v[0].name);
	b.p.v[0].name = strdup("bpf_prog_00_other");
	assert_int_equal(bpf_programs_find(&b.p, ADDR, 5, "bpf_prog_aa_one")->id, 2);
	assert_int_equal(bpf_programs_find(&b.p, ADDR, 5, "bpf_prog_aa_other")->id, 77);
	release(&b);
}

/* Any cut, and any byte that is another one, is survived. */
static void test_damaged(void **state)
{
	struct built b;
	size_t whole;

	build(&b, ALL);
	whole = b.info.len;
	for (b.info.len = 0; b.info.len < whole; b.info.len++)
		read_built(&b);
	whole = b.btf.len;
	for (b.btf.len = 0; b.btf.len < whole; b.btf.len++)
		read_built(&b);
	for (size_t i = 0; i < b.info.len + b.btf.len; i++) {
		char *at = i < b.info.len ? &b.info.buf[i] : &b.btf.buf[i - b.info.len];
		char was = *at;

		for (int k = 0; k < 3; k++) {
			*at = (char)(k ? was ^ 1 << (k * 3) : 0xff);
			read_built(&b);
			for (size_t f = 0; f < b.p.nr; f++)
				bpf_function_line(&b.p.v[f], 3);
		}
		*at = was;
	}
	release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions), cmocka_unit_test(test_lines),
		cmocka_unit_test(test_parts),     cmocka_unit_test(test_same_place),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
