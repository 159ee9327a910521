// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sampletext/sample-metric.h"

#include "base/alloc.h"
#include "stat/shadow.h"

#include <math.h>

struct sample_metrics {
	struct stat_result result; /* of one place, that of the sample */
	struct aggr_id id;
	struct aggr_map ids;
	bool *unsupported; /* all false */
	u32 *seen;         /* by leader: number of members whose values have been added */
};

struct sample_metrics *sample_metrics_new(const struct evlist *l)
{
	struct sample_metrics *m = xzalloc(sizeof(*m));

	m->ids = (struct aggr_map){ .ids = &m->id, .nr = 1, .cap = 1 };
	m->unsupported = xcalloc(l->nr + 1, sizeof(*m->unsupported));
	m->seen = xcalloc(l->nr + 1, sizeof(*m->seen));
	stat_result_init(&m->result, l, &m->ids, m->unsupported);
	return m;
}

void sample_metrics_free(struct sample_metrics *m)
{
	if (!m)
		return;
	stat_result_release(&m->result);
	free(m->unsupported);
	free(m->seen);
	free(m);
}

struct line {
	struct sample_writer *w;
	const struct evsel *e;
	const struct sample *s;
	const char *comm;
	struct strbuf *out;
};

static void put_line(void *ctx, const struct stat_metric *m)
{
	const struct line *l = ctx;
	const struct sample_id id = {
		.pid = l->s->pid, .tid = l->s->tid, .cpu = l->s->cpu, .time = l->s->time
	};
	const wire_header hdr = { .type = PERF_RECORD_SAMPLE, .misc = l->s->misc };

	if (isnan(m->value))
		return;
	sample_writer_start(l->w, l->e, &hdr, &id, l->comm, l->out);
	strbuf_addstr(l->out, "\tmetric: ");
	strbuf_addf(l->out, m->fmt, m->value);
	strbuf_addf(l->out, " %s\n", m->unit);
}

void sample_metrics_put(struct sample_metrics *m, struct sample_writer *w, const struct evsel *e,
			const struct sample *s, const char *comm, struct strbuf *out)
{
	const struct evlist *l = m->result.evlist;
	u32 leader = e->leader;

	*stat_value_at(&m->result, e->idx, 0) = (struct stat_value){
		.val = (double)s->period, .enabled = 1, .running = 1, .places = 1
	};
	if (++m->seen[leader] < l->evsels[leader]->nr_members)
		return;
	for (u32 i = leader; i < l->nr && l->evsels[i]->leader == leader; i++) {
		struct line line = { w, l->evsels[i], s, comm, out };

		shadow_metrics(&m->result, i, 0, put_line, &line);
	}
	/* counts of different groups cannot be related */
	for (u32 i = leader; i < l->nr && l->evsels[i]->leader == leader; i++)
		*stat_value_at(&m->result, i, 0) = (struct stat_value){ 0 };
	m->seen[leader] = 0;
}
