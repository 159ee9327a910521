/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layers of a screen: a view, windows above it. What lies below is drawn again as the screen
 * changes its size. */
#ifndef PERF_UI_WIDGETS_UI_H
#define PERF_UI_WIDGETS_UI_H

#include "base/strbuf.h"
#include "cli/config.h"
#include "ui/term/term.h"

struct layer {
	void (*draw)(void *ctx, struct screen *s);
	void *ctx;
	struct layer *below; /* set by ui_push() */
};

/* What is shown may change while nobody looks at it: it may between begin() and end(), which stand
 * around the time that is waited for an event. */
struct ui_rest {
	void (*begin)(void *ctx);
	void (*end)(void *ctx);
	void *ctx;
};

struct ui {
	struct term *term;           /* borrowed */
	const struct config *config; /* borrowed; may be NULL */
	struct layer *top;
	const struct ui_rest *rest; /* borrowed; NULL: nothing changes by itself */
	struct strbuf message;      /* shown in the last line until the next event */
};

/** ui_init - begin with an empty screen. ui_release() ends it. @t, @c: borrowed */
void ui_init(struct ui *ui, struct term *t, const struct config *c);
void ui_release(struct ui *ui);

/** ui_push - put a layer on top; it is borrowed until ui_pop() takes it off. */
void ui_push(struct ui *ui, struct layer *l);
void ui_pop(struct ui *ui);

/** ui_draw - draw all layers, from the lowest on, and show them. */
void ui_draw(struct ui *ui);
/** ui_event - draw, and wait for a key, for the mouse, until @timeout ms have passed (-1: never),
 * or until the terminal is gone. What is drawn follows the size of the terminal meanwhile. */
void ui_event(struct ui *ui, int timeout, struct term_event *ev);

/** ui_put_last - draw text in the last line, but for its last column: what stands there stays on
 * many terminals, which would scroll if it was written. */
void ui_put_last(struct screen *s, const char *text, size_t len);
/** ui_say - show a message in the last line until the next event. */
void ui_say(struct ui *ui, const char *fmt, ...) __printf(2, 3);
/** ui_busy - draw a message at once, before something that takes a while. */
void ui_busy(struct ui *ui, const char *fmt, ...) __printf(2, 3);

#endif
