/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as one tree of stacks, which every export (flame graphs, pages, formats of other viewers)
 * walks. It is made from a hist, whose unique raw stacks become frames and nodes once each, or with
 * a builder (differences, tests).
 *
 * The order of everything does not depend on the number of workers: threads are ordered by (pid,
 * tid, comm), frames by name, nodes outermost first and depth first with siblings in the order of
 * their frames, sums and samples as described below. Ids are indices.
 */
#ifndef PERF_STACKTREE_STACKS_H
#define PERF_STACKTREE_STACKS_H

#include "base/intern.h"
#include "hist/counted-stacks.h"

enum stacks_kind {
	FRAME_UNKNOWN, /* nothing is mapped there, or there is no symbol */
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_MODULE, /* a kernel module */
	FRAME_JIT,    /* code generated at run time: perf map files, jitdump, BPF programs */
	FRAME_INLINED,
	FRAME_GUEST_KERNEL,
	FRAME_GUEST_USER,
	FRAME_HYPERVISOR,
	FRAME_COMM, /* not code but the name of a thread */
	FRAME_WAIT, /* not code but what a thread waits for */
	NR_FRAME_KINDS
};

/* A function to show; if requested, a line or an address of it. */
struct stacks_frame {
	u32 name;     /* text; without a symbol "[object]", or "[unknown]" without an object */
	u32 dso;      /* text: short name of the object; 0 (""): unknown */
	u32 path;     /* text: path of the object; 0: unknown */
	u32 file;     /* text: source file; 0: unknown or not requested */
	u32 line;     /* 0: unknown */
	u8 kind;      /* enum stacks_kind */
	bool symbol;  /* the name is that of a symbol */
	u64 start;    /* address of the symbol in the object; 0: none */
	u64 addr;     /* address in the object with dims.addresses, otherwise 0 */
	u32 func;     /* the first frame of the same function (name, dso, kind); set at the end */
	u32 build_id; /* text: build-id of the object in hex; 0: unknown */
};

/* A node. A stack is identified by its innermost node. Node 0 is the root and has no frame. */
struct stacks_node {
	u32 parent; /* smaller than the number of the node; 0 for the root */
	u32 frame;  /* UINT32_MAX for the root */
	u32 end; /* the nodes below this one are those from the next number up to @end, exclusive */
	u32 depth; /* 0 for the root */
};

struct stacks_thread {
	u32 pid, tid;
	u32 comm; /* text */
};

struct stacks_event {
	u32 name;            /* text */
	u32 evsel;           /* its number in the recording */
	u64 samples, period; /* totals of all its sums */
};

/* Sums are ordered by event, node, thread, cpu, slice, and no two of them are equal in these. */
struct stacks_sum {
	u32 event, node, thread, cpu, slice;
	u64 samples, period;
};

/* Samples are ordered by time, event, thread, cpu, node. */
struct stacks_sample {
	u64 time, period;
	u32 node, thread, cpu, event;
};

/* The samples at one address of a function, ordered by frame and address. */
struct stacks_site {
	u32 event, frame;
	u64 addr; /* address in the object, see map_to_file() */
	u64 samples, period;
	u64 start, end;              /* of the symbol */
	u32 sym;                     /* index in symtab */
	const struct symtab *symtab; /* symtab and dso are borrowed from the profile */
	const struct dso *dso;
};

struct stacks_packed;

struct stacks {
	struct stacks_dims dims; /* the dimensions that are stored */
	struct intern texts;     /* stacks_text(); 0 is "" */
	struct stacks_frame *frames;
	u32 nr_frames;
	struct stacks_node *nodes; /* at least the root */
	u32 nr_nodes;
	struct stacks_packed *packed;  /* instead of nodes and sums, see pack.h; or NULL */
	struct stacks_thread *threads; /* at least one */
	u32 nr_threads;
	struct stacks_event *events; /* those with samples, in the order of the recording */
	u32 nr_events;
	struct stacks_sum *sums;
	size_t nr_sums;
	struct stacks_sample *samples; /* NULL unless kept */
	size_t nr_samples;
	struct stacks_site *sites; /* NULL unless kept */
	size_t nr_sites;
	u64 no_symbol;             /* samples in functions without symbol */
	u64 first_time, last_time; /* of the samples, in ns; 0: unknown */
	u64 slice_start, slice_ns; /* slice n begins at start + n * ns; ns is 0 without slices */
	u32 nr_slices;             /* at least 1 */
};

/**
 * stacks_text - return a text by number. It may contain any bytes except zero and has to be
 * escaped. It is borrowed.
 */
static inline const char *stacks_text(const struct stacks *s, u32 text)
{
	return intern_str(&s->texts, text);
}
static inline const char *stacks_frame_name(const struct stacks *s, u32 frame)
{
	return stacks_text(s, s->frames[frame].name);
}

/* The weight of a sum. With dims.durations the period is a duration. */
enum stacks_weight { WEIGHT_PERIOD, WEIGHT_SAMPLES };
/** stacks_weight - return the weight of a sum. */
static inline u64 stacks_weight(const struct stacks_sum *s, enum stacks_weight w)
{
	return w == WEIGHT_SAMPLES ? s->samples : s->period;
}

/**
 * stacks_add - add two sums; the result is at most UINT64_MAX, so that no part is more than the
 * whole.
 */
