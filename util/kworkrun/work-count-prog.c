// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that count runs and delays. Arguments of the raw tracepoints are
 *
 *	irq_handler_entry, irq_handler_exit		number, action
 *	softirq_raise, softirq_entry, softirq_exit	number
 *	workqueue_activate_work, _execute_start		work
 *	workqueue_execute_end				work, function
 *
 * An interrupt or softirq of a CPU, and a work, run once at a time: their sums are changed by one
 * program only.
 */
#include "base/compat.h"

#include "kworkrun/work-count-internal.h"

/* The programs use their stack at these offsets. */
enum {
	S_PEEK = -8,
	S_KEY = S_PEEK - (int)sizeof(struct work_key),
	S_OPEN = S_KEY - (int)sizeof(struct work_open),
	S_SUM_KEY = S_OPEN - (int)sizeof(struct work_key),
	S_VALUE = S_SUM_KEY - (int)sizeof(struct work_value),
};

enum { R_CTX = BPF_REG_6, R_OPEN = BPF_REG_7, R_SINCE = BPF_REG_8, R_NOW = BPF_REG_9 };

#define KEY(member) ((int)offsetof(struct work_key, member))
#define OPEN(member) ((int)offsetof(struct work_open, member))
#define SPAN(member) ((int)offsetof(struct kwork_spans, member))
#define VALUE(member) ((int)offsetof(struct work_value, member))

/* Emit: goto @out unless it is counted now and here; the key is what the tracepoint is about */
static void take_key(struct bpf_code *c, const struct work_count *w, enum kwork_class class,
		     int out)
{
	bpf_movval(c, BPF_REG_1, w->ctl, offsetof(struct work_ctl, enabled));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	bpf_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_0);
	bpf_store(c, BPF_W, BPF_REG_10, S_KEY + KEY(cpu), BPF_REG_0);
	want_chosen_cpu(c, w->cpus, S_PEEK, out);
	bpf_load(c, BPF_DW, BPF_REG_1, R_CTX, 0);
	if (class == KWORK_WORKQUEUE) {
		bpf_storei(c, BPF_W, BPF_REG_10, S_KEY + KEY(cpu), WORK_ANY_CPU);
	} else {
		bpf_alui(c, BPF_LSH, BPF_REG_1, 32);
		bpf_alui(c, BPF_RSH, BPF_REG_1, 32);
	}
	bpf_store(c, BPF_DW, BPF_REG_10, S_KEY + KEY(id), BPF_REG_1);
	bpf_storei(c, BPF_W, BPF_REG_10, S_KEY + KEY(class), class);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_mov(c, R_NOW, BPF_REG_0);
}

/* Emit: R_OPEN = what is open, which is made unless it is there; goto @out when there is no room */
static void find_open(struct bpf_code *c, const struct work_count *w, int out)
{
	int have = bpf_label(c);

	bpf_lookup(c, w->open, S_KEY);
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, have);
	for (int i = 0; i < (int)sizeof(struct work_open); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_OPEN + i, 0);
	bpf_update(c, w->open, S_KEY, S_OPEN, BPF_ANY);
	bpf_lookup(c, w->open, S_KEY);
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, have);
	bpf_count_up(c, w->ctl, offsetof(struct work_ctl, lost));
	bpf_goto(c, out);
	bpf_bind(c, have);
}

/* Emit: the key of the sum: that of what is open, on the CPU at @cpu */
static void take_sum_key(struct bpf_code *c, int base, int cpu)
{
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_KEY + KEY(id));
	bpf_store(c, BPF_DW, BPF_REG_10, S_SUM_KEY + KEY(id), BPF_REG_1);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_KEY + KEY(class));
	bpf_store(c, BPF_W, BPF_REG_10, S_SUM_KEY + KEY(class), BPF_REG_1);
	bpf_load(c, BPF_DW, BPF_REG_1, base, cpu);
	bpf_store(c, BPF_W, BPF_REG_10, S_SUM_KEY + KEY(cpu), BPF_REG_1);
}

/* Emit: r0 = the sum, which is made unless it is there; goto @out when there is no room */
static void find_sum(struct bpf_code *c, const struct work_count *w, int out)
{
	int have = bpf_label(c);

	bpf_lookup(c, w->sums, S_SUM_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, have);
	for (int i = 0; i < (int)sizeof(struct work_value); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_VALUE + i, 0);
	bpf_update(c, w->sums, S_SUM_KEY, S_VALUE, BPF_ANY);
	bpf_lookup(c, w->sums, S_SUM_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, have);
	bpf_count_up(c, w->ctl, offsetof(struct work_ctl, lost));
	bpf_goto(c, out);
	bpf_bind(c, have);
}

