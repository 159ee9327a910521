/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data container opened for reading: header, sections, features. Knows nothing
 * of what records mean. Seekable files are mapped; pipes are read in order.
 *
 * Format: Documentation/format/perf.data.md.
 */
#ifndef PERF_FILE_READER_H
#define PERF_FILE_READER_H

#include "base/diag.h"
#include "file/env.h"
#include "wire/event.h"

struct file_section {
	u64 offset, size;
};

struct file_attr {
	struct perf_event_attr attr;
	u64 *ids;	/* owned */
	size_t nr_ids;
	char *name;	/* owned; from EVENT_DESC or EVENT_UPDATE, NULL when the file names none */
};

struct perf_file {
	char *path;		/* owned; "-" for standard input */
	int fd;
	bool pipe;		/* no random access: use pipe_* below, features and attrs come as records */
	bool swap;		/* written on a machine of the other byte order */
	u8 *map;		/* the whole file, private (swapping happens in place); NULL for a pipe */
	size_t size;
	struct file_section data;	/* clipped to the file */
	struct file_attr *attrs;	/* owned */
	size_t nr_attrs;
	u64 features[4];		/* bitmap of 256 */
	struct file_section *feat;	/* owned; by bit number, size 0 when absent */
	struct env env;			/* decoded features */
	bool unfinished;		/* data size 0 in the header: the recorder never ended; data then reaches to EOF */
};

/**
 * perf_file_open - open @path ("-": standard input) and read everything but the data section.
 * Damaged features are counted in @diag and skipped. Refused only: not a perf.data file, unreadable.
 * Return: 0 and *@out (free with perf_file_close), or negative errno and a sentence.
 */
int perf_file_open(const char *path, bool force, struct perf_file **out, struct diag *diag, struct err *err);
/** perf_file_close - unmap and free; NULL is fine. */
void perf_file_close(struct perf_file *f);

/**
 * pipe_next - the next whole record of a pipe, in native header order (body not yet swapped).
 * Payloads that follow HEADER_TRACING_DATA and AUXTRACE are consumed too: *@payload (borrowed, NULL without).
 * Return: 1 with *@rec borrowed until the next call, 0 at the end, negative errno.
 */
int pipe_next(struct perf_file *f, struct perf_event_header **rec, void **payload, size_t *payload_size, struct diag *diag, struct err *err);

#endif
