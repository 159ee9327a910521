/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort keys and columns: one table for every output. */
#ifndef PERF_HIST_COLUMN_H
#define PERF_HIST_COLUMN_H

#include "base/err.h"
#include "base/strbuf.h"

#define HIST_MAX_COLUMNS 1024
/* Columns of fields of tracepoints that there may be. */
#define HIST_MAX_FIELDS 64

struct hist;
struct hist_row;
struct hist_event;

/* What of a sample must be kept for a column. */
enum hist_need {
	NEED_COMM = 1,
	NEED_THREAD = 2,
	NEED_CPU = 4,
	NEED_DSO = 8,
	NEED_SYM = 16,
	/* Of branches: */
	NEED_DSO_FROM = 32,
	NEED_SYM_FROM = 64,
	NEED_FLAGS = 128,
	NEED_CYCLES = 256,
	NEED_MODES = 512,
	/* Addresses beside that of the sample, with their symbols: */
	NEED_AT = 1024,
	NEED_PARENT = 2048,
	NEED_LATENCY = 4096,
	NEED_PARALLELISM = 8192, /* rows are told apart by it */
};

/* Numbers of a sample that rows are told apart by; see kept.c. */
enum hist_kept {
	KEPT_NOTHING,
	KEPT_SOCKET,
	KEPT_CGROUP,
	KEPT_WEIGHT,
	KEPT_INS_LAT,
	KEPT_P_STAGE_CYC,
	KEPT_RETIRE_LAT,
	KEPT_TRANSACTION,
	KEPT_TIME,
	KEPT_CODE_PAGE_SIZE,
	KEPT_IP,
	KEPT_TGID,
	KEPT_PARENT,    /* number of a text */
	KEPT_COMM_KIND, /* of names that only differ in digits, the first */
	KEPT_LEVEL,     /* of a data source: the bits that say where it was served from, ... */
	KEPT_SNOOP,
	KEPT_TLB,
	KEPT_LOCK,
	KEPT_BLOCKED,
	KEPT_PHYS,
	KEPT_PARALLELISM, /* 0 in rows that are not told apart by it */
	KEPT_DATA_PAGE_SIZE,
	/* Of addresses: while samples are counted a number of struct hist_at, then what is said. */
	KEPT_DATA,      /* number of an address */
	KEPT_DATA_DSO,  /* number of a name */
	KEPT_DATA_LINE, /* rank of the line */
	KEPT_INSTR,     /* as KEPT_DATA, and so are these two */
	KEPT_ADDR_FROM,
	KEPT_ADDR_TO,
	KEPT_DSO_SIZE,
	KEPT_SYM_SIZE,
	KEPT_SYM_OFF,
	KEPT_SRCLINE, /* number of a text */
	KEPT_SRCFILE, /* the same */
	KEPT_SRCLINE_FROM,
	KEPT_SRCLINE_TO,
	/* Numbers of texts that come with the sample: */
	KEPT_TRACE,
	KEPT_CGROUP_ID,
	KEPT_FIELD, /* and those of further fields */
	NR_KEPT = KEPT_FIELD + HIST_MAX_FIELDS
};

