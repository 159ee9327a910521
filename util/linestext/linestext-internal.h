/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of this room share the lines that are shown, and the text of their places. */
#ifndef PERF_LINESTEXT_LINESTEXT_INTERNAL_H
#define PERF_LINESTEXT_LINESTEXT_INTERNAL_H

#include "linestext/linestext.h"
#include "resolve/srcline.h"

#define CLINES_MAX_NODES 64

struct datatypes;

/* Blocks of physical memory of one node: MEM_TOPOLOGY. */
struct memory_node {
	u32 node;
	const u8 *bits; /* of blocks; borrowed from the file */
	u64 nr_bits;
};

/* An entry, with the texts that its row shows. */
struct entry_texts {
	struct strbuf symbol, object, source, field;
	bool unresolved; /* @symbol is an address */
};

#define ENTRY_TEXTS_INIT                                                                           \
	{                                                                                          \
		STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, false                          \
	}

/** entry_texts_release - free the texts. */
void entry_texts_release(struct entry_texts *x);

struct clines_table {
	const struct clines_show *show; /* borrowed */
	struct recording *r;            /* borrowed */
	struct clines *lines;
	enum clines_display display; /* not AUTO */
	u32 line_size;               /* bytes */
	u64 last_time;               /* names of threads are those of the end */
	const struct line **shown;   /* in the order of the table */
	size_t nr_shown;
	struct line_counts shared; /* of all lines that are shared */
	u64 nr_shared;
	struct srclines *sources; /* made when a line is asked for */
	struct datatypes *types;  /* likewise */
	struct memory_node memory[CLINES_MAX_NODES];
	u32 nr_memory;
	u64 block_size; /* 0: it is not known of which node memory is */
	u32 nr_nodes;
	struct thread_at thread;      /* of the last name that was asked for */
	struct clines_chains *chains; /* NULL: call graphs are not shown */
};

/** clines_measure - return what lines are sorted by. */
static inline u64 clines_measure(enum clines_display d, const struct line_counts *c)
{
	switch (d) {
	case DISPLAY_LOCAL:
		return c->nr[ACCESS_LCL_HITM];
	case DISPLAY_REMOTE:
		return c->nr[ACCESS_RMT_HITM];
	case DISPLAY_PEER:
		return line_peers(c);
	default:
		return line_hitms(c);
	}
}

/** clines_display_name - return how the order of the lines is called. */
const char *clines_display_name(enum clines_display d);
/** clines_has_key - tell whether entries are told apart by this. */
bool clines_has_key(const struct clines_show *s, enum clines_key key);
/** clines_key_name - return the name of a key, as -c takes it. */
const char *clines_key_name(enum clines_key key);

/** clines_memory_read - read of which node the memory of the recorded machine is. */
void clines_memory_read(struct clines_table *t);
/** clines_node_of_page - return the node of a physical line; -1: it is not known. */
s32 clines_node_of_page(const struct clines_table *t, u64 page);
/** clines_node_of_cpu - return the node of a CPU; -1: it is not known. */
s32 clines_node_of_cpu(const struct clines_table *t, u32 cpu);
/** clines_line_size - return the size of a cache line of the recorded machine, in bytes; twice of
 * that for double lines. */
u32 clines_line_size(const struct recording *r, bool twice);

/** clines_row_code - find the code of a row. */
void clines_row_code(const struct clines_table *t, const struct line_row *r, struct location *out);
/** clines_row_comm - return the name of the thread of a row; borrowed until the next call. */
const char *clines_row_comm(struct clines_table *t, const struct line_row *r);
/** clines_row_texts - append symbol, object, source line and field of the code of a row. The caller
 * has emptied @texts. */
void clines_row_texts(struct clines_table *t, const struct line_row *r, struct entry_texts *texts);

/* An entry that is shown. */
struct shown_entry {
	const struct line_entry *e;
	struct line_sums sums;
};

/** clines_entry_order - sort the entries of a line that are shown. The caller frees them. @nr:
 * their number */
struct shown_entry *clines_entry_order(const struct clines_table *t, const struct line *line,
				       size_t *nr);

/** clines_put_events - append the tables of sums. */
void clines_put_events(const struct clines_table *t, struct strbuf *out);
/** clines_put_table - append the table of lines. */
void clines_put_table(const struct clines_table *t, struct strbuf *out);
/** clines_put_pareto - append the table of entries. */
void clines_put_pareto(struct clines_table *t, struct strbuf *out);
/** clines_put_nodes - append the column on nodes. */
void clines_put_nodes(const struct clines_table *t, const struct shown_entry *s,
		      struct strbuf *out);

/* Loads that wait for fields which only their own thread, or nobody, stores to. */
struct line_advice {
	u64 apart, contended; /* such loads, and all that wait */
	u32 offset, row;      /* the field that is stored to most, and a row of such a store */
	u32 tid;              /* by whom */
	bool several;         /* and others */
};

/** clines_advise - tell whether at least half of what waits for a line would not, if one of its
 * fields were elsewhere. */
bool clines_advise(const struct clines_table *t, const struct line *line, struct line_advice *out);
/** clines_put_advice - append that advice, if there is one. */
void clines_put_advice(struct clines_table *t, const struct line *line, struct strbuf *out);
/** clines_put_field - append the type and the member that the code of a row accesses; nothing if
 * debug information does not tell. */
void clines_put_field(struct clines_table *t, const struct line_row *r, struct strbuf *out);
/** clines_put_data - append what the memory of a line belongs to. */
void clines_put_data(struct clines_table *t, const struct line *line, struct strbuf *out);

/** clines_put_set - append the numbers of the bits that are set, as "0-2,5". */
void clines_put_set(const u64 *bits, u32 nr, struct strbuf *out);
/** clines_memory_nodes - return the nodes whose memory these rows are in, as bits; @pages receives
 * how many physical lines there are, 0 if none is known. */
u64 clines_memory_nodes(const struct clines_table *t, u32 row, u32 nr_rows, u64 *pages);
/** clines_put_instructions - append the instructions around the code of a row, and the calls that
 * were inlined there, or why they are not known. */
void clines_put_instructions(const struct clines_table *t, const struct line_row *r,
			     struct strbuf *out);
/** clines_wants_chains - tell whether call graphs are shown, or may be: then one thread reads. */
bool clines_wants_chains(const struct clines_table *t);
/** clines_chains_open - prepare to keep call chains if they are to be shown and there are any.
 * clines_chains_free() frees what it makes; NULL is fine. */
void clines_chains_open(struct clines_table *t);
void clines_chains_free(struct clines_chains *c);
/** clines_chain_number - return the number of the call chain of a sample. */
u32 clines_chain_number(struct clines_chains *c, const struct session_event *ev,
			const struct thread_at *at);
/** clines_graphs_new - make the call graphs of the entries of a line; NULL: none are shown.
 * hist_free() frees them. */
struct hist *clines_graphs_new(const struct clines_table *t, const struct line *line);
/** clines_put_graph - append the call graph of an entry of that line; nothing without @h. */
void clines_put_graph(const struct clines_table *t, const struct hist *h, const struct line *line,
		      const struct line_entry *e, struct strbuf *out);
/** clines_json_graph - append it as a member of an object, behind another one. */
void clines_json_graph(const struct clines_table *t, const struct hist *h, const struct line *line,
		       const struct line_entry *e, struct strbuf *out);

/** clines_nr_cpus - return on how many CPUs an entry was accessed. */
u64 clines_nr_cpus(const struct clines_table *t, const struct line_entry *e);

#endif
