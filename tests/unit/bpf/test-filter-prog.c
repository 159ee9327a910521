// SPDX-License-Identifier: GPL-2.0-or-later
/* Test BPF programs made by us: members found in BTF, jumps resolved, and what the kernel makes of
 * them. */
#include "base/compat.h"
#include "base/alloc.h"
#include "bpf/filter-internal.h"
#include "bpf/sys.h"
#include "bpf/btf.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

enum { INT = 1, STRUCT = 4, UNION = 5, TYPEDEF = 8, FUNC = 12, PROTO = 13 };

/*
 * struct inner { int x; int y; };		2, typedef of it 3
 * union { int p; inner q; };			4
 * struct outer { int a; <union>; inner c; };	5
 * f(int a, int b)				6, 7
 */
#define NAMES "\0int\0inner\0x\0y\0p\0q\0outer\0a\0c\0f"
enum {
	N_INT = 1,
	N_INNER = 5,
	N_X = 11,
	N_Y = 13,
	N_P = 15,
	N_Q = 17,
	N_OUTER = 19,
	N_A = 25,
	N_C = 27,
	N_F = 29
};

/* clang-format off */
static const u32 types[] = {
	N_INT, INT << 24, 4, 32,
	N_INNER, STRUCT << 24 | 2, 8, N_X, 1, 0, N_Y, 1, 32,
	N_INNER, TYPEDEF << 24, 2,
	0, UNION << 24 | 2, 8, N_P, 1, 0, N_Q, 3, 0,
	N_OUTER, STRUCT << 24 | 3, 24, N_A, 1, 0, 0, 4, 64, N_C, 3, 128,
	0, (u32)PROTO << 24 | 2, 0, N_A, 1, N_C, 1,
	N_F, (u32)FUNC << 24 | 1, 6,
};
/* clang-format on */

static u8 *make_btf(size_t *size)
{
	u32 head[] = { 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(NAMES) };
	u8 *b = xmalloc(sizeof(head) + sizeof(types) + sizeof(NAMES));

	memcpy(b, head, sizeof(head));
	memcpy(b + sizeof(head), types, sizeof(types));
	memcpy(b + sizeof(head) + sizeof(types), NAMES, sizeof(NAMES));
	*size = sizeof(head) + sizeof(types) + sizeof(NAMES);
	return b;
}

static void test_members(void **state)
{
	size_t size;
	u8 *data = make_btf(&size);
	struct btf b;

	assert_int_equal(btf_open(&b, data, size), 0);
	assert_int_equal(btf_member(&b, "inner", "y"), 4);
	assert_int_equal(btf_member(&b, "outer", "a"), 0);
	assert_int_equal(btf_member(&b, "outer", "p"), 8);
	assert_int_equal(btf_member(&b, "outer", "q.y"), 12);
	assert_int_equal(btf_member(&b, "outer", "c.y"), 20);
	assert_int_equal(btf_member(&b, "outer", "z"), -ENOENT);
	assert_int_equal(btf_member(&b, "outer", "a.x"), -ENOENT);
	assert_int_equal(btf_member(&b, "none", "a"), -ENOENT);
	assert_int_equal(btf_params(&b, "f"), 2);
	assert_int_equal(btf_params(&b, "inner"), -ENOENT);
	btf_close(&b);
	free(data);
}

static void test_damaged(void **state)
{
	size_t size;
	u8 *data = make_btf(&size);

	for (size_t at = 0; at < size; at++) {
		for (u32 v = 0; v < 256; v += 51) {
			/* its own block, so that a sanitizer sees what is read behind it */
			u8 *copy = xmalloc(size - at % 7);
			struct btf b;

			memcpy(copy, data, size - at % 7);
			if (at < size - at % 7)
				copy[at] = (u8)v;
			if (!btf_open(&b, copy, size - at % 7)) {
				btf_member(&b, "outer", "q.y");
				btf_params(&b, "f");
			}
			btf_close(&b);
			free(copy);
		}
	}
	free(data);
}

static void test_jumps(void **state)
{
	struct bpf_code c = { 0 };
	int back = bpf_label(&c), out = bpf_label(&c), never = bpf_label(&c);

	bpf_bind(&c, back);
	bpf_movi(&c, BPF_REG_0, 7);
	bpf_jumpi(&c, BPF_JEQ, BPF_REG_0, 7, out);
	bpf_mov64(&c, BPF_REG_1, 0x123456789abcdef0); /* two instructions */
	bpf_goto(&c, back);
	bpf_bind(&c, out);
	bpf_exit(&c);
	assert_int_equal(bpf_link(&c), 0);
	assert_int_equal(c.nr, 6);
	assert_int_equal(c.v[1].off, 3);
	assert_int_equal(c.v[4].off, -5);
	assert_int_equal((u32)c.v[2].imm, 0x9abcdef0);
	assert_int_equal(c.v[3].imm, 0x12345678);
	bpf_goto(&c, never);
	assert_int_equal(bpf_link(&c), -E2BIG);
	bpf_code_release(&c);
}

/* Load a program for @type. Return: descriptor; skips the test without the right to. */
static int load(u32 type, struct bpf_code *c)
{
	struct err err = { 0 };
	int fd = bpf_prog_new("test", type, c, &err);

	bpf_code_release(c);
	if (fd == -EPERM)
		skip();
	if (fd < 0)
		fail_msg("%s", err.msg);
	return fd;
}

