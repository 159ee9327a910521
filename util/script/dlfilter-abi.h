/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are the layouts that filters in shared objects are built against, see perf-dlfilter(1). */
#ifndef PERF_SCRIPT_DLFILTER_ABI_H
#define PERF_SCRIPT_DLFILTER_ABI_H

#include "base/compat.h"

struct perf_event_attr;

struct dlfilter_sample {
	u32 size;
	u16 ins_lat, p_stage_cyc;
	u64 ip;
	s32 pid, tid;
	u64 time, addr, id, stream_id, period, weight, transaction, insn_cnt, cyc_cnt;
	s32 cpu;
	u32 flags;
	u64 data_src, phys_addr, data_page_size, code_page_size, cgroup;
	u8 cpumode, addr_correlates_sym;
	u16 misc;
	u32 raw_size;
	const void *raw_data;
	u64 brstack_nr;
	const void *brstack;
	u64 raw_callchain_nr;
	const void *raw_callchain;
	const char *event;
	s32 machine_pid, vcpu;
};

struct dlfilter_al {
	u32 size, symoff;
	const char *sym;
	u64 addr, sym_start, sym_end;
	const char *dso;
	u8 sym_binding, is_64_bit, is_kernel_ip;
	u32 buildid_size;
	const u8 *buildid;
	u8 filtered; /* this and the next: of the address of the sample only */
	const char *comm;
};

/* Filled in when the object is loaded; @ctx is what its functions were called with. */
struct dlfilter_fns {
	const struct dlfilter_al *(*resolve_ip)(void *ctx);
	const struct dlfilter_al *(*resolve_addr)(void *ctx);
	char **(*args)(void *ctx, int *nr);
	s32 (*resolve_address)(void *ctx, u64 address, struct dlfilter_al *al);
	const u8 *(*insn)(void *ctx, u32 *length);
	const char *(*srcline)(void *ctx, u32 *line);
	struct perf_event_attr *(*attr)(void *ctx);
	s32 (*object_code)(void *ctx, u64 ip, void *buf, u32 len);
	void *(*reserved[120])(void *);
};

#endif
