/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports of report and data convert: their options, and writing them. */
#ifndef PERF_CMD_COMMON_EXPORT_H
#define PERF_CMD_COMMON_EXPORT_H

#include "cli/options.h"
#include "export/export.h"
#include "profile/profile.h"

#define EXPORTS_MAX 32

/* What is said about a recording; owned. */
struct export_facts {
	struct export_fact fact[16];
	char *note[8];
	u32 nr, nr_notes;
};

struct exports {
	struct {
		const struct export_ops *ops;
		const char *path; /* "-": standard output; borrowed */
		u64 bytes;        /* written */
	} one[EXPORTS_MAX];
	u32 nr;
	u64 samples;             /* that were written of */
	struct stacks_dims dims; /* all that they want; exports_dims() */
	struct export_opts opts;
	bool durations;      /* for the weight */
	const char *compare; /* a second recording; NULL; borrowed */
	struct option *options;
};

/* A recording and its profile, which was run with exports_dims(). Borrowed. */
struct export_source {
	const struct session *session;
	const struct profile *profile;
};

/**
 * exports_options - one option for each format, named @prefix and its name, and those of all of
 * them: a table to go on with (struct option.parent). It lives as long as @x.
 */
const struct option *exports_options(struct exports *x, const char *prefix);
static inline bool exports_any(const struct exports *x)
{
	return x->nr;
}
/** exports_dims - what has to be kept for them; for struct profile_options. */
const struct stacks_dims *exports_dims(struct exports *x);
/**
 * exports_write - write all of them.
 * @before: of x->compare; NULL
 * Return: 0, or negative and a sentence; then files that could not be written are gone.
 */
int exports_write(struct exports *x, const struct export_source *from,
		  const struct export_source *before, struct err *err);
/** export_facts_fill - those of a profile and its stacks, to @opts, which borrow them. */
void export_facts_fill(struct export_facts *f, const struct export_source *from,
		       const struct stacks *s, struct export_opts *opts);
/** export_facts_release - free the contents. */
void export_facts_release(struct export_facts *f);
/** exports_release - free the options. */
void exports_release(struct exports *x);

#endif
