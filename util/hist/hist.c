// SPDX-License-Identifier: GPL-2.0-or-later
/* The life of a hist, and what can be read from it. */
#include "base/compat.h"

#include "hist/hist-internal.h"

struct hist *hist_new(const struct hist_conf *conf)
{
	struct hist *h = xzalloc(sizeof(*h));

	h->conf = *conf;
	h->conf.workers = MAX(conf->workers, 1);
	h->crew = crew_new(h->conf.workers);
	h->conf.nr_events = MAX(conf->nr_events, 1u);
	if (!h->conf.max_stack)
		h->conf.max_stack = 127;
	if (!h->conf.time_quantum)
		h->conf.time_quantum = HIST_TIME_QUANTUM;
	if (!h->conf.line_size)
		h->conf.line_size = 64;
	h->keep = conf->cols.need | (conf->comms ? NEED_COMM : 0) | (conf->dsos ? NEED_DSO : 0) |
		  (conf->symbols || conf->symbol_filter || conf->hide_unresolved ? NEED_SYM : 0);
	if (conf->branches && conf->hide_unresolved)
		h->keep |= NEED_SYM_FROM;
	if (conf->stacks)
		stacks_prepare(h);
	h->own_callers = !conf->stacks &&
			 (callers_differ(&h->conf) ||
			  (h->conf.origins && (h->conf.children || h->conf.chain.ignore_callees)));
	h->events = xcalloc(h->conf.nr_events, sizeof(*h->events));
	return h;
}

static void worker_free(struct hist_worker *w)
{
	handoff_release(w);
	pthread_mutex_destroy(&w->lock);
	free(w->threads);
	free(w->tallies);
	index_release(&w->by_tally);
	free(w->part_at);
	free(w->bases);
	index_release(&w->by_base);
	intern_release(&w->texts);
	free(w->key_addrs);
	index_release(&w->by_key_addr);
	map64_release(&w->caller_bases);
	free(w->key_values);
	index_release(&w->by_key_set);
	chain_buffers_release(&w->chain);
	free(w->stacks);
	index_release(&w->by_stack);
	free(w->stack_queue);
	stacks_count_release(w);
	free(w->log);
	arena_release(&w->arena);
	free(w->addrs);
	index_release(&w->by_addr);
	early_release(w);
	free(w->addr_ids);
	free(w->base_ids);
	free(w);
}

void hist_free(struct hist *h)
{
	size_t i;

	if (!h)
		return;
	for (i = 0; i < (size_t)h->nr_workers; i++)
		worker_free(h->workers[i]);
	crew_free(h->crew);
	free(h->workers);
	free(h->bases);
	intern_release(&h->texts);
	free(h->text_rank);
	free(h->key_addrs);
	free(h->lines);
	free(h->key_values);
	intern_release(&h->dso_names);
	free(h->places);
	free(h->place_ips);
	free(h->part_keys);
	free(h->place_names);
	free(h->place_used);
	free(h->place_samples);
	free(h->frames);
	free(h->addrs);
	inline_runs_release(h);
	free(h->rows);
	map64_release(&h->by_row);
	for (i = 0; i < h->conf.nr_events; i++)
		free(h->events[i].rows);
	free(h->events);
	free(h->comm_rank);
	free(h->dso_rank);
	free(h->name_rank);
	free(h->place_rank);
	for (i = 0; i < h->nr_chain_arenas; i++)
		arena_release(&h->chain_arenas[i]);
	free(h->chain_arenas);
	arena_release(&h->tree_arena);
	free(h->dso_pass);
	free(h->place_pass);
	free(h->comm_pass);
	free(h->threads);
	free(h->dso_hit);
	free(h->cuts);
	intern_release(&h->frame_lines);
	free(h);
}

bool hist_needs_symbol(const struct hist *h)
{
	/* Of branches, only objects with symbols widen their column. */
	if (h->conf.branches && (h->keep & (NEED_DSO | NEED_DSO_FROM)))
		return true;
	return h->conf.stacks ||
	       (h->keep & (NEED_SYM | NEED_SYM_FROM | NEED_ADDRS | NEED_PARENT)) ||
	       h->conf.children || (h->conf.chains && h->conf.chain.mode != CHAIN_NONE);
}

bool hist_needs_dso(const struct hist *h)
{
	return (h->keep & (NEED_DSO | NEED_DSO_FROM)) || hist_needs_symbol(h);
}

void hist_resolve_early(struct hist *h, const struct machine *m, struct resolver *r)
{
	h->machine = m;
	h->resolver = r;
	h->early = r && (h->conf.stacks ? stacks_of_functions(h) : !hist_keeps_stacks(h)) &&
		   !h->conf.branches && !h->conf.origins && h->keep & (NEED_DSO | NEED_SYM);
	h->early_places = h->early && !h->conf.stacks;
}

bool hist_dso_hit(const struct hist *h, u32 dso)
{
	return dso < h->nr_dso_hit && h->dso_hit[dso];
}

static void merge_threads(struct hist *h)
{
	int i;
	u32 k;

	for (i = 0; i < h->nr_workers; i++)
		h->nr_threads = MAX(h->nr_threads, h->workers[i]->nr_threads);
	h->threads = xcalloc(h->nr_threads + 1, sizeof(*h->threads));
	for (i = 0; i < h->nr_workers; i++)
		for (k = 0; k < h->workers[i]->nr_threads; k++)
			if (h->workers[i]->threads[k].time)
				h->threads[k] = h->workers[i]->threads[k];
}

