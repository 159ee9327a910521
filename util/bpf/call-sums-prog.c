// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that count calls. Arguments of the raw tracepoints are
 *
 *	sys_enter		registers, number
 *	sys_exit		registers, result
 *	task_newtask		the new task
 *	sched_process_exec	the task, its number before
 *
 * They run with preemption disabled, and a thread makes one call at a time. So the values of a
 * thread, and those of a CPU where all threads have the same ones, are changed by one program only.
 */
#include "base/compat.h"
#include "bpf/call-sums-internal.h"

#define MAX_ERRNO 4095

/* The programs keep these at offsets on their stack. */
enum {
	S_TID = -8,
	S_PID = -16,
	S_KEY = S_PID - (int)sizeof(struct sums_key),
	S_NUMBER = S_KEY - 8,
	S_TIMED = S_NUMBER - 8,
	S_COUNTER = S_TIMED - 8,
	S_VALUE = S_COUNTER - (int)sizeof(struct sums_value),
};

enum { R_CTX = BPF_REG_6, R_THREAD = BPF_REG_7, R_NR = BPF_REG_8, R_NOW = BPF_REG_9 };

#define THREAD_AT(member) ((int)offsetof(struct sums_thread, member))
#define VALUE_AT(member) ((int)offsetof(struct sums_value, member))

static void only_enabled(struct bpf_code *c, const struct call_sums *s, int out)
{
	bpf_movval(c, BPF_REG_1, s->ctl, 0);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
}

/* Emit: goto @elsewhere unless calls are counted on this CPU */
static void only_cpus(struct bpf_code *c, const struct call_sums *s, int elsewhere)
{
	if (s->cpus < 0)
		return;
	bpf_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_W, BPF_REG_10, S_COUNTER, BPF_REG_0);
	bpf_lookup(c, s->cpus, S_COUNTER);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, elsewhere);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, elsewhere);
}

/* Emit: the numbers of this thread and its process are at S_TID and S_PID, else goto @out */
static void take_ids(struct bpf_code *c, const struct call_sums *s, int out)
{
	bpf_ids(c, s->ns, S_NUMBER, out);
	bpf_store(c, BPF_W, BPF_REG_10, S_TID, BPF_REG_0);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
	bpf_store(c, BPF_W, BPF_REG_10, S_PID, BPF_REG_0);
}

static void leave_out(struct bpf_code *c, const struct int_list *pids, int out)
{
	if (!pids || !pids->nr)
		return;
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_PID);
	for (size_t i = 0; i < pids->nr; i++)
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, pids->v[i], out);
}

/* Emit: goto @out unless this thread is in the control group that is asked for */
static void only_cgroup(struct bpf_code *c, const struct call_sums *s, int out)
{
	if (s->cgroup < 0)
		return;
	bpf_movmap(c, BPF_REG_1, s->cgroup);
	bpf_movi(c, BPF_REG_2, 0);
	bpf_helper(c, BPF_FUNC_current_task_under_cgroup);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 1, out);
}

/* Emit: S_VALUE = a thread that has done nothing */
static void new_thread(struct bpf_code *c)
{
	for (int i = 0; i < (int)sizeof(struct sums_thread); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_VALUE + i, 0);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_VALUE + THREAD_AT(nr), CALL_NONE);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_VALUE + THREAD_AT(first), CALL_NONE);
}

/* Emit: R_THREAD = the value of this thread, which is new where all threads are counted; else goto
 * @out */
static void find_thread(struct bpf_code *c, const struct call_sums *s,
			const struct call_sums_opts *opts, int out)
{
	int found = bpf_label(c);

	take_ids(c, s, out);
	leave_out(c, opts->not_pids, out);
	only_cgroup(c, s, out);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	if (!s->selected) {
		new_thread(c);
		bpf_update(c, s->threads, S_TID, S_VALUE, BPF_ANY);
		bpf_lookup(c, s->threads, S_TID);
		bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
		bpf_count_up(c, s->lost, 0);
	}
	bpf_goto(c, out);
	bpf_bind(c, found);
	bpf_mov(c, R_THREAD, BPF_REG_0);
}

