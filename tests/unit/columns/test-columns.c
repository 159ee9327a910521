// SPDX-License-Identifier: GPL-2.0-or-later
/* Test columns made of what is kept of samples: how rows are told apart, ordered and printed. */
#include "base/compat.h"

#include "mapped.h"
#include "state-build.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

/* Two processes with functions of the same perf map each and memory of their own. */
enum { FIRST = 42, SECOND = 43, DATA = 0x100000 };

struct world {
	struct mapped p;
	struct hist *h;
	struct hist_worker *w[3];
	int nr_workers, next;
	struct strbuf out;
};

static void add_process(struct world *w, u32 pid, const char *name)
{
	const struct rec_mmap heap = { .pid = pid,
				       .tid = pid,
				       .start = DATA,
				       .len = 0x10000,
				       .prot = 3,
				       .flags = 2,
				       .filename = "[heap]" };

	mapped_process(&w->p, pid, name, "1000 100 main\n2000 100 work\n3000 100 sys_call\n");
	st_mmap2(w->p.m, 0, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, &heap);
}

static const struct hist_column *field_column(void *ctx, const char *key, size_t len, u32 nth)
{
	return len == 5 && !memcmp(key, "field", 5) && !nth ? ctx : NULL;
}

static void setup(struct world *w, const char *fields, bool mem, int workers)
{
	static struct hist_column field;
	struct hist_conf conf = { .nr_events = 1, .workers = 2, .cols.mem = mem };
	struct err err = { 0 };

	memset(w, 0, sizeof(*w));
	mapped_open(&w->p);
	add_process(w, FIRST, "worker/0:1");
	add_process(w, SECOND, "worker/12:7");
	mapped_seal(&w->p);
	assert_true(column_of_field(&field, 3, 0, "field", 7, true));
	assert_false(column_of_field(&field, HIST_MAX_FIELDS, 0, "field", 7, true));
	conf.cols.more = field_column;
	conf.cols.more_ctx = &field;
	conf.parent = "^sys_";
	assert_int_equal(columns_fields(&conf.cols, fields, NULL, &err), 0);
	w->nr_workers = workers;
	w->h = mapped_hist(&w->p, &conf, false, w->w, workers);
}

static void teardown(struct world *w)
{
	hist_free(w->h);
	strbuf_release(&w->out);
	mapped_release(&w->p);
}

/* The @i-th of twelve samples. */
static void add(struct world *w, u32 i)
{
	static const u64 level[] = { 0xa, 0x42, 0x104 }; /* L1 hit, L3 hit, remote RAM miss */
	static const struct hist_text numbers[] = { { "ten\0\x0a", 5 }, { "two\0\x02", 5 } };
	const u64 chains[][3] = { { PERF_CONTEXT_USER, 0x2010, 0x1010 },
				  { PERF_CONTEXT_USER, 0x2010, 0x3010 } };
	struct hist_text texts[HIST_NR_TEXTS];
	u32 pid = i % 2 ? SECOND : FIRST;
	struct sample raw = {
		.addr = DATA + i % 3 * 0x20,
		.data_src = level[i % 3] << 5 | 2ULL << 24,
		.weight = i % 3,
		.phys_addr = 0x1000,
		.p_stage_cyc = 7,
		.data_page_size = 4096,
	};
	struct hist_sample s = mapped_sample(&w->p, pid, pid, 10 + i);

	s.period = 1;
	s.ip = 0x2010 + i % 2;
	s.chain = chains[i % 4 == 1];
	s.nr_chain = 3;
	s.sample = &raw;
	for (u32 k = 0; k < ARRAY_SIZE(texts); k++)
		texts[k] = (struct hist_text){ "", 0 };
	texts[HIST_TEXT(KEY_TRACE)] = (struct hist_text){ "says so", 7 };
	texts[HIST_TEXT(KEY_FIELD + 3)] = numbers[i % 2];
	s.texts = texts;
	hist_add(w->w[w->next++ % w->nr_workers], &s);
}

