/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam to S-Lang, which knows terminals (terminfo), keeps what they show, and sends them what
 * is new. The library is loaded when a screen is opened; it keeps its state in variables of its
 * own, so that there is one screen at a time.
 */
#ifndef PERF_UI_TERM_SLANG_H
#define PERF_UI_TERM_SLANG_H

#include "base/err.h"
#include "ui/term/screen.h"

struct slang;

/** slang_open - load the library and learn what the terminal of standard output can do. Return:
 * NULL and a sentence when that does not work. */
struct slang *slang_open(struct err *err);
/** slang_close - be done with it. NULL is fine. */
void slang_close(struct slang *l);

/** slang_start - take the terminal: another screen, without a cursor. Return: 0, negative and a
 * sentence. */
int slang_start(struct slang *l, const struct looks *looks, bool utf8, struct err *err);
/** slang_stop - show the screen that was there before. */
void slang_stop(struct slang *l);
/** slang_resize - the terminal has another size now. */
void slang_resize(struct slang *l);
/** slang_show - make the terminal show a screen, as far as that fits into it. @all: nothing is
 * known of what it shows now */
void slang_show(struct slang *l, const struct screen *s, bool all);

#endif
