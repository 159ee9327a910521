/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of call-memory.h. */
#ifndef PERF_BPF_CALL_MEMORY_INTERNAL_H
#define PERF_BPF_CALL_MEMORY_INTERNAL_H

#include "bpf/asm.h"
#include "bpf/call-memory.h"

/* Room for a record: pieces are padded, and the verifier does not know that padding is small. */
#define CALL_RECORD_MAX                                                                            \
	(sizeof(struct call_head) +                                                                \
	 CALL_COPIES * (sizeof(struct call_piece_head) + CALL_COPY_MAX + 8))

/* The programs: at the begin of calls, at their return, and where threads are created. */
enum { CALL_PROG_ENTER, CALL_PROG_EXIT, CALL_PROG_TASK };

/** call_prog_enter - assemble the program for the tracepoint raw_syscalls:sys_enter. */
void call_prog_enter(struct bpf_code *c, const struct call_memory *m,
		     const struct call_memory_opts *opts);
/** call_prog_exit - assemble the program for the tracepoint raw_syscalls:sys_exit. */
void call_prog_exit(struct bpf_code *c, const struct call_memory *m,
		    const struct call_memory_opts *opts);
/** call_prog_task - assemble the program for the raw tracepoint task_newtask. */
void call_prog_task(struct bpf_code *c, const struct call_memory *m);

#endif
