// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file format of speedscope.app, with a "sampled" profile of each event and thread, the
 * heaviest first, preceded by one profile of each event over all threads. Time is cut into slices,
 * in which equal stacks are merged: the order of time is as fine as a picture can show, and the
 * file does not grow with the number of samples.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "export/places.h"

#define SLICES 1000

/* A profile: sums[order[first .. first + nr]], or for all threads sums[in_time[..]]. */
struct scope {
	u32 event, thread; /* UINT32_MAX: all threads */
	u32 first, nr;
	u64 weight;
};

struct speedscope {
	const struct stacks *s;
	struct export_out *o;
	enum stacks_weight weight;
	u32 *order, *in_time, *path;
	struct scope *scopes;
	u32 nr_scopes;
};

static void put_frames(struct speedscope *w)
{
	const struct stacks *s = w->s;

	export_str(w->o, "\"shared\":{\"frames\":[");
	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];
		u32 file = f->file ? f->file : f->path ? f->path : f->dso;

		export_str(w->o, i ? ",\n{\"name\":" : "\n{\"name\":");
		quote_json(export_buf(w->o), stacks_text(s, f->name));
		if (file) {
			export_str(w->o, ",\"file\":");
			quote_json(export_buf(w->o), stacks_text(s, file));
		}
		if (f->file && f->line)
			export_f(w->o, ",\"line\":%u", f->line);
		export_ch(w->o, '}');
		export_more(w->o);
	}
	export_str(w->o, "]},\n");
}

static int heaviest_first(const void *a, const void *b)
{
	const struct scope *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if ((x->thread == UINT32_MAX) != (y->thread == UINT32_MAX))
		return x->thread == UINT32_MAX ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static struct scope *new_scope(struct speedscope *w, size_t *cap, u32 event, u32 thread, u32 first)
{
	VEC_GROW(w->scopes, w->nr_scopes + (size_t)1, *cap);
	w->scopes[w->nr_scopes] = (struct scope){ event, thread, first, 0, 0 };
	return &w->scopes[w->nr_scopes++];
}

/*
 * Find the ranges of one event, and within these of one thread. A single thread is not shown twice.
 */
static void find_scopes(struct speedscope *w, u32 only)
{
	const struct stacks *s = w->s;
	size_t cap = 0;
	u32 i = 0, end;

	while (i < s->nr_sums) {
		u32 event = s->sums[w->order[i]].event, first = i, nr_before = w->nr_scopes;
		u64 weight = 0;

		for (end = i; end < s->nr_sums && s->sums[w->order[end]].event == event; end++)
			weight += stacks_weight(&s->sums[w->order[end]], w->weight);
		for (; i < end; i++) {
			const struct stacks_sum *sum = &s->sums[w->order[i]];
			struct scope *last = NULL;

			if (!export_takes(only, event))
				continue;
			if (w->nr_scopes > nr_before)
				last = &w->scopes[w->nr_scopes - 1];
			if (!last || last->thread != sum->thread)
				last = new_scope(w, &cap, event, sum->thread, i);
			last->nr++;
			last->weight += stacks_weight(sum, w->weight);
		}
		if (w->nr_scopes > nr_before + 1) {
			struct scope *all = new_scope(w, &cap, event, UINT32_MAX, first);

			all->nr = end - first;
			all->weight = weight;
		}
	}
	if (w->nr_scopes)
		qsort(w->scopes, w->nr_scopes, sizeof(*w->scopes), heaviest_first);
}

static void put_name(struct speedscope *w, const struct scope *p)
{
	const struct stacks_thread *t = w->s->threads + p->thread;
	struct strbuf name = STRBUF_INIT;

	strbuf_addstr(&name, stacks_text(w->s, w->s->events[p->event].name));
	if (p->thread == UINT32_MAX)
		strbuf_addstr(&name, ", all threads");
	else
		strbuf_addf(&name, ", %s %u/%u", stacks_text(w->s, t->comm), t->pid, t->tid);
	quote_json(export_buf(w->o), strbuf_str(&name));
	strbuf_release(&name);
}

static const struct stacks_sum *sum_at(const struct speedscope *w, const struct scope *p, u32 i)
{
	return &w->s->sums[(p->thread == UINT32_MAX ? w->in_time : w->order)[p->first + i]];
}

/* Return the end of the sums from @i on that have the same stack. @weight: receives their total */
static u32 run_end(const struct speedscope *w, const struct scope *p, u32 i, u64 *weight)
{
	u32 node = sum_at(w, p, i)->node;

	for (*weight = 0; i < p->nr && sum_at(w, p, i)->node == node; i++)
		*weight += stacks_weight(sum_at(w, p, i), w->weight);
	return i;
}

static void put_stacks(struct speedscope *w, const struct scope *p)
{
	u64 weight;

	for (u32 i = 0, nr; i < p->nr && !export_failed(w->o); i = run_end(w, p, i, &weight)) {
		nr = stacks_path(w->s, sum_at(w, p, i)->node, w->path);
		export_str(w->o, i ? ",\n[" : "\n[");
		for (u32 k = 0; k < nr; k++) {
			if (k)
				export_ch(w->o, ',');
			export_dec(w->o, w->path[k]);
		}
		export_ch(w->o, ']');
	}
}

static void put_weights(struct speedscope *w, const struct scope *p)
{
	u64 weight;

	for (u32 i = 0, end; i < p->nr; i = end) {
		end = run_end(w, p, i, &weight);
		if (i)
			export_ch(w->o, ',');
		export_dec(w->o, weight);
	}
}

static void put_profile(struct speedscope *w, const struct scope *p)
{
	const char *unit = event_unit(w->s, p->event);

	export_str(w->o, "{\"type\":\"sampled\",\"name\":");
	put_name(w, p);
	export_f(w->o, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64 ",\"samples\":[",
		 w->weight == WEIGHT_PERIOD && strcmp(unit, "count") ? unit : "none", p->weight);
	put_stacks(w, p);
	export_str(w->o, "],\"weights\":[");
	put_weights(w, p);
	export_str(w->o, "]}");
}

static int write_speedscope(const struct stacks *s, const struct export_opts *opts,
			    struct export_out *o, struct err *err)
{
	struct speedscope w = { .s = s, .o = o, .weight = opts->weight };
	u32 only;
	int ret = export_only(s, opts, &only, err);

	if (ret)
		return ret;
	w.order = stacks_order_sums(s, true);
	w.in_time = stacks_order_sums(s, false);
	w.path = stacks_room(s);
	find_scopes(&w, only);
	export_str(o, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n");
	put_frames(&w);
	export_str(o, "\"profiles\":[\n");
	for (u32 i = 0; i < w.nr_scopes && !export_failed(o); i++) {
		if (i)
			export_str(o, ",\n");
		put_profile(&w, &w.scopes[i]);
	}
	export_str(o, "],\n\"name\":");
	quote_json(export_buf(o), opts->title ? opts->title : "perf");
	export_str(o, ",\"activeProfileIndex\":0,\"exporter\":\"perf\"}\n");
	free(w.scopes);
	free(w.order);
	free(w.in_time);
	free(w.path);
	return 0;
}

const struct export_ops export_speedscope = {
	.name = "speedscope",
	.arg = "FILE",
	.help = "write profiles for speedscope.app",
	.dims = { .comm = true, .process = true, .thread = true, .slices = SLICES },
	.write = write_speedscope,
};
