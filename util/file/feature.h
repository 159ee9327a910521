/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encoding of header features: those that describe the machine are read from /proc and /sys,
 * the others are made from values. Bodies as in Documentation/format/perf.data.md.
 */
#ifndef PERF_FILE_FEATURE_H
#define PERF_FILE_FEATURE_H

#include "base/sysroot.h"
#include "file/env.h"
#include "file/writer.h"

/** feature_host - append the body of a feature that describes this machine. Return: 0, negative
 * errno: leave it out. */
int feature_host(const struct sysroot *sr, enum header_feature bit, struct strbuf *out);

/** feature_string - a string body (VERSION). */
void feature_string(struct strbuf *out, const char *s);
/** feature_cmdline - CMDLINE: the path of the running binary, then argv. */
void feature_cmdline(struct strbuf *out, const char *exe, int argc, const char *const argv[]);
/** feature_event_desc - EVENT_DESC. */
void feature_event_desc(struct strbuf *out, const struct writer_attr *attrs, size_t nr);
/** feature_group_desc - GROUP_DESC. */
void feature_group_desc(struct strbuf *out, const struct env_group *groups, u32 nr);
/** feature_sample_time - SAMPLE_TIME. */
void feature_sample_time(struct strbuf *out, u64 first, u64 last);
/** feature_clockid - CLOCKID: the resolution in ns. */
void feature_clockid(struct strbuf *out, u64 resolution);
/* The time of day and that of another clock at the same moment, in ns. */
struct clock_pair {
	s32 clockid;
	u64 wall, clock;
};
/** feature_clock_data - CLOCK_DATA. */
void feature_clock_data(struct strbuf *out, const struct clock_pair *c);
/** feature_compressed - COMPRESSED. @mmap_len: a record expands to at most so many bytes;
 * COMPRESS_EXPANDED_MAX when it is less. */
void feature_compressed(struct strbuf *out, u32 level, u32 ratio, u32 mmap_len);
/** feature_build_id - one build-id record of BUILD_ID. @id->size above 20 is cut. */
void feature_build_id(struct strbuf *out, const struct env_build_id *id);

#endif
