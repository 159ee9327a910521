/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes and sums of a tree as bytes, in their order. This form takes a tenth of the memory of the
 * arrays, and serves readers that go through it once. It consists of parts, so that several threads
 * can make it.
 *
 * Numbers have 7 bits in each byte, the lowest first, as in protocol buffers.
 */
#ifndef PERF_STACKTREE_PACK_H
#define PERF_STACKTREE_PACK_H

#include "base/strbuf.h"
#include "stacktree/stacks.h"

/* The sums of one event. */
struct stacks_packed_sums {
	struct strbuf bytes; /* for each: node (in the part) minus the one before, thread, cpu,
				slice, samples, and period minus samples * unit, signed */
	size_t nr;
	u64 unit;
	u32 node; /* of the last sum */
};

/* Consecutive nodes and their sums. The first part begins with the root. */
struct stacks_part {
	struct strbuf levels; /* for each node except the first one (or the root): the number of
				 levels up from the node before; 0: that node is its caller */
	struct strbuf frames; /* for each node except the root */
	u32 first;            /* number of the first node; set at the end */
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

/**
 * stacks_varints - make room for @nr numbers. Return: the place of the first one; call
 * stacks_put_end() afterwards.
 */
static inline u8 *stacks_varints(struct strbuf *out, size_t nr)
{
	if (unlikely(out->len + nr * STACKS_VARINT_MAX >= out->alloc))
		strbuf_grow(out, nr * STACKS_VARINT_MAX);
	return (u8 *)out->buf + out->len;
}
/** stacks_put_at - write a number. Return: the place of the next one. */
static inline u8 *stacks_put_at(u8 *p, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (u8)(v | 0x80);
	*p++ = (u8)v;
	return p;
}
/** stacks_put_end - set the end of the buffer after the last number. */
static inline void stacks_put_end(struct strbuf *out, const u8 *p)
{
	out->len = (size_t)(p - (const u8 *)out->buf);
}
/** stacks_put_varint - append a number. */
static inline void stacks_put_varint(struct strbuf *out, u64 v)
{
	stacks_put_end(out, stacks_put_at(stacks_varints(out, 1), v));
}
/** stacks_signed - map small numbers of either sign to small numbers, in 64 bits that wrap. */
static inline u64 stacks_signed(u64 v)
{
	return v << 1 ^ (u64)((s64)v >> 63);
}
/**
 * stacks_get_varint - read the number at *@p, which stacks_put_varint() has written, and advance
 * *@p.
 */
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

/** stacks_part_init - begin a part. @root: it begins with the root */
void stacks_part_init(struct stacks_part *p, u32 nr_events, bool root);
/** stacks_part_node - append the next node. @depth: at most one more than that of the last node */
void stacks_part_node(struct stacks_part *p, u32 depth, u32 frame);
/**
 * stacks_part_sum - append a sum; its node is the number in the part. The sums of an event are
 * added in their order.
 */
void stacks_part_sum(struct stacks_part *p, const struct stacks_sum *sum);
/**
 * stacks_packed_number - number the nodes, after all parts were made. Return: how many there are.
 */
u32 stacks_packed_number(struct stacks_packed *k);
/** stacks_pack - pack a tree that has arrays. stacks_packed_free() frees the result. */
struct stacks_packed *stacks_pack(const struct stacks *s);
/** stacks_unpack - give a tree its arrays, and free its packed form. */
void stacks_unpack(struct stacks *s);
/** stacks_packed_free - free the packed form. */
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
/**
 * stacks_sums_next - read the next sum, in the order of sums. Return: false when there are no more.
 */
bool stacks_sums_next(struct stacks_sums_walk *w, struct stacks_sum *sum);

#endif
