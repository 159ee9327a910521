// SPDX-License-Identifier: GPL-2.0-or-later
/* Make, finish and free a histogram: choose which strategy counts, and take the steps in their
 * order. */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"
#include "resolve/srcline.h"

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
		trees_configure(h);
	h->counting = conf->stacks                            ? &counting_trees
		      : hist_keeps_stacks(h)                  ? &counting_by_stack
		      : conf->cols.nr_keys && !conf->branches ? &counting_keyed
							      : &counting_in_parts;
	key_words_plan(h, h->counting == &counting_keyed);
	h->own_callers = !conf->stacks &&
			 (callers_differ(&h->conf) ||
			  (h->conf.origins && (h->conf.children || h->conf.chain.ignore_callees)));
	h->events = xcalloc(h->conf.nr_events, sizeof(*h->events));
	return h;
}

static void worker_free(struct hist_worker *w)
{
	handoff_release(w);
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
	tree_counts_release(&w->trees);
	keyed_release(&w->keyed);
	arena_release(&w->arena);
	free(w->addrs);
	index_release(&w->by_addr);
	early_release(w);
	free(w->addr_ids);
	free(w->base_ids);
	free(w->kind_ids);
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
	free(h->kinds);
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
	free(h->comm_names);
	arena_release(&h->comm_arena);
	free(h->dso_pass);
	free(h->place_pass);
	free(h->comm_pass);
	free(h->threads);
	free(h->dso_hit);
	free(h->cuts);
	intern_release(&h->frame_lines);
	free(h);
}

void hist_resolve_early(struct hist *h, const struct machine *m, struct resolver *r)
{
	h->machine = m;
	h->resolver = r;
	if (r && h->counting->early && !(h->conf.stacks && !trees_of_functions(h)) &&
	    !h->conf.branches && !h->conf.origins && h->keep & (NEED_DSO | NEED_SYM))
		h->counting = h->counting->early;
}

struct hist_worker *hist_worker_new(struct hist *h)
{
	struct hist_worker *w = xzalloc(sizeof(*w));

	w->h = h;
	pthread_mutex_init(&w->handoff.lock, NULL);
	if (h->counting->prepare)
		h->counting->prepare(w);
	if (h->counting->at_once)
		early_prepare(w);
	h->workers = xrealloc(h->workers, h->nr_workers + 1, sizeof(*h->workers));
	h->workers[h->nr_workers++] = w;
	return w;
}

void hist_add(struct hist_worker *w, const struct hist_sample *s)
{
	if (w->h->counting->by_stack)
		handoff_add(w, s);
	else
		count_sample(w, s);
}

static void end_worker(void *ctx, int worker, size_t item)
{
	const struct hist *h = ctx;

	(void)worker;
	h->counting->end(h->workers[item]);
}

/* No more samples will come: count all that wait anywhere. */
static void counting_end(struct hist *h)
{
	if (h->counting->by_stack)
		handoff_finish(h);
	for (int i = 0; i < h->nr_workers; i++)
		h->counting->flush(h->workers[i]);
	if (h->counting->end)
		crew_run(h->crew, (size_t)h->nr_workers, end_worker, h);
}

/* Join the threads of all workers: each is described by its first sample in the file. */
static void merge_threads(struct hist *h)
{
	int i;
	u32 k;

	for (i = 0; i < h->nr_workers; i++)
		h->nr_threads = MAX(h->nr_threads, h->workers[i]->nr_threads);
	h->threads = xcalloc(h->nr_threads + 1, sizeof(*h->threads));
	for (i = 0; i < h->nr_workers; i++)
		for (k = 0; k < h->workers[i]->nr_threads; k++) {
			const struct hist_thread *t = &h->workers[i]->threads[k];

			if (t->time && (!h->threads[k].time || t->order < h->threads[k].order))
				h->threads[k] = *t;
		}
}

/* Make the one place that all rows have when there are no addresses: number 0, which is nowhere. */
static void make_no_places(struct hist *h)
{
	struct place_table none;

	place_table_init(h, &none);
	place_table_done(h, &none);
}

void hist_finish(struct hist *h, const struct machine *m, struct resolver *r)
{
	h->machine = m;
	h->resolver = r;
	counting_end(h);
	merge_threads(h);
	if (hist_needs_dso(h) && h->nr_workers)
		h->counting->resolve(h);
	else
		make_no_places(h);
	if (h->conf.visitor && hist_keeps_stacks(h))
		stacks_visit(h, h->conf.visitor);
	members_count(h);
	parents_split(h);
	callers_split(h);
	key_addrs_keep_ips(h);
	key_sets_merge(h);
	filters_init(h);
	h->counting->merge(h);
	if (!h->conf.stacks)
		rows_order(h);
	srclines_free(h->srclines);
	h->srclines = NULL;
}
