/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a perf.data file or pipe. The header is written first with data size 0 (a reader
 * takes such a file as unfinished) and completed by file_writer_finish().
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
	char *path;	   /* owned */
	u64 data_offset;   /* where the data section starts */
	u64 data_size;	   /* bytes of data written so far */
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
 * file_writer_open - create @path (mode 0600; "-": standard output as a pipe stream), after renaming an
 * existing non-empty regular file to <path>.old.
 */
int file_writer_open(struct file_writer *w, const char *path, struct err *err);
/** file_writer_start - write the header and the attrs (pipe: HEADER_ATTR and EVENT_UPDATE records). */
int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr, struct err *err);
/** file_writer_write - append records to the data section; short writes and EINTR are handled. */
int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err);
/** file_writer_writev - the same for several spans; @iov is consumed. */
int file_writer_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err);

/* A feature section, already encoded (file/feature.h). */
struct writer_feature {
	u32 bit;
	struct strbuf body; /* owned by the caller */
};
/** file_writer_finish - write the feature sections in bit order and complete the header. */
int file_writer_finish(struct file_writer *w, const struct writer_feature *feats, size_t nr, struct err *err);
/** file_writer_close - close and free; the file stays. */
void file_writer_close(struct file_writer *w);

#endif
