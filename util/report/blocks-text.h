/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `perf report --total-cycles` prints: where cycles went, by stretches of code without a
 * branch. */
#ifndef PERF_REPORT_BLOCKS_TEXT_H
#define PERF_REPORT_BLOCKS_TEXT_H

#include "hist/blocks.h"
#include "report/report.h"

/** blocks_text - titles and one row for each block, most cycles first, appended to @out. */
void blocks_text(const struct blocks *b, const struct report_conf *conf, struct strbuf *out);

#endif
