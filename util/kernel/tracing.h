/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make the TRACING_DATA section, which readers on other machines need to decode our tracepoints. */
#ifndef PERF_KERNEL_TRACING_H
#define PERF_KERNEL_TRACING_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

/**
 * tracing_data - append the section for the tracepoints of @l. Its layout (version 0.6) is: magic,
 * version, byte order, size of long, page size; header_page and header_event; ftrace's own formats;
 * formats by system; kallsyms; printk formats; saved command lines.
 * Return: 0, or a negative errno and a sentence when tracefs cannot be read.
 */
int tracing_data(const struct sysroot *sr, const struct evlist *l, struct strbuf *out,
		 struct err *err);

/**
 * tracefs_mount - mount tracefs on /sys/kernel/tracing unless it is mounted somewhere.
 * Return: 0 when it is mounted, or a negative errno.
 */
int tracefs_mount(const struct sysroot *sr);

#endif
