/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands, which stands in perf.c: for commands that list or run others. */
#ifndef PERF_CMD_COMMON_COMMANDS_H
#define PERF_CMD_COMMON_COMMANDS_H

/* The rights of a perf with capabilities that a command keeps. */
enum command_rights {
	RIGHTS_NONE,
	RIGHTS_NAMES,   /* names of functions of the kernel, with their addresses */
	RIGHTS_MEASURE, /* all: to open events, and to look at processes of others */
};

struct command {
	const char *name;
	int (*fn)(int argc, const char **argv); /* Return: the exit status, see builtin.h */
	const char *summary;                    /* NULL: not in the list of commands */
	enum command_rights rights;
};

/** find_command - Return: the command of that name, or NULL. */
const struct command *find_command(const char *name);
/** list_commands - print on stdout what `perf` without arguments prints. */
void list_commands(void);

#endif
