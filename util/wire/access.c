// SPDX-License-Identifier: GPL-2.0-or-later
/* Count memory accesses by their data sources. Source of the bits: linux/perf_event.h. */
#include "base/compat.h"

#include "wire/access.h"
#include "wire/data-src.h"

#include <linux/perf_event.h>

#define BIT(count) ACCESS_BIT(ACCESS_##count)
#define LVL(level) PERF_MEM_LVL_##level
#define REMOTE_CACHES (LVL(REM_CCE1) | LVL(REM_CCE2))
#define REMOTE_RAM (LVL(REM_RAM1) | LVL(REM_RAM2))
#define OWN_CACHES (LVL(L1) | LVL(L2) | LVL(L3))
#define LEVELS                                                                                     \
	(LVL(L1) | LVL(LFB) | LVL(L2) | LVL(L3) | LVL(LOC_RAM) | REMOTE_RAM | REMOTE_CACHES |      \
	 LVL(IO) | LVL(UNC))

/* The parts of a data source that counters depend on. */
struct parts {
	u32 level; /* as bits, also where the processor gave a number */
	u32 snoop;
	bool remote, peer;
};

/* Return the bits for a level that is told by its number alone, as newer kernels do. */
static u32 level_of_number(u32 number, bool remote)
{
	switch (number) {
	case 1:
		return remote ? LVL(REM_CCE1) : LVL(L1);
	case 2:
		return remote ? LVL(REM_CCE1) : LVL(L2);
	case 3:
	case 4:
	case DATA_SRC_N_ANY_CACHE:
		return remote ? LVL(REM_CCE1) : LVL(L3);
	case DATA_SRC_N_LFB:
		return LVL(LFB);
	case DATA_SRC_N_RAM:
	case DATA_SRC_N_PMEM:
		return remote ? LVL(REM_RAM1) : LVL(LOC_RAM);
	case DATA_SRC_N_CXL:
		return LVL(REM_RAM1);
	case DATA_SRC_N_IO:
		return LVL(IO);
	case DATA_SRC_N_UNCACHED:
		return LVL(UNC);
	default:
		return 0;
	}
}

/* What is remote is a cache or memory: one of the two where the level or the number says so, both
 * where neither does. A level that is told as if it were the processor's own is not. */
static u32 made_remote(u32 level, u32 number)
{
	u32 told = level & (REMOTE_CACHES | REMOTE_RAM);

	if (!told && level & LVL(LOC_RAM))
		told = LVL(REM_RAM1);
	if (!told)
		told = level_of_number(number, true) & (REMOTE_CACHES | REMOTE_RAM);
	if (!told && level & OWN_CACHES)
		told = LVL(REM_CCE1);
	if (!told)
		told = LVL(REM_CCE1) | LVL(REM_RAM1);
	return (level & ~(OWN_CACHES | LVL(LOC_RAM))) | told;
}

static void take_apart(u64 src, struct parts *p)
{
	u32 level = data_src_part(src, DATA_SRC_PART_LVL);
	u32 number = data_src_part(src, DATA_SRC_PART_LVL_NUM);

	p->remote = data_src_part(src, DATA_SRC_PART_REMOTE);
	p->snoop = data_src_part(src, DATA_SRC_PART_SNOOP);
	p->peer = data_src_part(src, DATA_SRC_PART_SNOOPX) & DATA_SRC_SNOOPX_PEER;
	if (!(level & LEVELS)) {
		u32 levels = level_of_number(number, p->remote);

		if (!levels && p->remote) /* of an unknown level */
			levels = LVL(REM_CCE1);
		level |= levels;
		if (levels && !(level & (LVL(HIT) | LVL(MISS))))
			level |= LVL(HIT);
	} else if (p->remote) {
		level = made_remote(level, number);
	}
	p->level = level;
}

/* Memory: a line that nobody else has becomes exclusive. */
static u32 dram(const struct parts *p, u32 which)
{
	return which | (p->snoop & PERF_MEM_SNOOP_HIT ? BIT(LD_SHARED) : BIT(LD_EXCLUSIVE));
}

static u32 load_hits(const struct parts *p)
{
	bool hitm = p->snoop & PERF_MEM_SNOOP_HITM;
	u32 set = 0;

	if (p->level & LVL(UNC))
		set |= BIT(LD_UNCACHED);
	if (p->level & LVL(IO))
		set |= BIT(LD_IO);
	if (p->level & LVL(LFB))
		set |= BIT(LD_FILL_BUFFER);
	if (p->level & LVL(L1))
		set |= BIT(LD_L1);
	if (p->level & LVL(L2))
		set |= BIT(LD_L2) | (p->peer ? BIT(LCL_PEER) : 0);
	if (p->level & LVL(L3))
		set |= (hitm ? BIT(LCL_HITM) : BIT(LD_LLC)) | (p->peer ? BIT(LCL_PEER) : 0);
	if (p->level & LVL(LOC_RAM))
		set |= dram(p, BIT(LCL_DRAM));
	if (p->level & REMOTE_RAM)
		set |= dram(p, BIT(RMT_DRAM));
	return set;
}

static u32 load(const struct parts *p)
{
	u32 set = BIT(LOAD);

	if (p->level & LVL(HIT))
		set |= load_hits(p);
	if (p->level & REMOTE_CACHES) {
		if (p->snoop & PERF_MEM_SNOOP_HIT)
			set |= BIT(RMT_HIT);
		else if (p->snoop & PERF_MEM_SNOOP_HITM)
			set |= BIT(RMT_HITM);
		else if (p->peer)
			set |= BIT(RMT_HIT) | BIT(RMT_PEER);
	}
	if (p->level & LVL(MISS))
		set |= BIT(LD_MISS);
	return set;
}

