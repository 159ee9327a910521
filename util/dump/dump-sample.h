/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sample carries, as the raw dump shows it. */
#ifndef PERF_DUMP_DUMP_SAMPLE_H
#define PERF_DUMP_DUMP_SAMPLE_H

#include "dump/dump-text.h"

/** dump_sample_put - from "(IP, 0x1): " to the object its address is in. @r->sample is set. */
void dump_sample_put(const struct dump_text *d, const struct dump_record *r, struct strbuf *out);

#endif
