// SPDX-License-Identifier: GPL-2.0-or-later
/* Run a profile (recording -> workers -> hist), and answer what came of it. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "base/alloc.h"
#include "columns/columns.h"
#include "stacktree/stacks.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define AHEAD_FROM 20000 /* MMAP2 records */

void profile_ask_stacks(struct profile_options *o)
{
	static const struct stacks_dims dims = { 0 };

	o->stacks = &dims;
	o->cycles = o->quality = o->mem = false;
	if (o->chain.mode == CHAIN_NONE) /* that is about rows */
		o->chain.mode = CHAIN_GRAPH;
}

struct profile *profile_new(const struct profile_options *o, struct recording *r)
{
	struct profile *p = xzalloc(sizeof(*p));

	p->o = *o;
	p->r = r;
	return p;
}

void profile_free(struct profile *p)
{
	if (heap_is_checked())
		profile_drop(p);
}

void profile_drop(struct profile *p)
{
	if (!p)
		return;
	thread_counts_free(p->threads_read);
	hist_free(p->hist);
	chain_ends_release(&p->ends);
	blocks_free(p->blocks);
	for (int i = 0; i < p->nr_workers; i++)
		profile_worker_free(p->of_worker[i]);
	free(p->of_worker);
	callchain_conf_close(&p->chain_sources);
	resolver_free(p->resolver);
	free(p->leader);
	free(p->chains_of);
	profile_fields_release(&p->fields_of_events);
	free(p->order);
	free(p->keys);
	namespaces_release(&p->namespaces);
	parallelism_release(&p->parallelism);
	wall_release(&p->wall);
	name_list_release(&p->comm_list);
	name_list_release(&p->dso_list);
	name_list_release(&p->symbol_list);
	sample_filter_release(&p->threads);
	int_list_release(&p->levels);
	free(p);
}

/* ---- what came of it ---- */

enum profile_fault profile_fault(const struct profile *p)
{
	return p->fault;
}

struct hist *profile_hist(const struct profile *p)
{
	return p->hist;
}

struct stacks *profile_stacks(const struct profile *p, bool last)
{
	const struct evlist *l = events_of(p);
	const char **names = xcalloc(l->nr + 1, sizeof(*names));
	struct stacks *s;

	for (size_t i = 0; i < l->nr; i++)
		names[i] = l->evsels[i]->name;
	s = stacks_of_hist(p->hist, names, last);
	free(names);
	return s;
}

bool profile_has_samples(const struct profile *p)
{
	const struct hist_columns *cols = &p->cols;

	if (!p->hist || !p->nr_workers || (cols->hierarchy && !cols->nr_levels))
		return false;
	for (u32 i = 0; i < events_of(p)->nr; i++)
		if (hist_event(p->hist, i)->nr)
			return true;
	return false;
}

bool profile_of_branches(const struct profile *p)
{
	return p->o.branches;
}

bool profile_borrows_chains(const struct profile *p, u32 evsel)
{
	return p->chains_of && p->chains_of[evsel] != evsel;
}

const char *profile_sort(const struct profile *p)
{
	return p->o.sort;
}

const struct profile_known *profile_known(const struct profile *p, u32 *nr)
{
	*nr = p->nr_known;
	return p->known;
}

const struct blocks *profile_blocks(const struct profile *p)
{
	return p->blocks;
}

const struct branch_kinds *profile_branch_kinds(const struct profile *p)
{
	return &p->kinds;
}

const struct thread_counts *profile_thread_counts(const struct profile *p)
{
	return p->threads_read;
}

void profile_quality(const struct profile *p, struct quality *sum)
{
	*sum = (struct quality){ 0 };
	for (int i = 0; i < p->nr_workers; i++)
		quality_merge(sum, profile_worker_quality(p->of_worker[i]));
}

/* ---- the state ---- */

/*
 * With many state records, which are applied on one thread, another one reads the kernel's symbols
 * meanwhile: a tenth of the time of a report of many short-lived processes.
 */
