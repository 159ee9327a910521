/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block devices have numbers in recordings, and names on the machine where these were made. */
#ifndef PERF_BLOCK_NAMES_H
#define PERF_BLOCK_NAMES_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/sysroot.h"

/* It starts zeroed but for @sysroot. */
struct block_names {
	const struct sysroot *sysroot; /* where devices are looked up; NULL: nowhere */
	struct intern names;
	struct map64 of; /* number of the name by device */
};

/** block_names_learn - use the names of this machine, if it is the one of that name, where the
 * recording was made. @hostname: NULL: unknown */
void block_names_learn(struct block_names *n, const char *hostname);
/** block_names_set - give a device a name. */
void block_names_set(struct block_names *n, u32 dev, const char *name);
/** block_name - return "loop0", or "7,0" when nothing names the device. It lives as long as @n. */
const char *block_name(struct block_names *n, u32 dev);
void block_names_release(struct block_names *n);

#endif
