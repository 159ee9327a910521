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
	u64 *ids; /* owned */
	size_t nr_ids;
	u64 *more; /* owned; words behind ATTR_SIZE, of which the last is not 0; NULL without */
	size_t nr_more;
	char *name; /* owned; from EVENT_DESC or EVENT_UPDATE, NULL when the file names none */
};

/* data.N of a recording that is a directory: records and nothing else. */
struct file_part {
	u8 *map; /* private; owned */
	size_t size;
	u64 base; /* what offsets of its records are counted from: all that comes before it */
};

struct perf_file {
	char *path; /* owned; "-" for standard input */
	int fd;
	bool pipe; /* no random access: use pipe_* below, features and attrs come as records */
	bool swap; /* written on a machine of the other byte order */
	u8 *map;   /* the whole file, private (swapping happens in place); NULL for a pipe */
	size_t size;
	struct file_section data; /* clipped to the file */
	struct file_attr *attrs;  /* owned */
	size_t nr_attrs, attrs_cap;
	struct file_part *parts; /* owned; directories only */
	size_t nr_parts;
	u64 features[4];           /* bitmap of 256 */
	struct file_section *feat; /* owned; by bit number, size 0 when absent */
	u8 **feat_data;    /* owned; pipes only: bodies of HEADER_FEATURE records by bit number */
	bool features_end; /* pipes only: the empty record behind the last feature was there */
	struct env env;    /* decoded features */
	int version;       /* 1: "PERFFILE", 2: "PERFILE2" */
	bool unfinished;   /* data size 0 in the header: the recorder never ended; data then reaches
			      to EOF */
	bool clipped;      /* the header promises more than the file has */
	bool keep_aux;     /* set by the caller: pipe_next() gives the bytes that follow AUXTRACE */
	struct pipe_reader *reader; /* private to the room; of a pipe, or of perf_file_walk() */
};

/**
 * perf_file_open - open @path ("-": standard input) and read everything but the data section.
 * Damaged features are counted in @diag and skipped. Refused only: not a perf.data file,
 * unreadable. Return: 0 and *@out (free with perf_file_close), or negative errno and a sentence.
 */
int perf_file_open(const char *path, bool force, struct perf_file **out, struct diag *diag,
		   struct err *err);
/** perf_file_of_stream - a file that stands for records which come from elsewhere: it has a name
 * and no bytes; attrs and features are added to it. Free with perf_file_close(). */
struct perf_file *perf_file_of_stream(const char *name);
/** perf_file_close - unmap and free; NULL is fine. */
void perf_file_close(struct perf_file *f);

/** perf_file_has_feature - the feature's bit is set (flags such as BRANCH_STACK have no body). */
bool perf_file_has_feature(const struct perf_file *f, u32 bit);
/** perf_file_feature - the raw body of a feature, in the file's byte order; borrowed, NULL when
 * absent or empty. */
const void *perf_file_feature(const struct perf_file *f, u32 bit, size_t *size);
/**
 * perf_file_add_feature - take the body of a HEADER_FEATURE record (copied) and decode it into env
 * and attrs. Return: 0, or -EINVAL when it could not be decoded.
 */
int perf_file_add_feature(struct perf_file *f, u32 bit, const void *body, size_t size);
/** perf_file_add_build_id - take a HEADER_BUILD_ID record (native order). Return: 0, -EINVAL. */
int perf_file_add_build_id(struct perf_file *f, const void *rec, size_t size);
/** perf_file_set_tracing - keep a copy of the payload of HEADER_TRACING_DATA in env. */
void perf_file_set_tracing(struct perf_file *f, const void *data, size_t size);
/** perf_file_add_attr - append an attr (HEADER_ATTR records); @ids are copied. */
struct file_attr *perf_file_add_attr(struct perf_file *f, const struct perf_event_attr *attr,
				     const u64_una *ids, size_t nr_ids);
/** file_attr_add_ids - append @nr ids, copied. */
void file_attr_add_ids(struct file_attr *a, const u64 *ids, size_t nr);
/** file_attr_more - keep a copy of what the attr has behind ATTR_SIZE. */
void file_attr_more(struct file_attr *a, const u64_una *words, size_t nr);

/* One record of a pipe. Borrowed until the next call. */
struct pipe_record {
	struct perf_event_header *rec; /* the record as it came: still in the file's byte order */
	u32 type;                      /* native */
	u16 misc, size;                /* native */
	u64 offset;                    /* in the stream */
	void *payload;                 /* what followed HEADER_TRACING_DATA; NULL without */
	size_t payload_size; /* of AUXTRACE too, whose bytes are skipped (keep_aux: kept) */
};

/**
 * pipe_next - the next whole record of a pipe.
 * What is damaged is stepped over, as in a file, and counted in @diag; so is a record that the end
 * of the stream cuts off. Return: 1, 0 at the end, negative errno when reading fails.
 */
int pipe_next(struct perf_file *f, struct pipe_record *out, struct diag *diag, struct err *err);
/** perf_file_walk - have pipe_next() hand out the records of a mapped file, one after the other.
 * @part: 0: its data section; n: its n-th part. Return: false when there is no such part. */
bool perf_file_walk(struct perf_file *f, size_t part);
/** pipe_buffered - the bytes at hand that pipe_next() would look at next, for who needs no more
 * than headers. Borrowed until the next call. */
const u8 *pipe_buffered(const struct perf_file *f, size_t *len);
/** pipe_skip - the first @n of them, which were whole records, are done with. @last: from the start
 * to the last of those. */
void pipe_skip(struct perf_file *f, size_t n, size_t last);

#endif
