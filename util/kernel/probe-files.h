/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of tracefs that hold the probes: kprobe_events and uprobe_events. */
#ifndef PERF_KERNEL_PROBE_FILES_H
#define PERF_KERNEL_PROBE_FILES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

enum probe_file { PROBE_FILE_KERNEL, PROBE_FILE_USER };

/** probe_file_read - append the probes that there are, a line each. Return: 0 or a negative errno. */
int probe_file_read(const struct sysroot *sr, enum probe_file which, struct strbuf *out);
/**
 * probe_file_open - open a file to add and remove probes, and wait until no other perf has it open
 * for that: names are chosen by what is there.
 * Return: a descriptor, which the caller closes, or a negative errno and a sentence.
 */
int probe_file_open(const struct sysroot *sr, enum probe_file which, struct err *err);
/**
 * probe_file_put - write one line, without newline, at once: the kernel accepts or refuses it as a
 * whole. A text that is more than a line is not written.
 * Return: 0 or a negative errno.
 */
int probe_file_put(int fd, const char *line);
/**
 * probe_file_why - append what the kernel says of the line that it refused last (tracefs'
 * error_log): the reason, and where in the line. Nothing when it does not tell.
 */
void probe_file_why(const struct sysroot *sr, struct strbuf *out);

#endif
