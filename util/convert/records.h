/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describe the contents of the kernel's records other than samples, as data for both formats. */
#ifndef PERF_CONVERT_RECORDS_H
#define PERF_CONVERT_RECORDS_H

#include "wire/event.h"

enum convert_kind {
	CONVERT_NUMBER,
	CONVERT_TEXT,  /* a pointer to a string */
	CONVERT_BYTES, /* size bytes inside the struct */
	CONVERT_BLOB,  /* a pointer to bytes, whose number is at count */
	CONVERT_WORDS, /* a pointer to count x width 64-bit words */
};

struct convert_member {
	const char *name;
	u8 kind; /* enum convert_kind */
	u8 size; /* size of a number: 1, 2, 4, 8; for BYTES, their number */
	u8 width;
	bool hex;
	bool more;     /* only in JSON */
	u16 at;        /* offset in union rec_any */
	u16 count;     /* offset of the number of bytes or words */
	u8 count_size; /* 0: there are width of them */
};

struct convert_record {
	u32 type;
	const char *name; /* "perf_comm" */
	const struct convert_member *members;
	size_t nr;
};

/**
 * convert_records - return the table. Its first five rows are those that other versions write as
 * well.
 */
const struct convert_record *convert_records(size_t *nr);
/** convert_record - return the row of a type of record, or NULL. */
const struct convert_record *convert_record(u32 type);

/** convert_member_value - return a number of a decoded record. */
u64 convert_member_value(const struct convert_member *m, const union rec_any *rec);
/** convert_member_count - return the number of bytes of a blob, or of words. */
u64 convert_member_count(const struct convert_member *m, const union rec_any *rec);
/** convert_member_data - return the bytes of a member that is not a number. */
const void *convert_member_data(const struct convert_member *m, const union rec_any *rec);

#endif
