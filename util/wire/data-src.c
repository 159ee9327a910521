// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the parts of a PERF_SAMPLE_DATA_SRC as text. Source of the bits: linux/perf_event.h. */
#include "base/compat.h"

#include "wire/data-src.h"
#include "wire/event.h"

/* Return the part of @src at bit @shift with so many bits. */
#define PART(src, shift, bits) ((u32)((src) >> (shift)) & ((1u << (bits)) - 1))
#define OP(src) PART(src, PERF_MEM_OP_SHIFT, 5)
#define LVL(src) PART(src, PERF_MEM_LVL_SHIFT, 14)
#define SNOOP(src) PART(src, PERF_MEM_SNOOP_SHIFT, 5)
#define LOCK(src) PART(src, PERF_MEM_LOCK_SHIFT, 2)
#define TLB(src) PART(src, PERF_MEM_TLB_SHIFT, 7)
#define LVL_NUM(src) PART(src, 33, 4)
#define REMOTE(src) PART(src, 37, 1)
#define SNOOPX(src) PART(src, 38, 2)
#define BLOCKED(src) PART(src, 40, 3)
#define HOPS(src) PART(src, 43, 3)

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