/* Emit: goto @out unless the calls with number R_NR are wanted */
static void only_wanted(struct bpf_code *c, const struct call_sums *s, int out)
{
	int narrow = bpf_label(c), known = bpf_label(c);

	if (s->wanted < 0)
		return;
	bpf_mov(c, BPF_REG_1, R_NR);
	bpf_alui(c, BPF_AND, BPF_REG_1, CALL_SUMS_NARROW - 1);
	bpf_store(c, BPF_DW, BPF_REG_10, S_NUMBER, BPF_REG_1);
	bpf_lookup(c, s->wanted, S_NUMBER);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	bpf_jumpi(c, BPF_JGE, R_NR, CALL_SUMS_NARROW, narrow);
	bpf_alui(c, BPF_AND, BPF_REG_1, SUMS_WANTED_WIDE);
	bpf_goto(c, known);
	bpf_bind(c, narrow);
	bpf_alui(c, BPF_AND, BPF_REG_1, SUMS_WANTED_NARROW);
	bpf_bind(c, known);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
}

/* Emit: r1 = the 4 bytes at @off of the structure of the kernel that @reg points to; changes r0-r5
 */
static void take_member(struct bpf_code *c, const struct sums_offsets *at, int reg, int off)
{
	if (at->direct) {
		bpf_load(c, BPF_W, BPF_REG_1, reg, off);
		return;
	}
	bpf_peek(c, S_NUMBER, 4, reg, off);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_NUMBER);
}

/* Emit: R_NR += CALL_SUMS_NARROW if the call is of a 32-bit program */
static void mark_narrow(struct bpf_code *c, const struct sums_offsets *at)
{
	int wide = bpf_label(c);

	if (at->narrow < 0)
		return;
	bpf_helper(c, at->direct ? BPF_FUNC_get_current_task_btf : BPF_FUNC_get_current_task);
	take_member(c, at, BPF_REG_0, at->narrow);
	bpf_alui(c, BPF_AND, BPF_REG_1, at->narrow_bit);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, wide);
	bpf_alui(c, BPF_ADD, R_NR, CALL_SUMS_NARROW);
	bpf_bind(c, wide);
}

void sums_prog_enter(struct bpf_code *c, const struct call_sums *s,
		     const struct call_sums_opts *opts, const struct sums_offsets *at)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	only_enabled(c, s, out);
	only_cpus(c, s, out);
	bpf_load(c, BPF_DW, R_NR, R_CTX, 8);
	bpf_jumpi(c, BPF_JSLT, R_NR, 0, out); /* a tracer has made it no call at all */
	mark_narrow(c, at);
	only_wanted(c, s, out);
	find_thread(c, s, opts, out);
	bpf_store(c, BPF_DW, R_THREAD, THREAD_AT(nr), R_NR);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_PID);
	bpf_store(c, BPF_W, R_THREAD, THREAD_AT(pid), BPF_REG_1);
	if (s->by == CALL_SUMS_BY_CGROUP) {
		bpf_helper(c, BPF_FUNC_get_current_cgroup_id);
		bpf_store(c, BPF_DW, R_THREAD, THREAD_AT(cgroup), BPF_REG_0);
	}
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, R_THREAD, THREAD_AT(start), BPF_REG_0);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/*
 * Emit: R_NR = the number of the call that returns, and S_TIMED whether its begin was seen; else
 * goto @out. A thread whose exec returns under another number, or that was made by fork, returns
 * from a call that it has not begun. Where signals return the registers have no number: the call
 * that has begun is meant.
 */
