/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make places and frames of locations. */
#ifndef PERF_HIST_PLACES_INTERNAL_H
#define PERF_HIST_PLACES_INTERNAL_H

#include "hist/tables-internal.h"

/* The places that were made so far, and what they and the frames are found by. */
struct place_table {
	struct hist_place *places;
	u64 *place_ips;
	size_t nr_places, cap_places, cap_place_ips;
	struct index by_place, by_frame;
	u32 *dso_name; /* dso id -> number of its name; owned, or borrowed from another table */
	struct strbuf line;
	size_t nr_dsos;
};

/* A bit that is set, with conf.inlines, in the cpumode of addresses that are behind a call. */
#define ADDR_CALL 0x80

/** place_table_init - begin with place 0, which is nowhere: rows that no address tells apart are
 * there. */
void place_table_init(const struct hist *h, struct place_table *t);
/** place_table_expect - make room for at most @nr more places. */
void place_table_expect(struct place_table *t, size_t nr);
/** place_table_name_object - give the object of a location its name now, which is otherwise done
 * when something is found in it. */
void place_table_name_object(struct hist *h, struct place_table *t, const struct location *l);
/** place_table_done - hand all places to the histogram, and release the table. */
void place_table_done(struct hist *h, struct place_table *t);

/**
 * place_id - return the place of a location, made when it is new.
 * @addr: what stands for it without a symbol
 * @ip: the address as recorded, which tells branches apart then
 */
u32 place_id(struct hist *h, struct place_table *t, const struct location *l, u64 addr, u64 ip);

#define PLACE_TALLIES 32
/** place_tallies - set the places of up to PLACE_TALLIES tallies that were resolved early, after
 * place_table_expect(). */
void place_tallies(struct hist *h, struct place_table *t, const struct hist_worker *w,
		   struct tally *tallies, size_t nr);

/** frame_id - return the frame of a location, made when it is new. @ip: what it is without a
 * symbol. */
u32 frame_id(struct hist *h, struct place_table *t, const struct location *l, u64 ip);
/**
 * frame_at_line - return the frame of a location with a symbol, at a line of it.
 * @inlined: of h->inline_names, the function that was inlined there; 0: the symbol's own
 * @line: of h->frame_lines
 */
u32 frame_at_line(struct hist *h, struct place_table *t, const struct location *l, u64 ip,
		  u32 inlined, u32 line);

/* inlines.c */

/** lines_ahead - look up the lines and inlined functions that frames of locations will need.
 * @l: @nr locations, of calls where addresses are behind one */
void lines_ahead(struct hist *h, const struct location *l, size_t nr);
/** may_inline - tell whether functions may have been inlined at a location: only debug information
 * tells of any. */
static inline bool may_inline(const struct location *l)
{
	return l->symtab && symtab_has_lines(l->symtab);
}

/** calls_note - note which addresses are behind calls; @reqs lose ADDR_CALL. */
void calls_note(struct hist *h, struct resolve_req *reqs, size_t nr);
/** inline_runs_init - make room for the runs of @nr addresses. */
void inline_runs_init(struct hist *h, size_t nr);
/** inline_run_make - make the run of an address in which functions were inlined. @l: of the call,
 * if the address is behind one. */
void inline_run_make(struct hist *h, struct place_table *t, const struct location *l, size_t addr,
		     u64 ip);
/** stack_add_runs - turn the addresses of a stack into frames, with all that were inlined. Return:
 * false when nothing was, and the stack is left as it is. */
bool stack_add_runs(const struct hist *h, struct hist_worker *w, struct stack *s);
void inline_runs_release(struct hist *h);

/** object_location - return a location without addresses: an object by its id + 1 (0: unknown),
 * and a symbol of it. */
static inline struct location object_location(const struct hist_worker *w, u32 dso, u32 sym)
{
	const struct object *o = dso ? &w->early.objects[dso - 1] : NULL;

	if (!o)
		return (struct location){ .sym = sym };
	return (struct location){
		.sym = sym,
		.dso = o->dso,
		.symtab = o->symtab,
		.map = o->map,
		.cpumode = o->cpumode,
	};
}

/** leaf_place - return the place of the leaf of a stack, once that is resolved. */
static inline u32 leaf_place(const struct hist *h, u32 leaf)
{
	return h->addrs[leaf].place;
}

/** stack_place - return the place that decides whether the samples of a stack count. */
static inline u32 stack_place(const struct hist *h, const struct stack *s)
{
	return s->root ? h->frames[s->root - 1].place : leaf_place(h, s->leaf);
}

#endif
