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

/* The parts, in the order of their bits. */
enum data_src_part {
	DATA_SRC_PART_OP,
	DATA_SRC_PART_LVL, /* levels as bits, in the manner of Linux before 4.13 */
	DATA_SRC_PART_SNOOP,
	DATA_SRC_PART_LOCK,
	DATA_SRC_PART_TLB,
	DATA_SRC_PART_LVL_NUM, /* the level as a number */
	DATA_SRC_PART_REMOTE,
	DATA_SRC_PART_SNOOPX,
	DATA_SRC_PART_BLOCKED,
	DATA_SRC_PART_HOPS,
	DATA_SRC_PART_REGION, /* of memory, 1 to 8; 0: not told */
	DATA_SRC_PARTS
};

/* These are numbers of levels; headers of older kernels lack some. */
enum data_src_number {
	DATA_SRC_N_UNCACHED = 8,
	DATA_SRC_N_CXL = 9,
	DATA_SRC_N_IO = 10,
	DATA_SRC_N_ANY_CACHE = 11,
	DATA_SRC_N_LFB = 12,
	DATA_SRC_N_RAM = 13,
	DATA_SRC_N_PMEM = 14,
	DATA_SRC_N_NA = 15,
};

#define DATA_SRC_SNOOPX_PEER 2

/** data_src_part - return one part of a data source. */
u32 data_src_part(u64 src, enum data_src_part part);

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