static const struct {
	const char *fields;
	bool mem;
	const char *rows;
} table[] = {
	{ "sample,comm_nodigit", false, " 12         ,worker/<N>:<N>\n" },
	{ "tgid,sample", false, "     42:worker/0:1 , 6\n     43:worker/12:7, 6\n" },
	{ "local_retire_lat,retire_lat,sample", false,
	  "7                   ,84            , 12\n" },
	{ "weight,sample", false, "8           , 4\n4           , 4\n0           , 4\n" },
	{ "symoff,sample", false, "[.] work+0x10, 6\n[.] work+0x11, 6\n" },
	{ "symbol_size,sample", false, "        256, 12\n" },
	{ "dso_size,sample", false, "   32768, 12\n" },
	{ "srcline,sample", false, "work+16    , 6\nwork+17    , 6\n" },
	{ "srcfile,sample", false, "           , 12\n" },
	{ "parent,sample", false, "sys_call     , 3\n[other]      , 9\n" },
	{ "trace,sample", false, "says so     , 12\n" },
	/* By the bytes behind the text, and the larger ones first. */
	{ "field,sample", false, "    ten, 6\n    two, 6\n" },
	{ "mem,sample", true,
	  "L1 hit                  , 4\nL3 hit                  , 4\nRemote RAM (1 hop) miss , 4\n" },
	/* Shares of the row: a third each of L1, L3 and a miss, and none does anything known. */
	{ "op,cache,sample", true,
	  " 0.00% , 0.00% , 100.00%, 33.33%, 0.00% , 33.33%, 0.00% , 0.00% , 33.33% , 12\n" },
	{ "cache,mem", true,
	  " 100.00%, 0.00% , 0.00% , 0.00% , 0.00% , 0.00%  ,L1 hit                  \n"
	  " 0.00% , 0.00% , 100.00%, 0.00% , 0.00% , 0.00%  ,L3 hit                  \n"
	  " 0.00% , 0.00% , 0.00% , 0.00% , 0.00% , 100.00%,Remote RAM (1 hop) miss \n" },
	{ "locked,tlb,sample", true, "Yes   ,N/A                   , 12\n" },
	{ "snoop,blocked,data_page_size,sample", true,
	  "N/A         , N/A      ,4K                    , 12\n" },
	{ "phys_daddr,sample", true, "[.] 0x0000000000001000, 12\n" },
	{ "dso_daddr,sample", true, "[heap]     , 12\n" },
	{ "symbol_daddr,sample", true,
	  "[.] 0x0000000000100000, 4\n[.] 0x0000000000100020, 4\n[.] 0x0000000000100040, 4\n" },
	/* Two addresses are in one line; memory of two processes is not the same. */
	{ "dcacheline,sample", true,
	  "[.] 0x0000000000100000 , 4\n[.] 0x0000000000100040 , 2\n"
	  "[.] 0x0000000000100000 , 4\n[.] 0x0000000000100040 , 2\n" },
	{ "symbol_iaddr,sample", true,
	  "[.] work                  , 6\n[.] work                  , 6\n" },
};

static void check_row(size_t i, int workers)
{
	struct world w;

	setup(&w, table[i].fields, table[i].mem, workers);
	for (u32 k = 0; k < 12; k++)
		add(&w, k);
	hist_finish(w.h, w.p.m, w.p.resolver);
	assert_string_equal(mapped_print(w.h, ",", &w.out), table[i].rows);
	teardown(&w);
}

static void rows_of_each(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		check_row(i, 1);
}

static void workers_change_nothing(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		check_row(i, 3);
}

static void keys_that_are_not_there(void **state)
{
	struct hist_columns c = { 0 };
	struct err err = { 0 };

	assert_int_equal(columns_sort(&c, "comm,mem", false, false, false, &err), -EINVAL);
	assert_string_equal(err.msg, "Invalid --sort key: `mem'");
	assert_int_equal(columns_fields(&c, "field", NULL, &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown --fields key: `field'");
	assert_int_equal(columns_sort(&c, "srcl,comm", false, false, false, &err), 0);
	assert_string_equal(c.sort[1]->name, "srcline");
	assert_string_equal(c.sort[2]->name, "comm");
}

static void names_of_all(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	columns_names(&sb);
	assert_non_null(strstr(strbuf_str(&sb), "overhead "));
	assert_true(strstr(strbuf_str(&sb), " srcline ") < strstr(strbuf_str(&sb), " dso_from "));
	assert_true(strstr(strbuf_str(&sb), " dso_from ") <
		    strstr(strbuf_str(&sb), " symbol_daddr "));
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_each),
		cmocka_unit_test(workers_change_nothing),
		cmocka_unit_test(keys_that_are_not_there),
		cmocka_unit_test(names_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
