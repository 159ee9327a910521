/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LINES_LINES_INTERNAL_H
#define PERF_LINES_LINES_INTERNAL_H

#include "lines/lines.h"

#include "base/intern.h"

#define LINES_AHEAD 16 /* accesses whose places in the table are fetched while others are counted */
#define LINES_SOURCES 64 /* data sources whose meaning a worker remembers */

/* An access that is not yet counted. */
struct line_ahead {
	struct line_row row;
	u64 hash;
};

/* An open-addressed table of numbers. A slot has the upper half of a hash, by which most others are
 * told apart without a look at them, and the number + 1; 0: free. The upper half tells the place,
 * too. */
struct line_slots {
	u64 *slots; /* owned */
	size_t mask;
};

/* The rows of one thread, and a table by which they are found. */
struct clines_worker {
	const struct clines *l;               /* borrowed */
	struct line_ahead ahead[LINES_AHEAD]; /* the last accesses; a ring */
	u64 added;
	struct line_row *rows;
	size_t nr, cap;
	struct line_slots table;
	u32 first; /* the number of its first row among those of all workers */
	u64 sources[LINES_SOURCES];
	u32 sets[LINES_SOURCES]; /* of these data sources, where the address is known; 0: unset */
};

/* A line, as small as can be: most are only counted. */
struct line_span {
	u64 at;      /* where it begins in its owner */
	u64 addr;    /* the lowest address at which it was accessed as such */
	u32 owner;   /* a number of clines.owners */
	u32 row, nr; /* its rows: a span of clines.order */
	u32 set;     /* what its rows count as together */
};

/* Lines with the same owner differ by their addresses alone. There is no padding. */
struct line_owner {
	u64 device, inode, generation;
	u32 pid, cpumode;
};

struct clines {
	struct clines_conf conf;
	struct clines_worker **workers; /* owned */
	size_t nr_workers, cap_workers;
	struct line_counts counts;
	struct intern owners;    /* struct line_owner */
	struct line_span *spans; /* all lines */
	size_t nr_spans, cap_spans;
	u32 *order; /* numbers of rows: those of a line stand together */
	/* what is shown: */
	struct line_row *rows;
	size_t nr_rows;
	struct line *lines;
	size_t nr_lines;
	struct line_entry *entries;
	size_t nr_entries, cap_entries;
};

/** clines_worker_free - free a worker with its rows. */
void clines_worker_free(struct clines_worker *w);
/** clines_worker_flush - count the accesses that are not yet counted. */
void clines_worker_flush(struct clines_worker *w);

/** line_slots_grow - make room for one more when half of the slots are taken. @nr: of them */
void line_slots_grow(struct line_slots *t, size_t nr);
/** line_slots_put - put a number into the free slot @at. */
static inline void line_slots_put(struct line_slots *t, size_t at, u64 hash, size_t number)
{
	t->slots[at] = (hash >> 32 << 32) | (number + 1);
}

/** clines_row - return a row by its number among those of all workers. */
static inline struct line_row *clines_row(const struct clines *l, u32 number)
{
	const struct clines_worker *const *w = (const struct clines_worker *const *)l->workers;
	size_t i = l->nr_workers;

	while (number < w[--i]->first)
		;
	return &w[i]->rows[number - w[i]->first];
}

/** line_count_row - count all that a row stands for. */
static inline void line_count_row(struct line_counts *c, const struct line_row *r)
{
	for (u32 set = r->set; set; set &= set - 1)
		c->nr[__builtin_ctz(set)] += r->nr;
	c->accesses += r->nr;
}

/** clines_owner - return what has a line. */
static inline struct line_owner clines_owner(const struct clines *l, u32 owner)
{
	struct line_owner o;

	memcpy(&o, intern_str(&l->owners, owner), sizeof(o));
	return o;
}

#endif
