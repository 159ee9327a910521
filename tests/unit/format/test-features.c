// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Documentation/format/perf.data.md says of every feature, against what is shown of it: bodies
 * are made from the page's tables (numbers count from 1, strings are "s" and the number), in both
 * orders. No feature of the page goes without.
 */
#include "base/compat.h"
#include "doc-table.h"
#include "drive.h"
#include "dump/header-text.h"
#include "session/session.h"

#include <setjmp.h>
#include <cmocka.h>

struct feature {
	u32 bit;
	const char *text; /* what the header shows of it; NULL: nothing */
	void (*check)(const struct session *s, const struct pb *body); /* NULL: text says it all */
};

static struct doc doc;

/* Compare the bytes of a feature that nobody here takes apart. */
static void same_bytes(const struct session *s, u32 bit, const struct pb *body)
{
	size_t size;
	const void *p = perf_file_feature(s->file, bit, &size);

	assert_int_equal(size, body->out.len);
	assert_memory_equal(p, body->out.buf, size);
}

static void check_tracing(const struct session *s, const struct pb *body)
{
	assert_int_equal(s->file->env.tracing_size, body->out.len);
	assert_memory_equal(s->file->env.tracing_data, body->out.buf, body->out.len);
}

static void check_build_id(const struct session *s, const struct pb *body)
{
	const struct env_build_id *b = s->file->env.build_ids;

	assert_int_equal(s->file->env.nr_build_ids, 1);
	assert_int_equal(b->size, 20);
	for (int i = 0; i < 20; i++)
		assert_int_equal(b->id[i], 2 + i);
	assert_string_equal(b->filename, "s5");
}

static void check_groups(const struct session *s, const struct pb *body)
{
	const struct env *env = &s->file->env;

	assert_int_equal(env->nr_groups, 2);
	assert_string_equal(env->groups[0].name, "s2");
	assert_int_equal(env->groups[0].leader_idx, 3);
	assert_int_equal(env->groups[1].nr_members, 7);
}

#define SAME(bit)                                                                                  \
	static void check_##bit(const struct session *s, const struct pb *body)                    \
	{                                                                                          \
		same_bytes(s, bit, body);                                                          \
	}
SAME(18)
SAME(25)
SAME(26)
SAME(33)
SAME(34)

static void check_times(const struct session *s, const struct pb *body)
{
	assert_int_equal(s->file->env.sample_first, 1);
	assert_int_equal(s->file->env.sample_last, 2);
}

static void check_ids(const struct session *s, const struct pb *body)
{
	assert_string_equal(s->evlist.evsels[0]->name, "s5");
}

static void check_domains(const struct session *s, const struct pb *body)
{
	const struct env_domain *d = s->file->env.domains;

	assert_int_equal(s->file->env.nr_domains, 1);
	assert_int_equal(d->cpu, 3);
	assert_int_equal(d->level, 5);
	assert_string_equal(d->name, "s6");
	assert_string_equal(d->mask, "s7");
	assert_string_equal(d->list, "s8");
}

