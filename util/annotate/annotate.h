/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The annotation of functions: their instructions, where these jump to, the lines of source they
 * come from, and what events counted at each. Nothing here is printed; rooms of text and views of
 * terminals read the result.
 */
#ifndef PERF_ANNOTATE_ANNOTATE_H
#define PERF_ANNOTATE_ANNOTATE_H

#include "annotate/counts.h"
#include "base/strbuf.h"

struct arch;
struct machine;
struct symbols;

/* The tools that write instructions, and the parts of the source that are wanted. Strings are
 * borrowed. */
struct annotate_conf {
	const struct arch *arch;
	bool objdump;             /* the program objdump disassembles, not the library */
	const char *objdump_path; /* NULL: objdump of $PATH */
	const char *syntax;       /* -M: "intel", "att", or what objdump takes; NULL: usual */
	bool no_source;           /* without lines of source */
	bool raw;                 /* bytes of instructions in front of them */
	bool positions;           /* positions in the source are wanted of each instruction */
	bool types;               /* types of the data that instructions access are wanted */
	bool bytes;               /* bytes of instructions are wanted as texts of their own */
	bool calls; /* lines of source with inlined calls are wanted, too: they come last */
	bool sites; /* where code cannot be disassembled, its sampled addresses are lines */
	bool no_demangle;
	/* These give names to addresses of the kernel in other objects; borrowed, NULL: they have
	 * none. The model is sealed. */
	const struct machine *machine;
	struct symbols *symbols;
	const char *prefix; /* put before absolute paths of source files; NULL: none */
	int prefix_strip;   /* folders to leave out of such a path first; 0: none */
	u32 nr_events;
	int workers;
};

enum annotate_kind {
	ANNOTATE_TEXT,   /* a heading, or a name of a function or file */
	ANNOTATE_SOURCE, /* a line of source */
	ANNOTATE_INSN,
};

enum annotate_flow { FLOW_NONE, FLOW_JUMP, FLOW_CALL, FLOW_RETURN };

/* A line of an annotation. Texts are offsets into its text. */
struct annotate_line {
	u8 kind, flow;
	bool has_target;  /* @target is known */
	bool inside;      /* @target is an instruction of the same function */
	u32 text;         /* what to show */
	u32 number;       /* of a text or source line; 0 of an instruction */
	u32 indent;       /* blanks that stand in front of a source line in its file */
	u64 addr, target; /* as the headers of the object number addresses */
	u32 target_name;  /* the function that begins at @target; 0: none, or it is within */
	u32 jumps;        /* from how many places of the function it is jumped to */
	double ipc;       /* instructions per cycle of its block; 0: not measured */
	u64 cycles;       /* of the block that ends here, on average; 0: none ends here */
	u64 least, most;  /* the fewest and the most cycles that it took once */
	u32 file, line;   /* position in the source; file 0: unknown */
	u32 bytes;        /* its bytes in hex; 0: not wanted */
	u32 inlined;      /* the innermost inlined call that it is part of, or, of a text, that it
			     is the name of; 0: none */
	u32 type;         /* the type of data that it accesses; 0: unknown or not wanted */
};

/* A call that the compiler inlined: what it calls is part of the function. */
struct annotate_inline {
	u32 function;   /* text: what is called */
	u32 file, line; /* of the call; file 0: unknown */
	u32 outer;      /* number of the inlined call that makes this one; 0: the function does */
};

/* The annotation of a function. */
struct annotation {
	const struct annotate_function *of;
	char *why;      /* owned; why there are no lines; NULL: there are */
	u64 start, end; /* of the function, as its object's headers number addresses */
	struct annotate_line *lines;
	size_t nr, cap;
	struct strbuf text;         /* texts, with their terminators; begins with an empty one */
	struct annotate_hits *hits; /* of line i and event e: hits[i * nr_events + e] */
	u32 nr_events;
	bool has_cycles; /* ipc and cycles of some lines are set */
	bool has_types;  /* types of data were looked for */
	bool sites_only; /* instructions are not known: there is one without text for each sampled
			    address */
	struct annotate_inline *inlines; /* by number; 0 is none */
	size_t nr_inlines, cap_inlines;
};

/* A function of which calls were inlined, and what was counted in it. */
struct annotate_callee {
	u32 function;                /* text */
	u32 file, line;              /* of one of these calls; file 0: unknown */
	u32 nr_calls;                /* from how many places it is called */
	struct annotate_hits *self;  /* owned; by event: without what it calls */
	struct annotate_hits *total; /* owned; by event */
};

/* Tools and debug information, which stay from one call to the next. */
struct annotator;

/** annotator_new - prepare. @conf: borrowed; annotator_free() frees the result. */
struct annotator *annotator_new(const struct annotate_conf *conf);
void annotator_free(struct annotator *an);
/**
 * annotate_many - annotate functions, on several threads.
 * @functions: pointers to @nr functions; borrowed as long as the result is used
 * Return: @nr annotations in the same order; annotations_free() frees them. A function that cannot
 * be annotated has a sentence that says why.
 */
struct annotation *annotate_many(struct annotator *an,
				 const struct annotate_function *const *functions, size_t nr);
void annotations_free(struct annotation *a, size_t nr);

/** annotate_find_types - look for the types of data that the instructions of an annotation access,
 * as annotate_many() does when the configuration asks for them. */
void annotate_find_types(struct annotator *an, struct annotation *a);

/**
 * annotation_recount - show other counts of the same function.
 * @of: the function with them, which is borrowed as the one before was
 */
void annotation_recount(struct annotation *a, const struct annotate_function *of);

/**
 * annotation_source - list the lines of source of an annotation, each once, by file and number.
 * Return: *@nr pointers to its lines; the caller frees the array.
 */
const struct annotate_line **annotation_source(const struct annotation *a, size_t *nr);
/**
 * annotation_callees - sum up what was counted by inlined callee. A function that is inlined into
 * itself counts once in its total.
 * Return: *@nr callees with samples, those with the highest period of the first of the @events
 *	first; annotate_callees_free() frees them.
 */
struct annotate_callee *annotation_callees(const struct annotation *a, const u32 *events,
					   size_t nr_events, size_t *nr);
void annotate_callees_free(struct annotate_callee *callees, size_t nr);

/** annotation_text - return a text of an annotation by its offset. */
static inline const char *annotation_text(const struct annotation *a, u32 at)
{
	return a->text.buf + at;
}

/** annotation_hits - return what an event counted at a line. */
static inline const struct annotate_hits *annotation_hits(const struct annotation *a, size_t line,
							  u32 event)
{
	return &a->hits[line * a->nr_events + event];
}

#endif
