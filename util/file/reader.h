/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A perf.data container that is open for reading: header, sections and features. This room does not
 * know the meaning of records. Seekable files are mapped, pipes are read in order.
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
	u64 *ids; /* owned */
	size_t nr_ids;
	u64 *more; /* owned; the words after ATTR_SIZE, the last of which is not 0; or NULL */
	size_t nr_more;
	char *name; /* owned; from EVENT_DESC or EVENT_UPDATE; NULL when the file has no name for it
		     */
};

/* A file data.N of a recording that is a directory. It contains only records. */
struct file_part {
	u8 *map; /* private; owned */
	size_t size;
	u64 base; /* added to offsets of its records: the size of all data before it */
};

struct perf_file {
	char *path; /* owned; "-" for standard input */
	int fd;
	bool pipe; /* no random access: use pipe_* below; features and attrs are records */
	bool swap; /* written on a machine of the other byte order */
	u8 *map;   /* the whole file, a private mapping; NULL for a pipe */
	size_t size;
	struct file_section data; /* clipped to the file */
	struct file_attr *attrs;  /* owned */
	size_t nr_attrs, attrs_cap;
	struct file_part *parts; /* owned; directories only */
	size_t nr_parts;
	u64 features[4];           /* bitmap of 256 bits */
	struct file_section *feat; /* owned; by bit number; size 0 when absent */
	u8 **feat_data;    /* owned; pipes only: bodies of HEADER_FEATURE records by bit number */
	bool features_end; /* pipes only: the empty record after the last feature was read */
	struct env env;    /* decoded features */
	int version;       /* 1: "PERFFILE", 2: "PERFILE2" */
	bool unfinished; /* the data size in the header is 0, because the recorder never ended; data
			    then extends to the end of the file */
	bool clipped;    /* the header announces more than the file contains */
	bool keep_aux; /* set by the caller: pipe_next() returns the data after AUXTRACE records */
	struct pipe_reader *reader; /* private to the room; for a pipe or for perf_file_walk() */
};

/**
 * perf_file_open - open @path ("-": standard input) and read everything except the data section.
 * Damaged features are counted in @diag and skipped. Only a file that is not a perf.data file or
 * cannot be read is refused.
 * Return: 0 and *@out, which perf_file_close() frees, or a negative errno and a sentence.
 */
int perf_file_open(const char *path, bool force, struct perf_file **out, struct diag *diag,
		   struct err *err);
/**
 * perf_file_of_stream - return a file that stands for records from another source. It has a name
 * but no bytes; attrs and features are added to it. perf_file_close() frees it.
 */
struct perf_file *perf_file_of_stream(const char *name);
/** perf_file_close - unmap and free the file, which may be NULL. */
void perf_file_close(struct perf_file *f);

/**
 * perf_file_has_feature - tell whether the feature's bit is set. Flags such as BRANCH_STACK have no
 * body.
 */
bool perf_file_has_feature(const struct perf_file *f, u32 bit);
/**
 * perf_file_feature - return the undecoded body of a feature, in the file's byte order. The file
 * owns it. NULL when it is absent or empty.
 */
const void *perf_file_feature(const struct perf_file *f, u32 bit, size_t *size);
/**
 * perf_file_add_feature - copy the body of a HEADER_FEATURE record and decode it into env and
 * attrs. Return: 0, or -EINVAL when it cannot be decoded.
 */
int perf_file_add_feature(struct perf_file *f, u32 bit, const void *body, size_t size);
/**
 * perf_file_add_build_id - add the build-id of a HEADER_BUILD_ID record in native order. Return: 0
 * or -EINVAL.
 */
int perf_file_add_build_id(struct perf_file *f, const void *rec, size_t size);
/** perf_file_set_tracing - store a copy of the data after a HEADER_TRACING_DATA record in env. */
void perf_file_set_tracing(struct perf_file *f, const void *data, size_t size);
/** perf_file_add_attr - append the attr of a HEADER_ATTR record. @ids are copied. */
struct file_attr *perf_file_add_attr(struct perf_file *f, const struct perf_event_attr *attr,
				     const u64_una *ids, size_t nr_ids);
/** file_attr_add_ids - append copies of @nr ids. */
void file_attr_add_ids(struct file_attr *a, const u64 *ids, size_t nr);
/** file_attr_more - store a copy of the words after ATTR_SIZE. */
void file_attr_more(struct file_attr *a, const u64_una *words, size_t nr);

/* One record of a pipe. It is valid until the next call. */
struct pipe_record {
	struct perf_event_header *rec; /* the record as it was read, in the file's byte order */
	u32 type;                      /* native */
	u16 misc, size;                /* native */
	u64 offset;                    /* in the stream */
	void *payload;                 /* the data after HEADER_TRACING_DATA, or NULL */
	size_t payload_size; /* also of AUXTRACE data, which are skipped unless keep_aux is set */
};

/**
 * pipe_next - read the next complete record of a pipe. Damaged bytes are skipped, as in a file, and
 * counted in @diag, and so is a record that the end of the stream cuts off.
 * Return: 1, 0 at the end, or a negative errno when reading fails.
 */
int pipe_next(struct perf_file *f, struct pipe_record *out, struct diag *diag, struct err *err);
/**
 * perf_file_walk - make pipe_next() return the records of a mapped file one after the other.
 * @part: 0: the data section; n: the n-th part
 * Return: false when there is no such part.
 */
bool perf_file_walk(struct perf_file *f, size_t part);
/**
 * pipe_ahead - look at a record of a pipe without taking it, as far as the buffer has room for all
 * that is before it. This waits for data.
 * @at: bytes behind the record that pipe_next() has returned last
 * Return: a whole record in the byte order of the pipe, borrowed until the next call of a function
 * of pipes; NULL: it is not there, or too far away.
 */
const struct perf_event_header *pipe_ahead(struct perf_file *f, size_t at);
/**
 * pipe_buffered - return the buffered bytes that pipe_next() would read next, for readers that need
 * only headers. They are valid until the next call.
 */
const u8 *pipe_buffered(const struct perf_file *f, size_t *len);
/**
 * pipe_skip - skip the first @n buffered bytes, which are complete records. @last: offset of the
 * last of these records
 */
void pipe_skip(struct perf_file *f, size_t n, size_t last);

#endif