static u32 store(const struct parts *p)
{
	u32 set = BIT(STORE);

	if (p->level & LVL(HIT)) {
		if (p->level & LVL(UNC))
			set |= BIT(ST_UNCACHED);
		if (p->level & LVL(L1))
			set |= BIT(ST_L1_HIT);
	}
	if (p->level & LVL(MISS) && p->level & LVL(L1))
		set |= BIT(ST_L1_MISS);
	if (p->level & LVL(NA))
		set |= BIT(ST_NO_LEVEL);
	return set;
}

u32 access_of(u64 data_src, u64 addr)
{
	u32 op = data_src_part(data_src, DATA_SRC_PART_OP), set = 0;
	u32 blocked = data_src_part(data_src, DATA_SRC_PART_BLOCKED);
	struct parts p;

	take_apart(data_src, &p);
	if (data_src_part(data_src, DATA_SRC_PART_LOCK) & PERF_MEM_LOCK_LOCKED)
		set |= BIT(LOCKED);
	if (blocked & 2)
		set |= BIT(BLOCKED_DATA);
	if (blocked & 4)
		set |= BIT(BLOCKED_ADDRESS);
	if (op & PERF_MEM_OP_LOAD)
		return set | (addr ? load(&p) : BIT(LOAD) | BIT(LD_NO_ADDRESS));
	if (op & PERF_MEM_OP_STORE)
		return set | (addr ? store(&p) : BIT(STORE) | BIT(ST_NO_ADDRESS));
	return set | BIT(UNKNOWN);
}

/* ---- classes ---- */

#define CLASS(name) (1u << CLASS_##name)

static u32 op_class(u64 src)
{
	switch (data_src_part(src, DATA_SRC_PART_OP)) {
	case PERF_MEM_OP_LOAD:
		return CLASS(OP_LOAD);
	case PERF_MEM_OP_STORE:
		return CLASS(OP_STORE);
	default:
		return CLASS(OP_OTHER);
	}
}

static u32 cache_class(u32 level)
{
	if (level & LVL(L1))
		return CLASS(CACHE_L1);
	if (level & LVL(LFB))
		return CLASS(CACHE_BUFFER);
	if (level & LVL(L2))
		return CLASS(CACHE_L2);
	if (level & LVL(L3))
		return CLASS(CACHE_L3);
	return level & REMOTE_CACHES ? CLASS(CACHE_REMOTE) : CLASS(CACHE_OTHER);
}

static u32 memory_class(u64 src, u32 level)
{
	switch (data_src_part(src, DATA_SRC_PART_LVL_NUM)) {
	case DATA_SRC_N_PMEM:
		return CLASS(MEMORY_PERSISTENT);
	case DATA_SRC_N_CXL:
		return CLASS(MEMORY_CXL);
	default:
		break;
	}
	if (level & LVL(LOC_RAM))
		return CLASS(MEMORY_RAM);
	if (level & REMOTE_RAM)
		return CLASS(MEMORY_REMOTE);
	return level & (LVL(UNC) | LVL(IO)) ? CLASS(MEMORY_UNCACHED) : CLASS(MEMORY_OTHER);
}

/* A walk through the tables of pages is a miss, even when it is a hit of the walker. */
static u32 tlb_class(u64 src)
{
	u32 tlb = data_src_part(src, DATA_SRC_PART_TLB);
	bool l1 = tlb & PERF_MEM_TLB_L1, l2 = tlb & PERF_MEM_TLB_L2;

	if (tlb & (PERF_MEM_TLB_MISS | PERF_MEM_TLB_WK | PERF_MEM_TLB_OS))
		return CLASS(TLB_MISS);
	if (l1 && l2)
		return CLASS(TLB_ANY);
	if (l1 || l2)
		return l1 ? CLASS(TLB_L1) : CLASS(TLB_L2);
	return tlb & PERF_MEM_TLB_HIT ? CLASS(TLB_ANY) : CLASS(TLB_OTHER);
}

static u32 snoop_class(u64 src)
{
	u32 snoop = data_src_part(src, DATA_SRC_PART_SNOOP);

	if (snoop & PERF_MEM_SNOOP_HITM)
		return CLASS(SNOOP_HITM);
	if (snoop & PERF_MEM_SNOOP_HIT || data_src_part(src, DATA_SRC_PART_SNOOPX))
		return CLASS(SNOOP_HIT);
	if (snoop & PERF_MEM_SNOOP_MISS)
		return CLASS(SNOOP_MISS);
	return snoop & PERF_MEM_SNOOP_NONE ? CLASS(SNOOP_NONE) : CLASS(SNOOP_OTHER);
}

u32 access_classes(u64 data_src)
{
	struct parts p;
	u32 set;

	take_apart(data_src, &p);
	set = op_class(data_src) | tlb_class(data_src) | snoop_class(data_src);
	/* a level that was missed did not have the data, and which one did is not told */
	if (p.level & LVL(MISS) && !(p.level & LVL(HIT)))
		return set | CLASS(CACHE_OTHER) | CLASS(MEMORY_OTHER);
	return set | cache_class(p.level) | memory_class(data_src, p.level);
}
