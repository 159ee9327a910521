/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts of record bodies as data, for this room alone. Decoding, encoding and conversion of
 * the byte order all follow these rows.
 */
#ifndef PERF_WIRE_FIELDS_H
#define PERF_WIRE_FIELDS_H

#include "wire/event.h"

#define MISC_BUILD_ID_SIZE                                                                         \
	(1 << 15) /* in a HEADER_BUILD_ID record: the length of the build-id is valid */

enum wire_kind {
	W_END,
	W_NUM,   /* an integer or double of @width bytes, stored at offset @at of the struct */
	W_PAD,   /* @width bytes without meaning, written as zeros */
	W_BYTES, /* @width bytes, copied into the struct at @at */
	W_TEXT,  /* @width bytes with a zero among them; the struct has a pointer at @at */
	W_STR, /* a zero-terminated string to the end of the body, written padded to 8; a pointer at
		  @at */
	W_ARRAY, /* as many elements as the number at @count says; a pointer at @at */
	W_REST,  /* elements up to the end of the body; a pointer at @at, their number at @count */
	W_NAME,  /* a text of @count bytes; this number follows from the size of the body */
	W_ATTR,  /* a perf_event_attr, whose size is in its own size field */
	W_PICK,  /* the row continues with the one that pick() returns */
	W_SUB,   /* a nested row @sub, stored in the struct at @at */
};

/* The facts that pick() can base its choice on. */
struct wire_choice {
	u16 misc;
	bool encoding;    /* all values are known; otherwise only those of earlier fields */
	size_t left;      /* bytes that follow; unknown while encoding */
	const void *vals; /* the struct */
	const u8 *next;   /* the bytes that follow, in the byte order of the file */
};

struct wire_field {
	u8 kind, width;
	u8 count_width;
	u16 at, count;
	/* Widths of the parts of an element, in bytes; 'c' is 16 characters. */
	const char *elem;
	const struct wire_field *sub;
	const struct wire_field *(*pick)(const struct wire_choice *c);
};

/* The layout of a record type: its row, and the size of the struct that the row fills. */
struct wire_body {
	const struct wire_field *row;
	size_t size;
};

/**
 * wire_body - return the layout of a record type, or NULL when the type has no body or is unknown.
 */
const struct wire_body *wire_body(u32 type);

/** wire_elem_size - return the size in bytes of an array element. */
size_t wire_elem_size(const char *elem);

/** wire_count - return the number of elements of @f, which @vals holds. */
u64 wire_count(const struct wire_field *f, const void *vals);

enum wire_mode { WIRE_READ, WIRE_SWAP_IN, WIRE_SWAP_OUT };

/**
 * wire_walk - process a body as its row describes. WIRE_READ leaves the body unchanged,
 * WIRE_SWAP_IN converts it from foreign to native order in place, and WIRE_SWAP_OUT converts it
 * back. In each mode @vals, which must be large enough for the struct, receives the native values.
 * @body, @size: the body without header and trailer
 * Return: 0 or -EINVAL.
 */
int wire_walk(const struct wire_field *row, enum wire_mode mode, u16 misc, void *body, size_t size,
	      void *vals);

#endif
