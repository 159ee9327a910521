/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples by the type of data that their instructions access, and by where in the type that is. */
#ifndef PERF_ANNOTATE_TYPE_COUNTS_H
#define PERF_ANNOTATE_TYPE_COUNTS_H

#include "annotate/counts.h"
#include "base/intern.h"
#include "datatype/datatype.h"

struct arch;

/* The counts of an event at an offset of a type. */
struct type_site {
	u64 offset; /* in an array, that in its first element */
	u32 event;
	struct annotate_hits hits;
};

/* A type of one object. */
struct type_count {
	struct debuginfo *info; /* borrowed; that @type is a number in */
	u32 type;
	u64 size;
	char *name;              /* owned */
	const struct dso *dso;   /* borrowed */
	struct type_site *sites; /* owned */
	size_t nr_sites, cap_sites;
	struct annotate_hits *totals; /* owned; by event */
};

/* Samples of instructions of one name. */
struct insn_count {
	char *name;    /* owned */
	u64 good, bad; /* whose type was found, and others */
};

struct type_counts {
	u32 nr_events;
	struct datatypes *types; /* owned */
	struct intern keys;      /* a type has the next number here, until they are sorted */
	struct type_count *v;    /* owned */
	size_t nr, cap;
	struct intern insn_names; /* the same for names of instructions */
	struct insn_count *insns; /* owned */
	size_t nr_insns, cap_insns;
	u64 results[NR_DATATYPE_RESULTS]; /* samples of all events, by what was found */
};

/** type_counts_init - begin. @arch: of the recording; type_counts_release() frees everything. */
void type_counts_init(struct type_counts *c, const struct arch *arch, u32 nr_events);
void type_counts_release(struct type_counts *c);
/**
 * type_counts_add - find the types that a function accesses where it has samples, and count them.
 * @events: the @nr events to count; others are left out
 */
void type_counts_add(struct type_counts *c, const struct annotate_function *f, const u32 *events,
		     size_t nr);
/**
 * type_counts_sort - sort types by the period of @event, and instructions by samples; largest
 * first. Nothing can be added behind it.
 */
void type_counts_sort(struct type_counts *c, u32 event);
/** type_count_at - sum up what an event counted in [@offset, @offset + @size) of a type. */
struct annotate_hits type_count_at(const struct type_count *t, u32 event, u64 offset, u64 size);

#endif
