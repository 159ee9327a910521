/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of several recordings side by side: options and files in, the text of each event out,
 * and the shares that changed by more than they may.
 *
 *	differ_name_files(&d, names, nr);
 *	for each file: differ_open(), differ_count()
 *	for each event of the first file: differ_event()
 *	differ_release(&d);
 */
#ifndef PERF_PROFILEDIFF_PROFILE_DIFF_H
#define PERF_PROFILEDIFF_PROFILE_DIFF_H

#include "cli/values.h"
#include "profile/profile.h"
#include "report/diff-text.h"

/* One recording, and the profile of it. */
struct diff_file {
	struct recording_options source;
	struct recording rec; /* open while @profile is there */
	struct profile *profile;
};

struct differ {
	/* These settings are common to all recordings and profiles; strings are borrowed. */
	struct recording_options source;
	struct profile_options asked;
	struct diff_conf conf;
	struct diff_text text;
	struct limit limit;
	bool relative, quiet, graph, stream;
	bool list_files;   /* above the rows of each event */
	double path_limit; /* least change of a call path */
	/* running */
	struct diff_file *files; /* owned; the first is what the others are compared with */
	u32 nr_files;            /* of those that are open */
	char *times;             /* owned: --time of each file */
};

/* ---- options ---- */

/** differ_computes - append the methods of -c to @out, each with a blank behind it. */
void differ_computes(struct strbuf *out);
/** differ_compute_name - return the name of a method. */
const char *differ_compute_name(enum diff_compute c);
/** differ_compute - read -c: a method, and its weights. Return: 0, or -EINVAL and, unless a method
 * has text behind it, a sentence. */
int differ_compute(struct diff_conf *c, const char *text, struct err *err);
/** differ_graph - read -g: words with commas between. Return: 0, or -EINVAL and a sentence. */
int differ_graph(struct differ *d, const char *text, struct err *err);
/** differ_time_parts - return into how many parts colons cut --time. */
u32 differ_time_parts(const struct differ *d);
/** differ_sorts_functions - tell whether rows are of functions. Cycles are those of functions. */
bool differ_sorts_functions(const struct differ *d);
/** differ_check_keys - check whether all sort keys are known. Return: 0, or -EINVAL and a
 * sentence. */
int differ_check_keys(const struct differ *d, struct err *err);
/** differ_settle - derive the settings that depend on more than one option. */
void differ_settle(struct differ *d, u32 nr_files);

/* ---- recordings ---- */

/** differ_name_files - prepare for these; nothing is opened. Free with differ_release(). */
void differ_name_files(struct differ *d, const char *const *names, u32 nr);
/** differ_open - open file @i; those before it are open. @notices: borrowed. Return: 0, or negative
 * and a sentence; then it is not open. */
int differ_open(struct differ *d, u32 i, const struct notices *notices, struct err *err);
/** differ_count - count the samples of file @i. Return: 0, -EINVAL and a sentence when what is
 * asked for makes no sense, another negative errno and a sentence for anything else. */
int differ_count(struct differ *d, u32 i, struct err *err);
/** differ_release - close them. */
void differ_release(struct differ *d);

/* ---- the comparison ---- */

/** differ_compare - compare one event of the first file in all of them. @conf: in place of that of
 * @d. Return: the rows, which diff_free() frees; they borrow from the profiles. */
struct diff *differ_compare(const struct differ *d, const struct evsel *e,
			    const struct diff_conf *conf);

/**
 * differ_event - append titles and rows of one event.
 * @e: an event of the first file
 * @over: one line is appended for each share that changed by more than d->limit, and than chance
 */
void differ_event(const struct differ *d, const struct evsel *e, struct strbuf *out,
		  struct strbuf *over);

#endif
