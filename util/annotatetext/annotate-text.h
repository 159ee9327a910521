/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Annotations as text, in the layouts of perf 6.1, and as JSON. */
#ifndef PERF_ANNOTATETEXT_ANNOTATE_TEXT_H
#define PERF_ANNOTATETEXT_ANNOTATE_TEXT_H

#include "annotate/annotate.h"
#include "annotate/type-counts.h"
#include "base/color.h"

/* The contents of columns, and their form. */
struct annotate_text {
	bool nr_samples, total_period; /* numbers instead of percentages; one of them */
	bool global;                   /* percentages are of all samples, not of the function's */
	bool hits;                     /* they are of samples, not of periods */
	bool full_paths;
	bool positions; /* positions in the source, and the lines with most samples first */
	bool types;     /* types of data that instructions access, of annotations that have them */
	bool addresses; /* the number of samples of each address first */
	bool inlined;   /* sums by inlined callee first, and where inlined functions are called */
	/* of --stdio2 */
	bool raw;   /* instructions begin with their bytes, and are shown as they are */
	bool bytes; /* their bytes stand in front of them; of annotations that have them */
	bool whole_addresses; /* addresses are not counted from the start of the function */
	bool line_numbers;    /* of the source */
	bool cycle_ranges;    /* the fewest and the most cycles of a block, beside the average */
	bool jump_counts;     /* how many jumps lead to an instruction */
	u64 offset_level;     /* which have addresses: 1 targets of jumps, 2 also calls, 3 all */
	u64 frequency;        /* of the first event, per second; 0: its period is fixed */
	const u32 *events;    /* numbers of the events with a column; borrowed */
	size_t nr_events;
	const char *event_names;            /* of these, for headings; borrowed */
	const struct annotate_hits *totals; /* of all functions, by event; borrowed */
	const struct palette *palette;      /* NULL: no colours */
};

/** annotate_text_name - return the name of the kind of percentages, such as "local period". */
const char *annotate_text_name(const struct annotate_text *t);
/** annotate_share - return the share of a column that some counts of its event in a function are,
 * in percent. */
double annotate_share(const struct annotate_text *t, const struct annotation *a, size_t column,
		      const struct annotate_hits *h);
/** annotate_percent - return the share of a column at a line, in percent. */
double annotate_percent(const struct annotate_text *t, const struct annotation *a, size_t line,
			size_t column);

/**
 * annotate_put_type - append the type of data that an instruction accesses, as a comment, if it is
 * known and wanted.
 * @begun: where the text of the instruction begins in @out
 */
void annotate_put_type(const struct annotate_text *t, const struct annotation *a,
		       const struct annotate_line *line, size_t begun, struct strbuf *out);

/** annotate_callees_text - append a line for each inlined callee with samples, if they are wanted.
 */
void annotate_callees_text(const struct annotate_text *t, const struct annotation *a,
			   struct strbuf *out);
/** annotate_calls_text - append from where the inlined function that a line names is called, if
 * that is wanted. */
void annotate_calls_text(const struct annotate_text *t, const struct annotation *a,
			 const struct annotate_line *line, struct strbuf *out);
/** annotate_place_text - append a place in the source. */
void annotate_place_text(const struct annotate_text *t, const struct annotation *a, u32 file,
			 u32 line, struct strbuf *out);
/** annotate_stdio - append the layout of --stdio. */
void annotate_stdio(const struct annotate_text *t, const struct annotation *a, struct strbuf *out);
/** annotate_stdio2 - append the layout of --stdio2. */
void annotate_stdio2(const struct annotate_text *t, const struct annotation *a, struct strbuf *out);

/* Widths of the columns that a function has in the layout of --stdio2. */
struct annotate_widths {
	size_t numbers; /* of all columns of numbers */
	size_t cycles;  /* of the columns of cycles behind these; 0: there are none */
	size_t address; /* of addresses, and of numbers of jumps in front of them; behind a blank */
	size_t jumps;   /* of these; 0: not shown */
	size_t name;    /* of names of instructions */
};

/** annotate_measure - find the widths of the columns of a function. */
void annotate_measure(const struct annotate_text *t, const struct annotation *a,
		      struct annotate_widths *w);
/** annotate_stdio2_title - append what was counted in all. */
void annotate_stdio2_title(const struct annotate_text *t, struct strbuf *out);
/** annotate_stdio2_heads - append the titles of the columns of numbers. */
void annotate_stdio2_heads(const struct annotate_text *t, const struct annotate_widths *w,
			   struct strbuf *out);
/** annotate_stdio2_line - append a line, without a newline. */
void annotate_stdio2_line(const struct annotate_text *t, const struct annotation *a,
			  const struct annotate_widths *w, size_t i, struct strbuf *out);

/** annotate_json_begin - append the beginning of a JSON document. @names: of the columns' events */
void annotate_json_begin(const struct annotate_text *t, const char *const *names,
			 struct strbuf *out);
/** annotate_json - append a function, or why it has no lines; a comma goes between two of them. */
void annotate_json(const struct annotate_text *t, const struct annotation *a, struct strbuf *out);
/** annotate_json_end - append the end of the document. */
void annotate_json_end(struct strbuf *out);

/** annotate_type_table - append a type of data with its members, and what was counted at each. */
void annotate_type_table(const struct annotate_text *t, const struct type_count *type,
			 struct strbuf *out);
/** annotate_type_statistic - append for how many samples a type was found, and why not for others.
 */
void annotate_type_statistic(const struct type_counts *c, struct strbuf *out);
/** annotate_insn_statistic - append the same by the names of the instructions. */
void annotate_insn_statistic(const struct type_counts *c, struct strbuf *out);

#endif
