/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the table of columns names: how columns compare (compare.c) and write (cells.c) rows. */
#ifndef PERF_COLUMNS_COLUMNS_INTERNAL_H
#define PERF_COLUMNS_COLUMNS_INTERNAL_H

#include "hist/values.h"

#define RANK(name)                                                                                 \
	u64 rank_##name(const struct hist *h, const struct hist_column *col,                       \
			const struct hist_row *row, u32 member)
#define MEASURE(name)                                                                              \
	void measure_##name(const struct hist *h, const struct hist_column *col,                   \
			    const struct hist_row *row, u16 *width, u16 *dso_width)
#define FORMAT(name)                                                                               \
	void format_##name(const struct hist *h, const struct hist_column *col,                    \
			   const struct hist_event *ev, const struct hist_row *row, u16 width,     \
			   const char *sep, struct strbuf *out)

/* ---- columns of any value (col->key): what a new column most likely needs ---- */

RANK(value);        /* smaller numbers first */
RANK(value_down);   /* larger numbers first */
RANK(value_signed); /* as 64-bit signed numbers, which -1 (unknown) and the kernel begin */
RANK(text);         /* a text, A before Z */
RANK(text_down);    /* Z before A */
RANK(address);      /* of a struct key_addr, as signed number */
FORMAT(value);      /* col->text() */
FORMAT(left);       /* a number that stands left */
FORMAT(left_sum);   /* the same times the number of samples */
FORMAT(right);      /* a number that stands right */
FORMAT(size);       /* a number that stands right, or "unknown" */
MEASURE(text);
FORMAT(text);
FORMAT(text_cut); /* cut where the column is too narrow */
MEASURE(field);
FORMAT(field); /* a text that stands right */

/* ---- sums ---- */

RANK(period);
RANK(acc);
RANK(nr);
RANK(mode); /* col->mode */
FORMAT(share);
FORMAT(acc);
FORMAT(mode);
FORMAT(nr);
FORMAT(sum);

/* ---- who and when ---- */

RANK(comm);
MEASURE(comm);
FORMAT(comm);
RANK(tid);
MEASURE(tid);
FORMAT(tid);
u32 measured_thread(const struct hist *h, const struct hist_row *row);
RANK(tgid);
MEASURE(tgid);
FORMAT(tgid);
RANK(cpu);
FORMAT(cpu);
FORMAT(socket);
MEASURE(cgroup);
FORMAT(cgroup);
MEASURE(time);
FORMAT(time);

/* ---- where ---- */

RANK(dso);
MEASURE(dso);
FORMAT(dso);
u32 measured_dso(const struct hist *h, const struct hist_row *row);
RANK(sym);
u64 identity_sym(const struct hist *h, const struct hist_row *row);
MEASURE(sym);
FORMAT(sym);
RANK(place);
MEASURE(symoff);
FORMAT(symoff);
RANK(parent);
MEASURE(parent);
FORMAT(parent);
FORMAT(addr);
FORMAT(ipc);

/* ---- branches ---- */

RANK(dso_from);
MEASURE(dso_from);
FORMAT(dso_from);
RANK(dso_to);
MEASURE(dso_to);
RANK(sym_from);
MEASURE(sym_from);
FORMAT(sym_from);
MEASURE(sym_to);
FORMAT(sym_to);
RANK(branch_end);
MEASURE(branch_end);
FORMAT(branch_end);
RANK(cycles);
FORMAT(cycles);
RANK(flag); /* col->flag */
FORMAT(mispredict);
FORMAT(in_tx);
FORMAT(abort);
MEASURE(transaction);
void transaction_text(u64 flags, struct strbuf *out);

/* ---- memory accesses ---- */

RANK(level);
RANK(snoop);
RANK(data_dso);
MEASURE(data_dso);
FORMAT(data_dso);
MEASURE(data);
FORMAT(data);
FORMAT(instr);
MEASURE(line);
FORMAT(line);
FORMAT(phys);

/* ---- table.c ---- */

/** column_at - return the @i-th column of the table; NULL behind the last one. */
const struct hist_column *column_at(size_t i);
/** column_find - return the column whose name begins with @name; NULL: none does. */
const struct hist_column *column_find(const char *name, size_t len);
/** column_self - return the column that Overhead becomes beside Children. */
const struct hist_column *column_self(void);

#endif
