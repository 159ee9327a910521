/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over the locks of the kernel (lock/lock.h) become text, in the layouts of perf 6.1:
 *
 *	struct lock_show show = LOCK_SHOW(LOCK_CONTENTION);
 *	lock_fields_parse(&show, "contended,wait_max", &err);
 *	lock_show_settle(&show, &err);
 *	lock_show_run(&show, analysis, &text, &err);
 *	lock_show_release(&show);
 */
#ifndef PERF_LOCKTEXT_LOCKTEXT_H
#define PERF_LOCKTEXT_LOCKTEXT_H

#include "analysis/analysis.h"
#include "base/name-list.h"
#include "lock/lock.h"
#include "recordopts/verb-args.h"

enum lock_view { LOCK_REPORT, LOCK_INFO, LOCK_CONTENTION };

#define LOCK_COLUMNS 6     /* columns of numbers that there are */
#define LOCK_STACK_DEPTH 8 /* frames of call chains that are recorded */

/* Users choose what is shown. Lists that are not set are not asked. */
struct lock_show {
	enum lock_view view;
	enum lock_by by;
	u8 fields[LOCK_COLUMNS]; /* the columns in their order */
	u32 nr_fields;           /* 0: the usual ones */
	u8 key;                  /* rows are sorted by this column */
	u32 types;               /* bits of enum lock_type that are wanted; 0: all */
	struct name_list locks;  /* names and addresses of locks that are wanted */
	struct name_list stacks; /* waits with one of these texts in a function of the call chain */
	struct name_list cgroups;
	const char *heatmap;   /* a file for the waits over time; NULL: none; borrowed */
	const char *separator; /* between columns, for programs; NULL: columns are aligned */
	u64 entries;           /* so many rows at most; 0: all */
	u32 max_stack;         /* frames of a call chain that are looked at */
	u32 stack_skip;        /* frames that are left out before those of lock code */
	bool threads, map;     /* LOCK_INFO has these parts */
	bool quiet;            /* without a heading */
	bool verbose;          /* with call chains, and with what could not be counted */
};

#define LOCK_SHOW(shown)                                                                           \
	{                                                                                          \
		.view = (shown),                                                                   \
		.by = (shown) == LOCK_CONTENTION ? LOCK_BY_CALLER : LOCK_BY_ADDRESS,               \
		.max_stack = LOCK_STACK_DEPTH                                                      \
	}

/** lock_show_release - free the lists. */
void lock_show_release(struct lock_show *s);

/* Each takes a list as given on the command line. Return: 0, or -EINVAL and a sentence. */

/** lock_fields_parse - "acquired,contended,avg_wait,wait_total,wait_max,wait_min"; contention has
 * no acquired. */
int lock_fields_parse(struct lock_show *s, const char *list, struct err *err);
/** lock_key_parse - one of these. */
int lock_key_parse(struct lock_show *s, const char *name, struct err *err);
/** lock_types_parse - "spinlock,rwsem:R,..."; without the letter both are meant. */
int lock_types_parse(struct lock_show *s, const char *list, struct err *err);

/**
 * lock_show_settle - complete the choice, after all options: columns and chains that follow from
 * others.
 * Return: 0, or -EINVAL and a sentence: options exclude each other.
 */
int lock_show_settle(struct lock_show *s, struct err *err);

/** lock_key_words, lock_type_words - append the words that these lists are made of, with blanks
 * between them. */
void lock_key_words(struct strbuf *out);
void lock_type_words(struct strbuf *out);

/**
 * lock_show_run - read the recording and append what is to be shown of it.
 * @notes: receives lines on what the recording lacks
 * Return: 0, or negative and a sentence, as analysis_run().
 */
int lock_show_run(const struct lock_show *s, struct analysis *a, struct strbuf *out,
		  struct strbuf *notes, struct err *err);

/** lock_show_futexes - do what lock_show_run() does, with futexes of programs. */
int lock_show_futexes(const struct lock_show *s, struct analysis *a, struct strbuf *out,
		      struct strbuf *notes, struct err *err);

/**
 * lock_record_args - make the arguments of `record`: events of LOCKDEP where the kernel has them,
 * otherwise those of waits, with call chains.
 * @user: calls on futexes in place of them
 * @argc, @argv: of the verb
 */
void lock_record_args(struct verb_args *a, const struct sysroot *sr, bool user, int argc,
		      const char **argv);

#endif
