/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records about what was there before recording began, made from /proc and /sys: threads, their
 * maps, the kernel and its modules. All carry an empty sample_id trailer (time 0).
 */
#ifndef PERF_KERNEL_SYNTH_H
#define PERF_KERNEL_SYNTH_H

#include "base/err.h"
#include "base/sysroot.h"
#include "kernel/open.h"
#include "wire/encode.h"

struct synth {
	const struct sysroot *sysroot;    /* borrowed */
	const struct wire_layout *layout; /* of the side-band event; borrowed */
	bool mmap_data;                   /* data maps too (-d) */
	bool namespaces;                  /* a NAMESPACES record per thread */
	struct strbuf *out;               /* records are appended here; borrowed */
};

/** synth_kernel - the kernel's text ("[kernel.kallsyms]_text") and the modules. Nothing when
 * addresses are hidden. */
void synth_kernel(struct synth *s);
/** synth_process - fork and comm of all threads of @pid, and its maps. */
void synth_process(struct synth *s, int pid);
/** synth_threads - comm of each thread, and the maps of their processes, each once. */
void synth_threads(struct synth *s, const struct int_list *tids);
/** synth_comm - a comm by itself. */
void synth_comm(struct synth *s, int pid, const char *comm);
/** synth_all - every process there is. Return: 0, negative errno when /proc cannot be read. */
int synth_all(struct synth *s);

/** synth_cgroups - a CGROUP record for each control group of version 2 there is. */
void synth_cgroups(struct synth *s);

/** synth_id_index - ID_INDEX records for all descriptors. */
void synth_id_index(struct strbuf *out, const struct kevents *k);
/** synth_thread_map - a THREAD_MAP record; an empty list stands for all threads. */
void synth_thread_map(struct strbuf *out, const struct int_list *tids);
/** synth_cpu_map - a CPU_MAP record. */
void synth_cpu_map(struct strbuf *out, const struct int_list *cpus);

/* A line of /proc/PID/maps. */
struct maps_line {
	u64 start, end, pgoff, ino;
	u32 prot, flags, maj, min;
	const char *name; /* borrowed from the line, "" for anonymous memory */
};
/** maps_parse - take one line apart (without newline, is changed). Return: 0 or -EINVAL. */
int maps_parse(char *line, struct maps_line *m);

#endif
