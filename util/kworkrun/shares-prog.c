// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that share out the time of CPUs. Arguments of the raw tracepoint sched_switch are
 * whether a task was preempted, the task that leaves, and the one that comes; those of the others
 * do not matter. A program runs on the CPU that it is about, in the task that has it.
 */
#include "base/compat.h"
#include "kworkrun/shares.h"

#include <stddef.h>

/* The programs use their stack at these offsets. */
enum {
	S_CPU = -8,
	S_ZERO = -16,
	S_KEY = S_ZERO - (int)sizeof(struct share_key),
	S_SUM = S_KEY - (int)sizeof(struct share_sum),
	S_TASK = S_SUM - 8,
};

enum { R_CTX = BPF_REG_6, R_DOING = BPF_REG_7, R_NS = BPF_REG_8, R_NOW = BPF_REG_9 };

#define KEY(member) (S_KEY + (int)offsetof(struct share_key, member))
#define SUM(member) (S_SUM + (int)offsetof(struct share_sum, member))
#define DOING(member) ((int)offsetof(struct share_doing, member))

/* Emit: R_DOING = what this CPU does and R_NOW = the time, or goto @out when nobody wants to
 * know */
static void find_doing(struct bpf_code *c, const struct shares *s, int out)
{
	bpf_movval(c, BPF_REG_1, s->ctl, offsetof(struct shares_ctl, start));
	bpf_load(c, BPF_DW, R_NS, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, R_NS, 0, out);
	bpf_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_DW, BPF_REG_10, S_CPU, BPF_REG_0);
	want_chosen_cpu(c, s->cpus, S_CPU, out);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_ZERO, 0);
	bpf_lookup(c, s->doing, S_ZERO);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_DOING, BPF_REG_0);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_mov(c, R_NOW, BPF_REG_0);
}

/* Emit: an event happens in the task that the CPU has. The first one of a CPU tells which task that
 * has been since the start, which is R_NS. A later one in another task than the last switch told of
 * shows that a switch was not traced: the idle task gets the time if it is one of the two, else the
 * task that is there now. */
static void find_task(struct bpf_code *c)
{
	int known = bpf_label(c), done = bpf_label(c);

	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, BPF_REG_10, S_TASK, BPF_REG_0);
	bpf_load(c, BPF_W, BPF_REG_2, BPF_REG_10, S_TASK);
	bpf_load(c, BPF_W, BPF_REG_1, R_DOING, DOING(what));
	bpf_jumpi(c, BPF_JSET, BPF_REG_1, SHARE_KNOWN, known);
	bpf_store(c, BPF_DW, R_DOING, DOING(since), R_NS);
	bpf_storei(c, BPF_W, R_DOING, DOING(what), SHARE_KNOWN);
	bpf_store(c, BPF_W, R_DOING, DOING(tid), BPF_REG_2);
	bpf_bind(c, known);
	bpf_load(c, BPF_W, BPF_REG_1, R_DOING, DOING(tid));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, done);
	bpf_store(c, BPF_W, R_DOING, DOING(tid), BPF_REG_2);
	bpf_bind(c, done);
}

/* Emit: the key of the sum that the time up to now belongs to */
static void take_key(struct bpf_code *c)
{
	int irq = bpf_label(c), softirq = bpf_label(c), of_cpu = bpf_label(c), have = bpf_label(c);

	bpf_load(c, BPF_W, BPF_REG_1, R_DOING, DOING(what));
	bpf_jumpi(c, BPF_JSET, BPF_REG_1, SHARE_IRQ, irq);
	bpf_jumpi(c, BPF_JSET, BPF_REG_1, SHARE_SOFTIRQ, softirq);
	bpf_load(c, BPF_W, BPF_REG_2, R_DOING, DOING(tid));
	bpf_store(c, BPF_W, BPF_REG_10, KEY(who), BPF_REG_2);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, of_cpu);
	bpf_storei(c, BPF_W, BPF_REG_10, KEY(cpu), 0);
	bpf_goto(c, have);
	bpf_bind(c, irq);
	bpf_storei(c, BPF_W, BPF_REG_10, KEY(who), (s32)SHARE_OF_IRQS);
	bpf_goto(c, of_cpu);
	bpf_bind(c, softirq);
	bpf_storei(c, BPF_W, BPF_REG_10, KEY(who), (s32)SHARE_OF_SOFTIRQS);
	bpf_bind(c, of_cpu);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_CPU);
	bpf_store(c, BPF_W, BPF_REG_10, KEY(cpu), BPF_REG_1);
	bpf_bind(c, have);
}

/* Emit: the time since the last event is added to its sum. A task is named when it has its first
 * time. */
static void charge(struct bpf_code *c, const struct shares *s)
{
	int fresh = bpf_label(c), done = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, R_DOING, DOING(since));
	bpf_mov(c, R_NS, R_NOW);
	bpf_alu(c, BPF_SUB, R_NS, BPF_REG_1);
	bpf_store(c, BPF_DW, R_DOING, DOING(since), R_NOW);
	take_key(c);
	bpf_lookup(c, s->sums, S_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, fresh);
	bpf_add_atomic(c, BPF_REG_0, offsetof(struct share_sum, ns), R_NS);
	bpf_goto(c, done);
	bpf_bind(c, fresh);
	bpf_store(c, BPF_DW, BPF_REG_10, SUM(ns), R_NS);
	bpf_frame(c, BPF_REG_1, SUM(comm));
	bpf_movi(c, BPF_REG_2, SHARE_COMM);
	bpf_helper(c, BPF_FUNC_get_current_comm);
	bpf_update(c, s->sums, S_KEY, S_SUM, BPF_NOEXIST);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, done);
	bpf_count_up(c, s->ctl, offsetof(struct shares_ctl, lost));
	bpf_bind(c, done);
}

/* Emit: another task has the CPU from now on */
static void change_task(struct bpf_code *c, int pid)
{
	bpf_load(c, BPF_DW, R_NS, R_CTX, 16);
	bpf_peek(c, S_ZERO, 4, R_NS, pid);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_ZERO);
	bpf_store(c, BPF_W, R_DOING, DOING(tid), BPF_REG_1);
	bpf_storei(c, BPF_W, R_DOING, DOING(what), SHARE_KNOWN);
}

void share_prog(struct bpf_code *c, const struct shares *s, const struct share_event *event,
		int pid)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	find_doing(c, s, out);
	find_task(c);
	charge(c, s);
	if (!event->set && !event->clear) {
		change_task(c, pid);
	} else {
		bpf_load(c, BPF_W, BPF_REG_1, R_DOING, DOING(what));
		bpf_alui(c, BPF_AND, BPF_REG_1, (s32)~event->clear);
		bpf_alui(c, BPF_OR, BPF_REG_1, (s32)event->set);
		bpf_store(c, BPF_W, R_DOING, DOING(what), BPF_REG_1);
		bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_TASK);
		bpf_store(c, BPF_W, R_DOING, DOING(tid), BPF_REG_1);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}
