/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said on the command line of virtual machines whose samples are in a recording. */
#ifndef PERF_RECORDING_GUEST_H
#define PERF_RECORDING_GUEST_H

#include "cli/options.h"
#include "machine/machine.h"
#include "symbol/symbol.h"

struct guest_options {
	const char *mount, *kallsyms, *modules, *vmlinux; /* borrowed; NULL */
	bool code;
};

#define GUEST_OPTIONS(g)                                                                           \
	OPT_STRING(0, "guestmount", &(g)->mount, "directory",                                      \
		   "guest mount directory under which every guest os instance has a subdir"),      \
		OPT_STRING(0, "guestvmlinux", &(g)->vmlinux, "file",                               \
			   "file saving guest os vmlinux"),                                        \
		OPT_STRING(0, "guestkallsyms", &(g)->kallsyms, "file",                             \
			   "file saving guest os /proc/kallsyms"),                                 \
		OPT_STRING(0, "guestmodules", &(g)->modules, "file",                               \
			   "file saving guest os /proc/modules"),                                  \
		OPT_BOOLEAN(0, "guest-code", &(g)->code,                                           \
			    "Guest code can be found in hypervisor process")

/** guest_files_readable - may its files of symbols be read? Says on stderr which may not. */
bool guest_files_readable(const struct guest_options *g);
/** guest_symbols - where symbols of guests are. What it borrows is that of @g. */
void guest_symbols(const struct guest_options *g, struct symconf *conf);
/**
 * guest_start - what guests have mapped, before any record is read.
 * Return: 0, or negative and a sentence when a file cannot be read.
 */
int guest_start(const struct guest_options *g, struct machine *m, struct err *err);

#endif
