/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes and sums of a tree as bytes, in their order: a tenth of the memory of the arrays, for what
 * reads them once from the beginning on. They are in parts, so that several threads can make them.
 *
 * Numbers have 7 bits in each byte, the lowest first, as in protocol buffers.
 */
#ifndef PERF_STACKTREE_PACK_H
#define PERF_STACKTREE_PACK_H

#include "base/strbuf.h"
#include "stacktree/stacks.h"

/* Sums of one event. */
struct stacks_packed_sums {
	struct strbuf bytes; /* of each: node (of the part) less the one before, thread, cpu, slice,
				samples, and the period less samples * unit, signed */
	size_t nr;
	u64 unit;
	u32 node; /* of the last one */
};

/* Nodes that stand behind each other, and their sums. The first part begins with the root. */
struct stacks_part {
	struct strbuf levels; /* of each node but the first one (or the root): how many levels up
				 from the one before it; 0: it is called by that */
	struct strbuf frames; /* of each node but the root */
	u32 first;            /* number of the first node; known at the end */
	u32 nr_nodes;
	u32 first_depth, last_depth;
	struct stacks_packed_sums *sums; /* by event */
};

struct stacks_packed {
	struct stacks_part *parts;
	size_t nr_parts;
	u32 nr_events;
};

#define STACKS_VARINT_MAX 10 /* bytes */

/** stacks_varints - room for so many numbers. Return: where the first goes; then call
 * stacks_put_end(). */
static inline u8 *stacks_varints(struct strbuf *out, size_t nr)
{
	if (unlikely(out->len + nr * STACKS_VARINT_MAX >= out->alloc))
		strbuf_grow(out, nr * STACKS_VARINT_MAX);
	return (u8 *)out->buf + out->len;
}
/** stacks_put_at - a number. Return: where the next one goes. */
static inline u8 *stacks_put_at(u8 *p, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (u8)(v | 0x80);
	*p++ = (u8)v;
	return p;
}
static inline void stacks_put_end(struct strbuf *out, const u8 *p)
{
	out->len = (size_t)(p - (const u8 *)out->buf);
}
/** stacks_put_varint - append a number. */
static inline void stacks_put_varint(struct strbuf *out, u64 v)
{
	stacks_put_end(out, stacks_put_at(stacks_varints(out, 1), v));
}
/** stacks_signed - small numbers of either sign as small numbers, in 64 bits that wrap. */
static inline u64 stacks_signed(u64 v)
{
	return v << 1 ^ (u64)((s64)v >> 63);
}
/** stacks_get_varint - the one at *@p, which is put behind it. Bytes are of stacks_put_varint(). */
static inline u64 stacks_get_varint(const u8 **p)
{
	u64 v = 0, byte;
	int shift = 0;

	do {
		byte = *(*p)++;
		v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return v;
}

/* ---- making ---- */

/** stacks_part_init - @root: it begins with the root. */
void stacks_part_init(struct stacks_part *p, u32 nr_events, bool root);
/** stacks_part_node - the next node; @depth: at most one more than that of the last one. */
void stacks_part_node(struct stacks_part *p, u32 depth, u32 frame);
/** stacks_part_sum - of a node by the numbers of the part, as is said of @sum. Those of an event
 * come in their order. */
void stacks_part_sum(struct stacks_part *p, const struct stacks_sum *sum);
/** stacks_packed_number - all parts are there: number the nodes. Return: how many there are. */
u32 stacks_packed_number(struct stacks_packed *k);
/** stacks_pack - the same of a tree that has arrays. Free with stacks_packed_free(). */
struct stacks_packed *stacks_pack(const struct stacks *s);
/** stacks_unpack - give a tree its arrays, and it loses what is packed. */
void stacks_unpack(struct stacks *s);
void stacks_packed_free(struct stacks_packed *k);

/* ---- reading ---- */

struct stacks_sums_walk {
	const struct stacks_packed *of;
	const u8 *p;
	size_t part, left;
	u32 event, node;
	u64 unit;
};

/** stacks_sums_walk - begin with the sums of the first event. */
void stacks_sums_walk(struct stacks_sums_walk *w, const struct stacks_packed *k);
/** stacks_sums_next - the next sum, in the order of sums. Return: false when there are no more. */
bool stacks_sums_next(struct stacks_sums_walk *w, struct stacks_sum *sum);

#endif
