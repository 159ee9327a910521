// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kwork/kwork.h"

#include "analyze/reach.h"
#include "analyze/sched-events.h"
#include "base/alloc.h"
#include "base/intern.h"

#define SOFTIRQS 32        /* bits that the kernel has for them */
#define ANY_CPU UINT32_MAX /* of what is raised on one CPU and runs on another */

/* Events of interrupts, softirqs and works have these fields. */
enum { ITEM_ID, ITEM_NAME, ITEM_FUNCTION = ITEM_NAME };

static const struct engine_event events[KWORK_EVENTS] = {
	[KWORK_IRQ_ENTRY] = { .names = { "irq:irq_handler_entry" },
			      .fields = { "irq", "name" },
			      .optional = 1U << ITEM_NAME },
	[KWORK_IRQ_EXIT] = { .names = { "irq:irq_handler_exit" }, .fields = { "irq" } },
	[KWORK_SOFTIRQ_RAISE] = { .names = { "irq:softirq_raise" }, .fields = { "vec" } },
	[KWORK_SOFTIRQ_ENTRY] = { .names = { "irq:softirq_entry" }, .fields = { "vec" } },
	[KWORK_SOFTIRQ_EXIT] = { .names = { "irq:softirq_exit" }, .fields = { "vec" } },
	[KWORK_ACTIVATE] = { .names = { "workqueue:workqueue_activate_work" },
			     .fields = { "work" } },
	[KWORK_START] = { .names = { "workqueue:workqueue_execute_start" },
			  .fields = { "work", "function" },
			  .optional = 1U << ITEM_FUNCTION },
	[KWORK_END] = { .names = { "workqueue:workqueue_execute_end" }, .fields = { "work" } },
	[KWORK_SWITCH] = { .names = { "sched:sched_switch" },
			   .fields = { "prev_comm", "prev_pid", "prev_state", "next_comm",
				       "next_pid" },
			   .optional = 1U << SWITCH_PREV_COMM | 1U << SWITCH_PREV_STATE |
				       1U << SWITCH_NEXT_COMM },
};

static const enum kwork_class class_of[KWORK_EVENTS] = {
	[KWORK_IRQ_ENTRY] = KWORK_IRQ,         [KWORK_IRQ_EXIT] = KWORK_IRQ,
	[KWORK_SOFTIRQ_RAISE] = KWORK_SOFTIRQ, [KWORK_SOFTIRQ_ENTRY] = KWORK_SOFTIRQ,
	[KWORK_SOFTIRQ_EXIT] = KWORK_SOFTIRQ,  [KWORK_ACTIVATE] = KWORK_WORKQUEUE,
	[KWORK_START] = KWORK_WORKQUEUE,       [KWORK_END] = KWORK_WORKQUEUE,
	[KWORK_SWITCH] = KWORK_SCHED,
};

/* The key of an item, or of what is open. It has no padding. */
struct key {
	u64 id;
	u32 class, cpu;
};

/*
 * Something was raised or runs, and what comes next is awaited. The kernel forgets which softirqs
 * were raised before it handles the first of them, so that one that is raised again until it begins
 * may run twice. Whether it does is known when it has begun a second time.
 */
struct open {
	bool raised, running, delayed;
	bool again; /* it was raised once more before it began */
	u64 raised_at, again_at, began_at, delay;
	u32 item; /* of a run */
};

struct kwork {
	struct kwork_conf conf;
	struct intern names, keys, open_keys;
	u32 softirqs[SOFTIRQS];   /* numbers of their names */
	struct kwork_item *items; /* owned; by the number of their keys */
	u32 nr_items;
	size_t cap_items;
	struct open *open; /* owned; by the number of their keys */
	u32 nr_open;
	size_t cap_open;
	u64 *lost; /* owned; by CPU: before this time events of it were lost last */
	u32 nr_lost;
	size_t cap_lost;
	u64 lost_any; /* the same of all CPUs */
	u64 first, last;
	bool begun;
	struct kwork_missing missing;
};

struct kwork *kwork_new(const struct kwork_conf *conf)
{
	struct kwork *k = xzalloc(sizeof(*k));

	k->conf = *conf;
	return k;
}

void kwork_free(struct kwork *k)
{
	if (!k)
		return;
	intern_release(&k->names);
	intern_release(&k->keys);
	intern_release(&k->open_keys);
	free(k->items);
	free(k->open);
	free(k->lost);
	free(k);
}

/* ---- items ---- */

static u32 key_id(struct intern *keys, enum kwork_class class, u32 cpu, u64 id)
{
	const struct key key = { id, class, cpu };

	return intern_id(keys, (const char *)&key, sizeof(key));
}

