/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notices: sentences for the user while work goes on (a warning, a hint, a summary). Rooms do not
 * print, so a room that has something to say while it works takes a `struct notices`. The command
 * decides where the text goes (stderr), and a test collects it. The reason why a function fails is
 * not a notice; it belongs in a struct err.
 */
#ifndef PERF_BASE_NOTICE_H
#define PERF_BASE_NOTICE_H

#include "base/compat.h"

struct notices {
	/* Takes @text, which is written unchanged because it brings its own newlines. NULL: nobody
	 * listens. */
	void (*put)(void *ctx, const char *text);
	void *ctx;
};

/** notice - format one text and pass it to the listener. @n may be NULL. */
void notice(const struct notices *n, const char *fmt, ...) __printf(2, 3);

#endif
