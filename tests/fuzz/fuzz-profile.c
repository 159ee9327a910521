// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file becomes a report, or every export: state, counting on two workers, rows,
 * call graphs, trees of stacks. */
#include "base/compat.h"

#include "base/alloc.h"
#include "columns/columns.h"
#include "export/export.h"
#include "report/report.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORKERS 2

struct counter {
	const struct machine *machine;
	struct hist_worker *hist;
};

struct profile {
	struct reading r;
	struct counter counters[WORKERS];
	struct resolver *resolver;
	struct hist *hist;
	struct stacks_dims dims;
	bool exports;
	size_t printed;
};

static void make_hist(struct profile *p)
{
	struct hist_conf conf = {
		.chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5, .caller = true },
		.chains = true,
		.children = true,
		.by_callchain = true,
		.max_stack = 127,
		.nr_events = p->r.session.evlist.nr,
		.workers = WORKERS,
	};
	struct err err = { 0 };

	if (columns_sort(&conf.cols, "pid,comm,dso,symbol,cpu", true, true, true, &err))
		abort();
	if (p->exports) {
		p->dims = (struct stacks_dims){ .thread = true,
						.cpu = true,
						.samples = true,
						.addresses = true,
						.lines = true,
						.slices = 100 };
		conf.stacks = &p->dims;
		conf.first_time = p->r.session.first_time;
		conf.last_time = p->r.session.last_time;
	}
	p->hist = hist_new(&conf);
}

static int on_ready(void *ctx, struct err *err)
{
	struct profile *p = ctx;

	reading_ready(ctx, err);
	make_hist(p);
	p->resolver = resolver_new(p->r.machine, p->r.symbols);
	hist_resolve_early(p->hist, p->r.machine, p->resolver);
	return 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct profile *p = ctx;
	struct counter *c = &p->counters[worker];

	c->machine = p->r.machine;
	c->hist = hist_worker_new(p->hist);
	return c;
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	const struct sample *s = ev->sample;
	struct counter *c = ctx;
	struct hist_sample hs = {
		.evsel = ev->evsel->idx,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.cpumode = s->cpumode,
		.ip = s->ip,
		.period = s->period,
		.time = ev->time,
		.order = ev->offset,
		.chain = s->callchain,
		.nr_chain = s->nr_callchain,
	};
	struct thread_at at = { 0 };

	machine_thread_at(c->machine, s->pid, s->tid, ev->time, &at);
	hs.thread = at.thread;
	hs.comm = at.comm;
	hs.epoch = at.epoch;
	hs.kernel_epoch = at.kernel_epoch;
	hist_add(c->hist, &hs);
	return 0;
}

static int count_text(void *ctx, const char *text, size_t len)
{
	struct profile *p = ctx;

	p->printed += len;
	return 0;
}

static void print(struct profile *p)
{
	static const struct report_conf conf = { 0 };
	u32 i;

	hist_finish(p->hist, p->r.machine, p->resolver);
	for (i = 0; i < p->r.session.evlist.nr; i++) {
		if (!hist_event(p->hist, i)->nr)
			continue;
		hist_chains(p->hist, i, 0);
		report_rows(p->hist, &conf, i, count_text, p);
	}
}

/* What each format makes of it; of no more than it asks for. */
static void write_all(const struct stacks *s)
{
	const struct export_opts opts = { .width = 1200, .min_width = 0.1 };

	for (const struct export_ops *const *e = export_table; *e; e++) {
		struct stacks *fit = stacks_reduce(s, &(*e)->dims);
		struct strbuf sb = STRBUF_INIT;
		struct export_out *o = export_memory(&sb);
		struct export_opts own = opts;
		struct err err = { 0 };

		own.other = (*e)->compares ? fit : NULL;
		(*e)->write(fit, &own, o, &err);
		export_close(o, &err);
		strbuf_release(&sb);
		stacks_free(fit);
	}
}

static void export(struct profile *p)
{
	const struct evlist *l = &p->r.session.evlist;
	const char **names = xcalloc(l->nr + 1, sizeof(*names));
	struct stacks *s;

	for (size_t i = 0; i < l->nr; i++)
		names[i] = l->evsels[i]->name;
	hist_finish(p->hist, p->r.machine, p->resolver);
	s = stacks_of_hist(p->hist, names, true);
	write_all(s);
	stacks_free(s);
	free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct session_sample_ops ops = {
		.state = { .state = reading_state, .ready = on_ready },
		.worker_new = on_worker,
		.sample = on_sample,
	};
	struct profile p = { .exports = size && data[size - 1] & 1 };
	struct err err = { 0 };

	if (reading_open(&p.r, data, size))
		return 0;
	/* In a pipe the events come late, which the target "file" looks at. */
	if (!p.r.session.file->pipe && !session_samples(&p.r.session, &ops, &p, WORKERS, &err) &&
	    p.hist)
		p.exports ? export(&p) : print(&p);
	hist_free(p.hist);
	resolver_free(p.resolver);
	reading_close(&p.r);
	return 0;
}
