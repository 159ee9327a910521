/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of samples that are one number each, as data: both formats write them from this
 * table. The other ones (call chain, payload, registers...) each format does in its own way.
 */
#ifndef PERF_CONVERT_FIELDS_H
#define PERF_CONVERT_FIELDS_H

#include "wire/event.h"

struct convert_field {
	u64 bits;         /* any of these in sample_type: recorded */
	const char *ctf;  /* name of the field in CTF; NULL: not there */
	const char *json; /* key in JSON; NULL: written elsewhere */
	u8 size;          /* bytes in struct sample and in CTF */
	bool hex, sign;   /* how it is shown */
	u16 at;           /* in struct sample */
};

/** convert_fields - the table, in the order fields are written in. */
const struct convert_field *convert_fields(size_t *nr);

/** convert_number - the number of @size bytes @at so many in a sample. */
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
