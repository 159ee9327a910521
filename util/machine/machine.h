/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an address and a tid meant, at any time: processes, threads, comms, maps, dso identity,
 * each fact valid over an interval. State records are applied in time order; afterwards any
 * sample resolves by (pid, tid, time, address) alone, from any number of threads without locks.
 *
 * A space is an address space between two exec()s (or fork and exec): the unit in which an
 * address has a meaning. An epoch is a stretch of a space's life during which no mapping replaced
 * another: in one (space, epoch) an address has one meaning, so (space epoch, raw addresses) can
 * be aggregated before anything is resolved. Epochs are numbered densely over the whole machine:
 * epoch id -> (space, time interval). Epoch 0 is the kernel, which all spaces share.
 *
 * fork() shares: the child's space points to the parent's and the fork time, and looks there for
 * what it has not mapped itself.
 */
#ifndef PERF_MACHINE_MACHINE_H
#define PERF_MACHINE_MACHINE_H

#include "base/err.h"
#include "base/intern.h"
#include "wire/event.h"

struct machine;

/* An object that holds code: file, kernel, module, vdso, BPF program, anonymous. Identity: path and build-id. */
struct dso {
	u32 id;			/* dense, in order of first sight */
	char *path;		/* owned: as in the mmap record, "[kernel.kallsyms]", "[vdso]", "//anon" */
	const char *short_name; /* basename, "[kernel.kallsyms]", "[name]" for a module; borrowed from path or owned by the machine */
	u8 build_id[20], build_id_size;
	u32 maj, min;		/* from MMAP2, 0 when unknown */
	u64 ino, ino_generation;
	u8 kind;		/* enum dso_kind */
	u8 cpumode;		/* PERF_RECORD_MISC_KERNEL or _USER, guest ones too */
	s32 pid;		/* of the process for DSO_PERF_MAP ("/tmp/perf-PID.map"), else -1 */
};
enum dso_kind { DSO_USER, DSO_KERNEL, DSO_MODULE, DSO_VDSO, DSO_ANON, DSO_BPF, DSO_PERF_MAP };

struct map {
	u64 start, end, pgoff;
	struct dso *dso;	/* borrowed */
	u32 prot, flags;
};

/* What a sample's thread was at its time; valid for every time in [from, until): cache it. */
struct thread_at {
	u32 thread;		/* dense id of this incarnation of the tid */
	u32 pid, tid;
	u32 comm;		/* machine_comm() gives the text */
	u32 epoch;		/* of the process's address space */
	u64 from, until;
};

/** machine_new - an empty model; free with machine_free(). */
struct machine *machine_new(void);
void machine_free(struct machine *m);

/** machine_apply - one state record (native order) at @time; not a state record: ignored. Times must not decrease. */
int machine_apply(struct machine *m, const struct perf_event_header *rec, size_t size, u64 time, struct err *err);

/** machine_set_build_id - from the BUILD_ID feature: objects of that path (and cpumode) get the id. */
void machine_set_build_id(struct machine *m, const char *path, u16 misc, const u8 *id, u8 size);

/** machine_seal - state is complete: build the lookup indexes. Afterwards all lookups are read-only and thread-safe. */
void machine_seal(struct machine *m);

/**
 * machine_thread_at - the thread at a time. Never fails: an unknown tid is a thread with comm ":tid".
 * After machine_seal() this does not change the machine; unknown tids get ids by machine_note_tid() before sealing.
 */
void machine_thread_at(const struct machine *m, u32 pid, u32 tid, u64 time, struct thread_at *out);
/** machine_note_tid - make sure the tid exists (drivers call it for tids of samples before sealing). */
void machine_note_tid(struct machine *m, u32 pid, u32 tid, u64 time);

/**
 * machine_find_map - what is mapped at @addr during an epoch.
 * @cpumode: PERF_RECORD_MISC_KERNEL looks in the kernel's maps, _USER in the space's.
 * Return: the map, borrowed for the life of the machine, or NULL.
 */
const struct map *machine_find_map(const struct machine *m, u32 epoch, u8 cpumode, u64 addr);

/** machine_comm - text of a comm id; borrowed. */
const char *machine_comm(const struct machine *m, u32 comm);
/** machine_dsos - all objects seen, *@nr of them; borrowed. */
struct dso *const *machine_dsos(const struct machine *m, size_t *nr);
/** machine_nr_threads, machine_nr_comms - sizes of the dense id ranges. */
u32 machine_nr_threads(const struct machine *m);
u32 machine_nr_comms(const struct machine *m);

/** map_to_file - address in the process to address in the object's file (kernel: unchanged). */
static inline u64 map_to_file(const struct map *map, u64 addr)
{
	return map->dso->kind == DSO_KERNEL ? addr : addr - map->start + map->pgoff;
}

#endif
