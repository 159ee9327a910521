/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds perf.data bytes for tests, field by field, in either byte order. Written apart from
 * the code under test: it shares no function with util/wire.
 */
#ifndef TESTS_PDATA_BUILD_H
#define TESTS_PDATA_BUILD_H

#include "base/compat.h"
#include "base/strbuf.h"

#include <linux/perf_event.h>

#define PB_MAX_ATTRS 8
#define PB_MAX_FEATURES 64

struct pb {
	struct strbuf out; /* what has been built */
	bool swap;         /* write in the order this machine does not use */
	/* These are for a file: */
	bool pipe;
	size_t data_start, data_size_at;
	u64 features; /* bits 0-63 */
	struct strbuf body[PB_MAX_FEATURES];
};

void pb_init(struct pb *b, bool swap);
void pb_release(struct pb *b);

/* Fields. */
void pb_u8(struct pb *b, u8 v);
void pb_u16(struct pb *b, u16 v);
void pb_u32(struct pb *b, u32 v);
void pb_u64(struct pb *b, u64 v);
void pb_bytes(struct pb *b, const void *p, size_t n);
/** pb_str - zero-terminated, zeros up to 8 bytes. */
void pb_str(struct pb *b, const char *s);
/** pb_attr - @size bytes of the attr, its size field included; zeros above the struct's size. */
void pb_attr(struct pb *b, const struct perf_event_attr *attr, u32 size);

/** pb_begin - a record's header. Return: what pb_end() wants. */
size_t pb_begin(struct pb *b, u32 type, u16 misc);
/** pb_end - set the record's size. */
void pb_end(struct pb *b, size_t at);

/** pb_rename - an EVENT_UPDATE that gives the event with this id another name. */
void pb_rename(struct pb *b, u64 id, const char *name);

/* Values of a trailer, or of the fixed fields of a sample. */
struct pb_id {
	u32 pid, tid;
	u64 time, id, stream_id;
	u32 cpu;
};
/** pb_trailer - the sample_id fields that @sample_type asks for. */
void pb_trailer(struct pb *b, u64 sample_type, const struct pb_id *id);

/* Records, with a trailer when @sample_type is not 0. */
void pb_comm(struct pb *b, u32 pid, u32 tid, const char *comm, u64 sample_type,
	     const struct pb_id *id);
void pb_mmap2(struct pb *b, u32 pid, u64 start, u64 len, const char *name, u64 sample_type,
	      const struct pb_id *id);
void pb_task(struct pb *b, u32 type, u32 pid, u32 ppid, u64 time, u64 sample_type,
	     const struct pb_id *id);
void pb_round(struct pb *b);
/** pb_sample - the fixed fields of @sample_type only. */
void pb_sample(struct pb *b, u64 sample_type, u64 ip, const struct pb_id *id, u64 period);

struct pb_event {
	struct perf_event_attr attr;
	u32 attr_size; /* in the file; 0: the struct's */
	u64 ids[4];
	u32 nr_ids;
	const char *name; /* for EVENT_DESC (files) and EVENT_UPDATE (pipes); NULL: none */
};

/** pb_file - header, attrs, ids; the data section begins. @version: 1 or 2. All attrs have one
 * size. */
void pb_file(struct pb *b, int version, const struct pb_event *events, size_t nr);
/** pb_pipe - the pipe header and HEADER_ATTR records. */
void pb_pipe(struct pb *b, const struct pb_event *events, size_t nr);
/** pb_start - an empty builder, then one of the two. */
void pb_start(struct pb *b, bool swap, bool pipe, const struct pb_event *events, size_t nr);
#define PB_TWO_SAMPLE_TYPE                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)
/** pb_start_two - a file or a stream of two software events, of ids 7 and 8 and these names, and of
 * two processes: pid 10 with a thread 11 that is called "first", and pid 21, "second". */
void pb_start_two(struct pb *b, u64 sample_type, bool pipe, const char *one, const char *two);
/** pb_feature - build the body of a feature into a builder of its own and hand it over: files get
 * it at the end. */
void pb_feature(struct pb *b, u32 bit, const struct pb *body);
/** pb_feature_str - a feature that is one string. */
void pb_feature_str(struct pb *b, u32 bit, const char *s);
/** pb_string - a length-prefixed string, as features have them. */
void pb_string(struct pb *b, const char *s);
/** pb_event_desc - the EVENT_DESC feature of @events. */
void pb_event_desc(struct pb *b, const struct pb_event *events, size_t nr);
/** pb_finish - complete the header, append the features. */
void pb_finish(struct pb *b);
/** pb_save - write what was built to a new memory file. Return: its path, valid until
 * pb_unsave(@fd). */
const char *pb_save(const void *data, size_t len, int *fd, char path[64]);
void pb_unsave(int fd);

#endif
