// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the built-in metrics of top-down's level 1 on made-up machines of the three kinds that can
 * count them: their events, the leader of the group, and shares that add up. */
#include "base/compat.h"
#include "events/sources.h"
#include "metric/metric.h"
#include "tmp-tree.h"

#include "base/strbuf.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

#define DEVICES "sys/bus/event_source/devices/"

struct count {
	const char *name, *terms;
	double value;
};

static const struct machine {
	const char *pmu;
	struct count counts[10];
	const char *leader;
	double retiring, bad, frontend, backend;
} machines[] = {
	{
		"cpu",
		{
			{ "topdown-be-bound", "event=0x00,umask=0x83", 200 },
			{ "topdown-fe-bound", "event=0x00,umask=0x82", 300 },
			{ "slots", "event=0x00,umask=0x4", 1000 },
			{ "topdown-retiring", "event=0x00,umask=0x80", 400 },
			{ "topdown-bad-spec", "event=0x00,umask=0x81", 100 },
		},
		"slots",
		0.4,
		0.1,
		0.3,
		0.2,
	},
	{
		"cpu",
		{
			{ "topdown-total-slots", "event=0x3c", 4000 },
			{ "topdown-fetch-bubbles", "event=0x9c", 1000 },
			{ "topdown-slots-issued", "event=0xe", 1800 },
			{ "topdown-slots-retired", "event=0xc2", 1600 },
			{ "topdown-recovery-bubbles", "event=0xd", 200 },
		},
		NULL,
		0.4,
		0.1,
		0.25,
		0.25,
	},
	{
		"armv8_pmuv3_0",
		{
			{ "stall_slot_backend", "event=0x3d", 800 },
			{ "stall_slot_frontend", "event=0x3e", 1600 },
			{ "stall_slot", "event=0x3f", 2400 },
			{ "op_retired", "event=0x3a", 300 },
			{ "op_spec", "event=0x3b", 400 },
			{ "cpu_cycles", "event=0x11", 1000 },
		},
		NULL,
		/* 8 slots a cycle, of which 0.7 were used, three quarters of that for good */
		0.525,
		0.175,
		0.2,
		0.1,
	},
};

static char *make_machine(const struct machine *m)
{
	char *root = tmp_dir(), path[256];

	for (size_t i = 0; i < ARRAY_SIZE(m->counts) && m->counts[i].name; i++) {
		snprintf(path, sizeof(path), DEVICES "%s/events/%s", m->pmu, m->counts[i].name);
		tree_put(root, path, m->counts[i].terms);
	}
	snprintf(path, sizeof(path), DEVICES "%s/type", m->pmu);
	tree_put(root, path, "8\n");
	snprintf(path, sizeof(path), DEVICES "%s/format/event", m->pmu);
	tree_put(root, path, "config:0-7\n");
	snprintf(path, sizeof(path), DEVICES "%s/format/umask", m->pmu);
	tree_put(root, path, "config:8-15\n");
	snprintf(path, sizeof(path), DEVICES "%s/caps/slots", m->pmu);
	if (!strncmp(m->pmu, "arm", 3))
		tree_put(root, path, "0x8\n");
	return root;
}

struct reading {
	const struct machine *m;
	const struct evlist *l;
};

static double read_count(void *ctx, const struct metric_use *use, u32 *sources)
{
	const struct reading *r = ctx;
	const char *name = r->l->evsels[use->first]->name;

	*sources = 1;
	assert_int_equal(use->nr, 1);
	for (size_t i = 0; i < ARRAY_SIZE(r->m->counts) && r->m->counts[i].name; i++)
		if (!strcmp(r->m->counts[i].name, name))
			return r->m->counts[i].value;
	fail_msg("%s was opened", name);
	return NAN;
}

static void check_group(const struct machine *m, const struct evlist *l)
{
	assert_int_equal(l->evsels[0]->nr_members, l->nr);
	if (m->leader)
		assert_string_equal(l->evsels[0]->name, m->leader);
	for (size_t i = 0; i < l->nr; i++)
		assert_true(l->evsels[i]->terms.weak);
}

static void check_values(const struct metric_set *set, const struct machine *m,
			 const struct evlist *l)
{
	struct reading r = { m, l };
	const struct {
		const char *name;
		double value;
	} want[] = {
		{ "topdown_backend_bound", m->backend },
		{ "topdown_bad_speculation", m->bad },
		{ "topdown_frontend_bound", m->frontend },
		{ "topdown_retiring", m->retiring },
	};

	assert_int_equal(set->nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < set->nr; i++) {
		double v = metric_value(&set->v[i], read_count, &r, NULL);

		assert_string_equal(set->v[i].def->name, want[i].name);
		assert_true(set->v[i].factor == 100);
		if (!(fabs(v - want[i].value) < 1e-12))
			fail_msg("%s on %s: %g, not %g", want[i].name, m->pmu, v, want[i].value);
	}
}

static void test_machines(void **state)
{
	const struct metric_options o = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		char *root = make_machine(&machines[i]);
		const struct sysroot sr = { root };
		const struct parse_env parse = { .sr = &sr };
		const struct metric_env env = { .parse = &parse };
		struct metric_set set = { 0 };
		struct evlist l = { 0 };
		struct err err = { 0 };

		if (metric_set_add(&set, "TopdownL1", &env, &o, &err) ||
		    metric_set_events(&set, &l, &env, &o, &err))
			fail_msg("%s: %s", machines[i].pmu, err.msg);
		check_group(&machines[i], &l);
		check_values(&set, &machines[i], &l);
		metric_set_release(&set);
		evlist_release(&l);
		tmp_remove(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
