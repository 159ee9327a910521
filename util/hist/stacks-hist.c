// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of stacks from counts. While samples are counted, more of each is told apart (thread, CPU,
 * slice of time); what a stack is made of is looked at once for each unique one, at the end.
 */
#include "base/compat.h"

#include "hist/stacks-internal.h"

/* ---- counting ---- */

void stacks_prepare(struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;
	u64 span = h->conf.last_time - h->conf.first_time;

	h->keep |= NEED_DSO | NEED_SYM |
		   (d->comm || d->comm_root || d->process || d->thread ? NEED_COMM : 0);
	h->conf.chain.caller = false; /* what is nearest to the sample stays */
	h->conf.chain.address = d->addresses;
	h->conf.chain.line = d->lines && !d->addresses;
	h->conf.whole_paths = true;
	h->conf.children = false;
	h->logs = d->samples || d->durations;
	if (d->slices < 2)
		return;
	if (h->conf.last_time)
		h->slice_ns = span / d->slices + 1;
	else
		h->logs = true; /* a pipe: the span is known at the end */
}

bool stacks_of_functions(const struct hist *h)
{
	const struct stacks_dims *d = h->conf.stacks;

	return !d->addresses && !d->lines && !h->conf.inlines && !h->own_callers;
}

static u32 slice_of(const struct hist *h, u64 time)
{
	u64 at = time - h->conf.first_time;

	return time < h->conf.first_time ? 0
					 : (u32)MIN(at / h->slice_ns, h->conf.stacks->slices - 1);
}

u32 stacks_base(struct hist_worker *w, const struct hist_sample *s, u32 *cached)
{
	const struct hist *h = w->h;
	const struct stacks_dims *d = h->conf.stacks;
	struct hist_base b = {
		.evsel = s->evsel,
		.comm = h->keep & NEED_COMM ? s->comm : 0,
		.tid = d->thread    ? s->thread
		       : d->process ? s->pid
				    : 0,
		.cpu = d->cpu || d->durations ? s->cpu : 0,
		.from = h->slice_ns ? slice_of(h, s->time) : 0,
		.from_mode = h->slice_ns ? 1 : 0, /* so that it is hashed */
	};

	if (h->conf.cols.nr_kept)
		b.kept = kept_set(w, s);
	cached = w->base_cache + (cached - w->base_cache + b.tid * 5 + b.cpu + b.from) % BASE_CACHE;
	if (!*cached || !base_same(&w->bases[*cached - 1], &b))
		*cached = base_find(w, &b) + 1;
	return *cached - 1;
}

static void count_events(struct hist *h)
{
	for (int i = 0; i < h->nr_workers; i++)
		for (size_t k = 0; k < h->workers[i]->nr_raws; k++) {
			const struct raw *r = &h->workers[i]->raws[k];
			struct hist_event *e = &h->events[h->workers[i]->bases[r->base].evsel];

			e->nr += r->nr;
			e->period += r->period;
			e->chains |= r->stack != UINT32_MAX;
		}
}

void stacks_finish(struct hist *h)
{
	hist_count_members(h);
	parents_part(h);
	kept_merge(h);
	hist_filters_init(h);
	count_events(h);
}

/* ---- building ---- */

struct making {
	struct hist *h;
	const char *const *names;
	struct stacks_builder *b;
	u32 *frame;      /* of the hist -> of the builder */
	u32 *alone;      /* each frame of the hist, for stacks of one */
	u32 *event;      /* evsel -> of the builder; UINT32_MAX: not asked for yet */
	u64 first, last; /* times of samples */
	u64 start, ns;   /* slices */
	u32 nr_slices;
	struct stacks_item *items;
	size_t nr_items, cap_items, cap_sums;
};

static u8 kind_of(const struct hist_frame *f, const struct dso *d, bool symbol, bool inlined)
{
	if (!d || !f->level)
		return FRAME_UNKNOWN;
	if (inlined)
		return FRAME_INLINED;
	switch (d->kind) {
	case DSO_KERNEL:
		return d->cpumode == PERF_RECORD_MISC_GUEST_KERNEL ? FRAME_GUEST_KERNEL
								   : FRAME_KERNEL;
	case DSO_MODULE:
		return FRAME_MODULE;
	case DSO_BPF:
	case DSO_PERF_MAP:
	case DSO_JIT:
		return FRAME_JIT;
	default:
		break;
	}
	if (!symbol)
		return FRAME_UNKNOWN;
	return d->cpumode == PERF_RECORD_MISC_GUEST_USER ? FRAME_GUEST_USER : FRAME_USER;
}

