/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script --dlfilter: samples are chosen by functions of a shared object. */
#ifndef PERF_CMD_SCRIPT_DLFILTER_H
#define PERF_CMD_SCRIPT_DLFILTER_H

#include "resolve/resolve.h"
#include "session/session.h"

struct dlfilter;

/**
 * dlfilter_open - load @name: a path, or a file in the current folder, the folder of filters, or
 * where shared objects are looked for. Messages are printed. Return: NULL when that fails.
 * @args, @nr: borrowed, of --dlarg
 */
struct dlfilter *dlfilter_open(const char *name, char **args, int nr);
/** dlfilter_start - before the first sample; what is passed is borrowed. Return: its status. */
int dlfilter_start(struct dlfilter *d, const struct machine *m, struct symbols *symbols);
/** dlfilter_close - after the last one, when it was started; unload it. @d may be NULL. */
int dlfilter_close(struct dlfilter *d);
/**
 * dlfilter_call - ask it about a sample. @early: before other filters.
 * Return: 0 keep the sample, 1 leave it out, negative: stop with that status.
 */
int dlfilter_call(struct dlfilter *d, const struct session_event *ev, const struct thread_at *at,
		  bool early);
/** dlfilter_list - print what there is. @verbose: with the long descriptions. */
void dlfilter_list(bool verbose);

#endif
