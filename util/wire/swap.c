// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Foreign byte order to native, in place.
 *
 * Every record type has a row of field widths; samples are walked by their layout. Bit fields
 * are laid out from the other end of their word on machines of the other order, so words that
 * hold them (attr flags, branch flags) get their bits moved as well as their bytes.
 */
#include "base/compat.h"
#include "wire/event.h"

#include <errno.h>

#define BRANCH_COUNTERS (1ULL << 19)

/* A walk over the bytes to turn; failure sticks. */
struct turn {
	u8 *p, *end;
	bool bad;
};

static u8 *need(struct turn *t, u64 n)
{
	u8 *p = t->p;

	if (t->bad || n > (u64)(t->end - p)) {
		t->bad = true;
		return NULL;
	}
	t->p += n;
	return p;
}

static u16 turn16(struct turn *t)
{
	u16_una *p = (u16_una *)need(t, 2);

	return p ? (*p = __builtin_bswap16(*p)) : 0;
}

static u32 turn32(struct turn *t)
{
	u32_una *p = (u32_una *)need(t, 4);

	return p ? (*p = __builtin_bswap32(*p)) : 0;
}

static u64 turn64(struct turn *t)
{
	u64_una *p = (u64_una *)need(t, 8);

	return p ? (*p = __builtin_bswap64(*p)) : 0;
}

/* One field of a row: '1' a byte, '2' '4' '8' integers. */
static void turn_item(struct turn *t, char width)
{
	if (width == '8')
		turn64(t);
	else if (width == '4')
		turn32(t);
	else if (width == '2')
		turn16(t);
	else
		need(t, 1);
}

/* @nr words; a count that cannot fit is found before anything is turned. */
static void turn_words(struct turn *t, u64 nr)
{
	if (t->bad || nr > (u64)(t->end - t->p) / 8) {
		t->bad = true;
		return;
	}
	while (nr--)
		turn64(t);
}

static void turn_rest(struct turn *t)
{
	turn_words(t, (u64)(t->end - t->p) / 8);
}

/* ---- bit fields ---- */

/* Fields of @widths (first declared first, 64 bits in all) as the other order lays them out. */
static u64 mirror_fields(u64 v, const u8 *widths, size_t nr)
{
	u64 out = 0;
	unsigned int lo = 0, hi = 64;

	for (size_t i = 0; i < nr; i++) {
		u64 mask = (1ULL << widths[i]) - 1;

		hi -= widths[i];
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		out |= ((v >> hi) & mask) << lo;
#else
		out |= ((v >> lo) & mask) << hi;
#endif
		lo += widths[i];
	}
	return out;
}

static u64 branch_flags(u64 v)
{
	/* mispred predicted in_tx abort cycles type spec new_type priv reserved */
	static const u8 widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };

	return mirror_fields(v, widths, ARRAY_SIZE(widths));
}

static u64 attr_flags(u64 v)
{
	static const u8 widths[] = {
		1, 1, 1, 1, 1, 1, 1, 1, /* disabled ... exclude_idle */
		1, 1, 1, 1, 1, 1, 1,    /* mmap ... watermark */
		2,                      /* precise_ip */
		1, 1, 1, 1, 1, 1, 1, 1, /* mmap_data ... mmap2 and comm_exec */
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	};

	return mirror_fields(v, widths, ARRAY_SIZE(widths));
}

void attr_swap(void *p, size_t size)
{
	/* Widths of the attr's fields after the flags: wakeup, bp_type, config1 ... */
	static const char tail[] = "44888844842244888";
	struct turn t = { p, (u8 *)p + size, false };
	u8 *flags;

	turn32(&t);
	turn32(&t);
	for (int i = 0; i < 4; i++)
		turn64(&t);
	flags = t.p;
	if (t.bad || size < 48)
		return;
	turn64(&t);
	*(u64_una *)flags = attr_flags(*(u64_una *)flags);
	for (const char *f = tail; *f && !t.bad; f++) {
		turn_item(&t, *f);
	}
}

/* ---- records ---- */

static void turn_row(struct turn *t, const char *row)
{
	for (; *row && !t->bad; row++) {
		if (*row == '*')
			turn_rest(t);
		else
			turn_item(t, *row);
	}
}

