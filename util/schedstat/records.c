// SPDX-License-Identifier: GPL-2.0-or-later
/* Put counters into recordings and take them from there: records, and the names of domains. */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "base/alloc.h"
#include "base/bisect.h"
#include "file/feature.h"
#include "wire/encode.h"

/* ---- writing ---- */

static void put_cpu(const struct schedstat *s, const struct schedstat_cpu *c, struct strbuf *out)
{
	const u64 *v = c->v;
	const struct rec_schedstat_cpu r = {
		.time = s->jiffies,
		.cpu = c->cpu,
		.version = (u16)s->version,
		.yld_count = (u32)v[SCHEDSTAT_YIELDS],
		.array_exp = (u32)v[SCHEDSTAT_LEGACY],
		.sched_count = (u32)v[SCHEDSTAT_SCHEDULES],
		.sched_goidle = (u32)v[SCHEDSTAT_IDLES],
		.ttwu_count = (u32)v[SCHEDSTAT_WAKEUPS],
		.ttwu_local = (u32)v[SCHEDSTAT_LOCAL_WAKEUPS],
		.rq_cpu_time = v[SCHEDSTAT_RUN_NS],
		.run_delay = v[SCHEDSTAT_WAIT_NS],
		.pcount = v[SCHEDSTAT_SLICES],
	};

	enc_schedstat_cpu(out, &r);
}

static void put_domain(const struct schedstat *s, const struct schedstat_domain *d,
		       struct strbuf *out)
{
	u32 counts[SCHEDSTAT_DOMAIN_COUNTERS], nr = schedstat_domain_counts(s->version);
	const struct rec_schedstat_domain r = { s->jiffies,       d->is.cpu, (u16)s->version,
						(u16)d->is.level, counts,    nr };

	for (u32 i = 0; i < nr; i++)
		counts[i] = (u32)d->v[schedstat_domain_at(s->version, i)];
	enc_schedstat_domain(out, &r);
}

void schedstat_put_records(const struct schedstat *s, struct strbuf *out)
{
	size_t at = 0; /* the domains are in the order of the CPUs */

	for (size_t i = 0; i < s->nr_cpus; i++) {
		put_cpu(s, &s->cpus[i], out);
		for (; at < s->nr_domains && s->domains[at].is.cpu == s->cpus[i].cpu; at++)
			put_domain(s, &s->domains[at], out);
	}
}

void schedstat_put_domains(const struct schedstat *s, struct strbuf *out)
{
	struct env_domain *is = xcalloc(s->nr_domains + 1, sizeof(*is));

	for (size_t i = 0; i < s->nr_domains; i++)
		is[i] = s->domains[i].is;
	feature_cpu_domains(out, s->version, is, s->nr_domains);
	free(is);
}

/* ---- reading ---- */

void schedstat_recorded_release(struct schedstat_recorded *r)
{
	schedstat_release(&r->before);
	schedstat_release(&r->after);
}

/* Return the set that records are added to. */
static struct schedstat *current_set(struct schedstat_recorded *r)
{
	return r->after.nr_cpus ? &r->after : &r->before;
}

/*
 * Return the set that a record of a CPU belongs to. CPUs ascend within a set, and all of its
 * records have the same time; both sets have the same time if the run was short. Of more than two
 * sets the last one counts.
 */
static struct schedstat *set_for(struct schedstat_recorded *r, const struct rec_schedstat_cpu *c)
{
	struct schedstat *s = current_set(r);
	bool fits = s->jiffies == c->time && s->version == c->version;

	if (!s->nr_cpus || (fits && s->cpus[s->nr_cpus - 1].cpu < c->cpu))
		return s;
	schedstat_release(&r->after);
	return &r->after;
}

static bool take_version(struct schedstat_recorded *r, u32 version)
{
	if (schedstat_known(version))
		return true;
	r->unknown++;
	r->unknown_version = version;
	return false;
}

static void take_cpu(struct schedstat_recorded *r, const void *rec, size_t size)
{
	struct rec_schedstat_cpu c;
	struct schedstat *s;
	u64 *v;

	if (rec_schedstat_cpu_decode(rec, size, &c)) {
		r->damaged++;
		return;
	}
	if (!take_version(r, c.version))
		return;
	s = set_for(r, &c);
	s->version = c.version;
	s->jiffies = c.time;
	v = schedstat_add_cpu(s, c.cpu)->v;
	v[SCHEDSTAT_YIELDS] = c.yld_count;
	v[SCHEDSTAT_LEGACY] = c.array_exp;
	v[SCHEDSTAT_SCHEDULES] = c.sched_count;
	v[SCHEDSTAT_IDLES] = c.sched_goidle;
	v[SCHEDSTAT_WAKEUPS] = c.ttwu_count;
	v[SCHEDSTAT_LOCAL_WAKEUPS] = c.ttwu_local;
	v[SCHEDSTAT_RUN_NS] = c.rq_cpu_time;
	v[SCHEDSTAT_WAIT_NS] = c.run_delay;
	v[SCHEDSTAT_SLICES] = c.pcount;
}

/* Return what the header says of a domain, or NULL. */
static const struct env_domain *known_domain(const struct env *env, u32 cpu, u32 level)
{
	for (size_t i = FIRST_FROM(env->domains, env->nr_domains, cpu, cpu);
	     i < env->nr_domains && env->domains[i].cpu == cpu && env->domains[i].level <= level;
	     i++)
		if (env->domains[i].level == level)
			return &env->domains[i];
	return NULL;
}

/* Domains follow the record of their CPU. */
static bool domain_fits(const struct schedstat *s, const struct rec_schedstat_domain *d)
{
	const struct schedstat_domain *last = s->nr_domains ? &s->domains[s->nr_domains - 1] : NULL;

	if (!s->nr_cpus || s->cpus[s->nr_cpus - 1].cpu != d->cpu || s->version != d->version)
		return false;
	if (d->domain >= SCHEDSTAT_LEVELS || d->nr < schedstat_domain_counts(d->version))
		return false;
	return !last || last->is.cpu < d->cpu || last->is.level < d->domain;
}

static void take_domain(struct schedstat_recorded *r, const void *rec, size_t size,
			const struct env *env)
{
	struct schedstat *s = current_set(r);
	const struct env_domain *known;
	struct rec_schedstat_domain d;
	struct env_domain plain;
	u64 *v;

	if (rec_schedstat_domain_decode(rec, size, &d)) {
		r->damaged++;
		return;
	}
	if (!take_version(r, d.version))
		return;
	if (!domain_fits(s, &d)) {
		r->damaged++;
		return;
	}
	plain = (struct env_domain){ .cpu = d.cpu, .level = d.domain };
	known = known_domain(env, d.cpu, d.domain);
	v = schedstat_add_domain(s, known ? known : &plain)->v;
	for (u32 i = 0; i < schedstat_domain_counts(d.version); i++)
		v[schedstat_domain_at(d.version, i)] = d.counts[i];
}

void schedstat_take(struct schedstat_recorded *r, const void *rec, size_t size,
		    const struct env *env)
{
	switch (((const wire_header *)rec)->type) {
	case PERF_RECORD_SCHEDSTAT_CPU:
		take_cpu(r, rec, size);
		break;
	case PERF_RECORD_SCHEDSTAT_DOMAIN:
		take_domain(r, rec, size, env);
		break;
	default:
		break;
	}
}
