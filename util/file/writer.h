/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a perf.data file or pipe. The header is written first, with a data size of 0, which
 * readers take for an unfinished file, and file_writer_finish() completes it.
 *
 *	file:  header | ids of all events | attrs, each with the section of its ids
 *	       | data | feature table | features
 *	pipe:  magic, 16 | records, the first of which stand for a file's header
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
	bool std_out;    /* fd is standard output, which must not be closed */
	char *path;      /* owned */
	u64 data_offset; /* where the data section starts */
	u64 data_size;   /* bytes of data written so far */
	size_t nr_attrs;
	u32 attr_size; /* size of each attr in the attrs section */
	u64 attrs_offset;
	u64 early_tracing; /* where the TRACING_DATA section was written already; 0: nowhere */
	bool swap; /* set by the caller after opening: headers and attrs are written in the foreign
		      byte order; all data that are passed on have that order already */
};

struct writer_attr {
	const struct perf_event_attr *attr;
	const u64 *ids;
	size_t nr_ids;
	const char *name;
	const u64 *more; /* the words after ATTR_SIZE, or NULL */
	size_t nr_more;
};

/**
 * writer_attr_size - return the size of the largest attr: ATTR_SIZE, unless one of them has more
 * words.
 */
u32 writer_attr_size(const struct writer_attr *attrs, size_t nr);
/** writer_attr_put - append the attr in native order, @size bytes. */
void writer_attr_put(struct strbuf *out, const struct writer_attr *a, u32 size);

/* An encoded feature section (file/feature.h). */
struct writer_feature {
	u32 bit;
	struct strbuf body; /* owned by the caller */
};

/**
 * file_writer_probe - check whether file_writer_open(@path) would work, without changing anything,
 * so that a command can fail before it starts its workload.
 */
int file_writer_probe(const char *path, struct err *err);
/**
 * file_writer_open - create @path with mode 0600, after keep_old(). "-" is standard output, which
 * is written as a pipe stream, and so is a FIFO or socket at @path.
 * Return: 0, or a negative errno and a sentence.
 */
int file_writer_open(struct file_writer *w, const char *path, struct err *err);
/**
 * file_writer_start - write the header and the attrs; to a pipe, HEADER_ATTR and EVENT_UPDATE
 * records.
 */
int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err);
/**
 * file_writer_start_early - do as file_writer_start() does, and write to a file the features that
 * are known already. They are between the attrs and the data, where readers look for them when the
 * file is never completed (Documentation/format/perf.data.md). TRACING_DATA stays there and is not
 * written again.
 */
int file_writer_start_early(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
			    const struct writer_feature *feats, size_t nr_feats, struct err *err);
/** file_writer_write - append records to the data section. Short writes and EINTR are handled. */
int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err);
/** file_writer_writev - write several spans as file_writer_write() does. @iov is modified. */
int file_writer_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err);

/**
 * file_writer_copy - append @len bytes of the file @fd, starting at @offset, to the data section.
 */
int file_writer_copy(struct file_writer *w, int fd, u64 offset, u64 len, struct err *err);

/** file_writer_event_records - append the records that describe events in a stream, in the byte
 * order of the output: attrs, then names. */
void file_writer_event_records(const struct file_writer *w, const struct writer_attr *attrs,
			       size_t nr, struct strbuf *out);
/**
 * file_writer_feature_records - write the features to a pipe: each as a HEADER_FEATURE record,
 * except that TRACING_DATA has a record of its own and BUILD_ID is left out, because build-ids are
 * separate records of a stream.
 */
int file_writer_feature_records(struct file_writer *w, const struct writer_feature *feats,
				size_t nr, struct err *err);
/**
 * file_writer_finish - write the feature sections of a file in the order of their bits and complete
 * the header.
 */
int file_writer_finish(struct file_writer *w, const struct writer_feature *feats, size_t nr,
		       struct err *err);
/**
 * file_writer_ids - write the ids of all events again, at the end of a file, because events got
 * more of them since file_writer_start(). It is called after file_writer_finish().
 * @attrs: the same array as at file_writer_start()
 */
int file_writer_ids(struct file_writer *w, const struct writer_attr *attrs, struct err *err);
/** file_writer_close - close and free; the file stays. Return: 0, or the error of a late write. */
int file_writer_close(struct file_writer *w, struct err *err);
/**
 * file_writer_abort - close, free, and remove the regular file that was being written. Return:
 * whether it was removed.
 */
bool file_writer_abort(struct file_writer *w);

#endif
