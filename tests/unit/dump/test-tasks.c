// SPDX-License-Identifier: GPL-2.0-or-later
/* Test tasks and their mappings from records, and the tree and the counts as text. */
#include "base/compat.h"
#include "dump/stats-text.h"
#include "dump/tasks-text.h"
#include "wire/encode.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/mman.h>

static void apply(struct tasks *t, struct strbuf *rec, int want)
{
	assert_int_equal(tasks_apply(t, (const wire_header *)rec->buf, rec->len), want);
	strbuf_reset(rec);
}

static void comm(struct tasks *t, u32 pid, u32 tid, const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	enc_comm(&sb, 0, &(struct rec_comm){ .pid = pid, .tid = tid, .comm = name }, NULL, NULL);
	apply(t, &sb, 0);
	strbuf_release(&sb);
}

static void fork_to(struct tasks *t, u16 misc, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	struct strbuf sb = STRBUF_INIT;

	enc_task(&sb, PERF_RECORD_FORK, misc,
		 &(struct rec_task){ .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid }, NULL,
		 NULL);
	apply(t, &sb, 0);
	strbuf_release(&sb);
}

static void map(struct tasks *t, u32 pid, u64 start, u64 len, const char *name)
{
	const struct rec_mmap m = { .pid = pid,
				    .tid = pid,
				    .start = start,
				    .len = len,
				    .pgoff = 0x1000,
				    .ino = 7,
				    .prot = PROT_READ | PROT_EXEC,
				    .flags = MAP_PRIVATE,
				    .filename = name };
	struct strbuf sb = STRBUF_INIT;

	enc_mmap2(&sb, PERF_RECORD_MISC_USER, &m, NULL, NULL);
	apply(t, &sb, 0);
	strbuf_release(&sb);
}

static int collect(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

static void expect(struct tasks *t, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	tasks_end(t);
	assert_int_equal(tasks_text(t, collect, &sb), 0);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
	tasks_free(t);
}

#define HEAD "#      pid      tid     ppid  comm\n         0        0       -1 |swapper\n"

static void test_tree(void **state)
{
	struct tasks *t = tasks_new(false);

	comm(t, 10, 10, "sh");
	fork_to(t, 0, 300, 300, 10, 10); /* before 257: siblings go by tid modulo 256 */
	fork_to(t, 0, 257, 257, 10, 10);
	comm(t, 257, 257, "a\tb");
	fork_to(t, 0, 257, 258, 257, 257); /* a thread */
	fork_to(t, 0, 20, 20, 19, 19);     /* of a parent without name */
	expect(t, HEAD "        10       10       -1 |sh\n"
		       "       257      257       10 | a\\x09b\n"
		       "       257      258      257 |  a\\x09b\n"
		       "       300      300       10 | sh\n"
		       "        19       19       -1 |:19\n"
		       "        20       20       19 | :20\n");
}

static void test_maps(void **state)
{
	struct tasks *t = tasks_new(true);

	comm(t, 10, 10, "sh");
	map(t, 10, 0x10000, 0x3000, "/lib");
	fork_to(t, 0, 11, 11, 10, 10);
	map(t, 11, 0x11000, 0x1000, "//anon");
	fork_to(t, 1 << 13, 12, 12, 10, 10); /* told of after its exec: no mappings to take over */
	expect(t, HEAD
	       "        10       10       -1 |sh\n"
	       "                                10000-13000 r-xp 00001000 7 /lib\n"
	       "        11       11       10 | sh\n"
	       "                                 10000-11000 r-xp 00001000 7 /lib\n"
	       "                                 11000-12000 r-xp 00001000 7 /tmp/perf-11.map\n"
	       "                                 12000-13000 r-xp 00003000 7 /lib\n"
	       "        12       12       10 | sh\n");
}

/* A task that is its own ancestor, and a record cut short. */
static void test_damaged(void **state)
{
	struct tasks *t = tasks_new(true);
	struct strbuf sb = STRBUF_INIT;

	fork_to(t, 0, 5, 5, 6, 6);
	fork_to(t, 0, 6, 6, 5, 5);
	fork_to(t, 0, 5, 5, 6, 6);
	enc_comm(&sb, 0, &(struct rec_comm){ .pid = 1, .tid = 1, .comm = "x" }, NULL, NULL);
	sb.len = 12;
	apply(t, &sb, -EINVAL);
	strbuf_release(&sb);
	expect(t, HEAD "         6        6        5 |:6\n"
		       "         5        5        6 | :5\n");
}

static void test_stats(void **state)
{
	const struct stats_event events[] = { { "cycles", 2, 1 }, { "none", 0, 0 } };
	struct strbuf sb = STRBUF_INIT;
	u64 counts[256] = { 0 };

	counts[PERF_RECORD_SAMPLE] = 2;
	counts[PERF_RECORD_LOST_SAMPLES] = 1;
	stats_text(counts, events, ARRAY_SIZE(events), false, &sb);
	assert_string_equal(strbuf_str(&sb), "\nAggregated stats:\n"
					     "           TOTAL events:          3\n"
					     "          SAMPLE events:          2  (66.7%)\n"
					     "    LOST_SAMPLES events:          1  (33.3%)\n"
					     "cycles stats:\n"
					     "          SAMPLE events:          2\n"
					     "    LOST_SAMPLES events:          1\n");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_stats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