static struct open *open_of(struct kwork *k, enum kwork_class class, u32 cpu, u64 id)
{
	u32 at = key_id(&k->open_keys, class, class == KWORK_WORKQUEUE ? ANY_CPU : cpu, id);

	VEC_REACH(k->open, at, k->nr_open, k->cap_open);
	return &k->open[at];
}

/* Return the number of an item. Number 0 stays unused. */
static u32 item_of(struct kwork *k, enum kwork_class class, u32 cpu, u64 id)
{
	u32 at = key_id(&k->keys, class, cpu, id);

	if (at >= k->nr_items) {
		VEC_REACH(k->items, at, k->nr_items, k->cap_items);
		k->items[at] = (struct kwork_item){ class, cpu, id, .name = "" };
	}
	return at;
}

/* Events were lost since then, on the CPU where the end was to be seen. */
static bool torn(const struct kwork *k, enum kwork_class class, u32 cpu, u64 since)
{
	if (class == KWORK_WORKQUEUE)
		return since < k->lost_any;
	return cpu < k->nr_lost && since < k->lost[cpu];
}

static void add_span(struct kwork_spans *s, u64 start, u64 end)
{
	s->count++;
	s->total += end - start;
	if (s->count > 1 && end - start <= s->max)
		return;
	s->max = end - start;
	s->max_start = start;
	s->max_end = end;
}

/* ---- steps of an item ---- */

/* Work that is raised again before it begins waits since the first time. */
static void raise_item(struct kwork *k, const struct engine_input *in, enum kwork_class class)
{
	u64 id = engine_number(in, ITEM_ID);
	struct open *o = open_of(k, class, in->cpu, id);

	if (o->raised && !torn(k, class, in->cpu, o->raised_at)) {
		o->again = class == KWORK_SOFTIRQ;
		o->again_at = in->time;
		return;
	}
	k->missing.raises += o->raised;
	o->raised = true;
	o->again = false;
	o->raised_at = in->time;
}

static void end_delay(struct kwork *k, const struct engine_input *in, struct kwork_item *item,
		      struct open *o)
{
	u64 since = o->raised ? o->raised_at : o->again_at;
	bool known = o->raised || o->again;

	o->again &= o->raised;
	if (!known || since > in->time || torn(k, item->class, in->cpu, since)) {
		k->missing.unraised++;
		return;
	}
	o->delayed = true;
	o->delay = in->time - since;
	add_span(&item->delays, since, in->time);
}

static struct kwork_item *begin(struct kwork *k, const struct engine_input *in,
				enum kwork_class class, u64 id)
{
	struct open *o = open_of(k, class, in->cpu, id);
	u32 at = item_of(k, class, in->cpu, id);
	struct kwork_item *item = &k->items[at];

	k->missing.unended += o->running;
	o->delayed = false;
	if (class == KWORK_SOFTIRQ || class == KWORK_WORKQUEUE)
		end_delay(k, in, item, o);
	o->raised = false;
	o->running = true;
	o->began_at = in->time;
	o->item = at;
	return item;
}

/* Tell of the delay of an item that has begun and has its name. */
static void tell_delay(struct kwork *k, const struct engine_input *in,
		       const struct kwork_item *item)
{
	const struct open *o;

	if (!k->conf.delay)
		return;
	o = open_of(k, item->class, in->cpu, item->id);
	if (o->delayed)
		k->conf.delay(k->conf.ctx, item, in->time - o->delay, in->time);
}

static void end(struct kwork *k, const struct engine_input *in, enum kwork_class class, u64 id)
{
	struct open *o = open_of(k, class, in->cpu, id);
	struct kwork_run run;

	if (!o->running || o->began_at > in->time || torn(k, class, in->cpu, o->began_at)) {
		k->missing.ends++;
		o->running = false;
		return;
	}
	o->running = false;
	add_span(&k->items[o->item].runs, o->began_at, in->time);
	run = (struct kwork_run){ &k->items[o->item], o->began_at, in->time, o->delayed, o->delay };
	if (k->conf.run)
		k->conf.run(k->conf.ctx, &run, in);
}

static void name_item(struct kwork *k, struct kwork_item *item, const struct engine_input *in,
		      u32 field)
{
	size_t len;
	const char *text;

	if (*item->name)
		return;
	text = engine_text(in, field, &len);
	item->name = intern_str(&k->names, intern_id(&k->names, text, len));
}

