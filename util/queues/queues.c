// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "queues/queues.h"

#include "analyze/engine.h"
#include "analyze/reach.h"
#include "analyze/sched-events.h"
#include "base/intern.h"
#include "queues/open-table.h"

#define BIT(n) (1U << (n))

static const struct engine_event events[QUEUES_EVENTS] = {
	/* The first one tells the workqueue; the other one at least when the work was there. */
	[QUEUES_WORK_QUEUED] = { .names = { "workqueue:workqueue_queue_work",
					    "workqueue:workqueue_activate_work" },
				 .fields = { "work", "workqueue", "common_flags" },
				 .optional = BIT(WORK_QUEUE) | BIT(WORK_FLAGS) },
	[QUEUES_WORK_BEGINS] = { .names = { "workqueue:workqueue_execute_start" },
				 .fields = { "work" } },
	[QUEUES_WORK_ENDS] = { .names = { "workqueue:workqueue_execute_end" },
			       .fields = { "work" } },
	[QUEUES_ISSUE] = { .names = { "block:block_rq_issue" },
			   .fields = { "dev", "sector", "nr_sector", "common_flags" },
			   .optional = BIT(REQUEST_FLAGS) },
	[QUEUES_REQUEUE] = { .names = { "block:block_rq_requeue" },
			     .fields = { "dev", "sector", "nr_sector" } },
	[QUEUES_COMPLETE] = { .names = { "block:block_rq_complete" },
			      .fields = { "dev", "sector", "nr_sector" } },
	[QUEUES_BIO_QUEUED] = { .names = { "block:block_bio_queue" },
				.fields = { "dev", "sector", "nr_sector", "common_flags" },
				.optional = BIT(REQUEST_FLAGS) },
	[QUEUES_BIO_COMPLETE] = { .names = { "block:block_bio_complete" },
				  .fields = { "dev", "sector", "nr_sector" } },
	[QUEUES_GUEST_ENTRY] = { .names = { "kvm:kvm_entry" },
				 .fields = { "vcpu_id" },
				 .optional = BIT(GUEST_VCPU) },
	/* arm64 calls the reason of an exit "ret". */
	[QUEUES_GUEST_EXIT] = { .names = { "kvm:kvm_exit" },
				.fields = { "vcpu_id", "exit_reason", "ret" },
				.optional = BIT(GUEST_VCPU) | BIT(GUEST_REASON) |
					    BIT(GUEST_REASON + 1) },
};

/* It tells what a queue has to do while events are fed. */
struct load {
	u32 waiting, running;
	u64 arrow; /* ns; when the last one that was kept has ended */
};

/*
 * Bios are queued to each device, but only where no driver makes requests of them is it told that
 * they are complete. So a device counts as one of bios when the first one is.
 */
struct bio_device {
	u32 dev;
	u32 open; /* bios that are not complete so far */
	bool shown, has_requests;
};

struct queues {
	struct queues_conf conf;
	struct queue_lanes result; /* its arrays are owned */
	size_t cap, cap_arrows;
	struct load *loads; /* owned; by the number of the queue */
	u32 nr_loads;
	size_t cap_loads;
	struct intern keys, names;
	struct open_table open;
	struct bio_device *bios; /* owned */
	size_t nr_bios, cap_bios;
	u64 from, until; /* the time that is looked at */
	bool started;
	u64 bytes, most_bytes; /* of the lanes and arrows; when they are thinned out next */
};

/* The key of a queue. It has no padding. */
struct key {
	u64 kind, id;
};

struct queues *queues_new(const struct queues_conf *conf)
{
	struct queues *q = xzalloc(sizeof(*q));

	q->conf = *conf;
	q->conf.most_bytes = conf->most_bytes ? conf->most_bytes : QUEUES_BYTES;
	q->most_bytes = q->conf.most_bytes;
	q->until = UINT64_MAX;
	return q;
}

void queues_free(struct queues *q)
{
	if (!q)
		return;
	for (u32 i = 0; i < q->result.nr; i++)
		lane_release(&q->result.v[i].lane);
	free(q->result.v);
	free(q->result.arrows);
	free(q->loads);
	free(q->bios);
	intern_release(&q->keys);
	intern_release(&q->names);
	open_table_clear(&q->open);
	free(q);
}

const struct queue_lanes *queues_result(const struct queues *q)
{
	return &q->result;
}

/* ---- lanes and arrows ---- */

/* Return the number of a queue. */
static u32 queue_of(struct queues *q, enum queue_kind kind, u64 id, const char *name)
{
	const struct key key = { kind, id };
	u32 at = intern_id(&q->keys, (const char *)&key, sizeof(key)) - 1; /* 0 is the empty key */

	if (at < q->result.nr)
		return at;
	VEC_GROW(q->result.v, q->result.nr + 1, q->cap);
	q->result.v[q->result.nr++] =
		(struct queue){ .kind = kind, .id = id, .name = name, .vcpu = UINT32_MAX };
	VEC_REACH(q->loads, at, q->nr_loads, q->cap_loads);
	return at;
}

