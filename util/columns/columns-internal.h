/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the functions that compare rows by column (compare.c), and the table of columns
 * (table.c). */
#ifndef PERF_COLUMNS_COLUMNS_INTERNAL_H
#define PERF_COLUMNS_COLUMNS_INTERNAL_H

#include "hist/values.h"

#define RANK(name)                                                                                 \
	u64 rank_##name(const struct hist *h, const struct hist_column *col,                       \
			const struct hist_row *row, u32 member)

/* ---- columns of any value (col->key): what a new column most likely needs ---- */

RANK(value);        /* smaller numbers first */
RANK(value_down);   /* larger numbers first */
RANK(value_signed); /* as 64-bit signed numbers, which -1 (unknown) and the kernel begin */
RANK(text);         /* a text, A before Z */
RANK(text_down);    /* Z before A */
RANK(address);      /* of a struct key_addr, as signed number */

/* ---- sums ---- */

RANK(period);
RANK(acc);
RANK(nr);
RANK(mode); /* col->mode */

/* ---- who and when ---- */

RANK(comm);
RANK(tid);
RANK(tgid);
RANK(cpu);

/* ---- where ---- */

RANK(dso);
RANK(sym);
u64 identity_sym(const struct hist *h, const struct hist_row *row);
RANK(place);
RANK(parent);

/* ---- branches ---- */

RANK(dso_from);
RANK(dso_to);
RANK(sym_from);
RANK(branch_end);
RANK(cycles);
RANK(flag); /* col->flag */

/* ---- memory accesses ---- */

RANK(level);
RANK(snoop);
RANK(data_dso);

/* ---- table.c ---- */

/** column_at - return the @i-th column of the table; NULL behind the last one. */
const struct hist_column *column_at(size_t i);
/** column_find - return the column whose name begins with @name; NULL: none does. */
const struct hist_column *column_find(const char *name, size_t len);
/** column_of_class - return the @nth column of a part of what memory accesses are: "op", "cache",
 * "memory", "dtlb" or "snoops" (classes.c); NULL: there are no more, or it is no such part. */
const struct hist_column *column_of_class(const char *key, size_t len, u32 nth);
/** column_self - return the column that Overhead becomes beside Children. */
const struct hist_column *column_self(void);

#endif
