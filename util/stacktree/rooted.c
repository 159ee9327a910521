// SPDX-License-Identifier: GPL-2.0-or-later
/* Make a tree whose stacks begin with whom or what they are of: a process, a thread, a CPU. */
#include "base/compat.h"

#include "stacktree/stacks.h"

#include "base/alloc.h"
#include "base/hash.h"

struct rooting {
	const struct stacks *from;
	struct stacks_builder *to;
	enum stacks_root root;
	u32 *frame;         /* old number -> new number */
	struct map64 nodes; /* group << 32 | old node -> new node */
	u64 *samples;       /* by thread */
	u32 *path;
};

static void take_frames(struct rooting *r)
{
	const struct stacks *s = r->from;

	r->frame = xcalloc((size_t)s->nr_frames + 1, sizeof(u32));
	for (u32 i = 0; i < s->nr_frames; i++) {
		struct stacks_frame f = s->frames[i];

		f.name = stacks_builder_text(r->to, stacks_text(s, f.name));
		f.dso = stacks_builder_text(r->to, stacks_text(s, f.dso));
		f.path = stacks_builder_text(r->to, stacks_text(s, f.path));
		f.file = stacks_builder_text(r->to, stacks_text(s, f.file));
		f.build_id = stacks_builder_text(r->to, stacks_text(s, f.build_id));
		r->frame[i] = stacks_builder_frame(r->to, &f);
	}
}

static u32 group_of(const struct rooting *r, const struct stacks_sum *m)
{
	const struct stacks_thread *t = &r->from->threads[m->thread];

	return r->root == STACKS_ROOT_CPU       ? m->cpu
	       : r->root == STACKS_ROOT_PROCESS ? t->pid
						: t->tid;
}

/* A thread or process has the name under which it was sampled most. */
static const char *name_of(const struct rooting *r, u32 group)
{
	const struct stacks *s = r->from;
	u32 best = 0;
	u64 most = 0;

	for (u32 i = 0; i < s->nr_threads; i++) {
		const struct stacks_thread *t = &s->threads[i];

		if ((r->root == STACKS_ROOT_PROCESS ? t->pid : t->tid) != group ||
		    r->samples[i] < most)
			continue;
		most = r->samples[i];
		best = i;
	}
	return stacks_text(s, s->threads[best].comm);
}

static u32 top_node(struct rooting *r, u32 group)
{
	struct stacks_frame f = { .kind = FRAME_COMM };
	char *text = r->root != STACKS_ROOT_CPU ? xasprintf("%s %d", name_of(r, group), (s32)group)
		     : group == UINT32_MAX      ? xstrdup("no CPU")
						: xasprintf("CPU %u", group);

	f.name = stacks_builder_text(r->to, text);
	free(text);
	return stacks_builder_node(r->to, 0, stacks_builder_frame(r->to, &f));
}

/* Return the node below the frame of its group. */
static u32 rooted_node(struct rooting *r, u32 group, u32 node)
{
	const struct stacks_node *nodes = r->from->nodes;
	u32 nr = 0, at, *slot;

	while (map64_get(&r->nodes, (u64)group << 32 | node) == MAP64_NONE) {
		r->path[nr++] = node;
		if (!node)
			break;
		node = nodes[node].parent;
	}
	at = nr && !r->path[nr - 1] ? 0 : map64_get(&r->nodes, (u64)group << 32 | node);
	while (nr--) {
		node = r->path[nr];
		at = node ? stacks_builder_node(r->to, at, r->frame[nodes[node].frame])
			  : top_node(r, group);
		slot = map64_slot(&r->nodes, (u64)group << 32 | node);
		*slot = at;
	}
	return at;
}

struct stacks *stacks_rooted(const struct stacks *s, enum stacks_root root)
{
	struct rooting r = { .from = s,
			     .to = stacks_builder_new(&(struct stacks_dims){ 0 }),
			     .root = root };

	for (u32 i = 0; i < s->nr_events; i++)
		stacks_builder_event(r.to, stacks_text(s, s->events[i].name), s->events[i].evsel);
	stacks_builder_thread(r.to, 0, 0, "");
	r.samples = xcalloc((size_t)s->nr_threads + 1, sizeof(*r.samples));
	for (size_t i = 0; i < s->nr_sums; i++)
		r.samples[s->sums[i].thread] += s->sums[i].samples;
	take_frames(&r);
	r.path = xcalloc((size_t)stacks_depth(s) + 1, sizeof(*r.path));
	for (size_t i = 0; i < s->nr_sums; i++) {
		struct stacks_sum m = s->sums[i];

		m.node = rooted_node(&r, group_of(&r, &m), m.node);
		m.thread = m.cpu = m.slice = 0;
		stacks_builder_sum(r.to, &m);
	}
	free(r.samples);
	free(r.frame);
	free(r.path);
	map64_release(&r.nodes);
	return stacks_builder_finish(r.to);
}