/* "dir/file.c:12" of a frame; what is no line of a file ("+34", "object[1a0]") says nothing. */
static void set_line(struct making *m, const struct hist_frame *f, struct stacks_frame *to)
{
	const char *text = intern_str(&m->h->frame_lines, f->line);
	const char *colon = strrchr(text, ':');
	char *file;

	if (!colon || colon == text || text[0] == '?' || text[0] == '+')
		return;
	file = xstrndup(text, colon - text);
	to->line = (u32)strtoul(colon + 1, NULL, 10);
	to->file = to->line ? stacks_builder_text(m->b, file) : 0;
	free(file);
}

static void set_object(struct making *m, const struct dso *d, struct stacks_frame *to)
{
	const char *name = d->short_name;
	char hex[41];

	/* The file that would have the names, as `script` shows it and collapse scripts take it. */
	if (d->kind == DSO_PERF_MAP && !to->symbol)
		name = strrchr(d->path, '/') ? strrchr(d->path, '/') + 1 : d->path;
	to->dso = stacks_builder_text(m->b, name);
	to->path = stacks_builder_text(m->b, d->path);
	if (d->build_id_size) {
		build_id_hex(d->build_id, d->build_id_size, hex);
		to->build_id = stacks_builder_text(m->b, hex);
	}
}

static u32 make_frame(struct making *m, struct dso *const *dsos, u32 id)
{
	const struct hist_frame *f = &m->h->frames[id];
	const struct dso *d = f->dso ? dsos[f->dso - 1] : NULL;
	const char *name = hist_symbol_name(m->h, f->place);
	struct stacks_frame to = { .symbol = name, .addr = f->at };

	to.kind = kind_of(f, d, name, m->h->places[f->place].inlined);
	if (d)
		set_object(m, d, &to);
	if (name) {
		to.name = stacks_builder_text(m->b, name);
		to.start = m->h->places[f->place].start;
	} else if (!d || d->short_name[0] == '[') {
		to.name = stacks_builder_text(m->b, d ? d->short_name : "[unknown]");
	} else {
		char *text = xasprintf("[%s]", d->short_name);

		to.name = stacks_builder_text(m->b, text);
		free(text);
	}
	if (m->h->conf.stacks->lines)
		set_line(m, f, &to);
	return stacks_builder_frame(m->b, &to);
}

static void make_frames(struct making *m)
{
	size_t nr;
	struct dso *const *dsos = machine_dsos(m->h->machine, &nr);

	m->frame = xcalloc(m->h->nr_frames + 1, sizeof(u32));
	m->alone = xcalloc(m->h->nr_frames + 1, sizeof(u32));
	for (size_t i = 0; i < m->h->nr_frames; i++) {
		m->frame[i] = make_frame(m, dsos, (u32)i);
		m->alone[i] = (u32)i;
	}
}

static u32 make_event(struct making *m, u32 evsel)
{
	if (m->event[evsel] == UINT32_MAX)
		m->event[evsel] = stacks_builder_event(m->b, m->names[evsel], evsel);
	return m->event[evsel];
}

static u32 make_thread(struct making *m, const struct hist_base *b)
{
	const struct stacks_dims *d = m->h->conf.stacks;
	const char *comm = m->h->keep & NEED_COMM ? hist_comm_name(m->h, b->comm) : "";
	const struct hist_thread none = { 0 }, *t = &none;

	if (!d->thread)
		return stacks_builder_thread(m->b, b->tid, 0, comm);
	if (b->tid < m->h->nr_threads)
		t = &m->h->threads[b->tid];
	return stacks_builder_thread(m->b, t->pid, t->tid, comm);
}

static bool raw_passes(const struct making *m, const struct hist_worker *w, const struct raw *r)
{
	return !hist_hidden(m->h, r->place) && hist_passes(m->h, &w->bases[r->base], r->place);
}

/* What a worker counted, while its sums are made. */
struct stacks_of {
	const struct hist_worker *w;
	u32 *thread; /* by base */
	u32 *next;   /* by stack_key(): its next sum; or by raw or sample, see @each */
	u32 *sum;    /* by raw; NULL when nobody asks */
	bool logs;   /* each sample has a sum, not each raw */
	bool each;   /* comms come above, so what has the same stack may be in different places */
};

