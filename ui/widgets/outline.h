/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries below which further lines can unfold. There may be millions of entries; only those that
 * are open cost memory. Lines are numbered as they stand on the screen.
 */
#ifndef PERF_UI_WIDGETS_OUTLINE_H
#define PERF_UI_WIDGETS_OUTLINE_H

#include "base/hash.h"

/* A line below an entry. What its members mean is up to who makes them. */
struct outline_line {
	const void *node; /* borrowed */
	u32 part, depth;
};

struct outline_below {
	struct outline_line *v;
	size_t nr, cap;
};

struct outline_opened {
	u64 entry;
	u64 row; /* the line that the entry stands in */
	struct outline_below lines;
};

struct outline {
	u64 nr_entries;
	/* Appends the lines below an open entry; nodes in them are open as outline_is_open()
	 * says. */
	void (*below)(void *ctx, u64 entry, struct outline_below *out);
	void *ctx;
	struct outline_opened *opened; /* in ascending order */
	size_t nr, cap;
	struct map64 nodes; /* 1: open, or closed where @all are open */
	bool all;
	u64 next;            /* entries from here on are still to be opened, */
	struct map64 closed; /* but not these, which were closed meanwhile */
};

/** outline_release - free it. outline_clear - close everything, for other entries. */
void outline_release(struct outline *o);
void outline_clear(struct outline *o, u64 nr_entries);
/** outline_add - append a line; for below(). */
void outline_add(struct outline_below *out, const void *node, u32 part, u32 depth);

/** outline_nr - return how many lines there are. */
u64 outline_nr(const struct outline *o);
/** outline_at - find what stands in a line. *@entry: the entry, or the one above. Return: the line
 * below it; NULL: it is the entry itself. */
const struct outline_line *outline_at(const struct outline *o, u64 row, u64 *entry);
/** outline_row - return the line of an entry. */
u64 outline_row(const struct outline *o, u64 entry);
/** outline_lines - return the first line below an entry that is open. */
const struct outline_line *outline_lines(const struct outline *o, u64 entry);

/** outline_entry_is_open - tell whether lines below an entry are shown. */
bool outline_entry_is_open(const struct outline *o, u64 entry);
/** outline_open, outline_close - show the lines below an entry, or no longer. An entry without any
 * stays closed. */
void outline_open(struct outline *o, u64 entry);
void outline_close(struct outline *o, u64 entry);
/**
 * outline_open_all - open all nodes, and at once the entries from @first on that fill @height
 * lines. The others follow with outline_open_more(), which opens entries for about @ns nanoseconds,
 * but at least one. Return: whether there are more to open
 */
void outline_open_all(struct outline *o, u64 first, u64 height);
bool outline_open_more(struct outline *o, u64 ns);
/** outline_is_open - tell whether a node is open. */
bool outline_is_open(const struct outline *o, const void *node);
/** outline_set - open or close a node. The lines of entries that are open change with
 * outline_open(). */
void outline_set(struct outline *o, const void *node, bool open);

#endif
