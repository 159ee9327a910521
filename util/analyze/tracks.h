/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count samples over time in tracks: one for each CPU, or for each thread. The slices of time are
 * the same for all tracks. */
#ifndef PERF_ANALYZE_TRACKS_H
#define PERF_ANALYZE_TRACKS_H

#include "analyze/grid.h"
#include "base/hash.h"

#define TRACKS_SLICES 1200 /* at most */

/* Each kind has tracks of its own. */
enum tracks_of { TRACKS_OF_CPUS, TRACKS_OF_THREADS, NR_TRACKS_OF };

struct track {
	u32 id;             /* of the CPU or thread */
	u32 name;           /* its last one, as tracks_add() was told */
	u64 nr;             /* of samples */
	struct grid slices; /* columns of one row */
};

struct tracks {
	u64 start, step; /* ns */
	u32 nr_slices;   /* up to the end of the time that was asked for */
	struct track *v; /* owned; in the order in which they first came until tracks_sort() */
	size_t nr, cap;
	struct track all; /* their sum */
	struct map64 by_id;
};

/**
 * tracks_init - prepare for samples of the time [@first, @last] in ns. Slices begin and end at
 * round times. tracks_release() frees them.
 */
void tracks_init(struct tracks *l, u64 first, u64 last);
void tracks_release(struct tracks *l);
/** tracks_add - count a sample. A time outside counts in the first slice, or in the last one. */
void tracks_add(struct tracks *l, u32 id, u32 name, u64 time);
/** tracks_sort - put them into the order of their numbers, or the busiest first. No sample can be
 * added afterwards. */
void tracks_sort(struct tracks *l, bool busiest);
/** tracks_count - return the samples of a track in the slices [from, to). */
u64 tracks_count(const struct track *track, u32 from, u32 to);

#endif
