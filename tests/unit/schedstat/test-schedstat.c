// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of the scheduler: texts of three kernels, records in both byte orders, differences. */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "wire/encode.h"

#include <setjmp.h>

#include <cmocka.h>

#define CPU_LINE "cpu%u %u 0 %u 3 4 5 6000000000 7 8\n"

/* Append " 1 2 3 ..." up to @nr, each of them @more greater. */
static void put_numbers(struct strbuf *out, u32 nr, u32 more)
{
	for (u32 i = 1; i <= nr; i++)
		strbuf_addf(out, " %u", i + more);
	strbuf_addch(out, '\n');
}

/* Make the text of a machine whose CPUs have two domains each: pairs, and all. */
static void put_machine(struct strbuf *out, u32 version, u32 cpus, u32 more)
{
	u32 nr = schedstat_domain_counts(version);

	strbuf_addf(out, "version %u\ntimestamp %u\n", version, 4294900000U + more);
	for (u32 cpu = 0; cpu < cpus; cpu++) {
		strbuf_addf(out, CPU_LINE, cpu, cpu + more, 2 + more);
		strbuf_addf(out, "domain0%s %08x,%08x", version < 17 ? "" : " SMT",
			    cpu < 32 ? 0 : 3U << (cpu - 32) / 2 * 2,
			    cpu < 32 ? 3U << cpu / 2 * 2 : 0);
		put_numbers(out, nr, more);
		strbuf_addf(out, "domain1%s ffffffff,ffffffff", version < 17 ? "" : " NUMA");
		put_numbers(out, nr, 100 + more);
	}
}

static void parse_machine(struct schedstat *s, u32 version, u32 cpus, u32 more)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	put_machine(&text, version, cpus, more);
	if (schedstat_parse(s, strbuf_str(&text), &err))
		fail_msg("%s", err.msg);
	strbuf_release(&text);
}

static void test_parse(void **state)
{
	struct schedstat s;

	parse_machine(&s, 17, 64, 0);
	assert_int_equal(s.version, 17);
	assert_int_equal(s.jiffies, 4294900000U);
	assert_int_equal(s.nr_cpus, 64);
	assert_int_equal(s.nr_domains, 128);
	assert_int_equal(s.cpus[63].cpu, 63);
	assert_int_equal(s.cpus[63].v[SCHEDSTAT_YIELDS], 63);
	assert_int_equal(s.cpus[63].v[SCHEDSTAT_RUN_NS], 6000000000);
	assert_string_equal(s.domains[0].is.name, "SMT");
	assert_string_equal(s.domains[0].is.list, "0-1");
	assert_string_equal(s.domains[127].is.list, "0-63");
	assert_string_equal(s.domains[126].is.list, "62-63");
	assert_string_equal(s.domains[126].is.mask, "c0000000,00000000");
	assert_int_equal(s.domains[126].is.cpu, 63);
	schedstat_release(&s);
}