static void find_call(struct bpf_code *c, const struct sums_offsets *at, int out)
{
	int known = bpf_label(c);

	bpf_load(c, BPF_DW, R_NR, R_THREAD, THREAD_AT(nr));
	bpf_storei(c, BPF_DW, R_THREAD, THREAD_AT(nr), CALL_NONE);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_TIMED, 1);
	if (at->number >= 0) {
		bpf_load(c, BPF_DW, BPF_REG_3, R_CTX, 0);
		take_member(c, at, BPF_REG_3, at->number);
		bpf_alui(c, BPF_LSH, BPF_REG_1, 32);
		bpf_alui(c, BPF_ARSH, BPF_REG_1, 32);
		bpf_jumpi(c, BPF_JSLT, BPF_REG_1, 0, known);
		bpf_jump(c, BPF_JEQ, BPF_REG_1, R_NR, known);
		bpf_mov(c, BPF_REG_2, BPF_REG_1);
		bpf_alui(c, BPF_ADD, BPF_REG_2, CALL_SUMS_NARROW);
		bpf_jump(c, BPF_JEQ, BPF_REG_2, R_NR, known);
		bpf_mov(c, R_NR, BPF_REG_1);
		bpf_storei(c, BPF_DW, BPF_REG_10, S_TIMED, 0);
		mark_narrow(c, at);
	}
	bpf_bind(c, known);
	bpf_jumpi(c, BPF_JSLT, R_NR, 0, out);
}

/* Emit: S_KEY = what the sums of the call are looked up by */
static void make_key(struct bpf_code *c, const struct call_sums *s)
{
	if (s->by == CALL_SUMS_BY_THREAD)
		bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, S_TID);
	else if (s->by == CALL_SUMS_BY_CGROUP)
		bpf_helper(c, BPF_FUNC_get_current_cgroup_id);
	else
		bpf_movi(c, BPF_REG_0, 0);
	if (s->now >= 0) {
		bpf_movval(c, BPF_REG_1, s->now, 0);
		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
		bpf_alu(c, BPF_OR, BPF_REG_0, BPF_REG_1);
	}
	bpf_store(c, BPF_DW, BPF_REG_10, S_KEY, BPF_REG_0);
	bpf_store(c, BPF_DW, BPF_REG_10, S_KEY + 8, R_NR);
}

/* Emit: S_VALUE = sums of no call */
static void new_sums(struct bpf_code *c)
{
	for (int i = 0; i < (int)sizeof(struct sums_value); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_VALUE + i, 0);
	bpf_load(c, BPF_DW, BPF_REG_1, R_THREAD, THREAD_AT(first));
	bpf_store(c, BPF_DW, BPF_REG_10, S_VALUE + VALUE_AT(next), BPF_REG_1);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_PID);
	bpf_store(c, BPF_W, BPF_REG_10, S_VALUE + VALUE_AT(pid), BPF_REG_1);
}

/* Emit: r0 = the sums of the call, which may be new, else goto @out */
static void find_sums(struct bpf_code *c, const struct call_sums *s, int out)
{
	int found = bpf_label(c), full = bpf_label(c);

	make_key(c, s);
	bpf_lookup(c, s->sums, S_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	new_sums(c);
	bpf_update(c, s->sums, S_KEY, S_VALUE, BPF_ANY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, full);
	bpf_store(c, BPF_DW, R_THREAD, THREAD_AT(first), R_NR);
	bpf_lookup(c, s->sums, S_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	bpf_bind(c, full);
	bpf_count_up(c, s->lost, 0);
	bpf_goto(c, out);
	bpf_bind(c, found);
}

/* Emit: *(r0 + @at) += @reg; changes r2 */
static void add_to(struct bpf_code *c, int at, int reg)
{
	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_0, at);
	bpf_alu(c, BPF_ADD, BPF_REG_2, reg);
	bpf_store(c, BPF_DW, BPF_REG_0, at, BPF_REG_2);
}

/* Emit: *(r0 + @at)++; changes r2 */
static void increment(struct bpf_code *c, int at)
{
	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_0, at);
	bpf_alui(c, BPF_ADD, BPF_REG_2, 1);
	bpf_store(c, BPF_DW, BPF_REG_0, at, BPF_REG_2);
}

