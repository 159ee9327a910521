// SPDX-License-Identifier: GPL-2.0-or-later
/* Query trees of stacks, and make trees with fewer dimensions. */
#include "base/compat.h"

#include "stacktree/stacks-internal.h"

void stacks_node_sums(const struct stacks *s, u32 event, enum stacks_weight w, u64 *self,
		      u64 *total)
{
	if (self)
		memset(self, 0, s->nr_nodes * sizeof(*self));
	memset(total, 0, s->nr_nodes * sizeof(*total));
	for (size_t i = 0; i < s->nr_sums; i++)
		if (event == UINT32_MAX || s->sums[i].event == event)
			total[s->sums[i].node] =
				stacks_add(total[s->sums[i].node], stacks_weight(&s->sums[i], w));
	if (self)
		memcpy(self, total, s->nr_nodes * sizeof(*self));
	for (u32 i = s->nr_nodes; i-- > 1;)
		total[s->nodes[i].parent] = stacks_add(total[s->nodes[i].parent], total[i]);
}

u32 stacks_path(const struct stacks *s, u32 node, u32 *out)
{
	u32 depth = s->nodes[node].depth;

	for (u32 i = depth; i-- > 0; node = s->nodes[node].parent)
		out[i] = s->nodes[node].frame;
	return depth;
}

/* ---- with less ---- */

struct reduction {
	const struct stacks *from;
	struct stacks_builder *to;
	u32 *text, *frame, *thread; /* old number -> new number */
	u32 *node;                  /* the same; NULL if that is not sufficient */
	bool rooting, reverse;      /* thread names become frames; stacks are reversed */
	struct map64 rooted;        /* text of the comm << 32 | old node -> new node */
	u32 factor, nr_slices;      /* the number of slices that are merged to one */
};

static u32 text_of(struct reduction *r, u32 text)
{
	if (r->text[text] == UINT32_MAX)
		r->text[text] = stacks_builder_text(r->to, stacks_text(r->from, text));
	return r->text[text];
}

static void take_frames(struct reduction *r, const struct stacks_dims *dims)
{
	const struct stacks *s = r->from;

	r->frame = xcalloc((size_t)s->nr_frames + 1, sizeof(u32));
	for (u32 i = 0; i < s->nr_frames; i++) {
		struct stacks_frame f = s->frames[i];

		f.name = text_of(r, f.name);
		f.dso = text_of(r, f.dso);
		f.path = text_of(r, f.path);
		f.file = dims->lines ? text_of(r, f.file) : 0;
		f.build_id = text_of(r, f.build_id);
		r->frame[i] = stacks_builder_frame(r->to, &f);
	}
}

static void take_threads(struct reduction *r)
{
	const struct stacks *s = r->from;

	r->thread = xcalloc((size_t)s->nr_threads + 1, sizeof(u32));
	for (u32 i = 0; i < s->nr_threads; i++)
		r->thread[i] = stacks_builder_thread(r->to, s->threads[i].pid, s->threads[i].tid,
						     stacks_text(s, s->threads[i].comm));
}

static void take_spots(struct reduction *r)
{
	const struct stacks *s = r->from;
	struct stacks *to = r->to->s;

	to->sites = xcalloc(s->nr_sites + 1, sizeof(*to->sites));
	for (size_t i = 0; i < s->nr_sites; i++) {
		to->sites[i] = s->sites[i];
		to->sites[i].frame = r->frame[s->sites[i].frame];
	}
	to->nr_sites = s->nr_sites;
}

static u32 comm_node(struct reduction *r, u32 comm)
{
	struct stacks_frame f = { .name = text_of(r, comm), .kind = FRAME_COMM };

	return stacks_builder_node(r->to, 0, stacks_builder_frame(r->to, &f));
}

/* Return the node below the frame of its thread's name. */
static u32 rooted_node(struct reduction *r, u32 comm, u32 node, u32 *path)
{
	u32 nr = 0, at, *slot;

	while (node && map64_get(&r->rooted, (u64)comm << 32 | node) == MAP64_NONE) {
		path[nr++] = node;
		node = r->from->nodes[node].parent;
	}
	at = node ? map64_get(&r->rooted, (u64)comm << 32 | node) : comm_node(r, comm);
	while (nr--) {
		at = stacks_builder_node(r->to, at, r->frame[r->from->nodes[path[nr]].frame]);
		slot = map64_slot(&r->rooted, (u64)comm << 32 | path[nr]);
		*slot = at;
	}
	return at;
}

/* Return the node of the reversed stack. */
static u32 reversed_node(struct reduction *r, u32 comm, u32 node, bool rooted)
{
	u32 at = rooted ? comm_node(r, comm) : 0;

	for (; node; node = r->from->nodes[node].parent)
		at = stacks_builder_node(r->to, at, r->frame[r->from->nodes[node].frame]);
	return at;
}

