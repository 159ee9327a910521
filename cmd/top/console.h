/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal of perf top --stdio, if there is one: its size, and keys that change what is shown.
 * Output to something else is one block for each refresh.
 */
#ifndef PERF_CMD_TOP_CONSOLE_H
#define PERF_CMD_TOP_CONSOLE_H

#include "cmd/top/top.h"

#include <termios.h>

struct console {
	int signals; /* descriptor on which signals that end perf arrive */
	int keys;    /* descriptor of the keys; -1: none come */
	bool raw;    /* keys are read as they are pressed, with these settings before: */
	struct termios before;
	u32 columns, lines; /* of the terminal; 0: the output is none */
	double due; /* when the next refresh is, in seconds of CLOCK_MONOTONIC; 0: at once */
};

/** console_open - take signals and keys. It comes before other threads are started, as these must
 * not take the signals. Return: 0, or negative errno and a sentence. */
int console_open(struct console *s, struct err *err);
/** console_close - give the terminal back. */
void console_close(struct console *s);
/** console_begin - append what clears the terminal, and note its size. */
void console_begin(struct console *s, struct strbuf *out);
/** console_wait - wait until the next refresh is due, or a key asks for it. Return: is it time to
 * end? */
bool console_wait(struct console *s, struct top *top);

/** console_ask - ask for a line of text. Return: the caller frees it; NULL: nothing was entered, or
 * there is no terminal. */
char *console_ask(struct console *s, const char *question);
/** console_next_key - wait for a key. Return: 0 when perf is to end instead. */
char console_next_key(struct console *s);
/** console_key - do what a key stands for (keys.c). Return: is it time to end? */
bool console_key(struct console *s, struct top *top, char key);

#endif
