/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as one tree of stacks: what every export (flame graphs, pages, formats of other viewers)
 * walks. Made from a hist, whose unique raw stacks it turns into frames and nodes once each, or by
 * hand with a builder (differences, tests).
 *
 * Everything is in an order of its own that does not depend on how many workers counted: threads by
 * (pid, tid, comm), frames by name, nodes outermost first and depth first with siblings in the
 * order of their frames, sums and samples as said below. Ids are indices.
 */
#ifndef PERF_STACKTREE_STACKS_H
#define PERF_STACKTREE_STACKS_H

#include "base/intern.h"
#include "hist/counted-stacks.h"

enum stacks_kind {
	FRAME_UNKNOWN, /* nothing is mapped there, or the object has no symbol for it */
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_MODULE, /* of the kernel */
	FRAME_JIT,    /* code made at run time: perf map files, jitdump, BPF programs */
	FRAME_INLINED,
	FRAME_GUEST_KERNEL,
	FRAME_GUEST_USER,
	FRAME_HYPERVISOR,
	FRAME_COMM, /* no code: the name of a thread */
	NR_FRAME_KINDS
};

/* A function as it is shown; by line or address too, where asked for. */
struct stacks_frame {
	u32 name;    /* text; without a symbol "[object]", or "[unknown]" when there is no object */
	u32 dso;     /* text: short name of the object; 0 ("") unknown */
	u32 path;    /* text: path of the object; 0 unknown */
	u32 file;    /* text: source file; 0 when not known or not asked for */
	u32 line;    /* 0 when not known */
	u8 kind;     /* enum stacks_kind */
	bool symbol; /* the name is one of a symbol */
	u64 start;   /* where the symbol starts in the object; 0 without symbol */
	u64 addr;    /* in the object, with dims.addresses, else 0 */
	u32 func;    /* the first frame of the same function (name, dso, kind); set at the end */
	u32 build_id; /* text: of the object, in hex; 0 unknown */
};

/* A stack is the number of its innermost node. Node 0 is the root and has no frame. */
struct stacks_node {
	u32 parent; /* less than the number of the node; of the root: 0 */
	u32 frame;  /* UINT32_MAX of the root */
	u32 end; /* the nodes below this one are those from the next number up to this, exclusive */
	u32 depth; /* of the root 0 */
};

struct stacks_thread {
	u32 pid, tid;
	u32 comm; /* text */
};

struct stacks_event {
	u32 name;            /* text */
	u32 evsel;           /* its number in the recording */
	u64 samples, period; /* all sums of it */
};

/* In the order of event, node, thread, cpu, slice; no two are alike in these. */
struct stacks_sum {
	u32 event, node, thread, cpu, slice;
	u64 samples, period;
};

/* In the order of time, event, thread, cpu, node. */
struct stacks_sample {
	u64 time, period;
	u32 node, thread, cpu, event;
};

/* Samples at one address of a function, by frame and address. */
struct stacks_site {
	u32 event, frame;
	u64 addr; /* in the object, as map_to_file() gives it */
	u64 samples, period;
	u64 start, end;              /* of the symbol */
	u32 sym;                     /* in the table */
	const struct symtab *symtab; /* these are borrowed from the profile */
	const struct dso *dso;
};

struct stacks_packed;

struct stacks {
	struct stacks_dims dims; /* what is kept */
	struct intern texts;     /* stacks_text(); 0 is "" */
	struct stacks_frame *frames;
	u32 nr_frames;
	struct stacks_node *nodes; /* at least the root */
	u32 nr_nodes;
	struct stacks_packed *packed;  /* instead of nodes and sums, see stacks-pack.h; or NULL */
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
	u64 first_time, last_time; /* ns; of the samples; 0 when not known */
	u64 slice_start, slice_ns; /* slice n is from start + n * ns; ns is 0 without slices */
	u32 nr_slices;             /* at least 1 */
};

/** stacks_text - text by number: any bytes up to a zero, as recorded; borrowed. Escape it. */
static inline const char *stacks_text(const struct stacks *s, u32 text)
{
	return intern_str(&s->texts, text);
}
static inline const char *stacks_frame_name(const struct stacks *s, u32 frame)
{
	return stacks_text(s, s->frames[frame].name);
}

