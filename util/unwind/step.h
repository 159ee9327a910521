/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From one frame to its caller: rules applied to registers and to the copied stack. */
#ifndef PERF_UNWIND_STEP_H
#define PERF_UNWIND_STEP_H

#include "arch/frames.h"
#include "unwind/rules.h"

struct unw_frame {
	u64 reg[UNW_REGS]; /* by DWARF number */
	u64 known;         /* a bit for each register whose value is known */
	u64 pc;
	bool interrupted; /* @pc is the next instruction; otherwise it is behind a call */
};

/* The memory of the process as far as it is known: the copy of its stack. */
struct unw_memory {
	const u8 *bytes; /* borrowed */
	u64 start, size; /* address of the first byte; bytes */
	u8 word;         /* bytes of an address */
	bool swap;       /* it is of the other byte order */
	u64 missing;     /* set: the address of the first read that failed */
};

enum unw_step {
	UNW_CALLER, /* the frame is now that of the caller */
	UNW_ROOT,   /* there is no caller */
	UNW_BEYOND, /* what is needed is beyond the copied stack */
	UNW_LOST,   /* what is needed is in a register whose value is not known, or rules that make
		       no sense */
};

/** unw_read - read a word. Return: false when it is not in the copy. */
bool unw_read(struct unw_memory *m, u64 addr, u64 *v);

/**
 * unw_eval - evaluate an expression (DWARF 5, 2.5) over the registers of a frame.
 * @first: what is on the stack at first; NULL: nothing
 * Return: UNW_CALLER with the value in @v; UNW_BEYOND or UNW_LOST.
 */
enum unw_step unw_eval(struct unw_expr e, const struct unw_frame *f, struct unw_memory *m,
		       const u64 *first, u64 *v);

/**
 * unw_settle - prepare rules that are applied often: where all registers are saved at offsets from
 * a CFA that is an offset from a register, as nearly everywhere, unw_step() then takes a short way.
 */
void unw_settle(struct unw_rules *r, const struct arch_frames *a);

/** unw_step - replace the frame by that of its caller. On failure the frame is unchanged. */
enum unw_step unw_step(const struct unw_rules *r, const struct arch_frames *a, struct unw_memory *m,
		       struct unw_frame *f);

#endif
