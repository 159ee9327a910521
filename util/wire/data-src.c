// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the parts of a PERF_SAMPLE_DATA_SRC as text. Source of the bits: linux/perf_event.h. */
#include "base/compat.h"

#include "wire/data-src.h"
#include "wire/event.h"

/* The place of each part. All that reads data sources goes by this table. */
static const struct {
	u8 shift, bits;
} parts[DATA_SRC_PARTS] = {
	[DATA_SRC_PART_OP] = { 0, 5 },       [DATA_SRC_PART_LVL] = { 5, 14 },
	[DATA_SRC_PART_SNOOP] = { 19, 5 },   [DATA_SRC_PART_LOCK] = { 24, 2 },
	[DATA_SRC_PART_TLB] = { 26, 7 },     [DATA_SRC_PART_LVL_NUM] = { 33, 4 },
	[DATA_SRC_PART_REMOTE] = { 37, 1 },  [DATA_SRC_PART_SNOOPX] = { 38, 2 },
	[DATA_SRC_PART_BLOCKED] = { 40, 3 }, [DATA_SRC_PART_HOPS] = { 43, 3 },
	[DATA_SRC_PART_REGION] = { 46, 4 },
};

u32 data_src_part(u64 src, enum data_src_part part)
{
	return (u32)(src >> parts[part].shift) & ((1u << parts[part].bits) - 1);
}

#define OP(src) data_src_part(src, DATA_SRC_PART_OP)
#define LVL(src) data_src_part(src, DATA_SRC_PART_LVL)
#define SNOOP(src) data_src_part(src, DATA_SRC_PART_SNOOP)
#define LOCK(src) data_src_part(src, DATA_SRC_PART_LOCK)
#define TLB(src) data_src_part(src, DATA_SRC_PART_TLB)
#define LVL_NUM(src) data_src_part(src, DATA_SRC_PART_LVL_NUM)
#define REMOTE(src) data_src_part(src, DATA_SRC_PART_REMOTE)
#define SNOOPX(src) data_src_part(src, DATA_SRC_PART_SNOOPX)
#define BLOCKED(src) data_src_part(src, DATA_SRC_PART_BLOCKED)
#define HOPS(src) data_src_part(src, DATA_SRC_PART_HOPS)

/*
 * Append the names of the bits that are set, separated by " or "; bits without a name are left out.
 */
static u32 add_bits(u32 bits, const char *const *names, u32 nr, u32 shown, struct strbuf *out)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!(bits >> i & 1) || !names[i])
			continue;
		strbuf_addstr(out, shown++ ? " or " : "");
		strbuf_addstr(out, names[i]);
	}
	return shown;
}

static void add_hit_miss(bool hit, bool miss, struct strbuf *out)
{
	strbuf_addstr(out, hit ? " hit" : "");
	strbuf_addstr(out, miss ? " miss" : "");
}

void data_src_op(u64 src, struct strbuf *out)
{
	u32 op = OP(src);

	strbuf_addstr(out, !op                       ? "No"
			   : op & PERF_MEM_OP_NA     ? "N/A"
			   : op & PERF_MEM_OP_LOAD   ? "LOAD"
			   : op & PERF_MEM_OP_STORE  ? "STORE"
			   : op & PERF_MEM_OP_PFETCH ? "PFETCH"
						     : "EXEC");
}

void data_src_level(u64 src, struct strbuf *out)
{
	static const char *const names[] = {
		"N/A",
		NULL, /* hit, miss */
		NULL,
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const numbered[16] = {
		NULL, "L1",  "L2",  "L3",        "L4",      "L5",  "L6",   "L7",
		"L8", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM", "PMEM", "N/A",
	};
	static const char *const hops[8] = {
		"",       "core, same node ", "node, same socket ", "socket, same board ",
		"board ", "unknown ",         "unknown ",           "unknown "
	};
	u32 level = LVL(src), shown;
	size_t at = out->len;

	if (REMOTE(src))
		strbuf_addstr(out, "Remote ");
	strbuf_addstr(out, hops[HOPS(src)]);
	shown = HOPS(src) ? 0 : add_bits(level, names, ARRAY_SIZE(names), 0, out);
	if (numbered[LVL_NUM(src)]) {
		strbuf_addstr(out, shown ? " or " : "");
		strbuf_addstr(out, numbered[LVL_NUM(src)]);
	}
	if (out->len == at)
		strbuf_addstr(out, "N/A");
	add_hit_miss(level & PERF_MEM_LVL_HIT, level & PERF_MEM_LVL_MISS, out);
}

void data_src_snoop(u64 src, struct strbuf *out)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	u32 shown = add_bits(SNOOP(src), names, ARRAY_SIZE(names), 0, out);

	if (!add_bits(SNOOPX(src), more, ARRAY_SIZE(more), shown, out))
		strbuf_addstr(out, "N/A");
}

void data_src_tlb(u64 src, struct strbuf *out)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	u32 tlb = TLB(src);

	if (!add_bits(tlb, names, ARRAY_SIZE(names), 0, out))
		strbuf_addstr(out, "N/A");
	add_hit_miss(tlb & PERF_MEM_TLB_HIT, tlb & PERF_MEM_TLB_MISS, out);
}

void data_src_lock(u64 src, struct strbuf *out)
{
	strbuf_addstr(out, LOCK(src) & PERF_MEM_LOCK_NA       ? "N/A"
			   : LOCK(src) & PERF_MEM_LOCK_LOCKED ? "Yes"
							      : "No");
}

void data_src_blocked(u64 src, struct strbuf *out)
{
	if (!BLOCKED(src) || (BLOCKED(src) & 1)) {
		strbuf_addstr(out, " N/A");
		return;
	}
	strbuf_addstr(out, BLOCKED(src) & 2 ? " Data" : "");
	strbuf_addstr(out, BLOCKED(src) & 4 ? " Addr" : "");
}
