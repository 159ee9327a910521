// SPDX-License-Identifier: GPL-2.0-or-later
/* Test cache lines and their entries: what is one line, what is one entry, what is counted, and
 * that neither the number of workers nor the order of accesses matters. */
#include "base/compat.h"
#include "lines/lines.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <cmocka.h>

#define OP(x) ((u64)PERF_MEM_OP_##x)
#define L(x) ((u64)PERF_MEM_LVL_##x << 5)
#define HITM ((u64)PERF_MEM_SNOOP_HITM << 19)
#define STORED (OP(STORE) | L(HIT) | L(L1))
#define LOCAL (OP(LOAD) | L(HIT) | L(L3) | HITM)
#define REMOTE (OP(LOAD) | L(HIT) | L(REM_CCE1) | HITM)

/* Addresses from 0x10000 on are memory that each process has of its own, those below 0x1000 are
 * not mapped, and the rest is a file. */
static bool place(void *ctx, const struct line_access *a, struct line_place *out)
{
	*out = (struct line_place){ .addr = a->addr };
	if (a->addr >= 0x10000)
		out->pid = a->pid;
	else
		out->inode = 7;
	return a->addr >= 0x1000;
}

static bool object(void *ctx, const struct line_access *a, u32 *out)
{
	*out = (u32)(a->ip >> 12);
	return a->ip != 0;
}

static const struct line_access accesses[] = {
	{ .addr = 0x2010, .phys = 0x1010, .ip = 0x5000, .data_src = STORED, .pid = 1, .tid = 1 },
	{ .addr = 0x2010,
	  .phys = 0x1010,
	  .ip = 0x5000,
	  .data_src = STORED,
	  .pid = 1,
	  .tid = 1,
	  .cpu = 1 },
	{ .addr = 0x2018,
	  .phys = 0x9018,
	  .ip = 0x5100,
	  .data_src = REMOTE,
	  .weight = 100,
	  .pid = 1,
	  .tid = 2,
	  .cpu = 4 },
	{ .addr = 0x2018,
	  .phys = 0x9018,
	  .ip = 0x5100,
	  .data_src = REMOTE,
	  .weight = 300,
	  .pid = 1,
	  .tid = 2,
	  .cpu = 4 },
	{ .addr = 0x2018,
	  .ip = 0x6100,
	  .data_src = LOCAL,
	  .weight = 50,
	  .pid = 1,
	  .tid = 2,
	  .cpu = 4 },
	{ .addr = 0x2040, .ip = 0x5000, .data_src = STORED, .pid = 1, .tid = 1 },
	{ .addr = 0x10000, .ip = 0x5000, .data_src = LOCAL, .pid = 1, .tid = 1 },
	{ .addr = 0x10000, .ip = 0x5000, .data_src = LOCAL, .pid = 2, .tid = 3 },
	{ .addr = 0x800, .ip = 0x5000, .data_src = STORED, .pid = 1, .tid = 1 },
	{ .addr = 0x2010, .ip = 0, .data_src = STORED, .pid = 1, .tid = 1 },
	{ .addr = 0, .ip = 0x5000, .data_src = LOCAL, .pid = 1, .tid = 1 },
	{ .addr = 0x2010, .ip = 0x5000, .data_src = 0, .pid = 1, .tid = 1 },
};

static struct clines *count(const struct clines_conf *conf, u32 workers, bool reverse)
{
	struct clines *l = clines_new(conf);
	struct clines_worker *w[4];

	for (u32 i = 0; i < workers; i++)
		w[i] = clines_worker(l);
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++)
		clines_add(w[i % workers], &accesses[reverse ? ARRAY_SIZE(accesses) - 1 - i : i]);
	clines_finish(l);
	return l;
}

static struct clines *make(u32 line_size, enum clines_key key, u32 workers, bool reverse)
{
	const struct clines_conf conf = {
		.line_size = line_size,
		.keys = { (u8)key },
		.nr_keys = 1,
		.place = place,
		.object = object,
	};
	struct clines *l = count(&conf, workers, reverse);

	clines_show(l, NULL, 0);
	return l;
}

static void check_counts(const struct line_counts *c, u64 stores, u64 lcl, u64 rmt, u64 accesses_of)
{
	assert_int_equal(c->nr[ACCESS_STORE], stores);
	assert_int_equal(c->nr[ACCESS_LCL_HITM], lcl);
	assert_int_equal(c->nr[ACCESS_RMT_HITM], rmt);
	assert_int_equal(c->accesses, accesses_of);
}

