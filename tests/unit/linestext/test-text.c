// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the tables of a built recording, of both byte orders and with several workers, and the
 * values of options. */
#include "base/compat.h"
#include "linestext/linestext.h"
#include "pdata-build.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC)
#define LINE 0x7f0000001000ULL
#define CODE 0x400000ULL

#define SOURCE(op, level, snoop)                                                                   \
	((u64)PERF_MEM_OP_##op << PERF_MEM_OP_SHIFT |                                              \
	 (u64)(PERF_MEM_LVL_HIT | PERF_MEM_LVL_##level) << PERF_MEM_LVL_SHIFT |                    \
	 (u64)PERF_MEM_SNOOP_##snoop << PERF_MEM_SNOOP_SHIFT)

static void put_access(struct pb *b, u32 tid, u64 ip, u64 addr, u64 source, u64 weight)
{
	const struct pb_id id = { 10, tid, 1000 + b->out.len, 7, 0, tid % 2 };
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	pb_u64(b, id.id);
	pb_u64(b, ip);
	pb_trailer(b, PERF_SAMPLE_TID | PERF_SAMPLE_TIME, &id);
	pb_u64(b, addr);
	pb_trailer(b, PERF_SAMPLE_CPU, &id);
	pb_u64(b, weight);
	pb_u64(b, source);
	pb_end(b, at);
}

/* Thread 11 stores to a line six times, and 12 loads from it four times, which takes 100 cycles and
 * one more each time. */
static void build(struct pb *b, bool swap)
{
	const struct pb_event ev = {
		.attr = { .type = 4, .config = 1, .sample_type = ST, .sample_id_all = 1 },
		.ids = { 7 },
		.nr_ids = 1,
		.name = "cpu/mem-loads/P",
	};
	const struct pb_id id = { 10, 10, 500, 7, 0, 0 };

	pb_start(b, swap, false, &ev, 1);
	pb_event_desc(b, &ev, 1);
	pb_mmap2(b, 10, CODE, 0x1000, "/made/prog", ST, &id);
	pb_mmap2(b, 10, LINE, 0x1000, "//anon", ST, &id);
	pb_comm(b, 10, 11, "writer", ST, &id);
	pb_comm(b, 10, 12, "reader", ST, &id);
	for (u32 i = 0; i < 6; i++)
		put_access(b, 11, CODE, LINE + 0x10, SOURCE(STORE, L1, NA), 0);
	for (u32 i = 0; i < 4; i++)
		put_access(b, 12, CODE + 16, LINE + 0x18, SOURCE(LOAD, L3, HITM), 100 + i);
	pb_finish(b);
}

static void make(const char *keys, bool swap, int workers,
		 void (*put)(struct clines_table *t, struct strbuf *out), struct strbuf *out)
{
	const struct recording_options source = { .buildid_dir = "", .debuginfod = "" };
	struct recording_options o = source;
	struct clines_show show = { 0 };
	struct clines_table *t;
	struct recording r;
	struct err err = { 0 };
	char path[64];
	struct pb b;
	int fd;

	build(&b, swap);
	o.input = pb_save(b.out.buf, b.out.len, &fd, path);
	assert_int_equal(clines_show_coalesce(&show, keys, &err), 0);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	t = clines_table_new(&show, &r, workers, &err);
	if (!t)
		fail_msg("%s", err.msg);
	assert_int_equal(clines_table_nr(t), 1);
	put(t, out);
	clines_table_free(t);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

static void assert_has(const struct strbuf *text, const char *part)
{
	if (!strstr(strbuf_str(text), part))
		fail_msg("'%s' is not in:\n%s", part, strbuf_str(text));
}

static void test_json(void **state)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;

	make("tid", false, 1, clines_table_json, &one);
	assert_has(&one, "{\"offset\":16,\"tid\":11,\"comm\":\"writer\",\"cpus\":1,");
	assert_has(&one, "{\"offset\":24,\"tid\":12,\"comm\":\"reader\",\"cpus\":1,");
	assert_has(&one,
		   "\"cycles\":{\"local_hitm\":101.5},\"counts\":{\"accesses\":4,\"loads\":4,");
	assert_has(&one, "\"counts\":{\"accesses\":6,\"stores\":6,\"stores_l1_hit\":6}");
	make("tid", false, 3, clines_table_json, &other);
	assert_string_equal(strbuf_str(&one), strbuf_str(&other));
	strbuf_reset(&other);
	make("tid", true, 2, clines_table_json, &other);
	assert_string_equal(strbuf_str(&one), strbuf_str(&other));
	strbuf_release(&one);
	strbuf_release(&other);
}

static void test_tables(void **state)
{
	struct strbuf out = STRBUF_INIT;

	make("iaddr", false, 1, clines_table_put, &out);
	assert_has(&out, "  Load Local HITM                   :          4\n");
	assert_has(&out, "  Total Shared Cache Lines          :          1\n");
	assert_has(&out,
		   "      0        0        4        6        0        0      0x7f0000001000\n");
	assert_has(&out, "  Cacheline data grouping           : offset,iaddr\n");
	strbuf_release(&out);
}

static void test_options(void **state)
{
	struct clines_show show = { 0 };
	struct err err = { 0 };

	assert_int_equal(clines_show_coalesce(&show, "tid,iaddr", &err), 0);
	assert_int_equal(clines_show_coalesce(&show, "tid,colour", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "colour"));
	assert_int_equal(clines_show_display(&show, "rmt", &err), 0);
	assert_int_equal(show.display, DISPLAY_REMOTE);
	assert_int_equal(clines_show_display(&show, "far", &err), -EINVAL);
	assert_int_equal(show.display, DISPLAY_REMOTE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
