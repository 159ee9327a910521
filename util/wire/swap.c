// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion between foreign and native byte order, in place.
 *
 * Bodies are converted by the rows of wire/fields.c, samples by their layout. On machines of the
 * other order, bit fields are allocated from the other end of their word, so in words with bit
 * fields (flags of attrs and branches) the bits have to be moved as well as the bytes.
 */
#include "base/compat.h"
#include "wire/fields.h"

#include <errno.h>

/* A walk over the bytes to convert. An error is sticky. */
struct swap_walk {
	u8 *p, *end;
	bool bad;
	bool back; /* from native to foreign: counts and kinds have to be read before they are
		      converted */
};

static u8 *need(struct swap_walk *t, u64 n)
{
	u8 *p = t->p;

	if (t->bad || n > (u64)(t->end - p)) {
		t->bad = true;
		return NULL;
	}
	t->p += n;
	return p;
}

static u16 swap16(struct swap_walk *t)
{
	u16_una *p = (u16_una *)need(t, 2);
	u16 was, now;

	if (!p)
		return 0;
	was = *p;
	now = *p = __builtin_bswap16(was);
	return t->back ? was : now;
}

static u32 swap32(struct swap_walk *t)
{
	u32_una *p = (u32_una *)need(t, 4);
	u32 was, now;

	if (!p)
		return 0;
	was = *p;
	now = *p = __builtin_bswap32(was);
	return t->back ? was : now;
}

static u64 swap64(struct swap_walk *t)
{
	u64_una *p = (u64_una *)need(t, 8);
	u64 was, now;

	if (!p)
		return 0;
	was = *p;
	now = *p = __builtin_bswap64(was);
	return t->back ? was : now;
}

/* Convert one field of a row: '1' is a byte, '2' '4' '8' are integers. */
static void swap_item(struct swap_walk *t, char width)
{
	if (width == '8')
		swap64(t);
	else if (width == '4')
		swap32(t);
	else if (width == '2')
		swap16(t);
	else
		need(t, 1);
}

static void swap_row(struct swap_walk *t, const char *row)
{
	for (; *row && !t->bad; row++)
		swap_item(t, *row);
}

/* Convert @nr words. A count that cannot be right is detected before anything is converted. */
static void swap_words(struct swap_walk *t, u64 nr)
{
	if (t->bad || nr > (u64)(t->end - t->p) / 8) {
		t->bad = true;
		return;
	}
	while (nr--)
		swap64(t);
}

/* ---- bit fields ---- */

/*
 * Move bit fields of @widths (in the order of declaration, @bits in all) to their places in the
 * other order: the first one is lowest on little-endian machines and highest on others.
 */
static u64 mirror_fields(u64 v, const u8 *widths, size_t nr, unsigned int bits, bool back)
{
	bool from_high = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != back;
	u64 out = 0;
	unsigned int lo = 0, hi = bits;

	for (size_t i = 0; i < nr; i++) {
		u64 mask = (1ULL << widths[i]) - 1;

		hi -= widths[i];
		out |= from_high ? ((v >> hi) & mask) << lo : ((v >> lo) & mask) << hi;
		lo += widths[i];
	}
	return out;
}

/* Convert a word of such fields, which are moved while the word is in native order. */
static void swap_fields(struct swap_walk *t, const u8 *widths, size_t nr, unsigned int bits)
{
	u8 *p = t->p;
	u64 v;

	if ((u64)(t->end - p) < bits / 8) {
		t->bad = true;
		return;
	}
	if (!t->back)
		swap_item(t, bits == 64 ? '8' : '4');
	v = bits == 64 ? *(u64_una *)p : *(u32_una *)p;
	v = mirror_fields(v, widths, nr, bits, t->back);
	if (bits == 64)
		*(u64_una *)p = v;
	else
		*(u32_una *)p = (u32)v;
	if (t->back)
		swap_item(t, bits == 64 ? '8' : '4');
}

static void swap_attr(void *p, size_t size, bool back)
{
	static const u8 flags[] = {
		1, 1, 1, 1, 1, 1, 1, 1, /* disabled ... exclude_idle */
		1, 1, 1, 1, 1, 1, 1,    /* mmap ... watermark */
		2,                      /* precise_ip */
		1, 1, 1, 1, 1, 1, 1, 1, /* mmap_data ... mmap2 and comm_exec */
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	};
	/*
	 * The word after aux_sample_size: aux_start_paused, aux_pause, aux_resume, 29 unused bits.
	 */
	static const u8 aux_action[] = { 1, 1, 1, 29 };
	struct swap_walk t = { p, (u8 *)p + size, false, back };

	swap_row(&t, "448888"); /* type, size, config, sample_period, sample_type, read_format */
	swap_fields(&t, flags, ARRAY_SIZE(flags), 64);
	swap_row(&t, "4488884484224"); /* wakeup, bp_type, config1 ... aux_sample_size */
	swap_fields(&t, aux_action, ARRAY_SIZE(aux_action), 32);
	swap_row(&t, "888"); /* sig_data, config3, config4 */
}

void attr_swap(void *p, size_t size)
{
	swap_attr(p, size, false);
}

