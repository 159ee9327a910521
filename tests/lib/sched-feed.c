// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "sched-feed.h"

#include <stdio.h>

#define COMM 16

struct payload {
	char comm[COMM], next_comm[COMM];
	u64 value;
	u32 task, next, prio;
};

#define TEXT(member)                                                                               \
	{                                                                                          \
		offsetof(struct payload, member), .is_text = true, .text_size = COMM               \
	}
#define NUMBER(member, bytes)                                                                      \
	{                                                                                          \
		offsetof(struct payload, member), .size = (bytes)                                  \
	}

static const struct engine_binding of_switch = {
	.used = true,
	.payload = sizeof(struct payload),
	.at = { TEXT(comm), NUMBER(task, 4), NUMBER(value, 8), TEXT(next_comm), NUMBER(next, 4),
		NUMBER(prio, 4), NUMBER(prio, 4) },
};

static const struct engine_binding of_task = {
	.used = true,
	.payload = sizeof(struct payload),
	.at = { TEXT(comm), NUMBER(task, 4), NUMBER(value, 8), NUMBER(next, 4) },
};

static const struct engine_binding of_power = {
	.used = true,
	.payload = sizeof(struct payload),
	.at = { NUMBER(value, 8), NUMBER(task, 4) },
};

static const struct engine_binding of_interrupt = {
	.used = true,
	.payload = sizeof(struct payload),
	.at = { NUMBER(value, 8) },
};

static const struct engine_binding *binding_of(u32 event)
{
	if (event == SCHED_SWITCH)
		return &of_switch;
	if (event == POWER_IDLE || event == POWER_FREQUENCY)
		return &of_power;
	return event >= IRQ_ENTRY && event != SCHED_IOWAIT ? &of_interrupt : &of_task;
}

void sched_feed(const struct engine *e, void *state, const struct sched_step *steps)
{
	sched_feed_span(e, state, steps, 0, UINT64_MAX);
}

void sched_feed_span(const struct engine *e, void *state, const struct sched_step *steps, u64 start,
		     u64 end)
{
	static const struct tf_event no_words = { 0 };

	if (e->bound)
		e->bound(state, SCHED_SWITCH, &no_words);
	for (; steps->time; steps++) {
		struct payload p = { .value = steps->value,
				     .task = steps->task,
				     .next = steps->next,
				     .prio = steps->prio };
		const struct sample sample = { .cgroup = steps->cgroup };
		u32 tid = !steps->by ? steps->task : steps->by == SCHED_BY_IDLE ? 0 : steps->by;

		if (steps->event == SCHED_STEP_LOST) {
			e->lost(state, steps->cpu, steps->time);
			continue;
		}
		snprintf(p.comm, COMM, "task%u", steps->task);
		snprintf(p.next_comm, COMM, "task%u", steps->next);
		e->feed(state, &(struct engine_input){
				       .time = steps->time,
				       .cpu = steps->cpu,
				       .pid = tid,
				       .tid = tid,
				       .event = steps->event,
				       .wanted = !steps->other,
				       .in_time = steps->time >= start && steps->time <= end,
				       .bound = binding_of(steps->event),
				       .raw = (const u8 *)&p,
				       .raw_size = sizeof(p),
				       .sample = &sample,
			       });
	}
	if (e->finish)
		e->finish(state);
}

static void task_of_tid(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ .id = tid, .pid = tid, .tid = tid, .until = UINT64_MAX };
}

struct task_table *sched_feed_tasks(void)
{
	return task_table_new(&(struct task_source){ NULL, task_of_tid });
}