/* Count what has been added. Once there is too much of it, the lanes go on with less detail, and
 * with less again after each further eighth. */
static void count_bytes(struct queues *q, u64 bytes)
{
	q->bytes += bytes;
	if (likely(q->bytes < q->most_bytes))
		return;
	q->result.grain = lane_next_grain(q->result.grain);
	q->most_bytes += q->conf.most_bytes / 8;
}

static void change(struct queues *q, u32 queue, u64 time, enum lane_kind kind, u32 value)
{
	struct lane *lane = &q->result.v[queue].lane;
	u64 before = lane_bytes(lane);

	q->result.left_out += lane_add_coarse(lane, q->result.grain, time, kind, value);
	count_bytes(q, lane_bytes(lane) - before);
}

/* Let the lane tell what the queue has to do now. */
static void show_load(struct queues *q, u32 queue, u64 time)
{
	const struct load *l = &q->loads[queue];

	if (l->running)
		change(q, queue, time, LANE_RUNNING, l->running);
	else if (l->waiting)
		change(q, queue, time, LANE_RUNNABLE, l->waiting);
	else
		change(q, queue, time, LANE_IDLE, 0);
}

/* Something is complete. */
static void add_arrow(struct queues *q, const struct open_item *item, u64 end)
{
	struct queue_lanes *r = &q->result;
	struct load *l = &q->loads[item->queue];

	if (r->grain && end < l->arrow + r->grain) {
		r->left_out++;
		return;
	}
	l->arrow = end;
	count_bytes(q, sizeof(*r->arrows));
	VEC_GROW(r->arrows, r->nr_arrows + 1, q->cap_arrows);
	r->arrows[r->nr_arrows++] =
		(struct queue_arrow){ MIN(item->since, end), end, item->queue, item->task };
}

/* Return the task that asks for something by an event. @flags: number of the field that tells
 * whether it happens in an interrupt */
static u32 asking(struct queues *q, const struct engine_input *in, u32 flags)
{
	if (!in->tid || in->tid == UINT32_MAX || engine_number(in, flags) & TASK_FLAGS_INTERRUPT)
		return QUEUE_NOBODY;
	return task_table_at(q->conf.tasks, in->pid, in->tid, in->time)->id;
}

/* ---- works ---- */

/* Return the workqueue of an event. Old kernels tell its address, and some events nothing. */
static u32 workqueue_of(struct queues *q, const struct engine_input *in)
{
	const struct engine_place *at = &in->bound->at[WORK_QUEUE];
	char text[24] = "";
	const char *name;
	size_t len = 0;
	u32 id;

	name = engine_text(in, WORK_QUEUE, &len);
	if (!len && at->size && !at->is_text) {
		len = (size_t)snprintf(text, sizeof(text), "0x%" PRIx64,
				       engine_number(in, WORK_QUEUE));
		name = text;
	}
	id = intern_id(&q->names, name, len);
	return queue_of(q, QUEUE_WORKQUEUE, id, intern_str(&q->names, id));
}

static void feed_queued(struct queues *q, const struct engine_input *in)
{
	struct open_item item = { .key = { OPEN_WAITING, 0, engine_number(in, WORK_ADDRESS) },
				  .since = in->time };

	if (open_table_find(&q->open, &item.key))
		return;
	item.queue = workqueue_of(q, in);
	item.task = asking(q, in, WORK_FLAGS);
	open_table_add(&q->open, &item);
	q->loads[item.queue].waiting++;
	show_load(q, item.queue, in->time);
}

static void feed_begins(struct queues *q, const struct engine_input *in)
{
	struct open_item item = { .key = { OPEN_WAITING, 0, engine_number(in, WORK_ADDRESS) },
				  .since = in->time,
				  .task = QUEUE_NOBODY };
	struct open_item *waiting = open_table_find(&q->open, &item.key);

	if (waiting) {
		item = *waiting;
		open_table_remove(&q->open, waiting);
		q->loads[item.queue].waiting--;
	} else {
		item.queue = queue_of(q, QUEUE_WORKQUEUE, 0, "");
	}
	item.key.what = OPEN_EXECUTED;
	if (open_table_find(&q->open, &item.key)) /* its end is missing */
		return show_load(q, item.queue, in->time);
	open_table_add(&q->open, &item);
	q->loads[item.queue].running++;
	show_load(q, item.queue, in->time);
}

