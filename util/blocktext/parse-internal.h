/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_BLOCKTEXT_PARSE_INTERNAL_H
#define PERF_BLOCKTEXT_PARSE_INTERNAL_H

#include "blocktext/blocktext-internal.h"
#include "blocktext/parse.h"

/* A line shows this of an event. */
struct block_line {
	const struct block_event *ev;
	u32 sequence; /* among those of its device on its CPU */
	u64 time;     /* ns since the first event */
	bool has_elapsed;
	u64 elapsed; /* ns since the step before */
};

/** block_line_put - append the line that blkparse has for an event. */
void block_line_put(const struct block_line *l, struct strbuf *out);
/** block_line_format - append an event in a format that was checked. */
void block_line_format(const struct block_line *l, const char *format, struct strbuf *out);
/** block_message_put - append the line of a message. */
void block_message_put(const struct block_event *ev, u64 time, const char *text, size_t len,
		       struct strbuf *out);

/* ---- counts ---- */

enum { BLOCK_READS, BLOCK_WRITES, BLOCK_WAYS };

struct block_count {
	u64 nr, bytes;
};

/* This happened to one device on one CPU, or in all. */
struct block_counts {
	struct block_count queued[BLOCK_WAYS], dispatched[BLOCK_WAYS], completed[BLOCK_WAYS];
	struct block_count merged[BLOCK_WAYS];
	u64 requeued[BLOCK_WAYS];
	u64 unplugs, timer_unplugs;
	bool some;
};

struct block_tally {
	u32 dev;
	struct block_counts *cpus; /* owned */
	u32 *sequences;            /* owned; by CPU: the number of the last event */
	u32 nr_cpus, nr_sequences;
	size_t cap_cpus, cap_sequences;
	u32 depth[BLOCK_WAYS], max_depth[BLOCK_WAYS];
	u64 events, skips, skipped;
	u64 first, last;
};

/* It starts zeroed. */
struct block_tallies {
	struct map64 of;       /* place by device */
	struct block_tally *v; /* owned */
	size_t nr, cap;
};

/** block_tally_of - return the tally of a device. It is valid until the next call. */
struct block_tally *block_tally_of(struct block_tallies *t, u32 dev);
/** block_tally_next - return the number of the next event of a CPU. */
u32 block_tally_next(struct block_tally *t, u32 cpu);
/** block_tally_add - count an event. @sequence: its number; a gap before it is counted, too */
void block_tally_add(struct block_tally *t, const struct block_event *ev, u32 sequence);
/** block_tallies_put - append the counts of all devices. @lost: events of all of them */
void block_tallies_put(struct block_tallies *t, struct block_names *names, u64 lost,
		       struct strbuf *out);
void block_tallies_release(struct block_tallies *t);

#endif
