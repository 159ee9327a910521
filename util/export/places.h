/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of stacks as formats with tables have it: objects, functions, and places in them, all
 * numbered from 1. A place is one address; functions that were inlined there are part of it.
 */
#ifndef PERF_EXPORT_PLACES_H
#define PERF_EXPORT_PLACES_H

#include "codec/protobuf.h"
#include "stacktree/stacks.h"
#include "codec/quote.h"

struct place_object {
	u32 name, build_id; /* texts; the name is the path where it is known */
	u64 limit;          /* no address of it is so large */
};

/* Its functions: that of @frame, then those of @outer, which it was inlined into; 0: none. */
struct place {
	u32 frame, outer;
};

struct code_places {
	const struct stacks *s;       /* borrowed */
	u32 *object_of, *function_of; /* by frame; object 0: not known */
	u32 *place_of;                /* by node; of the root 0 */
	struct place_object *objects;
	u32 *functions; /* the frame that stands for it */
	struct place *places;
	u32 nr_objects, nr_functions, nr_places; /* with number 0, which is none */
};

/** code_places_init - of all nodes of @s, which is borrowed. Free with code_places_release(). */
void code_places_init(struct code_places *p, const struct stacks *s);
void code_places_release(struct code_places *p);
/** code_places_stack - the places from the innermost outwards. @out: room for nodes[node].depth.
 * Return: their number. */
u32 code_places_stack(const struct code_places *p, u32 node, u32 *out);
/** place_addr - in its object; where the symbol starts unless addresses are kept. */
u64 place_addr(const struct code_places *p, u32 place);
/** place_object - number of its object; 0: not known. */
static inline u32 place_object(const struct code_places *p, u32 place)
{
	return p->object_of[p->places[place].frame];
}

/** stacks_room - for the frames or places of the deepest stack; free(). */
u32 *stacks_room(const struct stacks *s);

/**
 * stacks_order_sums - numbers of sums, those of one event behind each other, in the order of
 * @by_thread: thread and slice, else: slice and stack; free()
 */
u32 *stacks_order_sums(const struct stacks *s, bool by_thread);

/** threads_process_comm - the name of the process whose first thread is @thread: that of its main
 * thread when it is there. Return: a text. */
u32 threads_process_comm(const struct stacks *s, u32 thread);

/** stacks_code_kind - what runs in a node: of an inlined function, that of what it is part of. */
u8 stacks_code_kind(const struct stacks *s, u32 node);
/** frame_kind_name - "user", "kernel", ..: of enum stacks_kind. */
const char *frame_kind_name(u8 kind);
/** event_is_time - are its periods nanoseconds? */
bool event_is_time(const struct stacks *s, u32 event);
/** event_unit - "nanoseconds" where they are, else "count". */
const char *event_unit(const struct stacks *s, u32 event);

/** proto_name - a string field of a protobuf message, of a name from a recording. */
static inline void proto_name(struct strbuf *out, u32 field, const char *s)
{
	size_t begun = proto_begin(out, field);

	quote_utf8(out, s);
	proto_end(out, begun);
}

#endif
