/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contention for cache lines as text, in the layout of perf 6.1, and as JSON: a recording of memory
 * accesses in, tables of shared lines out.
 *
 *	clines_show_coalesce(&show, "tid,iaddr", &err);
 *	t = clines_table_new(&show, &recording, workers, &err);
 *	clines_table_put(t, &text);
 *	clines_table_free(t);
 */
#ifndef PERF_LINESTEXT_LINESTEXT_H
#define PERF_LINESTEXT_LINESTEXT_H

#include "base/strbuf.h"
#include "hist/hist.h"
#include "lines/lines.h"
#include "recording/recording.h"

/* Lines are sorted by this. AUTO: as the processors of the recording tell of it. */
enum clines_display { DISPLAY_AUTO, DISPLAY_TOTAL, DISPLAY_LOCAL, DISPLAY_REMOTE, DISPLAY_PEER };

/* The last column says this of NUMA nodes. */
enum clines_nodes { NODES_IDS, NODES_SHARES, NODES_CPUS };

/* It tells what is shown; it starts zeroed. */
struct clines_show {
	enum clines_display display;
	enum clines_nodes nodes;
	bool stats_only, all_lines, full_symbols, no_source, verbose;
	bool objects;            /* with what lines hold, which fields code accesses, and advice */
	bool threads;            /* who accesses places may be asked for, whatever entries are
				  * told apart by */
	bool double_lines;       /* processors that fetch lines in pairs contend for both */
	struct chain_conf graph; /* of call chains, where samples have them; CHAIN_NONE: not shown
				  */
	const char *syntax;  /* of instructions: "intel", "att"; NULL: the usual one; borrowed */
	const char *objdump; /* the program that disassembles; NULL: a library; borrowed */
	/* private; see clines_show_coalesce() */
	u8 keys[CLINES_KEYS];
	u32 nr_keys;
};

/** clines_show_coalesce - read -c: what accesses of an entry have in common, some of pid, tid,
 * iaddr and dso. Return: 0, or -EINVAL and a sentence. */
int clines_show_coalesce(struct clines_show *s, const char *text, struct err *err);
/** clines_key_words, clines_display_words - append the words of -c or -d, with blanks between them.
 */
void clines_key_words(struct strbuf *out);
void clines_display_words(struct strbuf *out);
/** clines_show_display - read -d: tot, lcl, rmt or peer. Return: as clines_show_coalesce(). */
int clines_show_display(struct clines_show *s, const char *text, struct err *err);

struct clines_table;
/**
 * clines_table_new - read the recording and make its lines.
 * @show: borrowed; @r: opened and borrowed
 * @workers: threads that read
 * Return: NULL on failure, and a sentence in @err.
 */
struct clines_table *clines_table_new(const struct clines_show *show, struct recording *r,
				      int workers, struct err *err);
void clines_table_free(struct clines_table *t);

/** clines_table_put - append the tables: events, shared lines, what is shown, lines, their entries.
 */
void clines_table_put(struct clines_table *t, struct strbuf *out);
/** clines_table_json - append all that as one JSON object. */
void clines_table_json(struct clines_table *t, struct strbuf *out);
/** clines_table_html - append a page for a browser: the lines, and for each what is accessed in it.
 */
void clines_table_html(struct clines_table *t, struct strbuf *out);
/** clines_table_sums - append the tables of sums. */
void clines_table_sums(const struct clines_table *t, struct strbuf *out);

/* ---- row by row, for a screen ---- */

/** clines_table_nr - return the number of lines that are shown. */
size_t clines_table_nr(const struct clines_table *t);
/** clines_table_title, clines_table_heads - append what the table has, and the titles of its
 * columns, which stand above clines_table_row(). */
void clines_table_title(const struct clines_table *t, struct strbuf *out);
void clines_table_heads(const struct clines_table *t, struct strbuf *out);
/** clines_table_row - append the row of the @nth line, without an end of line. */
void clines_table_row(const struct clines_table *t, size_t nth, struct strbuf *out);

struct clines_places;
/** clines_places_new - prepare the places in the @nth line, as the options of the table want them
 * at that time. clines_places_free() frees them. */
struct clines_places *clines_places_new(struct clines_table *t, size_t nth);
void clines_places_free(struct clines_places *p);
/** clines_places_nr - return how many there are. */
size_t clines_places_nr(const struct clines_places *p);
/** clines_places_title, clines_places_heads, clines_places_row - append what those of the table
 * append, for the places. */
void clines_places_title(const struct clines_places *p, struct strbuf *out);
void clines_places_heads(const struct clines_places *p, struct strbuf *out);
void clines_places_row(struct clines_places *p, size_t nth, struct strbuf *out);
/** clines_places_details - append lines on the @nth place: its code, source and field, and who
 * accessed it on which CPU. */
void clines_places_details(struct clines_places *p, size_t nth, struct strbuf *out);

#endif