static const struct feature features[] = {
	{ 1, NULL, check_tracing },
	{ 2, NULL, check_build_id },
	{ 3, "# hostname : s1\n", NULL },
	{ 4, "# os release : s1\n", NULL },
	{ 5, "# perf version : s1\n", NULL },
	{ 6, "# arch : s1\n", NULL },
	{ 7, "# nrcpus online : 2\n# nrcpus avail : 1\n", NULL },
	{ 8, "# cpudesc : s1\n", NULL },
	{ 9, "# cpuid : s1\n", NULL },
	{ 10, "# total memory : 1 kB\n", NULL },
	{ 11, "# cmdline : s2 s3 \n", NULL },
	{ 12, "# event : name = s5, , id = { 6, 7 }, ", check_ids },
	{ 13,
	  "# sibling sockets : s2\n# sibling sockets : s3\n# sibling dies    : s12\n"
	  "# sibling dies    : s13\n# sibling threads : s5\n# sibling threads : s6\n"
	  "# CPU 0: Core ID 7, Die ID 14, Socket ID 8\n"
	  "# CPU 1: Core ID 9, Die ID 15, Socket ID 10\n",
	  NULL },
	{ 14,
	  "# node2 meminfo  : total = 3 kB, free = 4 kB\n# node2 cpu list : s5\n"
	  "# node6 meminfo  : total = 7 kB, free = 8 kB\n# node6 cpu list : s9\n",
	  NULL },
	{ 15, "# contains samples with branch stack\n", NULL },
	{ 16, "# pmu mappings: s3 = 2, s5 = 4\n", NULL },
	{ 17, NULL, check_groups },
	{ 18, "# contains AUX area data", check_18 },
	{ 19, "# contains stat data\n", NULL },
	{ 20,
	  "# CPU cache info:\n#  L3 s7                    s8 [s9]\n"
	  "#  L10 s14                  s15 [s16]\n",
	  NULL },
	{ 21,
	  "# time of first sample : 0.000000\n# time of last sample : 0.000000\n"
	  "# sample duration :      0.000 ms\n",
	  check_times },
	{ 22, "# memory nodes (nr 2, block size 0x2):\n#    4 [6B]: 0-2\n#    8 [6B]: 0-1,3\n",
	  NULL },
	{ 23, "# clockid frequency: 1000 MHz\n", NULL },
	{ 24, "# directory data version : 1\n", NULL },
	{ 25, NULL, check_25 },
	{ 26, NULL, check_26 },
	{ 27, "# compressed : Zstd, level = 3, ratio = 4\n", NULL },
	{ 28, "# cpu pmu capabilities: s2=s3, s4=s5\n", NULL },
	{ 29,
	  "# reference time: 1970-01-01 00:00:00.000000 = 0.000000 (TOD) = "
	  "0.000000004 (not found)\n",
	  NULL },
	{ 30, "# hybrid cpu system:\n# s2 cpu list : s3\n# s4 cpu list : s5\n", NULL },
	{ 31,
	  "# s7 pmu capabilities: s3=s4, s5=s6\n"
	  "# s13 pmu capabilities: s9=s10, s11=s12\n",
	  NULL },
	{ 32,
	  "# cpu domains of schedstat version 17:\n"
	  "#  cpu 3: domain 5 s6 : s8\n",
	  check_domains },
	{ 33, NULL, check_33 },
	{ 34, NULL, check_34 },
};

/* The ids of EVENT_DESC below belong to this event. */
static const struct pb_event the_event = {
	.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = PERF_SAMPLE_TIME },
	.ids = { 6, 7 },
	.nr_ids = 2,
};

static void build_body(struct pb *body, u32 bit, const struct doc_table *t)
{
	struct doc_values values = { .small = true };
	size_t at = 0;

	if (bit == 2) { /* a record inside */
		at = pb_begin(body, 67, 1 << 15);
		t = doc_find(&doc, "Record 67 HEADER_BUILD_ID");
		assert_non_null(t);
	}
	doc_emit(body, t, &values);
	if (bit == 2)
		pb_end(body, at);
	if (*values.problem)
		fail_msg("%s", values.problem);
	doc_values_release(&values);
}

static void one_feature(const struct feature *f, const struct doc_table *t, bool swap)
{
	struct strbuf text = STRBUF_INIT;
	struct pb b, body, cpus;
	struct session s;

	pb_init(&b, swap);
	pb_init(&body, swap);
	pb_init(&cpus, swap);
	pb_file(&b, 2, &the_event, 1);
	build_body(&body, f->bit, t);
	pb_feature(&b, f->bit, &body);
	if (f->bit == 13) { /* that two CPUs are available is said elsewhere */
		pb_u32(&cpus, 2);
		pb_u32(&cpus, 2);
		pb_feature(&b, 7, &cpus);
	}
	pb_round(&b); /* a file without data has no features */
	pb_finish(&b);
	session_open_built(&s, &b);
	assert_true(perf_file_has_feature(s.file, f->bit));
	header_text(s.file, &s.evlist, 0, true, &text);
	if (f->text && !strstr(strbuf_str(&text), f->text))
		fail_msg("%s: %s", t->title, strbuf_str(&text));
	if (f->check)
		f->check(&s, &body);
	session_is_clean(&s);
	session_close(&s);
	strbuf_release(&text);
	pb_release(&cpus);
	pb_release(&body);
	pb_release(&b);
}

static void test_every_feature(void **state)
{
	size_t seen = 0;

	for (size_t i = 0; i < doc.nr; i++) {
		const struct doc_table *t = &doc.tables[i];
		u32 bit;

		if (strncmp(t->title, "Feature ", 8) != 0)
			continue;
		bit = (u32)strtoul(t->title + 8, NULL, 10);
		assert_in_range(bit, 1, ARRAY_SIZE(features));
		assert_int_equal(features[bit - 1].bit, bit);
		for (int swap = 0; swap < 2; swap++)
			one_feature(&features[bit - 1], t, swap);
		seen++;
	}
	assert_int_equal(seen, HEADER_FEAT_MAX - 1);
}

static int load(void **state)
{
	doc_load(&doc);
	return setenv("TZ", "UTC", 1);
}

static int unload(void **state)
{
	doc_release(&doc);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_feature) };

	return cmocka_run_group_tests(tests, load, unload);
}
