/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operands of an instruction tell what it does with registers and memory, as far as one needs
 * to know to follow addresses through a function. Registers have DWARF numbers; a part of a
 * register counts as the whole.
 */
#ifndef PERF_DISASM_OPERANDS_H
#define PERF_DISASM_OPERANDS_H

#include "disasm/disasm.h"

#define INSN_NO_REG (-1)
#define INSN_OTHER_REG (-2) /* a register or value that is not followed */
#define INSN_MEMS 2         /* operands in memory of an instruction */

enum insn_action {
	INSN_OTHER,   /* anything else */
	INSN_NOTHING, /* it only fills space */
	INSN_COMPUTE, /* @dst becomes @value */
	INSN_ADD,     /* what is at mem[0] is added to @dst */
	INSN_LOAD,    /* @dst becomes what is at mem[0]; @dst2 what is behind that */
	INSN_STORE,   /* @src is written to mem[0]; @src2 behind that */
	INSN_CALL,
	INSN_JUMP,   /* to @target, to the address in @src, or to that in mem[0] */
	INSN_BRANCH, /* it may */
	INSN_RETURN, /* to the caller, or the code cannot continue */
};

enum insn_segment { SEGMENT_NONE, SEGMENT_FS, SEGMENT_GS };

/* base + index * scale + offset */
struct insn_address {
	s16 base, index; /* INSN_NO_REG: none */
	u32 scale;
	u8 segment; /* enum insn_segment: what is added to the address, too */
	s64 offset;
	bool relative; /* @offset is an address, which the code has as a distance from itself */
};

struct insn_memory {
	struct insn_address at;
	u8 size; /* bytes that are accessed; 0: unknown */
};

struct insn_operands {
	u32 len;   /* bytes */
	u8 action; /* enum insn_action */
	u8 nr_mems;
	u8 width;   /* bytes of the register that a load or a computation sets */
	bool stack; /* it pushes to the stack or takes from it, beside other operands in memory */
	bool zero;  /* @src is the number 0 */
	bool has_target;
	struct insn_memory mem[INSN_MEMS];
	s16 dst, dst2, src, src2; /* INSN_NO_REG: none */
	struct insn_address value;
	s16 factor; /* the index of @value is multiplied by this register; INSN_NO_REG: by none */
	s16 moved;  /* this register grows by @moved_by with it; INSN_NO_REG: none */
	s32 moved_by;
	u64 written; /* the registers that it changes in whatever way, as a mask */
	u64 target;  /* of a jump, branch or call */
};

/**
 * disasm_open_operands - do what disasm_open() does, for disasm_operands() alone.
 * disasm_close() frees the result.
 */
struct disasm *disasm_open_operands(const struct arch *arch, bool wide);
/**
 * disasm_operands - tell what the instruction at @p does, which runs at @ip.
 * Return: whether there is one.
 */
bool disasm_operands(struct disasm *d, const u8 *p, size_t size, u64 ip, struct insn_operands *out);

#endif
