// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a tree of stacks from the counts of a histogram. Counts distinguish more than stacks
 * (thread, CPU, slice of time), so each unique stack is one item, whose frames are processed once.
 */
#include "base/compat.h"

#include "resolve/resolve.h"
#include "stacktree/stacks-internal.h"

struct making {
	struct hist *h;
	const struct stacks_dims *dims;
	size_t nr_frames; /* of the hist */
	const char *const *names;
	struct stacks_builder *b;
	u32 *frame;      /* frame of the hist -> frame of the builder */
	u32 *alone;      /* each frame of the hist, for stacks of one frame */
	u32 *event;      /* evsel -> event of the builder; UINT32_MAX: not needed yet */
	u64 first, last; /* times of samples */
	struct stacks_split how;
	struct stacks_item *items;
	size_t nr_items, cap_items;
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
		return FRAME_JIT;
	case DSO_JIT: /* that of the kernel is what a thread waits for */
		return d->cpumode == PERF_RECORD_MISC_KERNEL ? FRAME_WAIT : FRAME_JIT;
	default:
		break;
	}
	if (!symbol)
		return FRAME_UNKNOWN;
	return d->cpumode == PERF_RECORD_MISC_GUEST_USER ? FRAME_GUEST_USER : FRAME_USER;
}

/*
 * Set the line of a frame from "dir/file.c:12"; texts that are not lines of a file ("+34",
 * "object[1a0]") are ignored.
 */
static void set_line(struct making *m, u32 id, struct stacks_frame *to)
{
	const char *text = hist_frame_line(m->h, id);
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

	/*
	 * The file that would contain the names, as `script` shows it and collapse scripts expect
	 * it.
	 */
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
	const struct hist_frame *f = hist_frame(m->h, id);
	const struct dso *d = f->dso ? dsos[f->dso - 1] : NULL;
	const struct hist_place *place = hist_place(m->h, f->place);
	const char *name = hist_symbol_name(m->h, f->place);
	struct stacks_frame to = { .symbol = name, .addr = f->at };

	to.kind = kind_of(f, d, name, place->inlined);
	if (d)
		set_object(m, d, &to);
	if (name) {
		to.name = stacks_builder_text(m->b, name);
		to.start = place->start;
	} else if (!d || d->short_name[0] == '[') {
		to.name = stacks_builder_text(m->b, d ? d->short_name : "[unknown]");
	} else {
		char *text = xasprintf("[%s]", d->short_name);

		to.name = stacks_builder_text(m->b, text);
		free(text);
	}
	if (m->dims->lines)
		set_line(m, id, &to);
	return stacks_builder_frame(m->b, &to);
}

