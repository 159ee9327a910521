/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encoders of header features. Features that describe the machine are read from /proc and /sys, the
 * others are made from values. Documentation/format/perf.data.md describes the bodies.
 */
#ifndef PERF_FILE_FEATURE_H
#define PERF_FILE_FEATURE_H

#include "base/sysroot.h"
#include "file/env.h"
#include "file/writer.h"

/* From this version of /proc/schedstat on, domains have names. */
#define SCHEDSTAT_NAMES 17

/**
 * feature_host - append the body of a feature that describes this machine. Return: 0, or a negative
 * errno when the feature is to be left out.
 */
int feature_host(const struct sysroot *sr, enum header_feature bit, struct strbuf *out);

/** feature_string - append a body that is one string (VERSION). */
void feature_string(struct strbuf *out, const char *s);
/** feature_cmdline - append the body of CMDLINE: the path of the running binary and then argv. */
void feature_cmdline(struct strbuf *out, const char *exe, int argc, const char *const argv[]);
/** feature_event_desc - append the body of EVENT_DESC. */
void feature_event_desc(struct strbuf *out, const struct writer_attr *attrs, size_t nr);
/** feature_group_desc - append the body of GROUP_DESC. */
void feature_group_desc(struct strbuf *out, const struct env_group *groups, u32 nr);
/** feature_sample_time - append the body of SAMPLE_TIME. Times are in ns. */
void feature_sample_time(struct strbuf *out, u64 first, u64 last);
/** feature_clockid - append the body of CLOCKID, the resolution in ns. */
void feature_clockid(struct strbuf *out, u64 resolution);
/* The wall clock and another clock at the same moment, in ns. */
struct clock_pair {
	s32 clockid;
	u64 wall, clock;
};
/** feature_clock_data - append the body of CLOCK_DATA. */
void feature_clock_data(struct strbuf *out, const struct clock_pair *c);
/**
 * feature_compressed - append the body of COMPRESSED.
 * @mmap_len: the most bytes that a record expands to, at least COMPRESS_EXPANDED_MAX
 */
void feature_compressed(struct strbuf *out, u32 level, u32 ratio, u32 mmap_len);
/**
 * feature_cpu_domains - append the body of CPU_DOMAIN_INFO.
 * @version: of /proc/schedstat
 * @domains: sorted by CPU
 */
void feature_cpu_domains(struct strbuf *out, u32 version, const struct env_domain *domains,
			 size_t nr);
/**
 * feature_build_id - append one build-id record of BUILD_ID. A build-id of more than 20 bytes is
 * cut.
 */
void feature_build_id(struct strbuf *out, const struct env_build_id *id);

#endif