static void take_nodes(struct reduction *r)
{
	const struct stacks *s = r->from;

	r->node = xcalloc(s->nr_nodes, sizeof(u32));
	for (u32 i = 1; i < s->nr_nodes; i++)
		r->node[i] = stacks_builder_node(r->to, r->node[s->nodes[i].parent],
						 r->frame[s->nodes[i].frame]);
}

u32 stacks_depth(const struct stacks *s)
{
	u32 max = 0;

	for (u32 i = 0; i < s->nr_nodes; i++)
		max = MAX(max, s->nodes[i].depth);
	return max;
}

static u32 new_node(struct reduction *r, u32 thread, u32 node, u32 *path)
{
	u32 comm = r->from->threads[thread].comm;

	if (r->reverse)
		return reversed_node(r, comm, node, r->rooting);
	return r->rooting ? rooted_node(r, comm, node, path) : r->node[node];
}

static void take_counts(struct reduction *r, const struct stacks_dims *dims)
{
	const struct stacks *s = r->from;
	u32 *path = xcalloc((size_t)stacks_depth(s) + 1, sizeof(u32));

	for (size_t i = 0; i < s->nr_sums; i++) {
		struct stacks_sum m = s->sums[i];

		m.node = new_node(r, m.thread, m.node, path);
		m.thread = r->thread[m.thread];
		m.slice = MIN(m.slice / r->factor, r->nr_slices - 1);
		stacks_builder_sum(r->to, &m);
	}
	for (size_t i = 0; dims->samples && i < s->nr_samples; i++) {
		struct stacks_sample m = s->samples[i];

		m.node = new_node(r, m.thread, m.node, path);
		m.thread = r->thread[m.thread];
		stacks_builder_sample(r->to, &m);
	}
	free(path);
}

struct stacks *stacks_reduce(const struct stacks *s, const struct stacks_dims *dims)
{
	struct reduction r = { .from = s, .to = stacks_builder_new(dims) };

	r.text = xcalloc(s->texts.nr + 1, sizeof(u32));
	memset(r.text, 0xff, s->texts.nr * sizeof(u32));
	r.factor = (s->nr_slices + MAX(dims->slices, 1u) - 1) / MAX(dims->slices, 1u);
	r.nr_slices = (s->nr_slices + r.factor - 1) / r.factor;
	for (u32 i = 0; i < s->nr_events; i++)
		stacks_builder_event(r.to, stacks_text(s, s->events[i].name), s->events[i].evsel);
	take_frames(&r, dims);
	if (dims->sites)
		take_spots(&r);
	take_threads(&r);
	r.rooting = dims->comm_root && !s->dims.comm_root;
	r.reverse = dims->reverse && !s->dims.reverse;
	if (!r.rooting && !r.reverse)
		take_nodes(&r);
	take_counts(&r, dims);
	stacks_builder_time(r.to, s->first_time, s->last_time, s->slice_start,
			    r.nr_slices > 1 ? s->slice_ns * r.factor : 0, r.nr_slices);
	free(r.text);
	free(r.frame);
	free(r.thread);
	free(r.node);
	map64_release(&r.rooted);
	return stacks_builder_finish(r.to);
}

struct stacks *stacks_join(const struct stacks_run *runs, u32 nr)
{
	struct stacks_dims dims = runs[0].s->dims;
	struct stacks_builder *b;
	u32 nr_of[2] = { 0 };

	dims.names = true;
	dims.samples = false;
	b = stacks_builder_new(&dims);
	for (u32 i = 0; i < nr; i++) {
		const struct stacks *s = runs[i].s;
		struct reduction r = { .from = s, .to = b, .factor = 1, .nr_slices = 1 };
		u32 side = runs[i].side;
		u32 event = stacks_builder_event(b, side == STACKS_NOW ? "now" : "before",
						 nr_of[side]++ * 2 + side);

		r.text = xcalloc(s->texts.nr + 1, sizeof(u32));
		memset(r.text, 0xff, s->texts.nr * sizeof(u32));
		take_frames(&r, &dims);
		take_threads(&r);
		take_nodes(&r);
		for (size_t k = 0; k < s->nr_sums; k++) {
			struct stacks_sum m = s->sums[k];

			if (m.event != runs[i].event)
				continue;
			m.event = event;
			m.node = r.node[m.node];
			m.thread = r.thread[m.thread];
			m.slice = 0;
			stacks_builder_sum(b, &m);
		}
		free(r.text);
		free(r.frame);
		free(r.thread);
		free(r.node);
	}
	return stacks_builder_finish(b);
}
