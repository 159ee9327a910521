// SPDX-License-Identifier: GPL-2.0-or-later
/* Build trees of stacks: add stacks, and sort at the end. */
#include "base/compat.h"

#include "base/pool.h"
#include "hist/sort.h"
#include "stacktree/stacks-internal.h"

struct stacks_builder *stacks_builder_new(const struct stacks_dims *dims)
{
	struct stacks_builder *b = xzalloc(sizeof(*b));

	b->s = xzalloc(sizeof(*b->s));
	b->s->dims = *dims;
	b->s->nr_slices = 1;
	intern_id(&b->s->texts, "", 0);
	VEC_GROW(b->s->nodes, 1, b->cap_nodes);
	b->s->nodes[b->s->nr_nodes++] = (struct stacks_node){ .frame = UINT32_MAX };
	return b;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	stacks_packed_free(s->packed);
	intern_release(&s->texts);
	free(s->frames);
	free(s->nodes);
	free(s->threads);
	free(s->events);
	free(s->sums);
	free(s->samples);
	free(s->sites);
	free(s);
}

u32 stacks_builder_text(struct stacks_builder *b, const char *text)
{
	return intern_str_id(&b->s->texts, text);
}

u32 stacks_builder_event(struct stacks_builder *b, const char *name, u32 evsel)
{
	struct stacks *s = b->s;
	u32 text = stacks_builder_text(b, name), i;

	for (i = 0; i < s->nr_events; i++)
		if (s->events[i].name == text && s->events[i].evsel == evsel)
			return i;
	VEC_GROW(s->events, s->nr_events + 1, b->cap_events);
	s->events[s->nr_events] = (struct stacks_event){ .name = text, .evsel = evsel };
	return s->nr_events++;
}

u32 stacks_builder_thread(struct stacks_builder *b, u32 pid, u32 tid, const char *comm)
{
	const struct stacks_dims *d = &b->s->dims;
	struct stacks_thread t = {
		.pid = d->process || d->thread ? pid : 0,
		.tid = d->thread ? tid : 0,
		.comm = d->comm || d->comm_root || d->process || d->thread
				? stacks_builder_text(b, comm)
				: 0,
	};
	u64 hash = hash_u64(((u64)t.pid << 32 | t.tid) ^ hash_u64(t.comm));
	size_t pos;

	index_reserve(&b->by_thread);
	index_for_each(&b->by_thread, hash, pos)
	{
		if (!memcmp(&b->s->threads[index_at(&b->by_thread, pos)], &t, sizeof(t)))
			return index_at(&b->by_thread, pos);
	}
	VEC_GROW(b->s->threads, b->s->nr_threads + 1, b->cap_threads);
	b->s->threads[b->s->nr_threads] = t;
	index_put(&b->by_thread, pos, hash, b->s->nr_threads);
	return b->s->nr_threads++;
}

static bool frame_same(const struct stacks_frame *a, const struct stacks_frame *b)
{
	return a->name == b->name && a->dso == b->dso && a->path == b->path && a->file == b->file &&
	       a->line == b->line && a->kind == b->kind && a->symbol == b->symbol &&
	       a->start == b->start && a->addr == b->addr && a->build_id == b->build_id;
}

u32 stacks_builder_frame(struct stacks_builder *b, const struct stacks_frame *frame)
{
	struct stacks_frame f = *frame;
	size_t pos;
	u64 hash;

	f.func = 0;
	if (!b->s->dims.lines)
		f.file = f.line = 0;
	if (!b->s->dims.addresses)
		f.addr = 0;
	if (b->s->dims.names)
		f = (struct stacks_frame){ .name = f.name,
					   .symbol = f.symbol,
					   .dso = f.symbol ? 0 : f.dso };
	hash = hash_u64(((u64)f.name << 32 | f.dso) ^ hash_u64(f.addr ^ (u64)f.line << 40) ^
			f.start << 17);
	index_reserve(&b->by_frame);
	index_for_each(&b->by_frame, hash, pos)
	{
		if (frame_same(&b->s->frames[index_at(&b->by_frame, pos)], &f))
			return index_at(&b->by_frame, pos);
	}
	VEC_GROW(b->s->frames, b->s->nr_frames + 1, b->cap_frames);
	b->s->frames[b->s->nr_frames] = f;
	index_put(&b->by_frame, pos, hash, b->s->nr_frames);
	return b->s->nr_frames++;
}

