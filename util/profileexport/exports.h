/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile in the formats of other programs: which formats go where, what the profile has to keep
 * for all of them, what they say of the recording, and the files.
 *
 *	exports_init(&x);
 *	exports_add(&x, export_find("pprof"), "profile.pb.gz");
 *	... profile_options.stacks = exports_dims(&x) ... profile_run() ...
 *	exports_write(&x, &from, NULL, &err);
 */
#ifndef PERF_PROFILEEXPORT_EXPORTS_H
#define PERF_PROFILEEXPORT_EXPORTS_H

#include "export/export.h"
#include "profile/profile.h"

#define EXPORTS_MAX 32

/* A recording and its profile, which was run with exports_dims(). Borrowed. */
struct export_source {
	const struct session *session;
	const struct profile *profile;
};

/* One more run of what is compared. */
struct exports_more {
	const char *path;            /* borrowed */
	u32 side;                    /* STACKS_BEFORE or STACKS_NOW */
	struct export_source source; /* set before exports_write() */
};
#define EXPORTS_MAX_RUNS 30

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
	struct exports_more more[EXPORTS_MAX_RUNS];
	u32 nr_more;
};

/** exports_init - begin without formats, and with the default options of all formats. */
void exports_init(struct exports *x);
/** exports_add - write @ops to @path, which is borrowed. A format goes to one file: the last. */
void exports_add(struct exports *x, const struct export_ops *ops, const char *path);
/** exports_drop - do not write @ops. */
void exports_drop(struct exports *x, const struct export_ops *ops);
/** exports_weight - set what stacks count for. @word: "period", "samples", "duration". Return:
 * false: another word, which stands for samples. */
bool exports_weight(struct exports *x, const char *word);
/**
 * exports_root - set what stands at the roots of pictures. @text: none, comm, process, thread, cpu;
 * NULL: as each format has it. Return: false: it is another word.
 */
bool exports_root(struct exports *x, const char *text);
/** exports_min_width - set the least width of what pictures show. @text: pixels, 0 to 10000.
 * Return: false: it is no such number. */
bool exports_min_width(struct exports *x, const char *text);
/**
 * exports_add_run - compare one more run. @side: STACKS_BEFORE or STACKS_NOW; the first one of
 * STACKS_BEFORE is x->compare. Return: false: there are too many.
 */
bool exports_add_run(struct exports *x, const char *path, u32 side);
/** exports_any - tell whether any format is asked for. */
static inline bool exports_any(const struct exports *x)
{
	return x->nr;
}
/** exports_dims - return what has to be kept for the exports; for struct profile_options. */
const struct stacks_dims *exports_dims(struct exports *x);
/** exports_check_new - refuse files that exist. Return: 0, or -EEXIST and a sentence. */
int exports_check_new(const struct exports *x, struct err *err);
/**
 * exports_write - write all of them.
 * @before: of x->compare; NULL
 * Return: 0, or negative and a sentence; then files that could not be written are gone.
 */
int exports_write(struct exports *x, const struct export_source *from,
		  const struct export_source *before, struct err *err);

#endif
