// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/chains.h"

#include "base/alloc.h"
#include "resolve/callchain.h"

#define IGNORED_FRAMES 2 /* frames of the scheduler itself at the start of chains */

struct sched_chains {
	struct recording *r; /* borrowed */
	u32 max_stack;
	struct callchain_conf conf;
	struct callchain_maker maker;
	bool open;
};

bool sched_has_chains(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

struct sched_chains *sched_chains_new(struct recording *r, u32 max_stack)
{
	struct sched_chains *c = xzalloc(sizeof(*c));

	c->r = r;
	c->max_stack = max_stack;
	return c;
}

void sched_chains_free(struct sched_chains *c)
{
	if (!c)
		return;
	if (c->open) {
		callchain_maker_release(&c->maker);
		callchain_conf_close(&c->conf);
	}
	free(c);
}

static bool is_ignored(const char *name)
{
	static const char *const names[] = { "schedule",
					     "__schedule",
					     "preempt_schedule",
					     "preempt_schedule_irq",
					     "preempt_schedule_common",
					     "preempt_schedule_notrace" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void open_chains(struct sched_chains *c)
{
	const struct callchain_source from = {
		.machine = c->r->machine,
		.symbols = recording_symbols(c->r),
		.arch = c->r->session.file->env.arch,
		.swap = c->r->session.file->swap,
		.unwind_style = c->r->unwind_style,
	};

	callchain_conf_open(&c->conf, &from);
	c->maker.conf = &c->conf;
	c->open = true;
}

static void put_frames(struct sched_chains *c, const struct thread_at *at, const u64_una *ips,
		       u64 nr, struct strbuf *out)
{
	u8 mode = PERF_RECORD_MISC_KERNEL;
	u32 frames = 0, shown = 0;

	for (u64 i = 0; i < nr && frames < c->max_stack + IGNORED_FRAMES; i++) {
		struct location l;
		const char *name;

		if (ips[i] >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(ips[i]);
			continue;
		}
		frames++;
		resolve_find(c->r->machine, recording_symbols(c->r),
			     mode == PERF_RECORD_MISC_KERNEL ? at->kernel_epoch : at->epoch, mode,
			     ips[i], &l);
		name = location_symbol(&l);
		if (name && is_ignored(name))
			continue;
		strbuf_addstr(out, shown++ ? " <- " : "");
		strbuf_addname(out, name ? name : "[unknown]");
	}
}

void sched_chains_put(struct sched_chains *c, const struct engine_input *in, struct strbuf *out)
{
	struct callchain chain;
	struct thread_at at;

	if (!in->sample || !in->sample->nr_callchain)
		return;
	if (!c->open)
		open_chains(c);
	machine_thread_at(c->r->machine, in->pid, in->tid, in->time, &at);
	callchain_make(&c->maker, false, at.epoch, in->sample, &chain);
	put_frames(c, &at, chain.ips, chain.nr, out);
}

void sched_chains_put_at(struct sched_chains *c, const struct sched_chain_at *at,
			 struct strbuf *out)
{
	struct thread_at thread;

	machine_thread_at(c->r->machine, at->pid, at->tid, at->time, &thread);
	put_frames(c, &thread, at->ips, at->nr, out);
}
