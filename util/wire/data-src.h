/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a PERF_SAMPLE_DATA_SRC, which describes a memory access, as text. Each function
 * appends one part to @out.
 */
#ifndef PERF_WIRE_DATA_SRC_H
#define PERF_WIRE_DATA_SRC_H

#include "base/strbuf.h"

/* The bits that each part depends on. */
#define DATA_SRC_LEVEL (0x3fffULL << 5 | 0x1fULL << 33 | 7ULL << 43)
#define DATA_SRC_SNOOP (0x1fULL << 19 | 3ULL << 38)
#define DATA_SRC_LOCK (3ULL << 24)
#define DATA_SRC_TLB (0x7fULL << 26)
#define DATA_SRC_BLOCKED (7ULL << 40)

/** data_src_op - append the operation: "LOAD", "STORE", "PFETCH", "EXEC", "N/A" or "No". */
void data_src_op(u64 src, struct strbuf *out);
/**
 * data_src_level - append the level that served the access, such as "L1 hit" or "Remote RAM (1 hop)
 * hit".
 */
void data_src_level(u64 src, struct strbuf *out);
/** data_src_snoop - append the result of the snoop, such as "None", "HitM" or "Hit or Fwd". */
void data_src_snoop(u64 src, struct strbuf *out);
/**
 * data_src_tlb - append how the address was translated, such as "L1 or L2 hit" or "Walker miss".
 */
void data_src_tlb(u64 src, struct strbuf *out);
/** data_src_lock - append whether the access was locked: "Yes", "No" or "N/A". */
void data_src_lock(u64 src, struct strbuf *out);
/**
 * data_src_blocked - append why the access was blocked: " N/A", " Data", " Addr" or " Data Addr".
 */
void data_src_blocked(u64 src, struct strbuf *out);

#endif
