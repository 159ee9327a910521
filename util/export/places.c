// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "export/places.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "stacktree/event-class.h"

static void number_frames(struct code_places *p)
{
	const struct stacks *s = p->s;
	struct map64 objects = { 0 };
	size_t object_cap = 0, function_cap = 0;

	p->nr_objects = p->nr_functions = 1;
	VEC_GROW(p->objects, p->nr_objects, object_cap);
	VEC_GROW(p->functions, p->nr_functions, function_cap);
	memset(p->objects, 0, sizeof(*p->objects));
	p->functions[0] = UINT32_MAX;
	for (u32 i = 0; i < s->nr_frames; i++) {
		const struct stacks_frame *f = &s->frames[i];
		u32 name = f->path ? f->path : f->dso, *slot;
		u64 end = MAX(f->addr, f->start) + 1;

		if (f->func == i) {
			p->function_of[i] = p->nr_functions;
			VEC_GROW(p->functions, p->nr_functions + 1, function_cap);
			p->functions[p->nr_functions++] = i;
		}
		if (!name)
			continue;
		slot = map64_slot(&objects, (u64)name << 32 | f->build_id);
		if (*slot == MAP64_NONE) {
			*slot = p->nr_objects;
			VEC_GROW(p->objects, p->nr_objects + 1, object_cap);
			p->objects[p->nr_objects++] = (struct place_object){ name, f->build_id, 0 };
		}
		p->object_of[i] = *slot;
		p->objects[*slot].limit = MAX(p->objects[*slot].limit, end);
	}
	/* the frame that represents a function need not come before the others */
	for (u32 i = 0; i < s->nr_frames; i++)
		p->function_of[i] = p->function_of[s->frames[i].func];
	map64_release(&objects);
}

static bool part_of_parent(const struct stacks *s, u32 node)
{
	u32 parent = s->nodes[node].parent;

	return s->frames[s->nodes[node].frame].kind == FRAME_INLINED && parent &&
	       s->frames[s->nodes[parent].frame].kind != FRAME_COMM;
}

void code_places_init(struct code_places *p, const struct stacks *s)
{
	struct map64 places = { 0 };
	size_t cap = 0;

	*p = (struct code_places){ .s = s };
	p->object_of = xcalloc(s->nr_frames + (size_t)1, sizeof(u32));
	p->function_of = xcalloc(s->nr_frames + (size_t)1, sizeof(u32));
	p->place_of = xcalloc(s->nr_nodes, sizeof(u32));
	number_frames(p);
	p->nr_places = 1;
	VEC_GROW(p->places, p->nr_places, cap);
	p->places[0] = (struct place){ UINT32_MAX, 0 };
	for (u32 n = 1; n < s->nr_nodes; n++) {
		const struct stacks_node *node = &s->nodes[n];
		u32 outer = part_of_parent(s, n) ? p->place_of[node->parent] : 0;
		u32 *slot = map64_slot(&places, (u64)outer << 32 | node->frame);

		if (*slot == MAP64_NONE) {
			*slot = p->nr_places;
			VEC_GROW(p->places, p->nr_places + (size_t)1, cap);
			p->places[p->nr_places++] = (struct place){ node->frame, outer };
		}
		p->place_of[n] = *slot;
	}
	map64_release(&places);
}

void code_places_release(struct code_places *p)
{
	free(p->object_of);
	free(p->function_of);
	free(p->place_of);
	free(p->objects);
	free(p->functions);
	free(p->places);
	*p = (struct code_places){ 0 };
}

u32 code_places_stack(const struct code_places *p, u32 node, u32 *out)
{
	u32 nr = 0;

	while (node) {
		out[nr++] = p->place_of[node];
		while (part_of_parent(p->s, node))
			node = p->s->nodes[node].parent;
		node = p->s->nodes[node].parent;
	}
	return nr;
}

u64 place_addr(const struct code_places *p, u32 place)
{
	const struct stacks_frame *f;

	while (p->places[place].outer && !p->s->dims.addresses)
		place = p->places[place].outer;
	f = &p->s->frames[p->places[place].frame];
	return p->s->dims.addresses ? f->addr : f->start;
}

u32 *stacks_room(const struct stacks *s)
{
	return xcalloc(stacks_depth(s) + (size_t)1, sizeof(u32));
}

struct sums_order {
	const struct stacks_sum *sums;
	bool by_thread;
};

static int compare_sums(const void *a, const void *b, void *how)
{
	const struct sums_order *o = how;
	u32 left = *(const u32 *)a, right = *(const u32 *)b;
	const struct stacks_sum *x = &o->sums[left], *y = &o->sums[right];

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (o->by_thread && x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->slice != y->slice)
		return x->slice < y->slice ? -1 : 1;
	/* the sums of one event are in the order of their stacks already */
	return left < right ? -1 : left > right;
}

u32 *stacks_order_sums(const struct stacks *s, bool by_thread)
{
	struct sums_order how = { s->sums, by_thread };
	u32 *order = xcalloc(s->nr_sums + 1, sizeof(*order));

	for (u32 i = 0; i < s->nr_sums; i++)
		order[i] = i;
	qsort_r(order, s->nr_sums, sizeof(*order), compare_sums, &how);
	return order;
}

u32 threads_process_comm(const struct stacks *s, u32 thread)
{
	u32 pid = s->threads[thread].pid, comm = s->threads[thread].comm;

	for (u32 i = thread; i < s->nr_threads && s->threads[i].pid == pid; i++)
		if (s->threads[i].tid == pid)
			comm = s->threads[i].comm;
	return comm;
}

u8 stacks_code_kind(const struct stacks *s, u32 node)
{
	while (node && part_of_parent(s, node))
		node = s->nodes[node].parent;
	return node ? s->frames[s->nodes[node].frame].kind : FRAME_UNKNOWN;
}

const char *frame_kind_name(u8 kind)
{
	static const char *const names[NR_FRAME_KINDS] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_MODULE] = "module",
		[FRAME_JIT] = "jit",
		[FRAME_INLINED] = "inlined",
		[FRAME_GUEST_KERNEL] = "guest kernel",
		[FRAME_GUEST_USER] = "guest user",
		[FRAME_HYPERVISOR] = "hypervisor",
		[FRAME_COMM] = "comm",
		[FRAME_WAIT] = "wait",
	};

	return kind < NR_FRAME_KINDS ? names[kind] : "unknown";
}

bool event_is_time(const struct stacks *s, u32 event)
{
	return s->dims.durations || event_counts_time(stacks_text(s, s->events[event].name));
}

const char *event_unit(const struct stacks *s, u32 event)
{
	return event_is_time(s, event) ? "nanoseconds" : "count";
}
