// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that copy memory of calls. They are at tracepoints whose records are
 *
 *	raw_syscalls:sys_enter	number at byte 8, six arguments from byte 16 on
 *	raw_syscalls:sys_exit	number at byte 8, result at byte 16
 *
 * Such a program runs before the kernel writes the record of the tracepoint, on the same CPU.
 */
#include "base/compat.h"
#include "bpf/call-memory-internal.h"

#define FIRST_PAGE 4096

enum { AT_NUMBER = 8, AT_ARGS = 16, AT_RESULT = 16 };

#define HEAD_AT(member) ((int)offsetof(struct call_head, member))
#define PIECE_AT(member) ((int)offsetof(struct call_piece_head, member))
#define COPY_AT(i, member)                                                                         \
	((i) * (int)sizeof(struct call_copy) + (int)offsetof(struct call_copy, member))

/* Emit: @reg = the only value of @map on this CPU, else goto @out */
static void lookup_only(struct bpf_code *c, int map, int reg, int out)
{
	bpf_storei(c, BPF_DW, BPF_REG_10, CALL_KEY, 0);
	bpf_lookup(c, map, CALL_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, reg, BPF_REG_0);
}

/* Emit: the key is this thread, as number of its process and its own number */
static void key_thread(struct bpf_code *c)
{
	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_KEY, BPF_REG_0);
}

/*
 * Emit: goto @out unless this thread is traced. Threads that were there at the start are known by
 * their numbers, those that came later by the addresses of their task_struct.
 */
static void want_thread(struct bpf_code *c, const struct call_memory *m, int out)
{
	bpf_want_thread(c, m->tasks, m->ns, CALL_KEY, out);
	if (m->per_thread) {
		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
		bpf_store(c, BPF_DW, BPF_REG_10, CALL_RING, BPF_REG_1);
	}
}

/* Emit: goto @out if this thread is of a process that is left out */
static void leave_out(struct bpf_code *c, const struct call_memory *m, const struct int_list *pids,
		      int out)
{
	if (!pids || !pids->nr)
		return;
	bpf_ids(c, m->ns, CALL_KEY, out);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
	for (size_t i = 0; i < pids->nr; i++)
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, pids->v[i], out);
}

/* Emit: CALL_ROW = the row of the call whose number is in the record, else goto @out */
static void find_copies(struct bpf_code *c, const struct call_memory *m, u32 nr_calls, int out)
{
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_NUMBER);
	bpf_jumpi(c, BPF_JGE, BPF_REG_1, (s32)nr_calls, out); /* also numbers below zero */
	bpf_store(c, BPF_W, BPF_REG_10, CALL_KEY, BPF_REG_1);
	bpf_lookup(c, m->copies, CALL_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, CALL_ROW, BPF_REG_0);
	bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, COPY_AT(0, kind));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_COPY_NONE, out);
}

/* Emit: r2 = the bytes to copy of argument @i, at least 1, else goto @next; changes r4, r5 */
static void find_size(struct bpf_code *c, int i, bool at_return, int next)
{
	int by_argument = bpf_label(c), counted = bpf_label(c), known = bpf_label(c);

	bpf_load(c, BPF_H, BPF_REG_2, CALL_ROW, COPY_AT(i, most));
	bpf_load(c, BPF_B, BPF_REG_4, CALL_ROW, COPY_AT(i, kind));
	bpf_jumpi(c, BPF_JNE, BPF_REG_4, CALL_COPY_SIZED, known);
	if (at_return) {
		bpf_load(c, BPF_B, BPF_REG_4, CALL_ROW, COPY_AT(i, by));
		bpf_jumpi(c, BPF_JNE, BPF_REG_4, CALL_BY_RESULT, by_argument);
		bpf_load(c, BPF_DW, BPF_REG_4, CALL_CTX, AT_RESULT);
		bpf_goto(c, counted);
	}
	bpf_bind(c, by_argument);
	call_load_argument(c, BPF_REG_4, COPY_AT(i, by));
	bpf_bind(c, counted);
	bpf_jump(c, BPF_JGE, BPF_REG_4, BPF_REG_2, known); /* elements have a byte at least */
	bpf_load(c, BPF_H, BPF_REG_5, CALL_ROW, COPY_AT(i, size));
	bpf_alu(c, BPF_MUL, BPF_REG_4, BPF_REG_5);
	bpf_jump(c, BPF_JGE, BPF_REG_4, BPF_REG_2, known);
	bpf_mov(c, BPF_REG_2, BPF_REG_4);
	bpf_bind(c, known);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, next);
	bpf_jumpi(c, BPF_JGT, BPF_REG_2, CALL_COPY_MAX, next);
}

