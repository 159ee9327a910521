/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meaning of addresses and tids at any time: processes, threads, names, maps and the identity
 * of objects, each fact valid during an interval. State records are applied in time order. After
 * that, any number of threads can resolve any sample from (pid, tid, time, address) alone.
 *
 * An epoch is a part of a process's life during which no mapping replaced another one of a
 * different meaning. Within an epoch an address has one meaning, so (epoch, raw addresses) can be
 * aggregated before anything is resolved. Epochs are numbered densely over the whole machine. The
 * kernel, which all processes share, has epochs as well, because the memory of a BPF program may be
 * used again; as long as it has just one, that is MACHINE_EPOCH_KERNEL. An epoch of a process lies
 * within one epoch of the kernel. MACHINE_EPOCH_NONE is the epoch of a process without mappings.
 *
 * fork() costs O(1), because the mappings are a persistent tree that parent and child share. exec()
 * starts an epoch; mappings of the old image stay visible where the new one maps nothing, because
 * user addresses sampled inside exec() still belong to the old image.
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

/* One range in which a process maps code of an object. */
struct dso_run {
	struct dso_run *older; /* NULL: none */
	u32 pid;
	u64 start, end, pgoff;
};
#define DSO_RUNS 16 /* how many an object keeps: the first ones, and the newest */

/* The offset of the code in the object of a DSO_JIT, as in image files of such functions. */
#define JIT_CODE_OFFSET 0x80

/* The unwind information of a function that was compiled at run time. */
struct jit_frames {
	const u8 *bytes;   /* an .eh_frame section, and its .eh_frame_hdr behind it */
	size_t size;       /* of both */
	size_t index_size; /* of the .eh_frame_hdr */
	bool swap;         /* it is of the other byte order */
};

/**
 * jit_frames_at - return the offset of the unwind information in the object of a function with
 * @code_size bytes of code. Its addresses are relative ones, so it has to have that place.
 */
static inline u64 jit_frames_at(u64 code_size)
{
	return JIT_CODE_OFFSET + ALIGN_UP(code_size, 8);
}

/* An object that holds code: a file, the kernel, a module, the vdso, a BPF program, anonymous
 * memory. Path and inode identify it. */
struct dso {
	u32 id;                 /* dense, in the order of appearance */
	const char *path;       /* as in the mmap record, "[kernel.kallsyms]", "[vdso]", "//anon",
				   "/tmp/perf-PID.map", "/DIR/jitted-PID-INDEX.so" */
	const char *short_name; /* basename, "[kernel.kallsyms]", "[name]" for a module; the machine
				   owns both strings */
	u8 build_id[20], build_id_size;
	u32 maj, min; /* from MMAP2; 0 when unknown */
	u64 ino, ino_generation;
	u8 kind;      /* enum dso_kind */
	u8 cpumode;   /* PERF_RECORD_MISC_KERNEL or _USER, _GUEST_KERNEL or _GUEST_USER */
	bool jitdump; /* is_jitdump_path() holds for its path */
	s32 pid;      /* the process of a DSO_PERF_MAP, otherwise -1 */
	const struct dso *inherits; /* DSO_PERF_MAP: that of the process it was forked from, whose
				       code is in its memory, too; NULL: none */
	struct dso_run *runs;       /* DSO_USER: by whom its code is mapped, newest first */
	u32 nr_runs;
	u64 base; /* DSO_KERNEL, DSO_MODULE, DSO_BPF, and DSO_JIT that are no code: its start
		     address at run time */
	u64 size; /* DSO_KERNEL, DSO_MODULE, DSO_BPF: bytes mapped there; DSO_JIT: bytes of code */
	const char *ref_sym; /* DSO_KERNEL: symbol whose run-time address is known ("_text");
				DSO_JIT: name of the function; else NULL */
	u64 ref_addr;        /* that address */
	const struct jit_frames *frames; /* DSO_JIT; the machine owns them; NULL: none */
};

struct map {
	u64 start, end, pgoff; /* as recorded; another map may hide a part */
	struct dso *dso;       /* borrowed */
	u32 prot, flags;
};

/* Code of the kernel that it changed itself. */
struct text_poke {
	u64 time, addr;
	u32 len, old_len;
	const u8 *bytes; /* len of them, from then on; the machine owns them */
	const u8 *old;   /* old_len of them, until then; none: there was no code */
};

