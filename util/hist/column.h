/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a column is to the histogram: what has to be kept of samples for it, and how it compares
 * rows. Room `columns` has the table of all columns and makes the lists of those that are used.
 */
#ifndef PERF_HIST_COLUMN_H
#define PERF_HIST_COLUMN_H

#include "base/err.h"
#include "base/strbuf.h"

#define HIST_MAX_COLUMNS 1024
/* The number of columns of tracepoint fields that there may be. */
#define HIST_MAX_FIELDS 64

struct hist;
struct hist_conf;
struct hist_row;
struct hist_sample;
struct hist_event;

/* The parts of samples that have to be kept for a column. */
enum hist_need {
	NEED_COMM = 1,
	NEED_THREAD = 2,
	NEED_CPU = 4,
	NEED_DSO = 8,
	NEED_SYM = 16,
	/* These are for columns of branches: */
	NEED_DSO_FROM = 32,
	NEED_SYM_FROM = 64,
	NEED_FLAGS = 128,
	NEED_CYCLES = 256,
	NEED_MODES = 512,
	/* Key addresses, with their symbols: */
	NEED_ADDRS = 1024,
	NEED_PARENT = 2048,
	NEED_LATENCY = 4096,
	NEED_PARALLELISM = 8192, /* parallelism tells rows apart */
	NEED_CLASSES = 16384,    /* what memory accesses are: sums by class */
};

/*
 * Values of a sample that rows are told apart by. Plain numbers are KEY_NUMBER, and the column has
 * the function that returns them; the others are kept in a form of their own.
 */
enum hist_key {
	KEY_NOTHING,
	KEY_NUMBER,
	KEY_IP,          /* the address of the sample, or of a caller in rows of callers */
	KEY_PARENT,      /* number of a text */
	KEY_COMM_KIND,   /* the name of the thread without its digits; number of a text */
	KEY_PARALLELISM, /* 0 where it does not tell rows apart */
	KEY_CLASSES,     /* 0, as classes of accesses do not tell rows apart */
	/* Addresses: the number of a struct key_addr while samples are counted, and then this. */
	KEY_DATA,      /* number of an address */
	KEY_DATA_DSO,  /* number of a name */
	KEY_DATA_LINE, /* rank of the cache line */
	KEY_INSTR,     /* number of an address, as the next two */
	KEY_ADDR_FROM,
	KEY_ADDR_TO,
	KEY_DSO_SIZE, /* bytes */
	KEY_SYM_SIZE, /* bytes */
	KEY_SYM_OFF,  /* number of an address */
	KEY_SRCLINE,  /* number of a text, as the next three */
	KEY_SRCFILE,
	KEY_SRCLINE_FROM,
	KEY_SRCLINE_TO,
	KEY_TYPE, /* number of a text that conf.place_text writes, as the next two */
	KEY_TYPE_OFF,
	KEY_TYPE_LINE,
	/* Numbers of texts that come with the sample: */
	KEY_TRACE,
	KEY_CGROUP_ID,
	KEY_FIELD, /* of the first field column; the others follow */
	NR_KEYS = KEY_FIELD + HIST_MAX_FIELDS
};

/* Columns may show at most this many different plain numbers. */
#define HIST_MAX_NUMBERS 128

/* Returns a number of a sample. Columns with the same function share the value. */
typedef u64 hist_number_fn(const struct hist_conf *conf, const struct hist_sample *s);

/* One value that is kept of samples. */
struct hist_key_value {
	enum hist_key key;
	hist_number_fn *number; /* of KEY_NUMBER */
	bool few;               /* as in struct hist_column */
};

