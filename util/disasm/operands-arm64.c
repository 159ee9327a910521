// SPDX-License-Identifier: GPL-2.0-or-later
/* Operands of arm64: registers have the numbers of the ABI for the Arm 64-bit architecture. */
#include "base/compat.h"

#ifdef HAVE_LIBCAPSTONE
#include "disasm/disasm-internal.h"

#define SP 31
#define ZERO (-3) /* the register that reads as 0 */

static int number_of(const struct disasm *d, unsigned int reg)
{
	(void)d;
	if (reg == ARM64_REG_INVALID)
		return INSN_NO_REG;
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (int)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (int)(reg - ARM64_REG_W0);
	if (reg == ARM64_REG_X29)
		return 29;
	if (reg == ARM64_REG_X30)
		return 30;
	if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
		return SP;
	return reg == ARM64_REG_XZR || reg == ARM64_REG_WZR ? ZERO : INSN_OTHER_REG;
}

static u8 width_of(unsigned int reg)
{
	bool narrow = (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) || reg == ARM64_REG_WSP ||
		      reg == ARM64_REG_WZR;

	return narrow ? 4 : 8;
}

/* Return what the name of a load or store says of the size of what it accesses; 0: nothing. */
static u8 named_size(const char *name)
{
	size_t len = strlen(name);

	if (len > 2 && !strcmp(name + len - 2, "sw"))
		return 4;
	if (len > 3 && name[len - 1] == 'b')
		return 1;
	if (len > 3 && name[len - 1] == 'h')
		return 2;
	return 0;
}

