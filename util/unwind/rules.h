/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to get from a frame to its caller at one instruction, in plain form: where the canonical
 * frame address (CFA) is, and where the registers of the caller are. Registers have DWARF numbers.
 */
#ifndef PERF_UNWIND_RULES_H
#define PERF_UNWIND_RULES_H

#include "base/compat.h"

/* Registers with numbers from here on (vectors, flags) never lead to a caller. */
#define UNW_REGS 40

enum unw_how {
	UNW_SAME,      /* the caller's value is still in the register */
	UNW_UNDEFINED, /* it is lost; of the return address: there is no caller */
	UNW_AT_CFA,    /* in memory at CFA + offset */
	UNW_IS_CFA,    /* it is CFA + offset */
	UNW_REGISTER,  /* in another register, whose number is the offset */
	UNW_AT_EXPR,   /* in memory at the value of an expression */
	UNW_IS_EXPR,   /* the value of an expression */
};

/* An expression, borrowed from the section that it stands in. */
struct unw_expr {
	const u8 *ops;
	u32 len;
};

struct unw_rule {
	u8 reg;
	u8 how;               /* enum unw_how */
	s32 offset;           /* bytes, or the number of a register */
	struct unw_expr expr; /* of the last two */
};

struct unw_rules {
	bool valid;     /* false: nothing is known at this instruction */
	bool signal;    /* the frame of a signal: its caller was interrupted, it has made no call */
	bool guessed;   /* not from a table */
	bool signed_ra; /* the return address carries a signature (pointer authentication) */
	bool cfa_is_expr;
	bool plain; /* unw_settle() has found that the short way of unw_step() does */
	u8 cfa_reg;
	u8 ra; /* the register or column of the return address */
	u8 nr;
	s64 cfa_offset;      /* bytes */
	struct unw_expr cfa; /* when cfa_is_expr */
	struct unw_rule rule[UNW_REGS];
};

#endif
