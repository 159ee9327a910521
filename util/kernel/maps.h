/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of a running process. */
#ifndef PERF_KERNEL_MAPS_H
#define PERF_KERNEL_MAPS_H

#include "base/strbuf.h"
#include "base/sysroot.h"

/* A line of /proc/PID/maps. */
struct maps_line {
	u64 start, end, pgoff, ino;
	u32 prot, flags, maj, min;
	const char *name; /* borrowed from the line, "" for anonymous memory */
};
/** maps_parse - take one line apart (without newline, is changed). Return: 0 or -EINVAL. */
int maps_parse(char *line, struct maps_line *m);

/* What is the same for all processes. */
struct maps_reader {
	const struct sysroot *sysroot; /* borrowed */
	struct strbuf own;             /* owned: our own maps, of which */
	struct maps_line top;          /* the page above all others; all zero without one */
	u64 limit_ns;                  /* for one process; 0: none */
};

/** maps_reader_init - look at our own maps. Afterwards it may be used by several threads. */
void maps_reader_init(struct maps_reader *mr, const struct sysroot *sr);
/** maps_reader_release - free. */
void maps_reader_release(struct maps_reader *mr);

typedef void (*maps_fn)(void *ctx, const struct maps_line *m);
/**
 * maps_walk - call @fn for the maps of @pid that can be executed, by address; with @data for those
 * that can be read as well. Return: 0, or negative errno; -ETIMEDOUT: the rest is left out.
 */
int maps_walk(const struct maps_reader *mr, int pid, bool data, maps_fn fn, void *ctx);

#endif