static inline u64 stacks_add(u64 a, u64 b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/**
 * stacks_node_sums - compute the sums of the nodes over all threads, CPUs and slices.
 * @event: one event, or UINT32_MAX for all
 * @self: receives nr_nodes sums of the stacks that end in each node; may be NULL
 * @total: receives the same including all nodes below
 */
void stacks_node_sums(const struct stacks *s, u32 event, enum stacks_weight w, u64 *self,
		      u64 *total);

/**
 * stacks_path - store the frames from the outermost to @node. @out: room for nodes[node].depth.
 * Return: their number.
 */
u32 stacks_path(const struct stacks *s, u32 node, u32 *out);

/** stacks_depth - return the depth of the deepest node. */
u32 stacks_depth(const struct stacks *s);

/** stacks_func - return the frame that represents the function of a node, which is not the root. */
static inline u32 stacks_func(const struct stacks *s, u32 node)
{
	return s->frames[s->nodes[node].frame].func;
}

/**
 * stacks_next - return the next node with the same parent; 0: there are no more. The first node
 * below @n is n + 1, if nodes[n].end > n + 1.
 */
static inline u32 stacks_next(const struct stacks *s, u32 node)
{
	u32 end = s->nodes[node].end;

	return node && end < s->nodes[s->nodes[node].parent].end ? end : 0;
}

/**
 * stacks_of_hist - make the tree of a finished hist that stores stacks (hist_conf.stacks). Samples
 * that do not pass the filters of the hist are left out. stacks_free() frees the result.
 * @names: names of the events by number in the recording, borrowed for the call
 * @last: free the counts on the way; afterwards the hist can only be passed to hist_free()
 */
struct stacks *stacks_of_hist(struct hist *h, const char *const *names, bool last);
void stacks_free(struct stacks *s);

/**
 * stacks_reduce - make a tree with only the dimensions @dims: sums and frames that differ in
 * nothing else are merged. stacks_free() frees the result.
 */
struct stacks *stacks_reduce(const struct stacks *s, const struct stacks_dims *dims);

/* The frames at the roots of pictures. */
enum stacks_root {
	STACKS_ROOT_USUAL, /* as the format has it */
	STACKS_ROOT_NONE,
	STACKS_ROOT_COMM,
	STACKS_ROOT_PROCESS,
	STACKS_ROOT_THREAD,
	STACKS_ROOT_CPU
};
/**
 * stacks_rooted - make a tree in which each stack is below a frame (FRAME_COMM) of its process,
 * thread or CPU, which @s has to tell apart. stacks_free() frees the result.
 */
struct stacks *stacks_rooted(const struct stacks *s, enum stacks_root root);

/* One event of a recording that is compared with others. */
struct stacks_run {
	const struct stacks *s; /* borrowed */
	u32 event;              /* UINT32_MAX: the recording does not have it */
	u32 side;               /* STACKS_BEFORE or STACKS_NOW */
};
#define STACKS_BEFORE 0
#define STACKS_NOW 1
/** stacks_side - return the side of an event of joined trees. */
static inline u32 stacks_side(const struct stacks_event *e)
{
	return e->evsel & 1;
}
/**
 * stacks_join - make one tree of several runs, each with an event of its own, which is absent if it
 * has no samples. The first runs of both sides are the events with evsel STACKS_BEFORE and
 * STACKS_NOW. Frames are compared by their names alone. stacks_free() frees the result.
 */
struct stacks *stacks_join(const struct stacks_run *runs, u32 nr);

/* ---- the builder ---- */

struct stacks_builder;

/** stacks_builder_new - make a builder. @dims: the dimensions that are stored */
struct stacks_builder *stacks_builder_new(const struct stacks_dims *dims);
/** stacks_builder_text - return the number of a text, for frames. */
u32 stacks_builder_text(struct stacks_builder *b, const char *text);
/**
 * stacks_builder_event - return the number of an event; it is added when there is none with that
 * name and @evsel.
 */
u32 stacks_builder_event(struct stacks_builder *b, const char *name, u32 evsel);
/** stacks_builder_thread - return the number of a thread, which is added when it is new. */
u32 stacks_builder_thread(struct stacks_builder *b, u32 pid, u32 tid, const char *comm);
/**
 * stacks_builder_frame - return the number of a frame, which is added when it is new (func is
 * ignored).
 */
u32 stacks_builder_frame(struct stacks_builder *b, const struct stacks_frame *f);
/**
 * stacks_builder_node - return the node of @frame below @parent, which is added when it is new. The
 * root is 0.
 */
u32 stacks_builder_node(struct stacks_builder *b, u32 parent, u32 frame);
/**
 * stacks_builder_sum - add to the sum with the same dimensions. Numbers are those of the builder.
 */
void stacks_builder_sum(struct stacks_builder *b, const struct stacks_sum *s);
/**
 * stacks_builder_sample - store a sample, with dims.samples. Its sum has to be added separately.
 */
void stacks_builder_sample(struct stacks_builder *b, const struct stacks_sample *s);
/** stacks_builder_time - set the time span and the slices. */
void stacks_builder_time(struct stacks_builder *b, u64 first, u64 last, u64 slice_start,
			 u64 slice_ns, u32 nr_slices);
/**
 * stacks_builder_finish - sort and renumber everything, and free the builder. Return: the tree,
 * which stacks_free() frees.
 */
struct stacks *stacks_builder_finish(struct stacks_builder *b);

#endif
