/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notices: sentences for the user about work that goes on (a warning, a hint, a summary). Rooms do
 * not print. A room that has something to say while it works takes a `struct notices`; the command
 * decides where the text goes (stderr), and a test collects it. What makes a function fail is no
 * notice: that is a struct err.
 */
#ifndef PERF_BASE_NOTICE_H
#define PERF_BASE_NOTICE_H

#include "base/compat.h"

struct notices {
	/* Take @text, which is written as it is: it has its own newlines. May be NULL: nobody
	 * listens. */
	void (*put)(void *ctx, const char *text);
	void *ctx;
};

/** notice - hand one text to whoever listens. @n may be NULL. */
void notice(const struct notices *n, const char *fmt, ...) __printf(2, 3);

#endif
