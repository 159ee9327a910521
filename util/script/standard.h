/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts that are installed with perf, by their names. NAME has two shell scripts in
 * scripts/LANGUAGE/bin of the folder of scripts: NAME-record, which records what it needs, and
 * NAME-report, which runs it and says in comments what it is:
 *
 *	# description: syscall top
 *	# args: <comm> [interval]
 *
 * Nothing is run here: a plan says which shell scripts do what the user asks for.
 */
#ifndef PERF_SCRIPT_STANDARD_H
#define PERF_SCRIPT_STANDARD_H

#include "base/err.h"
#include "base/strbuf.h"

/**
 * standard_list - append a line for each script below @folder.
 * Return: 0, or a negative errno and a sentence when the folder cannot be read.
 */
int standard_list(const char *folder, struct strbuf *out, struct err *err);

/* The words of a command for the shell, NULL-terminated: "/bin/sh", the script, its arguments. */
struct standard_command {
	const char **v; /* owned; NULL: there is no such command */
	size_t nr, cap;
	char *path; /* owned: v[1]; the other words are borrowed */
};

/* The commands that do what is asked for. With both, the first one's records are the input of the
 * second. */
struct standard_plan {
	struct standard_command record, report;
};

/**
 * standard_plan - plan `record NAME ...`, `report NAME ...`, or `NAME ...`, which records and
 * reports at the same time.
 * @argv: NULL-terminated, @argc words; it outlives the plan
 * @input: the recording to report; NULL: none was named
 * @out: for standard_plan_release(), without commands when there is no script of that name
 * Return: 0; -EINVAL and a sentence for a script that lacks arguments or cannot record; -ENOENT and
 * one for a missing script behind "record" and "report".
 */
int standard_plan(const char *folder, int argc, const char **argv, const char *input,
		  struct standard_plan *out, struct err *err);
void standard_plan_release(struct standard_plan *p);

#endif
