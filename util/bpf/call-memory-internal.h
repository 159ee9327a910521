/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of call-memory.h. */
#ifndef PERF_BPF_CALL_MEMORY_INTERNAL_H
#define PERF_BPF_CALL_MEMORY_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/call-memory.h"

/* Room for a record: pieces are padded, and the verifier does not know that padding is small. */
#define CALL_PIECE_MAX (sizeof(struct call_piece_head) + CALL_COPY_MAX + 8)
#define CALL_RECORD_MAX (sizeof(struct call_head) + CALL_PIECES * CALL_PIECE_MAX)

/*
 * Registers of the programs: CALL_RECORD has the record that is made, CALL_USED its bytes,
 * CALL_ROW the table's row of the call.
 */
enum { CALL_CTX = BPF_REG_6, CALL_RECORD = BPF_REG_7, CALL_USED = BPF_REG_8, CALL_ROW = BPF_REG_9 };

/* The programs keep these at offsets on their stack. */
enum {
	CALL_KEY = -8,
	CALL_LATER = -16, /* bits of what is to be copied when the call returns */
	CALL_VALUE = -24,
	CALL_LIST = -32,   /* an address of addresses, */
	CALL_LISTED = -40, /* how many there are, */
	CALL_PAIR = -56,   /* and one of them with what stands behind it */
	CALL_LEFT = -72,   /* bytes that the kernel has written to buffers further on */
	CALL_RING = -64,   /* the place of the thread's ring, if it has one of its own */
};

#define CALL_LATER_DEEP (1 << CALL_COPIES)

/* The programs: at the begin of calls, at their return, and where threads are created. */
enum { CALL_PROG_ENTER, CALL_PROG_EXIT, CALL_PROG_TASK };

/** call_load_argument - emit @to = the argument whose number is in byte @at of the row. */
void call_load_argument(struct bpf_code *c, int to, int at);
/**
 * call_put_string, call_put_bytes - emit a piece of at most r2 bytes, 1 to CALL_COPY_MAX, from the
 * address r3 on; r4: the kernel has written it. Goto @full when there is no room in the record,
 * @unread when it cannot be read; both may be the same. Changes r0-r5.
 */
void call_put_string(struct bpf_code *c, int full, int unread);
void call_put_bytes(struct bpf_code *c, int full, int unread);
/** call_put_deep - emit pieces of what memory of the call points to (call-memory-deep.c). Goto
 * @unread when something cannot be read, or can only be read @at_return. Then CALL_LEFT is the
 * result of the call. */
void call_put_deep(struct bpf_code *c, bool at_return, int unread);

/** call_prog_enter - assemble the program for the tracepoint raw_syscalls:sys_enter. */
void call_prog_enter(struct bpf_code *c, const struct call_memory *m,
		     const struct call_memory_opts *opts);
/** call_prog_exit - assemble the program for the tracepoint raw_syscalls:sys_exit. */
void call_prog_exit(struct bpf_code *c, const struct call_memory *m,
		    const struct call_memory_opts *opts);
/** call_prog_task - assemble the program for the raw tracepoint task_newtask. */
void call_prog_task(struct bpf_code *c, const struct call_memory *m);

#endif
