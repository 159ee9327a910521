// SPDX-License-Identifier: GPL-2.0-or-later
/* Test libpfm4's names, of a processor that the library is told to take this one for. */
#include "base/compat.h"
#include "events/sources.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

static struct libpfm *pfm;
static const struct sysroot nowhere = { "/nonexistent" };

static int setup(void **state)
{
	struct err err = { 0 };

	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	if (libpfm_open(&pfm, &err))
		printf("# %s\n", err.msg);
	return 0;
}

static int teardown(void **state)
{
	libpfm_close(pfm);
	return 0;
}

#define NEEDS_LIBRARY()                                                                            \
	do {                                                                                       \
		if (!pfm)                                                                          \
			skip();                                                                    \
	} while (0)

static const struct {
	const char *text;
	u64 config, config1, period;
	u8 user, kernel, precise, freq; /* exclude_*, ... */
} texts[] = {
	{ "inst_retired:any_p", 0xc0, 0, 0, 0, 0, 0, 0 },
	{ "INST_RETIRED.ANY_P", 0xc0, 0, 0, 0, 0, 0, 0 },
	{ "skl::inst_retired:any_p", 0xc0, 0, 0, 0, 0, 0, 0 },
	{ "inst_retired:any_p:u", 0xc0, 0, 0, 0, 1, 0, 0 },
	{ "inst_retired:any_p:k", 0xc0, 0, 0, 1, 0, 0, 0 },
	{ "inst_retired:any_p:u:c=1:i", 0x18000c0, 0, 0, 0, 1, 0, 0 },
	{ "inst_retired:any_p:period=1000", 0xc0, 0, 1000, 0, 0, 0, 0 },
	{ "inst_retired:any_p:freq=99", 0xc0, 0, 99, 0, 0, 0, 1 },
	{ "mem_trans_retired:load_latency:ldlat=5:precise=2", 0x1cd, 5, 0, 0, 0, 2, 0 },
	{ " inst_retired:any_p ", 0xc0, 0, 0, 0, 0, 0, 0 },
};

static void test_texts(void **state)
{
	NEEDS_LIBRARY();
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct perf_event_attr *a;
		struct evlist l = { 0 };
		struct parse_error pe;

		if (libpfm_parse(pfm, &l, texts[i].text, &nowhere, &pe))
			fail_msg("%s: %s", texts[i].text, pe.text);
		assert_int_equal(l.nr, 1);
		a = &l.evsels[0]->attr;
		if (a->type != PERF_TYPE_RAW || a->config != texts[i].config ||
		    a->config1 != texts[i].config1 || a->sample_period != texts[i].period ||
		    a->exclude_user != texts[i].user || a->exclude_kernel != texts[i].kernel ||
		    a->precise_ip != texts[i].precise || a->freq != texts[i].freq)
			fail_msg("%s: type %u config %llx %llx period %llu", texts[i].text, a->type,
				 (unsigned long long)a->config, (unsigned long long)a->config1,
				 (unsigned long long)a->sample_period);
		assert_int_equal(l.evsels[0]->terms.freq_set, texts[i].freq);
		assert_int_equal(l.evsels[0]->terms.period_set, texts[i].period && !texts[i].freq);
		evlist_release(&l);
	}
}

static void test_groups(void **state)
{
	struct evlist l = { 0 };
	struct parse_error pe;

	NEEDS_LIBRARY();
	assert_int_equal(libpfm_parse(pfm, &l,
				      "inst_retired, {inst_retired:any_p:u , br_inst_retired} ,"
				      "br_misp_retired,{uops_issued:any}",
				      &nowhere, &pe),
			 0);
	assert_int_equal(l.nr, 5);
	assert_int_equal(l.evsels[0]->nr_members, 1);
	assert_int_equal(l.evsels[1]->nr_members, 2);
	assert_int_equal(l.evsels[2]->leader, 1);
	assert_int_equal(l.evsels[3]->leader, 3);
	assert_int_equal(l.evsels[4]->leader, 4);
	assert_string_equal(l.evsels[1]->name, "inst_retired:any_p:u");
	assert_string_equal(l.evsels[2]->name, "br_inst_retired");
	evlist_release(&l);
}