u32 stacks_builder_node(struct stacks_builder *b, u32 parent, u32 frame)
{
	u32 last = b->s->nodes[parent].end, *slot;

	/* Most functions are called from one place, so this saves most searches. */
	if (last && b->s->nodes[last].frame == frame)
		return last;
	slot = map64_slot(&b->by_node, (u64)parent << 32 | frame);
	if (*slot == MAP64_NONE) {
		VEC_GROW(b->s->nodes, b->s->nr_nodes + 1, b->cap_nodes);
		b->s->nodes[b->s->nr_nodes] =
			(struct stacks_node){ .parent = parent, .frame = frame };
		*slot = b->s->nr_nodes++;
	}
	b->s->nodes[parent].end = *slot;
	return *slot;
}

void stacks_builder_sum(struct stacks_builder *b, const struct stacks_sum *sum)
{
	struct stacks *s = b->s;
	struct stacks_sum t = *sum;
	size_t pos;
	u64 hash;

	t.cpu = s->dims.cpu ? t.cpu : 0;
	hash = hash_u64(((u64)t.node << 32 | t.thread) ^
			hash_u64((u64)t.cpu << 40 ^ (u64)t.slice << 8 ^ t.event));
	index_reserve(&b->by_sum);
	index_for_each(&b->by_sum, hash, pos)
	{
		struct stacks_sum *o = &s->sums[index_at(&b->by_sum, pos)];

		if (o->node == t.node && o->thread == t.thread && o->cpu == t.cpu &&
		    o->slice == t.slice && o->event == t.event) {
			o->samples += t.samples;
			o->period += t.period;
			return;
		}
	}
	VEC_GROW(s->sums, s->nr_sums + 1, b->cap_sums);
	s->sums[s->nr_sums] = t;
	index_put(&b->by_sum, pos, hash, (u32)s->nr_sums++);
}

void stacks_builder_sample(struct stacks_builder *b, const struct stacks_sample *sample)
{
	struct stacks *s = b->s;

	if (!s->dims.samples)
		return;
	VEC_GROW(s->samples, s->nr_samples + 1, b->cap_samples);
	s->samples[s->nr_samples] = *sample;
	if (!s->dims.cpu)
		s->samples[s->nr_samples].cpu = 0;
	s->nr_samples++;
}

void stacks_builder_time(struct stacks_builder *b, u64 first, u64 last, u64 slice_start,
			 u64 slice_ns, u32 nr_slices)
{
	b->s->first_time = first;
	b->s->last_time = last;
	b->s->slice_start = slice_start;
	b->s->slice_ns = slice_ns;
	b->s->nr_slices = MAX(nr_slices, 1u);
}

/* ---- in order ---- */

static int by_text(const struct stacks *s, u32 a, u32 b)
{
	return a == b ? 0 : strcmp(stacks_text(s, a), stacks_text(s, b));
}

#define COMPARE(a, b)                                                                              \
	do {                                                                                       \
		if ((a) != (b))                                                                    \
			return (a) < (b) ? -1 : 1;                                                 \
	} while (0)

static int event_cmp(const void *a, const void *b, void *ctx)
{
	const struct stacks *s = ctx;
	const struct stacks_event *x = &s->events[*(const u32 *)a],
				  *y = &s->events[*(const u32 *)b];

	COMPARE(x->evsel, y->evsel);
	return by_text(s, x->name, y->name);
}

static int thread_cmp(const void *a, const void *b, void *ctx)
{
	const struct stacks *s = ctx;
	const struct stacks_thread *x = &s->threads[*(const u32 *)a],
				   *y = &s->threads[*(const u32 *)b];

	COMPARE(x->pid, y->pid);
	COMPARE(x->tid, y->tid);
	return by_text(s, x->comm, y->comm);
}

static int frame_cmp(const void *a, const void *b, void *ctx)
{
	const struct stacks *s = ctx;
	const struct stacks_frame *x = &s->frames[*(const u32 *)a],
				  *y = &s->frames[*(const u32 *)b];
	int ret = by_text(s, x->name, y->name);

	if (!ret)
		ret = by_text(s, x->dso, y->dso);
	if (ret)
		return ret;
	COMPARE(x->kind, y->kind);
	ret = by_text(s, x->path, y->path);
	if (!ret)
		ret = by_text(s, x->build_id, y->build_id);
	if (ret)
		return ret;
	COMPARE(x->symbol, y->symbol);
	COMPARE(x->start, y->start);
	ret = by_text(s, x->file, y->file);
	if (ret)
		return ret;
	COMPARE(x->line, y->line);
	COMPARE(x->addr, y->addr);
	return 0;
}