/* Emit: the span at @at of the sum at r0 grows by the time from R_SINCE to R_NOW */
static void add_span(struct bpf_code *c, int at)
{
	int longer = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, at + SPAN(count));
	bpf_alui(c, BPF_ADD, BPF_REG_1, 1);
	bpf_store(c, BPF_DW, BPF_REG_0, at + SPAN(count), BPF_REG_1);
	bpf_mov(c, BPF_REG_2, R_NOW);
	bpf_alu(c, BPF_SUB, BPF_REG_2, R_SINCE);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, at + SPAN(total));
	bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_store(c, BPF_DW, BPF_REG_0, at + SPAN(total), BPF_REG_1);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, at + SPAN(max));
	bpf_jump(c, BPF_JGE, BPF_REG_1, BPF_REG_2, longer);
	bpf_store(c, BPF_DW, BPF_REG_0, at + SPAN(max), BPF_REG_2);
	bpf_store(c, BPF_DW, BPF_REG_0, at + SPAN(max_start), R_SINCE);
	bpf_store(c, BPF_DW, BPF_REG_0, at + SPAN(max_end), R_NOW);
	bpf_bind(c, longer);
}

/* ---- the steps of an item ---- */

/*
 * Work that is raised again before it begins waits since the first time. A softirq may run twice
 * then, as in a recording: the kernel may have forgotten what was raised before it began with
 * others.
 */
static void on_raised(struct bpf_code *c, enum kwork_class class, int out)
{
	int once_more = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, R_OPEN, OPEN(raised));
	bpf_jumpi(c, BPF_JNE, BPF_REG_1, 0, class == KWORK_SOFTIRQ ? once_more : out);
	bpf_store(c, BPF_DW, R_OPEN, OPEN(raised), R_NOW);
	bpf_storei(c, BPF_DW, R_OPEN, OPEN(again), 0);
	bpf_goto(c, out);
	bpf_bind(c, once_more);
	if (class == KWORK_SOFTIRQ)
		bpf_store(c, BPF_DW, R_OPEN, OPEN(again), R_NOW);
}

/* Emit: R_SINCE = when what begins was raised, which is forgotten; goto @out unless it is known */
static void take_raised(struct bpf_code *c, int out)
{
	int again = bpf_label(c), taken = bpf_label(c);

	bpf_load(c, BPF_DW, R_SINCE, R_OPEN, OPEN(raised));
	bpf_jumpi(c, BPF_JEQ, R_SINCE, 0, again);
	bpf_storei(c, BPF_DW, R_OPEN, OPEN(raised), 0);
	bpf_goto(c, taken);
	bpf_bind(c, again);
	bpf_load(c, BPF_DW, R_SINCE, R_OPEN, OPEN(again));
	bpf_jumpi(c, BPF_JEQ, R_SINCE, 0, out);
	bpf_storei(c, BPF_DW, R_OPEN, OPEN(again), 0);
	bpf_bind(c, taken);
}

static void on_began(struct bpf_code *c, const struct work_count *w, int out)
{
	bpf_store(c, BPF_DW, R_OPEN, OPEN(began), R_NOW);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_store(c, BPF_DW, R_OPEN, OPEN(cpu), BPF_REG_1);
	take_raised(c, out);
	take_sum_key(c, BPF_REG_10, S_PEEK);
	find_sum(c, w, out);
	add_span(c, VALUE(spans[1]));
}

/* Emit: the name of the interrupt that has ended becomes that of its sum, at r0 */
static void take_irq_name(struct bpf_code *c, int offset, int out)
{
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_load(c, BPF_B, BPF_REG_1, R_OPEN, VALUE(name));
	bpf_jumpi(c, BPF_JNE, BPF_REG_1, 0, out);
	bpf_load(c, BPF_DW, R_SINCE, R_CTX, 8);
	bpf_peek(c, S_PEEK, 8, R_SINCE, offset);
	bpf_mov(c, BPF_REG_1, R_OPEN);
	bpf_alui(c, BPF_ADD, BPF_REG_1, VALUE(name));
	bpf_movi(c, BPF_REG_2, WORK_COUNT_NAME);
	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, S_PEEK);
	bpf_helper(c, BPF_FUNC_probe_read_kernel_str);
}

static void on_ended(struct bpf_code *c, const struct work_count *w, enum kwork_class class,
		     int irq_name, int out)
{
	bpf_load(c, BPF_DW, R_SINCE, R_OPEN, OPEN(began));
	bpf_jumpi(c, BPF_JEQ, R_SINCE, 0, out);
	bpf_storei(c, BPF_DW, R_OPEN, OPEN(began), 0);
	take_sum_key(c, R_OPEN, OPEN(cpu));
	find_sum(c, w, out);
	add_span(c, VALUE(spans[0]));
	if (class == KWORK_WORKQUEUE) {
		bpf_load(c, BPF_DW, BPF_REG_1, R_CTX, 8);
		bpf_store(c, BPF_DW, BPF_REG_0, VALUE(function), BPF_REG_1);
	} else if (class == KWORK_IRQ && irq_name >= 0) {
		take_irq_name(c, irq_name, out);
	}
}

void work_prog(struct bpf_code *c, const struct work_count *w, const struct work_event *event,
	       int irq_name)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_key(c, w, event->class, out);
	find_open(c, w, out);
	switch (event->step) {
	case WORK_RAISED:
		on_raised(c, event->class, out);
		break;
	case WORK_BEGAN:
		on_began(c, w, out);
		break;
	case WORK_ENDED:
		on_ended(c, w, event->class, irq_name, out);
		break;
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}
