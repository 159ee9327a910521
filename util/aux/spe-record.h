/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record of Arm SPE: what its packets say about one sampled operation. */
#ifndef PERF_AUX_SPE_RECORD_H
#define PERF_AUX_SPE_RECORD_H

#include "aux/spe.h"

struct spe_record {
	u64 pc;      /* with the bits of a kernel address where it is one */
	u64 target;  /* where a branch went; 0: none */
	u64 addr;    /* virtual address of the data, without a tag; 0: none */
	u64 phys;    /* physical address of the data; 0: none */
	u64 time;    /* a time stamp of the processor; 0: none */
	u64 events;  /* SPE_EV_* */
	u64 source;  /* the data source as this processor numbers it; 0 also when there is none */
	u64 context; /* the id of the task; valid if has_context */
	u32 latency; /* cycles from dispatch to completion */
	u8 level;    /* exception level of the operation */
	u8 op_class; /* SPE_OP_* */
	u8 op;       /* payload of the operation packet */
	bool has_context;
};

/**
 * spe_record_next - decode the record at *@at of a trace, and move *@at behind it. Bytes that are
 * no packet are skipped, together with the record that they are in.
 * @bad: receives the number of such bytes, added
 * Return: false: there is no complete record any more.
 */
bool spe_record_next(const u8 *trace, size_t *at, size_t size, struct spe_record *out, u64 *bad);

#endif