/* ---- pieces ---- */

void call_load_argument(struct bpf_code *c, int to, int at)
{
	bpf_load(c, BPF_B, to, CALL_ROW, at);
	bpf_alui(c, BPF_AND, to, 7);
	bpf_alui(c, BPF_LSH, to, 3);
	bpf_alu(c, BPF_ADD, to, CALL_RECORD);
	bpf_load(c, BPF_DW, to, to, HEAD_AT(args));
}

/* Emit: r5 = the head of the next piece */
static void next_piece(struct bpf_code *c)
{
	bpf_mov(c, BPF_REG_5, CALL_RECORD);
	bpf_alu(c, BPF_ADD, BPF_REG_5, CALL_USED);
}

/*
 * Emit: the head of a piece, and r1 = where its bytes go. The bytes that are used stand in the
 * record, not only in a register: so the verifier knows as little of them on one way through the
 * program as on any other, and need not follow each way for itself.
 */
static void begin_piece(struct bpf_code *c, int full)
{
	bpf_load(c, BPF_W, CALL_USED, CALL_RECORD, HEAD_AT(bytes));
	bpf_jumpi(c, BPF_JGT, CALL_USED, CALL_RECORD_MAX - CALL_PIECE_MAX, full);
	next_piece(c);
	bpf_store(c, BPF_DW, BPF_REG_5, PIECE_AT(addr), BPF_REG_3);
	bpf_store(c, BPF_W, BPF_REG_5, PIECE_AT(size), BPF_REG_2);
	bpf_store(c, BPF_W, BPF_REG_5, PIECE_AT(out), BPF_REG_4);
	bpf_mov(c, BPF_REG_1, BPF_REG_5);
	bpf_alui(c, BPF_ADD, BPF_REG_1, sizeof(struct call_piece_head));
}

/* Emit: a piece of r4 bytes is whole */
static void end_piece(struct bpf_code *c, int unread)
{
	bpf_jumpi(c, BPF_JGT, BPF_REG_4, CALL_COPY_MAX, unread);
	bpf_alui(c, BPF_ADD, BPF_REG_4, sizeof(struct call_piece_head) + 7);
	bpf_alui(c, BPF_AND, BPF_REG_4, -8);
	bpf_alu(c, BPF_ADD, CALL_USED, BPF_REG_4);
	bpf_store(c, BPF_W, CALL_RECORD, HEAD_AT(bytes), CALL_USED);
}

void call_put_string(struct bpf_code *c, int full, int unread)
{
	begin_piece(c, full);
	bpf_helper(c, BPF_FUNC_probe_read_user_str);
	bpf_jumpi(c, BPF_JSLE, BPF_REG_0, 0, unread);
	next_piece(c);
	bpf_store(c, BPF_W, BPF_REG_5, PIECE_AT(size), BPF_REG_0);
	bpf_mov(c, BPF_REG_4, BPF_REG_0);
	end_piece(c, unread);
}

void call_put_bytes(struct bpf_code *c, int full, int unread)
{
	begin_piece(c, full);
	bpf_helper(c, BPF_FUNC_probe_read_user);
	bpf_jumpi(c, BPF_JSLT, BPF_REG_0, 0, unread);
	next_piece(c);
	bpf_load(c, BPF_W, BPF_REG_4, BPF_REG_5, PIECE_AT(size));
	end_piece(c, unread);
}

/*
 * Emit: copy argument @i behind the record. Where nothing is behind the address goto @next, where
 * it cannot be read goto @unread. Numbers on the first page are no addresses.
 */
static void copy_argument(struct bpf_code *c, int i, bool at_return, int next, int unread)
{
	int bytes = bpf_label(c), copied = bpf_label(c);

	call_load_argument(c, BPF_REG_3, COPY_AT(i, arg));
	bpf_jumpi(c, BPF_JLT, BPF_REG_3, FIRST_PAGE, next);
	find_size(c, i, at_return, next);
	bpf_load(c, BPF_B, BPF_REG_5, CALL_ROW, COPY_AT(i, kind));
	bpf_load(c, BPF_B, BPF_REG_4, CALL_ROW, COPY_AT(i, out));
	bpf_jumpi(c, BPF_JNE, BPF_REG_5, CALL_COPY_STRING, bytes);
	call_put_string(c, next, unread);
	bpf_goto(c, copied);
	bpf_bind(c, bytes);
	call_put_bytes(c, next, unread);
	bpf_bind(c, copied);
}

