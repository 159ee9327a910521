// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses in memory of calls: lists of strings, and buffers as programs of 64 bits have them,
 *
 *	struct iovec	address, size
 *	struct msghdr	address of a name, its size; address of struct iovec, their number; ...
 *
 * and structs of commands that have the address of a string.
 */
#include "base/compat.h"
#include "bpf/call-memory-internal.h"

enum { WORD = 8, PAIR = 16 };

#define DEEP_AT(member)                                                                            \
	((int)(offsetof(struct call_copies, deep) + offsetof(struct call_deep, member)))

/* Emit: CALL_PAIR = @bytes at CALL_LIST + @at, else goto @unread */
static void read_pair(struct bpf_code *c, int bytes, int at, int unread)
{
	bpf_frame(c, BPF_REG_1, CALL_PAIR);
	bpf_movi(c, BPF_REG_2, bytes);
	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_LIST);
	bpf_alui(c, BPF_ADD, BPF_REG_3, at);
	bpf_helper(c, BPF_FUNC_probe_read_user);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, unread);
}

/* Emit: r2 = that number of bytes, but at most those of a piece; goto @none if it is 0 */
static void limit_size(struct bpf_code *c, int none)
{
	int fits = bpf_label(c), known = bpf_label(c);

	bpf_load(c, BPF_H, BPF_REG_5, CALL_ROW, DEEP_AT(most));
	bpf_jump(c, BPF_JLE, BPF_REG_2, BPF_REG_5, fits);
	bpf_mov(c, BPF_REG_2, BPF_REG_5);
	bpf_bind(c, fits);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, none);
	bpf_jumpi(c, BPF_JLE, BPF_REG_2, CALL_COPY_MAX, known);
	bpf_movi(c, BPF_REG_2, CALL_COPY_MAX);
	bpf_bind(c, known);
}

/* Emit: if the kernel has filled the buffers, r2 = the part of that number of bytes that it has
 * written of this one, and CALL_LEFT is less by it */
static void limit_written(struct bpf_code *c)
{
	int fits = bpf_label(c), all = bpf_label(c);

	bpf_load(c, BPF_B, BPF_REG_5, CALL_ROW, DEEP_AT(out));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_5, 0, all);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_LEFT);
	bpf_jump(c, BPF_JLE, BPF_REG_2, BPF_REG_1, fits);
	bpf_mov(c, BPF_REG_2, BPF_REG_1);
	bpf_bind(c, fits);
	bpf_alu(c, BPF_SUB, BPF_REG_1, BPF_REG_2);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LEFT, BPF_REG_1);
	bpf_bind(c, all);
}

/* Emit: r4 = whether the kernel has written the memory */
static void load_out(struct bpf_code *c)
{
	bpf_load(c, BPF_B, BPF_REG_4, CALL_ROW, DEEP_AT(out));
}

/* Emit: a piece of the @bytes that CALL_LIST points to */
static void put_list(struct bpf_code *c, int bytes, int full, int unread)
{
	bpf_movi(c, BPF_REG_2, bytes);
	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_LIST);
	load_out(c);
	call_put_bytes(c, full, unread);
}

/* Emit: the list and the strings that it has; the list is read whole, so one word more tells that
 * there are more */
static void put_strings(struct bpf_code *c, int done, int unread)
{
	put_list(c, (CALL_ELEMENTS + 1) * WORD, done, unread);
	for (int i = 0; i < CALL_ELEMENTS; i++) {
		read_pair(c, WORD, i * WORD, unread);
		bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_PAIR);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_3, 0, done);
		bpf_movi(c, BPF_REG_2, CALL_COPY_MAX);
		limit_size(c, done);
		bpf_movi(c, BPF_REG_4, 0);
		call_put_string(c, done, unread);
	}
}

/* Emit: the buffers of the first elements of a list of CALL_LISTED ones */
static void put_buffers(struct bpf_code *c, bool at_return, int done, int unread)
{
	for (int i = 0; i < CALL_PARTS; i++) {
		int next = bpf_label(c);

		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_LISTED);
		bpf_jumpi(c, BPF_JLE, BPF_REG_1, i, done);
		read_pair(c, PAIR, i * PAIR, unread);
		bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_10, CALL_PAIR + WORD);
		if (at_return)
			limit_written(c);
		limit_size(c, next);
		bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_PAIR);
		load_out(c);
		call_put_bytes(c, done, unread);
		bpf_bind(c, next);
	}
}

/* Emit: the name of a message; CALL_LIST and CALL_LISTED = its buffers, the first of which are
 * copied as they stand in their list */
