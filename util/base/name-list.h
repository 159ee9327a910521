/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions handle sets of names as options give them, for example --comms, --dsos and
 * --symbols, and the first of many names for a sentence. */
#ifndef PERF_BASE_NAME_LIST_H
#define PERF_BASE_NAME_LIST_H

#include "base/err.h"
#include "base/strbuf.h"

/* A set of names. It starts zeroed. */
struct name_list {
	char **names; /* owned, sorted, each once */
	size_t nr, cap;
	bool set; /* a list was given, though it may be empty */
};

/**
 * name_list_parse - add the names in @text, "a,b,c", to the set. "file://PATH" stands for the lines
 * of that file, whose names may contain commas.
 * @what: names the list in the message "problems parsing WHAT list"
 * Return: 0 or a negative errno.
 */
int name_list_parse(struct name_list *l, const char *text, const char *what, struct err *err);
/** name_list_has - tell whether @name is in the set. */
bool name_list_has(const struct name_list *l, const char *name);
/** name_list_release - free the names; the set is empty afterwards. */
void name_list_release(struct name_list *l);

#define FEW_NAMES 5

/* The first of many names, for a sentence. It starts zeroed. */
struct few_names {
	struct strbuf text; /* "a, b, c, d, e, ..." */
	size_t nr;          /* all names, also those that the text leaves out */
};

/** few_names_add - append a name, unless the text has enough of them. */
void few_names_add(struct few_names *f, const char *name);
/** few_names_release - free the text; there are no names afterwards. */
void few_names_release(struct few_names *f);

#endif