/* Emit: count an error if that is the result; changes r1, r2 */
static void add_error(struct bpf_code *c)
{
	int fine = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, R_CTX, 8);
	bpf_jumpi(c, BPF_JSGE, BPF_REG_1, 0, fine);
	bpf_jumpi(c, BPF_JSLT, BPF_REG_1, -MAX_ERRNO, fine);
	increment(c, VALUE_AT(errors));
	bpf_bind(c, fine);
}

/* Emit: *(r0 + @at) = @reg if that is greater; changes r2 */
static void keep_greatest(struct bpf_code *c, int at, int reg)
{
	int stays = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_0, at);
	bpf_jump(c, BPF_JLE, reg, BPF_REG_2, stays);
	bpf_store(c, BPF_DW, BPF_REG_0, at, reg);
	bpf_bind(c, stays);
}

/*
 * Emit: add the square of R_NOW. Those of times below 2^32 ns have 64 bits, and so has their sum;
 * what does not fit counts 2^32 in the other sum. Of longer times 16 bits are left away before.
 */
static void add_square(struct bpf_code *c)
{
	int small = bpf_label(c), done = bpf_label(c);

	bpf_mov(c, BPF_REG_1, R_NOW);
	bpf_alui(c, BPF_RSH, BPF_REG_1, 32);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, small);
	bpf_mov(c, BPF_REG_1, R_NOW);
	bpf_alui(c, BPF_RSH, BPF_REG_1, 16);
	bpf_alu(c, BPF_MUL, BPF_REG_1, BPF_REG_1);
	add_to(c, VALUE_AT(squares_big), BPF_REG_1);
	bpf_goto(c, done);
	bpf_bind(c, small);
	bpf_mov(c, BPF_REG_1, R_NOW);
	bpf_alu(c, BPF_MUL, BPF_REG_1, BPF_REG_1);
	add_to(c, VALUE_AT(squares), BPF_REG_1);
	bpf_jump(c, BPF_JGE, BPF_REG_2, BPF_REG_1, done);
	bpf_mov64(c, BPF_REG_1, (u64)1 << 32);
	add_to(c, VALUE_AT(squares_big), BPF_REG_1);
	bpf_bind(c, done);
}