void hist_finish(struct hist *h, const struct machine *m, struct resolver *r)
{
	int i;

	h->machine = m;
	h->resolver = r;
	handoff_finish(h);
	merge_threads(h);
	for (i = 0; i < h->nr_workers; i++)
		if (h->conf.stacks)
			stacks_count_done(h->workers[i]);
		else
			hist_flush(h->workers[i]);
	hist_resolve(h);
	if (h->conf.stacks) {
		stacks_finish(h);
		return;
	}
	rows_make(h);
	hist_order(h);
}

const struct hist_conf *hist_config(const struct hist *h)
{
	return &h->conf;
}

const struct hist_event *hist_event(const struct hist *h, u32 evsel)
{
	static const struct hist_event none;

	return evsel < h->conf.nr_events ? &h->events[evsel] : &none;
}

const struct hist_base *hist_base(const struct hist *h, u32 base)
{
	return &h->bases[base];
}

const struct hist_place *hist_place(const struct hist *h, u32 place)
{
	return &h->places[place];
}

u64 *hist_missing(const struct hist *h, size_t *nr)
{
	u64 *of;

	*nr = MAX(h->dso_names.nr, 1u);
	of = xcalloc(*nr, sizeof(*of));
	for (size_t i = 0; h->place_samples && i < h->nr_places; i++)
		if (h->places[i].sym == UINT32_MAX)
			of[h->places[i].dso] += h->place_samples[i];
	return of;
}

u64 hist_place_end(const struct hist_place *p)
{
	return p->symtab && p->sym != UINT32_MAX ? symtab_range(p->symtab, p->sym).end : 0;
}

const struct hist_frame *hist_frame(const struct hist *h, u32 frame)
{
	return &h->frames[frame];
}

size_t hist_nr_places(const struct hist *h)
{
	return h->nr_places;
}

size_t hist_nr_frames(const struct hist *h)
{
	return h->nr_frames;
}

const struct machine *hist_machine(const struct hist *h)
{
	return h->machine;
}

const char *hist_frame_line(const struct hist *h, u32 frame)
{
	return intern_str(&h->frame_lines, h->frames[frame].line);
}

const char *hist_comm_name(const struct hist *h, u32 comm)
{
	return machine_comm_told(h->machine, comm);
}

const char *hist_dso_shown(const struct hist *h, const struct dso *d)
{
	struct location l = { .dso = d };

	return h->conf.origins ? location_dso_long(&l) : location_dso(&l);
}

static bool any_path(const struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (strchr(l->names[i], '/'))
			return true;
	return false;
}

u32 hist_dso_id(struct hist *h, const struct dso *d)
{
	const char *shown = hist_dso_shown(h, d),
		   *other = h->conf.origins ? d->short_name : d->path;
	bool both = h->conf.dsos && (h->conf.origins || any_path(h->conf.dsos));
	size_t len = strlen(shown);
	struct strbuf sb = STRBUF_INIT;
	u32 id;

	if (!both || !strcmp(shown, other))
		return intern_id(&h->dso_names, shown, len);
	strbuf_add(&sb, shown, len + 1);
	strbuf_addstr(&sb, other);
	id = intern_id(&h->dso_names, sb.buf, sb.len);
	strbuf_release(&sb);
	return id;
}

const char *hist_dso_name(const struct hist *h, u32 dso)
{
	return dso ? intern_str(&h->dso_names, dso) : "[unknown]";
}

const char *hist_symbol_name(const struct hist *h, u32 place)
{
	const struct hist_place *p = &h->places[place];

	if (p->sym == UINT32_MAX)
		return NULL;
	if (p->inlined)
		return intern_str(&h->inline_names, p->inlined);
	if (h->place_names && h->place_names[place])
		return h->place_names[place];
	return symtab_name(p->symtab, p->sym);
}

void hist_ask_row(const struct hist *h, const struct hist_row *row, int step)
{
	if (step) {
		if (h->place_names)
			__builtin_prefetch(h->place_names[row->place]);
		return;
	}
	__builtin_prefetch(&h->places[row->place]);
	if (h->place_names)
		__builtin_prefetch(&h->place_names[row->place]);
}

const char *hist_process_comm(const struct hist *h, const struct hist_row *row, u32 pid)
{
	const struct hist_thread *t = &h->threads[row->thread];
	struct thread_at at = { 0 };

	if (row->thread >= h->nr_threads || !t->time)
		return "";
	machine_thread_at(h->machine, pid, pid, t->time, &at);
	return machine_comm_told(h->machine, at.comm);
}

const char *hist_thread_comm(const struct hist *h, const struct hist_row *row)
{
	const struct hist_thread *t = &h->threads[row->thread];
	struct thread_at at = { 0 };
	u32 comm = UINT32_MAX;
	u64 time;

	if (row->thread >= h->nr_threads || !t->time)
		return "";
	for (time = t->time; time != UINT64_MAX && time >= at.until; time = at.until) {
		machine_thread_at(h->machine, t->pid, t->tid, time, &at);
		if (at.thread != row->thread && comm != UINT32_MAX)
			break;
		comm = at.comm;
	}
	return machine_comm_told(h->machine, comm);
}
