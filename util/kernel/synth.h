/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records about what was there before recording began, made from /proc and /sys: threads, their
 * maps, the kernel and its modules. All carry an empty sample_id trailer (time 0).
 */
#ifndef PERF_KERNEL_SYNTH_H
#define PERF_KERNEL_SYNTH_H

#include "base/err.h"
#include "base/sysroot.h"
#include "kernel/maps.h"
#include "kernel/open.h"
#include "wire/encode.h"

enum synth_what {
	SYNTH_TASKS = 1 << 0,
	SYNTH_MAPS = 1 << 1, /* of processes; the kernel's are there in any case */
	SYNTH_CGROUPS = 1 << 2,
	SYNTH_ALL = SYNTH_TASKS | SYNTH_MAPS | SYNTH_CGROUPS
};

/**
 * What finds the build-id of the object that @pid has mapped as @filename, (u32)-1 being the
 * kernel. May be called by several threads at once. Return: bytes, 0 or negative when there is none
 * or it is not to be in the record.
 */
typedef int (*synth_build_id_fn)(void *ctx, u32 pid, const char *filename, u8 id[20]);

struct synth {
	const struct sysroot *sysroot;    /* borrowed */
	const struct wire_layout *layout; /* of the side-band event; borrowed */
	bool mmap_data;                   /* data maps too (-d) */
	bool namespaces;                  /* a NAMESPACES record per thread */
	bool no_maps;                     /* tasks only */
	synth_build_id_fn build_id;       /* NULL: none in records of maps */
	void *build_id_ctx;
	u64 map_limit_ns;                 /* for the maps of one process; 0: none */
	void (*slow)(void *ctx, int pid); /* that was not enough; any thread; may be NULL */
	void *slow_ctx;
	int workers;                    /* threads for synth_all(); 0: as there are CPUs */
	const struct maps_reader *maps; /* NULL: made when needed; borrowed */
	struct strbuf *out;             /* records are appended here; borrowed */
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
/** synth_all - every process there is, by several threads; in the order of /proc. What ends
 * meanwhile is left out. Return: 0, negative errno when /proc cannot be read. */
int synth_all(struct synth *s);

/** synth_cgroups - a CGROUP record for each control group of version 2 there is. */
void synth_cgroups(struct synth *s);

/**
 * synth_time_conv - a TIME_CONV record: how time stamps follow from the processor's counter.
 * @pc: the first page of a ring; nothing is appended when the kernel does not tell there
 */
void synth_time_conv(struct strbuf *out, const struct perf_event_mmap_page *pc);
/** synth_id_index - ID_INDEX records for all descriptors. */
void synth_id_index(struct strbuf *out, const struct kevents *k);
/**
 * synth_thread_map - a THREAD_MAP record; an empty list stands for all threads.
 * @names: of each thread; NULL: it does not matter
 */
void synth_thread_map(struct strbuf *out, const struct int_list *tids, const char *const *names);
/** synth_cpu_map - a CPU_MAP record. */
void synth_cpu_map(struct strbuf *out, const struct int_list *cpus);

/** synth_event_update - EVENT_UPDATE records: units, scales and CPUs of events that have such. */
void synth_event_update(struct strbuf *out, const struct evlist *l);

/** synth_add_id - the build-id of a map, where it is to be in the record. */
void synth_add_id(const struct synth *s, struct rec_mmap *r);

#endif