static void turn_mmap2(struct turn *t, u16 misc)
{
	turn_row(t, "44888");
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		need(t, 24);
	else
		turn_row(t, "4488");
	turn_row(t, "44");
}

/* What CPU_MAP holds, and EVENT_UPDATE of kind CPUS: u16 kind, then a list, a mask or a range. */
static void turn_cpu_map(struct turn *t)
{
	u16 kind = turn16(t), nr, width;

	if (kind == 2) {
		turn_row(t, "1122");
		return;
	}
	nr = turn16(t);
	if (kind == 0) {
		while (nr-- && !t->bad)
			turn16(t);
		return;
	}
	if (kind != 1)
		return;
	width = turn16(t);
	if (width == 8)
		need(t, 2);
	while (nr-- && !t->bad)
		turn_item(t, width == 8 ? '8' : '4');
}

static void turn_event_update(struct turn *t)
{
	u64 kind = turn64(t);

	turn64(t);
	if (kind == 1) /* SCALE: a double */
		turn64(t);
	else if (kind == 3) /* CPUS */
		turn_cpu_map(t);
}

static void turn_thread_map(struct turn *t)
{
	u64 nr = turn64(t);

	while (nr-- && !t->bad) {
		turn64(t);
		need(t, 16);
	}
}

/* The attr's own size says where the ids begin. */
static void turn_header_attr(struct turn *t)
{
	u32 size;

	if (t->end - t->p < PERF_ATTR_SIZE_VER0) {
		t->bad = true;
		return;
	}
	size = __builtin_bswap32(*(u32_una *)(t->p + 4));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > (u64)(t->end - t->p) || size < PERF_ATTR_SIZE_VER0) {
		t->bad = true;
		return;
	}
	attr_swap(t->p, size);
	t->p += size;
	turn_rest(t);
}

/* Field widths of the bodies that are plain rows; strings and opaque bytes end a row. */
static const char *row_of(u32 type)
{
	static const char *const rows[] = {
		[PERF_RECORD_MMAP] = "44888",
		[PERF_RECORD_LOST] = "88",
		[PERF_RECORD_COMM] = "44",
		[PERF_RECORD_EXIT] = "44448",
		[PERF_RECORD_THROTTLE] = "888",
		[PERF_RECORD_UNTHROTTLE] = "888",
		[PERF_RECORD_FORK] = "44448",
		[PERF_RECORD_READ] = "44*",
		[PERF_RECORD_AUX] = "888",
		[PERF_RECORD_ITRACE_START] = "44",
		[PERF_RECORD_LOST_SAMPLES] = "8",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "44",
		[PERF_RECORD_NAMESPACES] = "448*",
		[PERF_RECORD_KSYMBOL] = "8422",
		[PERF_RECORD_BPF_EVENT] = "224",
		[PERF_RECORD_CGROUP] = "8",
		[PERF_RECORD_TEXT_POKE] = "822",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "8",
		[PERF_RECORD_CALLCHAIN_DEFERRED_] = "88*",
		[PERF_RECORD_HEADER_EVENT_TYPE] = "8",
		[PERF_RECORD_HEADER_TRACING_DATA] = "4",
		[PERF_RECORD_HEADER_BUILD_ID] = "4",
		[PERF_RECORD_ID_INDEX] = "8*",
		[PERF_RECORD_AUXTRACE_INFO] = "44*",
		[PERF_RECORD_AUXTRACE] = "8884444",
		[PERF_RECORD_AUXTRACE_ERROR] = "4444448",
		[PERF_RECORD_STAT_CONFIG] = "8*",
		[PERF_RECORD_STAT] = "844888",
		[PERF_RECORD_STAT_ROUND] = "88",
		[PERF_RECORD_TIME_CONV] = "888",
		[PERF_RECORD_HEADER_FEATURE] = "8",
		[PERF_RECORD_COMPRESSED2] = "8",
	};

	return type < ARRAY_SIZE(rows) && rows[type] ? rows[type] : "";
}

static void turn_body(struct turn *t, u32 type, u16 misc)
{
	switch (type) {
	case PERF_RECORD_MMAP2:
		turn_mmap2(t, misc);
		break;
	case PERF_RECORD_HEADER_ATTR:
		turn_header_attr(t);
		break;
	case PERF_RECORD_THREAD_MAP:
		turn_thread_map(t);
		break;
	case PERF_RECORD_CPU_MAP:
		turn_cpu_map(t);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		turn_event_update(t);
		break;
	default:
		turn_row(t, row_of(type));
	}
}

