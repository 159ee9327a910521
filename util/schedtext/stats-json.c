// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the counters of the scheduler as JSON. */
#include "base/compat.h"
#include "schedtext/stats.h"

#include "base/bisect.h"
#include "codec/json.h"

static void put_counter(const char *name, u64 value, bool first, struct strbuf *out)
{
	strbuf_addf(out, "%s\"%s\":%" PRIu64, first ? "" : ",", name, value);
}

static void put_domain(const struct schedstat *s, const struct schedstat_domain *d,
		       struct strbuf *out)
{
	bool first = true;

	strbuf_addf(out, "{\"level\":%u", d->is.level);
	json_text_member(out, "name", d->is.name);
	json_text_member(out, "cpus", d->is.list);
	strbuf_addf(out, ",\"nr_cpus\":%u,\"counters\":{", d->nr_cpus);
	for (u32 i = 0; i < SCHEDSTAT_DOMAIN_COUNTERS; i++) {
		if (!schedstat_has(s->version, i))
			continue;
		put_counter(schedstat_domain_fields[i].name, d->v[i], first, out);
		first = false;
	}
	strbuf_addstr(out, "}}");
}

static void put_cpu(const struct schedstat *s, const struct schedstat_cpu *c, struct strbuf *out)
{
	bool first = true;

	if (c->cpu == SCHEDSTAT_ALL)
		strbuf_addstr(out, "{\"cpu\":\"all\",\"counters\":{");
	else
		strbuf_addf(out, "{\"cpu\":%u,\"counters\":{", c->cpu);
	for (u32 i = 0; i < SCHEDSTAT_CPU_COUNTERS; i++)
		put_counter(schedstat_cpu_fields[i].name, c->v[i], !i, out);
	strbuf_addstr(out, "},\"domains\":[");
	for (size_t i = FIRST_FROM(s->domains, s->nr_domains, is.cpu, c->cpu);
	     i < s->nr_domains && s->domains[i].is.cpu == c->cpu; i++) {
		strbuf_addstr(out, first ? "\n  " : ",\n  ");
		put_domain(s, &s->domains[i], out);
		first = false;
	}
	strbuf_addstr(out, "]}");
}

void stats_json(const struct schedstat *s, struct strbuf *out)
{
	struct schedstat sum;

	schedstat_sum(s, &sum);
	strbuf_addf(out, "{\"version\":%u,\"jiffies\":%" PRIu64 ",\"cpus\":[\n ", s->version,
		    s->jiffies);
	put_cpu(&sum, &sum.cpus[0], out);
	for (size_t i = 0; i < s->nr_cpus; i++) {
		strbuf_addstr(out, ",\n ");
		put_cpu(s, &s->cpus[i], out);
	}
	strbuf_addstr(out, "]}");
	schedstat_release(&sum);
}
