/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One output file: records go to it straight, or through a thread that compresses them; a scan
 * looks at them, and write-back follows. And where they come from: the rings (drain.c).
 */
#ifndef PERF_RECORDER_OUTPUT_H
#define PERF_RECORDER_OUTPUT_H

#include "file/compress-thread.h"
#include "file/write-back.h"
#include "kernel/ring.h"
#include "recorder/scan.h"
#include "recorder/scheduling.h"
#include "recordunwind/unwinding.h"

struct record_output {
	struct file_writer writer;
	struct compress_thread *compress_thread; /* owned; while data is written */
	struct unwinding *unwinding;             /* owned; of the current file, NULL: none */
	struct unwound unwound;                  /* of all files so far */
	struct write_back *write_back;           /* owned; behind the current file */
	struct scan *scan;                       /* owned; it sees what goes into a file */
	struct record_scan seen;                 /* of the current file */
	u64 comp_raw, comp_packed;               /* bytes that were compressed, and their result */
	bool count_handed;                       /* count what the compress thread gets, in: */
	struct own_share handed;
};

/** output_events - write whole records; @iov is consumed. Return: 0, or negative errno and a
 * sentence. */
int output_events(struct record_output *o, struct iovec *iov, int nr, struct err *err);
/** output_records - write records in memory, which may be none. */
int output_records(struct record_output *o, const struct strbuf *records, struct err *err);
/** output_mark - write a record that marks a point in the data: a header and nothing else. */
int output_mark(struct record_output *o, u32 type, struct err *err);
/** output_thread - start a thread that writes from now on. @level: 0: without compressing;
 * @limit: bytes that may wait for it */
int output_thread(struct record_output *o, int level, size_t limit, struct err *err);
/** output_settle - wait until all is written. Return: 0, or the first error. */
int output_settle(struct record_output *o, struct err *err);
/** output_ratio - return how many times smaller compressing has made the data; 0 before. */
double output_ratio(const struct record_output *o);
/** output_written - return the bytes in the data section of the current file. */
u64 output_written(const struct record_output *o);
/** output_drop - remove a file whose head could not be written. */
void output_drop(struct record_output *o);

/* --- rings ------------------------------------------------------------------- */

/* The destination of the records of rings. */
struct ring_sink {
	int (*write)(void *ctx, size_t ring, struct iovec *iov, int nr, struct err *err);
	void *ctx;
	const size_t *owner;           /* which thread empties each ring; NULL: the main thread */
	struct nearness *near;         /* go near each ring of the main thread; NULL: stay */
	struct write_back *write_back; /* told that files may have grown; NULL: nobody is */
};

/**
 * drain_rings - move what is in the rings of a thread to where it is written.
 * @thread: 0: the main thread
 * @least: bytes below which a ring is left for later; @left (may be NULL): one was
 * Return: 1 when there was any, 0, or negative errno.
 */
int drain_rings(struct rings *rings, const struct ring_sink *to, size_t thread, u64 least,
		bool *left, struct err *err);
/** drain_overwritten - append what rings hold that are overwritten, oldest first; they stand still
 * meanwhile. Return: 0, or negative errno and a sentence. */
int drain_overwritten(struct rings *rings, struct strbuf *out, struct err *err);

/* --- the copy of the kernel's code (kcore.c) ------------------------------------ */

/** kcore_probe - check whether /proc/kcore can be read. Return: 0 or negative errno. */
int kcore_probe(const struct sysroot *sr);
/** kcore_put - put the kernel's code, with its symbols and modules, into the folder @output. @last:
 * a descriptor of the folder of the last copy, -1: none; replaced */
int kcore_put(int *last, const struct sysroot *sr, const char *output, struct err *err);
/** kcore_release - close that. */
void kcore_release(int *last);

#endif
