/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of cells: functions that write a value of a row (FORMAT) and that find out how wide it
 * is (MEASURE), as struct hist_column has them. The table of room columns names them.
 */
#ifndef PERF_REPORT_CELLS_H
#define PERF_REPORT_CELLS_H

#include "hist/values.h"

#define MEASURE(name)                                                                              \
	void measure_##name(const struct hist *h, const struct hist_column *col,                   \
			    const struct hist_row *row, u16 *width, u16 *dso_width)
#define FORMAT(name)                                                                               \
	void format_##name(const struct hist *h, const struct hist_column *col,                    \
			   const struct hist_event *ev, const struct hist_row *row, u16 width,     \
			   const char *sep, struct strbuf *out)

/* ---- columns of any value (col->key): what a new column most likely needs ---- */

FORMAT(value);    /* col->text() */
FORMAT(left);     /* a number that stands left */
FORMAT(left_sum); /* the same times the number of samples */
FORMAT(right);    /* a number that stands right */
FORMAT(size);     /* a number that stands right, or "unknown" */
MEASURE(text);
FORMAT(text);
FORMAT(text_cut); /* cut where the column is too narrow */
MEASURE(field);
FORMAT(field); /* a text that stands right */

/* ---- sums ---- */

FORMAT(share);
FORMAT(acc);
FORMAT(mode);
FORMAT(class);
FORMAT(nr);
FORMAT(sum);

/* ---- who and when ---- */

MEASURE(comm);
FORMAT(comm);
MEASURE(tid);
FORMAT(tid);
u32 measured_thread(const struct hist *h, const struct hist_row *row);
MEASURE(tgid);
FORMAT(tgid);
FORMAT(cpu);
FORMAT(socket);
MEASURE(cgroup);
FORMAT(cgroup);
MEASURE(time);
FORMAT(time);

/* ---- where ---- */

MEASURE(dso);
FORMAT(dso);
u32 measured_dso(const struct hist *h, const struct hist_row *row);
MEASURE(sym);
FORMAT(sym);
MEASURE(symoff);
FORMAT(symoff);
MEASURE(parent);
FORMAT(parent);
FORMAT(addr);
FORMAT(ipc);

/* ---- branches ---- */

MEASURE(dso_from);
FORMAT(dso_from);
MEASURE(dso_to);
MEASURE(sym_from);
FORMAT(sym_from);
MEASURE(sym_to);
FORMAT(sym_to);
MEASURE(branch_end);
FORMAT(branch_end);
FORMAT(cycles);
FORMAT(mispredict);
FORMAT(in_tx);
FORMAT(abort);
MEASURE(transaction);
void transaction_text(u64 flags, struct strbuf *out);

/* ---- memory accesses ---- */

MEASURE(data_dso);
FORMAT(data_dso);
MEASURE(data);
FORMAT(data);
FORMAT(instr);
MEASURE(line);
FORMAT(line);
FORMAT(phys);

#endif