static const struct {
	const char *text;
	size_t at;
	int rc;
	const char *say;
} refused[] = {
	{ "nonsense", 0, -ENOENT, "libpfm4: event not found" },
	{ "inst_retired,nonsense", 13, -ENOENT, "libpfm4: event not found" },
	{ "inst_retired:foo", 0, -EINVAL, "libpfm4: invalid event attribute" },
	{ "", 0, -EINVAL, "an event is expected" },
	{ "inst_retired,", 13, -EINVAL, "an event is expected" },
	{ "{inst_retired", 13, -EINVAL, "the group is not closed" },
	{ "{inst_retired,{br_inst_retired}}", 14, -EINVAL, "an event is expected" },
	{ "inst_retired}", 12, -EINVAL, "a comma is expected" },
	{ "{inst_retired}x", 14, -EINVAL, "a comma is expected" },
	{ "{}", 1, -EINVAL, "an event is expected" },
};

static void test_refused(void **state)
{
	NEEDS_LIBRARY();
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct evlist l = { 0 };
		struct parse_error pe;
		int rc = libpfm_parse(pfm, &l, refused[i].text, &nowhere, &pe);

		if (rc != refused[i].rc || pe.at != refused[i].at ||
		    strcmp(pe.text, refused[i].say))
			fail_msg("'%s' gives %d: at %zu: %s", refused[i].text, rc, pe.at, pe.text);
		assert_int_equal(l.nr, 0);
		evlist_release(&l);
	}
}

/* The names that -e takes. */
static void test_find(void **state)
{
	struct perf_event_attr attr;
	struct event_sources s;
	char *dir = tmp_dir();
	const struct sysroot here = { dir };
	struct parse_error pe;
	struct evlist l = { 0 };

	if (!pfm) {
		tmp_remove(dir);
		skip();
	}
	assert_int_equal(libpfm_find(pfm, "ld_blocks_partial.address_alias", &attr, NULL), 0);
	assert_int_equal(attr.config, 0x107);
	assert_int_equal(attr.exclude_guest, 0);
	assert_int_equal(libpfm_find(pfm, "ld_blocks_partial.nothing", &attr, NULL), -ENOENT);
	assert_int_equal(libpfm_find(pfm, "skl::inst_retired", &attr, NULL), -ENOENT);
	assert_int_equal(libpfm_find(pfm, "inst_retired,br_inst_retired", &attr, NULL), -ENOENT);
	event_sources_init(&s, &nowhere, NULL);
	assert_int_equal(parse_events(&l, "inst_retired.any_p:k,cpu-clock", &s.env, &pe), 0);
	assert_int_equal(l.nr, 2);
	assert_int_equal(l.evsels[0]->attr.config, 0xc0);
	assert_int_equal(l.evsels[0]->attr.exclude_user, 1);
	evlist_release(&l);
	event_sources_release(&s);
	/* between the slashes of the cores' PMU, and of no other */
	tree_put(dir, "sys/bus/event_source/devices/cpu/type", "4\n");
	tree_put(dir, "sys/bus/event_source/devices/other/type", "9\n");
	event_sources_init(&s, &here, NULL);
	assert_int_equal(parse_events(&l, "cpu/inst_retired.any_p,period=7/u", &s.env, &pe), 0);
	assert_int_equal(l.evsels[0]->attr.type, 4);
	assert_int_equal(l.evsels[0]->attr.config, 0xc0);
	assert_int_equal(l.evsels[0]->attr.sample_period, 7);
	assert_int_equal(l.evsels[0]->attr.exclude_kernel, 1);
	evlist_release(&l);
	assert_int_not_equal(parse_events(&l, "other/inst_retired.any_p/", &s.env, &pe), 0);
	assert_int_equal(l.nr, 0);
	evlist_release(&l);
	event_sources_release(&s);
	tmp_remove(dir);
}

struct counts {
	size_t masks, events, defaults;
	bool found;
};

static int count(void *ctx, const struct libpfm_event *e)
{
	struct counts *c = ctx;

	assert_string_equal(e->pmu, "skl");
	assert_true(e->name[0] && e->desc && e->event_desc);
	for (const char *p = e->name; *p; p++)
		assert_false(*p >= 'A' && *p <= 'Z');
	c->masks += e->mask != NULL;
	c->events += e->mask == NULL;
	c->defaults += e->is_default;
	if (!strcmp(e->name, "inst_retired") && e->mask && !strcmp(e->mask, "any_p"))
		c->found = true;
	return c->masks > 100000;
}

static void test_each(void **state)
{
	struct counts c = { 0 };

	NEEDS_LIBRARY();
	assert_int_equal(libpfm_each(pfm, count, &c), 0);
	assert_true(c.found);
	assert_true(c.masks > 100);
	assert_true(c.defaults > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),   cmocka_unit_test(test_groups),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_find),
		cmocka_unit_test(test_each),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