static void make_frames(struct making *m)
{
	size_t nr;
	struct dso *const *dsos = machine_dsos(hist_machine(m->h), &nr);

	m->frame = xcalloc(m->nr_frames + 1, sizeof(u32));
	m->alone = xcalloc(m->nr_frames + 1, sizeof(u32));
	for (size_t i = 0; i < m->nr_frames; i++) {
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
	const struct stacks_dims *d = m->dims;
	const char *comm = hist_stack_counting(m->h)->comms ? hist_comm_name(m->h, b->comm) : "";
	struct hist_thread t;

	if (!d->thread)
		return stacks_builder_thread(m->b, b->tid, 0, comm);
	t = hist_thread_of(m->h, b->tid);
	return stacks_builder_thread(m->b, t.pid, t.tid, comm);
}

/*
 * Return the count with number @i, or that of the @i-th sample; NULL: it is not part of the tree.
 */
static const struct stack_count *count_at(const struct making *m, const struct counted_stacks *w,
					  size_t i)
{
	const struct stack_count *c = &w->counts[m->how.logs ? w->log[i].count : i];

	return hist_stack_passes(m->h, w, c) ? c : NULL;
}

/* Return the stack of a count; the number after the last stack means one without frames. */
static size_t stack_key(const struct making *m, const struct counted_stacks *w,
			const struct stack_count *c)
{
	return !w->stacks[c->stack].nr && m->dims->bare &&
			       hist_event(m->h, w->bases[c->base].evsel)->chains
		       ? w->nr_stacks
		       : c->stack;
}

/*
 * Add an item with the frames of a stack, or with the frame of the sample when there is no stack,
 * or with none.
 */
static void add_item(struct making *m, const struct counted_stacks *w, size_t key, u32 of,
		     u32 nr_of)
{
	const struct stack *s = key < w->nr_stacks ? &w->stacks[key] : NULL;
	struct stacks_item item = { .of = of, .nr_of = nr_of };

	if (s && s->nr) {
		item.next = s->ids + (m->dims->reverse ? 0 : s->nr - 1);
		item.left = s->nr;
	} else if (s) {
		item.next = &m->alone[hist_leaf_frame(m->h, s->leaf)];
		item.left = 1;
	}
	VEC_GROW(m->items, m->nr_items + 1, m->cap_items);
	m->items[m->nr_items++] = item;
}

/*
 * Add one item for each stack, even if it occurs in many threads, on many CPUs and in many slices.
 * @next: by stack_key(); receives the start of its counts
 */
static void add_items(struct making *m, struct stacks_counts *c, size_t nr, u32 *next)
{
	const struct counted_stacks *w = &c->w;
	const struct stack_count *n;

	for (size_t i = 0; i < nr; i++)
		if ((n = count_at(m, w, i)))
			next[stack_key(m, w, n)]++;
	for (size_t k = 0; k <= w->nr_stacks; k++) {
		u32 of = next[k];

		next[k] = c->nr;
		if (of)
			add_item(m, w, k, c->first + c->nr, of);
		c->nr += of;
	}
}

/*
 * Add an item for each count, because names of threads come above, and equal stacks may be at
 * different places.
 */
static void add_single_items(struct making *m, struct stacks_counts *c, size_t nr)
{
	const struct stack_count *n;

	for (size_t i = 0; i < nr; i++)
		if ((n = count_at(m, &c->w, i))) {
			add_item(m, &c->w, stack_key(m, &c->w, n), c->first + c->nr, 1);
			c->order[c->nr++] = (u32)i;
		}
}

/* Add a sample to be stored. @of: the number of its count */
static void add_sample(struct making *m, const struct stacks_counts *c, const struct hist_log *l,
		       u32 of)
{
	const struct stacks_key *k = &c->key[c->w.counts[l->count].base];

	stacks_builder_sample(m->b, &(struct stacks_sample){ .time = l->time,
							     .period = l->period,
							     .node = of,
							     .thread = k->thread,
							     .cpu = k->cpu,
							     .event = k->event });
}

/* Add the samples. @at: by count or sample, its position in the order */
static void add_samples(struct making *m, const struct stacks_counts *c, const u32 *at)
{
	const struct counted_stacks *w = &c->w;

	for (size_t i = 0; i < w->nr_log; i++) {
		const struct hist_log *l = &w->log[i];

		if (hist_stack_passes(m->h, w, &w->counts[l->count]))
			add_sample(m, c, l, c->first + at[m->how.logs ? i : l->count]);
	}
}

static struct stacks_key *make_keys(struct making *m, const struct counted_stacks *w)
{
	struct stacks_key *key = xcalloc(w->nr_bases + 1, sizeof(*key));

	for (size_t i = 0; i < w->nr_bases; i++) {
		const struct hist_base *b = &w->bases[i];

		if (b->from_mode == STACKS_SITE_BASE)
			continue;
		key[i] = (struct stacks_key){ .event = make_event(m, b->evsel),
					      .thread = make_thread(m, b),
					      .cpu = m->dims->cpu ? b->cpu : 0,
					      .slice = (u32)b->from };
	}
	return key;
}

static void add_up(struct making *m, const struct stacks_counts *c)
{
	struct stacks_sum sum;

	for (u32 i = 0; i < c->nr; i++) {
		stacks_count_sum(&m->how, c, c->first + i, &sum);
		m->b->s->events[sum.event].samples += sum.samples;
		m->b->s->events[sum.event].period += sum.period;
	}
}

static void add_worker(struct making *m, const struct counted_stacks *w, struct stacks_counts *c)
{
	size_t nr = m->how.logs ? w->nr_log : w->nr_counts;
	u32 *next = xcalloc(w->nr_stacks + 1, sizeof(*next));
	u32 *at = w->nr_log ? xcalloc(nr + 1, sizeof(*at)) : NULL;

	*c = (struct stacks_counts){ .w = *w, .first = m->how.nr_of };
	c->key = make_keys(m, w);
	c->order = xmalloc((nr + 1) * sizeof(*c->order));
	if (m->dims->comm_root)
		add_single_items(m, c, nr);
	else
		add_items(m, c, nr, next);
	for (size_t i = 0; i < nr && !m->dims->comm_root; i++) {
		const struct stack_count *n = count_at(m, w, i);

		if (n)
			c->order[next[stack_key(m, w, n)]++] = (u32)i;
	}
	for (u32 i = 0; at && i < c->nr; i++)
		at[c->order[i]] = i;
	if (at)
		add_samples(m, c, at);
	add_up(m, c);
	m->how.nr_of += c->nr;
	free(next);
	free(at);
}

/* Make the frames above the stacks of each thread. */
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

/* Determine the range of times and the slices. */
static void make_times(struct making *m)
{
	const struct hist_conf *conf = hist_config(m->h);
	const struct stack_counting *had = hist_stack_counting(m->h);
	u32 slices = MAX(m->dims->slices, 1u);

	m->first = conf->first_time;
	m->last = conf->last_time;
	if (!m->last && had->logs) {
		m->first = UINT64_MAX;
		for (int i = 0; i < hist_nr_workers(m->h); i++) {
			struct counted_stacks w = hist_counted_stacks(m->h, i);

			for (size_t k = 0; k < w.nr_log; k++) {
				m->first = MIN(m->first, w.log[k].time);
				m->last = MAX(m->last, w.log[k].time);
			}
		}
		m->first = MIN(m->first, m->last);
	}
	m->how.start = m->first;
	m->how.nr_slices = slices;
	if (slices > 1)
		m->how.ns = had->slice_ns ? had->slice_ns : (m->last - m->first) / slices + 1;
	m->how.logs = m->how.ns && !had->slice_ns;
}

static void make_spots(struct making *m, bool last)
{
	stacks_find_sites(m->h, m->b, m->frame, m->names);
	if (last)
		hist_release_sites(m->h);
}

static void make_items(struct making *m, bool last)
{
	struct stacks_split *how = &m->how;
	int nr = hist_nr_workers(m->h);

	how->counts = xcalloc((size_t)nr + 1, sizeof(*how->counts));
	for (; how->nr_workers < nr; how->nr_workers++) {
		struct counted_stacks w = hist_counted_stacks(m->h, how->nr_workers);

		add_worker(m, &w, &how->counts[how->nr_workers]);
		if (last) /* the frames are all that items need */
			hist_release_stacks(m->h, how->nr_workers);
	}
}

static void making_release(struct making *m)
{
	for (int i = 0; i < m->how.nr_workers; i++) {
		free(m->how.counts[i].key);
		free(m->how.counts[i].order);
	}
	free(m->how.counts);
	free(m->items);
	free(m->frame);
	free(m->alone);
	free(m->event);
	free((void *)m->how.comm_frame);
}

struct stacks *stacks_of_hist(struct hist *h, const char *const *names, bool last)
{
	const struct hist_conf *conf = hist_config(h);
	const struct stacks_dims *d = conf->stacks;
	struct making m = { .h = h,
			    .dims = d,
			    .names = names,
			    .nr_frames = hist_nr_frames(h),
			    .b = stacks_builder_new(d) };
	struct stacks *s;

	m.event = xcalloc(conf->nr_events + 1, sizeof(u32));
	memset(m.event, 0xff, conf->nr_events * sizeof(u32));
	if (d->durations)
		stacks_durations(h, names);
	make_times(&m);
	make_frames(&m);
	if (d->sites)
		make_spots(&m, last);
	make_items(&m, last);
	stacks_builder_time(m.b, m.first, m.last, m.how.start, m.how.ns, m.how.nr_slices);
	if (d->comm_root)
		m.how.comm_frame = make_comms(&m);
	m.how.frame = m.frame;
	m.how.nr_frames = m.nr_frames;
	m.how.workers = conf->workers;
	s = stacks_split(m.b, m.items, m.nr_items, &m.how);
	making_release(&m);
	if (last)
		hist_release_counts(h);
	return s;
}