/* Emit: the flags of the record |= @bit. They stand in the record, like the bytes that are used: on
 * the stack the verifier would know them, and follow each of their combinations for itself. */
static void note_later(struct bpf_code *c, int bit)
{
	bpf_load(c, BPF_W, BPF_REG_1, CALL_RECORD, HEAD_AT(flags));
	bpf_alui(c, BPF_OR, BPF_REG_1, bit);
	bpf_store(c, BPF_W, CALL_RECORD, HEAD_AT(flags), BPF_REG_1);
}

/* Tell whether any call has addresses in its memory. */
static bool is_deep(const struct call_memory_opts *opts)
{
	for (u32 i = 0; i < opts->nr_calls; i++)
		if (opts->copies[i].deep.kind != CALL_DEEP_NONE)
			return true;
	return false;
}

static void deep_at_begin(struct bpf_code *c)
{
	int unread = bpf_label(c), done = bpf_label(c);

	call_put_deep(c, false, unread);
	bpf_goto(c, done);
	bpf_bind(c, unread);
	note_later(c, CALL_LATER_DEEP);
	bpf_bind(c, done);
}

/* Emit: copy what can be copied at the begin, and note the rest in the flags of the record */
static void copy_at_begin(struct bpf_code *c, const struct call_memory_opts *opts)
{
	int done = bpf_label(c);

	bpf_storei(c, BPF_W, CALL_RECORD, HEAD_AT(flags), 0);
	for (int i = 0; i < CALL_COPIES; i++) {
		int next = bpf_label(c), later = bpf_label(c);

		bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, COPY_AT(i, kind));
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_COPY_NONE, done);
		bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, COPY_AT(i, out));
		bpf_jumpi(c, BPF_JNE, BPF_REG_1, 0, later);
		copy_argument(c, i, false, next, later);
		bpf_goto(c, next);
		bpf_bind(c, later);
		note_later(c, 1 << i);
		bpf_bind(c, next);
	}
	bpf_bind(c, done);
	if (is_deep(opts))
		deep_at_begin(c);
}

/* Emit: copy what CALL_LATER names; what the kernel writes only if the call has not failed */
static void copy_at_return(struct bpf_code *c, const struct call_memory_opts *opts)
{
	const int done = bpf_label(c);

	for (int i = 0; i < CALL_COPIES; i++) {
		int next = bpf_label(c), read = bpf_label(c);

		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_LATER);
		bpf_alui(c, BPF_AND, BPF_REG_1, 1 << i);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, next);
		bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, COPY_AT(i, out));
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, read);
		bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_RESULT);
		bpf_jumpi(c, BPF_JSLT, BPF_REG_1, 0, next);
		bpf_bind(c, read);
		copy_argument(c, i, true, next, next);
		bpf_bind(c, next);
	}
	if (!is_deep(opts))
		return;
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_LATER);
	bpf_alui(c, BPF_AND, BPF_REG_1, CALL_LATER_DEEP);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, done);
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_RESULT);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LEFT, BPF_REG_1);
	call_put_deep(c, true, done);
	bpf_bind(c, done);
}

/* Emit: write the record, unless it has no pieces */
static void write_record(struct bpf_code *c, const struct call_memory *m, int out)
{
	bpf_load(c, BPF_W, CALL_USED, CALL_RECORD, HEAD_AT(bytes));
	bpf_jumpi(c, BPF_JLE, CALL_USED, sizeof(struct call_head), out);
	bpf_jumpi(c, BPF_JGT, CALL_USED, CALL_RECORD_MAX, out);
	bpf_mov(c, BPF_REG_1, CALL_CTX);
	bpf_movmap(c, BPF_REG_2, m->events);
	if (m->per_thread)
		bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_RING);
	else
		bpf_mov64(c, BPF_REG_3, BPF_F_CURRENT_CPU);
	bpf_mov(c, BPF_REG_4, CALL_RECORD);
	bpf_mov(c, BPF_REG_5, CALL_USED);
	bpf_helper(c, BPF_FUNC_perf_event_output);
}

/* Emit: keep the head of the record for the return of the call, if that has something to do */
static void wait_for_return(struct bpf_code *c, const struct call_memory *m)
{
	int nothing = bpf_label(c);

	bpf_load(c, BPF_W, BPF_REG_1, CALL_RECORD, HEAD_AT(flags));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, nothing);
	key_thread(c);
	bpf_movmap(c, BPF_REG_1, m->waiting);
	bpf_frame(c, BPF_REG_2, CALL_KEY);
	bpf_mov(c, BPF_REG_3, CALL_RECORD);
	bpf_movi(c, BPF_REG_4, BPF_ANY);
	bpf_helper(c, BPF_FUNC_map_update_elem);
	bpf_bind(c, nothing);
}

