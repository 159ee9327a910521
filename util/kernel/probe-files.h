/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of tracefs that hold the probes: kprobe_events and uprobe_events. */
#ifndef PERF_KERNEL_PROBE_FILES_H
#define PERF_KERNEL_PROBE_FILES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

enum probe_file { PROBE_FILE_KERNEL, PROBE_FILE_USER };

/** probe_file_read - append the probes that there are, a line each. Return: 0 or -errno. */
int probe_file_read(const struct sysroot *sr, enum probe_file which, struct strbuf *out);
/**
 * probe_file_open - open a file to add and remove probes, and wait until no other perf has it open
 * for that: names are chosen by what is there.
 * Return: a descriptor, which the caller closes, or a negative errno and a sentence.
 */
int probe_file_open(const struct sysroot *sr, enum probe_file which, struct err *err);
/** probe_file_refused - say why the kernel does not let us open a file, when open() returned the
 * negative errno @code: without probes, locked down, for root only. Return: @code. */
int probe_file_refused(const struct sysroot *sr, enum probe_file which, int code, struct err *err);
/**
 * probe_file_put - write one line, without newline, at once: the kernel accepts or refuses it as a
 * whole. A text that is more than a line is not written.
 * Return: 0 or a negative errno.
 */
int probe_file_put(int fd, const char *line);
/**
 * probe_file_put_for - do what probe_file_put() does, with the names of files as process @pid has
 * them; 0: as we have them. Only for a process with one thread, whose current directory changes.
 */
int probe_file_put_for(const struct sysroot *sr, u32 pid, int fd, const char *line);
/**
 * probe_file_why - append what the kernel says of the line that it refused last (tracefs'
 * error_log): the reason, and where in the line. Nothing when it does not tell.
 */
void probe_file_why(const struct sysroot *sr, struct strbuf *out);

/** probe_kernel_knows - tell whether what the kernel says of its tracing files (tracefs' README)
 * has a text, as "place (kretprobe)" or ", symstr". Old kernels have no such file. */
bool probe_kernel_knows(const struct sysroot *sr, const char *text);
/** probe_file_forbids - tell whether the kernel allows no probes in a function, of which @name is
 * the symbol. Without debugfs that is not known. */
bool probe_file_forbids(const struct sysroot *sr, const char *name);

/* The probes of one run of a command, which go with it. */
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
