/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that is written again and again, on a terminal if there is one: its size, and keys that are
 * pressed meanwhile. Output to something else is one block for each refresh.
 */
#ifndef PERF_CLI_CONSOLE_H
#define PERF_CLI_CONSOLE_H

#include "base/err.h"
#include "base/strbuf.h"

#include <termios.h>

struct console {
	int out;     /* descriptor of the output; borrowed */
	int signals; /* descriptor on which signals that end perf arrive */
	int keys;    /* descriptor of the keys; -1: none come */
	bool raw;    /* keys are read as they are pressed, with these settings before: */
	struct termios before;
	u32 columns, lines; /* of the terminal; 0: the output is none */
	double due; /* when the next refresh is, in seconds of CLOCK_MONOTONIC; 0: at once */
};

/* Does what a key stands for. Return: is it time to end? */
typedef bool console_key_fn(void *ctx, char key);

/** console_open - take signals and keys of stdin. It comes before other threads are started, as
 * these must not take the signals. @out: the output. Return: 0, or negative errno and a sentence.
 */
int console_open(struct console *s, int out, struct err *err);
/** console_close - give the terminal back. */
void console_close(struct console *s);
/** console_begin - append what clears the terminal, and note its size. */
void console_begin(struct console *s, struct strbuf *text);
/** console_write - write text. Return: 0, or negative errno. */
int console_write(const struct console *s, const struct strbuf *text);
/**
 * console_wait - wait until the next refresh is due, *@delay seconds after the last one, or a key
 * asks for it. @key: is called for each key; it may change *@delay. Return: is it time to end?
 */
bool console_wait(struct console *s, const double *delay, console_key_fn *key, void *ctx);
/** console_ask - ask for a line of text. Return: the caller frees it; NULL: nothing was entered, or
 * there is no terminal. */
char *console_ask(struct console *s, const char *question);
/** console_next_key - wait for a key. Return: 0 when perf is to end instead. */
char console_next_key(struct console *s);

#endif