/* A socket filter adds up 1 ... 10 in a loop, keeps the sum in a map and returns it. */
static void test_run(void **state)
{
	struct bpf_code c = { 0 };
	struct err err = { 0 };
	union bpf_attr a;
	u64 sum = 0;
	u32 zero = 0;
	u8 packet[64] = { 0 };
	int map = bpf_map_new("test", BPF_MAP_TYPE_ARRAY, 4, 8, 1, &err), prog,
	    again = bpf_label(&c);

	if (map == -EPERM)
		skip();
	assert_true(map >= 0);
	bpf_movi(&c, BPF_REG_0, 0);
	bpf_movi(&c, BPF_REG_2, 10);
	bpf_bind(&c, again);
	bpf_alu(&c, BPF_ADD, BPF_REG_0, BPF_REG_2);
	bpf_alui(&c, BPF_SUB, BPF_REG_2, 1);
	bpf_jumpi(&c, BPF_JNE, BPF_REG_2, 0, again);
	bpf_movval(&c, BPF_REG_1, map, 0);
	bpf_add_atomic(&c, BPF_REG_1, 0, BPF_REG_0);
	bpf_exit(&c);
	prog = load(BPF_PROG_TYPE_SOCKET_FILTER, &c);
	memset(&a, 0, sizeof(a));
	a.test.prog_fd = (u32)prog;
	a.test.data_in = (u64)(uintptr_t)packet;
	a.test.data_size_in = sizeof(packet);
	assert_int_equal(bpf_call(BPF_PROG_TEST_RUN, &a), 0);
	assert_int_equal(a.test.retval, 55);
	assert_int_equal(bpf_map_get(map, &zero, &sum), 0);
	assert_int_equal(sum, 55);
	close(prog);
	close(map);
}

static void test_refused(void **state)
{
	struct bpf_code c = { 0 };
	struct err err = { 0 };
	int fd;

	bpf_load(&c, BPF_DW, BPF_REG_0, BPF_REG_5, 0); /* r5 is nothing */
	bpf_exit(&c);
	fd = bpf_prog_new("wrong", BPF_PROG_TYPE_SOCKET_FILTER, &c, &err);
	bpf_code_release(&c);
	assert_true(fd < 0);
	if (fd == -EPERM)
		skip();
	assert_non_null(strstr(err.msg, "The kernel refused the BPF program wrong"));
	assert_non_null(strstr(err.msg, "R5"));
}

/* The kernel takes the program of any filter: all fields, as many comparisons as there may be. */
static void test_filters(void **state)
{
	const struct sysroot sr = { NULL };
	struct bpf_filter_where w;
	struct bpf_filter_node nodes[FILTER_NODES_MAX];
	struct err err = { 0 };
	int counts = bpf_map_new("test", BPF_MAP_TYPE_ARRAY, 4, 8, 1, &err);

	if (counts < 0 || bpf_filter_find(&w, &sr, &err))
		skip();
	for (int term = 0; term <= FT_NR; term++) {
		struct bpf_code c = { 0 };
		struct strbuf sb = STRBUF_INIT;
		struct filter_error fe;
		struct compiled_filter f;
		bool all = term == FT_NR;

		if (term == FT_DATA_SRC)
			strbuf_addstr(&sb, "mem_op == load, mem_snoop == fwd, mem_lvl > l1");
		else if (term == FT_CGROUP)
			strbuf_addstr(&sb, "cgroup == 1");
		for (int i = 0; !sb.len || (all && i < FILTER_NODES_MAX); i++)
			strbuf_addf(&sb, "%s%s %s %d", i ? i & 1 ? " || " : ", " : "",
				    all ? i % 3 ? "cpu" : "period" : filter_term_name((u8)term),
				    i & 2 ? "<=" : "&", i);
		assert_int_equal(compiled_filter_parse(&f, strbuf_str(&sb), &fe), 0);
		/* an older kernel may not show the field */
		if (!bpf_filter_lower(nodes, &f, &w, PERF_SAMPLE_WEIGHT_STRUCT, &sr, &err)) {
			bpf_filter_compile(&c, &w, nodes, f.nr, counts);
			close(load(BPF_PROG_TYPE_PERF_EVENT, &c));
		}
		compiled_filter_release(&f);
		strbuf_release(&sb);
	}
	close(counts);
}

static void test_interpreter(void **state)
{
	const struct sysroot sr = { NULL };
	struct bpf_filter_where w;
	struct bpf_code c = { 0 };
	struct err err = { 0 };
	int ids = bpf_map_new("ids", BPF_MAP_TYPE_HASH, 8, 8, 4, &err);
	int filters = bpf_map_new("filters", BPF_MAP_TYPE_HASH, 8, sizeof(struct bpf_filter_value),
				  4, &err);

	if (ids < 0 || filters < 0 || bpf_filter_find(&w, &sr, &err))
		skip();
	bpf_filter_interpreter(&c, &w, ids, filters);
	close(load(BPF_PROG_TYPE_PERF_EVENT, &c));
	/* as on a kernel before 6.3 */
	w.filled = false;
	bpf_filter_interpreter(&c, &w, ids, filters);
	close(load(BPF_PROG_TYPE_PERF_EVENT, &c));
	close(ids);
	close(filters);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),     cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_jumps),       cmocka_unit_test(test_run),
		cmocka_unit_test(test_refused),     cmocka_unit_test(test_filters),
		cmocka_unit_test(test_interpreter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
