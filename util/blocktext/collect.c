// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of a recording become sums of I/O. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#define GRID_COLUMNS 120
#define GRID_STEP 1000000 /* ns at first */

/* ---- whose I/O it is ---- */

static u32 task_of(struct block_report *r, const struct block_event *ev, bool *wanted)
{
	struct task_at *task = task_table_at(r->tasks, ev->pid, ev->tid, ev->time);

	task_table_name(r->tasks, task, ev->comm, ev->comm_len);
	*wanted = !r->source->a || analysis_wants_task(r->source->a, task);
	return task->id;
}

static u32 stack_of(struct block_report *r, const struct block_event *ev)
{
	const struct sample *s = ev->sample;
	size_t bytes = s ? s->nr_callchain * sizeof(u64) : 0;
	u32 id;

	if (!bytes)
		return 0;
	id = intern_id(&r->chains, (const char *)s->callchain, bytes);
	if (id >= r->nr_stacks) {
		VEC_REACH(r->stacks, id, r->nr_stacks, r->cap_stacks);
		r->stacks[id] = (struct block_stack){ ev->pid, ev->tid, ev->time };
	}
	return id;
}

static u32 on_who(void *ctx, const struct block_event *ev)
{
	struct block_report *r = ctx;
	struct block_who who = { 0 };
	bool wanted;

	if (!block_devices_has(r->show->devices, ev->dev))
		return BLOCK_NOBODY;
	who.task = task_of(r, ev, &wanted);
	if (!wanted)
		return BLOCK_NOBODY;
	if (r->sums.by & BLOCK_BY_CGROUP && ev->sample)
		who.cgroup = ev->sample->cgroup;
	if (r->sums.by & BLOCK_BY_STACK)
		who.stack = stack_of(r, ev);
	return intern_id(&r->whos, (const char *)&who, sizeof(who));
}

static struct block_key key_of(const struct block_report *r, const struct block_io *io)
{
	struct block_key key = { .dev = io->dev };
	struct block_who who;

	memcpy(&who, intern_str(&r->whos, io->who), sizeof(who));
	key.task = who.task;
	key.cgroup = who.cgroup;
	key.stack = who.stack;
	memcpy(key.rwbs, io->rwbs, sizeof(key.rwbs));
	return key;
}

/* ---- sums ---- */

static bool counts(const struct block_io *io, const struct block_event *ev)
{
	return io->who != BLOCK_NOBODY && ev->wanted && ev->in_time;
}

static void on_merge(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_report *r = ctx;
	struct block_key key;

	if (!counts(io, ev))
		return;
	key = key_of(r, io);
	block_sums_merge(&r->sums, &key, io->rw.kind);
}

static void add_pair(struct block_report *r, const struct block_io *io, bool member)
{
	u64 ns;

	if (r->pairs && block_span_of(io, r->show->span, member, &ns))
		pairs_add(r->pairs, io->at[BLOCK_AT_E] - ns, io->at[BLOCK_AT_E]);
}

/* Add a request to its layer, from the first moment that is known of it on. */
static void add_layer(struct block_report *r, const struct block_io *io)
{
	u32 first = (u32)__builtin_ctz(io->seen);
	struct block_layer_sum *sum;
	u64 ns;

	VEC_REACH(r->layers, io->layer, r->nr_layers, r->cap_layers);
	sum = &r->layers[io->layer];
	sum->requests++;
	sum->sectors += io->done;
	if (!block_io_span(io, first, BLOCK_AT_E, &ns))
		return;
	sum->total += ns;
	sum->below += MIN(io->below, ns);
}

static void on_moment(void *ctx, const struct block_io *io, enum block_moment moment,
		      const struct block_event *ev)
{
	struct block_report *r = ctx;

	if (moment == BLOCK_AT_D && counts(io, ev))
		block_places_issue(&r->places, io);
}

static void on_end(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_report *r = ctx;
	struct block_key key;

	if (!counts(io, ev))
		return;
	key = key_of(r, io);
	block_sums_end(&r->sums, &key, io);
	block_places_end(&r->places, io);
	add_layer(r, io);
	add_pair(r, io, false);
}

static void on_member(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct block_report *r = ctx;
	struct block_key key;

	if (!counts(io, ev))
		return;
	key = key_of(r, io);
	block_sums_member(&r->sums, &key, io);
	add_pair(r, io, true);
}

/* ---- events ---- */

static void on_event(void *ctx, const struct block_event *ev)
{
	struct block_report *r = ctx;

	if (ev->wanted && ev->in_time) {
		if (!r->begun)
			r->first = ev->time;
		r->begun = true;
		r->last = MAX(r->last, ev->time);
	}
	block_flow_event(r->flow, ev);
}

static void on_lost(void *ctx)
{
	struct block_report *r = ctx;

	block_flow_lost(r->flow);
}

static void on_device(void *ctx, u32 dev, const char *name)
{
	struct block_report *r = ctx;

	block_names_set(&r->names, dev, name);
}

struct block_taker block_report_taker(struct block_report *r)
{
	return (struct block_taker){
		.event = on_event, .lost = on_lost, .device = on_device, .ctx = r
	};
}

/* Files of blktrace know tasks by their numbers only. */
static void task_alone(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	struct block_report *r = ctx;
	u32 *id = map64_slot(&r->alone, tid);

	if (*id == MAP64_NONE)
		*id = r->nr_alone++;
	*out = (struct task_at){ .id = *id, .pid = pid, .tid = tid, .until = UINT64_MAX };
}

struct block_report *block_report_new(const struct block_show *show,
				      const struct block_source *source)
{
	struct block_report *r = xzalloc(sizeof(*r));
	struct analysis *a = source->a;

	r->show = show;
	r->source = source;
	r->tasks = a ? analysis_tasks(a) : task_table_new(&(struct task_source){ r, task_alone });
	r->flow = block_flow_new(&(struct block_watch){
		.ctx = r,
		.who = on_who,
		.merge = on_merge,
		.moment = on_moment,
		.end = on_end,
		.member = on_member,
	});
	r->sums.by = show->by ?: BLOCK_BY_DEV | BLOCK_BY_TASK;
	if (show->histogram || show->heatmap)
		r->pairs = pairs_new(1, GRID_COLUMNS, GRID_BEGIN, GRID_STEP);
	block_names_of(&r->names, a);
	return r;
}

void block_report_free(struct block_report *r)
{
	block_flow_free(r->flow);
	block_sums_release(&r->sums);
	intern_release(&r->whos);
	intern_release(&r->chains);
	free(r->stacks);
	free(r->layers);
	block_places_release(&r->places);
	pairs_free(r->pairs);
	block_names_release(&r->names);
	if (!r->source->a)
		task_table_free(r->tasks);
	map64_release(&r->alone);
	free(r);
}
