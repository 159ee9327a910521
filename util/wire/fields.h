/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts of record bodies as data: inside the room only. Decoding, encoding and turning the
 * byte order all walk these rows.
 */
#ifndef PERF_WIRE_FIELDS_H
#define PERF_WIRE_FIELDS_H

#include "wire/event.h"

#define MISC_BUILD_ID_SIZE (1 << 15) /* of HEADER_BUILD_ID: the id says how long it is */

enum wire_kind {
	W_END,
	W_NUM,   /* integer (or double) of @width bytes, kept at @at */
	W_PAD,   /* @width bytes that mean nothing, written as zeros */
	W_BYTES, /* @width bytes kept inside the struct at @at */
	W_TEXT,  /* @width bytes with a zero among them; a pointer at @at */
	W_STR,   /* zero-terminated to the end of the body, written padded to 8; a pointer at @at */
	W_ARRAY, /* as many elements as the number at @count says; a pointer at @at */
	W_REST,  /* elements up to the end of the body; a pointer at @at, their number at @count */
	W_NAME,  /* text of @count bytes, whose number follows from the size of the body */
	W_ATTR,  /* a perf_event_attr, whose own size field counts */
	W_PICK,  /* the row goes on with one that pick() chooses */
	W_SUB,   /* the row @sub, kept in the struct at @at */
};

/* What a choice can be made by. */
struct wire_choice {
	u16 misc;
	bool encoding;    /* the values are complete; else only those that came before */
	size_t left;      /* bytes that follow, unless encoding */
	const void *vals; /* the struct */
	const u8 *next;   /* what follows, in the order of the file */
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

/* A type of record: its row, and the size of the struct that the row fills. */
struct wire_body {
	const struct wire_field *row;
	size_t size;
};

/** wire_body - NULL when a type has no body or none that is known. */
const struct wire_body *wire_body(u32 type);

/** wire_elem_size - bytes of an element. */
size_t wire_elem_size(const char *elem);

/** wire_count - the number at @f's count in @vals. */
u64 wire_count(const struct wire_field *f, const void *vals);

enum wire_mode { WIRE_READ, WIRE_TURN_IN, WIRE_TURN_OUT };

/**
 * wire_walk - go through a body by its row.
 * READ: nothing is written to it. TURN_IN: foreign order to native, in place. TURN_OUT: the way
 * back. @vals, big enough for its struct, gets the native values in each mode.
 * @body, @size: without header and trailer
 * Return: 0, -EINVAL.
 */
int wire_walk(const struct wire_field *row, enum wire_mode mode, u16 misc, void *body, size_t size,
	      void *vals);

#endif
