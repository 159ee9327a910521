/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of stacks for formats with tables: objects, functions and places in them, all numbered
 * from 1. A place is one address; functions that were inlined there are part of it.
 */
#ifndef PERF_EXPORT_PLACES_H
#define PERF_EXPORT_PLACES_H

#include "codec/protobuf.h"
#include "stacktree/stacks.h"
#include "codec/quote.h"

struct place_object {
	u32 name, build_id; /* ids of texts; the name is the path if that is known */
	u64 limit;          /* all of its addresses are smaller */
};

/* The functions of a place: that of @frame, then those of @outer, into which it was inlined; 0:
 * none. */
struct place {
	u32 frame, outer;
};

struct code_places {
	const struct stacks *s;       /* borrowed */
	u32 *object_of, *function_of; /* by frame; object 0: unknown */
	u32 *place_of;                /* by node; 0 for the root */
	struct place_object *objects;
	u32 *functions; /* the frame that represents each function */
	struct place *places;
	u32 nr_objects, nr_functions, nr_places; /* these include number 0, which means none */
};

/**
 * code_places_init - make the tables for all nodes of @s, which is borrowed. code_places_release()
 * frees them.
 */
void code_places_init(struct code_places *p, const struct stacks *s);
void code_places_release(struct code_places *p);
/**
 * code_places_stack - store the places of a stack from the innermost outwards. @out: room for
 * nodes[node].depth. Return: their number.
 */
u32 code_places_stack(const struct code_places *p, u32 node, u32 *out);
/**
 * place_addr - return the address of a place in its object; without addresses in the tree, the
 * start of the symbol.
 */
u64 place_addr(const struct code_places *p, u32 place);
/** place_object - return the number of the object of a place; 0: unknown. */
static inline u32 place_object(const struct code_places *p, u32 place)
{
	return p->object_of[p->places[place].frame];
}

/**
 * stacks_room - allocate room for the frames or places of the deepest stack. The caller frees it.
 */
u32 *stacks_room(const struct stacks *s);

/**
 * stacks_order_sums - return the numbers of the sums, ordered by event and then by thread and slice
 * (@by_thread) or by slice and stack. The caller frees the array.
 */
u32 *stacks_order_sums(const struct stacks *s, bool by_thread);

/**
 * threads_process_comm - return the text id of the name of the process whose first thread is
 * @thread: that of its main thread if it is there.
 */
u32 threads_process_comm(const struct stacks *s, u32 thread);

/**
 * stacks_code_kind - return the kind of code in a node; for an inlined function, that of the
 * function around it.
 */
u8 stacks_code_kind(const struct stacks *s, u32 node);
/** frame_kind_name - return the name of a value of enum stacks_kind: "user", "kernel", ... */
const char *frame_kind_name(u8 kind);
/** event_is_time - tell whether the periods of an event are nanoseconds. */
bool event_is_time(const struct stacks *s, u32 event);
/** event_unit - return "nanoseconds" or "count". */
const char *event_unit(const struct stacks *s, u32 event);

#endif
