/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of the machine room: the persistent tree of maps,
 * objects, threads. */
#ifndef PERF_MACHINE_INTERNAL_H
#define PERF_MACHINE_INTERNAL_H

#include "base/hash.h"
#include "machine/machine.h"

#include <pthread.h>

#define NIL 0 /* tree node 0 is the empty tree */

/*
 * The mappings of one epoch: a treap of disjoint address ranges, sorted by start. Versions share
 * nodes. A version may change a node in place only if the node carries its tag; otherwise it makes
 * a copy.
 */
struct map_node {
	u64 start, end;
	const struct map *map;
	u32 left, right;
	u32 prio, tag;
};

struct map_tree {
	struct map_node *nodes; /* [0] unused */
	u32 nr;
	size_t cap;
	u32 last_tag;
	u64 seed; /* seed of the priorities, which do not affect results */
};

/** map_tree_tag - return a tag that no node carries. */
u32 map_tree_tag(struct map_tree *t);
/** map_tree_find - return the node that covers @addr, or NIL. */
u32 map_tree_find(const struct map_tree *t, u32 root, u64 addr);
/**
 * map_tree_find_range - do what map_tree_find() does, and set [*@start, *@end) to the range around
 * @addr that this node or gap covers.
 */
u32 map_tree_find_range(const struct map_tree *t, u32 root, u64 addr, u64 *start, u64 *end);
/**
 * map_tree_conflict - tell whether a range in [@start, @end) has another meaning than @map gives
 * it.
 */
bool map_tree_conflict(const struct map_tree *t, u32 root, u64 start, u64 end,
		       const struct map *map);
/** map_tree_covered - tell whether a single node covers [@start, @end) with the meaning of @map. */
bool map_tree_covered(const struct map_tree *t, u32 root, u64 start, u64 end,
		      const struct map *map);
/** map_tree_first_code - return the first range of a DSO_JIT in [@start, @end), or NIL. */
u32 map_tree_first_code(const struct map_tree *t, u32 root, u64 start, u64 end);
/** is_anon - tell whether the object is memory without a file. */
bool is_anon(const struct dso *dso);
/**
 * map_tree_put - replace everything in the range of @map by it. Ranges of the same meaning that
 * touch it are merged with it, which widens @map itself.
 * Return: the new root.
 */
u32 map_tree_put(struct map_tree *t, u32 root, u32 tag, struct map *map);
/** map_tree_cut - remove all mappings in [@start, @end). Return: the new root. */
u32 map_tree_cut(struct map_tree *t, u32 root, u32 tag, u64 start, u64 end);
void map_tree_release(struct map_tree *t);

/* A process and its epochs, oldest first. */
struct process {
	u32 *epochs; /* owned */
	u32 nr;
	size_t cap;
	u32 tag;          /* tag of the tree version that is being changed */
	u32 guest_root;   /* mappings of the guest kernel that runs in it */
	struct dso *jit;  /* the object for its anonymous executable memory; NULL until needed */
	struct dso *heir; /* the same of what it inherited, until it ran exec(); NULL: nothing */
	u32 heir_until;   /* the epoch that begins with that */
	struct code_queue *code; /* owned; the code that jitdumps describe, or NULL */
};

struct epoch {
	u64 from;
	u32 root;
	u32 kernel;  /* version of the kernel's mappings at its start */
	u32 process; /* its process; UINT32_MAX: none */
};

struct kernel_version {
	u64 from;
	u32 root;
	u32 epoch; /* the epoch that consists of this version alone */
};

struct comm_at {
	u64 from;
	u32 comm;
};

/* One incarnation of a tid. */
struct thread {
	u64 from;
	u32 pid, tid, process;
	u32 nr_comms;
	bool comm_set;
	struct comm_at first; /* the name at the start */
	struct comm_at *more; /* owned; the later names, nr_comms - 1 of them */
	size_t cap;
};

/* All incarnations of one tid, oldest first. */
struct tid_slot {
	u32 *threads; /* owned */
	u32 nr;
	size_t cap;
};

#define RECENT_DSOS 256

struct dso_table {
	struct dso **dsos; /* owned, by id */
	size_t nr, cap;
	struct map64 by_key;
	struct dso *recent[RECENT_DSOS]; /* a cache by inode, for lookups without build-id; NULL:
					    empty */
	struct arena arena;
	const char *kernel_name; /* the short name of the host's kernel; borrowed; NULL: its path */
	/* build-ids of paths in a cpumode: parallel arrays */
	struct intern bid_paths;
	struct bid {
		u8 id[20], size;
	} * bids; /* owned, by path id */
	size_t nr_bids, cap_bids;
};

/* The identity of an object, in addition to its path. */
struct dso_ident {
	u32 maj, min;
	u64 ino, gen;
	const u8 *build_id;
	u8 build_id_size, cpumode, kind;
	s32 pid;
	const struct dso *inherits;
};

