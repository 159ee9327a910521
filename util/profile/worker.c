// SPDX-License-Identifier: GPL-2.0-or-later
/* Make a row of each sample, on one thread: find whose it is, its call chain and its texts. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "base/alloc.h"

#define THREAD_CACHE 512 /* of a worker; a power of two */

struct profile_worker {
	struct profile *p;
	struct hist_worker *hist;
	struct blocks_worker *blocks;
	struct quality quality;
	struct busy_processes busy;
	struct wall_chains waits;
	struct callchain_maker chains;
	struct branch_kinds kinds;
	struct tf_printer printer;
	struct strbuf trace; /* what the event of the sample at hand says */
	struct strbuf fields;
	struct strbuf cgroup;
	struct hist_text texts[HIST_NR_TEXTS];
	struct thread_at cache[THREAD_CACHE];
	size_t parallel_hint;
	u32 nr; /* of equal samples that the one at hand stands for; 0: it is one by itself */
};

/* Name of a kernel address in what a tracepoint says. */
static const char *kernel_name(void *ctx, u64 addr, u64 *start)
{
	const struct profile *p = ctx;

	return p->symbols ? resolve_kernel_name(p->r->machine, p->symbols, addr, start) : NULL;
}

struct profile_worker *profile_worker_new(struct profile *p)
{
	struct profile_worker *w = xzalloc(sizeof(*w));

	w->p = p;
	w->hist = hist_worker_new(p->hist);
	if (p->blocks)
		w->blocks = blocks_worker_new(p->blocks);
	w->chains.conf = &p->chain_sources;
	w->printer.ksym = kernel_name;
	w->printer.ksym_ctx = p;
	return w;
}

void profile_worker_free(struct profile_worker *w)
{
	callchain_maker_release(&w->chains);
	strbuf_release(&w->trace);
	strbuf_release(&w->fields);
	strbuf_release(&w->cgroup);
	strbuf_release(&w->printer.tmp);
	busy_release(&w->busy);
	wall_chains_release(&w->waits);
	free(w);
}

const struct branch_kinds *profile_worker_kinds(const struct profile_worker *w)
{
	return &w->kinds;
}

const struct quality *profile_worker_quality(const struct profile_worker *w)
{
	return &w->quality;
}

const struct unwind_counts *profile_worker_unwound(const struct profile_worker *w)
{
	return &w->chains.unwound.counts;
}

const struct busy_processes *profile_worker_busy(const struct profile_worker *w)
{
	return &w->busy;
}

static const struct thread_at *thread_of(struct profile_worker *w, u32 pid, u32 tid, u64 time)
{
	struct thread_at *at = &w->cache[(tid ^ tid >> 9) % THREAD_CACHE];

	if (at->tid != tid || at->pid != pid || time < at->from || time >= at->until || !at->until)
		machine_thread_at(w->p->r->machine, pid, tid, time, at);
	return at;
}

static void put_trace(struct profile_worker *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	const struct tf_event *tf = evsel_format(ev->evsel, w->p->r->formats.tracefmt);

	strbuf_reset(&w->trace);
	if (tf && w->p->o.raw_trace)
		tf_print_fields(tf, s->raw, s->raw_size, &w->trace);
	else if (tf)
		tf_print(tf, &w->printer, s->raw, s->raw_size, &w->trace);
	else
		strbuf_addstr(&w->trace, "N/A");
}

/* Make the texts that columns show of a sample. */
static void put_texts(struct profile_worker *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;

	if (w->p->cols.key_at[KEY_TRACE]) {
		put_trace(w, ev);
		w->texts[HIST_TEXT(KEY_TRACE)] = (struct hist_text){ w->trace.buf, w->trace.len };
	}
	if (w->p->cols.key_at[KEY_CGROUP_ID]) {
		namespaces_cgroup_text(&w->p->namespaces, s->tid, ev->time, &w->cgroup);
		w->texts[HIST_TEXT(KEY_CGROUP_ID)] =
			(struct hist_text){ w->cgroup.buf, w->cgroup.len };
	}
	if (w->p->fields_of_events.nr)
		profile_fields_texts(&w->p->fields_of_events, ev->evsel->idx, s, &w->printer,
				     &w->fields, w->texts + HIST_TEXT(KEY_FIELD));
}

static void put_parallelism(struct profile_worker *w, u64 time, struct hist_sample *hs)
{
	const struct profile *p = w->p;

	if (!p->cols.key_at[KEY_PARALLELISM] && !p->levels.nr)
		return;
	hs->parallelism = parallelism_at(&p->parallelism, time,
					 p->r->session.file->env.nr_cpus_avail, &w->parallel_hint);
	hs->filtered |= p->levels.nr && !int_list_has(&p->levels, (int)hs->parallelism);
}

/* Add each branch of the stack as one. */
static void add_branches(struct profile_worker *w, const struct sample *s, struct hist_sample *hs)
{
	struct sample copy;
	u64 i;

	hs->period = hist_sample_nr(hs);
	if (w->p->cols.nr_keys && s->nr_branches) { /* their weight is the cycles of the last */
		copy = *s;
		copy.weight = MAX(HIST_CYCLES(s->branches[2]), (u64)1);
		hs->sample = &copy;
	}
	for (i = 0; i < s->nr_branches; i++) {
		hs->from = s->branches[i * 3];
		hs->ip = s->branches[i * 3 + 1];
		hs->flags = s->branches[i * 3 + 2];
		hs->nth = i;
		hist_add(w->hist, hs);
		branch_kinds_add(&w->kinds, hs->from, hs->ip, hs->flags);
	}
}

static void put_chain(struct profile_worker *w, const struct session_event *ev,
		      struct hist_sample *hs)
{
	struct callchain c = { 0 };

