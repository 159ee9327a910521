// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "disasm/operands.h"

#ifdef HAVE_LIBCAPSTONE
#include "arch/arch.h"
#include "disasm/disasm-internal.h"

#define REGS 64 /* bits of a mask of registers */

void operands_written(struct disasm *d, const cs_insn *insn,
		      int (*number_of)(const struct disasm *d, unsigned int reg),
		      struct insn_operands *out)
{
	cs_regs read, written;
	u8 nr_read = 0, nr_written = 0;

	if (d->cs_regs_access(d->handle, insn, read, &nr_read, written, &nr_written) != CS_ERR_OK)
		return;
	for (u8 i = 0; i < nr_written; i++) {
		int reg = number_of(d, written[i]);

		if (reg >= 0 && reg < REGS)
			out->written |= 1ULL << reg;
	}
}

struct disasm *disasm_open_operands(const struct arch *arch, bool wide)
{
	struct disasm *d = disasm_open(arch, wide);

	if (!d)
		return NULL;
	disasm_syntax(d, "intel"); /* operands are in its order */
	d->cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	return d;
}

bool disasm_operands(struct disasm *d, const u8 *p, size_t size, u64 ip, struct insn_operands *out)
{
	cs_insn *insn;

	*out = (struct insn_operands){ .dst = INSN_NO_REG,
				       .dst2 = INSN_NO_REG,
				       .src = INSN_NO_REG,
				       .src2 = INSN_NO_REG,
				       .moved = INSN_NO_REG,
				       .factor = INSN_NO_REG };
	if (!d->cs_disasm(d->handle, p, size, ip, 1, &insn))
		return false;
	out->len = insn->size;
	if (insn->detail && d->code == ARCH_CODE_X86)
		operands_x86(d, insn, out);
	else if (insn->detail && d->code == ARCH_CODE_ARM64)
		operands_arm64(d, insn, out);
	d->cs_free(insn, 1);
	return true;
}

#else

struct disasm *disasm_open_operands(const struct arch *arch, bool wide)
{
	(void)arch;
	(void)wide;
	return NULL;
}

bool disasm_operands(struct disasm *d, const u8 *p, size_t size, u64 ip, struct insn_operands *out)
{
	(void)d;
	(void)p;
	(void)size;
	(void)ip;
	*out = (struct insn_operands){ 0 };
	return false;
}
#endif
