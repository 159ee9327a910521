/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of samples that are single numbers, as data: both formats write them from this table.
 * Each format writes the other fields (call chain, tracepoint data, registers...) in its own way.
 */
#ifndef PERF_CONVERT_FIELDS_H
#define PERF_CONVERT_FIELDS_H

#include "wire/event.h"

struct convert_field {
	u64 bits;         /* the field was recorded if sample_type has any of these */
	const char *ctf;  /* name of the field in CTF; NULL: absent */
	const char *json; /* key in JSON; NULL: written elsewhere */
	u8 size;          /* bytes in struct sample and in CTF */
	bool hex, sign;   /* form of the output */
	u16 at;           /* offset in struct sample */
};

/** convert_fields - return the table, in the order of the output. */
const struct convert_field *convert_fields(size_t *nr);

/** convert_number - return the number of @size bytes at offset @at of a sample. */
static inline u64 convert_number(const struct sample *s, u16 at, u8 size)
{
	const u8 *p = (const u8 *)s + at;

	switch (size) {
	case 2:
		return *(const u16 *)(const void *)p;
	case 4:
		return *(const u32 *)(const void *)p;
	default:
		return *(const u64 *)(const void *)p;
	}
}

#endif
