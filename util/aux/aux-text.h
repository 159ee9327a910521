/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packets of a processor's trace as lines of text, each with its offset and its bytes. */
#ifndef PERF_AUX_AUX_TEXT_H
#define PERF_AUX_AUX_TEXT_H

#include "base/strbuf.h"

/* The types of AUXTRACE_INFO records. */
enum aux_type { AUX_PT = 1, AUX_BTS, AUX_CS_ETM, AUX_ARM_SPE, AUX_S390, AUX_HISI_PTT };

/**
 * aux_text_put - append the packets of a trace, one on each line.
 * @bytes, @size: the data behind an AUXTRACE record
 * Return: false: there is no decoder for traces of that type, and nothing was appended.
 */
bool aux_text_put(u32 type, const void *bytes, size_t size, struct strbuf *out);

#endif
