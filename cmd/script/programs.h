/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of users that `perf script` runs for samples: a filter (--dlfilter), and a script in
 * another language (-s), which can also be generated (-g). */
#ifndef PERF_CMD_SCRIPT_PROGRAMS_H
#define PERF_CMD_SCRIPT_PROGRAMS_H

#include "cli/options.h"
#include "scriptrun/scriptrun.h"

struct programs {
	/* options */
	const char *filter; /* --dlfilter */
	char **filter_args; /* owned; --dlarg */
	size_t nr_filter_args, cap_filter_args;
	bool list_filters;
	const char *script;   /* -s, with its language */
	const char *generate; /* -g: a language, or the file to write */
	/* private */
	const struct script_language *language; /* of the script */
	char *exec_path;                        /* owned: where modules of scripts are */
	struct script_programs loaded;
};

/** parse_filter_arg - take one --dlarg. opt->value: a struct programs */
int parse_filter_arg(const struct option *opt, const char *arg, int unset);

/** programs_list - print a list that was asked for instead of a run. @verbose: with the long
 * descriptions. Return: was one? */
bool programs_list(const struct programs *p, bool verbose);
/**
 * programs_check - find out whether there is a script or a language like that.
 * Return: 0, or the exit status, with a message printed.
 */
int programs_check(struct programs *p, const char *const usage[], const struct option *options);
/**
 * programs_load - load the filter, and the engine of the script.
 * @args: the arguments of the script; borrowed
 * Return: 0, or the exit status, with a message printed.
 */
int programs_load(struct programs *p, int nr_args, const char **args);
/** programs_generate - write a script with a handler for each event. @r: opened. Return: the exit
 * status, with a message printed. */
int programs_generate(const struct programs *p, struct recording *r);
/** programs_release - free what options and loading made. */
void programs_release(struct programs *p);

#endif
