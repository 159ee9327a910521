/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of several profiles side by side. Each profile is a finished hist of its own; rows are the
 * same when their columns read the same. */
#ifndef PERF_DIFF_DIFF_H
#define PERF_DIFF_DIFF_H

#include "hist/blocks.h"
#include "hist/hist.h"

/* One event of one profile. */
struct diff_side {
	const struct hist *hist;     /* borrowed */
	u32 evsel;                   /* UINT32_MAX: this profile does not have the event */
	const struct blocks *blocks; /* for DIFF_CYCLES; borrowed */
	u64 period, nr;              /* of all its samples, or of those that passed the filters */
};

struct diff_sum {
	u64 period, nr; /* nr 0: the row is not there */
};

struct diff_row {
	u32 side;                   /* whose columns show it */
	const struct hist_row *row; /* borrowed from there */
	struct diff_sum *sums;      /* owned; by side */
	s64 cycles;                 /* DIFF_CYCLES: largest change of a block */
	u32 parts;                  /* rows it was made of: index in diff.parts + 1 */
};

/* A row of a profile that went into a row here. */
struct diff_part {
	const struct hist_row *row; /* borrowed */
	u32 side, next;             /* index + 1 */
};

enum diff_compute { DIFF_DELTA, DIFF_DELTA_ABS, DIFF_RATIO, DIFF_WDIFF, DIFF_CYCLES };

struct diff_conf {
	enum diff_compute compute;
	s64 w1, w2;         /* weights of DIFF_WDIFF: of the baseline, of the other */
	u32 order;          /* side whose value rows are sorted by; 0: the baseline's share */
	double min_change;  /* rows whose share changed by less everywhere are left out */
	bool baseline_only; /* rows without baseline, or with nothing else, are left out */
};

struct diff {
	struct diff_conf conf;
	struct diff_side *sides; /* owned; the baseline first */
	u32 nr_sides;
	u64 base_period;       /* what shares of the baseline column are of */
	struct diff_row *rows; /* owned; in order */
	size_t nr_rows;
	struct diff_part *parts; /* owned */
	u32 nr_parts;
	u16 width[HIST_MAX_COLUMNS]; /* of the columns of the first hist */
};

/** diff_new - pair the rows of @nr sides, two at least, and sort them. Free with diff_free(). */
struct diff *diff_new(const struct diff_side *sides, u32 nr, const struct diff_conf *conf);
void diff_free(struct diff *d);

/**
 * diff_value - how a row changed from the baseline to @side.
 * Shares are in percent. Without a baseline to compute with, @out is what rows are sorted by.
 */
enum diff_has {
	DIFF_NONE,
	DIFF_NO_BASE,
	DIFF_VALUE
} diff_value(const struct diff *d, const struct diff_row *r, u32 side, double *out);
/**
 * diff_noise - how far the difference of shares may be from the true one by chance alone, in
 * percent: half of the interval that holds it in 95 of 100 cases, from the numbers of samples.
 */
double diff_noise(const struct diff *d, const struct diff_sum *sums, u32 side);
/** diff_share - percent of all of @side, by what is in @sums. */
double diff_share(const struct diff *d, const struct diff_sum *sums, u32 side);
/** diff_column_shown - is this column of a hist one of a diff? */
bool diff_column_shown(const struct hist_column *c);

/* A block of a row's function: its cycles on the average, in one profile and in the baseline. */
struct diff_block {
	const struct block *now, *was; /* borrowed; was: NULL when the baseline has none such */
	s64 change;                    /* 0 then */
};
/** diff_blocks - the @side's blocks of a row, largest change first. Return: how many; *@out is the
 * caller's. */
size_t diff_blocks(const struct diff *d, const struct diff_row *r, u32 side,
		   struct diff_block **out);
/**
 * diff_block_times - how far the first times of a block were from those of the baseline, to @out.
 * Return: how many; 0 when there is nothing to compare.
 */
u32 diff_block_times(const struct diff_block *b, u64 out[BLOCK_TIMES]);

/* Frames of call paths without a fork, and what the paths through them weigh on each side. */
struct diff_path {
	const char **frames;         /* from the row on, by name; borrowed until the next tree */
	struct diff_path **children; /* what goes on, largest change first */
	struct diff_sum *sums;
	u32 nr_frames, nr_children;
};

struct diff_paths;
/**
 * diff_paths_new - trees of the call paths that changed, for rows of @d, whose profiles have their
 * chains ready (hist_chains() without limit). Paths whose share changed by less than @min_percent
 * on all sides are left out, unless parts of them did. @d is borrowed.
 */
struct diff_paths *diff_paths_new(const struct diff *d, double min_percent);
/** diff_paths_of - the tree of a row: no frames, children only. Valid until the next call; NULL:
 * there is nothing to show. */
const struct diff_path *diff_paths_of(struct diff_paths *p, const struct diff_row *r);
void diff_paths_free(struct diff_paths *p);

/* A whole call chain. */
struct diff_stream {
	char *frames;           /* owned; a line for each, the sampled function first */
	struct diff_sum *sums;  /* owned; by side */
	bool hot_then, hot_now; /* one of the hottest of the baseline, of the other side */
};
struct diff_streams {
	struct diff_stream *v; /* owned; hottest in the baseline first */
	size_t nr;
};
/**
 * diff_streams_new - all call chains of @d, whose rows are not of functions; the @most hottest of
 * the baseline and of @side are marked.
 */
struct diff_streams *diff_streams_new(const struct diff *d, u32 side, size_t most);
void diff_streams_free(struct diff_streams *s);
/** diff_streams_sort - the hottest of @side first. */
void diff_streams_sort(struct diff_streams *s, u32 side);

#endif