/* Emit: what is at S_COUNTER counts in a row of @nr counters, which @map has for S_KEY */
static void count_in(struct bpf_code *c, const struct call_sums *s, int map, s32 nr)
{
	int found = bpf_label(c), done = bpf_label(c);

	bpf_lookup(c, map, S_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	bpf_movmap(c, BPF_REG_1, map);
	bpf_frame(c, BPF_REG_2, S_KEY);
	bpf_movval(c, BPF_REG_3, s->zeros, 0);
	bpf_movi(c, BPF_REG_4, BPF_NOEXIST); /* another CPU may have been first */
	bpf_helper(c, BPF_FUNC_map_update_elem);
	bpf_lookup(c, map, S_KEY);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	bpf_count_up(c, s->lost, 0);
	bpf_goto(c, done);
	bpf_bind(c, found);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_COUNTER);
	bpf_jumpi(c, BPF_JGE, BPF_REG_1, nr, done);
	bpf_alui(c, BPF_LSH, BPF_REG_1, 2);
	bpf_alu(c, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bpf_movi(c, BPF_REG_2, 1);
	bpf_emit(c, BPF_STX | BPF_XADD | BPF_W, BPF_REG_0, BPF_REG_2, 0, BPF_ADD);
	bpf_bind(c, done);
}

/* Emit: count the error, if that is the result */
static void count_errno(struct bpf_code *c, const struct call_sums *s)
{
	int fine = bpf_label(c), low = bpf_label(c), several = bpf_label(c), known = bpf_label(c);

	if (s->errnos < 0)
		return;
	bpf_load(c, BPF_DW, BPF_REG_1, R_CTX, 8);
	bpf_jumpi(c, BPF_JSGE, BPF_REG_1, 0, fine);
	bpf_jumpi(c, BPF_JSLT, BPF_REG_1, -MAX_ERRNO, fine);
	bpf_movi(c, BPF_REG_2, 0);
	bpf_alu(c, BPF_SUB, BPF_REG_2, BPF_REG_1);
	bpf_jumpi(c, BPF_JLT, BPF_REG_2, SUMS_ERROR_GAP, low);
	bpf_jumpi(c, BPF_JLT, BPF_REG_2, SUMS_ERROR_HIGH, several);
	bpf_alui(c, BPF_SUB, BPF_REG_2, SUMS_ERROR_HIGH - SUMS_ERROR_GAP);
	bpf_jumpi(c, BPF_JLT, BPF_REG_2, CALL_SUMS_ERRNOS, known);
	bpf_bind(c, several);
	bpf_movi(c, BPF_REG_2, 0);
	bpf_bind(c, low);
	bpf_bind(c, known);
	bpf_store(c, BPF_DW, BPF_REG_10, S_COUNTER, BPF_REG_2);
	count_in(c, s, s->errnos, CALL_SUMS_ERRNOS);
	bpf_bind(c, fine);
}

/* Emit: count the step of R_NOW, as step_of() tells it: eight for each power of two */
static void count_step(struct bpf_code *c, const struct call_sums *s,
		       const struct call_sums_opts *opts)
{
	int wanted = bpf_label(c), done = bpf_label(c);

	if (s->steps < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(opts->steps_of); i++)
		if (opts->steps_of[i] >= 0)
			bpf_jumpi(c, BPF_JEQ, R_NR, (s32)opts->steps_of[i], wanted);
	if (opts->steps_of[0] >= 0 || opts->steps_of[1] >= 0)
		bpf_goto(c, done);
	bpf_bind(c, wanted);
	bpf_mov(c, BPF_REG_1, R_NOW);
	bpf_movi(c, BPF_REG_2, 0);
	for (int bits = 32; bits; bits /= 2) {
		int less = bpf_label(c);

		bpf_mov(c, BPF_REG_3, BPF_REG_1);
		bpf_alui(c, BPF_RSH, BPF_REG_3, bits);
		bpf_jumpi(c, BPF_JLT, BPF_REG_3, 8, less);
		bpf_mov(c, BPF_REG_1, BPF_REG_3);
		bpf_alui(c, BPF_ADD, BPF_REG_2, 8 * bits);
		bpf_bind(c, less);
	}
	bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_2);
	bpf_store(c, BPF_DW, BPF_REG_10, S_COUNTER, BPF_REG_1);
	count_in(c, s, s->steps, CALL_SUMS_STEPS);
	bpf_bind(c, done);
}

/*
 * Emit: the call that this thread has begun on a CPU whose calls are counted has returned on
 * another one. It is counted without a time, as if its return had not been seen.
 */
static void returned_elsewhere(struct bpf_code *c, const struct call_sums *s, int out)
{
	take_ids(c, s, out);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_THREAD, BPF_REG_0);
	bpf_load(c, BPF_DW, R_NR, R_THREAD, THREAD_AT(nr));
	bpf_storei(c, BPF_DW, R_THREAD, THREAD_AT(nr), CALL_NONE);
	bpf_jumpi(c, BPF_JSLT, R_NR, 0, out);
	find_sums(c, s, out);
	increment(c, VALUE_AT(returned));
}