void attr_unswap(void *p, size_t size)
{
	swap_attr(p, size, true);
}

static void swap_trailer(struct swap_walk *t, u64 st)
{
	if (st & PERF_SAMPLE_TID)
		swap_row(t, "44");
	if (st & PERF_SAMPLE_TIME)
		swap64(t);
	if (st & PERF_SAMPLE_ID)
		swap64(t);
	if (st & PERF_SAMPLE_STREAM_ID)
		swap64(t);
	if (st & PERF_SAMPLE_CPU)
		swap_row(t, "44");
	if (st & PERF_SAMPLE_IDENTIFIER)
		swap64(t);
}

/* ---- samples ---- */

static void swap_read(struct swap_walk *t, u64 format)
{
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	u64 nr;

	if (!(format & PERF_FORMAT_GROUP)) {
		swap_words(t, times + per);
		return;
	}
	nr = swap64(t);
	swap_words(t, times);
	swap_words(t, nr > UINT32_MAX ? nr : nr * per);
}

static void swap_branches(struct swap_walk *t, u64 branch_type)
{
	/* mispred predicted in_tx abort cycles type spec new_type priv reserved */
	static const u8 flags[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	u64 nr = swap64(t);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		swap64(t);
	if (nr > (u64)(t->end - t->p) / 24) {
		t->bad = true;
		return;
	}
	for (u64 i = 0; i < nr; i++) {
		swap_words(t, 2);
		swap_fields(t, flags, ARRAY_SIZE(flags), 64);
	}
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS_)
		swap_words(t, nr);
}

static void swap_regs(struct swap_walk *t, u64 mask)
{
	if (swap64(t))
		swap_words(t, (u64)__builtin_popcountll(mask));
}

static void swap_sample_tail(struct swap_walk *t, const struct wire_layout *l)
{
	/* One word each, in the order of the record, with registers between them. */
	static const u64 before[] = {
		PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
		PERF_SAMPLE_DATA_SRC,
		PERF_SAMPLE_TRANSACTION,
	};
	static const u64 after[] = {
		PERF_SAMPLE_PHYS_ADDR,
		PERF_SAMPLE_CGROUP,
		PERF_SAMPLE_DATA_PAGE_SIZE,
		PERF_SAMPLE_CODE_PAGE_SIZE,
	};

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		if (l->sample_type & before[i])
			swap64(t);
	}
	if (l->sample_type & PERF_SAMPLE_REGS_INTR)
		swap_regs(t, l->regs_intr);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
		if (l->sample_type & after[i])
			swap64(t);
	}
	if (l->sample_type & PERF_SAMPLE_AUX)
		need(t, swap64(t));
}

static void swap_sample(struct swap_walk *t, const struct wire_layout *l)
{
	u64 st = l->sample_type;

	for (s16 off = sizeof(struct perf_event_header); off < l->off_var; off = (s16)(off + 8)) {
		if (off == l->off_tid || off == l->off_cpu)
			swap_row(t, "44");
		else
			swap64(t);
	}
	if (st & PERF_SAMPLE_READ)
		swap_read(t, l->read_format);
	if (st & PERF_SAMPLE_CALLCHAIN)
		swap_words(t, swap64(t));
	if (st & PERF_SAMPLE_RAW)
		need(t, swap32(t));
	if (st & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(t, l->branch_sample_type);
	if (st & PERF_SAMPLE_REGS_USER)
		swap_regs(t, l->regs_user);
	if (st & PERF_SAMPLE_STACK_USER) {
		u64 size = swap64(t);

		if (size) {
			need(t, size);
			swap64(t);
		}
	}
	swap_sample_tail(t, l);
}

static int swap_record(const struct wire_layout *l, void *rec, size_t size, bool back)
{
	struct swap_walk t = { rec, (u8 *)rec + size, false, back };
	u32 type = swap32(&t);
	u16 misc = swap16(&t);
	const struct wire_body *body;
	struct swap_walk trailer;
	union rec_any vals;

	swap16(&t);
	if (t.bad)
		return -EINVAL;
	if (type == PERF_RECORD_SAMPLE) {
		if (!l)
			return -EINVAL;
		swap_sample(&t, l);
		return t.bad ? -EINVAL : 0;
	}
	if (l && l->id_size && type < PERF_RECORD_USER_TYPE_START) {
		if (t.end - t.p < l->id_size)
			return -EINVAL;
		t.end = (u8 *)rec + record_end(l, type, rec, size) - l->id_size;
		trailer = (struct swap_walk){ t.end, t.end + l->id_size, false, back };
		swap_trailer(&trailer, l->sample_type);
	}
	body = wire_body(type);
	if (!body)
		return 0;
	return wire_walk(body->row, back ? WIRE_SWAP_OUT : WIRE_SWAP_IN, misc, t.p,
			 (size_t)(t.end - t.p), &vals);
}

int record_swap(const struct wire_layout *l, void *rec, size_t size)
{
	return swap_record(l, rec, size, false);
}

int record_unswap(const struct wire_layout *l, void *rec, size_t size)
{
	return swap_record(l, rec, size, true);
}