/* A sample's thread at its time. It is valid for every time in [from, until), so cache it. */
struct thread_at {
	u32 thread; /* dense id of this incarnation of the tid */
	u32 pid, tid;
	u32 comm;  /* machine_comm() gives the text */
	u32 epoch; /* of the process's address space; kernel addresses resolve in it as well */
	u32 kernel_epoch; /* the kernel's epoch, the same for all processes, so that kernel
			     addresses can be aggregated */
	u64 from, until;
};

/** machine_new - make an empty model. machine_free() frees it. */
struct machine *machine_new(void);
/**
 * machine_name_kernel - show the host's kernel by that short name, as long as no record has told of
 * it. @name: borrowed until machine_free()
 */
void machine_name_kernel(struct machine *m, const char *name);
/** machine_free - free the model. */
void machine_free(struct machine *m);
/**
 * machine_forget - make an unsealed model forget all but its objects, which stay where they are,
 * with their ids.
 * Return: what it knew; machine_free() frees it when nobody refers to mappings any more that were
 * found before.
 */
struct machine *machine_forget(struct machine *m);

/**
 * machine_apply - apply one state record (native order) at @time; other records are ignored. Times
 * should not decrease. A record that comes late counts from the latest time of what it changes.
 * Return: 0, or -EINVAL and a sentence when the record is malformed, and then the model is
 * unchanged.
 */
int machine_apply(struct machine *m, const wire_header *rec, size_t size, u64 time,
		  struct err *err);

/**
 * machine_set_build_id - set the build-id of the objects with that path (and cpumode), from the
 * BUILD_ID feature. The objects may become known before or after the call. A @size above 20 is
 * taken as 20.
 */
void machine_set_build_id(struct machine *m, const char *path, u16 misc, const u8 *id, u8 size);

/* A function that was compiled at run time, from @time on. */
struct jit_code {
	u64 time;
	u64 addr, size;
	u64 moved_from; /* its address until then, if @moved; @name, @object, @id are then unused */
	bool moved;     /* the function was at @moved_from before */
	const char *name;                /* copied */
	const char *object;              /* path of its object; copied */
	const u8 *build_id;              /* 20 bytes, borrowed; NULL: none */
	const struct jit_frames *frames; /* copied; NULL: none */
	u64 id;                          /* distinguishes objects with the same path */
};

/**
 * machine_add_code - add code of @process, which is the argument of a machine_jitdump_fn. Calls may
 * come in any order before machine_seal(). The code is valid from its time on and replaces what was
 * there. Memory without a file counts as belonging to the function from the start, so that naming
 * it starts no epoch. From then on mappings of such memory do not hide the code, because run-time
 * compilers alternately write and protect it.
 */
void machine_add_code(struct machine *m, u32 process, const struct jit_code *code);

/**
 * machine_add_kernel_place - give addresses of the kernel that are no code a name, for frames that
 * are made and not recorded. Before machine_seal().
 * @object, @name: of the object and of the function that are shown; @object is copied, @name
 * borrowed
 */
void machine_add_kernel_place(struct machine *m, u64 time, u64 addr, u64 size, const char *object,
			      const char *name);

/* Called when a process maps a "jit-PID.dump", which describes the code that it generates. @rec is
 * borrowed. */
typedef void (*machine_jitdump_fn)(void *ctx, struct machine *m, u32 process,
				   const struct rec_mmap *rec, u64 time);
/** machine_on_jitdump - call @fn for each such mapping from now on. */
void machine_on_jitdump(struct machine *m, machine_jitdump_fn fn, void *ctx);
/** is_anon_path - tell whether a path is a name of memory without a file. */
bool is_anon_path(const char *path);
/** is_jitdump_path - tell whether a path has the form "DIR/jit-NUMBER.dump". */
bool is_jitdump_path(const char *path);

/**
 * machine_set_guest_code - treat code of guests as code of the process that runs the guest, where
 * nothing else is known.
 */
void machine_set_guest_code(struct machine *m);
/**
 * machine_seal - declare the state complete. Afterwards all lookups are thread-safe and intervals
 * are final.
 */
void machine_seal(struct machine *m);
/**
 * machine_unseal - go on with a state that was sealed for a while. What lookups have found out
 * since then is forgotten, and ids of threads and epochs that they gave mean nothing any more.
 */
