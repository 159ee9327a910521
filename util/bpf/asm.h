/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An assembler for BPF. Programs are made at run time, for the expression that the user typed and
 * for the running kernel, so they need nothing but the kernel: no compiler and no library.
 *
 *	int out = bpf_label(&c);
 *	bpf_load(&c, BPF_DW, 0, 1, 16);		r0 = *(u64 *)(r1 + 16)
 *	bpf_jumpi(&c, BPF_JEQ, 0, 5, out);	if (r0 == 5) goto out
 *	bpf_bind(&c, out);			out:
 *	bpf_exit(&c);
 *
 * Registers: r0 holds results; r1-r5 hold arguments and are lost over calls; r6-r9 are preserved;
 * r10 is the frame pointer.
 */
#ifndef PERF_BPF_ASM_H
#define PERF_BPF_ASM_H

#include "base/compat.h"

#include <linux/bpf.h>

struct bpf_fixup {
	u32 insn;
	int label;
};

struct bpf_code {
	struct bpf_insn *v; /* owned */
	u32 nr, cap;
	int *labels; /* owned; the instruction that each label stands for, or -1 */
	u32 nr_labels, cap_labels;
	struct bpf_fixup *fixups; /* owned */
	u32 nr_fixups, cap_fixups;
};

/** bpf_code_release - free the contents. */
void bpf_code_release(struct bpf_code *c);

/** bpf_emit - append one instruction. */
void bpf_emit(struct bpf_code *c, int code, int dst, int src, int off, s32 imm);
/** bpf_label - return a new label. */
int bpf_label(struct bpf_code *c);
/** bpf_bind - make a label stand for the next instruction. */
void bpf_bind(struct bpf_code *c, int label);
/** bpf_link - resolve all jumps. Return: 0, or -E2BIG when one is too far. */
int bpf_link(struct bpf_code *c);

/* The following functions append the instructions that their comments show. */

/** bpf_mov - emit dst = src */
void bpf_mov(struct bpf_code *c, int dst, int src);
/** bpf_movi - emit dst = imm */
void bpf_movi(struct bpf_code *c, int dst, s32 imm);
/** bpf_mov64 - emit dst = a number of 64 bits */
void bpf_mov64(struct bpf_code *c, int dst, u64 imm);
/** bpf_movmap - emit dst = the map @fd, for helpers */
void bpf_movmap(struct bpf_code *c, int dst, int fd);
/** bpf_movval - emit dst = address of byte @off of the only value of array @fd */
void bpf_movval(struct bpf_code *c, int dst, int fd, u32 off);
/** bpf_alu - emit dst op= src; op: BPF_ADD, ... */
void bpf_alu(struct bpf_code *c, int op, int dst, int src);
/** bpf_alui - emit dst op= imm; op: BPF_ADD, ... */
void bpf_alui(struct bpf_code *c, int op, int dst, s32 imm);
/** bpf_load - emit dst = *(size *)(src + off); size: BPF_B, BPF_H, BPF_W, BPF_DW */
void bpf_load(struct bpf_code *c, int size, int dst, int src, int off);
/** bpf_store - emit *(size *)(dst + off) = src */
void bpf_store(struct bpf_code *c, int size, int dst, int off, int src);
/** bpf_storei - emit *(size *)(dst + off) = imm */
void bpf_storei(struct bpf_code *c, int size, int dst, int off, s32 imm);
/** bpf_add_atomic - emit *(u64 *)(dst + off) += src, on all CPUs */
void bpf_add_atomic(struct bpf_code *c, int dst, int off, int src);
/** bpf_fetch_add - emit the u64 at dst + off += src, on all CPUs; src = what it was (Linux 5.12) */
void bpf_fetch_add(struct bpf_code *c, int dst, int off, int src);
/** bpf_helper - emit r0 = helper(r1 ... r5); BPF_FUNC_... */
void bpf_helper(struct bpf_code *c, int func);
/** bpf_kfunc - emit r0 = a function of the kernel(r1 ... r5). @func: its number in the types of the
 * kernel */
void bpf_kfunc(struct bpf_code *c, u32 func);
/** bpf_jump - emit if (dst op src) goto label; op: BPF_JEQ, BPF_JGT, ... */
void bpf_jump(struct bpf_code *c, int op, int dst, int src, int label);
/** bpf_jumpi - emit if (dst op imm) goto label; op: BPF_JEQ, BPF_JGT, ... */
void bpf_jumpi(struct bpf_code *c, int op, int dst, s32 imm, int label);
/** bpf_goto - goto label */
void bpf_goto(struct bpf_code *c, int label);
/**
 * bpf_may_goto - emit goto label once a loop has run some ten thousand times. A loop that has no
 * other bound needs it (Linux 6.9).
 */
void bpf_may_goto(struct bpf_code *c, int label);
/** bpf_exit - return r0 */
void bpf_exit(struct bpf_code *c);
/** bpf_return - return @value */
void bpf_return(struct bpf_code *c, s32 value);

/** bpf_frame - emit dst = the address of byte @at of the stack, which is below 0 */
void bpf_frame(struct bpf_code *c, int dst, int at);
/** bpf_lookup - emit r0 = the value in @map of the key at byte @key of the stack, or NULL */
void bpf_lookup(struct bpf_code *c, int map, int key);
/** bpf_update - emit r0 = 0, or a negative errno: the value at byte @value of the stack becomes
 * that of the key at byte @key in @map. @flags: BPF_ANY, BPF_NOEXIST, ... */
void bpf_update(struct bpf_code *c, int map, int key, int value, int flags);
/** bpf_count_up - emit the u64 at byte @off of the only value of array @map += 1, on all CPUs;
 * changes r1 and r2. */
void bpf_count_up(struct bpf_code *c, int map, size_t off);
/** bpf_peek - emit *(size *)(r10 + to) = the @bytes of kernel memory at @src + @off; changes
 * r0-r5. */
void bpf_peek(struct bpf_code *c, int to, int bytes, int src, int off);

#endif
