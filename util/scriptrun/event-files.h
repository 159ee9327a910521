/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write a file of text for each event, as perf script --per-event-dump does. */
#ifndef PERF_SCRIPTRUN_EVENT_FILES_H
#define PERF_SCRIPTRUN_EVENT_FILES_H

#include "base/err.h"
#include "events/evlist.h"

struct event_files;

/**
 * event_files_open - make PATH.EVENT.dump of every event, empty.
 * Return: NULL and a sentence when one cannot be made. Release with event_files_close().
 */
struct event_files *event_files_open(const char *path, const struct evlist *l, struct err *err);
/** event_files_more - open files for events that have come since. */
int event_files_more(struct event_files *d, const struct evlist *l, struct err *err);
/** event_files_put - write the text of a sample of the event. Return: 0, or negative and a
 * sentence. */
int event_files_put(struct event_files *d, const struct evsel *e, const char *text, size_t len,
		    struct err *err);
/** event_files_close - close the files, and append a line on each of them. @d may be NULL. Return:
 * 0, or negative and a sentence when not all could be written. */
int event_files_close(struct event_files *d, struct strbuf *lines, struct err *err);

#endif