/** dso_get_or_add - return the object with that identity; it is made when it is new. */
struct dso *dso_get_or_add(struct dso_table *t, const char *path, const struct dso_ident *id);
/** dso_add_run - note that a process maps code of @d. */
void dso_add_run(struct dso_table *t, struct dso *d, const struct dso_run *run);
void dso_set_build_id(struct dso_table *t, const char *path, u8 cpumode, const u8 *id, u8 size);
void dso_table_release(struct dso_table *t);

/*
 * Threads and epochs that lookups in the sealed model find for the first time: unknown tids, and
 * processes with another version of the kernel's mappings. Their ids follow those of the model.
 * @lock protects them.
 */
struct side {
	pthread_mutex_t lock;
	struct map64 threads; /* (pid, tid) -> n: thread id is nr_threads + n */
	struct intern comms;  /* comm id is comms.nr of the model + id here */
	struct map64 pairs;   /* (epoch, kernel version) -> n: epoch id is nr_epochs + n */
	struct epoch_pair {
		u32 epoch, kernel;
	} * by_id; /* owned */
	size_t nr_pairs, cap_pairs;
	struct map64 heirs; /* mapping of a parent and process -> n, the first with that hash */
	struct heir {
		const struct map *of; /* in the parent */
		struct map map;       /* in the process */
		u32 next;             /* another one with that hash; UINT32_MAX: none */
	} * *by_heir;                 /* owned, like what it points to */
	size_t nr_heirs, cap_heirs;
};

#define RECENT 1024

struct machine {
	struct map_tree tree;
	struct epoch *epochs;
	size_t nr_epochs, cap_epochs;
	struct process *processes;
	size_t nr_processes, cap_processes;
	struct thread *threads;
	size_t nr_threads, cap_threads;
	struct map64 tids; /* tid -> index in slots */
	struct map64 told; /* comm ":tid" -> the first name that a record gave that thread */
	struct recent_thread {
		u32 tid, thread; /* newest incarnation + 1; 0: empty */
	} recent[RECENT];        /* a cache by tid, for consecutive mappings of one thread */
	struct tid_slot *slots;
	size_t nr_slots, cap_slots;
	struct intern comms;
	struct dso_table dsos;
	struct arena arena; /* maps */
	struct intern cgroup_paths;
	struct map64 cgroups;
	struct kernel_version *kernels; /* versions of the kernel's mappings, oldest first */
	size_t nr_kernels, cap_kernels;
	struct text_poke *pokes; /* owned */
	size_t nr_pokes, cap_pokes;
	u32 kernel_tag, guest_root, guest_tag; /* guest_root: the guest whose process is unknown */
	bool guest_code;
	const struct map *kernel_map;
	bool sealed;
	machine_jitdump_fn on_jitdump; /* NULL: none */
	void *jitdump_ctx;
	struct side *side; /* owned; lookups in a const machine add to it under its lock */
};

/**
 * machine_map - add a mapping at @time to the process, or the kernel version, that @rec belongs to.
 */
void machine_map(struct machine *m, const struct rec_mmap *rec, u16 misc, u64 time);
void machine_ksymbol(struct machine *m, const struct rec_ksymbol *rec, u64 time);

/** perf_map_dso - return the object for the code without a file of process @pid. @inherits: as in
 * struct dso */
struct dso *perf_map_dso(struct machine *m, u32 pid, u8 cpumode, const struct dso *inherits);

/**
 * heir_map - return what a mapping of code without a file is in an epoch of a process that has
 * inherited it: the same memory, described by the process's own perf-PID.map first.
 */
const struct map *heir_map(const struct machine *m, u32 epoch, const struct map *map);
/** heirs_release - free them. */
void heirs_release(struct side *s);

/** code_settle - apply what the jitdumps of the process say up to @time. */
void code_settle(struct machine *m, u32 process, u64 time);
void code_queue_free(struct code_queue *q);

/**
 * thread_get - return the index of the newest incarnation of @tid. If there is none, it is made,
 * together with its leader.
 */
u32 thread_get(struct machine *m, u32 pid, u32 tid);
/**
 * thread_process - return the process that a thread belongs to. Like thread_get(), it may move
 * m->threads and m->processes.
 */
u32 thread_process(struct machine *m, u32 pid, u32 tid);
/* Applies a fork. @share: the child starts with the mappings of its parent, as after a recorded
 * fork(). */
void thread_fork(struct machine *m, const struct rec_task *t, bool share, u64 time);
void thread_comm(struct machine *m, const struct rec_comm *c, u64 time);
/**
 * process_epoch - return the epoch that receives new mappings of a process; with @fresh, start a
 * new one at @time.
 */
struct epoch *process_epoch(struct machine *m, u32 process, u64 time, bool fresh);
/** epoch_new - return the id of a new epoch, which belongs to the newest version of the kernel. */
u32 epoch_new(struct machine *m, u64 from, u32 root);
/** threads_init - add the idle thread. */
void threads_init(struct machine *m);
void threads_release(struct machine *m);

#endif
