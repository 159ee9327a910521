// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diag.h"

void diag_merge(struct diag *d, const struct diag *src)
{
	int i;

	for (i = 0; i < DIAG_MAX; i++) {
		if (!src->count[i])
			continue;
		if (!d->count[i] || src->first[i] < d->first[i])
			d->first[i] = src->first[i];
		d->count[i] += src->count[i];
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