/* Which stack a raw has; the frames of those without one are numbered on behind the stacks. */
static size_t stack_key(const struct making *m, const struct hist_worker *w, const struct raw *r)
{
	const struct hist *h = m->h;

	if (r->stack != UINT32_MAX && w->stacks[r->stack].nr)
		return r->stack;
	if (h->conf.stacks->bare && h->events[w->bases[r->base].evsel].chains)
		return w->nr_stacks + h->nr_frames;
	return w->nr_stacks + r->epoch;
}

/* With the frames of a stack, or with the one where there is none, or with none at all. */
static void add_item(struct making *m, const struct hist_worker *w, size_t key, u32 of, u32 nr_of)
{
	struct stacks_item item = { .of = of, .nr_of = nr_of };

	if (key < w->nr_stacks) {
		const struct stack *s = &w->stacks[key];

		item.next = s->ids + (m->h->conf.stacks->reverse ? 0 : s->nr - 1);
		item.left = s->nr;
	} else if (key < w->nr_stacks + m->h->nr_frames) {
		item.next = &m->alone[key - w->nr_stacks];
		item.left = 1;
	}
	VEC_GROW(m->items, m->nr_items + 1, m->cap_items);
	m->items[m->nr_items++] = item;
}

/* A sum of a raw, the @i-th one or that of the @i-th sample, with all but its event and whose it
 * is. Return: its number. */
static u32 add_sum(struct making *m, const struct stacks_of *o, const struct raw *r, size_t i,
		   struct stacks_sum sum)
{
	const struct hist_base *b = &o->w->bases[r->base];
	u32 at = o->next[o->each ? i : stack_key(m, o->w, r)]++;

	sum.event = make_event(m, b->evsel);
	sum.thread = o->thread[r->base];
	sum.cpu = m->h->conf.stacks->cpu ? b->cpu : 0;
	m->b->s->sums[at] = sum;
	return at;
}

/* The raw that the next sum is of: each once, or that of each sample. NULL: no more. */
static const struct raw *next_raw(const struct making *m, const struct stacks_of *o, size_t *i)
{
	size_t nr = o->logs ? o->w->nr_log : o->w->nr_raws;

	for (; *i < nr; ++*i) {
		const struct raw *r = &o->w->raws[o->logs ? o->w->log[*i].raw : *i];

		if (raw_passes(m, o->w, r))
			return r;
	}
	return NULL;
}

/* A stack that is in many threads, on many CPUs and in many slices of time is one item. */
static void add_items(struct making *m, struct stacks_of *o)
{
	const struct hist_worker *w = o->w;
	size_t keys = w->nr_stacks + m->h->nr_frames + 1;
	u32 at = (u32)m->b->s->nr_sums;
	const struct raw *r;

	o->next = xcalloc(o->each ? MAX(w->nr_raws, w->nr_log) + 1 : keys, sizeof(*o->next));
	for (size_t i = 0; (r = next_raw(m, o, &i)); i++) {
		if (!o->each) {
			o->next[stack_key(m, w, r)]++;
			continue;
		}
		o->next[i] = at;
		add_item(m, w, stack_key(m, w, r), at++, 1);
	}
	for (size_t k = 0; !o->each && k < keys; k++) {
		u32 nr = o->next[k];

		o->next[k] = at;
		if (nr)
			add_item(m, w, k, at, nr);
		at += nr;
	}
	m->b->s->nr_sums = at;
}

/* Samples; where the span was not known, slices come from them too. */
static void add_log(struct making *m, const struct stacks_of *o)
{
	const struct hist_worker *w = o->w;

	for (size_t i = 0; i < w->nr_log; i++) {
		const struct hist_log *l = &w->log[i];
		const struct raw *r = &w->raws[l->raw];
		struct stacks_sum sum = { .samples = 1, .period = l->period };
		u32 of = o->sum[l->raw];

		if (!raw_passes(m, w, r))
			continue;
		if (o->logs) {
			sum.slice = (u32)MIN((l->time - m->start) / m->ns, m->nr_slices - 1);
			of = add_sum(m, o, r, i, sum);
		}
		stacks_builder_sample(
			m->b,
			&(struct stacks_sample){ .time = l->time,
						 .period = l->period,
						 .node = of,
						 .thread = o->thread[r->base],
						 .cpu = w->bases[r->base].cpu,
						 .event = make_event(m, w->bases[r->base].evsel) });
	}
}