void call_prog_enter(struct bpf_code *c, const struct call_memory *m,
		     const struct call_memory_opts *opts)
{
	int out = bpf_label(c);

	bpf_mov(c, CALL_CTX, BPF_REG_1);
	find_copies(c, m, opts->nr_calls, out);
	if (m->tasks >= 0)
		want_thread(c, m, out);
	leave_out(c, m, opts->not_pids, out);
	lookup_only(c, m->record, CALL_RECORD, out);
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_NUMBER);
	bpf_store(c, BPF_DW, CALL_RECORD, HEAD_AT(nr), BPF_REG_1);
	for (int i = 0; i < CALL_ARGS; i++) {
		bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_ARGS + 8 * i);
		bpf_store(c, BPF_DW, CALL_RECORD, HEAD_AT(args) + 8 * i, BPF_REG_1);
	}
	bpf_storei(c, BPF_W, CALL_RECORD, HEAD_AT(bytes), sizeof(struct call_head));
	copy_at_begin(c, opts);
	wait_for_return(c, m);
	write_record(c, m, out);
	bpf_bind(c, out);
	bpf_return(c, 1); /* the tracepoint goes on */
}

/* Emit: CALL_RECORD = the head that waits for the return of this thread's call, which it does no
 * more; else goto @out */
static void take_waiting(struct bpf_code *c, const struct call_memory *m, int out)
{
	key_thread(c);
	bpf_lookup(c, m->waiting, CALL_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, CALL_USED, BPF_REG_0);
	lookup_only(c, m->record, CALL_RECORD, out);
	for (int at = 0; at < (int)sizeof(struct call_head); at += 8) {
		bpf_load(c, BPF_DW, BPF_REG_1, CALL_USED, at);
		bpf_store(c, BPF_DW, CALL_RECORD, at, BPF_REG_1);
	}
	key_thread(c);
	bpf_movmap(c, BPF_REG_1, m->waiting);
	bpf_frame(c, BPF_REG_2, CALL_KEY);
	bpf_helper(c, BPF_FUNC_map_delete_elem);
}

void call_prog_exit(struct bpf_code *c, const struct call_memory *m,
		    const struct call_memory_opts *opts)
{
	int out = bpf_label(c);

	bpf_mov(c, CALL_CTX, BPF_REG_1);
	if (m->per_thread)
		want_thread(c, m, out);
	take_waiting(c, m, out);
	find_copies(c, m, opts->nr_calls, out);
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, AT_NUMBER);
	bpf_load(c, BPF_DW, BPF_REG_2, CALL_RECORD, HEAD_AT(nr));
	bpf_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_2, out);
	bpf_load(c, BPF_W, BPF_REG_1, CALL_RECORD, HEAD_AT(flags));
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LATER, BPF_REG_1);
	bpf_movi(c, BPF_REG_1, CALL_AT_RETURN);
	bpf_store(c, BPF_W, CALL_RECORD, HEAD_AT(flags), BPF_REG_1);
	bpf_storei(c, BPF_W, CALL_RECORD, HEAD_AT(bytes), sizeof(struct call_head));
	copy_at_return(c, opts);
	write_record(c, m, out);
	bpf_bind(c, out);
	bpf_return(c, 1);
}

/* Threads that a traced one creates are traced, and the address of one that is not may be that of
 * one that was. */
void call_prog_task(struct bpf_code *c, const struct call_memory *m)
{
	int other = bpf_label(c);

	bpf_mov(c, CALL_CTX, BPF_REG_1);
	want_thread(c, m, other);
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_KEY, BPF_REG_1);
	bpf_storei(c, BPF_DW, BPF_REG_10, CALL_VALUE, 1);
	bpf_movmap(c, BPF_REG_1, m->tasks);
	bpf_frame(c, BPF_REG_2, CALL_KEY);
	bpf_frame(c, BPF_REG_3, CALL_VALUE);
	bpf_movi(c, BPF_REG_4, BPF_ANY);
	bpf_helper(c, BPF_FUNC_map_update_elem);
	bpf_return(c, 0);
	bpf_bind(c, other);
	bpf_load(c, BPF_DW, BPF_REG_1, CALL_CTX, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_KEY, BPF_REG_1);
	bpf_movmap(c, BPF_REG_1, m->tasks);
	bpf_frame(c, BPF_REG_2, CALL_KEY);
	bpf_helper(c, BPF_FUNC_map_delete_elem);
	bpf_return(c, 0);
}
