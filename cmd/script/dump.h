/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script --per-event-dump: a file of text for each event. */
#ifndef PERF_CMD_SCRIPT_DUMP_H
#define PERF_CMD_SCRIPT_DUMP_H

#include "base/err.h"
#include "events/evlist.h"

struct script_dump; /* the files */

/**
 * script_dump_open - make PATH.EVENT.dump of every event, empty.
 * Return: NULL and a sentence when one cannot be made. Release with script_dump_close().
 */
struct script_dump *script_dump_open(const char *path, const struct evlist *l, struct err *err);
/** script_dump_more - the same for events that have come since. */
int script_dump_more(struct script_dump *d, const struct evlist *l, struct err *err);
/** script_dump_put - the text of a sample of the event. Return: 0, or negative and a sentence. */
int script_dump_put(struct script_dump *d, const struct evsel *e, const char *text, size_t len,
		    struct err *err);
/** script_dump_close - close the files and tell what is in each. @d may be NULL. Return: 0, or
 * negative when not all could be written. */
int script_dump_close(struct script_dump *d, struct err *err);

#endif