/* The n-th number of a line is n, so that each counter tells where it was. */
static void test_places(void **state)
{
	static const struct {
		u32 version, busy, idle, newidle, gained, active, wake;
	} at[] = {
		{ 15, 9, 1, 17, 13, 25, 36 },
		{ 16, 1, 9, 17, 5, 25, 36 },
		{ 17, 1, 12, 23, 8, 34, 45 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		struct schedstat s;
		u64 *v;

		parse_machine(&s, at[i].version, 1, 0);
		v = s.domains[0].v;
		assert_int_equal(v[SCHEDSTAT_BUSY * BALANCE_COUNTERS], at[i].busy);
		assert_int_equal(v[SCHEDSTAT_IDLE * BALANCE_COUNTERS], at[i].idle);
		assert_int_equal(v[SCHEDSTAT_NEWIDLE * BALANCE_COUNTERS], at[i].newidle);
		assert_int_equal(v[BALANCE_GAINED], at[i].gained);
		assert_int_equal(v[BALANCE_IMBALANCE], at[i].version == 17 ? 0 : at[i].busy + 3);
		assert_int_equal(v[BALANCE_MISFIT], at[i].version == 17 ? 7 : 0);
		assert_int_equal(v[SCHEDSTAT_ACTIVE], at[i].active);
		assert_int_equal(v[SCHEDSTAT_WAKE_BALANCE], at[i].wake);
		schedstat_release(&s);
	}
}

static void refused(const char *text, const char *why)
{
	struct schedstat s;
	struct err err = { 0 };

	assert_int_equal(schedstat_parse(&s, text, &err), -EINVAL);
	if (!strstr(err.msg, why))
		fail_msg("not \"%s\" but \"%s\"", why, err.msg);
	assert_int_equal(s.nr_cpus, 0);
}

static void test_refused(void **state)
{
	struct strbuf text = STRBUF_INIT;

	refused("", "has no CPU");
	refused("version 18\n", "has version 18, and only the counters of the versions 15 to 17");
	refused("version 14\n", "version 14");
	refused("version 99999999999999999999\n", "version 9999");
	refused("cpu0 1 2 3 4 5 6 7 8 9\n", "line 1: there is no version before it");
	refused("version 17\ncpu0 1 2 3 4 5 6 7 8\n", "line 2: not the 9 numbers of version 17");
	refused("version 17\ncpu0 1 2 3 4 5 6 7 8 x\n", "line 2: not the 9 numbers");
	refused("version 17\ncpu0 1 2 3 4 5 6 7 8 99999999999999999999\n", "not the 9 numbers");
	refused("version 17\ncpu1 1 2 3 4 5 6 7 8 9\ncpu0 1 2 3 4 5 6 7 8 9\n",
		"line 3: CPUs and domains are not in ascending order");
	refused("version 17\ndomain0 MC 3 1\n", "line 2: CPUs and domains");
	refused("version 17\nnew0 1\n", "line 2: unknown: new0");
	/* A domain with a name in version 16, and one without a name in version 17. */
	strbuf_addstr(&text, "version 16\ncpu0 1 2 3 4 5 6 7 8 9\ndomain0 MC 3");
	put_numbers(&text, 36, 0);
	refused(strbuf_str(&text), "line 3: not the 36 numbers of version 16");
	strbuf_reset(&text);
	strbuf_addstr(&text, "version 17\ncpu0 1 2 3 4 5 6 7 8 9\ndomain0 3");
	put_numbers(&text, 45, 0);
	refused(strbuf_str(&text), "line 3: not the 45 numbers of version 17");
	strbuf_release(&text);
}

/* ---- differences ---- */

static void test_change(void **state)
{
	struct schedstat before, after, grown, sum;
	struct schedstat_gone gone;

	parse_machine(&before, 17, 64, 0);
	parse_machine(&after, 17, 64, 10);
	/* This counter ran over. */
	before.domains[0].v[SCHEDSTAT_ACTIVE] = UINT32_MAX;
	after.domains[0].v[SCHEDSTAT_ACTIVE] = 4;
	assert_int_equal(schedstat_change(&before, &after, &grown, &gone, NULL), 0);
	assert_int_equal(gone.cpus + gone.domains, 0);
	assert_int_equal(grown.jiffies, 10);
	assert_int_equal(grown.cpus[5].v[SCHEDSTAT_YIELDS], 10);
	assert_int_equal(grown.cpus[5].v[SCHEDSTAT_RUN_NS], 0);
	assert_int_equal(grown.domains[0].v[SCHEDSTAT_ACTIVE], 5);
	schedstat_sum(&grown, &sum);
	assert_int_equal(sum.nr_cpus, 1);
	assert_int_equal(sum.nr_domains, 2);
	assert_int_equal(sum.cpus[0].v[SCHEDSTAT_YIELDS], 640);
	assert_string_equal(sum.domains[1].is.name, "NUMA");
	assert_int_equal(sum.domains[1].nr_cpus, 64);
	assert_int_equal(sum.domains[1].v[BALANCE_COUNT], 640);
	schedstat_release(&sum);
	schedstat_release(&grown);
	schedstat_release(&after);
	schedstat_release(&before);
}

/* A CPU goes away, and the domains of its sibling are made anew without the pair. */
static void test_unplugged(void **state)
{
	struct schedstat before, after, grown;
	struct int_list rest = { 0 };
	struct schedstat_gone gone;

	parse_machine(&before, 17, 4, 0);
	parse_machine(&after, 17, 4, 1);
	assert_int_equal(cpu_list_parse(&rest, "0,2-3"), 0);
	schedstat_keep(&after, &rest);
	assert_int_equal(after.nr_cpus, 3);
	memcpy(after.domains[0].is.name, "MC", 3);
	assert_int_equal(schedstat_change(&before, &after, &grown, &gone, NULL), 0);
	assert_int_equal(gone.cpus, 1);
	assert_int_equal(gone.domains, 1);
	assert_int_equal(grown.nr_cpus, 3);
	assert_int_equal(grown.nr_domains, 5);
	schedstat_release(&grown);
	int_list_release(&rest);
	schedstat_release(&after);
	schedstat_release(&before);
}

static void test_another_version(void **state)
{
	struct schedstat before, after, grown;
	struct schedstat_gone gone;
	struct err err = { 0 };

	parse_machine(&before, 16, 1, 0);
	parse_machine(&after, 17, 1, 1);
	assert_int_equal(schedstat_change(&before, &after, &grown, &gone, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "version 16"));
	schedstat_release(&grown);
	schedstat_release(&after);
	schedstat_release(&before);
}

/* ---- records ---- */

/* Take all records, perhaps by way of the other byte order. */
static void take_all(struct schedstat_recorded *r, struct strbuf *records, const struct env *env,
		     bool swapped)
{
	for (size_t at = 0; at < records->len;) {
		wire_header *h = (wire_header *)(records->buf + at);
		size_t size = h->size;

		if (swapped) {
			assert_int_equal(record_unswap(NULL, h, size), 0);
			assert_int_equal(record_swap(NULL, h, size), 0);
		}
		schedstat_take(r, h, size, env);
		at += size;
	}
}

static void same(const struct schedstat *a, const struct schedstat *b)
{
	assert_int_equal(a->version, b->version);
	assert_int_equal(a->jiffies, b->jiffies);
	assert_int_equal(a->nr_cpus, b->nr_cpus);
	assert_int_equal(a->nr_domains, b->nr_domains);
	assert_memory_equal(a->cpus, b->cpus, a->nr_cpus * sizeof(*a->cpus));
	for (size_t i = 0; i < a->nr_domains; i++) {
		const struct schedstat_domain *d = &a->domains[i], *e = &b->domains[i];

		assert_memory_equal(d->v, e->v, sizeof(d->v));
		assert_int_equal(d->is.level, e->is.level);
		if (a->version >= 17)
			assert_string_equal(d->is.name, e->is.name);
	}
}

static void test_records(void **state)
{
	for (u32 version = 15; version <= 17; version++) {
		struct schedstat_recorded r = { 0 };
		struct strbuf records = STRBUF_INIT;
		struct schedstat before, after;
		struct env_domain names[8];
		struct env env = { .domains = names };

		parse_machine(&before, version, 4, 0);
		/* A run of less than a jiffy. */
		parse_machine(&after, version, 4, version == 16 ? 0 : 7);
		for (; env.nr_domains < 8; env.nr_domains++)
			names[env.nr_domains] = before.domains[env.nr_domains].is;
		schedstat_put_records(&before, &records);
		schedstat_put_records(&after, &records);
		take_all(&r, &records, &env, version == 17);
		assert_int_equal(r.damaged + r.unknown, 0);
		same(&before, &r.before);
		same(&after, &r.after);
		schedstat_recorded_release(&r);
		schedstat_release(&after);
		schedstat_release(&before);
		strbuf_release(&records);
	}
}

/* Take the CPU's record and the first @size bytes of that of its domain, or of the CPU's alone. */
static void take_cut(const struct strbuf *records, bool domain, u16 size)
{
	const wire_header *cpu = (const wire_header *)records->buf;
	struct schedstat_recorded r = { 0 };
	const struct env env = { 0 };
	u8 *cut = malloc(size); /* so that a read beyond it is found */

	memcpy(cut, records->buf + (domain ? cpu->size : 0), size);
	((wire_header *)cut)->size = size;
	if (domain)
		schedstat_take(&r, cpu, cpu->size, &env);
	schedstat_take(&r, cut, size, &env);
	assert_int_equal(r.damaged, 1);
	assert_int_equal(r.before.nr_cpus, domain);
	assert_int_equal(r.before.nr_domains, 0);
	schedstat_recorded_release(&r);
	free(cut);
}

static void test_cut_off(void **state)
{
	struct strbuf records = STRBUF_INIT;
	struct schedstat s;

	parse_machine(&s, 17, 1, 0);
	schedstat_put_records(&s, &records);
	for (u16 size = 8; size < 8 + 16 + 48; size++)
		take_cut(&records, false, size);
	for (u16 size = 8; size < 8 + 16 + 45 * 4; size++)
		take_cut(&records, true, size);
	strbuf_release(&records);
	schedstat_release(&s);
}

/* A domain without its CPU, levels that descend, another version, and a third set. */
static void test_odd_records(void **state)
{
	u32 counts[46] = { 1 };
	struct rec_schedstat_domain d = { 5, 3, 17, 1, counts, 46 };
	struct rec_schedstat_cpu c = { .time = 5, .cpu = 3, .version = 17 };
	struct schedstat_recorded r = { 0 };
	struct strbuf records = STRBUF_INIT;
	const struct env env = { 0 };

	enc_schedstat_domain(&records, &d); /* damaged */
	enc_schedstat_cpu(&records, &c);
	enc_schedstat_domain(&records, &d);
	d.domain = 0;
	enc_schedstat_domain(&records, &d); /* damaged */
	d.version = 18;
	enc_schedstat_domain(&records, &d); /* unknown */
	c.version = 18;
	c.data = (const u8 *)counts;
	c.size = 16;
	enc_schedstat_cpu(&records, &c); /* unknown */
	c.version = 17;
	c.time = 6;
	enc_schedstat_cpu(&records, &c);
	c.time = 7;
	enc_schedstat_cpu(&records, &c);
	take_all(&r, &records, &env, false);
	assert_int_equal(r.damaged, 2);
	assert_int_equal(r.unknown, 2);
	assert_int_equal(r.unknown_version, 18);
	assert_int_equal(r.before.jiffies, 5);
	assert_int_equal(r.before.nr_domains, 1);
	assert_int_equal(r.after.jiffies, 7);
	schedstat_recorded_release(&r);
	strbuf_release(&records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),       cmocka_unit_test(test_places),
		cmocka_unit_test(test_refused),     cmocka_unit_test(test_change),
		cmocka_unit_test(test_unplugged),   cmocka_unit_test(test_another_version),
		cmocka_unit_test(test_records),     cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_odd_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
