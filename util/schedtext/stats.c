// SPDX-License-Identifier: GPL-2.0-or-later
/* Make tables of the scheduler's counters, of one run or of two side by side. */
#include "base/compat.h"
#include "schedtext/stats.h"

#include "base/bisect.h"

#define WIDTH 100
#define DESC_WIDTH 54

/* A table is made of one or two runs; the second one is NULL for a report. */
struct stats_pair {
	const struct schedstat *run[2];
	struct strbuf *out;
};

/* These are the same counters of both runs. */
struct stats_values {
	const u64 *v[2];   /* of the second run NULL if there is none */
	double jiffies[2]; /* that passed on all CPUs together */
};

static void put_rule(struct strbuf *out)
{
	for (int i = 0; i < WIDTH; i++)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

/* Append a line such as "----- <Category busy> -----". */
static void put_category(const char *name, struct strbuf *out)
{
	size_t end = out->len + WIDTH, room = strlen(name) + 4;
	size_t before = (WIDTH - room) / 2;

	for (size_t i = 0; i < before; i++)
		strbuf_addch(out, '-');
	strbuf_addf(out, " <%s> ", name);
	while (out->len < end)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

static double percent(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Append by how much the second number is more than the first. */
static void put_change(u64 a, u64 b, struct strbuf *out)
{
	if (a)
		strbuf_addf(out, " |%+10.2f%% |", 100.0 * ((double)b - (double)a) / (double)a);
	else
		strbuf_addf(out, " |%11s |", b ? "new" : "0.00%");
}

static void put_counts(const struct stats_values *s, const char *text, u32 i, struct strbuf *out)
{
	strbuf_addf(out, "%-*s:%13" PRIu64, DESC_WIDTH, text, s->v[0][i]);
	if (s->v[1]) {
		strbuf_addf(out, ",%13" PRIu64, s->v[1][i]);
		put_change(s->v[0][i], s->v[1][i], out);
	}
}

static void put_cpu_row(const struct stats_values *s, u32 i, struct strbuf *out)
{
	const struct schedstat_field *f = &schedstat_cpu_fields[i];

	put_counts(s, f->text, i, out);
	if (f->part_of >= 0) {
		strbuf_addf(out, "  (%9.2f%%", percent(s->v[0][i], s->v[0][f->part_of]));
		if (s->v[1])
			strbuf_addf(out, ",%9.2f%%", percent(s->v[1][i], s->v[1][f->part_of]));
		strbuf_addstr(out, " )");
	}
	strbuf_addch(out, '\n');
}

static double mean_time(const struct stats_values *s, int run, u32 i)
{
	return s->v[run][i] ? s->jiffies[run] / (double)s->v[run][i] : 0;
}

static void put_domain_row(const struct stats_values *s, u32 i, struct strbuf *out)
{
	const struct schedstat_field *f = &schedstat_domain_fields[i];

	put_counts(s, f->text, i, out);
	if (f->event) {
		strbuf_addf(out, "  $%12.2f", mean_time(s, 0, i));
		if (s->v[1])
			strbuf_addf(out, ",%12.2f", mean_time(s, 1, i));
		strbuf_addstr(out, " $");
	}
	strbuf_addch(out, '\n');
}

static void put_head(const struct stats_pair *p, const char *extra)
{
	char both[40];

	put_rule(p->out);
	if (p->run[1]) {
		snprintf(both, sizeof(both), "%s1,%s2", extra, extra);
		strbuf_addf(p->out, "%-*s %13s %13s  %11s    %s\n", DESC_WIDTH, "DESC", "COUNT1",
			    "COUNT2", "PCT_CHANGE", both);
	} else {
		strbuf_addf(p->out, "%-*s %13s   %12s\n", DESC_WIDTH, "DESC", "COUNT", extra);
	}
}

/* Return how many balancings moved tasks. */
static u64 successes(const u64 *v)
{
	u64 others = v[BALANCE_BALANCED] + v[BALANCE_FAILED];

	return v[BALANCE_COUNT] > others ? v[BALANCE_COUNT] - others : 0;
}

static double mean_pulled(const u64 *v)
{
	u64 n = successes(v);

	return n ? (double)v[BALANCE_GAINED] / (double)n : 0;
}

/* Append the rows that follow from others. @first: of the counters of this state */
static void put_derived(const struct stats_values *s, u32 first, struct strbuf *out)
{
	const u64 *a = s->v[0] + first, *b = s->v[1] ? s->v[1] + first : NULL;

	strbuf_addf(out, "%-*s:%13" PRIu64, DESC_WIDTH, "* balancings that moved tasks",
		    successes(a));
	if (b) {
		strbuf_addf(out, ",%13" PRIu64, successes(b));
		put_change(successes(a), successes(b), out);
	}
	strbuf_addf(out, "\n%-*s:%13.2f", DESC_WIDTH, "* tasks pulled by each of these",
		    mean_pulled(a));
	if (b)
		strbuf_addf(out, ",%13.2f", mean_pulled(b));
	strbuf_addch(out, '\n');
}

/* Tell whether the runs have a counter. Those of two kernels may have others, and are then not
 * compared. */
static bool both_have(const struct stats_pair *p, u32 counter)
{
	return schedstat_has(p->run[0]->version, counter) &&
	       (!p->run[1] || schedstat_has(p->run[1]->version, counter));
}

static void put_domain(const struct stats_pair *p, const struct stats_values *s)
{
	static const char *const states[] = { "Category busy", "Category idle",
					      "Category newidle" };
	static const struct {
		const char *name;
		u32 first, end;
	} rest[] = {
		{ "Category active balance", SCHEDSTAT_ACTIVE, SCHEDSTAT_EXEC },
		{ "Category balance at exec", SCHEDSTAT_EXEC, SCHEDSTAT_FORK },
		{ "Category balance at fork", SCHEDSTAT_FORK, SCHEDSTAT_WAKE_REMOTE },
		{ "Wakeup Info", SCHEDSTAT_WAKE_REMOTE, SCHEDSTAT_DOMAIN_COUNTERS },
	};

	put_head(p, "AVG_JIFFIES");
	for (u32 state = 0; state < SCHEDSTAT_STATES; state++) {
		u32 first = state * BALANCE_COUNTERS;

		put_category(states[state], p->out);
		for (u32 i = first; i < first + BALANCE_COUNTERS; i++)
			if (both_have(p, i))
				put_domain_row(s, i, p->out);
		put_derived(s, first, p->out);
	}
	for (size_t k = 0; k < ARRAY_SIZE(rest); k++) {
		put_category(rest[k].name, p->out);
		for (u32 i = rest[k].first; i < rest[k].end; i++)
			put_domain_row(s, i, p->out);
	}
}

static void put_cpu_title(u32 cpu, struct strbuf *out)
{
	put_rule(out);
	if (cpu == SCHEDSTAT_ALL)
		strbuf_addstr(out, "CPU <ALL CPUS SUMMARY>");
	else
		strbuf_addf(out, "CPU %u", cpu);
}

static void put_domain_title(const struct env_domain *is, struct strbuf *out)
{
	put_cpu_title(is->cpu, out);
	strbuf_addstr(out, ", DOMAIN ");
	if (is->name)
		strbuf_addname(out, is->name);
	else
		strbuf_addf(out, "%u", is->level);
	if (is->list) {
		strbuf_addstr(out, ", CPUS ");
		strbuf_addname(out, is->list);
	}
	strbuf_addch(out, '\n');
}

/* Return the domain of the other run that a domain is compared with: sums are found by name. */
static const struct schedstat_domain *partner(const struct schedstat *s,
					      const struct schedstat_domain *d)
{
	if (d->is.cpu != SCHEDSTAT_ALL)
		return schedstat_find_domain(s, &d->is);
	for (size_t i = 0; i < s->nr_domains; i++) {
		const struct env_domain *is = &s->domains[i].is;

		if (is->name && d->is.name ? !strcmp(is->name, d->is.name)
					   : is->level == d->is.level)
			return &s->domains[i];
	}
	return NULL;
}

static void put_domains(const struct stats_pair *p, u32 cpu)
{
	const struct schedstat *a = p->run[0], *b = p->run[1];

	for (size_t i = FIRST_FROM(a->domains, a->nr_domains, is.cpu, cpu);
	     i < a->nr_domains && a->domains[i].is.cpu == cpu; i++) {
		const struct schedstat_domain *d = &a->domains[i];
		const struct schedstat_domain *other = b ? partner(b, d) : NULL;
		struct stats_values s = { { d->v, NULL }, { (double)a->jiffies * d->nr_cpus } };

		if (b && !other)
			continue;
		if (b) {
			s.v[1] = other->v;
			s.jiffies[1] = (double)b->jiffies * other->nr_cpus;
		}
		put_domain_title(&d->is, p->out);
		put_domain(p, &s);
	}
}

static void put_cpus(const struct stats_pair *p)
{
	const struct schedstat *a = p->run[0], *b = p->run[1];

	for (size_t i = 0; i < a->nr_cpus; i++) {
		const struct schedstat_cpu *c = &a->cpus[i];
		const struct schedstat_cpu *other = b ? schedstat_find_cpu(b, c->cpu) : NULL;
		const struct stats_values s = { .v = { c->v, other ? other->v : NULL } };

		if (b && !other)
			continue;
		put_cpu_title(c->cpu, p->out);
		strbuf_addch(p->out, '\n');
		put_head(p, "PCT_CHANGE");
		put_rule(p->out);
		for (u32 k = 0; k < SCHEDSTAT_CPU_COUNTERS; k++)
			put_cpu_row(&s, k, p->out);
		put_domains(p, c->cpu);
	}
}

static void put_legend(struct strbuf *out)
{
	strbuf_addf(out, "%-22s %s\n", "NAME", "DESC");
	for (u32 i = 0; i < SCHEDSTAT_CPU_COUNTERS; i++)
		strbuf_addf(out, "%-22s %s\n", schedstat_cpu_fields[i].name,
			    schedstat_cpu_fields[i].text);
	for (u32 i = 0; i < SCHEDSTAT_DOMAIN_COUNTERS; i++)
		strbuf_addf(out, "%-22s %s\n", schedstat_domain_fields[i].name,
			    schedstat_domain_fields[i].text);
	put_rule(out);
}

static void put_beginning(bool legend, bool two, struct strbuf *out)
{
	strbuf_addstr(out, "Description\n");
	put_rule(out);
	strbuf_addstr(out,
		      "DESC         -> Description of the counter\n"
		      "COUNT        -> How much it grew; of the summary: on all CPUs together\n");
	strbuf_addstr(out, two ? "PCT_CHANGE   -> How much more the second run has; behind that: "
				 "the share of the counter it is a part of\n"
			       : "PCT_CHANGE   -> Its share of the counter that it is a part of\n");
	strbuf_addstr(out,
		      "AVG_JIFFIES  -> Mean time in jiffies between two such events on a CPU\n");
	put_rule(out);
	if (legend)
		put_legend(out);
}

static void put_report(const struct schedstat *s, bool legend, struct strbuf *out)
{
	struct schedstat sum;

	schedstat_sum(s, &sum);
	put_beginning(legend, false, out);
	strbuf_addf(out, "%-*s:%13" PRIu64 "\n", DESC_WIDTH, "Time elapsed (in jiffies)",
		    s->jiffies);
	put_cpus(&(struct stats_pair){ { &sum, NULL }, out });
	put_cpus(&(struct stats_pair){ { s, NULL }, out });
	schedstat_release(&sum);
}

static void put_diff(const struct schedstat *a, const struct schedstat *b, bool legend,
		     struct strbuf *out)
{
	struct schedstat sum_a, sum_b;

	schedstat_sum(a, &sum_a);
	schedstat_sum(b, &sum_b);
	put_beginning(legend, true, out);
	strbuf_addf(out, "%-*s:%13" PRIu64 ",%13" PRIu64 "\n", DESC_WIDTH,
		    "Time elapsed (in jiffies)", a->jiffies, b->jiffies);
	put_cpus(&(struct stats_pair){ { &sum_a, &sum_b }, out });
	put_cpus(&(struct stats_pair){ { a, b }, out });
	schedstat_release(&sum_a);
	schedstat_release(&sum_b);
}

static void put_json(const struct schedstat *a, const struct schedstat *b, struct strbuf *out)
{
	if (b)
		strbuf_addch(out, '[');
	stats_json(a, out);
	if (b) {
		strbuf_addstr(out, ",\n");
		stats_json(b, out);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, '\n');
}

void schedstat_text(const struct schedstat *a, const struct schedstat *b,
		    const struct stats_look *look, struct strbuf *out)
{
	if (look->json)
		put_json(a, b, out);
	else if (b)
		put_diff(a, b, look->legend, out);
	else
		put_report(a, look->legend, out);
}

void stats_left_out(const struct schedstat_gone *gone, u64 damaged, struct strbuf *out)
{
	if (damaged)
		strbuf_addf(out,
			    "%" PRIu64 " records of counters are damaged or out of order, and are "
			    "left out.\n",
			    damaged);
	if (gone->cpus)
		strbuf_addf(out,
			    "%u CPUs went offline or came online meanwhile and are left out.\n",
			    gone->cpus);
	if (gone->domains)
		strbuf_addf(out, "%u domains were made anew meanwhile and are left out.\n",
			    gone->domains);
}
