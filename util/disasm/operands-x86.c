// SPDX-License-Identifier: GPL-2.0-or-later
/* Operands of x86: registers have the numbers of the System V ABI for x86-64, or of that for i386.
 */
#include "base/compat.h"

#ifdef HAVE_LIBCAPSTONE
#include "disasm/disasm-internal.h"

/* The registers of x86-64 in the order of their DWARF numbers, each with its parts. */
static const u16 regs[17][5] = {
	{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH },
	{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH },
	{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH },
	{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH },
	{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
	{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
	{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
	{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
	{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
	{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
	{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
	{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
	{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
	{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
	{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
	{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
	{ X86_REG_RIP, X86_REG_EIP, X86_REG_IP },
};
/* The numbers that i386 has for the first registers of that table. */
static const u8 narrow_numbers[8] = { 0, 2, 1, 3, 6, 7, 5, 4 };

#define RIP 16

static int number_of(const struct disasm *d, unsigned int reg)
{
	if (reg == X86_REG_INVALID)
		return INSN_NO_REG;
	for (int i = 0; i < (int)ARRAY_SIZE(regs); i++)
		for (size_t k = 0; k < ARRAY_SIZE(regs[0]) && regs[i][k]; k++)
			if (regs[i][k] == reg)
				return d->wide || i >= 8 ? i : narrow_numbers[i];
	return INSN_OTHER_REG;
}

static s16 stack_pointer(const struct disasm *d)
{
	return d->wide ? 7 : 4;
}

static struct insn_address address_of(const struct disasm *d, const cs_insn *insn,
				      const x86_op_mem *m)
{
	struct insn_address a = {
		.base = (s16)number_of(d, m->base),
		.index = (s16)number_of(d, m->index),
		.scale = (u32)m->scale,
		.offset = m->disp,
		.segment = m->segment == X86_REG_FS   ? SEGMENT_FS
			   : m->segment == X86_REG_GS ? SEGMENT_GS
						      : SEGMENT_NONE,
	};

	if (a.base == RIP) {
		a.base = INSN_NO_REG;
		a.relative = true;
		a.offset += (s64)(insn->address + insn->size);
	}
	return a;
}

/* Note the operands in memory that are accessed. */
static void take_memory(const struct disasm *d, const cs_insn *insn, struct insn_operands *out)
{
	const cs_x86 *x = &insn->detail->x86;

	if (insn->id == X86_INS_LEA || out->action == INSN_NOTHING)
		return;
	for (u8 i = 0; i < x->op_count && out->nr_mems < INSN_MEMS; i++)
		if (x->operands[i].type == X86_OP_MEM)
			out->mem[out->nr_mems++] =
				(struct insn_memory){ address_of(d, insn, &x->operands[i].mem),
						      x->operands[i].size };
}

/* ---- single instructions ---- */

/* Return the address or number that is a register, if there is one, plus an offset. */
static struct insn_address sum_of(s16 base, s64 offset)
{
	return (struct insn_address){
		.base = base, .index = INSN_NO_REG, .scale = 1, .offset = offset
	};
}

/* @op becomes a number, or what a register has. */
static struct insn_address simple_value(const struct disasm *d, const cs_x86_op *op)
{
	struct insn_address a = sum_of(INSN_NO_REG, 0);

	if (op->type == X86_OP_IMM)
		a.offset = op->imm;
	else if (op->type == X86_OP_REG)
		a.base = (s16)number_of(d, op->reg);
	else
		a.base = INSN_OTHER_REG;
	return a;
}

static void compute(const struct disasm *d, const cs_x86_op *to, struct insn_address value,
		    struct insn_operands *out)
{
	out->action = INSN_COMPUTE;
	out->dst = (s16)number_of(d, to->reg);
	out->width = to->size;
	out->value = value;
}

static void move(const struct disasm *d, const cs_x86_op *op, struct insn_operands *out)
{
	if (op[0].type == X86_OP_REG && op[1].type == X86_OP_MEM) {
		out->action = INSN_LOAD;
		out->dst = (s16)number_of(d, op[0].reg);
		out->width = MIN(op[0].size, op[1].size);
	} else if (op[0].type == X86_OP_REG) {
		compute(d, &op[0], simple_value(d, &op[1]), out);
	} else if (op[0].type == X86_OP_MEM) {
		out->action = INSN_STORE;
		out->width = op[0].size;
		if (op[1].type == X86_OP_REG)
			out->src = (s16)number_of(d, op[1].reg);
		else
			out->zero = !op[1].imm;
	}
}

/* dst = dst + op[1], or minus it */
static void add(const struct disasm *d, const cs_x86_op *op, bool subtract,
		struct insn_operands *out)
{
	struct insn_address value = { .scale = 1, .index = INSN_NO_REG };

	if (op[0].type != X86_OP_REG)
		return;
	value.base = (s16)number_of(d, op[0].reg);
	if (op[1].type == X86_OP_IMM)
		value.offset = subtract ? -op[1].imm : op[1].imm;
	else if (subtract)
		return;
	else
		value.index = simple_value(d, &op[1]).base;
	compute(d, &op[0], value, out);
	if (op[1].type == X86_OP_MEM)
		out->action = INSN_ADD;
}

/* dst = src * by */
static void multiply(const struct disasm *d, const cs_x86_op *dst, const cs_x86_op *src, s64 by,
		     struct insn_operands *out)
{
	struct insn_address value = { .base = INSN_NO_REG, .scale = (u32)by };

	if (by < 1 || by > INT32_MAX || dst->type != X86_OP_REG)
		return;
	value.index = simple_value(d, src).base;
	compute(d, dst, value, out);
}

static void shift(const struct disasm *d, const cs_x86_op *op, struct insn_operands *out)
{
	if (op[1].type == X86_OP_IMM && op[1].imm < 31)
		multiply(d, &op[0], &op[0], 1LL << op[1].imm, out);
}

/* rax = the lower half of itself, with its sign */
static void extend(struct insn_operands *out)
{
	out->action = INSN_COMPUTE;
	out->dst = 0;
	out->width = 4;
	out->value = sum_of(0, 0);
}

static void step(const struct disasm *d, const cs_x86_op *op, int by, struct insn_operands *out)
{
	if (op->type == X86_OP_REG)
		compute(d, op, sum_of((s16)number_of(d, op->reg), by), out);
}

/* Note the memory that a push writes, or a pop reads, unless it has another operand there. */
static void push_pop(const struct disasm *d, const cs_x86_op *op, bool push,
		     struct insn_operands *out)
{
	u8 size = d->wide ? 8 : 4;

	out->stack = true;
	out->moved = stack_pointer(d);
	out->moved_by = push ? -size : size;
	if (op->type == X86_OP_MEM)
		return;
	out->mem[out->nr_mems++] =
		(struct insn_memory){ sum_of(stack_pointer(d), push ? -size : 0), size };
	out->action = push ? INSN_STORE : INSN_LOAD;
	out->width = size;
	if (push)
		out->src = op->type == X86_OP_REG ? (s16)number_of(d, op->reg) : INSN_OTHER_REG;
	else
		out->dst = (s16)number_of(d, op->reg);
}

static bool in_group(const cs_insn *insn, u8 group)
{
	for (u8 i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* Jumps, calls and returns. Return: whether it is one. */
static bool take_flow(const struct disasm *d, const cs_insn *insn, struct insn_operands *out)
{
	const cs_x86 *x = &insn->detail->x86;

	if (in_group(insn, CS_GRP_CALL))
		out->action = INSN_CALL;
	else if (in_group(insn, CS_GRP_RET) || insn->id == X86_INS_UD2 || insn->id == X86_INS_HLT)
		out->action = INSN_RETURN;
	else if (insn->id == X86_INS_JMP)
		out->action = INSN_JUMP;
	else if (in_group(insn, CS_GRP_JUMP))
		out->action = INSN_BRANCH;
	else
		return false;
	out->stack = out->action == INSN_CALL || in_group(insn, CS_GRP_RET);
	out->has_target = x->op_count == 1 && x->operands[0].type == X86_OP_IMM &&
			  out->action != INSN_RETURN;
	if (out->has_target)
		out->target = (u64)x->operands[0].imm;
	else if (out->action == INSN_JUMP && x->operands[0].type == X86_OP_REG)
		out->src = (s16)number_of(d, x->operands[0].reg);
	return true;
}

static void take_action(const struct disasm *d, const cs_insn *insn, struct insn_operands *out)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	bool same;

	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		return move(d, op, out);
	case X86_INS_MOVZX:
	case X86_INS_MOVSX:
	case X86_INS_MOVSXD:
		move(d, op, out);
		out->width = MIN(op[0].size, op[1].size);
		return;
	case X86_INS_CDQE:
		return extend(out);
	case X86_INS_SHL:
		return shift(d, op, out);
	case X86_INS_IMUL:
		if (insn->detail->x86.op_count == 3 && op[2].type == X86_OP_IMM)
			multiply(d, &op[0], &op[1], op[2].imm, out);
		return;
	case X86_INS_LEA:
		return compute(d, &op[0], address_of(d, insn, &op[1].mem), out);
	case X86_INS_ADD:
	case X86_INS_SUB:
		return add(d, op, insn->id == X86_INS_SUB, out);
	case X86_INS_INC:
	case X86_INS_DEC:
		return step(d, op, insn->id == X86_INS_INC ? 1 : -1, out);
	case X86_INS_XOR:
		same = op[0].type == X86_OP_REG && op[1].type == X86_OP_REG &&
		       op[0].reg == op[1].reg;
		if (same)
			compute(d, &op[0], sum_of(INSN_NO_REG, 0), out);
		return;
	case X86_INS_PUSH:
	case X86_INS_POP:
		return push_pop(d, op, insn->id == X86_INS_PUSH, out);
	case X86_INS_LEAVE:
	case X86_INS_ENTER:
	case X86_INS_PUSHFQ:
	case X86_INS_PUSHFD:
	case X86_INS_POPFQ:
	case X86_INS_POPFD:
		out->stack = true;
		return;
	default:
		return;
	}
}

void operands_x86(struct disasm *d, const cs_insn *insn, struct insn_operands *out)
{
	if (insn->id == X86_INS_NOP || insn->id == X86_INS_INT3)
		out->action = INSN_NOTHING;
	take_memory(d, insn, out);
	if (!take_flow(d, insn, out))
		take_action(d, insn, out);
	operands_written(d, insn, number_of, out);
}
#endif
