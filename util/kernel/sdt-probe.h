/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Create probes for one run of a command, and remove them after it. */
#ifndef PERF_KERNEL_SDT_PROBE_H
#define PERF_KERNEL_SDT_PROBE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct probe_set {
	struct strbuf made; /* owned: a line "GROUP/NAME" for each probe */
	size_t nr;
};

/**
 * probe_add - make the kernel trace a place in a file.
 * @line: a line in the syntax of tracefs' uprobe_events, "p:GROUP/NAME
 *	PATH:0xOFFSET[(0xSEMAPHORE)] [ARG...]". An existing name with the same arguments gets one
 *	more place.
 * Return: 0; -EEXIST when the name exists with other arguments; other negative errno with a
 * sentence.
 */
int probe_add(struct probe_set *p, const struct sysroot *sr, const char *line, struct err *err);
/** probe_remove_all - remove the probes that probe_add() created, unless others use them. */
void probe_remove_all(struct probe_set *p, const struct sysroot *sr);

#endif
