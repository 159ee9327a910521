/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions make ordered rows of tallies. */
#ifndef PERF_HIST_ROWS_INTERNAL_H
#define PERF_HIST_ROWS_INTERNAL_H

#include "hist/tables-internal.h"

/* The row or list that was found last at a place. @id: its number; 0: nothing was found yet */
struct row_near {
	u32 base, id;
};

/* tallies.c: the tallies of all workers in parts, each of places of its own */

/* Returns which of @nr parts a tally is in. No place may be in two parts. */
typedef u32 tally_part_fn(const struct hist *h, const struct tally *t, u32 nr);
/** parts_wanted - return how many threads are worth their while. */
u32 parts_wanted(const struct hist *h);
/** parts_make - sort all tallies by part. The caller sets h->part_keys. */
void parts_make(struct hist *h, u32 nr, tally_part_fn *part);
/** part_size - return how many tallies are in a part. */
size_t part_size(const struct hist *h, size_t part);
/** parts_by_place - sort tallies that have places, into as many parts as are worth it. */
void parts_by_place(struct hist *h);

/* bases.c */

/** bases_merge - make the bases of all workers bases of the histogram: w->base_ids. */
void bases_merge(struct hist *h);
/** base_row_hash - return a hash of a base as that of rows of @evsel. */
u64 base_row_hash(const struct hist *h, const struct hist_base *b, u32 evsel);
/** base_same_row - do samples of two bases, of one event, belong to the same rows? */
bool base_same_row(const struct hist *h, const struct hist_base *a, const struct hist_base *b);
/** members_count - find out how many events there are, of which more may have come with the
 * samples, and how many each group has. */
void members_count(struct hist *h);

/* rows.c */

/** rows_by_worker - add up the tallies of each worker on a thread, then the rows of all. */
void rows_by_worker(struct hist *h);
/** rows_in_parts - add up the tallies of each part on a thread; tallies are freed. */
void rows_in_parts(struct hist *h);
/** rows_of_keyed - add up the tallies of strategies that keep key values (hist.own_sets). Each row
 * gets a base of its own number. */
void rows_of_keyed(struct hist *h);
/** row_add_members - add the sums of the other events of a group, and of modes. */
void row_add_members(const struct hist *h, struct hist_row *to, const struct hist_row *from);

/* order.c, compared.c, hierarchy.c */

/** rows_order - put the rows of each event into their order, and measure their columns. */
void rows_order(struct hist *h);
/** rows_compared - return by row whether another row equals it in the keys before the column that
 * is measured if compared. The caller frees. */
bool *rows_compared(const struct hist *h, const struct hist_event *ev);
/** rows_to_tree - make the tree of --hierarchy of the rows of an event. */
void rows_to_tree(struct hist *h, u32 evsel);

/* rank.c: names to numbers in their order */

void rank_comms(struct hist *h);
void rank_dsos(struct hist *h);
/** rank_places - order the places that rows show, once objects have ranks. Half of the workers do
 * that: the others look up the names meanwhile. */
void rank_places(struct hist *h);
/** rank_names - order the names of these places, once they are there. */
void rank_names(struct hist *h);
/** rank_texts - return the rank of each text among @texts; the caller frees. */
u32 *rank_texts(const struct hist *h, const struct intern *texts);

/* filter.c */

/** filters_init - decide once which names pass. */
void filters_init(struct hist *h);
/** filter_passes - do samples of a base (of a worker) at a place pass the filters? */
bool filter_passes(const struct hist *h, const struct hist_base *b, u32 place);

#endif
