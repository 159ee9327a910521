/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the session drivers over a file and looks at every byte they hand out. */
#ifndef TESTS_DRIVE_H
#define TESTS_DRIVE_H

#include "base/strbuf.h"
#include "pdata-build.h"
#include "session/session.h"

struct drive {
	u64 samples; /* delivered */
	u64 records; /* of the ordered drivers: SAMPLE records, however many samples each stands for
		      */
	u64 digest;  /* of all samples, whatever their order */
	u64 state, other;
	u64 disorder;       /* state and other records that came before an earlier one */
	u64 events;         /* calls of the events sink */
	struct strbuf text; /* of the ordered drivers */
};

/** session_open_bytes - session_open() of a recording that is in memory. */
int session_open_bytes(struct session *s, const void *data, size_t size, struct err *err);
/** session_open_built - open what was built; it has to open. */
void session_open_built(struct session *s, const struct pb *b);
/** session_is_clean - ends the test when the session counted any damage. */
void session_is_clean(const struct session *s);

/** record_there_and_back - turns a record to native order; ends the test when it would not be what
 * it was if it were turned back. */
void record_there_and_back(const struct wire_layout *l, struct pb *b);

/** drive_touch - digest of everything a sample points to. */
u64 drive_touch(const struct sample *s);
/** drive_touch_record - decode a record that is no sample, and read everything it holds. Return: a
 * digest, 0 when it is malformed. @l: as for rec_decode() */
u64 drive_touch_record(const struct wire_layout *l, const void *rec, size_t size);

/* Each opens nothing: @s is open. Return: what the driver returned. */
int drive_samples(struct session *s, struct drive *d, int workers, struct err *err);
int drive_ordered(struct session *s, struct drive *d, int workers, bool all, struct err *err);
/* The sequential form: the same text, from the caller's thread. */
int drive_sequential(struct session *s, struct drive *d, bool all, struct err *err);
void drive_release(struct drive *d);

/* How a file was read once. */
struct drive_once {
	u64 again;    /* everything began again */
	u64 complete; /* what only later records tell was asked for while samples were delivered */
	u64 states;   /* records that are no samples and were handed out */
};

/** drive_wants_future - tell whether the run asks at a sample of that time for later records. */
bool drive_wants_future(u64 time);
/**
 * drive_once - drive a file sequentially in two passes, and when it is read once. At each sample
 * the records that are no samples and not later are the same; ends the test when they are not, or
 * anything else differs. @once: filled in; may be NULL
 */
void drive_once(const char *path, struct drive_once *once);

/** drive_records - the SAMPLE records that a file gives when it is driven in order. */
u64 drive_records(const char *path);
/** drive_file - open, run samples and ordered, close; damaged files too. Return: samples delivered.
 */
u64 drive_file(const char *path, int workers);

#endif
