/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written of the kernel's records that are no samples, as data, for both formats. */
#ifndef PERF_CONVERT_RECORDS_H
#define PERF_CONVERT_RECORDS_H

#include "wire/event.h"

enum convert_kind {
	CONVERT_NUMBER,
	CONVERT_TEXT,  /* a pointer to a string */
	CONVERT_BYTES, /* size bytes inside the struct */
	CONVERT_BLOB,  /* a pointer to as many bytes as the number at count says */
	CONVERT_WORDS, /* a pointer to count x width 64-bit words */
};

struct convert_member {
	const char *name;
	u8 kind; /* enum convert_kind */
	u8 size; /* of a number: 1, 2, 4, 8; BYTES: how many */
	u8 width;
	bool hex;
	bool more;     /* JSON alone has it */
	u16 at;        /* in union rec_any */
	u16 count;     /* where the number of bytes or words stands */
	u8 count_size; /* 0: they are width */
};

struct convert_record {
	u32 type;
	const char *name; /* "perf_comm" */
	const struct convert_member *members;
	size_t nr;
};

/** convert_records - the table; in it the first five are those that others write too. */
const struct convert_record *convert_records(size_t *nr);
/** convert_record - the row of a type of record, or NULL. */
const struct convert_record *convert_record(u32 type);

/** convert_member_value - a number of a decoded record. */
u64 convert_member_value(const struct convert_member *m, const union rec_any *rec);
/** convert_member_count - how many bytes or words a blob or words has. */
u64 convert_member_count(const struct convert_member *m, const union rec_any *rec);
/** convert_member_data - the bytes of what is no number. */
const void *convert_member_data(const struct convert_member *m, const union rec_any *rec);

#endif