static void check_by_code(const struct clines *l)
{
	const struct line_entry *e = clines_entries(l);
	const struct line_row *rows = clines_rows(l);
	struct line_sums sums[3];
	size_t nr;
	const struct line *lines = clines_of(l, &nr);

	assert_int_equal(nr, 4);
	assert_int_equal(lines[0].addr, 0x10000);
	assert_int_equal(lines[0].place.pid, 1);
	assert_int_equal(lines[1].place.pid, 2);
	assert_int_equal(lines[2].addr, 0x2000);
	assert_int_equal(lines[3].addr, 0x2040);
	check_counts(&lines[2].counts, 2, 1, 2, 5);
	assert_int_equal(line_hitms(&lines[2].counts), 3);
	assert_int_equal(line_loads(&lines[2].counts), 3);
	assert_int_equal(line_stores(&lines[2].counts), 2);
	assert_int_equal(lines[2].nr_entries, 3);
	e += lines[2].entry;
	for (u32 i = 0; i < ARRAY_SIZE(sums); i++)
		clines_entry_sums(l, &e[i], &sums[i]);
	assert_int_equal(e[0].offset, 0x10);
	check_counts(&sums[0].counts, 2, 0, 0, 2);
	assert_int_equal(e[1].offset, 0x18);
	assert_int_equal(rows[e[1].row].ip, 0x5100);
	assert_int_equal(sums[1].cycles[CYCLES_RMT_HITM], 400);
	assert_int_equal(sums[1].loads[CYCLES_RMT_HITM], 2);
	assert_int_equal(rows[e[2].row].ip, 0x6100);
	assert_int_equal(sums[2].cycles[CYCLES_LCL_HITM], 50);
}

static void test_lines(void **state)
{
	for (u32 i = 0; i < 8; i++) {
		struct clines *l = make(64, CLINES_CODE, 1 + i % 4, i >= 4);
		const struct line_counts *all = clines_counts(l);

		check_by_code(l);
		check_counts(all, 5, 3, 2, ARRAY_SIZE(accesses));
		assert_int_equal(all->nr[ACCESS_NO_MAP], 2);
		assert_int_equal(all->nr[ACCESS_LD_NO_ADDRESS], 1);
		assert_int_equal(all->nr[ACCESS_UNKNOWN], 1);
		clines_free(l);
	}
}

/* Lines are the same when nothing else is asked for. */
static void test_lines_only(void **state)
{
	const struct clines_conf conf = {
		.line_size = 64, .lines_only = true, .place = place, .object = object
	};
	struct line_counts c, contended = { 0 };
	struct clines *l = count(&conf, 2, false);

	assert_int_equal(clines_nr(l), 4);
	check_counts(clines_counts(l), 5, 3, 2, ARRAY_SIZE(accesses));
	assert_int_equal(clines_counts(l)->nr[ACCESS_NO_MAP], 2);
	for (size_t i = 0; i < clines_nr(l); i++) {
		clines_sum(l, i, &c);
		assert_int_equal(!!c.nr[ACCESS_RMT_HITM],
				 !!(clines_set(l, i) & ACCESS_BIT(ACCESS_RMT_HITM)));
		if (c.nr[ACCESS_RMT_HITM] || c.nr[ACCESS_LCL_HITM])
			line_counts_add(&contended, &c);
	}
	check_counts(&contended, 2, 3, 2, 7);
	clines_free(l);
}

/* Only lines that are chosen have rows. */
static void test_choice(void **state)
{
	const struct clines_conf conf = { .line_size = 64, .place = place, .object = object };
	struct clines *l = count(&conf, 3, true);
	u32 chosen[1] = { 0 };
	const struct line *lines;
	size_t nr;

	for (u32 i = 0; i < clines_nr(l); i++)
		if (clines_set(l, i) & ACCESS_BIT(ACCESS_RMT_HITM))
			chosen[0] = i;
	clines_show(l, chosen, 1);
	lines = clines_of(l, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(lines[0].addr, 0x2000);
	assert_int_equal(lines[0].row, 0);
	check_counts(&lines[0].counts, 2, 1, 2, 5);
	clines_free(l);
}

/* Lines of 128 bytes hold what is in two of 64. */
static void test_sizes_and_keys(void **state)
{
	static const struct {
		u32 line_size;
		enum clines_key key;
		u32 lines, entries; /* of the line at 0x2000 */
	} t[] = {
		{ 128, CLINES_CODE, 3, 4 },  { 64, CLINES_TID, 4, 2 },  { 64, CLINES_PID, 4, 2 },
		{ 64, CLINES_OBJECT, 4, 3 }, { 16, CLINES_CODE, 4, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct clines *l = make(t[i].line_size, t[i].key, 2, false);
		size_t nr;
		const struct line *lines = clines_of(l, &nr);

		assert_int_equal(nr, t[i].lines);
		assert_int_equal(lines[2].nr_entries, t[i].entries);
		clines_free(l);
	}
}

/* Equal accesses cost no memory: there are as many rows as different ones. */
static void test_many(void **state)
{
	const struct clines_conf conf = { .line_size = 64, .place = place, .object = object };
	struct clines *l = clines_new(&conf);
	struct clines_worker *w = clines_worker(l);
	struct line_access a = { .ip = 0x5000, .data_src = REMOTE, .pid = 1, .tid = 1 };
	size_t nr;
	const struct line *lines;

	for (u32 i = 0; i < 100000; i++) {
		a.addr = 0x2000 + i % 5000 * 8;
		clines_add(w, &a);
	}
	clines_finish(l);
	clines_show(l, NULL, 0);
	lines = clines_of(l, &nr);
	assert_int_equal(nr, 625);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(lines[i].nr_rows, 8);
		assert_int_equal(lines[i].counts.nr[ACCESS_RMT_HITM], 160);
	}
	clines_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),  cmocka_unit_test(test_lines_only),
		cmocka_unit_test(test_choice), cmocka_unit_test(test_sizes_and_keys),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
