/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of `perf report --total-cycles`: cycles by basic blocks. */
#ifndef PERF_REPORT_BLOCKS_TEXT_H
#define PERF_REPORT_BLOCKS_TEXT_H

#include "base/strbuf.h"
#include "hist/blocks.h"
#include "report/report.h"

/** BLOCKS_COLUMNS - the number of columns. */
#define BLOCKS_COLUMNS 6

/* Blocks in the order of their rows, those with most cycles first. */
struct blocks_table {
	struct report_conf conf;
	const struct block **rows; /* owned; the blocks are borrowed */
	size_t nr;
	u64 cycles, averages; /* sums of all blocks, also of those without a row */
	u16 width[BLOCKS_COLUMNS];
};

/** blocks_table_init - order the blocks, without those below conf->percent_limit.
 * blocks_table_release() frees the table, which borrows @b and what @conf refers to until then. */
void blocks_table_init(struct blocks_table *t, const struct blocks *b,
		       const struct report_conf *conf);
void blocks_table_release(struct blocks_table *t);
/** blocks_table_titles - append the titles of columns behind a '#', without a newline. */
void blocks_table_titles(const struct blocks_table *t, struct strbuf *out);
/** blocks_table_row - append row @i, without a newline. */
void blocks_table_row(const struct blocks_table *t, size_t i, struct strbuf *out);

/** blocks_text - append titles and all rows. */
void blocks_text(const struct blocks *b, const struct report_conf *conf, struct strbuf *out);

#endif