static void feed_ends(struct queues *q, const struct engine_input *in)
{
	const struct open_key key = { OPEN_EXECUTED, 0, engine_number(in, WORK_ADDRESS) };
	struct open_item *item = open_table_find(&q->open, &key);
	u32 queue;

	if (!item)
		return;
	queue = item->queue;
	add_arrow(q, item, in->time);
	open_table_remove(&q->open, item);
	q->loads[queue].running--;
	show_load(q, queue, in->time);
}

/* ---- requests ---- */

#define NO_SECTOR UINT64_MAX /* of commands without data: a flush */

static struct open_key request_key(const struct engine_input *in)
{
	u64 sector = engine_number(in, REQUEST_SECTOR);
	bool data = engine_number(in, REQUEST_SECTORS);

	return (struct open_key){ OPEN_REQUEST, (u32)engine_number(in, REQUEST_DEVICE),
				  data ? sector : NO_SECTOR };
}

/* Return what is known of the bios of a device. It is valid until the next call. */
static struct bio_device *bios_of(struct queues *q, u32 dev)
{
	for (size_t i = 0; i < q->nr_bios; i++)
		if (q->bios[i].dev == dev)
			return &q->bios[i];
	VEC_GROW(q->bios, q->nr_bios + 1, q->cap_bios);
	q->bios[q->nr_bios] = (struct bio_device){ .dev = dev };
	return &q->bios[q->nr_bios++];
}

static void feed_issue(struct queues *q, const struct engine_input *in)
{
	struct open_item item = { .key = request_key(in),
				  .since = in->time,
				  .sectors = (u32)engine_number(in, REQUEST_SECTORS) };

	if (open_table_find(&q->open, &item.key)) /* it was given back and is issued again */
		return;
	bios_of(q, item.key.dev)->has_requests = true;
	item.queue = queue_of(q, QUEUE_DEVICE, item.key.dev, "");
	item.task = asking(q, in, REQUEST_FLAGS);
	open_table_add(&q->open, &item);
	q->loads[item.queue].running++;
	show_load(q, item.queue, in->time);
}

/* Take a request away from the driver. @complete: it has done it */
static void end_request(struct queues *q, const struct engine_input *in, bool complete)
{
	const struct open_key key = request_key(in);
	u64 sector = engine_number(in, REQUEST_SECTOR);
	u32 sectors = (u32)engine_number(in, REQUEST_SECTORS);
	struct open_item *slot, item;

	/* A write with flushes around it completes twice, the second time without sectors. */
	if (complete && key.id == NO_SECTOR && sector && sector != NO_SECTOR)
		return;
	slot = open_table_find(&q->open, &key);
	if (!slot)
		return;
	item = *slot;
	open_table_remove(&q->open, slot);
	if (complete && sectors < item.sectors) { /* the rest of it follows */
		item.key.id += sectors;
		item.sectors -= sectors;
		if (!open_table_find(&q->open, &item.key)) {
			open_table_add(&q->open, &item);
			return;
		}
	}
	if (complete)
		add_arrow(q, &item, in->time);
	q->loads[item.queue].running--;
	show_load(q, item.queue, in->time);
}

/* ---- bios of devices without requests ---- */

#define MOST_OPEN_BIOS 4096 /* of a device that may be one of requests */

static void feed_bio_queued(struct queues *q, const struct engine_input *in)
{
	struct open_item item = {
		.key = { OPEN_BIO, (u32)engine_number(in, REQUEST_DEVICE),
			 engine_number(in, REQUEST_SECTOR) },
		.since = in->time,
	};
	struct bio_device *d = bios_of(q, item.key.dev);

	if (d->has_requests || (!d->shown && d->open >= MOST_OPEN_BIOS) ||
	    open_table_find(&q->open, &item.key))
		return;
	d->open++;
	if (d->shown)
		item.queue = queue_of(q, QUEUE_DEVICE, item.key.dev, "");
	item.task = asking(q, in, REQUEST_FLAGS);
	open_table_add(&q->open, &item);
	if (d->shown) {
		q->loads[item.queue].running++;
		show_load(q, item.queue, in->time);
	}
}

static void feed_bio_complete(struct queues *q, const struct engine_input *in)
{
	const struct open_key key = { OPEN_BIO, (u32)engine_number(in, REQUEST_DEVICE),
				      engine_number(in, REQUEST_SECTOR) };
	struct bio_device *d = bios_of(q, key.dev);
	struct open_item *slot = open_table_find(&q->open, &key), item;

	if (d->has_requests || !slot)
		return;
	item = *slot;
	open_table_remove(&q->open, slot);
	item.queue = queue_of(q, QUEUE_DEVICE, key.dev, "");
	q->loads[item.queue].running = --d->open;
	d->shown = true;
	add_arrow(q, &item, in->time);
	show_load(q, item.queue, in->time);
}

