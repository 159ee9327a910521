/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and what they ask for. A view has one table of requests; keys that are pressed, the help
 * screen, the section of the man page and the configuration (keys.VIEW.REQUEST) all come from it.
 */
#ifndef PERF_UI_WIDGETS_KEYMAP_H
#define PERF_UI_WIDGETS_KEYMAP_H

#include "base/strbuf.h"
#include "cli/config.h"
#include "ui/term/key.h"

/* Requests that all views know; those of a view of its own begin at REQ_OWN. */
enum request {
	REQ_NONE,
	REQ_UP,
	REQ_DOWN,
	REQ_PAGE_UP,
	REQ_PAGE_DOWN,
	REQ_FIRST,
	REQ_LAST,
	REQ_SCROLL_LEFT,
	REQ_SCROLL_RIGHT,
	REQ_HELP,
	REQ_BACK,
	REQ_QUIT,
	REQ_REDRAW,
	REQ_SUSPEND,
	/* Views that have use for these name keys for them: */
	REQ_SEARCH,
	REQ_SEARCH_BACK,
	REQ_SEARCH_NEXT,
	REQ_SEARCH_PREVIOUS,
	REQ_ENTER, /* also a click on the selected row */
	REQ_OWN,
};

struct binding {
	const char *keys; /* names of keys, with blanks between them */
	int request;
	const char *name; /* in the configuration: "expand-all" */
	const char *help; /* a sentence without its full stop */
};

/** common_bindings - what all views bind, where they do not bind the same key themselves. Ends
 * with a row without keys. */
extern const struct binding common_bindings[];

struct keymap_item {
	u32 key;
	int request;
};

/* The requests of a view, and where the configuration names keys for them. */
struct keys_of {
	const char *view;               /* "report": keys.report.NAME */
	const struct binding *bindings; /* ends with a row without keys; NULL: none */
};

struct keymap {
	struct keys_of own, more; /* borrowed */
	struct keymap_item *items;
	size_t nr, cap;
};

/**
 * keymap_init - make the map of a view. keymap_release() frees it.
 * @own: its table; borrowed
 * @more: that of a view whose requests it knows, too; NULL: none. Keys of @own come first.
 * @c: configuration; NULL: there is none
 * @problems: a line for each variable that names no key; NULL: they are not told
 */
void keymap_init(struct keymap *m, const struct keys_of *own, const struct keys_of *more,
		 const struct config *c, struct strbuf *problems);
void keymap_release(struct keymap *m);
/** keymap_request - return what a key asks for; REQ_NONE: nothing. */
int keymap_request(const struct keymap *m, u32 key);
/** keymap_help - append the lines of the help screen: keys and sentences. */
void keymap_help(const struct keymap *m, struct strbuf *out);
/** keymap_manual - append the lines of the man page about a table: keys, names, sentences. */
void keymap_manual(const struct binding *b, struct strbuf *out);

#endif
