/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal that is made up: its keys are the bytes of a text, and behind them it is closed. */
#ifndef TESTS_UNIT_UI_TYPED_TERM_H
#define TESTS_UNIT_UI_TYPED_TERM_H

#include "ui/widgets/ui.h"

struct typed_term {
	struct term term;
	const char *keys;
	struct strbuf shown; /* the screen when the last key was asked for */
};

static inline void typed_term_keep(struct term *t, bool all __unused)
{
	struct typed_term *ty = container_of(t, struct typed_term, term);

	strbuf_reset(&ty->shown);
	for (u32 y = 0; y < t->screen.rows; y++) {
		screen_row(&t->screen, y, &ty->shown);
		strbuf_addch(&ty->shown, '\n');
	}
}

static inline void typed_term_event(struct term *t, int timeout, struct term_event *ev)
{
	struct typed_term *ty = container_of(t, struct typed_term, term);

	*ev = (struct term_event){ .type = timeout ? TERM_GONE : TERM_TIMEOUT };
	if (timeout && *ty->keys)
		ty->keys += key_decode(ty->keys, strlen(ty->keys), true, ev);
}

/* Begin with an empty screen of that size. @keys: borrowed */
static inline void typed_term_open(struct typed_term *t, struct ui *ui, const char *keys, u32 rows,
				   u32 cols, bool utf8)
{
	static const struct term_ops ops = { .show = typed_term_keep, .event = typed_term_event };

	*t = (struct typed_term){ .term = { .ops = &ops }, .keys = keys };
	screen_init(&t->term.screen, rows, cols, utf8);
	ui_init(ui, &t->term, NULL);
}

/* End it. Return: the screen, which the caller releases. */
static inline struct strbuf typed_term_close(struct typed_term *t, struct ui *ui)
{
	ui_release(ui);
	screen_release(&t->term.screen);
	return t->shown;
}

#endif
