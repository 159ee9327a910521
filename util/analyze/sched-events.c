// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-events.h"

#define CHAIN_FRAMES 128 /* addresses of a call chain that are kept */

const struct engine_event sched_events[SCHED_ALL_EVENTS] = {
	[SCHED_SWITCH] = { .names = { "sched:sched_switch" },
			   .fields = { "prev_comm", "prev_pid", "prev_state", "next_comm",
				       "next_pid", "prev_prio", "next_prio" },
			   .optional = 1U << SWITCH_PREV_COMM | 1U << SWITCH_NEXT_COMM |
				       1U << SWITCH_PREV_PRIO | 1U << SWITCH_NEXT_PRIO,
			   .required = true },
	[SCHED_WAKEUP] = { .names = { "sched:sched_waking", "sched:sched_wakeup" },
			   .fields = { "comm", "pid", "common_flags" },
			   .optional = 1U << TASK_COMM | 1U << TASK_FLAGS },
	[SCHED_WAKEUP_NEW] = { .names = { "sched:sched_wakeup_new" },
			       .fields = { "comm", "pid", "common_flags" },
			       .optional = 1U << TASK_COMM | 1U << TASK_FLAGS },
	[SCHED_MIGRATE] = { .names = { "sched:sched_migrate_task" },
			    .fields = { "comm", "pid", "orig_cpu", "dest_cpu" },
			    .optional = 1U << TASK_COMM },
	[SCHED_RUNTIME] = { .names = { "sched:sched_stat_runtime" },
			    .fields = { "comm", "pid", "runtime" },
			    .optional = 1U << TASK_COMM },
	[SCHED_FORK] = { .names = { "sched:sched_process_fork" },
			 .fields = { "child_comm", "child_pid", "parent_pid" },
			 .optional = 1U << TASK_COMM },
	[SCHED_EXIT] = { .names = { "sched:sched_process_exit" },
			 .fields = { "comm", "pid" },
			 .optional = 1U << TASK_COMM },
	[POWER_IDLE] = { .names = { "power:cpu_idle" }, .fields = { "state", "cpu_id" } },
	[POWER_FREQUENCY] = { .names = { "power:cpu_frequency" }, .fields = { "state", "cpu_id" } },
	[IRQ_ENTRY] = { .names = { "irq:irq_handler_entry" }, .fields = { "irq" } },
	[IRQ_EXIT] = { .names = { "irq:irq_handler_exit" }, .fields = { "irq" } },
	[SOFTIRQ_ENTRY] = { .names = { "irq:softirq_entry" }, .fields = { "vec" } },
	[SOFTIRQ_EXIT] = { .names = { "irq:softirq_exit" }, .fields = { "vec" } },
	[SCHED_IOWAIT] = { .names = { "sched:sched_stat_iowait" },
			   .fields = { "comm", "pid", "delay" },
			   .optional = 1U << TASK_COMM },
};

/* ---- states ---- */

static void add_letters(void *ctx, const struct tf_words *w)
{
	struct sched_states *s = ctx;

	if (!w->flags || strcmp(w->field->name, "prev_state"))
		return;
	for (u32 i = 0; i < w->nr_syms; i++) {
		const struct tf_sym *sym = &w->syms[i];

		if (sym->value && !(sym->value >> SCHED_STATES) && sym->len == 1)
			s->letters[__builtin_ctzll(sym->value)] = sym->str[0];
	}
}

void sched_states_init(struct sched_states *s, const struct tf_event *format)
{
	static const struct sched_states usual = { { 'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I' } };
	static const struct sched_states none = { { 0 } };

	*s = none;
	tf_walk_words(format, add_letters, s);
	if (!memcmp(s, &none, sizeof(none)))
		*s = usual;
}

char sched_state_letter(const struct sched_states *s, u64 state)
{
	u32 bit = state ? (u32)__builtin_ctzll(state) : 0;

	/* A bit without a letter says that the task was preempted. */
	if (!state || bit >= SCHED_STATES || !s->letters[bit])
		return 'R';
	return s->letters[bit];
}

/* ---- tasks ---- */

static const struct task_at *__attribute__((noinline))
name_task(struct task_table *t, const struct engine_input *in, struct task_at *task, u32 comm_field)
{
	size_t len;
	const char *comm = engine_text(in, comm_field, &len);

	task_table_name(t, task, comm, len);
	return task;
}

/* Return the task of a field. The event names it when no record does. */
static inline const struct task_at *task_of(struct task_table *t, const struct engine_input *in,
					    u32 pid, u32 tid, u32 comm_field)
{
	struct task_at *task = task_table_at(t, pid, tid, in->time);

	return likely(task->comm) ? task : name_task(t, in, task, comm_field);
}

const struct task_at *sched_prev(struct task_table *t, const struct engine_input *in)
{
	u32 tid = (u32)engine_number(in, SWITCH_PREV_PID);

	return task_of(t, in, tid == in->tid ? in->pid : TASK_PID_UNKNOWN, tid, SWITCH_PREV_COMM);
}

const struct task_at *sched_next(struct task_table *t, const struct engine_input *in)
{
	return task_of(t, in, TASK_PID_UNKNOWN, (u32)engine_number(in, SWITCH_NEXT_PID),
		       SWITCH_NEXT_COMM);
}

const struct task_at *sched_subject(struct task_table *t, const struct engine_input *in)
{
	return task_of(t, in, TASK_PID_UNKNOWN, (u32)engine_number(in, TASK_PID), TASK_COMM);
}

/* ---- call chains ---- */

u32 sched_chain(struct intern *chains, const struct engine_input *in)
{
	const struct sample *s = in->sample;

	if (!s || !s->nr_callchain)
		return 0;
	return intern_id(chains, (const char *)s->callchain,
			 MIN(s->nr_callchain, CHAIN_FRAMES) * sizeof(u64));
}

const u64_una *sched_chain_ips(const struct intern *chains, u32 chain, u64 *nr)
{
	*nr = chain && chain < chains->nr ? chains->lens[chain] / sizeof(u64) : 0;
	return (const u64_una *)intern_str(chains, chain);
}
