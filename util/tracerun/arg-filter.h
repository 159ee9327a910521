/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters on arguments of a system call, in the words of lines, for the kernel. */
#ifndef PERF_TRACERUN_ARG_FILTER_H
#define PERF_TRACERUN_ARG_FILTER_H

#include "base/err.h"
#include "base/strbuf.h"
#include "sysargs/sysargs.h"

/**
 * trace_arg_filter - append a filter as the kernel takes it for the event sys_enter_NAME: values
 * that are names become numbers.
 * @d: the call
 * @text: "count > 100 && fd != 1", "flags & CREAT|EXCL"
 * Return: 0, or -EINVAL and a sentence when the call has no such argument, or that no such value.
 */
int trace_arg_filter(struct strbuf *out, const struct sysargs *sa, const struct syscall_desc *d,
		     const char *text, struct err *err);

#endif
