// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/asm.h"

#include "base/alloc.h"

#include <errno.h>

void bpf_code_release(struct bpf_code *c)
{
	free(c->v);
	free(c->labels);
	free(c->fixups);
	memset(c, 0, sizeof(*c));
}

void bpf_emit(struct bpf_code *c, int code, int dst, int src, int off, s32 imm)
{
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr++] = (struct bpf_insn){ .code = (u8)code,
					   .dst_reg = (u8)(dst & 15),
					   .src_reg = (u8)(src & 15),
					   .off = (s16)off,
					   .imm = imm };
}

int bpf_label(struct bpf_code *c)
{
	VEC_GROW(c->labels, c->nr_labels + 1, c->cap_labels);
	c->labels[c->nr_labels] = -1;
	return (int)c->nr_labels++;
}

void bpf_bind(struct bpf_code *c, int label)
{
	c->labels[label] = (int)c->nr;
}

int bpf_link(struct bpf_code *c)
{
	for (u32 i = 0; i < c->nr_fixups; i++) {
		const struct bpf_fixup *f = &c->fixups[i];
		int off = c->labels[f->label] - (int)f->insn - 1;

		if (c->labels[f->label] < 0 || off > INT16_MAX || off < INT16_MIN)
			return -E2BIG;
		c->v[f->insn].off = (s16)off;
	}
	return 0;
}

static void to_label(struct bpf_code *c, int label)
{
	VEC_GROW(c->fixups, c->nr_fixups + 1, c->cap_fixups);
	c->fixups[c->nr_fixups++] = (struct bpf_fixup){ c->nr - 1, label };
}

void bpf_mov(struct bpf_code *c, int dst, int src)
{
	bpf_alu(c, BPF_MOV, dst, src);
}

void bpf_movi(struct bpf_code *c, int dst, s32 imm)
{
	bpf_alui(c, BPF_MOV, dst, imm);
}

static void wide(struct bpf_code *c, int dst, int src, u32 low, u32 high)
{
	bpf_emit(c, BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, (s32)low);
	bpf_emit(c, 0, 0, 0, 0, (s32)high);
}

void bpf_mov64(struct bpf_code *c, int dst, u64 imm)
{
	wide(c, dst, 0, (u32)imm, (u32)(imm >> 32));
}

void bpf_movmap(struct bpf_code *c, int dst, int fd)
{
	wide(c, dst, BPF_PSEUDO_MAP_FD, (u32)fd, 0);
}

void bpf_movval(struct bpf_code *c, int dst, int fd, u32 off)
{
	wide(c, dst, BPF_PSEUDO_MAP_VALUE, (u32)fd, off);
}

void bpf_alu(struct bpf_code *c, int op, int dst, int src)
{
	bpf_emit(c, BPF_ALU64 | BPF_X | op, dst, src, 0, 0);
}

void bpf_alui(struct bpf_code *c, int op, int dst, s32 imm)
{
	bpf_emit(c, BPF_ALU64 | BPF_K | op, dst, 0, 0, imm);
}

void bpf_load(struct bpf_code *c, int size, int dst, int src, int off)
{
	bpf_emit(c, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

void bpf_store(struct bpf_code *c, int size, int dst, int off, int src)
{
	bpf_emit(c, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

void bpf_storei(struct bpf_code *c, int size, int dst, int off, s32 imm)
{
	bpf_emit(c, BPF_ST | BPF_MEM | size, dst, 0, off, imm);
}

void bpf_add_atomic(struct bpf_code *c, int dst, int off, int src)
{
	/* BPF_ATOMIC with BPF_ADD; older headers call it BPF_XADD */
	bpf_emit(c, BPF_STX | BPF_XADD | BPF_DW, dst, src, off, BPF_ADD);
}

void bpf_fetch_add(struct bpf_code *c, int dst, int off, int src)
{
	enum { FETCH = 1 }; /* older headers have no name for it */

	bpf_emit(c, BPF_STX | BPF_XADD | BPF_DW, dst, src, off, BPF_ADD | FETCH);
}

void bpf_helper(struct bpf_code *c, int func)
{
	bpf_emit(c, BPF_JMP | BPF_CALL, 0, 0, 0, func);
}

void bpf_kfunc(struct bpf_code *c, u32 func)
{
	enum { OF_KERNEL = 2 }; /* older headers have no name for it */

	bpf_emit(c, BPF_JMP | BPF_CALL, 0, OF_KERNEL, 0, (s32)func);
}

void bpf_jump(struct bpf_code *c, int op, int dst, int src, int label)
{
	bpf_emit(c, BPF_JMP | BPF_X | op, dst, src, 0, 0);
	to_label(c, label);
}

void bpf_jumpi(struct bpf_code *c, int op, int dst, s32 imm, int label)
{
	bpf_emit(c, BPF_JMP | BPF_K | op, dst, 0, 0, imm);
	to_label(c, label);
}

void bpf_goto(struct bpf_code *c, int label)
{
	bpf_emit(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	to_label(c, label);
}

void bpf_may_goto(struct bpf_code *c, int label)
{
	enum { JCOND = 0xe0 }; /* older headers have no name for it */

	bpf_emit(c, BPF_JMP | JCOND, 0, 0, 0, 0);
	to_label(c, label);
}

void bpf_exit(struct bpf_code *c)
{
	bpf_emit(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void bpf_return(struct bpf_code *c, s32 value)
{
	bpf_movi(c, BPF_REG_0, value);
	bpf_exit(c);
}

void bpf_frame(struct bpf_code *c, int dst, int at)
{
	bpf_mov(c, dst, BPF_REG_10);
	bpf_alui(c, BPF_ADD, dst, at);
}

void bpf_lookup(struct bpf_code *c, int map, int key)
{
	bpf_movmap(c, BPF_REG_1, map);
	bpf_frame(c, BPF_REG_2, key);
	bpf_helper(c, BPF_FUNC_map_lookup_elem);
}

void bpf_update(struct bpf_code *c, int map, int key, int value, int flags)
{
	bpf_movmap(c, BPF_REG_1, map);
	bpf_frame(c, BPF_REG_2, key);
	bpf_frame(c, BPF_REG_3, value);
	bpf_movi(c, BPF_REG_4, flags);
	bpf_helper(c, BPF_FUNC_map_update_elem);
}

void bpf_count_up(struct bpf_code *c, int map, size_t off)
{
	bpf_movval(c, BPF_REG_1, map, (u32)off);
	bpf_movi(c, BPF_REG_2, 1);
	bpf_add_atomic(c, BPF_REG_1, 0, BPF_REG_2);
}

void bpf_peek(struct bpf_code *c, int to, int bytes, int src, int off)
{
	bpf_mov(c, BPF_REG_3, src);
	if (off)
		bpf_alui(c, BPF_ADD, BPF_REG_3, off);
	bpf_frame(c, BPF_REG_1, to);
	bpf_movi(c, BPF_REG_2, bytes);
	bpf_helper(c, BPF_FUNC_probe_read_kernel);
}
