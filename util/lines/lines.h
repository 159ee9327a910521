/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory accesses by cache line: which lines are shared, where in a line its fields are accessed,
 * and by whom. Each worker counts accesses that are the same in all that matters as one row.
 * clines_finish() then looks each address up once, and finds the line of each row. Most lines are
 * never shown: clines_show() makes entries, in which the rows of a line are shown as one, only for
 * those that are.
 *
 *	access -> row (address, code, thread, CPU, what it counts as) -> entry -> line
 *
 * Memory grows with the number of rows, not with that of accesses. The result depends neither on
 * the number of workers nor on the order of the accesses.
 */
#ifndef PERF_LINES_LINES_H
#define PERF_LINES_LINES_H

#include "base/compat.h"
#include "wire/access.h"

struct clines;
struct clines_worker;

/* Besides their offset in the line, accesses of an entry have these in common. */
enum clines_key { CLINES_PID, CLINES_TID, CLINES_CODE, CLINES_OBJECT, CLINES_KEYS };

/* An access, as the sample and the state at that time tell it. */
struct line_access {
	u64 addr, phys; /* of the data; @phys 0: not known */
	u64 ip;         /* of the code */
	u64 data_src, weight;
	u32 pid, tid, cpu;
	u32 epoch; /* of the address space */
	u32 chain; /* a number of the call chain that the caller has given it; 0: none */
	u8 cpumode;
};

/* An address of data belongs to this. Lines are the same when all of it is. */
struct line_place {
	u64 device, inode, generation; /* of the mapped file; 0: none */
	u32 pid;                       /* of memory that processes do not share; 0: it may be */
	u64 addr;                      /* in the file, or as it is */
};

struct clines_conf {
	u32 line_size;        /* bytes, a power of two */
	u8 keys[CLINES_KEYS]; /* enum clines_key: what entries are told apart by, in their order */
	u32 nr_keys;
	bool lines_only; /* places in lines are not asked for, nor who accessed them */
	bool threads;    /* rows are told apart by thread, also when entries are not */
	/* Tell where data is; false: nothing is mapped there. */
	bool (*place)(void *ctx, const struct line_access *a, struct line_place *out);
	/* Tell which object has the code, as a number by whose order entries are sorted; false:
	 * nothing is mapped there. */
	bool (*object)(void *ctx, const struct line_access *a, u32 *out);
	void *ctx;
};

/* Equal accesses, which are counted together. What conf does not ask for is 0. */
struct line_row {
	u64 addr, ip, page; /* @page: number of the physical line; 0: not known */
	u32 pid, tid, cpu, epoch;
	u32 chain;
	u32 set : 29, cpumode : 3; /* @set: what it counts as: see wire/access.h */
	/* Rows are equal when all that stands above is. */
	u32 nr;     /* of the accesses */
	u32 object; /* clines_show() sets it */
	u64 weight; /* of all of them */
};

/* Kinds of loads whose cycles are averaged; a load is of the first that fits. */
enum line_cycles {
	CYCLES_RMT_HITM,
	CYCLES_LCL_HITM,
	CYCLES_RMT_PEER,
	CYCLES_LCL_PEER,
	CYCLES_LOAD,
	CYCLES_KINDS
};

struct line_counts {
	u64 nr[ACCESS_COUNTS];
	u64 accesses;
};

/* An entry has the accesses of a line that are shown as one. */
struct line_entry {
	u32 offset;       /* in the line */
	u32 row, nr_rows; /* in clines_rows() */
};

/* The rows of an entry add up to this. */
struct line_sums {
	struct line_counts counts;
	u64 cycles[CYCLES_KINDS], loads[CYCLES_KINDS]; /* the sum, and of how many */
};

struct line {
	struct line_place place; /* .addr: where the line begins */
	u64 addr;                /* the lowest address at which it was accessed as such */
	u8 cpumode;
	u32 entry, nr_entries; /* in clines_entries() */
	u32 row, nr_rows;      /* in clines_rows() */
	struct line_counts counts;
};

/** clines_new - prepare; clines_free() frees all. @conf: copied; what it refers to is borrowed */
struct clines *clines_new(const struct clines_conf *conf);
void clines_free(struct clines *l);
/** clines_worker - make another counter. It belongs to @l. To be called by one thread. */
struct clines_worker *clines_worker(struct clines *l);
/** clines_add - count an access. Each thread has a worker of its own. */
void clines_add(struct clines_worker *w, const struct line_access *a);
/** clines_finish - find the lines. Nothing can be added afterwards. */
void clines_finish(struct clines *l);

/* ---- all lines, by number ---- */

/** clines_nr - return how many lines there are. Their order means nothing. */
size_t clines_nr(const struct clines *l);
/** clines_set - return what any access of a line counts as: see wire/access.h. */
u32 clines_set(const struct clines *l, size_t line);
/** clines_sum - add up the accesses of a line. */
void clines_sum(const struct clines *l, size_t line, struct line_counts *out);
/**
 * clines_show - choose lines, whose rows and entries are made: they are what clines_of() returns.
 * To be called once, after clines_finish().
 * @lines: their numbers; NULL stands for all lines
 */
void clines_show(struct clines *l, const u32 *lines, size_t nr);

/* ---- the result; all is borrowed ---- */

/** clines_counts - return the sums over all accesses. */
const struct line_counts *clines_counts(const struct clines *l);
/** clines_of - return the lines that were chosen, ordered by their places: those of the kernel
 * first, then by file, then by address. @nr: their number */
const struct line *clines_of(const struct clines *l, size_t *nr);
/** clines_entries - return the entries of these lines. Those of one line are ordered by offset,
 * and then by the keys. */
const struct line_entry *clines_entries(const struct clines *l);
/** clines_rows - return the rows of these lines. Those of one entry stand together. */
const struct line_row *clines_rows(const struct clines *l);

/** clines_entry_sums - add up an entry. */
void clines_entry_sums(const struct clines *l, const struct line_entry *e, struct line_sums *out);

/** line_counts_add - add to the counters what @b counts. */
void line_counts_add(struct line_counts *a, const struct line_counts *b);
/** line_hitms - return loads of lines that were modified in another cache. */
static inline u64 line_hitms(const struct line_counts *c)
{
	return c->nr[ACCESS_LCL_HITM] + c->nr[ACCESS_RMT_HITM];
}
/** line_peers - return loads that another core has served. */
static inline u64 line_peers(const struct line_counts *c)
{
	return c->nr[ACCESS_LCL_PEER] + c->nr[ACCESS_RMT_PEER];
}
/** line_loads - return loads of all kinds that have a level. */
u64 line_loads(const struct line_counts *c);
/** line_stores - return stores that have a level. */
u64 line_stores(const struct line_counts *c);

#endif