void sums_prog_exit(struct bpf_code *c, const struct call_sums *s,
		    const struct call_sums_opts *opts, const struct sums_offsets *at)
{
	int out = bpf_label(c), elsewhere = bpf_label(c), counted = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	only_enabled(c, s, out);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_mov(c, R_NOW, BPF_REG_0);
	only_cpus(c, s, elsewhere);
	find_thread(c, s, opts, out);
	find_call(c, at, out);
	only_wanted(c, s, out);
	find_sums(c, s, out);
	increment(c, VALUE_AT(returned));
	add_error(c);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_TIMED);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, counted);
	bpf_load(c, BPF_DW, BPF_REG_1, R_THREAD, THREAD_AT(start));
	bpf_alu(c, BPF_SUB, R_NOW, BPF_REG_1);
	increment(c, VALUE_AT(timed));
	add_to(c, VALUE_AT(total), R_NOW);
	keep_greatest(c, VALUE_AT(max), R_NOW);
	bpf_mov(c, BPF_REG_1, R_NOW);
	bpf_alui(c, BPF_XOR, BPF_REG_1, -1);
	keep_greatest(c, VALUE_AT(not_min), BPF_REG_1);
	add_square(c);
	count_step(c, s, opts);
	bpf_bind(c, counted);
	count_errno(c, s);
	if (s->cpus >= 0) {
		bpf_goto(c, out);
		bpf_bind(c, elsewhere);
		returned_elsewhere(c, s, out);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* ---- threads that are counted ---- */

/* A thread that a counted one creates is counted. */
void sums_prog_fork(struct bpf_code *c, const struct call_sums *s, const struct sums_offsets *at)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_ids(c, s, out);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_DW, R_NR, R_CTX, 0);
	bpf_task_number(c, s->ns, &at->task, R_NR, S_TID, S_NUMBER);
	new_thread(c);
	bpf_update(c, s->threads, S_TID, S_VALUE, BPF_ANY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_count_up(c, s->lost, 0);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Emit: move a member of the value at R_THREAD to that at r0, and leave @rest; changes r1 */
static void move_member(struct bpf_code *c, int at, int rest)
{
	bpf_load(c, BPF_DW, BPF_REG_1, R_THREAD, at);
	bpf_storei(c, BPF_DW, R_THREAD, at, rest);
	bpf_store(c, BPF_DW, BPF_REG_0, at, BPF_REG_1);
}

/*
 * Emit: the call of the thread that had another number before exec is that of this one, whose
 * number is that of the first thread of the process from now on; else goto @out. r0 = the value of
 * this thread.
 */
static void take_over(struct bpf_code *c, const struct call_sums *s, int out)
{
	int found = bpf_label(c), same = bpf_label(c);

	bpf_load(c, BPF_DW, BPF_REG_1, R_CTX, 8);
	bpf_store(c, BPF_W, BPF_REG_10, S_NUMBER, BPF_REG_1);
	bpf_lookup(c, s->threads, S_NUMBER);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_THREAD, BPF_REG_0);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_NUMBER);
	bpf_load(c, BPF_W, BPF_REG_2, BPF_REG_10, S_TID);
	bpf_jump(c, BPF_JEQ, BPF_REG_1, BPF_REG_2, same);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, found);
	new_thread(c);
	bpf_update(c, s->threads, S_TID, S_VALUE, BPF_ANY);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_bind(c, found);
	move_member(c, THREAD_AT(nr), CALL_NONE);
	move_member(c, THREAD_AT(start), 0);
	bpf_storei(c, BPF_W, R_THREAD, THREAD_AT(ended), 1);
	bpf_bind(c, same);
}

/* The number that the thread had before is one of the first namespace. */
void sums_prog_exec(struct bpf_code *c, const struct call_sums *s,
		    const struct call_sums_opts *opts)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_ids(c, s, out);
	if (s->ns.ino) {
		bpf_lookup(c, s->threads, S_TID);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	} else {
		take_over(c, s, out);
	}
	bpf_storei(c, BPF_W, BPF_REG_0, THREAD_AT(ended), 0);
	if (opts->on_exec) {
		bpf_movval(c, BPF_REG_1, s->ctl, 0);
		bpf_storei(c, BPF_DW, BPF_REG_1, 0, 1);
	}
	bpf_bind(c, out);
	bpf_return(c, 0);
}

void sums_prog_end(struct bpf_code *c, const struct call_sums *s)
{
	int out = bpf_label(c);

	take_ids(c, s, out);
	bpf_lookup(c, s->threads, S_TID);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_storei(c, BPF_W, BPF_REG_0, THREAD_AT(ended), 1);
	bpf_bind(c, out);
	bpf_return(c, 0);
}
