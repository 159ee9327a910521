/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open what readers of recordings read: the recording, and the objects that it is about; or let
 * another command do that. */
#ifndef PERF_CMD_COMMON_SOURCE_H
#define PERF_CMD_COMMON_SOURCE_H

#include "analysis/analysis.h"
#include "cli/options.h"
#include "recordopts/verb-args.h"

/** open_recording - open the recording that @o names, or print why that fails. Return: as
 * recording_open(). */
int open_recording(struct recording *r, const struct recording_options *o);

/* Work on a recording with engines while it is open. Return: 0, or negative and a sentence. */
typedef int (*analysis_work)(void *ctx, struct analysis *a, struct err *err);

/**
 * analyse_recording - open the recording, do the work, and print what the recording lacks.
 * Return: the exit status, with a message printed.
 */
int analyse_recording(const struct recording_options *o, analysis_work work, void *ctx);

/* ---- without a recording: events while they happen, until Ctrl-C ---- */

#define CLEAR_SCREEN "\033[H\033[2J"

struct live_work {
	const char *const *usage;
	const struct recording_options *source;      /* filters, and where symbols come from */
	analysis_work work;                          /* of a whole run */
	bool (*show)(void *ctx, struct analysis *a); /* shows what there is so far; false: end */
	void *ctx;
	unsigned int refresh_ms;    /* between two calls of @show */
	bool (*goes_on)(void *ctx); /* asked several times a second; NULL: it always does */
};

/**
 * analyse_live - do the work until a signal, show() or goes_on() ends it.
 * @a: the arguments with which the recorder would record the events; released
 * Return: the exit status, with a message printed.
 */
int analyse_live(const struct live_work *l, struct verb_args *a);

/* ---- what a recording lacks ---- */

/**
 * fetch_missing - fetch what a recording lacks from debuginfod servers, if its options ask for
 * that. Ctrl-C ends the fetching, and the command goes on with what there is. What came of it is
 * printed on stderr; a terminal shows how far it is.
 * @r: opened, and none of its symbols were asked for; of a stream nothing is fetched
 * @quiet: print nothing
 */
void fetch_missing(const struct recording *r, bool quiet);

/* ---- verbs that run another command, such as `sched record` ---- */

/** run_verb - run the command that the arguments begin with, and release them. Return: its exit
 * status. */
int run_verb(struct verb_args *a);

/**
 * record_verb - do what run_verb() does for a verb that records. If the user's first word is -h, it
 * prints what is run, with the names of the events, above the options.
 * @a: verb_args_users() was called
 * @usage, @options: those that the verb has parsed, with RECORD_VERB_PARSING; NULL: record's
 */
int record_verb(struct verb_args *a, const char *const usage[], const struct option *options);
/* The other options are those of record, which prints them unless the verb has some of its own. */
#define RECORD_VERB_PARSING                                                                        \
	(PARSE_OPT_STOP_AT_NON_OPTION | PARSE_OPT_KEEP_UNKNOWN | PARSE_OPT_KEEP_ARGV0 |            \
	 PARSE_OPT_KEEP_DASHDASH | PARSE_OPT_KEEP_HELP)

/**
 * script_verb - run `script` on the recording that @o chooses.
 * @dump: records are to be printed as they are
 * @argc, @argv: of the verb
 * Return: its exit status.
 */
int script_verb(const struct recording_options *o, bool dump, int argc, const char **argv);

#endif
