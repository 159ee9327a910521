// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/count-prog.h"

/* Offsets on the stack of the programs. */
enum { S_KEY = -4, S_TID = -8, S_NOW = -8 - VALUE_SIZE };

enum { R_LAST = BPF_REG_6, R_SUM = BPF_REG_7, R_OURS = BPF_REG_8, R_CTX = BPF_REG_9 };

/* Emit: @reg = address of this CPU's only value of @map; goto @out when there is none */
static void own_value(struct bpf_code *c, int map, int reg, int out)
{
	bpf_lookup(c, map, S_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, reg, BPF_REG_0);
}

/* Read the counter of array @i on this CPU to @base + @off; goto @out when that is impossible. */
static void read_counter(struct bpf_code *c, const struct bpf_counts *b, u32 i, int base, int off,
			 int out)
{
	bpf_movmap(c, BPF_REG_1, b->arrays[i]);
	bpf_mov64(c, BPF_REG_2, BPF_F_CURRENT_CPU);
	bpf_mov(c, BPF_REG_3, base);
	bpf_alui(c, BPF_ADD, BPF_REG_3, off);
	bpf_movi(c, BPF_REG_4, VALUE_SIZE);
	bpf_helper(c, BPF_FUNC_perf_event_read_value);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, out);
}

/* Emit: sum[event] += now - last[array] */
static void add_event(struct bpf_code *c, u32 event, u32 array)
{
	for (int f = 0; f < VALUE_SIZE; f += 8) {
		int sum = (int)event * VALUE_SIZE + f;

		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_NOW + f);
		bpf_load(c, BPF_DW, BPF_REG_2, R_LAST, (int)array * VALUE_SIZE + f);
		bpf_alu(c, BPF_SUB, BPF_REG_1, BPF_REG_2);
		bpf_load(c, BPF_DW, BPF_REG_2, R_SUM, sum);
		bpf_alu(c, BPF_ADD, BPF_REG_2, BPF_REG_1);
		bpf_store(c, BPF_DW, R_SUM, sum, BPF_REG_2);
	}
}

static int flag_of(const struct bpf_counts *b, u32 cgroup)
{
	return (int)(b->nr_arrays * VALUE_SIZE + cgroup * 8);
}

static void add_events_of(struct bpf_code *c, const struct bpf_counts *b, u32 array)
{
	for (u32 e = 0; e < b->nr_events; e++) {
		int next;

		if (b->array_of[e] != array)
			continue;
		next = bpf_label(c);
		if (b->cgroup_of[e] != UINT32_MAX) {
			bpf_load(c, BPF_DW, BPF_REG_1, R_LAST, flag_of(b, b->cgroup_of[e]));
			bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, next);
		}
		add_event(c, e, array);
		bpf_bind(c, next);
	}
}

/* R_OURS = whether the task that ran until now is counted */
static void find_ours(struct bpf_code *c, const struct bpf_counts *b)
{
	int decided = bpf_label(c);

	bpf_movval(c, BPF_REG_1, b->ctl, 0);
	bpf_load(c, BPF_DW, R_OURS, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, R_OURS, 0, decided);
	if (b->tasks >= 0) {
		bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
		bpf_store(c, BPF_W, BPF_REG_10, S_TID, BPF_REG_0);
		bpf_lookup(c, b->tasks, S_TID);
		bpf_movi(c, R_OURS, 0);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, decided);
		bpf_movi(c, R_OURS, 1);
	}
	for (u32 i = 0; i < b->nr_cgroups; i++) {
		int outside = bpf_label(c);

		bpf_movmap(c, BPF_REG_1, b->cgroups);
		bpf_movi(c, BPF_REG_2, (s32)i);
		bpf_helper(c, BPF_FUNC_current_task_under_cgroup);
		bpf_movi(c, BPF_REG_1, 0);
		bpf_jumpi(c, BPF_JNE, BPF_REG_0, 1, outside);
		bpf_movi(c, BPF_REG_1, 1);
		bpf_bind(c, outside);
		bpf_store(c, BPF_DW, R_LAST, flag_of(b, i), BPF_REG_1);
	}
	bpf_bind(c, decided);
}

