/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an address and a tid meant, at any time: processes, threads, comms, maps, dso identity,
 * each fact valid over an interval. State records are applied in time order; afterwards any
 * sample resolves by (pid, tid, time, address) alone, from any number of threads.
 *
 * An epoch is a stretch of a process's life during which no mapping replaced another one of a
 * different meaning: in one epoch an address has one meaning, so (epoch, raw addresses) can be
 * aggregated before anything is resolved. Epochs are numbered densely over the whole machine.
 * The kernel, which all processes share, has epochs too (a BPF program's memory may be used again);
 * while it has just one, that is MACHINE_EPOCH_KERNEL. An epoch of a process lies within one of the
 * kernel. MACHINE_EPOCH_NONE is that of a process without mappings.
 *
 * fork() costs O(1): the mappings are a persistent tree which parent and child share.
 * exec() starts an epoch; mappings of the old image stay visible where the new one maps nothing,
 * as the sampled user address of a task inside exec() is still one of the old image.
 */
#ifndef PERF_MACHINE_MACHINE_H
#define PERF_MACHINE_MACHINE_H

#include "base/err.h"
#include "base/intern.h"
#include "wire/event.h"

struct machine;

#define MACHINE_EPOCH_KERNEL 0
#define MACHINE_EPOCH_NONE 1

enum dso_kind {
	DSO_USER,
	DSO_KERNEL,
	DSO_MODULE,
	DSO_VDSO,
	DSO_ANON,
	DSO_BPF,
	DSO_PERF_MAP,
	DSO_JIT /* one function that a jitdump names */
};

/* An object that holds code: file, kernel, module, vdso, BPF program, anonymous. Identity: path and
 * inode. */
struct dso {
	u32 id;                 /* dense, in order of first sight */
	const char *path;       /* as in the mmap record, "[kernel.kallsyms]", "[vdso]", "//anon",
				   "/tmp/perf-PID.map", "/DIR/jitted-PID-INDEX.so" */
	const char *short_name; /* basename, "[kernel.kallsyms]", "[name]" for a module; both owned
				   by the machine */
	u8 build_id[20], build_id_size;
	u32 maj, min; /* from MMAP2, 0 when unknown */
	u64 ino, ino_generation;
	u8 kind;      /* enum dso_kind */
	u8 cpumode;   /* PERF_RECORD_MISC_KERNEL or _USER, _GUEST_KERNEL or _GUEST_USER */
	bool jitdump; /* a file of is_jitdump_path() */
	s32 pid;      /* of the process for DSO_PERF_MAP, else -1 */
	u64 base;     /* DSO_KERNEL, DSO_MODULE, DSO_BPF: run-time address of its start */
	u64 size;     /* DSO_KERNEL, DSO_MODULE, DSO_BPF: bytes mapped there; DSO_JIT: of code */
	const char *ref_sym; /* DSO_KERNEL: symbol whose run-time address is known ("_text");
				DSO_JIT: name of the function; else NULL */
	u64 ref_addr;        /* that address */
};

struct map {
	u64 start, end, pgoff; /* as recorded; another map may hide a part */
	struct dso *dso;       /* borrowed */
	u32 prot, flags;
};

/* What a sample's thread was at its time; valid for every time in [from, until): cache it. */
struct thread_at {
	u32 thread; /* dense id of this incarnation of the tid */
	u32 pid, tid;
	u32 comm;         /* machine_comm() gives the text */
	u32 epoch;        /* of the process's address space; kernel addresses resolve in it too */
	u32 kernel_epoch; /* that of the kernel in it: the same for all processes, so kernel
			     addresses aggregate */
	u64 from, until;
};

/** machine_new - an empty model; free with machine_free(). */
struct machine *machine_new(void);
void machine_free(struct machine *m);

/**
 * machine_apply - one state record (native order) at @time; not a state record: ignored.
 * Times should not decrease; a record that is late counts from the latest time of what it changes.
 * Return: 0, or -EINVAL and a sentence when the record is malformed (the model is unchanged).
 */
int machine_apply(struct machine *m, const wire_header *rec, size_t size, u64 time,
		  struct err *err);

/**
 * machine_set_build_id - from the BUILD_ID feature: objects of that path (and cpumode) get the id.
 * May be called before or after the objects are seen. @size above 20 is taken as 20.
 */
void machine_set_build_id(struct machine *m, const char *path, u16 misc, const u8 *id, u8 size);

/* Where the code starts in the object of a DSO_JIT: what image files of such functions have in
 * front of it. */
#define JIT_CODE_OFFSET 0x80

/* A function that was compiled at run time, from @time on. */
struct jit_code {
	u64 time;
	u64 addr, size;
	u64 moved_from; /* address where it was until then: then @name, @object, @id are not used */
	bool moved;     /* it is the function at @moved_from */
	const char *name;   /* copied */
	const char *object; /* path of its object; copied */
	const u8 *build_id; /* 20 bytes, borrowed; NULL: none */
	u64 id;             /* tells objects of one path apart */
};

/**
 * machine_add_code - @process (as machine_on_jitdump() told it) has this code. In any order before
 * machine_seal(): it counts from its time, and replaces what was there; memory without a file is
 * taken to have been the function's all along, so naming it starts no epoch. From then on
 * mappings of such memory do not hide it: run-time compilers write and protect it in turns.
 */
void machine_add_code(struct machine *m, u32 process, const struct jit_code *code);

/* A process maps a "jit-PID.dump", which says what code it makes: @rec is borrowed. */
typedef void (*machine_jitdump_fn)(void *ctx, struct machine *m, u32 process,
				   const struct rec_mmap *rec, u64 time);
/** machine_on_jitdump - @fn is called for each such mapping from now on. */
void machine_on_jitdump(struct machine *m, machine_jitdump_fn fn, void *ctx);
/** is_anon_path - true for the names of memory without a file. */
bool is_anon_path(const char *path);
/** is_jitdump_path - true for "DIR/jit-NUMBER.dump". */
bool is_jitdump_path(const char *path);

/** machine_set_guest_code - what guests run is in the processes they run in, where nothing else is
 * known. */
void machine_set_guest_code(struct machine *m);
/** machine_seal - state is complete: afterwards all lookups are thread-safe and intervals are
 * final. */
void machine_seal(struct machine *m);
/** machine_sealed - what is mapped in an epoch changes no more. */
bool machine_sealed(const struct machine *m);

/**
 * machine_thread_at - the thread at a time. Never fails: an unknown tid is a thread with comm
 * ":tid", which gets a dense id on first sight (an internal lock guards that). Before
 * machine_seal() the answer holds for @time only (until == time + 1).
 */
void machine_thread_at(const struct machine *m, u32 pid, u32 tid, u64 time, struct thread_at *out);

/**
 * machine_find_map - what is mapped at @addr during an epoch.
 * @cpumode: PERF_RECORD_MISC_KERNEL looks in the kernel's maps, _USER in the process's, guest
 * modes in the guest's; anything else maps nothing.
 * Return: the map, borrowed for the life of the machine, or NULL.
 */
const struct map *machine_find_map(const struct machine *m, u32 epoch, u8 cpumode, u64 addr);
/** machine_find_range - the same; it is this map, or none, in all of [*@start, *@end) around @addr.
 */
const struct map *machine_find_range(const struct machine *m, u32 epoch, u8 cpumode, u64 addr,
				     u64 *start, u64 *end);

/** machine_kernel_epoch - the kernel's epoch in which an epoch lies. */
u32 machine_kernel_epoch(const struct machine *m, u32 epoch);

/** machine_kernel_map - the map of the (host) kernel's text, or NULL when none was recorded;
 * borrowed. */
const struct map *machine_kernel_map(const struct machine *m);

/** machine_comm - text of a comm id; borrowed for the life of the machine. */
const char *machine_comm(const struct machine *m, u32 comm);
/**
 * machine_comm_told - the text of a comm in a sum over all the time: that of a thread which was
 * nameless at first (its fork was lost) is the first name it was told to have.
 */
const char *machine_comm_told(const struct machine *m, u32 comm);
/** machine_cgroup - path of a cgroup id, or NULL when no CGROUP record told it; borrowed. */
const char *machine_cgroup(const struct machine *m, u64 id);
/** machine_dsos - all *@nr objects seen, by id; borrowed until the next machine_apply(). */
struct dso *const *machine_dsos(const struct machine *m, size_t *nr);
/** machine_nr_threads, machine_nr_comms, machine_nr_epochs - sizes of the dense id ranges so far
 * (unknown tids add to them). */
u32 machine_nr_threads(const struct machine *m);
u32 machine_nr_comms(const struct machine *m);
u32 machine_nr_epochs(const struct machine *m);

/** map_to_file - address in the process to address in the object's file (kernel, anonymous:
 * unchanged). */
static inline u64 map_to_file(const struct map *map, u64 addr)
{
	u8 kind = map->dso->kind;

	if (kind == DSO_KERNEL || kind == DSO_ANON || kind == DSO_PERF_MAP)
		return addr;
	return addr - map->start + map->pgoff;
}

#endif