static void add_worker(struct making *m, const struct hist_worker *w)
{
	struct stacks_of o = { .w = w,
			       .logs = m->ns && !m->h->slice_ns,
			       .each = m->h->conf.stacks->comm_root };
	const struct raw *r;

	o.thread = xcalloc(w->nr_bases + 1, sizeof(*o.thread));
	o.sum = w->nr_log ? xcalloc(w->nr_raws + 1, sizeof(*o.sum)) : NULL;
	for (size_t i = 0; i < w->nr_bases; i++)
		o.thread[i] = make_thread(m, &w->bases[i]);
	add_items(m, &o);
	for (size_t i = 0; !o.logs && (r = next_raw(m, &o, &i)); i++) {
		u32 of = add_sum(m, &o, r, i,
				 (struct stacks_sum){ .slice = (u32)w->bases[r->base].from,
						      .samples = r->nr,
						      .period = r->period });
		if (o.sum)
			o.sum[i] = of;
	}
	add_log(m, &o);
	free(o.thread);
	free(o.next);
	free(o.sum);
}

/* At once: growing step by step would take twice as much. */
static void make_room(struct making *m)
{
	bool logs = m->ns && !m->h->slice_ns;
	size_t nr = 0;

	for (int i = 0; i < m->h->nr_workers; i++)
		nr += logs ? m->h->workers[i]->nr_log : m->h->workers[i]->nr_raws;
	VEC_GROW(m->b->s->sums, nr, m->b->cap_sums);
}

/* What stands above the stacks of each thread. */
static u32 *make_comms(struct making *m)
{
	struct stacks *s = m->b->s;
	u32 *frames = xcalloc((size_t)s->nr_threads + 1, sizeof(u32));

	for (u32 i = 0; i < s->nr_threads; i++)
		frames[i] = stacks_builder_frame(m->b,
						 &(struct stacks_frame){ .name = s->threads[i].comm,
									 .kind = FRAME_COMM });
	return frames;
}

/* The times that there are, and how slices are cut. */
static void make_times(struct making *m)
{
	const struct hist *h = m->h;
	u32 slices = MAX(h->conf.stacks->slices, 1u);

	m->first = h->conf.first_time;
	m->last = h->conf.last_time;
	if (!m->last && h->logs) {
		m->first = UINT64_MAX;
		for (int i = 0; i < h->nr_workers; i++)
			for (size_t k = 0; k < h->workers[i]->nr_log; k++) {
				m->first = MIN(m->first, h->workers[i]->log[k].time);
				m->last = MAX(m->last, h->workers[i]->log[k].time);
			}
		m->first = MIN(m->first, m->last);
	}
	m->start = m->first;
	m->nr_slices = slices;
	if (slices > 1)
		m->ns = h->slice_ns ? h->slice_ns : (m->last - m->first) / slices + 1;
}

/* All of it is in the items and sums, which point to the frames of stacks alone. */
static void give_up(struct hist_worker *w)
{
	free(w->raws);
	free(w->stacks);
	free(w->log);
	w->raws = NULL;
	w->stacks = NULL;
	w->log = NULL;
	w->nr_raws = w->nr_stacks = w->nr_log = 0;
}

struct stacks *stacks_of_hist(struct hist *h, const char *const *names, bool last)
{
	const struct stacks_dims *d = h->conf.stacks;
	struct making m = { .h = h, .names = names, .b = stacks_builder_new(d) };
	struct stacks_split how = { .nr_frames = h->nr_frames };
	u32 *comms = NULL;
	struct stacks *s;

	m.event = xcalloc(h->conf.nr_events + 1, sizeof(u32));
	memset(m.event, 0xff, h->conf.nr_events * sizeof(u32));
	if (d->durations)
		stacks_durations(h, names);
	make_times(&m);
	make_frames(&m);
	if (d->spots)
		stacks_find_spots(h, m.b, m.frame, names);
	make_room(&m);
	for (int i = 0; i < h->nr_workers; i++) {
		add_worker(&m, h->workers[i]);
		if (last)
			give_up(h->workers[i]);
	}
	stacks_builder_time(m.b, m.first, m.last, m.start, m.ns, m.nr_slices);
	if (d->comm_root)
		comms = make_comms(&m);
	how.frame = m.frame;
	how.comm_frame = comms;
	s = stacks_split(m.b, m.items, m.nr_items, &how);
	free(m.items);
	free(m.frame);
	free(m.alone);
	free(m.event);
	free(comms);
	return s;
}
