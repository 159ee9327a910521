/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the session drivers over a file and looks at every byte they hand out. */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "base/strbuf.h"
#include "session/session.h"

struct drive {
	u64 samples; /* delivered */
	u64 digest;  /* of all samples, whatever their order */
	u64 state, other;
	u64 disorder;       /* state and other records that came before an earlier one */
	u64 events;         /* calls of the events sink */
	struct strbuf text; /* of the ordered drivers */
};

/** drive_touch - digest of everything a sample points to. */
u64 drive_touch(const struct sample *s);

/* Each opens nothing: @s is open. Return: what the driver returned. */
int drive_samples(struct session *s, struct drive *d, int workers, struct err *err);
int drive_ordered(struct session *s, struct drive *d, int workers, bool all, struct err *err);
/* The sequential form: the same text, from the caller's thread. */
int drive_sequential(struct session *s, struct drive *d, bool all, struct err *err);
void drive_release(struct drive *d);

/** drive_file - open, run samples and ordered, close; damaged files too. Return: samples delivered.
 */
u64 drive_file(const char *path, int workers);

#endif
