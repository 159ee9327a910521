/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How functions call each other, as unwinders need it. Registers have DWARF numbers. */
#ifndef PERF_ARCH_FRAMES_H
#define PERF_ARCH_FRAMES_H

#include "arch/arch.h"

/** Where a frame is at one instruction, as the code of its function tells. */
struct arch_place {
	u8 base;       /* the register that the frame is found by: sp or fp */
	s32 cfa;       /* bytes from it to the canonical frame address */
	bool ra_saved; /* the return address is in memory, at CFA + ra; else in its register */
	bool fp_saved; /* the caller's frame pointer is in memory, at CFA + fp; else in its
			  register */
	s32 ra, fp;
};

/** The frames of programs of one size of address. */
struct arch_frames {
	const struct arch_reg *regs; /* by their number in perf */
	u32 nr_regs;
	u8 word;       /* bytes of an address */
	u8 sp, fp, ip; /* the stack pointer, the frame pointer, the column of the return address */
	u8 pc;         /* the address of the next instruction, in samples */
	bool link;     /* a call leaves the return address in the register of that column */
	u64 saved;     /* the registers that a function gives back as it found them, as a mask */
	u64 address;   /* mask of the bits of code addresses that are no signature */
	/*
	 * The frame that the kernel builds for a signal handler: the code that the handler returns
	 * to, and where in the frame the registers of the interrupted code are, in bytes from the
	 * stack pointer that this code has. The last of them is the address of its instruction.
	 */
	const u8 *sigreturn; /* NULL: unknown */
	u8 sigreturn_len;
	const s16 *sigframe; /* by DWARF number, nr_sigframe of them */
	u8 nr_sigframe;
	/*
	 * Tells where the frame is from the first instructions of a function: @code is its start,
	 * @len bytes of it, and @at the offset of the instruction that is next, or of a byte in it.
	 * It returns false when the code does not tell. NULL: unknown.
	 */
	bool (*place)(const u8 *code, size_t len, size_t at, struct arch_place *out);
};

#endif