	if (!w->p->o.no_stacks)
		callchain_make(&w->chains, layout_lbr_chain(&ev->evsel->layout), hs->epoch,
			       ev->sample, &c);
	hs->chain = c.ips;
	hs->nr_chain = c.nr;
	hs->nr_glued = c.nr_branch_ends;
	hs->lbr = c.calls;
}

/* Make a wait the innermost frame of a sample. */
static void put_wait_frame(struct profile_worker *w, const struct sample *s, enum wait_kind kind,
			   bool unfinished, struct hist_sample *hs)
{
	hs->chain = wall_chain(&w->waits, s, kind, unfinished, &hs->nr_chain);
	hs->ip = hs->chain[1];
	hs->cpumode = PERF_RECORD_MISC_KERNEL;
}

/*
 * A thread left its CPU: it counts with the time until it came back, at what it waits for. In
 * trees, a wait that had not ended when the recording did is marked.
 * Return: false: that is not known, or no wait.
 */
static bool put_wait(struct profile_worker *w, const struct session_event *ev,
		     struct hist_sample *hs)
{
	const struct profile *p = w->p;
	const struct sample *s = ev->sample;
	struct wall_absence away = wall_away(&p->wall, s->tid, ev->time, profile_end(p));
	enum wait_kind kind;

	hs->evsel = p->wall.clock;
	hs->lasts = hs->period = away.ns;
	if (!away.ns || !p->symbols)
		return away.ns;
	kind = wall_kind(&w->waits, p->r->machine, p->symbols, s, away.preempted);
	put_wait_frame(w, s, kind, away.unfinished && p->o.stacks, hs);
	return kind != WAIT_EXIT;
}

/*
 * A sleep is a sample at its end, and those that are sums of several have no CPU. In trees it
 * begins when the thread went to sleep; one that had not ended when the recording did is marked.
 */
static void put_sleep(struct profile_worker *w, const struct session_event *ev,
		      struct hist_sample *hs)
{
	bool unfinished = ev->sample->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if ((ev->sample->cpu == (u32)-1 && !unfinished) || !hs->period)
		return;
	hs->lasts = MIN(hs->period, hs->time);
	hs->time -= hs->lasts;
	if (unfinished && !w->p->o.no_stacks)
		put_wait_frame(w, ev->sample, WAIT_NONE, true, hs);
}

/* Add what only some reports need of a sample. */
static void put_more(struct profile_worker *w, const struct session_event *ev,
		     struct hist_sample *hs)
{
	const struct sample *s = ev->sample;

	put_chain(w, ev, hs);
	if (w->p->note_parallelism)
		put_parallelism(w, ev->time, hs);
	put_texts(w, ev);
	if (w->p->o.mem)
		hs->period = s->weight ? s->weight : 1;
	if (w->blocks && !hs->filtered)
		blocks_add(w->blocks, s, hs->epoch, hs->kernel_epoch, hs->order);
}

static void note_quality(struct profile_worker *w, const struct session_event *ev,
			 const struct hist_sample *hs)
{
	const struct sample *s = ev->sample;

	if (s->nr_callchain || s->user_stack_size)
		quality_note(&w->quality, s, ev->evsel->attr.sample_max_stack);
	if (!hs->filtered)
		busy_note(&w->busy, s->pid, ev->time, 1);
}

/* Return the step of an event's count, for which one of its samples stands. */
static u64 period_of(const struct session_event *ev)
{
	bool told = ev->part == PART_VALUE || ev->evsel->layout.sample_type & PERF_SAMPLE_PERIOD;

	return told ? ev->sample->period : ev->evsel->attr.sample_period;
}

int profile_count(void *worker, const struct session_event *ev, struct err *err)
{
	struct profile_worker *w = worker;
	struct profile *p = w->p;
	const struct sample *s = ev->sample;
	const struct thread_at *at;
	struct hist_sample hs;

	if (unlikely(p->chooses) && !profile_chooses(p, ev))
		return 0;
	at = thread_of(w, s->pid, s->tid, ev->time);
	/* All members are named: a slow instruction would clear the others first. */
	hs = (struct hist_sample){
		.evsel = ev->evsel->idx,
		.thread = at->thread,
		.comm = at->comm,
		.epoch = at->epoch,
		.kernel_epoch = at->kernel_epoch,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.cpumode = s->cpumode,
		.parallelism = 0,
		.ip = s->ip,
		.period = w->nr ? s->period : period_of(ev),
		.time = ev->time,
		.order = ev->offset,
		.nth = 0,
		.chain = s->callchain,
		.nr_chain = s->nr_callchain,
		.nr_glued = 0,
		.texts = w->texts,
		.sample = s,
		.from = 0,
		.flags = 0,
		.filtered = p->leaves_out && profile_left_out(p, s),
		.lasts = 0,
		.lbr = false,
		.many = w->nr > 0,
		.nr = w->nr,
	};
	if (unlikely(p->wants_more) || s->nr_callchain || s->nr_branches)
		put_more(w, ev, &hs);
	if (unlikely(p->wall.active) && ev->evsel->idx == p->wall.blocked && !put_wait(w, ev, &hs))
		return 0;
	if (unlikely(p->wall.has_sleeps) && p->o.stacks && ev->evsel->idx == p->wall.sleeps)
		put_sleep(w, ev, &hs);
	if (p->o.quality)
		note_quality(w, ev, &hs);
	if (unlikely(p->o.branches))
		add_branches(w, s, &hs);
	else
		hist_add(w->hist, &hs);
	return 0;
}

void profile_count_many(struct profile_worker *w, const struct session_event *ev, u32 nr)
{
	struct err err;

	w->nr = nr;
	profile_count(w, ev, &err);
	w->nr = 0;
}
