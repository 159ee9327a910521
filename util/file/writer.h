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
	u32 attr_size; /* of each in the attrs section */
	u64 attrs_offset;
	u64 early_tracing; /* where the TRACING_DATA section stands already; 0: nowhere */
	bool swap; /* set by the caller after opening: headers and attrs go out in the foreign byte
		      order, and so is all that is handed over */
};

struct writer_attr {
	const struct perf_event_attr *attr;
	const u64 *ids;
	size_t nr_ids;
	const char *name;
	const u64 *more; /* words behind ATTR_SIZE; NULL without */
	size_t nr_more;
};

/** writer_attr_size - that of the largest of them: ATTR_SIZE unless one has more. */
u32 writer_attr_size(const struct writer_attr *attrs, size_t nr);
/** writer_attr_put - append the attr in @size bytes, native order. */
void writer_attr_put(struct strbuf *out, const struct writer_attr *a, u32 size);

/* A feature section, already encoded (file/feature.h). */
struct writer_feature {
	u32 bit;
	struct strbuf body; /* owned by the caller */
};

/**
 * file_writer_probe - would file_writer_open(@path) work? Changes nothing, so that a command can
 * fail before it starts its workload.
 */
int file_writer_probe(const char *path, struct err *err);
/**
 * file_writer_open - create @path (mode 0600; "-": standard output as a pipe stream), after
 * renaming an existing non-empty regular file or folder to <path>.old. A FIFO or socket at @path is
 * written as a pipe stream.
 */
int file_writer_open(struct file_writer *w, const char *path, struct err *err);
/** file_writer_start - write the header and the attrs (pipe: HEADER_ATTR and EVENT_UPDATE records).
 */
int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err);
/**
 * file_writer_start_early - the same, and in a file what can be said of the recording already. It
 * stands between the attrs and the data, where readers look for it if the file is never completed
 * (Documentation/format/perf.data.md); TRACING_DATA stays there and is not written again.
 */
int file_writer_start_early(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
			    const struct writer_feature *feats, size_t nr_feats, struct err *err);
/** file_writer_write - append records to the data section; short writes and EINTR are handled. */
int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err);
/** file_writer_writev - the same for several spans; @iov is consumed. */
int file_writer_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err);

/** file_writer_copy - append @len bytes of the file @fd from @offset on to the data section. */
int file_writer_copy(struct file_writer *w, int fd, u64 offset, u64 len, struct err *err);

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
/** file_writer_ids - file only, after file_writer_finish(): events have got further ids since
 * file_writer_start(). All of them are written anew, at the end. @attrs: as given there */
int file_writer_ids(struct file_writer *w, const struct writer_attr *attrs, struct err *err);
/** file_writer_close - close and free; the file stays. Return: 0, or the error of a late
 * write-back. */
int file_writer_close(struct file_writer *w, struct err *err);
/** file_writer_abort - close, free, and remove the regular file that was being written. Return: it
 * was removed. */
bool file_writer_abort(struct file_writer *w);

#endif
