/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the output of `perf report --total-cycles`: cycles by basic blocks. */
#ifndef PERF_REPORT_BLOCKS_TEXT_H
#define PERF_REPORT_BLOCKS_TEXT_H

#include "hist/blocks.h"
#include "report/report.h"

/** blocks_text - append titles and one row for each block, those with most cycles first. */
void blocks_text(const struct blocks *b, const struct report_conf *conf, struct strbuf *out);

#endif
