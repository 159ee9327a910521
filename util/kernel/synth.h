/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthesized records: they describe what existed before recording began, according to /proc and
 * /sys: threads, their maps, the kernel and its modules. All carry an empty sample_id trailer (time
 * 0).
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
	SYNTH_MAPS = 1 << 1, /* maps of processes; those of the kernel are always included */
	SYNTH_CGROUPS = 1 << 2,
	SYNTH_ALL = SYNTH_TASKS | SYNTH_MAPS | SYNTH_CGROUPS
};

/**
 * Finds the build-id of the object that @pid has mapped as @filename, where (u32)-1 is the kernel.
 * Several threads may call it at once. Return: its size in bytes; 0 or negative when there is none
 * or when it does not belong into the record.
 */
typedef int (*synth_build_id_fn)(void *ctx, u32 pid, const char *filename, u8 id[20]);

struct synth {
	const struct sysroot *sysroot;    /* borrowed */
	const struct wire_layout *layout; /* layout of the side-band event; borrowed */
	bool mmap_data;                   /* include data maps (-d) */
	bool namespaces;                  /* make a NAMESPACES record for each thread */
	bool no_maps;                     /* tasks only */
	synth_build_id_fn build_id;       /* NULL: records of maps get no build-ids */
	void *build_id_ctx;
	u64 map_limit_ns; /* time limit for the maps of one process; 0: none */
	void (*slow)(void *ctx,
		     int pid); /* called when that was exceeded, by any thread; may be NULL */
	void *slow_ctx;
	int workers;                    /* threads for synth_all(); 0: one for each CPU */
	const struct maps_reader *maps; /* NULL: made when needed; borrowed */
	struct strbuf *out;             /* records are appended here; borrowed */
};

/**
 * synth_kernel - make records for the kernel's text ("[kernel.kallsyms]_text") and the modules.
 * Nothing is made when addresses are hidden.
 */
void synth_kernel(struct synth *s);
/**
 * kernel_module_file - return the file of a module of the running kernel, below /lib/modules, as
 * modules.dep has it; the caller frees. NULL: it is not known.
 * @name: as in /proc/modules, of @len bytes
 */
char *kernel_module_file(const struct sysroot *sr, const char *name, size_t len);
/**
 * synth_process - make fork and comm records for all threads of a process, and records for its
 * maps.
 * @pid: the process, not the number of another thread of it
 */
void synth_process(struct synth *s, int pid);
/**
 * synth_threads - make a comm record for each thread, and records for the maps of their processes,
 * once for each.
 */
void synth_threads(struct synth *s, const struct int_list *tids);
/** synth_comm - make a single comm record. */
void synth_comm(struct synth *s, int pid, const char *comm);
/**
 * synth_all - make records for every process, on several threads, in the order of /proc. Processes
 * that end meanwhile are left out. Return: 0, or a negative errno when /proc cannot be read.
 */
int synth_all(struct synth *s);

/** synth_cgroups - make a CGROUP record for each control group of version 2. */
void synth_cgroups(struct synth *s);

/**
 * synth_time_conv - append a TIME_CONV record, which says how time stamps follow from the
 * processor's counter.
 * @pc: the first page of a ring; nothing is appended when the kernel does not provide the
 *	data there
 */
void synth_time_conv(struct strbuf *out, const struct perf_event_mmap_page *pc);
/** synth_id_index - append ID_INDEX records for all descriptors. */
void synth_id_index(struct strbuf *out, const struct kevents *k);
/**
 * synth_thread_map - append a THREAD_MAP record; an empty list stands for all threads.
 * @names: the name of each thread; NULL: names do not matter
 */
void synth_thread_map(struct strbuf *out, const struct int_list *tids, const char *const *names);
/** synth_cpu_map - append a CPU_MAP record. */
void synth_cpu_map(struct strbuf *out, const struct int_list *cpus);

/**
 * synth_event_update - append EVENT_UPDATE records with the units, scales and CPUs of the events
 * that have them.
 */
void synth_event_update(struct strbuf *out, const struct evlist *l);

/** synth_add_id - put the build-id of a map into its record, if it belongs there. */
void synth_add_id(const struct synth *s, struct rec_mmap *r);

#endif
