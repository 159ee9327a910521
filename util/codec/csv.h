/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write text as cells of comma-separated values (RFC 4180). The text may consist of any bytes. */
#ifndef PERF_CODEC_CSV_H
#define PERF_CODEC_CSV_H

#include "base/strbuf.h"

/**
 * csv_text - append @len bytes as the inside of a quoted cell: quotes are doubled. Bytes that are
 * not valid UTF-8, and control characters other than tab and line ends, become the four characters
 * \xNN.
 */
void csv_text(struct strbuf *out, const char *s, size_t len);

/** csv_cell - append @len bytes as a complete cell, with quotes around it when they are needed. */
void csv_cell(struct strbuf *out, const char *s, size_t len);

#endif
