/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as cells of comma-separated values (RFC 4180), whatever bytes it was made of. */
#ifndef PERF_CODEC_CSV_H
#define PERF_CODEC_CSV_H

#include "base/strbuf.h"

/**
 * csv_text - append @len bytes as the inside of a quoted cell: quotes doubled. Control characters
 * but for tab and the ends of lines, and bytes that are no UTF-8, become the four characters \xNN.
 */
void csv_text(struct strbuf *out, const char *s, size_t len);

/** csv_cell - the same as a whole cell: between quotes when it needs them. */
void csv_cell(struct strbuf *out, const char *s, size_t len);

#endif