void machine_unseal(struct machine *m);
/**
 * machine_sealed - tell whether the state is complete, so that the mappings of an epoch no longer
 * change.
 */
bool machine_sealed(const struct machine *m);

/**
 * machine_thread_at - look up a thread at a time. It never fails: an unknown tid is a thread with
 * the name ":tid", which gets a dense id when it is first looked up, under an internal lock. Before
 * machine_seal() the answer holds for @time only (until == time + 1).
 */
void machine_thread_at(const struct machine *m, u32 pid, u32 tid, u64 time, struct thread_at *out);

/**
 * machine_thread_known - do what machine_thread_at() does in the sealed model, apart from epochs,
 * while the model is still being built: all records up to the time @known have been applied, and
 * none will come that is not later. The answer then holds up to that time at most. That of a
 * stranger (see machine_stranger()) is a guess: a later record may tell that the thread has existed
 * before.
 * Return: false: records that come later tell whose thread it was, so there is no answer yet
 */
bool machine_thread_known(const struct machine *m, u32 pid, u32 tid, u64 time, u64 known,
			  struct thread_at *out);
/**
 * machine_stranger - tell who is a thread that no record has told of so far.
 * @thread: from an answer; no record may have been applied since then
 * Return: the number of the stranger, in the order in which they were looked up, which stays the
 * same when the model is sealed; UINT32_MAX: it is none
 */
u32 machine_stranger(const struct machine *m, u32 thread);

/**
 * machine_find_map - return what is mapped at @addr during an epoch.
 * @cpumode: PERF_RECORD_MISC_KERNEL selects the kernel's maps, _USER those of the process,
 *	and guest modes those of the guest; for anything else nothing is mapped
 * Return: the map, which lives as long as the machine, or NULL.
 */
const struct map *machine_find_map(const struct machine *m, u32 epoch, u8 cpumode, u64 addr);
/**
 * machine_find_range - do what machine_find_map() does, and set [*@start, *@end) to the range
 * around @addr in which the result is the same.
 */
const struct map *machine_find_range(const struct machine *m, u32 epoch, u8 cpumode, u64 addr,
				     u64 *start, u64 *end);

/** machine_kernel_epoch - return the kernel's epoch in which an epoch lies. */
u32 machine_kernel_epoch(const struct machine *m, u32 epoch);

/**
 * machine_kernel_map - return the map of the host kernel's text, which is borrowed, or NULL when
 * none was recorded.
 */
const struct map *machine_kernel_map(const struct machine *m);

/** machine_comm - return the text of a comm id. It lives as long as the machine. */
const char *machine_comm(const struct machine *m, u32 comm);
/**
 * machine_comm_told - return the text of a comm for sums over all times. A thread that had no name
 * at first, because its fork was lost, has the first name that a record gave it.
 */
const char *machine_comm_told(const struct machine *m, u32 comm);
/**
 * machine_cgroup - return the path of a cgroup id, which is borrowed, or NULL when no CGROUP record
 * has named it.
 */
const char *machine_cgroup(const struct machine *m, u64 id);
/**
 * machine_pokes - return all *@nr changes of the kernel's code, in the order of time. The array is
 * valid until the next machine_apply().
 */
const struct text_poke *machine_pokes(const struct machine *m, size_t *nr);
/**
 * machine_dsos - return all *@nr objects by id. The array is valid until the next machine_apply().
 */
struct dso *const *machine_dsos(const struct machine *m, size_t *nr);
/**
 * machine_nr_threads - return the number of thread ids so far. It and the next two grow with
 * unknown tids.
 */
u32 machine_nr_threads(const struct machine *m);
/** machine_nr_comms - return the number of comm ids so far. */
u32 machine_nr_comms(const struct machine *m);
/** machine_nr_epochs - return the number of epoch ids so far. */
u32 machine_nr_epochs(const struct machine *m);

/**
 * map_to_file - convert an address in the process to one in the object's file. Addresses of the
 * kernel and of anonymous memory are unchanged.
 */
static inline u64 map_to_file(const struct map *map, u64 addr)
{
	u8 kind = map->dso->kind;

	if (kind == DSO_KERNEL || kind == DSO_ANON || kind == DSO_PERF_MAP)
		return addr;
	return addr - map->start + map->pgoff;
}

#endif
