/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of names as options give them: --comms, --dsos, --symbols, --stop-bt. */
#ifndef PERF_BASE_NAME_LIST_H
#define PERF_BASE_NAME_LIST_H

#include "base/err.h"

/* A set of names. Starts zeroed. */
struct name_list {
	char **names; /* owned, sorted, each once */
	size_t nr, cap;
	bool set; /* a list was given, it may be empty */
};

/**
 * name_list_parse - "a,b,c"; "file://PATH" stands for the lines of that file, which may have
 * commas in them. Adds to what there is.
 * @what: for the sentence: "problems parsing WHAT list"
 */
int name_list_parse(struct name_list *l, const char *text, const char *what, struct err *err);
bool name_list_has(const struct name_list *l, const char *name);
void name_list_release(struct name_list *l);

#endif