static void turn_trailer(struct turn *t, u64 st)
{
	if (st & PERF_SAMPLE_TID)
		turn_row(t, "44");
	if (st & PERF_SAMPLE_TIME)
		turn64(t);
	if (st & PERF_SAMPLE_ID)
		turn64(t);
	if (st & PERF_SAMPLE_STREAM_ID)
		turn64(t);
	if (st & PERF_SAMPLE_CPU)
		turn_row(t, "44");
	if (st & PERF_SAMPLE_IDENTIFIER)
		turn64(t);
}

/* ---- samples ---- */

static void turn_read(struct turn *t, u64 format)
{
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	u64 nr;

	if (!(format & PERF_FORMAT_GROUP)) {
		turn_words(t, times + per);
		return;
	}
	nr = turn64(t);
	turn_words(t, times);
	turn_words(t, nr > UINT32_MAX ? nr : nr * per);
}

static void turn_branches(struct turn *t, u64 branch_type)
{
	u64 nr = turn64(t);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		turn64(t);
	if (nr > (u64)(t->end - t->p) / 24) {
		t->bad = true;
		return;
	}
	for (u64 i = 0; i < nr; i++) {
		u64_una *flags = (u64_una *)(t->p + 16);

		turn_words(t, 3);
		*flags = branch_flags(*flags);
	}
	if (branch_type & BRANCH_COUNTERS)
		turn_words(t, nr);
}

static void turn_regs(struct turn *t, u64 mask)
{
	if (turn64(t))
		turn_words(t, (u64)__builtin_popcountll(mask));
}

static void turn_sample_tail(struct turn *t, const struct wire_layout *l)
{
	/* One word each, in the order of the record; registers come between. */
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
			turn64(t);
	}
	if (l->sample_type & PERF_SAMPLE_REGS_INTR)
		turn_regs(t, l->regs_intr);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
		if (l->sample_type & after[i])
			turn64(t);
	}
	if (l->sample_type & PERF_SAMPLE_AUX)
		need(t, turn64(t));
}

static void turn_sample(struct turn *t, const struct wire_layout *l)
{
	u64 st = l->sample_type;

	for (s16 off = sizeof(struct perf_event_header); off < l->off_var; off = (s16)(off + 8)) {
		if (off == l->off_tid || off == l->off_cpu)
			turn_row(t, "44");
		else
			turn64(t);
	}
	if (st & PERF_SAMPLE_READ)
		turn_read(t, l->read_format);
	if (st & PERF_SAMPLE_CALLCHAIN)
		turn_words(t, turn64(t));
	if (st & PERF_SAMPLE_RAW)
		need(t, turn32(t));
	if (st & PERF_SAMPLE_BRANCH_STACK)
		turn_branches(t, l->branch_sample_type);
	if (st & PERF_SAMPLE_REGS_USER)
		turn_regs(t, l->regs_user);
	if (st & PERF_SAMPLE_STACK_USER) {
		u64 size = turn64(t);

		if (size) {
			need(t, size);
			turn64(t);
		}
	}
	turn_sample_tail(t, l);
}

int record_swap(const struct wire_layout *l, void *rec, size_t size)
{
	struct turn t = { rec, (u8 *)rec + size, false };
	u32 type = turn32(&t);
	u16 misc = turn16(&t);
	struct turn trailer;

	turn16(&t);
	if (t.bad)
		return -EINVAL;
	if (type == PERF_RECORD_SAMPLE) {
		if (!l)
			return -EINVAL;
		turn_sample(&t, l);
		return t.bad ? -EINVAL : 0;
	}
	if (l && l->id_size && type < PERF_RECORD_USER_TYPE_START) {
		if (t.end - t.p < l->id_size)
			return -EINVAL;
		t.end -= l->id_size;
		trailer = (struct turn){ t.end, t.end + l->id_size, false };
		turn_trailer(&trailer, l->sample_type);
	}
	turn_body(&t, type, misc);
	return t.bad ? -EINVAL : 0;
}