void bpf_count_switch(struct bpf_code *c, const struct bpf_counts *b)
{
	int out = bpf_label(c);

	bpf_storei(c, BPF_W, BPF_REG_10, S_KEY, 0);
	own_value(c, b->last, R_LAST, out);
	own_value(c, b->sum, R_SUM, out);
	find_ours(c, b);
	for (u32 i = 0; i < b->nr_arrays; i++) {
		int next = bpf_label(c), keep = bpf_label(c);

		read_counter(c, b, i, BPF_REG_10, S_NOW, next);
		bpf_jumpi(c, BPF_JEQ, R_OURS, 0, keep);
		add_events_of(c, b, i);
		bpf_bind(c, keep);
		for (int f = 0; f < VALUE_SIZE; f += 8) {
			bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_NOW + f);
			bpf_store(c, BPF_DW, R_LAST, (int)i * VALUE_SIZE + f, BPF_REG_1);
		}
		bpf_bind(c, next);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Store the tid of the task that the tracepoint is about in S_TID. */
static void peek_tid(struct bpf_code *c, int pid)
{
	bpf_load(c, BPF_DW, R_LAST, R_CTX, 0);
	bpf_peek(c, S_TID, 4, R_LAST, pid);
}

void bpf_count_newtask(struct bpf_code *c, const struct bpf_counts *b, int pid)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, BPF_REG_10, S_TID, BPF_REG_0);
	bpf_lookup(c, b->tasks, S_TID);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	peek_tid(c, pid);
	bpf_storei(c, BPF_W, BPF_REG_10, S_KEY, 1);
	bpf_update(c, b->tasks, S_TID, S_KEY, BPF_ANY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	/* no room for the thread, which is reported at the end */
	bpf_count_up(c, b->ctl, 8);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

void bpf_count_freetask(struct bpf_code *c, const struct bpf_counts *b, int pid)
{
	bpf_mov(c, R_CTX, BPF_REG_1);
	peek_tid(c, pid);
	bpf_movmap(c, BPF_REG_1, b->tasks);
	bpf_frame(c, BPF_REG_2, S_TID);
	bpf_helper(c, BPF_FUNC_map_delete_elem);
	bpf_return(c, 0);
}

void bpf_count_enter(struct bpf_code *c, const struct bpf_counts *b, int last)
{
	int out = bpf_label(c);

	bpf_storei(c, BPF_W, BPF_REG_10, S_KEY, 0);
	own_value(c, last, R_LAST, out);
	bpf_movval(c, BPF_REG_1, b->ctl, 0);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_store(c, BPF_DW, R_LAST, flag_of(b, 0), BPF_REG_1);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	for (u32 i = 0; i < b->nr_arrays; i++) {
		int next = bpf_label(c);

		read_counter(c, b, i, R_LAST, (int)i * VALUE_SIZE, next);
		bpf_bind(c, next);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Emit the readings in reverse order: what is read first before the program is read last after
 * it. */
void bpf_count_leave(struct bpf_code *c, const struct bpf_counts *b, int last)
{
	int out = bpf_label(c);

	bpf_storei(c, BPF_W, BPF_REG_10, S_KEY, 0);
	own_value(c, last, R_LAST, out);
	own_value(c, b->sum, R_SUM, out);
	bpf_load(c, BPF_DW, BPF_REG_1, R_LAST, flag_of(b, 0));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	bpf_storei(c, BPF_DW, R_LAST, flag_of(b, 0), 0);
	for (u32 i = b->nr_arrays; i-- > 0;) {
		int next = bpf_label(c);

		read_counter(c, b, i, BPF_REG_10, S_NOW, next);
		add_events_of(c, b, i);
		bpf_bind(c, next);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}