static void load_kernel_ahead(struct profile *p)
{
	const struct map *map = machine_kernel_map(p->r->machine);
	const struct env *env = env_of(p);
	const struct evlist *l = events_of(p);
	bool kernel = false;
	struct dso dso;

	if (!map)
		return;
	p->ahead = true;
	for (size_t i = 0; i < l->nr; i++)
		kernel |= !l->evsels[i]->attr.exclude_kernel;
	if (!kernel || p->o.workers < 2 || (p->o.sort && !strstr(p->o.sort, "sym")) ||
	    p->r->session.counts[PERF_RECORD_MMAP2] < AHEAD_FROM)
		return;
	dso = *map->dso;
	for (size_t i = 0; i < env->nr_build_ids && !dso.build_id_size; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		if ((b->misc & PERF_RECORD_MISC_CPUMODE_MASK) != dso.cpumode ||
		    strcmp(b->filename, dso.path))
			continue;
		dso.build_id_size = (u8)MIN(b->size, 20);
		memcpy(dso.build_id, b->id, dso.build_id_size);
	}
	symbols_load_ahead(recording_symbols(p->r), &dso);
}

/* Give waits their places, which are no part of the recorded state, when that has begun. */
static void map_waits(struct profile *p, const struct session_event *ev)
{
	if (!p->wall.mapped)
		waits_map(p->r->machine, ev->time);
	p->wall.mapped = true;
}

static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	struct profile *p = ctx;

	if (ev->guest) /* its threads are none of the host, and it has no samples */
		return 0;
	if (p->note_parallelism)
		parallelism_note(&p->parallelism, ev);
	if (p->wall.active)
		wall_note(&p->wall, ev);
	if (p->wall.has_sleeps && applied)
		map_waits(p, ev);
	if (ev->hdr->type == PERF_RECORD_NAMESPACES)
		namespaces_note(&p->namespaces, ev->hdr, ev->time);
	if (!p->ahead)
		load_kernel_ahead(p);
	return 0;
}

/* Note other records: for -T, for columns of latency, and for the time that threads were away. */
static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct profile *p = ctx;

	if (ev->guest)
		return 0;
	if (p->note_parallelism)
		parallelism_note(&p->parallelism, ev);
	if (p->wall.active) {
		map_waits(p, ev);
		wall_note(&p->wall, ev);
	}
	return p->threads_read ? thread_counts_add(p->threads_read, ev) : 0;
}

/* Callers that chains lack are found through symbols, where these are needed anyway. */
static void make_chain_sources(struct profile *p)
{
	struct callchain_source from = { .machine = p->r->machine,
					 .arch = env_of(p)->arch,
					 .copies = evlist_copies_stacks(&p->r->session.evlist),
					 .swap = p->r->session.file->swap,
					 .unwind_style = p->r->unwind_style };

	if (p->chain_sources.leaves || p->chain_sources.unwinder || p->handed ||
	    !hist_needs_symbol(p->hist))
		return;
	from.symbols = p->symbols = recording_symbols(p->r);
	callchain_conf_open(&p->chain_sources, &from);
}

static void make_resolver(struct profile *p)
{
	bool texts = p->cols.key_at[KEY_TRACE] || p->fields_of_events.nr;

	p->symbols = hist_needs_symbol(p->hist) || texts ? recording_symbols(p->r) : NULL;
	if (hist_needs_dso(p->hist))
		p->resolver = resolver_new(p->r->machine, p->symbols);
	make_chain_sources(p);
}

/* ---- the run ---- */

static int settle_time(struct profile *p, struct err *err)
{
	int ret = recording_settle_time(p->r, err);

	if (p->r->bad_time)
		p->fault = PROFILE_FAULT_TIME;
	return ret;
}

static int ready_file(struct profile *p, struct err *err)
{
	int ret = settle_time(p, err);

	if (!ret)
		ret = profile_make_hist(p, err);
	if (ret)
		return ret;
	namespaces_sort(&p->namespaces);
	make_resolver(p);
	hist_resolve_early(p->hist, p->r->machine, p->resolver);
	return 0;
}

/* Prepare for a stream. Its addresses are resolved at its end, when all build-ids have come. */
static int ready_stream(struct profile *p, struct err *err)
{
	int ret = profile_make_hist(p, err);

	if (!ret)
		make_chain_sources(p);
	return ret;
}