/* Sort @nr things: *@order has the old number of each new one. Return: the inverse. */
static u32 *put_in_order(struct stacks *s, u32 nr, int (*cmp)(const void *, const void *, void *),
			 u32 **order)
{
	u32 *now = xcalloc((size_t)nr + 1, sizeof(*now)), i;

	*order = xcalloc((size_t)nr + 1, sizeof(**order));
	for (i = 0; i < nr; i++)
		(*order)[i] = i;
	qsort_r(*order, nr, sizeof(**order), cmp, s);
	for (i = 0; i < nr; i++)
		now[(*order)[i]] = i;
	return now;
}

static u32 again(struct stacks_sorted *t, const struct stacks *s, u32 text)
{
	return intern_id(&t->texts, stacks_text(s, text), s->texts.lens[text]);
}

/* Events without counts are left out. */
static void sort_events(struct stacks *s, struct stacks_sorted *t)
{
	struct stacks_event *events = xcalloc((size_t)s->nr_events + 1, sizeof(*events));
	u32 *order, nr = 0, i;

	t->event = put_in_order(s, s->nr_events, event_cmp, &order);
	for (i = 0; i < s->nr_events; i++) {
		const struct stacks_event *e = &s->events[order[i]];

		if (!e->samples && !e->period)
			continue;
		t->event[order[i]] = nr;
		events[nr] = *e;
		events[nr++].name = again(t, s, e->name);
	}
	free(order);
	free(s->events);
	s->events = events;
	s->nr_events = nr;
}

static void sort_threads(struct stacks *s, struct stacks_sorted *t)
{
	struct stacks_thread *threads = xcalloc((size_t)s->nr_threads + 1, sizeof(*threads));
	u32 *order, i;

	t->thread = put_in_order(s, s->nr_threads, thread_cmp, &order);
	for (i = 0; i < s->nr_threads; i++) {
		threads[i] = s->threads[order[i]];
		threads[i].comm = again(t, s, threads[i].comm);
	}
	free(order);
	free(s->threads);
	s->threads = threads;
}

static void sort_frames(struct stacks *s, struct stacks_sorted *t)
{
	struct stacks_frame *frames = xcalloc((size_t)s->nr_frames + 1, sizeof(*frames));
	u32 *order, i;

	t->frame = put_in_order(s, s->nr_frames, frame_cmp, &order);
	for (i = 0; i < s->nr_frames; i++) {
		struct stacks_frame *f = &frames[i];

		*f = s->frames[order[i]];
		f->name = again(t, s, f->name);
		f->dso = again(t, s, f->dso);
		f->path = again(t, s, f->path);
		f->file = again(t, s, f->file);
		f->build_id = again(t, s, f->build_id);
		f->func = i && f->name == f[-1].name && f->dso == f[-1].dso && f->kind == f[-1].kind
				  ? f[-1].func
				  : i;
	}
	free(order);
	free(s->frames);
	s->frames = frames;
}

/*
 * List nodes by their frames and then, stably, by their parents, so that the children of a node are
 * adjacent. Return: the start of each node's children in *@list; one entry more than there are
 * nodes.
 */
static u32 *list_children(const struct stacks *s, const u32 *frame, u32 **list)
{
	size_t nr = s->nr_nodes, i;
	u32 *by_frame = xcalloc(nr + 1, sizeof(u32)), *first;
	u32 *at = xcalloc((size_t)s->nr_frames + 2, sizeof(u32));

	for (i = 1; i < nr; i++)
		at[frame[s->nodes[i].frame] + 1]++;
	for (i = 0; i < s->nr_frames; i++)
		at[i + 1] += at[i];
	for (i = 1; i < nr; i++)
		by_frame[at[frame[s->nodes[i].frame]]++] = i;
	free(at);
	first = xcalloc(nr + 2, sizeof(u32));
	for (i = 1; i < nr; i++)
		first[s->nodes[i].parent + 2]++;
	for (i = 0; i < nr; i++)
		first[i + 2] += first[i + 1];
	*list = xcalloc(nr + 1, sizeof(u32));
	for (i = 0; i + 1 < nr; i++)
		(*list)[first[s->nodes[by_frame[i]].parent + 1]++] = by_frame[i];
	free(by_frame);
	return first;
}

