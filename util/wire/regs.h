/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the registers in samples (PERF_SAMPLE_REGS_USER, PERF_SAMPLE_REGS_INTR), for every
 * architecture: a file may come from any. A bit of the mask is a register by the numbers of that
 * architecture's asm/perf_regs.h.
 */
#ifndef PERF_WIRE_REGS_H
#define PERF_WIRE_REGS_H

#include "base/compat.h"

struct reg_names;

/**
 * reg_names_of - the table of an architecture.
 * @arch: as the file's ARCH feature or uname says it ("x86_64", "aarch64", "ppc64le"...); NULL: of
 *	this machine
 * Return: a table, one without names when the architecture is not known; never NULL.
 */
const struct reg_names *reg_names_of(const char *arch);

/** reg_name - of the register with that bit in the mask; "unknown" when it has none. */
const char *reg_name(const struct reg_names *names, unsigned int bit);

#endif
