/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of several profiles side by side. Each profile is a finished hist of its own. Rows match
 * when the text of their columns is the same.
 */
#ifndef PERF_DIFF_DIFF_H
#define PERF_DIFF_DIFF_H

#include "hist/blocks.h"
#include "hist/hist.h"

/* One event of one profile. */
struct diff_side {
	const struct hist *hist;     /* borrowed */
	u32 evsel;                   /* UINT32_MAX: this profile does not have the event */
	const struct blocks *blocks; /* borrowed; for DIFF_CYCLES */
	u64 period, nr;              /* of all its samples, or of those that pass the filters */
};

struct diff_sum {
	u64 period, nr; /* nr is 0 when the row is absent */
};

struct diff_row {
	u32 side;                   /* the side whose columns are shown */
	const struct hist_row *row; /* borrowed from that side */
	struct diff_sum *sums;      /* owned; one for each side */
	s64 cycles;                 /* DIFF_CYCLES: largest change of a block */
	u32 parts;                  /* the rows that were merged to it: index in diff.parts + 1 */
};

/* A row of a profile that is part of a row here. */
struct diff_part {
	const struct hist_row *row; /* borrowed */
	u32 side, next;             /* index + 1 */
};

enum diff_compute { DIFF_DELTA, DIFF_DELTA_ABS, DIFF_RATIO, DIFF_WDIFF, DIFF_CYCLES };

struct diff_conf {
	enum diff_compute compute;
	s64 w1, w2;         /* weights of DIFF_WDIFF, for the baseline and the other side */
	u32 order;          /* the side by whose value rows are sorted; 0: the baseline's share */
	double min_change;  /* rows whose share changed by less on all sides are left out */
	bool baseline_only; /* rows that are only in the baseline, or not in it, are left out */
};

struct diff {
	struct diff_conf conf;
	struct diff_side *sides; /* owned; the baseline first */
	u32 nr_sides;
	u64 base_period;       /* the base of the baseline's shares */
	struct diff_row *rows; /* owned; sorted */
	size_t nr_rows;
	struct diff_part *parts; /* owned */
	u32 nr_parts;
	u16 width[HIST_MAX_COLUMNS]; /* widths of the columns of the first hist */
};

/**
 * diff_new - match the rows of @nr sides, at least two, and sort them. diff_free() frees the
 * result.
 */
struct diff *diff_new(const struct diff_side *sides, u32 nr, const struct diff_conf *conf);
void diff_free(struct diff *d);

/**
 * diff_value - compute how a row changed from the baseline to @side. Shares are in percent. Without
 * a baseline, @out is the value by which rows are sorted.
 */
enum diff_has {
	DIFF_NONE,
	DIFF_NO_BASE,
	DIFF_VALUE
} diff_value(const struct diff *d, const struct diff_row *r, u32 side, double *out);
/**
 * diff_noise - return how far the difference of shares may be from the true one by chance, in
 * percentage points: half of the interval that contains it in 95 of 100 cases. It is computed from
 * the numbers of samples.
 */
double diff_noise(const struct diff *d, const struct diff_sum *sums, u32 side);
/** diff_share - return the share of @sums in the total of @side, in percent. */
double diff_share(const struct diff *d, const struct diff_sum *sums, u32 side);
/** diff_column_shown - tell whether a column of a hist is also a column of a diff. */
bool diff_column_shown(const struct hist_column *c);

/* A basic block of a row's function, with its average cycles in one profile and in the baseline. */
struct diff_block {
	const struct block *now,
		*was; /* borrowed; was is NULL when the baseline does not have the block */
	s64 change;   /* of the average cycles; 0 without a baseline */
};
/**
 * diff_blocks - return the blocks of a row on @side, those with the largest change first. Return:
 * their number; the caller frees *@out.
 */
size_t diff_blocks(const struct diff *d, const struct diff_row *r, u32 side,
		   struct diff_block **out);
/**
 * diff_block_times - store the differences between the first times of a block and those in the
 * baseline. Return: their number; 0 when there is nothing to compare.
 */
u32 diff_block_times(const struct diff_block *b, u64 out[BLOCK_TIMES]);

/* Consecutive frames without a branch, and the weight of the call paths through them by side. */
struct diff_path {
	const char **frames;         /* from the row on, by name; valid until the next tree */
	struct diff_path **children; /* continuations, those with the largest change first */
	struct diff_sum *sums;
	u32 nr_frames, nr_children;
};

struct diff_paths;
/**
 * diff_paths_new - make trees of the call paths that changed, for rows of @d whose profiles have
 * their chains ready (hist_chains() without limit). Paths whose share changed by less than
 * @min_percent on all sides are left out, unless parts of them changed by more. @d is borrowed.
 */
struct diff_paths *diff_paths_new(const struct diff *d, double min_percent);
/**
 * diff_paths_of - return the tree of a row, which has no frames, only children. It is valid until
 * the next call. NULL: there is nothing to show.
 */
const struct diff_path *diff_paths_of(struct diff_paths *p, const struct diff_row *r);
void diff_paths_free(struct diff_paths *p);

/* A complete call chain. */
struct diff_stream {
	char *frames;           /* owned; one line for each frame, the sampled function first */
	struct diff_sum *sums;  /* owned; by side */
	bool hot_then, hot_now; /* it is among the hottest of the baseline, of the other side */
};
struct diff_streams {
	struct diff_stream *v; /* owned; the hottest in the baseline first */
	size_t nr;
};
/**
 * diff_streams_new - make a list of all call chains of @d, whose rows are not functions. The @most
 * hottest of the baseline and of @side are marked.
 */
struct diff_streams *diff_streams_new(const struct diff *d, u32 side, size_t most);
void diff_streams_free(struct diff_streams *s);
/** diff_streams_sort - sort the chains so that the hottest of @side come first. */
void diff_streams_sort(struct diff_streams *s, u32 side);

#endif
