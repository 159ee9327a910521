/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles for other programs, and pictures of them. One table lists the formats, each of which
 * writes a tree of stacks. `perf report --NAME FILE` and `perf data convert --to-NAME FILE` both
 * use it.
 *
 * A new format is a file with its struct export_ops and a line in export.c.
 */
#ifndef PERF_EXPORT_EXPORT_H
#define PERF_EXPORT_EXPORT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "stacktree/stacks.h"

/* ---- the output ---- */

/* One output, which is written in large pieces. An error is stored and reported at the end. An
 * existing file is not changed before the new one is complete. */
struct export_out;

/**
 * export_open - open an output. @path "-" is standard output. Return: NULL on failure, with a
 * sentence in @err.
 */
struct export_out *export_open(const char *path, struct err *err);
/** export_check - check whether @path may be written. Return: 0, or a negative errno. */
int export_check(const char *path);
/** export_is_page - tell whether the name of a file is that of a page for a browser. */
bool export_is_page(const char *path);
/** export_memory - open an output that appends to a buffer of the caller, for tests. */
struct export_out *export_memory(struct strbuf *to);
/**
 * export_close - write the rest, and put the file in its place. If anything failed, there is no
 * file, or the one that existed before.
 * Return: 0, or a negative errno and a sentence.
 */
int export_close(struct export_out *o, struct err *err);
/** export_cancel - close an output without keeping anything of it. */
void export_cancel(struct export_out *o);
/**
 * export_failed - tell whether writing has failed. Further output is then discarded, so loops may
 * stop.
 */
bool export_failed(const struct export_out *o);
/** export_streams - tell whether readers take the output as it comes: it is standard output, or no
 * regular file. */
bool export_streams(const struct export_out *o);
/** export_bytes - return the number of bytes written so far. */
u64 export_bytes(const struct export_out *o);

void export_put(struct export_out *o, const void *data, size_t len);
void export_str(struct export_out *o, const char *s);
void export_ch(struct export_out *o, char c);
void export_dec(struct export_out *o, u64 v);
void export_f(struct export_out *o, const char *fmt, ...) __printf(2, 3);
/**
 * export_buf - return the buffer itself, so that functions that take a strbuf (quote.h) can append
 * to it. Call export_more() now and then.
 */
struct strbuf *export_buf(struct export_out *o);
/** export_more - write the buffer out when it is large. */
void export_more(struct export_out *o);

/* ---- the options ---- */

struct timeline_runs;

/* A fact about the recording, such as "hostname" or "command line". */
struct export_fact {
	const char *key, *value;
};

struct export_opts {
	enum stacks_weight weight;
	const char *title;     /* of a picture; NULL: the format's own */
	const char *event;     /* name of the only event to write; NULL: all, or the first one in a
				  format for a single event */
	enum stacks_root root; /* of pictures */
	bool icicle;           /* pictures are drawn from the top down */
	bool reverse;          /* stacks are reversed and begin with the innermost frame */
	double min_width;      /* pictures leave out parts narrower than this many pixels */
	u32 width;             /* of a picture, in pixels */
	u64 wall_offset;       /* in ns; added to a time of the recording to get the wall clock;
				  0: unknown */
	const char *arch;      /* as uname names it; NULL: unknown; borrowed */
	bool system_wide;      /* the recording is of all processes */
	bool narrowed;         /* a filter leaves out samples between others */
	/* Call graphs leave out smaller shares; 0: the format's own limit. */
	double min_percent;
	const struct export_fact *facts; /* borrowed */
	u32 nr_facts;
	const char *const *notes; /* sentences about the quality of the recording; borrowed */
	u32 nr_notes;
	const struct timeline_runs *timeline; /* of the recording; NULL: it has none; borrowed */
	/* The tree of a second recording to compare with, which has ids of its own; or NULL. */
	const struct stacks *other;
	/* More runs of both sides, whose events are those of the name; borrowed. */
	const struct stacks_run *runs;
	u32 nr_runs;
};

/** export_json_facts - append the facts of @opts as a JSON object. */
void export_json_facts(struct export_out *o, const struct export_opts *opts);

struct export_ops {
	const char *name;        /* name of the option: "pprof" */
	const char *arg;         /* "FILE", for the help */
	const char *help;        /* help of the option */
	bool arg_optional;       /* without an argument it writes to standard output */
	bool compares;           /* it needs opts.other and does not export a single recording */
	bool narrow_out;         /* it uses opts.min_width */
	bool slices;             /* it uses opts.timeline */
	bool runs;               /* it compares several runs of each side */
	bool roots;              /* it uses opts.root, for which it may need more dimensions */
	struct stacks_dims dims; /* the dimensions it needs; it gets no more than these */
	/** write - append the tree to @o. Return: 0, or a negative errno and a sentence. Errors of
	 * writing need not be returned. */
	int (*write)(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		     struct err *err);
};

/** export_table - return all formats, up to one without a name. */
extern const struct export_ops *const export_table[];
/** export_find - find a format by name; NULL: unknown. */
const struct export_ops *export_find(const char *name);

/**
 * export_event - return the number of the event that opts->event names, or of the first one when it
 * is NULL.
 * Return: the number, or a negative errno and a sentence when there is no event, or none with that
 * name.
 */
int export_event(const struct stacks *s, const struct export_opts *opts, struct err *err);

/** export_fact - return a fact about the recording by its key, borrowed; NULL: it is not known. */
const char *export_fact(const struct export_opts *opts, const char *key);

#define EXPORT_ALL UINT32_MAX
/**
 * export_only - choose as export_event() does, for formats that can hold all events: *@only is
 * EXPORT_ALL when opts->event is NULL. Return: 0, or a negative errno and a sentence.
 */
int export_only(const struct stacks *s, const struct export_opts *opts, u32 *only, struct err *err);
/** export_takes - tell whether an event is to be written. */
static inline bool export_takes(u32 only, u32 event)
{
	return only == EXPORT_ALL || event == only;
}

/**
 * export_joined - return one tree with the counts of opts->other as the earlier and those of @s as
 * the current ones, for the selected event; see stacks_join(). NULL and a sentence: @s does not
 * have the event.
 */
struct stacks *export_joined(const struct stacks *s, const struct export_opts *opts,
			     struct err *err);

#endif
