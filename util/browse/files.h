/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Browsers do this outside of the screen: they write files, and tell commands. */
#ifndef PERF_BROWSE_FILES_H
#define PERF_BROWSE_FILES_H

#include "base/strbuf.h"

/** browse_save - write text to PREFIX.N, the first name that is free. @said: receives that name, or
 * why it did not work */
void browse_save(const char *prefix, const struct strbuf *text, struct strbuf *said);

/** browse_command - return a command line as users would type it, without --tui and --stdio; the
 * caller frees it. @argv: of the command, without "perf" */
char *browse_command(int argc, const char *const *argv);

/**
 * browse_recordings - find the recordings in the current folder.
 * Return: their names, in order, *@nr of them; the caller frees each, and the list.
 */
char **browse_recordings(size_t *nr);

#endif
