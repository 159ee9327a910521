/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A terminal that a view takes for itself: the alternate screen, and keys as they are pressed. It
 * is the caller's to give it back with terminal_leave() before anything ends the process.
 */
#ifndef PERF_CLI_TERMINAL_H
#define PERF_CLI_TERMINAL_H

#include "base/compat.h"

#include <termios.h>

struct terminal {
	int screen;            /* descriptor of the output; borrowed */
	int keys;              /* descriptor of /dev/tty; -1: there is none */
	bool on;               /* the screen is ours */
	bool raw;              /* so are the keys */
	bool utf8;             /* the terminal shows it */
	struct termios before; /* the settings of keys, while raw */
};

/** locale_is_utf8 - tell whether the user's locale writes UTF-8. */
bool locale_is_utf8(void);

/** terminal_open - use the terminal behind the descriptor @screen. Return: false when that is none,
 * or one that cannot move its cursor; then there is nothing to close. */
bool terminal_open(struct terminal *t, int screen);
/** terminal_close - leave it and close what terminal_open() has opened. */
void terminal_close(struct terminal *t);

/** terminal_enter - show the alternate screen without a cursor. Keys are read as they are pressed
 * and not shown, unless perf is in the background: what is typed then is for another program. */
void terminal_enter(struct terminal *t);
/** terminal_leave - show the screen that was there before, with keys as before. */
void terminal_leave(struct terminal *t);

/** terminal_put - write text. */
void terminal_put(const struct terminal *t, const char *text);
/** terminal_size - get its width and height in characters; 80 by 24 when it does not tell. */
void terminal_size(const struct terminal *t, u32 *width, u32 *height);
/** terminal_key - read the keys that were pressed. Return: is @key among them, or is the terminal
 * gone? */
bool terminal_key(const struct terminal *t, char key);

#endif
