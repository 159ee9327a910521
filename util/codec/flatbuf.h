/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FlatBuffers (flatbuffers.dev, "Internals"), written from the front to the back: a table stands
 * before what it refers to, and flat_refer() fills a reference in once its target has a place.
 * Places are offsets in the buffer, which begins with the message.
 */
#ifndef PERF_CODEC_FLATBUF_H
#define PERF_CODEC_FLATBUF_H

#include "base/strbuf.h"

/* A field of a table, in the order of its schema. */
struct flat_slot {
	u8 size;   /* 1, 2, 4 or 8 bytes; 0: it has its default and takes no room */
	u64 value; /* little endian on the wire; 0 in a reference */
};

#define FLAT_REF                                                                                   \
	{                                                                                          \
		4, 0                                                                               \
	}
#define FLAT_SLOTS 8 /* at most, in a table */

/** flat_number - append the low @size bytes of a number, little endian. */
void flat_number(struct strbuf *b, u64 value, u8 size);
/** flat_align - append zeros up to a multiple of @to bytes. */
void flat_align(struct strbuf *b, size_t to);
/**
 * flat_table - append a table of @nr fields.
 * @at: receives the places of the fields, for flat_refer(); NULL: no field is a reference
 * Return: its place.
 */
size_t flat_table(struct strbuf *b, const struct flat_slot *slots, u32 nr, size_t *at);
/**
 * flat_vector - append the head of a vector; its elements are to follow at once.
 * @align: the size to which elements are aligned
 * Return: its place. The elements begin 4 bytes later.
 */
size_t flat_vector(struct strbuf *b, u32 nr, size_t align);
/** flat_refs - append a vector of @nr references, all of them yet to be filled in. Return: its
 * place. */
size_t flat_refs(struct strbuf *b, u32 nr);
/** flat_string - append a string. Return: its place. */
size_t flat_string(struct strbuf *b, const char *s);
/** flat_refer - have the reference at @at refer to @target, which stands behind it. */
void flat_refer(struct strbuf *b, size_t at, size_t target);

#endif
