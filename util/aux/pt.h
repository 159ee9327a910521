/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of Intel Processor Trace.
 *
 * Packets have from 1 to 16 bytes and no common length field: their first bytes say which they are.
 * A short TNT packet and a packet with an item of a block (BIP) can begin with the same byte, so
 * decoding keeps the state whether a block is open.
 *
 * Source of the format: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3,
 * chapter "Intel Processor Trace", section "Trace Packets and Data Types".
 */
#ifndef PERF_AUX_PT_H
#define PERF_AUX_PT_H

#include "base/strbuf.h"

enum pt_kind {
	PT_PAD,
	PT_TNT, /* payload: bits of branches, the last one lowest; count: how many */
	PT_TIP, /* these four have an IP of count bytes in payload, not extended */
	PT_TIP_PGE,
	PT_TIP_PGD,
	PT_FUP,
	PT_PIP, /* payload: CR3 without its low 5 bits, and the flag NR in bit 0 */
	PT_MODE_EXEC,
	PT_MODE_TSX,
	PT_TRACESTOP,
	PT_CBR,
	PT_TSC,
	PT_MTC,
	PT_TMA, /* payload: the lower bits of CTC; count: the fast counter */
	PT_CYC,
	PT_VMCS,
	PT_OVF,
	PT_PSB,
	PT_PSBEND,
	PT_MNT,
	PT_PTWRITE,
	PT_EXSTOP,
	PT_MWAIT,
	PT_PWRE,
	PT_PWRX,
	PT_BBP, /* payload: the type; count: bytes of each item */
	PT_BIP, /* payload: the value; count: its id */
	PT_BEP,
	PT_CFE, /* payload: the vector; count: the type */
	PT_EVD, /* payload: the value; count: the type */
};

struct pt_packet {
	enum pt_kind kind;
	bool ip;   /* the IP bit of packets that have one */
	u32 count; /* see the kinds */
	u64 payload;
};

/* The decoding of later packets depends on this state, which starts zeroed. */
struct pt_state {
	u8 item; /* bytes of each item of the open block, 0: none is open */
};

/**
 * pt_packet_decode - decode the packet at the start of @size bytes.
 * Return: its length; 0: no packet begins there, or its end is missing.
 */
size_t pt_packet_decode(struct pt_state *state, const u8 *p, size_t size, struct pt_packet *out);

/** pt_packet_text - append what a packet says, as `perf report -D` of 6.1 does. */
void pt_packet_text(const struct pt_packet *p, struct strbuf *out);

#endif
