/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engines of all languages open a script in the same way, and others end its run in the same
 * way. Each engine is linked with these functions. */
#ifndef PERF_ENGINES_COMMON_H
#define PERF_ENGINES_COMMON_H

#include "script/engine.h"

#define STATUS_UNWRITTEN 128 /* standard output took no more; as of other commands */

/** engine_fail - set an error, with a sentence. Return: @code. */
__printf(3, 4) int engine_fail(struct err *err, int code, const char *fmt, ...);
/**
 * engine_open_script - open a script to read it; a folder is none.
 * @language: its name, for the sentence
 * Return: NULL, and a sentence, when that is not possible. The caller closes it.
 */
FILE *engine_open_script(const char *language, const char *file, struct err *err);
/** engine_pipe_is_closed - tell whether nobody reads what is printed any more. */
bool engine_pipe_is_closed(void);
/**
 * engine_catch_interrupts - have the first interrupt end the run, so that the script can show its
 * results: see engine_interrupted().
 * @second: what the second one does, as a signal handler, so that the third one ends perf; NULL:
 * the second one does that
 */
void engine_catch_interrupts(void (*second)(void));
/** engine_interrupted - tell whether the user wants the run to end. */
bool engine_interrupted(void);

#endif
