/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the contents of a sample in the raw dump. */
#ifndef PERF_DUMP_DUMP_SAMPLE_H
#define PERF_DUMP_DUMP_SAMPLE_H

#include "dump/dump-text.h"

/**
 * dump_sample_put - append everything from "(IP, 0x1): " to the object of its address. @r->sample
 * is set.
 */
void dump_sample_put(const struct dump_text *d, const struct dump_record *r, struct strbuf *out);

#endif
