/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library capstone as the files of this room use it. It is loaded when it is needed. */
#ifndef PERF_DISASM_DISASM_INTERNAL_H
#define PERF_DISASM_DISASM_INTERNAL_H

#include "arch/arch.h"
#include "disasm/disasm.h"
#include "disasm/operands.h"

#include <capstone/capstone.h>

#define CAPSTONE_CALLS(X)                                                                          \
	X(cs_open)                                                                                 \
	X(cs_close)                                                                                \
	X(cs_option)                                                                               \
	X(cs_disasm)                                                                               \
	X(cs_regs_access)                                                                          \
	X(cs_free)

struct disasm {
	void *library;
#define CAPSTONE_MEMBER(name) __typeof__(&name) name;
	CAPSTONE_CALLS(CAPSTONE_MEMBER)
#undef CAPSTONE_MEMBER
	const struct insn_set *insn_set;
	csh handle;
	bool open;
	enum arch_code code;
	bool wide;
};

/* Tell what an instruction of an architecture does. @insn has its details, @out is zero but for its
 * name and length. */
void operands_x86(struct disasm *d, const cs_insn *insn, struct insn_operands *out);
void operands_arm64(struct disasm *d, const cs_insn *insn, struct insn_operands *out);

/** operands_written - set the registers that an instruction changes, by @number_of the library's
 * numbers. */
void operands_written(struct disasm *d, const cs_insn *insn,
		      int (*number_of)(const struct disasm *d, unsigned int reg),
		      struct insn_operands *out);

#endif
