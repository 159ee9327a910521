// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diag.h"

void diag_note(struct diag *d, enum diag_kind kind, u32 type, u64 at)
{
	struct diag_place *v = d->notes[kind];
	u8 i = d->nr_notes[kind];

	if (i == DIAG_NOTES && at >= v[--i].offset)
		return;
	for (; i && v[i - 1].offset > at; i--)
		v[i] = v[i - 1];
	v[i] = (struct diag_place){ at, type };
	d->nr_notes[kind] = (u8)MIN(d->nr_notes[kind] + 1, DIAG_NOTES);
}

void diag_record(struct diag *d, enum diag_kind kind, u32 type, u64 at)
{
	diag_add(d, kind, 1, at);
	diag_note(d, kind, type, at);
}

void diag_merge(struct diag *d, const struct diag *src)
{
	int i;

	for (i = 0; i < DIAG_MAX; i++) {
		enum diag_kind kind = (enum diag_kind)i;

		if (src->count[i])
			diag_add(d, kind, src->count[i], src->first[i]);
		for (u8 n = 0; n < src->nr_notes[i]; n++)
			diag_note(d, kind, src->notes[i][n].type, src->notes[i][n].offset);
	}
}

const char *diag_text(enum diag_kind kind)
{
	static const char *const texts[] = {
#define X(name, text) text,
		DIAG_KINDS(X)
#undef X
	};

	return kind < DIAG_MAX ? texts[kind] : "";
}

const char *diag_reason(enum diag_kind kind)
{
	static const char *const texts[DIAG_MAX] = {
		[DIAG_TRUNCATED] = "cut off at the end of the file",
		[DIAG_BAD_SIZE] = "impossible size",
		[DIAG_BAD_RECORD] = "could not be decoded",
		[DIAG_UNKNOWN_TYPE] = "unknown type, skipped",
		[DIAG_BAD_COMPRESSED] = "could not be expanded",
	};

	return kind < DIAG_MAX && texts[kind] ? texts[kind] : "";
}

bool diag_incomplete(const struct diag *d)
{
	return d->count[DIAG_TRUNCATED] || d->count[DIAG_BAD_SIZE] || d->count[DIAG_BAD_RECORD] ||
	       d->count[DIAG_BAD_FEATURE] || d->count[DIAG_BAD_COMPRESSED];
}
