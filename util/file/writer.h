/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a perf.data file or pipe. The header is written first with data size 0 (a reader
 * takes such a file as unfinished) and completed by file_writer_finish().
 *
 *	file:  header | ids of all events | attrs, each with the section of its ids | data | feature
 *table | features pipe:  magic, 16 | records, the first ones saying what a file says in its header
 *
 * Layout: Documentation/format/perf.data.md.
 */
#ifndef PERF_FILE_WRITER_H
#define PERF_FILE_WRITER_H

#include "base/err.h"
#include "base/strbuf.h"
#include "file/env.h"
#include "wire/event.h"

#include <sys/uio.h>

struct file_writer {
	int fd;
	bool pipe;
	bool std_out;    /* fd is standard output and not ours to close */
	char *path;      /* owned */
	u64 data_offset; /* where the data section starts */
	u64 data_size;   /* bytes of data written so far */
	size_t nr_attrs;
	u64 attrs_offset;
};

struct writer_attr {
	const struct perf_event_attr *attr;
	const u64 *ids;
	size_t nr_ids;
	const char *name;
};

/**
 * file_writer_probe - would file_writer_open(@path) work? Changes nothing, so that a command can
 * fail before it starts its workload.
 */
int file_writer_probe(const char *path, struct err *err);
/**
 * file_writer_open - create @path (mode 0600; "-": standard output as a pipe stream), after
 * renaming an existing non-empty regular file to <path>.old. A FIFO or socket at @path is written
 * as a pipe stream.
 */
int file_writer_open(struct file_writer *w, const char *path, struct err *err);
/** file_writer_start - write the header and the attrs (pipe: HEADER_ATTR and EVENT_UPDATE records).
 */
int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err);
/** file_writer_write - append records to the data section; short writes and EINTR are handled. */
int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err);
/** file_writer_writev - the same for several spans; @iov is consumed. */
int file_writer_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err);

/* A feature section, already encoded (file/feature.h). */
struct writer_feature {
	u32 bit;
	struct strbuf body; /* owned by the caller */
};
/**
 * file_writer_feature_records - pipe only: each feature as a HEADER_FEATURE record, TRACING_DATA as
 * its own record; BUILD_ID is left out (the build-id records of a stream stand by themselves).
 */
int file_writer_feature_records(struct file_writer *w, const struct writer_feature *feats,
				size_t nr, struct err *err);
/** file_writer_finish - file only: write the feature sections in bit order and complete the header.
 */
int file_writer_finish(struct file_writer *w, const struct writer_feature *feats, size_t nr,
		       struct err *err);
/** file_writer_close - close and free; the file stays. Return: 0, or the error of a late
 * write-back. */
int file_writer_close(struct file_writer *w, struct err *err);

#endif