struct hist_column {
	const char *name; /* in --sort and --fields, where a prefix will do */
	const char *header;
	unsigned int need;      /* enum hist_need */
	enum hist_key key;      /* the value of samples that it shows */
	hist_number_fn *number; /* with KEY_NUMBER: returns that value */
	bool few;               /* samples have few different values of it */
	bool metric;            /* a sum over samples: not part of a row's identity */
	bool wide;              /* rank() needs 64 bits */
	u16 width;              /* fixed or least width; 0: of the header */
	bool branch;            /* of branches only */
	bool mem;               /* of memory accesses only */
	bool stages;            /* of processors whose third weight is of pipeline stages */
	u8 flag;                /* with NEED_FLAGS: the flags of branches that the column shows */
	u8 mode;  /* with NEED_MODES, NEED_LATENCY and NEED_CLASSES: the sum that it shows, enum
		     hist_mode */
	bool raw; /* as the last column it is not padded */
	/* It is measured only where the keys before it left samples to compare. */
	bool if_compared;
	bool children; /* the sum includes what the row called: groups go by their leader */
	u32 event;     /* number + 1 of the only event that has it; 0: all have it */
	bool right;    /* its title stands right */
	bool whole;    /* never cut, however narrow the column was asked for */
	bool shortens; /* its texts are names, shortened where lines have to fit a terminal */
	/* The text is like "[.] main": it may be cut, but not within what stands in front of the
	 * name; with @whole not within the offset behind it either. */
	bool function;
	bool of_value; /* its text depends on nothing but the value, as it always does with @text */
	bool of_place; /* its text depends on nothing but the place and the level of a row */
	/* Writes the text of a value, in columns whose text depends on nothing else. */
	void (*text)(u64 value, struct strbuf *out);
	/* Widens @width for one row; NULL: the width is fixed. */
	void (*measure)(const struct hist *h, const struct hist_column *col,
			const struct hist_row *row, u16 *width, u16 *dso_width);
	/*
	 * Returns a number of a row. Of rows with equal numbers only one has to be measured. NULL:
	 * all have to be.
	 */
	u32 (*measured)(const struct hist *h, const struct hist_row *row);
	/*
	 * Returns what rows are sorted by: a sum (larger ones first) or a rank (smaller ones
	 * first).
	 * @member: of a group, the event whose sum is meant; 0: the leader
	 */
	u64 (*rank)(const struct hist *h, const struct hist_column *col, const struct hist_row *row,
		    u32 member);
	/* Tells apart rows of equal rank that are not the same; NULL: rank() does. */
	u64 (*identity)(const struct hist *h, const struct hist_row *row);
	/*
	 * Writes the text of a cell, without padding.
	 * @ev: the first of nr_members events; shares are parts of their periods
	 */
	void (*format)(const struct hist *h, const struct hist_column *col,
		       const struct hist_event *ev, const struct hist_row *row, u16 width,
		       const char *sep, struct strbuf *out);
};

struct hist_columns {
	const struct hist_column *col[HIST_MAX_COLUMNS]; /* shown, left to right */
	u16 place[HIST_MAX_COLUMNS]; /* the position of each among all columns, hidden ones included
				      */
	u32 nr;
	bool open_end; /* columns after the last one are hidden */
	const struct hist_column *sort[HIST_MAX_COLUMNS]; /* compared, first first */
	u32 nr_sort;
	unsigned int need;                                      /* of all columns together */
	struct hist_key_value keys[NR_KEYS + HIST_MAX_NUMBERS]; /* kept of samples */
	u8 nr_keys;
	u8 key_at[NR_KEYS]; /* by key, but for KEY_NUMBER: its place in @keys + 1; 0: it is not
			       there */
	u8 flags;           /* the flags of branches that tell rows apart */
	bool branches;      /* columns of branches may be used; set it before the lists are made */
	bool mem;           /* columns of memory accesses may be used; the same */
	/*
	 * Columns that columns_sort() puts in front of those of the keys, and compares last; NULL.
	 */
	const char *front;
	/*
	 * Returns the @nth column of a key that the table does not have, NULL: there are no more.
	 * It has to return the same columns each time. Set it before the lists are made; or NULL.
	 */
	const struct hist_column *(*more)(void *ctx, const char *key, size_t len, u32 nth);
	void *more_ctx;
	bool stages;       /* columns of pipeline stages may be used; else --sort leaves them out */
	bool modes;        /* --sort: with shares of the kernel and of user space */
	bool symbol_first; /* the first sort key is the symbol: chains do not repeat it */
	bool children;     /* the Children column is shown */
	bool latency;      /* --sort: by latency, which stands before the share */
	/* --hierarchy: what stands in which level, from the outermost; @col has them behind the
	 * sums */
	bool hierarchy;
	const struct hist_column *level_col[HIST_MAX_COLUMNS];
	u16 level_of[HIST_MAX_COLUMNS];
	u32 nr_level_cols, nr_levels;
};

#endif