struct hist_column {
	const char *name; /* in --sort and --fields; prefixes are accepted */
	const char *header;
	unsigned int need; /* enum hist_need */
	enum hist_kept kept;
	bool metric; /* a sum over samples: not part of a row's identity */
	bool wide;   /* rank() needs 64 bits */
	u16 width;   /* fixed or least width; 0: of the header */
	bool branch; /* of branches only */
	bool mem;    /* of memory accesses only */
	bool stages; /* of processors whose third weight is of pipeline stages */
	u8 flag;     /* NEED_FLAGS: the flags it shows */
	bool raw;    /* printed as it is: no padding after it when it is the last column */
	/* Measured only where the keys before it left samples to compare. */
	bool if_compared;
	u32 event;  /* of this event only, + 1; 0: of all */
	bool right; /* its title stands right */
	bool whole; /* never cut, however narrow the column was asked for */
	/* "[.] main": cut, but not within what stands in front of the name; with @whole not where
	 * it says how far in that something is. */
	bool function;
	/* Widen @width for one row; NULL: the width is fixed. */
	void (*measure)(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width);
	/* What measure() looks at, of rows with the same number one is enough; NULL: all of it. */
	u32 (*measured)(const struct hist *h, const struct hist_row *row);
	/*
	 * What rows are sorted by: a sum (larger ones first), or a rank (smaller ones first).
	 * @member: of a group, whose sum is meant; 0 the leader
	 */
	u64 (*rank)(const struct hist *h, const struct hist_row *row, u32 member);
	/* Tells apart rows of equal rank that are not the same; NULL: rank() does. */
	u64 (*identity)(const struct hist *h, const struct hist_row *row);
	/* The text, without padding. @ev: the first of nr_members events, whose periods shares are
	 * of */
	void (*format)(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out);
};

struct hist_columns {
	const struct hist_column *col[HIST_MAX_COLUMNS]; /* shown, left to right */
	u16 place[HIST_MAX_COLUMNS];                     /* of it among all, hidden ones too */
	u32 nr;
	bool open_end; /* behind the last one are others, which are not shown */
	const struct hist_column *sort[HIST_MAX_COLUMNS]; /* compared, first first */
	u32 nr_sort;
	unsigned int need; /* of all of them */
	u8 kept[NR_KEPT];  /* what is kept of samples, first first */
	u8 nr_kept;
	u8 kept_at[NR_KEPT]; /* where it is in there, + 1 */
	u8 flags;            /* of branches, that rows are told apart by */
	bool branches; /* the columns of branches may be used; set before the lists are made */
	bool mem;      /* so may those of memory accesses */
	/* Of hist_columns_sort(), or NULL: columns in front of those of the keys, compared last. */
	const char *front;
	/*
	 * The @nth column of a key that the table does not have, NULL: no more; the same ones each
	 * time. Set before the lists are made, or NULL.
	 */
	const struct hist_column *(*more)(void *ctx, const char *key, size_t len, u32 nth);
	void *more_ctx;
	bool stages;       /* so may those of pipeline stages; else --sort leaves them out */
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

/**
 * hist_columns_sort - the columns of `--sort @keys` (comma separated). Of @c, branches and stages
 * are inputs.
 * @children: with Children and Self instead of Overhead
 * @nr_samples, @period: with those columns
 * Return: 0, or -EINVAL and "Unknown --sort key: `x'".
 */
int hist_columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		      bool period, struct err *err);
/** hist_columns_fields - the columns of `--fields @fields`, sorted by @keys when not NULL, else by
 * the fields. */
int hist_columns_fields(struct hist_columns *c, const char *fields, const char *keys,
			struct err *err);
/** hist_columns_check - may the columns of `--@option @keys` be used? Adds to @c what they need. */
int hist_columns_check(struct hist_columns *c, const char *keys, const char *option,
		       struct err *err);
/** hist_columns_levels - make the columns of hist_columns_sort() those of a hierarchy. In @keys
 * braces hold together what is one level: "comm,{dso,sym}". */
void hist_columns_levels(struct hist_columns *c, const char *keys);
/**
 * hist_field_column - fill @col: texts of @slot (below HIST_MAX_FIELDS) in struct hist_sample,
 * of one event. @name is borrowed; @width: at least; @measured: as wide as its texts
 * Return: false when there is no such slot.
 */
bool hist_field_column(struct hist_column *col, u32 slot, u32 event, const char *name, u16 width,
		       bool measured);
/** hist_columns_drop - show a column no more, as if it had never been shown. */
void hist_columns_drop(struct hist_columns *c, const char *name);
/** hist_columns_hide - do not show a column (it stays a sort key). */
void hist_columns_hide(struct hist_columns *c, const char *name);
/** hist_columns_names - the names of all columns, those of all samples first, then of branches and
 * of memory accesses, appended to @out with blanks between them. */
void hist_columns_names(struct strbuf *out);

#endif
