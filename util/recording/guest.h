/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These options describe virtual machines whose samples are in a recording. */
#ifndef PERF_RECORDING_GUEST_H
#define PERF_RECORDING_GUEST_H

#include "machine/machine.h"
#include "symbol/symbol.h"

struct guest_options {
	const char *mount, *kallsyms, *modules, *vmlinux; /* borrowed; NULL */
	bool code;
};

/** guest_symbols - set where symbols of guests are. What @conf then borrows is that of @g. */
void guest_symbols(const struct guest_options *g, struct symconf *conf);
/**
 * guest_start - map what guests have mapped, before any record is read.
 * Return: 0, or negative and a sentence when a file cannot be read.
 */
int guest_start(const struct guest_options *g, struct machine *m, struct err *err);

#endif
