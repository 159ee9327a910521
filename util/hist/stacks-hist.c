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
	char hex[41];

	to->dso = stacks_builder_text(m->b, d->short_name);
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

/* The frames of a raw: those of its stack, or where there is none the one it was in. */
static struct stacks_item make_item(const struct making *m, const struct hist_worker *w,
				    const struct raw *r)
{
	const struct stacks_dims *d = m->h->conf.stacks;
	const struct stack *s = r->stack == UINT32_MAX ? NULL : &w->stacks[r->stack];

	if (s && s->nr)
		return (struct stacks_item){ .next = s->ids + (d->reverse ? 0 : s->nr - 1),
					     .left = s->nr };
	if (d->bare && m->h->events[w->bases[r->base].evsel].chains)
		return (struct stacks_item){ 0 };
	return (struct stacks_item){ .next = &m->alone[r->epoch], .left = 1 };
}

/* @sum: of a raw, all but its event and whose it is. Return: its number. */
static u32 add_item(struct making *m, const struct hist_worker *w, const struct raw *r, u32 thread,
		    struct stacks_sum sum)
{
	struct stacks *s = m->b->s;
	const struct hist_base *b = &w->bases[r->base];

	sum.event = make_event(m, b->evsel);
	sum.thread = thread;
	sum.cpu = m->h->conf.stacks->cpu ? b->cpu : 0;
	VEC_GROW(m->items, m->nr_items + 1, m->cap_items);
	m->items[m->nr_items] = make_item(m, w, r);
	m->items[m->nr_items++].of = (u32)s->nr_sums;
	VEC_GROW(s->sums, s->nr_sums + 1, m->b->cap_sums);
	s->sums[s->nr_sums] = sum;
	return (u32)s->nr_sums++;
}

/* Samples; where the span was not known, slices come from them too. @item: by raw */
static void add_log(struct making *m, const struct hist_worker *w, const u32 *thread, u32 *item)
{
	bool slices = m->ns && !m->h->slice_ns;

	for (size_t i = 0; i < w->nr_log; i++) {
		const struct hist_log *l = &w->log[i];
		const struct raw *r = &w->raws[l->raw];
		struct stacks_sum sum = { .samples = 1, .period = l->period };
		u32 of = item[l->raw];

		if (!raw_passes(m, w, r))
			continue;
		if (slices) {
			sum.slice = (u32)MIN((l->time - m->start) / m->ns, m->nr_slices - 1);
			of = add_item(m, w, r, thread[r->base], sum);
		}
		stacks_builder_sample(
			m->b,
			&(struct stacks_sample){ .time = l->time,
						 .period = l->period,
						 .node = of,
						 .thread = thread[r->base],
						 .cpu = w->bases[r->base].cpu,
						 .event = make_event(m, w->bases[r->base].evsel) });
	}
}

static void add_worker(struct making *m, struct hist_worker *w)
{
	u32 *thread = xcalloc(w->nr_bases + 1, sizeof(u32));
	u32 *item = w->nr_log ? xcalloc(w->nr_raws + 1, sizeof(u32)) : NULL;

	for (size_t i = 0; i < w->nr_bases; i++)
		thread[i] = make_thread(m, &w->bases[i]);
	for (size_t i = 0; (!m->ns || m->h->slice_ns) && i < w->nr_raws; i++) {
		const struct raw *r = &w->raws[i];
		u32 of;

		if (!raw_passes(m, w, r))
			continue;
		of = add_item(m, w, r, thread[r->base],
			      (struct stacks_sum){ .slice = (u32)w->bases[r->base].from,
						   .samples = r->nr,
						   .period = r->period });
		if (item)
			item[i] = of;
	}
	add_log(m, w, thread, item);
	free(thread);
	free(item);
}

/* At once: growing step by step would take twice as much. */
static void make_room(struct making *m)
{
	bool logs = m->ns && !m->h->slice_ns;
	size_t nr = 0;

	for (int i = 0; i < m->h->nr_workers; i++)
		nr += logs ? m->h->workers[i]->nr_log : m->h->workers[i]->nr_raws;
	VEC_GROW(m->items, nr, m->cap_items);
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