static void put_message(struct bpf_code *c, int done, int unread)
{
	int unnamed = bpf_label(c);

	read_pair(c, PAIR, 0, unread);
	bpf_load(c, BPF_W, BPF_REG_2, BPF_REG_10, CALL_PAIR + WORD);
	limit_size(c, unnamed);
	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_PAIR);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_3, 0, unnamed);
	load_out(c);
	call_put_bytes(c, done, unread);
	bpf_bind(c, unnamed);
	read_pair(c, PAIR, PAIR, unread);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_PAIR);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LIST, BPF_REG_1);
	bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_10, CALL_PAIR + WORD);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LISTED, BPF_REG_2);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, done);
	for (int nr = CALL_PARTS; nr; nr--) {
		int fewer = bpf_label(c);

		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, CALL_LISTED);
		bpf_jumpi(c, nr == CALL_PARTS ? BPF_JLT : BPF_JNE, BPF_REG_1, nr, fewer);
		put_list(c, nr * PAIR, done, unread);
		bpf_bind(c, fewer);
	}
}

/* Emit: r@to = the member @i of the row's call_deep.members at @member, of @size */
static void load_member(struct bpf_code *c, int size, int to, int i, int member)
{
	bpf_load(c, size, to, CALL_ROW,
		 DEEP_AT(members) + i * (int)sizeof(struct call_member) + member);
}

/* Emit: the string that the struct of the command has */
static void put_members(struct bpf_code *c, int done, int unread)
{
	for (int i = 0; i < CALL_MEMBERS; i++) {
		int next = bpf_label(c);

		load_member(c, BPF_H, BPF_REG_1, i, offsetof(struct call_member, is));
		bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, done);
		call_load_argument(c, BPF_REG_2, DEEP_AT(by));
		bpf_alui(c, BPF_LSH, BPF_REG_2, 32); /* the command is an int */
		bpf_alui(c, BPF_RSH, BPF_REG_2, 32);
		load_member(c, BPF_W, BPF_REG_1, i, offsetof(struct call_member, command));
		bpf_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_2, next);
		bpf_frame(c, BPF_REG_1, CALL_PAIR);
		bpf_movi(c, BPF_REG_2, WORD);
		load_member(c, BPF_H, BPF_REG_4, i, offsetof(struct call_member, at));
		bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_LIST);
		bpf_alu(c, BPF_ADD, BPF_REG_3, BPF_REG_4);
		bpf_helper(c, BPF_FUNC_probe_read_user);
		bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, unread);
		bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_10, CALL_PAIR);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_3, 0, next);
		bpf_movi(c, BPF_REG_2, CALL_COPY_MAX);
		limit_size(c, done);
		bpf_movi(c, BPF_REG_4, 0);
		call_put_string(c, done, unread);
		bpf_bind(c, next);
	}
}

/* Emit: two lists of strings */
static void put_both(struct bpf_code *c, int done, int unread)
{
	int next = bpf_label(c);

	put_strings(c, next, unread);
	bpf_bind(c, next);
	bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, DEEP_AT(by));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, done);
	call_load_argument(c, BPF_REG_2, DEEP_AT(by));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, done);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LIST, BPF_REG_2);
	put_strings(c, done, unread);
}

/* Emit: goto @skip unless there is something to be read now; at the begin @unread tells that there
 * will be something later */
static void only_now(struct bpf_code *c, bool at_return, int skip, int unread)
{
	int now = bpf_label(c);

	bpf_load(c, BPF_B, BPF_REG_2, CALL_ROW, DEEP_AT(out));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, now);
	if (!at_return) {
		bpf_goto(c, unread);
	} else {
		bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_10, CALL_LEFT);
		bpf_jumpi(c, BPF_JSLE, BPF_REG_2, 0, skip);
	}
	bpf_bind(c, now);
}

void call_put_deep(struct bpf_code *c, bool at_return, int unread)
{
	int done = bpf_label(c), message = bpf_label(c), buffers = bpf_label(c),
	    listed = bpf_label(c), members = bpf_label(c);

	bpf_load(c, BPF_B, BPF_REG_1, CALL_ROW, DEEP_AT(kind));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_DEEP_NONE, done);
	only_now(c, at_return, done, unread);
	call_load_argument(c, BPF_REG_2, DEEP_AT(arg));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_2, 0, done);
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LIST, BPF_REG_2);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_DEEP_MESSAGE, message);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_DEEP_BUFFERS, buffers);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, CALL_DEEP_MEMBER, members);
	put_both(c, done, unread);
	bpf_goto(c, done);
	bpf_bind(c, members);
	put_members(c, done, unread);
	bpf_goto(c, done);
	bpf_bind(c, message);
	put_message(c, done, unread);
	bpf_goto(c, listed);
	bpf_bind(c, buffers);
	call_load_argument(c, BPF_REG_2, DEEP_AT(by));
	bpf_store(c, BPF_DW, BPF_REG_10, CALL_LISTED, BPF_REG_2);
	bpf_bind(c, listed);
	put_buffers(c, at_return, done, unread);
	bpf_bind(c, done);
}