/* A task leaves its CPU and another one enters it. The idle task is no work. */
static void change_task(struct kwork *k, const struct engine_input *in)
{
	u64 prev = (u32)engine_number(in, SWITCH_PREV_PID);
	u64 next = (u32)engine_number(in, SWITCH_NEXT_PID);

	if (prev)
		end(k, in, KWORK_SCHED, prev);
	if (next)
		name_item(k, begin(k, in, KWORK_SCHED, next), in, SWITCH_NEXT_COMM);
}

static void begin_softirq(struct kwork *k, const struct engine_input *in)
{
	u64 vec = engine_number(in, ITEM_ID);
	struct kwork_item *item = begin(k, in, KWORK_SOFTIRQ, vec);

	if (vec < SOFTIRQS)
		item->name = intern_str(&k->names, k->softirqs[vec]);
	tell_delay(k, in, item);
}

static void begin_work(struct kwork *k, const struct engine_input *in)
{
	struct kwork_item *item = begin(k, in, KWORK_WORKQUEUE, engine_number(in, ITEM_ID));

	item->function = engine_number(in, ITEM_FUNCTION);
	tell_delay(k, in, item);
}

/* ---- the engine ---- */

static void feed(void *state, const struct engine_input *in)
{
	struct kwork *k = state;
	u64 id = in->event == KWORK_SWITCH ? 0 : engine_number(in, ITEM_ID);

	if (!in->wanted || !in->in_time)
		return;
	if (!k->begun)
		k->first = in->time;
	k->begun = true;
	k->last = in->time;
	switch ((enum kwork_event)in->event) {
	case KWORK_IRQ_ENTRY:
		name_item(k, begin(k, in, KWORK_IRQ, id), in, ITEM_NAME);
		break;
	case KWORK_SOFTIRQ_RAISE:
	case KWORK_ACTIVATE:
		raise_item(k, in, class_of[in->event]);
		break;
	case KWORK_SOFTIRQ_ENTRY:
		begin_softirq(k, in);
		break;
	case KWORK_START:
		begin_work(k, in);
		break;
	case KWORK_IRQ_EXIT:
	case KWORK_SOFTIRQ_EXIT:
	case KWORK_END:
		end(k, in, class_of[in->event], id);
		break;
	case KWORK_SWITCH:
		change_task(k, in);
		break;
	case KWORK_EVENTS:
		break;
	}
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct kwork *k = state;

	k->lost_any = MAX(k->lost_any, time);
	if (cpu >= SCHED_MAX_CPUS)
		return;
	VEC_REACH(k->lost, cpu, k->nr_lost, k->cap_lost);
	k->lost[cpu] = MAX(k->lost[cpu], time);
}

static void finish(void *state)
{
	struct kwork *k = state;

	for (u32 i = 0; i < k->nr_open; i++) {
		k->missing.raises += k->open[i].raised;
		k->missing.unended += k->open[i].running;
	}
}

static void add_names(void *ctx, const struct tf_words *w)
{
	struct kwork *k = ctx;

	if (w->flags || strcmp(w->field->name, "vec"))
		return;
	for (u32 i = 0; i < w->nr_syms; i++)
		if (w->syms[i].value < SOFTIRQS)
			k->softirqs[w->syms[i].value] =
				intern_id(&k->names, w->syms[i].str, w->syms[i].len);
}

/* The format of the file tells the names of softirqs. */
static void bound(void *state, u32 event, const struct tf_event *format)
{
	if (event == KWORK_SOFTIRQ_ENTRY)
		tf_walk_words(format, add_names, state);
}

struct engine kwork_engine(const char *name, u32 classes)
{
	struct engine e = {
		.name = name,
		.record = "perf kwork record",
		.events = events,
		.nr_events = KWORK_EVENTS,
		.any = true,
		.bound = bound,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};

	for (u32 i = 0; i < KWORK_EVENTS; i++)
		if (!(classes & KWORK_BIT(class_of[i])))
			e.unused |= 1U << i;
	return e;
}

void kwork_add(struct kwork *k, const struct kwork_item *item)
{
	u32 at = item_of(k, item->class, item->cpu, item->id);
	u32 name = intern_str_id(&k->names, item->name);

	if (!*item->name && item->class == KWORK_SOFTIRQ && item->id < SOFTIRQS)
		name = k->softirqs[item->id];
	k->items[at] = *item;
	k->items[at].name = intern_str(&k->names, name);
}

/* ---- results ---- */

const struct kwork_item *kwork_items(const struct kwork *k, size_t *nr)
{
	*nr = k->nr_items ? k->nr_items - 1 : 0;
	return k->nr_items ? k->items + 1 : NULL;
}

const struct kwork_missing *kwork_missing(const struct kwork *k)
{
	return &k->missing;
}

u64 kwork_time(const struct kwork *k)
{
	return k->last - k->first;
}
