// SPDX-License-Identifier: GPL-2.0-or-later
/* The program of a room's tests: its name, test-<room>-<what>, chooses which source runs. */
#include "unit-main.h"
#undef main

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct unit_source *unit_sources;

/* skip - what follows @prefix in @text, or NULL if something else is there. */
static const char *skip(const char *text, const char *prefix, size_t length)
{
	return text && !strncmp(text, prefix, length) ? text + length : NULL;
}

/* is_named - @name is that of the program made from @file, .../tests/unit/<room>/test-<what>.c */
static bool is_named(const char *file, const char *name)
{
	const char *what = strrchr(file, '/'), *room = what;

	if (!what)
		return false;
	while (room > file && room[-1] != '/')
		room--;
	name = skip(name, "test-", 5);
	name = skip(name, room, what - room);
	name = skip(name, "-", 1);
	what = skip(what, "/test-", 6);
	return name && what && !strncmp(name, what, strlen(name)) &&
	       !strcmp(what + strlen(name), ".c");
}

int main(int argc, char **argv)
{
	const char *name = argc ? strrchr(argv[0], '/') : NULL;

	name = name ? name + 1 : argc ? argv[0] : "";
	for (struct unit_source *s = unit_sources; s; s = s->next)
		if (is_named(s->file, name))
			return s->run();
	fprintf(stderr, "%s: no source of this program has that name\n", name);
	return 2;
}
