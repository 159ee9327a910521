// SPDX-License-Identifier: GPL-2.0-or-later
/* The programs at the entry and the exit of a function, whose arguments do not matter. */
#include "base/compat.h"
#include "kfuncs/times-internal.h"

#include "bpf/tasks.h"

#include <stddef.h>

/* The programs use their stack at these offsets. */
enum {
	S_PEEK = -8,
	S_KEY = S_PEEK - (int)sizeof(struct open_key),
	S_TIME = S_KEY - 8,
	S_FUNC = S_TIME - 8,
};

enum { R_CTX = BPF_REG_6, R_NS = BPF_REG_7, R_SUM = BPF_REG_8 };

#define SUM(member) ((int)offsetof(struct times_sum, member))

static void take_key(struct bpf_code *c, u32 func)
{
	bpf_store(c, BPF_DW, BPF_REG_10, S_KEY + (int)offsetof(struct open_key, frame), R_CTX);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_KEY + (int)offsetof(struct open_key, func), (s32)func);
}

/* Emit: goto @out unless the call is wanted */
static void want(struct bpf_code *c, const struct kfunc_times *t, int out)
{
	bpf_movval(c, BPF_REG_1, t->ctl, offsetof(struct times_ctl, enabled));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	if (t->cpus >= 0) {
		bpf_helper(c, BPF_FUNC_get_smp_processor_id);
		bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_0);
		bpf_lookup(c, t->cpus, S_PEEK);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
		bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_0, 0);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	}
	if (t->tasks >= 0)
		bpf_want_thread(c, t->tasks, (struct bpf_ns){ 0 }, S_PEEK, out);
}

void kfunc_enter_prog(struct bpf_code *c, const struct kfunc_times *t, u32 func)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	want(c, t, out);
	take_key(c, func);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, BPF_REG_10, S_TIME, BPF_REG_0);
	bpf_update(c, t->open, S_KEY, S_TIME, BPF_ANY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_count_up(c, t->ctl, offsetof(struct times_ctl, lost));
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Emit: the u64 at byte @at of the sum becomes the register @reg if that is more */
static void keep_most(struct bpf_code *c, int at, int reg)
{
	int done = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, R_SUM, at);
	bpf_jump(c, BPF_JGE, BPF_REG_1, reg, done);
	bpf_store(c, BPF_DW, R_SUM, at, reg);
	bpf_bind(c, done);
}

/* Emit: the count of the step of R_NS += 1 */
static void count_step(struct bpf_code *c, const struct kfunc_times_opts *o)
{
	int done = bpf_label(c);

	bpf_movi(c, BPF_REG_2, 1);
	for (u32 i = 0; i < o->nr_steps; i++) {
		int next = bpf_label(c);

		if (i + 1 < o->nr_steps) {
			bpf_mov64(c, BPF_REG_1, o->ends[i]);
			bpf_jump(c, BPF_JGE, R_NS, BPF_REG_1, next);
		}
		bpf_add_atomic(c, R_SUM, SUM(counts) + (int)(i * 8), BPF_REG_2);
		bpf_goto(c, done);
		bpf_bind(c, next);
	}
	bpf_bind(c, done);
}

void kfunc_leave_prog(struct bpf_code *c, const struct kfunc_times *t,
		      const struct kfunc_times_opts *o, u32 func)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_key(c, func);
	bpf_lookup(c, t->open, S_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_DW, R_SUM, BPF_REG_0, 0);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_mov(c, R_NS, BPF_REG_0);
	bpf_alu(c, BPF_SUB, R_NS, R_SUM);
	bpf_movmap(c, BPF_REG_1, t->open);
	bpf_frame(c, BPF_REG_2, S_KEY);
	bpf_helper(c, BPF_FUNC_map_delete_elem);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_FUNC, (s32)func);
	bpf_lookup(c, t->sums, S_FUNC);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_SUM, BPF_REG_0);
	bpf_movi(c, BPF_REG_2, 1);
	bpf_add_atomic(c, R_SUM, SUM(nr), BPF_REG_2);
	bpf_add_atomic(c, R_SUM, SUM(total), R_NS);
	keep_most(c, SUM(most), R_NS);
	count_step(c, o);
	bpf_alui(c, BPF_XOR, R_NS, -1);
	keep_most(c, SUM(lacks), R_NS);
	bpf_bind(c, out);
	bpf_return(c, 0);
}
