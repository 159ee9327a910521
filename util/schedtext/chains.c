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

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* Tell whether a function switches tasks or wakes them up for its caller, about whom it tells
 * nothing. */
static bool is_ignored(const char *name, bool of_wakeups)
{
	static const char *const switches[] = { "schedule",
						"__schedule",
						"preempt_schedule",
						"preempt_schedule_irq",
						"preempt_schedule_common",
						"preempt_schedule_notrace",
						NULL };
	static const char *const wakeups[] = { "try_to_wake_up",
					       "wake_up_process",
					       "wake_up_new_task",
					       "default_wake_function",
					       "autoremove_wake_function",
					       "pollwake",
					       "__wake_up",
					       "__wake_up_common",
					       "__wake_up_common_lock",
					       "__wake_up_sync_key",
					       NULL };

	return is_one_of(name, switches) || (of_wakeups && is_one_of(name, wakeups));
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

/* A chain that is put in words. */
struct frames {
	struct thread_at at; /* in which thread it was */
	const u64_una *ips;
	u64 nr;
	u32 most;        /* so many are looked at */
	bool of_wakeups; /* it may be that of a wakeup; functions that are left out do not count */
};

static void put_frames(struct sched_chains *c, const struct frames *f, struct strbuf *out)
{
	u8 mode = PERF_RECORD_MISC_KERNEL;
	u32 frames = 0, shown = 0;

	for (u64 i = 0; i < f->nr && frames < f->most; i++) {
		bool kernel = mode == PERF_RECORD_MISC_KERNEL, ignored;
		struct location l;
		const char *name;

		if (f->ips[i] >= (u64)PERF_CONTEXT_MAX) {
			mode = callchain_mode(f->ips[i]);
			continue;
		}
		resolve_find(c->r->machine, recording_symbols(c->r),
			     kernel ? f->at.kernel_epoch : f->at.epoch, mode, f->ips[i], &l);
		name = location_symbol(&l);
		ignored = name && is_ignored(name, f->of_wakeups);
		frames += !ignored || !f->of_wakeups;
		if (ignored)
			continue;
		strbuf_addstr(out, shown++ ? " <- " : "");
		strbuf_addname(out, name ? name : "[unknown]");
	}
}

void sched_chains_put(struct sched_chains *c, const struct engine_input *in, struct strbuf *out)
{
	struct frames f = { .most = c->max_stack + IGNORED_FRAMES };
	struct callchain chain;

	if (!in->sample || !in->sample->nr_callchain)
		return;
	if (!c->open)
		open_chains(c);
	machine_thread_at(c->r->machine, in->pid, in->tid, in->time, &f.at);
	callchain_make(&c->maker, false, f.at.epoch, in->sample, &chain);
	f.ips = chain.ips;
	f.nr = chain.nr;
	put_frames(c, &f, out);
}

void sched_chains_put_at(struct sched_chains *c, const struct sched_chain_at *at,
			 struct strbuf *out)
{
	struct frames f = {
		.ips = at->ips,
		.nr = at->nr,
		.most = c->max_stack,
		.of_wakeups = true,
	};

	machine_thread_at(c->r->machine, at->pid, at->tid, at->time, &f.at);
	put_frames(c, &f, out);
}
