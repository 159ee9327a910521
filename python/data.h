/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a recording or of a live session, with their places looked up. */
#ifndef PERF_PYTHON_DATA_H
#define PERF_PYTHON_DATA_H

#include "base/intern.h"
#include "base/name-list.h"
#include "recording/recording.h"
#include "script/view.h"

/* A place in the code. Strings are borrowed from the recording. */
struct data_frame {
	u64 ip, symoff;
	const char *symbol, *object; /* NULL: unknown */
};

struct data_sample {
	unsigned long long time, ip, addr, period;
	int pid, tid, cpu, event; /* event: index in the list of events */
	const char *comm;         /* borrowed from the recording */
	struct data_frame place;
	const char *file; /* source; borrowed from the reader; NULL: unknown, or not wanted */
	u32 line;
	size_t first_frame, nr_frames; /* of its call chain */
	size_t raw_at, raw_size;       /* bytes of a tracepoint */
};

/* A record that is no sample. */
struct data_other {
	size_t at; /* where its bytes are */
	u32 event; /* index of the event that it came with */
};

/* This holds what was read, and owns it. */
struct data_samples {
	struct data_sample *v;
	size_t nr, cap;
	struct data_frame *frames;
	size_t nr_frames, cap_frames;
	struct strbuf raw;
	struct data_other *others; /* when they were wanted */
	size_t nr_others, cap_others;
	struct strbuf other_bytes;
	/* Samples and other records in the order of time, when others were wanted: the number of a
	 * sample, or of another record plus DATA_OTHER. */
	size_t *order, nr_order, cap_order;
};
#define DATA_OTHER ((size_t)1 << (sizeof(size_t) * 8 - 1))

/* How a recording is read. It starts zeroed but for the members that say what is wanted. */
struct data_reader {
	struct recording *r;          /* borrowed */
	const struct tracefmt *tf;    /* borrowed; NULL: those of the recording */
	const struct name_list *only; /* borrowed; the events that are wanted; not set: all */
	/* Tells whether records of a type that are no samples are wanted, too. NULL: none are. */
	bool (*others)(u32 type);
	bool lines; /* source lines are looked up */
	/* Called now and then; not 0: reading ends with that code. May be NULL. */
	int (*pause)(void *ctx);
	void *ctx;
	struct data_samples out; /* owned */
	u64 lost;                /* samples that there was no room for */
	/* private */
	struct view view;
	bool viewing;
	struct intern files;
	bool *takes; /* owned; whether an event is wanted, by its index */
	size_t since_pause;
};

/**
 * data_read - read all in the order of time.
 * Return: 0, or negative and a sentence.
 */
int data_read(struct data_reader *rd, struct err *err);
/** data_check_names - check, after reading, that there are events of all names that were wanted.
 * Return: 0, or -ENOENT and a sentence. */
int data_check_names(const struct data_reader *rd, struct err *err);
/** data_reader_release - free what was made to read. */
void data_reader_release(struct data_reader *rd);
/** data_samples_release - free what was read. */
void data_samples_release(struct data_samples *d);

#endif
