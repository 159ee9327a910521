/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that were made for one run of a command, and go with it. */
#ifndef PERF_KERNEL_SDT_PROBE_H
#define PERF_KERNEL_SDT_PROBE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

struct probe_set {
	struct strbuf made; /* owned: a line "GROUP/NAME" for each */
	size_t nr;
};

/**
 * probe_add - have the kernel trace a place in a file.
 * @line: as tracefs' uprobe_events takes it, "p:GROUP/NAME PATH:0xOFFSET[(0xSEMAPHORE)] [ARG...]"; a
 * name that is there gets one place more, when its arguments are the same.
 * Return: 0; -EEXIST when it is there with other arguments; other negative errno with a sentence.
 */
int probe_add(struct probe_set *p, const struct sysroot *sr, const char *line, struct err *err);
/** probe_remove_all - take back what probe_add() made, as far as nobody else uses it. */
void probe_remove_all(struct probe_set *p, const struct sysroot *sr);

#endif
