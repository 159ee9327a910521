// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/idle-chains.h"

#include "schedtext/schedtext-internal.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/intern.h"

#include <stdlib.h>

struct idle_sum {
	u32 chain; /* its number among the texts */
	u64 ns, nr;
};

struct idle_cpu {
	u32 chain;            /* in which the last task left; 0: not known */
	struct idle_sum *sum; /* owned; by number of the chain */
	u32 nr;
	size_t cap;
	u64 ns; /* of all idle times */
};

struct idle_chains {
	struct intern texts;
	struct idle_cpu *cpus; /* owned */
	u32 nr;
	size_t cap;
};

struct idle_chains *idle_chains_new(void)
{
	return xzalloc(sizeof(struct idle_chains));
}

void idle_chains_free(struct idle_chains *ic)
{
	if (!ic)
		return;
	for (u32 i = 0; i < ic->nr; i++)
		free(ic->cpus[i].sum);
	free(ic->cpus);
	intern_release(&ic->texts);
	free(ic);
}

static struct idle_cpu *cpu_of(struct idle_chains *ic, u32 cpu)
{
	VEC_REACH(ic->cpus, cpu, ic->nr, ic->cap);
	return &ic->cpus[cpu];
}

void idle_chains_begin(struct idle_chains *ic, u32 cpu, const struct strbuf *chain)
{
	cpu_of(ic, cpu)->chain = intern_id(&ic->texts, strbuf_str(chain), chain->len);
}

void idle_chains_end(struct idle_chains *ic, u32 cpu, u64 ns)
{
	struct idle_cpu *c = cpu_of(ic, cpu);
	struct idle_sum *s;

	c->ns += ns;
	if (!c->chain)
		return;
	VEC_REACH(c->sum, c->chain, c->nr, c->cap);
	s = &c->sum[c->chain];
	s->chain = c->chain;
	s->ns += ns;
	s->nr++;
	c->chain = 0;
}

static int compare_sums(const void *a, const void *b)
{
	const struct idle_sum *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->chain < y->chain ? -1 : x->chain > y->chain;
}

static void put_cpu(const struct idle_chains *ic, u32 cpu, struct strbuf *out)
{
	static const struct idle_cpu none = { 0 };
	const struct idle_cpu *c = cpu < ic->nr ? &ic->cpus[cpu] : &none;
	struct idle_sum *sorted = xcalloc(c->nr + 1, sizeof(*sorted));

	for (u32 i = 0; i < c->nr; i++)
		sorted[i] = c->sum[i];
	qsort(sorted, c->nr, sizeof(*sorted), compare_sums);
	strbuf_addf(out, "  CPU %2u:", cpu);
	sched_put_ms(out, c->ns, 6);
	strbuf_addstr(out, "  msec\n  Idle time (msec)     Count  Callchains\n"
			   "  ----------------  --------  "
			   "--------------------------------------------------\n");
	for (u32 i = 0; i < c->nr && sorted[i].nr; i++) {
		sched_put_ms(out, sorted[i].ns, 14);
		strbuf_addf(out, "  %8" PRIu64 "  %s\n", sorted[i].nr,
			    intern_str(&ic->texts, sorted[i].chain));
	}
	strbuf_addch(out, '\n');
	free(sorted);
}

void idle_chains_text(const struct idle_chains *ic, u32 cpus, struct strbuf *out)
{
	strbuf_addstr(out, "\nIdle stats by callchain:\n");
	for (u32 cpu = 0; cpu < MAX(cpus, ic->nr); cpu++)
		put_cpu(ic, cpu, out);
}
