/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of the machine room: the persistent map tree, objects, threads. */
#ifndef PERF_MACHINE_INTERNAL_H
#define PERF_MACHINE_INTERNAL_H

#include "base/hash.h"
#include "machine/machine.h"

#include <pthread.h>

#define NIL 0 /* tree node 0 is the empty tree */

/*
 * Mappings of one epoch: a treap of disjoint address ranges, sorted by start. Nodes are shared
 * between versions; a version may change a node in place only when the node carries its tag,
 * otherwise it makes a copy.
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
	u64 seed; /* of the priorities; what is found does not depend on it */
};

/** map_tree_tag - a tag no node carries. */
u32 map_tree_tag(struct map_tree *t);
/** map_tree_find - node that covers @addr, or NIL. */
u32 map_tree_find(const struct map_tree *t, u32 root, u64 addr);
/** map_tree_find_range - the same; [*@start, *@end) around @addr is that node, or the gap. */
u32 map_tree_find_range(const struct map_tree *t, u32 root, u64 addr, u64 *start, u64 *end);
/** map_tree_conflict - true when a range in [@start, @end) means something else than @map there. */
bool map_tree_conflict(const struct map_tree *t, u32 root, u64 start, u64 end,
		       const struct map *map);
/** map_tree_covered - true when one node covers [@start, @end) with the meaning of @map. */
bool map_tree_covered(const struct map_tree *t, u32 root, u64 start, u64 end,
		      const struct map *map);
/** map_tree_first_code - the first range of a DSO_JIT in [@start, @end), or NIL. */
u32 map_tree_first_code(const struct map_tree *t, u32 root, u64 start, u64 end);
/** is_anon - memory of no file. */
bool is_anon(const struct dso *dso);
/**
 * map_tree_put - @map replaces whatever is in its range. Ranges of the same meaning that touch its
 * inside are joined with it, which widens @map itself.
 * Return: the new root.
 */
u32 map_tree_put(struct map_tree *t, u32 root, u32 tag, struct map *map);
/** map_tree_cut - nothing is mapped in [@start, @end) any more. Return: the new root. */
u32 map_tree_cut(struct map_tree *t, u32 root, u32 tag, u64 start, u64 end);
void map_tree_release(struct map_tree *t);

/* A process: what its epochs were, oldest first. */
struct process {
	u32 *epochs; /* owned */
	u32 nr;
	size_t cap;
	u32 tag;                 /* of the tree version that is being changed */
	u32 guest_root;          /* what the kernel maps that runs in it, a virtual machine */
	struct dso *jit;         /* of its anonymous executable memory, NULL until needed */
	struct code_queue *code; /* owned; what jitdumps say of it, NULL without */
};

struct epoch {
	u64 from;
	u32 root;
	u32 kernel;  /* version of the kernel's mappings when it began */
	u32 process; /* whose; UINT32_MAX: nobody's */
};

struct kernel_version {
	u64 from;
	u32 root;
	u32 epoch; /* that is nothing but this version */
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
	struct comm_at first; /* in force from the start */
	struct comm_at *more; /* owned, the later ones: nr_comms - 1 */
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
	struct dso *recent[RECENT_DSOS]; /* by inode: found without a build-id; NULL: none */
	struct arena arena;
	/* build-ids told by path: parallel arrays */
	struct intern bid_paths;
	struct bid {
		u8 id[20], size, cpumode;
	} * bids; /* owned, by path id */
	size_t nr_bids, cap_bids;
};

/* Identity of an object beside its path. */
struct dso_ident {
	u32 maj, min;
	u64 ino, gen;
	const u8 *build_id;
	u8 build_id_size, cpumode, kind;
	s32 pid;
};

/** dso_get_or_add - the object of that identity, made when new. */
struct dso *dso_get_or_add(struct dso_table *t, const char *path, const struct dso_ident *id);
void dso_set_build_id(struct dso_table *t, const char *path, u8 cpumode, const u8 *id, u8 size);
void dso_table_release(struct dso_table *t);

/*
 * What lookups in the sealed model meet for the first time: unknown tids, and processes in another
 * version of the kernel's mappings. Their ids go on after the model's own. Guarded by @lock.
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
	struct map64 told; /* comm ":tid" -> the first one that was told of that thread */
	struct recent_thread {
		u32 tid, thread; /* newest incarnation + 1; 0: nothing is known here */
	} recent[RECENT];        /* by tid: whose mappings come one after the other */
	struct tid_slot *slots;
	size_t nr_slots, cap_slots;
	struct intern comms;
	struct dso_table dsos;
	struct arena arena; /* maps */
	struct intern cgroup_paths;
	struct map64 cgroups;
	struct kernel_version *kernels; /* of the kernel's mappings, oldest first */
	size_t nr_kernels, cap_kernels;
	u32 kernel_tag, guest_root,
		guest_tag; /* guest_root: of the guest nobody told the process of */
	bool guest_code;
	const struct map *kernel_map;
	bool sealed;
	machine_jitdump_fn on_jitdump; /* NULL: none */
	void *jitdump_ctx;
	struct side *side; /* owned; lookups on a const machine add to it under its lock */
};

/** machine_map - the process or kernel version that @rec belongs to maps it at @time. */
void machine_map(struct machine *m, const struct rec_mmap *rec, u16 misc, u64 time);
void machine_ksymbol(struct machine *m, const struct rec_ksymbol *rec, u64 time);

/** code_settle - what the process's jitdumps say up to @time takes place. */
void code_settle(struct machine *m, u32 process, u64 time);
void code_queue_free(struct code_queue *q);

/** thread_get - index of the newest incarnation of @tid, made (with its leader) when there is none.
 */
u32 thread_get(struct machine *m, u32 pid, u32 tid);
/** thread_process - the process it belongs to. May move m->threads and m->processes, as
 * thread_get(). */
u32 thread_process(struct machine *m, u32 pid, u32 tid);
/* @share: the child starts with the mappings of its parent, as after a fork() the kernel saw. */
void thread_fork(struct machine *m, const struct rec_task *t, bool share, u64 time);
void thread_comm(struct machine *m, const struct rec_comm *c, u64 time);
/** process_epoch - the epoch that mappings of a process now go to; a new one from @time when
 * @fresh. */
struct epoch *process_epoch(struct machine *m, u32 process, u64 time, bool fresh);
/** epoch_new - the id of a new epoch, of the newest version of the kernel. */
u32 epoch_new(struct machine *m, u64 from, u32 root);
/** threads_init - the idle thread. */
void threads_init(struct machine *m);
void threads_release(struct machine *m);

#endif
