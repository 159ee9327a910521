/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map browser: the symbols of an object, by address. */
#ifndef PERF_UI_VIEWS_MAP_H
#define PERF_UI_VIEWS_MAP_H

#include "symbol/symbol.h"
#include "ui/widgets/view.h"

/* Pointers are borrowed. */
struct map_shown {
	const struct symtab *symtab;
	const char *object; /* its name */
	u32 sym;            /* the symbol that is selected first; UINT32_MAX: the first one */
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** map_bindings - what its keys ask for. */
extern const struct binding map_bindings[];

/** map_view - show it until it is left. Return: as view_run() */
int map_view(struct ui *ui, const struct map_shown *shown);

#endif
