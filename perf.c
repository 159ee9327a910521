// SPDX-License-Identifier: GPL-2.0-or-later
/* main: the table of commands, the global options, and the exit status. */
#include "base/compat.h"

#include "builtin.h"

#include <errno.h>

struct command {
	const char *name;
	int (*fn)(int argc, const char **argv);
	const char *summary;
};

/* One line per command, sorted by name. The summary is what `perf` lists. */
static const struct command commands[] = {
	{ "test", cmd_test, "Runs sanity tests." },
	{ "version", cmd_version, "display the version of perf binary" },
};

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Whatever the command printed must have arrived: a full disk is not success. */
static int run(const struct command *c, int argc, const char **argv)
{
	int status = c->fn(argc, argv);

	if (fflush(stdout) || ferror(stdout)) {
		if (errno == EPIPE)
			return status & 0xff;
		die("cannot write to standard output: %s", err_str(-errno));
	}
	return status & 0xff;
}

int main(int argc, const char **argv)
{
	const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;

	if (c)
		return run(c, argc - 1, argv + 1);
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", argc > 1 ? argv[1] : "");
	return 1;
}