/* The period may be one that was made (dims.durations). */
enum stacks_weight { WEIGHT_PERIOD, WEIGHT_SAMPLES };
/** stacks_weight - what a sum counts for. */
static inline u64 stacks_weight(const struct stacks_sum *s, enum stacks_weight w)
{
	return w == WEIGHT_SAMPLES ? s->samples : s->period;
}

/** stacks_add - sums together; at most UINT64_MAX, so that no part is more than the whole. */
static inline u64 stacks_add(u64 a, u64 b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/**
 * stacks_node_sums - sums of the nodes over all threads, CPUs and slices.
 * @event: of one, or UINT32_MAX: of all
 * @self: of each node, nr_nodes; what ended there; may be NULL
 * @total: the same with what is below it
 */
void stacks_node_sums(const struct stacks *s, u32 event, enum stacks_weight w, u64 *self,
		      u64 *total);

/** stacks_path - the frames from the outermost to @node. @out: room for nodes[node].depth. Return:
 * their number. */
u32 stacks_path(const struct stacks *s, u32 node, u32 *out);

/** stacks_depth - of the deepest node. */
u32 stacks_depth(const struct stacks *s);

/** stacks_func - the frame that stands for the function of a node, which is not the root. */
static inline u32 stacks_func(const struct stacks *s, u32 node)
{
	return s->frames[s->nodes[node].frame].func;
}

/** stacks_next - the next node that has the same parent; 0: no more. The first one below @n is n +
 * 1 when nodes[n].end > n + 1. */
static inline u32 stacks_next(const struct stacks *s, u32 node)
{
	u32 end = s->nodes[node].end;

	return node && end < s->nodes[s->nodes[node].parent].end ? end : 0;
}

/**
 * stacks_of_hist - of a finished hist that keeps stacks (hist_conf.stacks). Samples that do not
 * pass the filters of the hist are not in it.
 * @names: of the events, by number in the recording; borrowed for the call
 * @last: what was counted is given up on the way: the hist is for nothing but hist_free() then
 * Return: free with stacks_free().
 */
struct stacks *stacks_of_hist(struct hist *h, const char *const *names, bool last);
void stacks_free(struct stacks *s);

/**
 * stacks_reduce - the same with no more than @dims: sums and frames that only what is left out
 * tells apart become one. Free with stacks_free().
 */
struct stacks *stacks_reduce(const struct stacks *s, const struct stacks_dims *dims);

#define STACKS_BEFORE 0
#define STACKS_NOW 1
/**
 * stacks_join - one event each of two recordings in one tree: events[].evsel is STACKS_BEFORE or
 * STACKS_NOW; one without samples is not there. Frames are told apart by their names alone. Free
 * with stacks_free().
 */
struct stacks *stacks_join(const struct stacks *before, u32 event_before, const struct stacks *now,
			   u32 event_now);

/* ---- by hand ---- */

struct stacks_builder;

/** stacks_builder_new - @dims say what is kept of what is added. */
struct stacks_builder *stacks_builder_new(const struct stacks_dims *dims);
/** stacks_builder_text - the number of a text, for frames. */
u32 stacks_builder_text(struct stacks_builder *b, const char *text);
/** stacks_builder_event - number of an event, made when there is none of that name and @evsel. */
u32 stacks_builder_event(struct stacks_builder *b, const char *name, u32 evsel);
/** stacks_builder_thread - number of a thread, made when new. */
u32 stacks_builder_thread(struct stacks_builder *b, u32 pid, u32 tid, const char *comm);
/** stacks_builder_frame - number of a frame, made when there is none like it (func is ignored). */
u32 stacks_builder_frame(struct stacks_builder *b, const struct stacks_frame *f);
/** stacks_builder_node - the node of @frame below @parent, made when new. The root is 0. */
u32 stacks_builder_node(struct stacks_builder *b, u32 parent, u32 frame);
/** stacks_builder_sum - add to the sum that is alike. Numbers are those of the builder. */
void stacks_builder_sum(struct stacks_builder *b, const struct stacks_sum *s);
/** stacks_builder_sample - with dims.samples: keep it. Its sum is added separately. */
void stacks_builder_sample(struct stacks_builder *b, const struct stacks_sample *s);
/** stacks_builder_time - the span, and how slices are cut. */
void stacks_builder_time(struct stacks_builder *b, u64 first, u64 last, u64 slice_start,
			 u64 slice_ns, u32 nr_slices);
/** stacks_builder_finish - put all in order and number it anew; the builder is gone afterwards. */
struct stacks *stacks_builder_finish(struct stacks_builder *b);

#endif