static bool starts(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static struct insn_address address_of(const cs_arm64_op *op)
{
	struct insn_address a = {
		.base = (s16)number_of(NULL, op->mem.base),
		.index = (s16)number_of(NULL, op->mem.index),
		.scale = 1,
		.offset = op->mem.disp,
	};

	if (a.index >= 0 && op->shift.type == ARM64_SFT_LSL && op->shift.value < 8)
		a.scale = 1u << op->shift.value;
	return a;
}

static const cs_arm64_op *memory_operand(const cs_arm64 *x, u8 *at)
{
	for (*at = 0; *at < x->op_count; ++*at)
		if (x->operands[*at].type == ARM64_OP_MEM)
			return &x->operands[*at];
	return NULL;
}

/* Loads, stores, and what else has an operand in memory. @at: the index of that operand. */
static void take_access(const cs_insn *insn, const cs_arm64_op *mem, u8 at,
			struct insn_operands *out)
{
	const cs_arm64 *x = &insn->detail->arm64;
	bool load = starts(insn->mnemonic, "ld"), store = starts(insn->mnemonic, "st");
	bool pair = at == 2 && (starts(insn->mnemonic, "ldp") || starts(insn->mnemonic, "stp") ||
				starts(insn->mnemonic, "ldnp") || starts(insn->mnemonic, "stnp"));
	s16 first = at && x->operands[0].type == ARM64_OP_REG
			    ? (s16)number_of(NULL, x->operands[0].reg)
			    : INSN_NO_REG;
	u8 width = at ? width_of(x->operands[0].reg) : 0;

	out->mem[0] = (struct insn_memory){ address_of(mem), named_size(insn->mnemonic) ?: width };
	out->nr_mems = 1;
	out->width = out->mem[0].size;
	if (x->writeback && out->mem[0].at.base >= 0) {
		out->moved = out->mem[0].at.base;
		out->moved_by = at + 1 < x->op_count && x->operands[at + 1].type == ARM64_OP_IMM
					? (s32)x->operands[at + 1].imm
					: mem->mem.disp;
	}
	if (first < 0 && first != ZERO)
		return; /* a vector, or no register */
	if (load && (at == 1 || pair)) {
		out->action = INSN_LOAD;
		out->dst = first;
		out->dst2 = pair ? (s16)number_of(NULL, x->operands[1].reg) : INSN_NO_REG;
	} else if (store && (at == 1 || pair)) {
		out->action = INSN_STORE;
		out->src = first == ZERO ? INSN_NO_REG : first;
		out->src2 = pair ? (s16)number_of(NULL, x->operands[1].reg) : INSN_NO_REG;
		out->zero = first == ZERO;
	}
}

/* ---- computations ---- */

static void compute(const cs_arm64 *x, struct insn_address value, struct insn_operands *out)
{
	out->action = INSN_COMPUTE;
	out->dst = (s16)number_of(NULL, x->operands[0].reg);
	out->width = width_of(x->operands[0].reg);
	out->value = value;
}

static struct insn_address simple_value(const cs_arm64_op *op)
{
	struct insn_address a = { .base = INSN_NO_REG, .index = INSN_NO_REG, .scale = 1 };

	if (op->type == ARM64_OP_IMM)
		a.offset = (s64)((u64)op->imm
				 << (op->shift.type == ARM64_SFT_LSL ? op->shift.value & 63 : 0));
	else if (op->type == ARM64_OP_REG)
		a.base = (s16)number_of(NULL, op->reg);
	else
		a.base = INSN_OTHER_REG;
	if (a.base == ZERO)
		a.base = INSN_NO_REG;
	return a;
}

/* dst = op[1] + op[2], or minus it */
static void add(const cs_arm64 *x, bool subtract, struct insn_operands *out)
{
	struct insn_address value = simple_value(&x->operands[1]);
	struct insn_address more = simple_value(&x->operands[2]);

	if (x->op_count < 3)
		return;
	value.index = more.base;
	if (x->operands[2].type == ARM64_OP_REG && x->operands[2].shift.value < 31)
		value.scale = 1u << x->operands[2].shift.value;
	value.offset = subtract ? -more.offset : more.offset;
	if (subtract && more.base != INSN_NO_REG)
		return;
	compute(x, value, out);
}

static void shift(const cs_arm64 *x, struct insn_operands *out)
{
	struct insn_address value = { .base = INSN_NO_REG };

	if (x->op_count < 3 || x->operands[2].type != ARM64_OP_IMM || x->operands[2].imm > 30)
		return;
	value.index = simple_value(&x->operands[1]).base;
	value.scale = 1u << x->operands[2].imm;
	compute(x, value, out);
}

/* dst = op[1] * op[2], plus op[3] if there is one */
static void multiply(const cs_arm64 *x, struct insn_operands *out)
{
	struct insn_address value = { .base = INSN_NO_REG, .scale = 1 };

	if (x->op_count < 3 || x->operands[2].type != ARM64_OP_REG)
		return;
	value.index = simple_value(&x->operands[1]).base;
	if (x->op_count > 3)
		value.base = simple_value(&x->operands[3]).base;
	compute(x, value, out);
	out->factor = (s16)number_of(NULL, x->operands[2].reg);
}

static void take_flow(const cs_insn *insn, struct insn_operands *out)
{
	const cs_arm64 *x = &insn->detail->arm64;
	const cs_arm64_op *last = x->op_count ? &x->operands[x->op_count - 1] : NULL;

	switch (insn->id) {
	case ARM64_INS_BL:
	case ARM64_INS_BLR:
		out->action = INSN_CALL;
		break;
	case ARM64_INS_B:
		out->action = x->cc == ARM64_CC_INVALID || x->cc == ARM64_CC_AL ? INSN_JUMP
										: INSN_BRANCH;
		break;
	case ARM64_INS_BR:
		out->action = INSN_JUMP;
		break;
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		out->action = INSN_BRANCH;
		break;
	case ARM64_INS_RET:
	case ARM64_INS_BRK:
		out->action = INSN_RETURN;
		return;
	default:
		return;
	}
	out->has_target = last && last->type == ARM64_OP_IMM;
	if (out->has_target)
		out->target = (u64)last->imm;
}

static void take_action(const cs_insn *insn, struct insn_operands *out)
{
	const cs_arm64 *x = &insn->detail->arm64;

	switch (insn->id) {
	case ARM64_INS_MOV:
	case ARM64_INS_MOVZ:
		if (x->op_count == 2)
			compute(x, simple_value(&x->operands[1]), out);
		return;
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		compute(x, simple_value(&x->operands[1]), out);
		out->value.relative = true;
		return;
	case ARM64_INS_SXTW:
		compute(x, simple_value(&x->operands[1]), out);
		out->width = 4;
		return;
	case ARM64_INS_LSL:
		return shift(x, out);
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		return add(x, insn->id == ARM64_INS_SUB, out);
	case ARM64_INS_MUL:
	case ARM64_INS_MADD:
	case ARM64_INS_SMULL:
	case ARM64_INS_UMULL:
	case ARM64_INS_SMADDL:
	case ARM64_INS_UMADDL:
		return multiply(x, out);
	case ARM64_INS_NOP:
	case ARM64_INS_HINT:
		out->action = INSN_NOTHING;
		return;
	default:
		take_flow(insn, out);
	}
}

void operands_arm64(struct disasm *d, const cs_insn *insn, struct insn_operands *out)
{
	u8 at;
	const cs_arm64_op *mem = memory_operand(&insn->detail->arm64, &at);

	if (mem && !starts(insn->mnemonic, "prfm"))
		take_access(insn, mem, at, out);
	else
		take_action(insn, out);
	operands_written(d, insn, number_of, out);
}
#endif
