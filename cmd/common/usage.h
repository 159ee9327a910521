/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the options of a command; print usage and end the process when there is nothing to run. */
#ifndef PERF_CMD_COMMON_USAGE_H
#define PERF_CMD_COMMON_USAGE_H

#include "cli/options.h"

/**
 * parse_options - parse a command's options; prints usage, help or lists and exits when there is
 * nothing to run. See options_parse() for the arguments and the value returned.
 */
int parse_options(int argc, const char **argv, const struct option *opts, const char *const usage[],
		  int flags);

/** parse_options_subcommand - parse the options of a command with subcommands, see
 * options_parse_subcommand(). */
int parse_options_subcommand(int argc, const char **argv, const struct option *opts,
			     const char *const subcommands[], const char *const usage[], int flags);

/** usage_with_options - print the whole usage on stderr and exit with status 129. */
void usage_with_options(const char *const usage[], const struct option *opts)
	__attribute__((noreturn));

/** usage_with_options_msg - do what usage_with_options() does, below a line of its own. */
void usage_with_options_msg(const char *const usage[], const struct option *opts, const char *fmt,
			    ...) __printf(3, 4) __attribute__((noreturn));

/**
 * usage_one_option - print on stderr the usage lines (unless @usage is NULL) and the help of one
 * option.
 * @name: its letter when @short_name, else its long name
 */
void usage_one_option(const char *const usage[], const struct option *opts, const char *name,
		      bool short_name);

#endif
