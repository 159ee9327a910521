/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal of a process: a screen to draw on, and events (keys, mouse, another size). It is
 * given back as it was however perf ends: at its end, by a signal, by a fault of its own, and while
 * it is suspended.
 *
 * Tests say with $PERF_UI_SCREEN where they want to read what is shown: see term_event().
 */
#ifndef PERF_UI_TERM_TERM_H
#define PERF_UI_TERM_TERM_H

#include "ui/term/key.h"
#include "ui/term/screen.h"

struct term;

/* These functions make a terminal: a real one, or one that a test made up. */
struct term_ops {
	/* Show term->screen. @all: also what has not changed */
	void (*show)(struct term *t, bool all);
	/* It is term_event() of this terminal. The screen was made for the size that @t has. */
	void (*event)(struct term *t, int timeout, struct term_event *ev);
	void (*suspend)(struct term *t);
	void (*lend)(struct term *t, bool out);
	void (*close)(struct term *t);
};

struct term {
	const struct term_ops *ops;
	struct screen screen; /* what is drawn; term_show() shows it */
};

/**
 * term_usable - tell whether screens can be shown at all: standard output is a terminal, which is
 * not a dumb one, and there are keys. What a library has to say is not asked.
 */
bool term_usable(void);
/**
 * term_open - take the terminal. term_close() gives it back.
 * @c: configuration of colours, of which nothing is kept; NULL: there is none
 * Return: NULL and a sentence when that does not work.
 */
struct term *term_open(const struct config *c, struct err *err);
/** term_close - give the terminal back, and free it. NULL is fine. */
void term_close(struct term *t);

/** term_show - show what was drawn. @all: draw also what has not changed */
void term_show(struct term *t, bool all);
/**
 * term_event - wait for the next event. When the terminal has another size, the screen has it
 * already, and is empty.
 * @timeout: ms; -1: for ever; 0: only what is there already
 *
 * Before it waits with nothing to read, a terminal writes $PERF_UI_SCREEN, a file: a line with the
 * number of keys and mouse events that it has handed out, and then the rows of the screen.
 */
void term_event(struct term *t, int timeout, struct term_event *ev);
/** term_suspend - give the terminal to the shell until perf is continued; it is shown as a whole
 * then. */
void term_suspend(struct term *t);
/** term_lend - give the terminal to a child, and take it back (@out false). */
void term_lend(struct term *t, bool out);

#endif
