/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles for other programs and for pictures: one table of formats, each of which writes a tree
 * of stacks as it is asked for. `perf report --NAME FILE` and `perf data convert --to-NAME FILE`
 * both go through it.
 *
 * A new format is a file with its struct export_ops, and a line in export.c.
 */
#ifndef PERF_EXPORT_EXPORT_H
#define PERF_EXPORT_EXPORT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "stacktree/stacks.h"

/* ---- where it is written ---- */

/* One output, written in large pieces. What fails is remembered and told at the end. A file that is
 * there stays as it is until all of the new one is written. */
struct export_out;

/** export_open - @path "-" is standard output. NULL: it failed; a sentence in @err. */
struct export_out *export_open(const char *path, struct err *err);
/** export_memory - into a buffer of the caller's, for tests. */
struct export_out *export_memory(struct strbuf *to);
/** export_close - write what is left, and put the file in its place. When anything failed, there is
 * none, or that which was there before.
 * Return: 0, or negative and a sentence. */
int export_close(struct export_out *o, struct err *err);
/** export_cancel - the same for an output that is not to be: nothing of it stays. */
void export_cancel(struct export_out *o);
/** export_failed - has writing failed? What is still put then goes nowhere: loops may stop. */
bool export_failed(const struct export_out *o);
/** export_bytes - written so far. */
u64 export_bytes(const struct export_out *o);

void export_put(struct export_out *o, const void *data, size_t len);
void export_str(struct export_out *o, const char *s);
void export_ch(struct export_out *o, char c);
void export_dec(struct export_out *o, u64 v);
void export_f(struct export_out *o, const char *fmt, ...) __printf(2, 3);
/** export_buf - the buffer itself, to append to with what takes a strbuf (quote.h); call
 * export_more() now and then. */
struct strbuf *export_buf(struct export_out *o);
/** export_more - write the buffer out when it is large. */
void export_more(struct export_out *o);

/* ---- what is asked for ---- */

/* Something that is said about the recording: "hostname", "command line", .. */
struct export_fact {
	const char *key, *value;
};

struct export_opts {
	enum stacks_weight weight;
	const char *title; /* of pictures; NULL: the format's own */
	const char *event; /* only this one, by name; NULL: all, or the first one where a
			      format has room for one */
	bool icicle;       /* of pictures: drawn from the top down */
	bool reverse;      /* stacks were turned round: they begin with the innermost frame */
	double min_width;  /* of pictures: parts narrower than this many pixels are left out */
	u32 width;         /* of pictures, pixels */
	u64 wall_offset;   /* ns: what makes a time of the recording one of the wall clock; 0:
			      not known */
	const char *arch;  /* as uname tells it; NULL: not known; borrowed */
	bool narrowed;     /* a filter keeps samples out that were between others */
	/* Of call graphs: smaller shares are left out; 0: the format's own. */
	double min_percent;
	const struct export_fact *facts; /* borrowed */
	u32 nr_facts;
	const char *const *notes; /* sentences on the quality of the recording; borrowed */
	u32 nr_notes;
	/* Of a second recording, to compare with; NULL. Numbers are its own. */
	const struct stacks *other;
};

/** export_json_facts - those of @opts as an object of JSON. */
void export_json_facts(struct export_out *o, const struct export_opts *opts);

struct export_ops {
	const char *name;        /* of the option: "pprof" */
	const char *arg;         /* "FILE", in help */
	const char *help;        /* of the option */
	bool arg_optional;       /* without: standard output */
	bool compares;           /* it wants opts.other: not for one recording alone */
	bool narrow_out;         /* opts.min_width: it leaves out what is narrower */
	struct stacks_dims dims; /* what it wants to have; it is given no more than that */
	/** write - Return: 0, or negative and a sentence. Failed writing need not be returned. */
	int (*write)(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		     struct err *err);
};

/** export_table - all formats, up to one without name. */
extern const struct export_ops *const export_table[];
/** export_find - by name; NULL: none. */
const struct export_ops *export_find(const char *name);

/** export_event - the event that opts->event asks for; the first one when it says nothing.
 * Return: its number, or negative and a sentence (there is none, or none of that name). */
int export_event(const struct stacks *s, const struct export_opts *opts, struct err *err);

#define EXPORT_ALL UINT32_MAX
/** export_only - the same where a format has room for all: *@only is EXPORT_ALL when opts->event
 * says nothing. Return: 0, or negative and a sentence. */
int export_only(const struct stacks *s, const struct export_opts *opts, u32 *only, struct err *err);
static inline bool export_takes(u32 only, u32 event)
{
	return only == EXPORT_ALL || event == only;
}

/**
 * export_joined - what opts->other counted before and what @s has now, of the event asked for, as
 * one tree; see stacks_join(). NULL: there is no such event in @s, and a sentence.
 */
struct stacks *export_joined(const struct stacks *s, const struct export_opts *opts,
			     struct err *err);

#endif