static int on_ready(void *ctx, struct err *err)
{
	struct profile *p = ctx;

	if (p->hist) /* more events of a stream */
		return 0;
	return recording_is_stream(p->r) ? ready_stream(p, err) : ready_file(p, err);
}

static void *on_worker(void *ctx, int worker)
{
	struct profile *p = ctx;
	struct profile_worker *w = profile_worker_new(p);

	p->of_worker = xrealloc(p->of_worker, p->nr_workers + 1, sizeof(*p->of_worker));
	p->of_worker[p->nr_workers++] = w;
	return w;
}

/* Count the samples in the order of time, in which events switch counting on and off. */
static int on_ordered(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		      struct err *err)
{
	struct profile *p = ctx;

	if (!ev->sample)
		return 0;
	return profile_count(p->nr_workers ? p->of_worker[0] : on_worker(p, 0), ev, err);
}

/* Tell whether a column may need the parallelism; the columns are not known yet. */
static bool may_need_parallelism(const struct profile *p)
{
	const char *lists[] = { p->o.sort, p->o.fields };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (lists[i] && (strcasestr(lists[i], "lat") || strcasestr(lists[i], "par")))
			return true;
	return p->o.latency || p->levels.nr;
}

static int prepare(struct profile *p, struct err *err)
{
	int ret = profile_lists(p, err) ?: recording_prepare(p->r, err);

	if (ret && p->r->bad_time)
		p->fault = PROFILE_FAULT_TIME;
	if (!recording_is_stream(p->r) && !event_switch_any(&p->r->on_off))
		wall_find(&p->wall, events_of(p));
	p->note_parallelism = may_need_parallelism(p);
	if (!ret && p->o.read_threads)
		p->threads_read = thread_counts_new(events_of(p));
	if (!ret && p->o.cycles)
		p->blocks = blocks_new();
	return ret;
}

static int drive(struct profile *p, struct err *err)
{
	const struct recording_ops ops = {
		.state = on_state,
		.plain = true,
		.other = p->threads_read || p->note_parallelism || p->wall.active ? on_other : NULL,
		.ready = on_ready,
		.worker_new = on_worker,
		.sample = profile_count,
		.format = on_ordered,
	};

	return event_switch_any(&p->r->on_off)
		       ? recording_ordered(p->r, &ops, p, 1, err)
		       : recording_samples(p->r, &ops, p, p->o.workers, err);
}

void profile_finish(struct profile *p)
{
	hist_finish(p->hist, p->r->machine, p->resolver);
	datatypes_free(p->types);
	p->types = NULL;
	for (int i = 0; i < p->nr_workers; i++)
		branch_kinds_merge(&p->kinds, profile_worker_kinds(p->of_worker[i]));
	if (p->blocks)
		blocks_finish(p->blocks, p->resolver);
}

static void finish(struct profile *p)
{
	if (recording_is_stream(p->r)) {
		apply_build_ids(p->r->machine, env_of(p));
		machine_seal(p->r->machine);
		make_resolver(p);
	}
	profile_finish(p);
}

int profile_run(struct profile *p, struct err *err)
{
	int ret = prepare(p, err);

	if (!ret)
		ret = drive(p, err);
	if (!ret && p->hist && p->nr_workers)
		finish(p);
	return ret;
}

/* ---- samples that are handed in ---- */

int profile_start(struct profile *p, struct err *err)
{
	int ret = profile_lists(p, err);

	p->handed = true;
	if (!ret)
		ret = profile_make_hist(p, err);
	if (ret)
		return ret;
	make_resolver(p);
	hist_resolve_early(p->hist, p->r->machine, p->resolver);
	on_worker(p, 0);
	return 0;
}

void profile_take_state(struct profile *p, const wire_header *rec, u64 time)
{
	if (rec->type == PERF_RECORD_NAMESPACES)
		namespaces_note(&p->namespaces, rec, time);
}

void profile_take(struct profile *p, const struct session_event *ev, u32 nr)
{
	profile_count_many(p->of_worker[0], ev, nr);
}
