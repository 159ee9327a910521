/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a memory access counts as: the data source of a sample (wire/data-src.h) becomes a set of
 * counters. It stands above the ways in which processors tell of levels: as bits, as a number, with
 * a mark for what is remote, with hops between parts of a machine.
 */
#ifndef PERF_WIRE_ACCESS_H
#define PERF_WIRE_ACCESS_H

#include "base/compat.h"

/* The counters; a set has bit n for counter n. */
enum access_count {
	ACCESS_LOCKED,
	ACCESS_STORE,
	ACCESS_ST_UNCACHED,
	ACCESS_ST_NO_ADDRESS,
	ACCESS_ST_L1_HIT,
	ACCESS_ST_L1_MISS,
	ACCESS_ST_NO_LEVEL,
	ACCESS_LOAD,
	ACCESS_LD_EXCLUSIVE,
	ACCESS_LD_SHARED,
	ACCESS_LD_UNCACHED,
	ACCESS_LD_IO,
	ACCESS_LD_MISS,
	ACCESS_LD_NO_ADDRESS,
	ACCESS_LD_FILL_BUFFER,
	ACCESS_LD_L1,
	ACCESS_LD_L2,
	ACCESS_LD_LLC,
	ACCESS_LCL_HITM, /* a line that was modified in another cache of the same node */
	ACCESS_RMT_HITM, /* or of another node */
	ACCESS_RMT_HIT,
	ACCESS_LCL_PEER, /* another core of the same node had the line, whatever its state */
	ACCESS_RMT_PEER,
	ACCESS_LCL_DRAM,
	ACCESS_RMT_DRAM,
	ACCESS_BLOCKED_DATA,
	ACCESS_BLOCKED_ADDRESS,
	ACCESS_NO_MAP,  /* nothing is known to be mapped at the address, or where the code is */
	ACCESS_UNKNOWN, /* neither a load nor a store */
	ACCESS_COUNTS
};

#define ACCESS_BIT(count) (1u << (count))
/* An access with one of these is in no cache line: its address is not known, or what it does. */
#define ACCESS_NOWHERE                                                                             \
	(ACCESS_BIT(ACCESS_ST_NO_ADDRESS) | ACCESS_BIT(ACCESS_LD_NO_ADDRESS) |                     \
	 ACCESS_BIT(ACCESS_NO_MAP) | ACCESS_BIT(ACCESS_UNKNOWN))

/* Classes that accesses fall into: one of each part. */
enum access_class {
	/* the operation */
	CLASS_OP_LOAD,
	CLASS_OP_STORE,
	CLASS_OP_OTHER,
	/* the cache that had the data */
	CLASS_CACHE_L1,
	CLASS_CACHE_L2,
	CLASS_CACHE_L3,
	CLASS_CACHE_BUFFER, /* the line was on its way already */
	CLASS_CACHE_REMOTE, /* of another node */
	CLASS_CACHE_OTHER,
	/* the memory that had them */
	CLASS_MEMORY_RAM,
	CLASS_MEMORY_REMOTE,
	CLASS_MEMORY_PERSISTENT,
	CLASS_MEMORY_CXL,
	CLASS_MEMORY_UNCACHED, /* or I/O */
	CLASS_MEMORY_OTHER,
	/* where the address was translated */
	CLASS_TLB_L1,
	CLASS_TLB_L2,
	CLASS_TLB_ANY, /* one of the two */
	CLASS_TLB_MISS,
	CLASS_TLB_OTHER,
	/* what other caches had */
	CLASS_SNOOP_HITM,
	CLASS_SNOOP_HIT,
	CLASS_SNOOP_MISS,
	CLASS_SNOOP_NONE, /* they were not asked */
	CLASS_SNOOP_OTHER,
	ACCESS_CLASSES
};

/** access_classes - return the classes of a data source: bit n for class n, one of each part. What
 * a processor does not tell is of the class "other". */
u32 access_classes(u64 data_src);

/** access_of - return the set of an access. @addr: 0: it is not known */
u32 access_of(u64 data_src, u64 addr);

#endif
