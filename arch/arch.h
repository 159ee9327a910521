/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between processors, as data. All architectures are linked always: a recording may
 * come from any of them, and what reads it asks for the one it names (arch_of()). What records asks
 * for the one it runs on (arch_host()).
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include "base/compat.h"

#define ARCH_REGS_MAX 64 /* bits of a mask of registers */

/** A register. Its number in perf is its place in the table: a bit of the masks of samples. */
struct arch_reg {
	const char *name; /* as perf prints it; NULL: no register has this number */
	s16 dwarf;        /* its number in debug information; -1: none */
};

struct arch {
	const char *const *unames; /* patterns of the names that uname gives it, up to a NULL */
	const struct arch_reg *regs;
	u32 nr_regs;
	/* Masks of registers: those that samples can have, and those without which no stack can be
	 * unwound (stack pointer, instruction pointer). 0: recording them is not supported. */
	u64 sample_regs, unwind_regs;
	/* The register that holds the return address of a function that calls nothing and so keeps
	 * no frame: chains of frame pointers lack its caller. 0: they lack none. */
	u32 link_reg;
};

/**
 * arch_of - the architecture of a machine.
 * @uname: as the ARCH feature of a recording or uname says it ("x86_64", "aarch64", "ppc64le"...);
 *	NULL: a recording that does not say, which is taken to be of this machine
 * Return: the architecture, one without any data when it is not known; never NULL.
 */
const struct arch *arch_of(const char *uname);

/** arch_host - the architecture that this program was built for; never NULL. */
const struct arch *arch_host(void);

/** arch_reg_name - the name of the register with that number; "unknown" when there is none. */
const char *arch_reg_name(const struct arch *a, u32 nr);

/** arch_reg_dwarf - the number in debug information of the register with that number; -1: none. */
int arch_reg_dwarf(const struct arch *a, u32 nr);

#endif
