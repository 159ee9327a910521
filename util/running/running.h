/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel is asked without a recording: for names of its functions and variables, and
 * for paths of cgroups. */
#ifndef PERF_RUNNING_RUNNING_H
#define PERF_RUNNING_RUNNING_H

#include "recording/recording.h"

struct running_kernel {
	struct machine *machine; /* owned */
	struct symbols *symbols; /* owned */
};

/**
 * running_kernel_open - look at the kernel. running_kernel_close() frees what it has found.
 * @o: where symbols come from; borrowed until then
 */
void running_kernel_open(struct running_kernel *k, const struct sysroot *sr,
			 const struct recording_options *o);
void running_kernel_close(struct running_kernel *k);
/** running_kernel_name - return the function or variable at an address and store its start; NULL:
 * unknown. The name is borrowed. */
const char *running_kernel_name(const struct running_kernel *k, u64 address, u64 *start);
/** running_kernel_places - look up the addresses of @nr symbols. Those that there are not stay as
 * they are in @addrs. */
void running_kernel_places(const struct running_kernel *k, const char *const *names, u64 *addrs,
			   size_t nr);
/** running_kernel_lock - find the address of a lock by a number or by the name of a variable.
 * Return: 0, or -ENOENT and a sentence. */
int running_kernel_lock(const struct running_kernel *k, const char *text, u64 *address,
			struct err *err);

#endif
