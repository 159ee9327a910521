/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These classes of events, which both the metadata and the bytes follow, are private to the
 * room. */
#ifndef PERF_CONVERT_CTF_INTERNAL_H
#define PERF_CONVERT_CTF_INTERNAL_H

#include "convert/ctf.h"
#include "convert/fields.h"
#include "convert/records.h"

enum ctf_type {
	CTF_INTEGER,
	CTF_STRING,
	CTF_ARRAY,    /* count integers */
	CTF_SEQUENCE, /* a u32 with the number of integers, and those */
	CTF_BRANCHES, /* a sequence of branches: from, to, flags */
};

enum ctf_source {
	CTF_FROM_NUMBER, /* .number */
	CTF_FROM_READ,
	CTF_FROM_CHAIN,
	CTF_FROM_BRANCHES,
	CTF_FROM_USER_REGS,
	CTF_FROM_USER_STACK,
	CTF_FROM_INTR_REGS,
	CTF_FROM_AUX,
	CTF_FROM_RAW,     /* the data of a tracepoint, in words of 32 bits */
	CTF_FROM_PAYLOAD, /* a field of a tracepoint, .field */
	CTF_FROM_MEMBER,  /* a member of a record, .member */
	CTF_FROM_VALUE,   /* a struct ctf_value at the place that the field has in its class */
};

struct ctf_field {
	char *name; /* owned; an identifier that differs from those of earlier fields */
	char *len;  /* owned; for a sequence, the name of the length that precedes it */
	u8 type;    /* enum ctf_type */
	u8 source;  /* enum ctf_source */
	u8 size;    /* bytes of an integer: 1, 2, 4 or 8 */
	bool hex, sign;
	u32 count;
	union {
		const struct convert_field *number;
		const struct tf_field *field;
		const struct convert_member *member;
	};
};

struct ctf_class {
	char *name; /* owned */
	const struct tf_event *tf;
	struct ctf_field *fields; /* owned */
	size_t nr, cap;
	size_t bytes; /* total size of its arrays */
};

struct ctf_shape {
	struct ctf_class *classes; /* owned; the index is the id */
	size_t nr, cap;
	u32 *of_event; /* owned; by evsel idx */
	size_t nr_events, cap_events;
	u32 of_type[PERF_RECORD_KERNEL_MAX]; /* by record type; 0 or the id + 1 */
};

/** ctf_put_text - append a zero-terminated string that CTF readers can show. */
void ctf_put_text(struct strbuf *out, const char *s, size_t len);

#endif
