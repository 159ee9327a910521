/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of Arm's Statistical Profiling Extension.
 *
 * A record about one sampled operation is a sequence of packets that ends with a timestamp or an
 * end packet. Each packet has a header of one byte, or of two bytes whose first one gives the upper
 * bits of the index, and then 1, 2, 4 or 8 bytes in little-endian order.
 *
 * Source of the format: Arm Architecture Reference Manual for A-profile, chapter "Statistical
 * Profiling Extension Sample Record Specification".
 */
#ifndef PERF_AUX_SPE_H
#define PERF_AUX_SPE_H

#include "base/strbuf.h"

enum spe_kind {
	SPE_PAD,
	SPE_END,
	SPE_TIME,
	SPE_EVENTS,
	SPE_SOURCE,
	SPE_CONTEXT,
	SPE_OPERATION,
	SPE_ADDRESS,
	SPE_COUNTER,
};

struct spe_packet {
	enum spe_kind kind;
	u8 index; /* which address, counter, context or class of operation */
	u64 payload;
};

/* Indexes of SPE_ADDRESS, SPE_COUNTER and SPE_OPERATION. */
enum { SPE_ADDR_PC, SPE_ADDR_TARGET, SPE_ADDR_DATA, SPE_ADDR_PHYS };
enum { SPE_LAT_TOTAL, SPE_LAT_ISSUE, SPE_LAT_XLAT };
enum { SPE_OP_OTHER, SPE_OP_MEMORY, SPE_OP_BRANCH };

#define SPE_OP_STORE 1 /* bit of the payload of SPE_OP_MEMORY */

/* Bits of SPE_EVENTS. */
enum spe_event {
	SPE_EV_EXCEPTION = 1 << 0,
	SPE_EV_RETIRED = 1 << 1,
	SPE_EV_L1D_ACCESS = 1 << 2,
	SPE_EV_L1D_REFILL = 1 << 3,
	SPE_EV_TLB_ACCESS = 1 << 4,
	SPE_EV_TLB_REFILL = 1 << 5,
	SPE_EV_NOT_TAKEN = 1 << 6,
	SPE_EV_MISPRED = 1 << 7,
	SPE_EV_LLC_ACCESS = 1 << 8,
	SPE_EV_LLC_REFILL = 1 << 9,
	SPE_EV_REMOTE = 1 << 10,
	SPE_EV_ALIGNMENT = 1 << 11,
	SPE_EV_PARTIAL_PRED = 1 << 17,
	SPE_EV_EMPTY_PRED = 1 << 18,
};

/**
 * spe_packet_decode - decode the packet at @at of a trace.
 * @at: the offset in the trace, which alignment packets depend on
 * @size: bytes of the whole trace
 * Return: its length; 0: no packet begins there, or its end is missing.
 */
size_t spe_packet_decode(const u8 *trace, size_t at, size_t size, struct spe_packet *out);

/** spe_packet_text - append what a packet says, as `perf report -D` of 6.1 does. */
void spe_packet_text(const struct spe_packet *p, struct strbuf *out);

#endif
