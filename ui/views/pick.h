/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event picker: a list of events in groups, of which users choose some, and the command line
 * that takes these.
 */
#ifndef PERF_UI_VIEWS_PICK_H
#define PERF_UI_VIEWS_PICK_H

#include "ui/widgets/view.h"

/* An event. Pointers are borrowed. */
struct pick_item {
	const char *name;
	const char *alias;    /* another name; NULL: none */
	const char *heading;  /* of its group; the events of a group follow each other */
	const char *argument; /* of -e, as it is written in a shell */
	const void *of;       /* it means something to about() alone */
};

/* The picker shows this. Pointers are borrowed. */
struct pick_shown {
	const struct pick_item *items;
	size_t nr;
	const char *command; /* an -e for each chosen event follows it: "perf record" */
	/* Append lines about an event. @all: also what a few lines have no room for */
	void (*about)(void *ctx, const struct pick_item *it, bool all, struct strbuf *out);
	void *ctx;
};

/** pick_bindings - what its keys ask for. */
extern const struct binding pick_bindings[];

/**
 * pick_view - let users choose events.
 * @command: receives the command line with the chosen events, or else with the selected one
 * Return: false: they left without, and @command is as it was.
 */
bool pick_view(struct ui *ui, const struct pick_shown *shown, struct strbuf *command);

#endif