/* ---- guests ---- */

static void feed_guest(struct queues *q, const struct engine_input *in, bool enters)
{
	const struct engine_place *at = in->bound->at;
	u32 reason = at[GUEST_REASON].size ? GUEST_REASON : GUEST_REASON + 1;
	u32 queue;

	if (!in->tid || in->tid == UINT32_MAX)
		return;
	queue = queue_of(q, QUEUE_VCPU,
			 task_table_at(q->conf.tasks, in->pid, in->tid, in->time)->id, "");
	if (at[GUEST_VCPU].size)
		q->result.v[queue].vcpu = (u32)engine_number(in, GUEST_VCPU);
	if (enters)
		change(q, queue, in->time, LANE_RUNNING, in->cpu);
	else
		change(q, queue, in->time, LANE_INTERRUPT, (u32)engine_number(in, reason));
}

/* ---- the engine ---- */

static void feed_event(struct queues *q, const struct engine_input *in)
{
	switch (in->event) {
	case QUEUES_WORK_QUEUED:
		return feed_queued(q, in);
	case QUEUES_WORK_BEGINS:
		return feed_begins(q, in);
	case QUEUES_WORK_ENDS:
		return feed_ends(q, in);
	case QUEUES_ISSUE:
		return feed_issue(q, in);
	case QUEUES_REQUEUE:
		return end_request(q, in, false);
	case QUEUES_COMPLETE:
		return end_request(q, in, true);
	case QUEUES_BIO_QUEUED:
		return feed_bio_queued(q, in);
	case QUEUES_BIO_COMPLETE:
		return feed_bio_complete(q, in);
	case QUEUES_GUEST_ENTRY:
	case QUEUES_GUEST_EXIT:
		return feed_guest(q, in, in->event == QUEUES_GUEST_ENTRY);
	}
}

/* What a queue does may be told on any CPU, so that the filter of CPUs does not apply. */
static void feed(void *state, const struct engine_input *in)
{
	struct queues *q = state;

	if (unlikely(!q->started)) {
		q->started = true;
		q->result.start = in->time;
		if (q->conf.window)
			q->conf.window(q->conf.ctx, &q->from, &q->until);
	}
	q->result.end = MAX(q->result.end, MIN(in->time, q->until));
	if (in->time <= q->until)
		feed_event(q, in);
}

/* Events of a CPU are missing: that of any request may be among them. */
static void lost(void *state, u32 cpu, u64 time)
{
	struct queues *q = state;

	q->result.gaps += q->open.nr > 0;
	open_table_clear(&q->open);
	for (size_t i = 0; i < q->nr_bios; i++)
		q->bios[i].open = 0;
	for (u32 i = 0; i < q->result.nr; i++) {
		q->loads[i].waiting = q->loads[i].running = 0;
		change(q, i, time, LANE_NONE, 0);
	}
}

void queues_go_on(struct queues *q, u64 end)
{
	struct queue_lanes *r = &q->result;

	if (!q->started)
		return;
	r->end = MAX(r->end, end);
	for (u32 i = 0; i < r->nr; i++)
		lane_finish(&r->v[i].lane, r->end);
}

static void finish(void *state)
{
	struct queues *q = state;
	struct queue_lanes *r = &q->result;

	queues_go_on(q, r->end);
	r->start = MIN(MAX(r->start, q->from), r->end);
}

const struct engine *queues_engine(void)
{
	static const struct engine e = {
		.name = "queues",
		.record = "perf record -a -e 'workqueue:*' -e block:block_rq_issue "
			  "-e block:block_rq_complete -e block:block_bio_queue "
			  "-e block:block_bio_complete",
		.events = events,
		.nr_events = QUEUES_EVENTS,
		.any = true,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};

	return &e;
}

/* ---- text ---- */

static void put_number_of(u32 n, const char *what, const char *does, struct strbuf *out)
{
	strbuf_addf(out, "%u %s%s %s", n, what, n == 1 ? "" : "s", does);
}

void queue_interval_text(const struct queue *q, const struct lane_interval *i, struct strbuf *out)
{
	const char *things = q->kind == QUEUE_DEVICE ? "request" : "work";

	if (i->kind == LANE_RUNNING && q->kind == QUEUE_VCPU)
		strbuf_addf(out, "guest runs on CPU %u", i->value);
	else if (i->kind == LANE_INTERRUPT)
		strbuf_addf(out, "host handles exit %u", i->value);
	else if (i->kind == LANE_RUNNING)
		put_number_of(i->value, things, q->kind == QUEUE_DEVICE ? "in flight" : "executed",
			      out);
	else if (i->kind == LANE_RUNNABLE)
		put_number_of(i->value, things, "waiting", out);
	else
		strbuf_addstr(out, lane_kind_name(i->kind));
}
