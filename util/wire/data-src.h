/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a memory access met, in words: the parts of a PERF_SAMPLE_DATA_SRC, each appended. */
#ifndef PERF_WIRE_DATA_SRC_H
#define PERF_WIRE_DATA_SRC_H

#include "base/strbuf.h"

/* The bits that each of them depends on. */
#define DATA_SRC_LEVEL (0x3fffULL << 5 | 0x1fULL << 33 | 7ULL << 43)
#define DATA_SRC_SNOOP (0x1fULL << 19 | 3ULL << 38)
#define DATA_SRC_LOCK (3ULL << 24)
#define DATA_SRC_TLB (0x7fULL << 26)
#define DATA_SRC_BLOCKED (7ULL << 40)

/** data_src_op - "LOAD", "STORE", "PFETCH", "EXEC", "N/A", "No". */
void data_src_op(u64 src, struct strbuf *out);
/** data_src_level - "L1 hit", "Remote RAM (1 hop) hit": where it was served from. */
void data_src_level(u64 src, struct strbuf *out);
/** data_src_snoop - "None", "HitM", "Hit or Fwd". */
void data_src_snoop(u64 src, struct strbuf *out);
/** data_src_tlb - "L1 or L2 hit", "Walker miss". */
void data_src_tlb(u64 src, struct strbuf *out);
/** data_src_lock - "Yes", "No", "N/A". */
void data_src_lock(u64 src, struct strbuf *out);
/** data_src_blocked - " N/A", " Data", " Addr", " Data Addr". */
void data_src_blocked(u64 src, struct strbuf *out);

#endif
