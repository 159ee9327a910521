// SPDX-License-Identifier: GPL-2.0-or-later
/* Fill the struct of counters, find in it, add up and subtract. */
#include "base/compat.h"
#include "schedstat/schedstat.h"

#include "base/alloc.h"
#include "base/bisect.h"

#include <errno.h>

void schedstat_release(struct schedstat *s)
{
	for (size_t i = 0; i < s->nr_domains; i++)
		env_domain_release(&s->domains[i].is);
	free(s->domains);
	free(s->cpus);
	*s = (struct schedstat){ 0 };
}

struct schedstat_cpu *schedstat_add_cpu(struct schedstat *s, u32 cpu)
{
	if (s->nr_cpus == s->cap_cpus) {
		s->cap_cpus = MAX(s->cap_cpus * 2, (size_t)16);
		s->cpus = xrealloc(s->cpus, s->cap_cpus, sizeof(*s->cpus));
	}
	s->cpus[s->nr_cpus] = (struct schedstat_cpu){ .cpu = cpu };
	return &s->cpus[s->nr_cpus++];
}

static char *copy_text(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

struct schedstat_domain *schedstat_add_domain(struct schedstat *s, const struct env_domain *is)
{
	struct schedstat_domain *d;

	if (s->nr_domains == s->cap_domains) {
		s->cap_domains = MAX(s->cap_domains * 2, (size_t)16);
		s->domains = xrealloc(s->domains, s->cap_domains, sizeof(*s->domains));
	}
	d = &s->domains[s->nr_domains++];
	*d = (struct schedstat_domain){
		.is = { is->cpu, is->level, copy_text(is->name), copy_text(is->mask),
			copy_text(is->list) },
		.nr_cpus = 1,
	};
	return d;
}

void schedstat_keep(struct schedstat *s, const struct int_list *cpus)
{
	size_t nr_cpus = 0, nr_domains = 0;

	if (!cpus->nr)
		return;
	for (size_t i = 0; i < s->nr_cpus; i++)
		if (int_list_has(cpus, (int)s->cpus[i].cpu))
			s->cpus[nr_cpus++] = s->cpus[i];
	for (size_t i = 0; i < s->nr_domains; i++) {
		if (int_list_has(cpus, (int)s->domains[i].is.cpu))
			s->domains[nr_domains++] = s->domains[i];
		else
			env_domain_release(&s->domains[i].is);
	}
	s->nr_cpus = nr_cpus;
	s->nr_domains = nr_domains;
}

/* ---- finding ---- */

const struct schedstat_cpu *schedstat_find_cpu(const struct schedstat *s, u32 cpu)
{
	size_t i = FIRST_FROM(s->cpus, s->nr_cpus, cpu, cpu);

	return i < s->nr_cpus && s->cpus[i].cpu == cpu ? &s->cpus[i] : NULL;
}

const struct schedstat_domain *schedstat_find_domain(const struct schedstat *s,
						     const struct env_domain *is)
{
	for (size_t i = FIRST_FROM(s->domains, s->nr_domains, is.cpu, is->cpu);
	     i < s->nr_domains && s->domains[i].is.cpu == is->cpu; i++) {
		const struct env_domain *d = &s->domains[i].is;

		if (d->level == is->level)
			return !d->name || !is->name || !strcmp(d->name, is->name) ? &s->domains[i]
										   : NULL;
	}
	return NULL;
}

/* ---- subtracting ---- */

/* The kernel has these counters as unsigned int, so that the difference is right after a carry. */
static u64 change32(u64 before, u64 after)
{
	return (u32)after - (u32)before;
}

/* Return how much more; 0 if the counter was set back. */
static u64 change64(u64 before, u64 after)
{
	return after > before ? after - before : 0;
}

static void change_cpu(const struct schedstat_cpu *before, const struct schedstat_cpu *after,
		       struct schedstat *out)
{
	struct schedstat_cpu *c = schedstat_add_cpu(out, after->cpu);

	for (u32 i = 0; i < SCHEDSTAT_CPU_COUNTERS; i++)
		c->v[i] = i < SCHEDSTAT_RUN_NS ? change32(before->v[i], after->v[i])
					       : change64(before->v[i], after->v[i]);
}

static void change_domain(const struct schedstat_domain *before,
			  const struct schedstat_domain *after, struct schedstat *out)
{
	struct schedstat_domain *d = schedstat_add_domain(out, &after->is);

	for (u32 i = 0; i < SCHEDSTAT_DOMAIN_COUNTERS; i++)
		d->v[i] = change32(before->v[i], after->v[i]);
}

int schedstat_change(const struct schedstat *before, const struct schedstat *after,
		     struct schedstat *out, struct schedstat_gone *gone, struct err *err)
{
	*out = (struct schedstat){ after->version, change64(before->jiffies, after->jiffies) };
	*gone = (struct schedstat_gone){ 0 };
	if (before->version != after->version)
		return err_set(
			err, -EINVAL,
			"the counters before the run are of version %u and those after it of "
			"version %u of /proc/schedstat: record again",
			before->version, after->version);
	for (size_t i = 0; i < after->nr_cpus; i++) {
		const struct schedstat_cpu *c = schedstat_find_cpu(before, after->cpus[i].cpu);

		if (c)
			change_cpu(c, &after->cpus[i], out);
	}
	for (size_t i = 0; i < after->nr_domains; i++) {
		const struct schedstat_domain *a = &after->domains[i],
					      *b = schedstat_find_domain(before, &a->is);

		if (b)
			change_domain(b, a, out);
		else if (schedstat_find_cpu(out, a->is.cpu))
			gone->domains++;
	}
	gone->cpus = (u32)(before->nr_cpus + after->nr_cpus - 2 * out->nr_cpus);
	if (out->nr_cpus)
		return 0;
	return err_set(err, -EINVAL, "no CPU has counters from before and after the run");
}

/* ---- adding up ---- */

#define MOST_NAMES 256 /* far more than the kernel has; more than that are added up by level */

static struct schedstat_domain *find_sum(const struct schedstat *out, const struct env_domain *is)
{
	for (size_t i = 0; i < out->nr_domains; i++) {
		const struct env_domain *have = &out->domains[i].is;

		if (is->name && have->name ? !strcmp(is->name, have->name)
					   : is->level == have->level && !is->name == !have->name)
			return &out->domains[i];
	}
	return NULL;
}

/*
 * Return the sum that a domain belongs to. Names say best which domains of two CPUs are alike,
 * because a CPU without a sibling has one level less than others.
 */
static struct schedstat_domain *sum_for(struct schedstat *out, const struct env_domain *is)
{
	struct env_domain all = { .cpu = SCHEDSTAT_ALL, .level = is->level, .name = is->name };
	struct schedstat_domain *sum = find_sum(out, &all);

	if (!sum && out->nr_domains >= MOST_NAMES) {
		all.name = NULL;
		sum = find_sum(out, &all);
	}
	if (!sum) {
		sum = schedstat_add_domain(out, &all);
		sum->nr_cpus = 0;
	}
	return sum;
}

void schedstat_sum(const struct schedstat *s, struct schedstat *out)
{
	struct schedstat_cpu *all;

	*out = (struct schedstat){ s->version, s->jiffies };
	all = schedstat_add_cpu(out, SCHEDSTAT_ALL);
	for (size_t i = 0; i < s->nr_cpus; i++)
		for (u32 k = 0; k < SCHEDSTAT_CPU_COUNTERS; k++)
			all->v[k] += s->cpus[i].v[k];
	for (size_t i = 0; i < s->nr_domains; i++) {
		const struct schedstat_domain *d = &s->domains[i];
		struct schedstat_domain *sum = sum_for(out, &d->is);

		sum->nr_cpus++;
		for (u32 k = 0; k < SCHEDSTAT_DOMAIN_COUNTERS; k++)
			sum->v[k] += d->v[k];
	}
}
