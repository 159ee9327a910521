// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Source of the numbers: Arm Neoverse N1 Technical Reference Manual, section on data sources of the
 * Statistical Profiling Extension; later cores of that family have the same.
 */
#include "base/compat.h"
#include "auxsamples/spe-source.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#define LVL(x) ((u64)PERF_MEM_LVL_##x << PERF_MEM_LVL_SHIFT)
#define SNOOP(x) ((u64)PERF_MEM_SNOOP_##x << PERF_MEM_SNOOP_SHIFT)
#define TLB(x) ((u64)PERF_MEM_TLB_##x << PERF_MEM_TLB_SHIFT)
/* Constants that older headers do not have. */
#define NUM(x) ((u64)(x) << 33)
#define NUM_RAM 13
#define NUM_NA 15
#define REMOTE ((u64)1 << 37)
#define PEER ((u64)2 << 38)

#define MIDR_ARM 0x41

bool spe_numbers_sources(const char *cpuid)
{
	static const u16 parts[] = { 0xd0c, 0xd40, 0xd49, 0xd4f }; /* N1, V1, N2, V2 */
	u64 midr = cpuid ? strtoull(cpuid, NULL, 16) : 0;

	if ((midr >> 24 & 0xff) != MIDR_ARM)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if ((midr >> 4 & 0xfff) == parts[i])
			return true;
	return false;
}

static u64 numbered_source(const struct spe_record *r)
{
	static const u64 sources[16] = {
		[0x0] = LVL(L1) | LVL(HIT) | NUM(1) | SNOOP(NONE),
		[0x8] = LVL(L2) | LVL(HIT) | NUM(2) | SNOOP(NONE),
		[0x9] = LVL(L2) | LVL(HIT) | NUM(2) | PEER,       /* another core */
		[0xa] = LVL(L3) | LVL(HIT) | NUM(3) | PEER,       /* the cluster */
		[0xb] = LVL(L3) | LVL(HIT) | NUM(3) | SNOOP(HIT), /* the cache of the system */
		[0xc] = LVL(L3) | LVL(HIT) | NUM(3) | PEER,       /* another cluster */
		[0xd] = LVL(NA) | NUM(NUM_NA) | REMOTE | PEER,    /* another chip */
		[0xe] = LVL(LOC_RAM) | LVL(HIT) | NUM(NUM_RAM) | SNOOP(NONE),
	};

	if (r->op & SPE_OP_STORE) /* stores have none */
		return LVL(NA) | NUM(NUM_NA) | SNOOP(NA);
	return r->source < ARRAY_SIZE(sources) ? sources[r->source] : 0;
}

static u64 source_of_events(u64 ev)
{
	u64 src = ev & SPE_EV_REMOTE ? REMOTE : 0;

	if (ev & (SPE_EV_LLC_ACCESS | SPE_EV_LLC_REFILL))
		src |= LVL(L3) | (ev & SPE_EV_LLC_REFILL ? LVL(MISS) : LVL(HIT));
	else if (ev & (SPE_EV_L1D_ACCESS | SPE_EV_L1D_REFILL))
		src |= LVL(L1) | (ev & SPE_EV_L1D_REFILL ? LVL(MISS) : LVL(HIT));
	return src;
}

u64 spe_data_src(const struct spe_record *r, bool numbered)
{
	u64 src, ev = r->events;

	if (r->op_class != SPE_OP_MEMORY)
		return 0;
	src = r->op & SPE_OP_STORE ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD;
	src |= numbered ? numbered_source(r) : source_of_events(ev);
	if (ev & (SPE_EV_TLB_ACCESS | SPE_EV_TLB_REFILL))
		src |= TLB(WK) | (ev & SPE_EV_TLB_REFILL ? TLB(MISS) : TLB(HIT));
	return src;
}
