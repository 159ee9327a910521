/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run filters of users (--dlfilter): functions of a shared object choose samples. */
#ifndef PERF_SCRIPT_DLFILTER_H
#define PERF_SCRIPT_DLFILTER_H

#include "script/view.h"

struct dlfilter;

/**
 * dlfilter_open - load a filter. Free with dlfilter_close().
 * @name: a path, or a file in the current folder, in @folder, or where the linker looks
 * @args, @nr: what the filter is told (--dlarg); borrowed
 * Return: NULL and a sentence when that fails.
 */
struct dlfilter *dlfilter_open(const char *name, const char *folder, char **args, int nr,
			       struct err *err);
/**
 * dlfilter_start - call the start function of the filter before the first sample.
 * @v: shows it samples, and is opened when they come; borrowed
 * Return: the status of that function.
 */
int dlfilter_start(struct dlfilter *d, struct view *v);
/** dlfilter_close - end the filter after the last sample, when it was started, and unload it. @d
 * may be NULL. */
int dlfilter_close(struct dlfilter *d);
/**
 * dlfilter_call - ask it about a sample. @early: before other filters.
 * Return: 0 keep the sample, 1 leave it out, negative: stop with that status.
 */
int dlfilter_call(struct dlfilter *d, const struct session_event *ev, const struct thread_at *at,
		  bool early);
/**
 * dlfilter_list - append the names and descriptions of the filters in the current folder and in
 * @folder.
 * @verbose: the long descriptions, too
 */
void dlfilter_list(const char *folder, bool verbose, struct strbuf *out);

#endif
