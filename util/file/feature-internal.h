/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the encoders of header features. */
#ifndef PERF_FILE_FEATURE_INTERNAL_H
#define PERF_FILE_FEATURE_INTERNAL_H

#include "base/int-list.h"
#include "file/feature.h"

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"
#define PMU_DIR "/sys/bus/event_source/devices"

void feature_u32(struct strbuf *out, u32 v);
void feature_u64(struct strbuf *out, u64 v);

/* Returns the first line of @dir/@file, or of @dir@nr/@file when @nr is not negative, without its
 * newline. The caller frees it. NULL when the file cannot be read. */
char *feature_line(const struct sysroot *sr, const char *dir, int nr, const char *file);
/* Returns the decimal number in such a file, or 0. */
u32 feature_num(const struct sysroot *sr, const char *dir, int nr, const char *file);

/* Appends the list "0-3,7" in @dir/@file to @out, up to the first fault. */
void feature_list(const struct sysroot *sr, const char *dir, const char *file,
		  struct int_list *out);

/* Each appends the body of one feature, or of one of a family of features. Return: 0, or a negative
 * errno when the feature is to be left out. */
int host_nrcpus(const struct sysroot *sr, struct strbuf *out);
int host_cpuinfo(const struct sysroot *sr, enum header_feature bit, struct strbuf *out);
int host_cpu_topology(const struct sysroot *sr, struct strbuf *out);
int host_caches(const struct sysroot *sr, struct strbuf *out);
int host_total_mem(const struct sysroot *sr, struct strbuf *out);
int host_numa(const struct sysroot *sr, struct strbuf *out);
int host_memory(const struct sysroot *sr, struct strbuf *out);
int host_pmus(const struct sysroot *sr, struct strbuf *out);
int host_cpu_pmu_caps(const struct sysroot *sr, struct strbuf *out);
int host_pmu_caps(const struct sysroot *sr, struct strbuf *out);
int host_hybrid(const struct sysroot *sr, struct strbuf *out);

#endif
