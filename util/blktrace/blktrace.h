/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of blktrace, DEVICE.blktrace.CPU, is a sequence of struct blk_io_trace of the kernel's
 * header linux/blktrace_api.h, in the byte order of the machine that wrote it. A stream of blktrace
 * has the same records of all CPUs and devices.
 */
#ifndef PERF_BLKTRACE_BLKTRACE_H
#define PERF_BLKTRACE_BLKTRACE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "block/event.h"

/* ---- records ---- */

enum blktrace_kind {
	BLKTRACE_EVENT,
	BLKTRACE_PROCESS, /* the name of a process */
	BLKTRACE_MESSAGE, /* of an I/O scheduler or of a user */
	BLKTRACE_OTHER    /* the time of day, and what this program does not know */
};

struct blktrace_record {
	enum blktrace_kind kind;
	struct block_event ev; /* of other kinds: time, CPU, device and process only */
	u32 sequence;
	const char *text; /* a name or a message, borrowed and not terminated */
	u32 text_len;
	u32 size; /* bytes of the record */
};

/**
 * blktrace_decode - read the record at @p.
 * Return: 1; 0 when @size bytes are not all of it; -EINVAL when it is no record.
 */
int blktrace_decode(const u8 *p, size_t size, struct blktrace_record *out);
/** blktrace_encode - append the record of an event in native byte order. Return: false: such an
 * event has none. */
bool blktrace_encode(const struct block_event *ev, u32 sequence, struct strbuf *out);
/** blktrace_encode_process - append the record that names a process, at the event's time. */
void blktrace_encode_process(const struct block_event *ev, struct strbuf *out);
/** blktrace_encode_clock - append the record that tells the time of day at the event's time. */
void blktrace_encode_clock(const struct block_event *ev, u64 time_of_day, struct strbuf *out);

/* ---- reading ---- */

/* A reader takes what is read. */
struct blktrace_reader {
	/* It gets events with the names of their processes, and messages, in the order of time; of
	 * a stream as far as that is known. */
	void (*record)(void *ctx, const struct blktrace_record *r);
	/* A file tells the name of a device; may be NULL. */
	void (*device)(void *ctx, u32 dev, const char *name);
	/* Something could not be read; the rest was. @sentence: what */
	void (*damage)(void *ctx, const char *sentence);
	void *ctx;
};

/**
 * blktrace_is - tell whether @path names files of blktrace: one of them, a folder with some, or
 * what stands before ".blktrace.0" in their names. "-", standard input, is looked into without
 * taking anything from it.
 */
bool blktrace_is(const char *path);
/** blktrace_read - read them. Return: 0, or a negative errno and a sentence. */
int blktrace_read(const char *path, const struct blktrace_reader *reader, struct err *err);

/* ---- writing ---- */

struct blktrace_writer;

/** blktrace_writer_new - prepare. blktrace_writer_free() frees it. */
struct blktrace_writer *blktrace_writer_new(void);
void blktrace_writer_free(struct blktrace_writer *w);
/** blktrace_writer_event - keep an event; events of each CPU come in the order of time. */
void blktrace_writer_event(struct blktrace_writer *w, const struct block_event *ev);

struct blktrace_names {
	/* Return the device of which @dev is a part, or @dev. */
	u32 (*disk)(void *ctx, u32 dev);
	/* Return what the device's files are called; it is borrowed. */
	const char *(*name)(void *ctx, u32 dev);
	void *ctx;
};

/**
 * blktrace_writer_finish - write the files into a folder, which is made.
 * @nr: set to the number of records
 * Return: 0, or a negative errno and a sentence.
 */
int blktrace_writer_finish(struct blktrace_writer *w, const char *dir,
			   const struct blktrace_names *names, u64 *nr, struct err *err);

#endif