/* Sort the nodes depth first. */
static void sort_nodes(struct stacks *s, struct stacks_sorted *t)
{
	struct stacks_node *nodes = xcalloc(s->nr_nodes, sizeof(*nodes));
	u32 *list, *first = list_children(s, t->frame, &list), *next, nr = 0, old = 0, i;

	next = xcalloc(s->nr_nodes, sizeof(*next));
	t->node = xcalloc(s->nr_nodes, sizeof(*t->node));
	for (i = 0; i < s->nr_nodes; i++)
		next[i] = first[i];
	nodes[nr++] = (struct stacks_node){ .frame = UINT32_MAX };
	for (;;) {
		const struct stacks_node *n;
		u32 parent = t->node[old];

		if (next[old] == first[old + 1]) { /* all nodes below it have been numbered */
			nodes[parent].end = nr;
			if (!old)
				break;
			old = s->nodes[old].parent;
			continue;
		}
		old = list[next[old]++];
		n = &s->nodes[old];
		t->node[old] = nr;
		nodes[nr++] = (struct stacks_node){ .parent = parent,
						    .frame = t->frame[n->frame],
						    .depth = nodes[parent].depth + 1 };
	}
	free(list);
	free(first);
	free(next);
	free(s->nodes);
	s->nodes = nodes;
}

int stacks_sum_cmp(const void *a, const void *b, void *ctx)
{
	const struct stacks_sum *x = a, *y = b;

	(void)ctx;
	COMPARE(x->event, y->event);
	COMPARE(x->node, y->node);
	COMPARE(x->thread, y->thread);
	COMPARE(x->cpu, y->cpu);
	COMPARE(x->slice, y->slice);
	return 0;
}

static int sample_cmp(const void *a, const void *b, void *ctx)
{
	const struct stacks_sample *x = a, *y = b;

	(void)ctx;
	COMPARE(x->time, y->time);
	COMPARE(x->event, y->event);
	COMPARE(x->thread, y->thread);
	COMPARE(x->cpu, y->cpu);
	COMPARE(x->node, y->node);
	COMPARE(x->period, y->period);
	return 0;
}

static void sort_sums(struct stacks *s, const struct stacks_sorted *t)
{
	for (size_t i = 0; i < s->nr_sums; i++) {
		struct stacks_sum *m = &s->sums[i];

		m->event = t->event[m->event];
		m->thread = t->thread[m->thread];
		m->node = t->node[m->node];
	}
	parallel_sort(s->sums, s->nr_sums, sizeof(*s->sums), stacks_sum_cmp, NULL, pool_cpus());
}

void stacks_sort_samples(struct stacks *s, const struct stacks_sorted *t)
{
	for (size_t i = 0; i < s->nr_samples; i++) {
		struct stacks_sample *m = &s->samples[i];

		m->event = t->event[m->event];
		m->thread = t->thread[m->thread];
		m->node = t->node ? t->node[m->node] : m->node;
	}
	parallel_sort(s->samples, s->nr_samples, sizeof(*s->samples), sample_cmp, NULL,
		      pool_cpus());
}

static void sort_spots(struct stacks *s, const struct stacks_sorted *t)
{
	for (size_t i = 0; i < s->nr_sites; i++) {
		s->sites[i].event = t->event[s->sites[i].event];
		s->sites[i].frame = t->frame[s->sites[i].frame];
	}
	stacks_sort_sites(s);
}

void stacks_settle(struct stacks_builder *b, struct stacks_sorted *t)
{
	struct stacks *s = b->s;

	if (!s->nr_threads)
		stacks_builder_thread(b, 0, 0, "");
	index_release(&b->by_frame);
	index_release(&b->by_thread);
	index_release(&b->by_sum);
	map64_release(&b->by_node);
	intern_id(&t->texts, "", 0);
	sort_events(s, t);
	sort_threads(s, t);
	sort_frames(s, t);
	sort_spots(s, t);
}

struct stacks *stacks_settled(struct stacks_builder *b, struct stacks_sorted *t)
{
	struct stacks *s = b->s;

	intern_release(&s->texts);
	s->texts = t->texts;
	free(t->event);
	free(t->thread);
	free(t->frame);
	free(t->node);
	free(b);
	return s;
}

/* Compute the totals of events, and the part without symbols. */
static void add_up(struct stacks *s)
{
	for (size_t k = 0; k < s->nr_sums; k++) {
		const struct stacks_sum *m = &s->sums[k];
		u32 frame = s->nodes[m->node].frame;

		s->events[m->event].samples += m->samples;
		s->events[m->event].period += m->period;
		if (frame != UINT32_MAX && !s->frames[frame].symbol)
			s->no_symbol += m->samples;
	}
}

struct stacks *stacks_builder_finish(struct stacks_builder *b)
{
	struct stacks_sorted t = { 0 };

	add_up(b->s);
	stacks_settle(b, &t);
	sort_nodes(b->s, &t);
	sort_sums(b->s, &t);
	stacks_sort_samples(b->s, &t);
	return stacks_settled(b, &t);
}
