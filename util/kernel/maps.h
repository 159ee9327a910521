/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the memory maps of a running process. */
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
/**
 * maps_parse - parse one line without its newline. The line is changed, and m->name points into it.
 * Return: 0 or -EINVAL.
 */
int maps_parse(char *line, struct maps_line *m);

/* Data that are the same for all processes. */
struct maps_reader {
	const struct sysroot *sysroot; /* borrowed */
	struct strbuf own;             /* owned: our own maps */
	struct maps_line top; /* of these, the page above all others; all zero if there is none */
	u64 limit_ns;         /* time limit for one process; 0: none */
};

/** maps_reader_init - read our own maps. Several threads may use the reader afterwards. */
void maps_reader_init(struct maps_reader *mr, const struct sysroot *sr);
/** maps_reader_release - free what the reader holds. */
void maps_reader_release(struct maps_reader *mr);

typedef void (*maps_fn)(void *ctx, const struct maps_line *m);
/**
 * maps_walk - call @fn for the executable maps of @pid, sorted by address. With @data the readable
 * ones are included.
 * Return: 0, or a negative errno; -ETIMEDOUT when the time limit was reached, and the rest is left
 * out.
 */
int maps_walk(const struct maps_reader *mr, int pid, bool data, maps_fn fn, void *ctx);

/**
 * maps_name_at - find the file that our own process has mapped at @addr. This may be called in a
 * signal handler.
 * @line: receives a line of /proc/self/maps, cut off after @size bytes
 * Return: the name, which is in @line; NULL when there is none.
 */
const char *maps_name_at(uintptr_t addr, char *line, size_t size);

#endif
