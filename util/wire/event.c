// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Layouts, decoding of samples and trailers, attributes, names of records. Source of the layouts:
 * linux/perf_event.h.
 */
#include "base/compat.h"
#include "base/cur.h"
#include "wire/event.h"

#include "base/alloc.h"

#include <errno.h>

/* ---- names ---- */

const char *record_name(u32 type)
{
	static const char *const names[] = {
		[PERF_RECORD_MMAP] = "MMAP",
		[PERF_RECORD_LOST] = "LOST",
		[PERF_RECORD_COMM] = "COMM",
		[PERF_RECORD_EXIT] = "EXIT",
		[PERF_RECORD_THROTTLE] = "THROTTLE",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_FORK] = "FORK",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_SAMPLE] = "SAMPLE",
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
		[PERF_RECORD_SWITCH] = "SWITCH",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_KSYMBOL] = "KSYMBOL",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
		[PERF_RECORD_CALLCHAIN_DEFERRED_] = "CALLCHAIN_DEFERRED",
		[PERF_RECORD_HEADER_ATTR] = "ATTR",
		[PERF_RECORD_HEADER_EVENT_TYPE] = "EVENT_TYPE",
		[PERF_RECORD_HEADER_TRACING_DATA] = "TRACING_DATA",
		[PERF_RECORD_HEADER_BUILD_ID] = "BUILD_ID",
		[PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
		[PERF_RECORD_ID_INDEX] = "ID_INDEX",
		[PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
		[PERF_RECORD_AUXTRACE] = "AUXTRACE",
		[PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
		[PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
		[PERF_RECORD_CPU_MAP] = "CPU_MAP",
		[PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
		[PERF_RECORD_STAT] = "STAT",
		[PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
		[PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
		[PERF_RECORD_TIME_CONV] = "TIME_CONV",
		[PERF_RECORD_HEADER_FEATURE] = "FEATURE",
		[PERF_RECORD_COMPRESSED] = "COMPRESSED",
		[PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
		[PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
		[PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
		[PERF_RECORD_SCHEDSTAT_CPU] = "SCHEDSTAT_CPU",
		[PERF_RECORD_SCHEDSTAT_DOMAIN] = "SCHEDSTAT_DOMAIN",
	};

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

/* ---- layout ---- */

static s16 take(s16 *off, bool present)
{
	s16 at = *off;

	if (!present)
		return -1;
	*off = (s16)(at + 8);
	return at;
}

/* The trailer at the end of the record: TID TIME ID STREAM_ID CPU IDENTIFIER, 8 bytes each. */
static void layout_trailer(struct wire_layout *l)
{
	static const u64 order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,  PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_ID,         PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
	};
	u8 rev = 0;

	if (!l->sample_id_all)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!(l->sample_type & order[i]))
			continue;
		rev = (u8)(rev + 8);
		if (order[i] == PERF_SAMPLE_IDENTIFIER)
			l->rev_id = rev;
		else if (order[i] == PERF_SAMPLE_ID && !l->rev_id)
			l->rev_id = rev;
		else if (order[i] == PERF_SAMPLE_TIME)
			l->rev_time = rev;
	}
	l->id_size = rev;
}

void layout_init(struct wire_layout *l, const struct perf_event_attr *attr)
{
	u64 st = attr->sample_type;
	s16 off = sizeof(struct perf_event_header), id;

	*l = (struct wire_layout){
		.sample_type = st,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
		.sample_id_all = attr->sample_id_all,
		.period = attr->sample_period,
	};
	l->off_id = take(&off, st & PERF_SAMPLE_IDENTIFIER);
	l->off_ip = take(&off, st & PERF_SAMPLE_IP);
	l->off_tid = take(&off, st & PERF_SAMPLE_TID);
	l->off_time = take(&off, st & PERF_SAMPLE_TIME);
	l->off_addr = take(&off, st & PERF_SAMPLE_ADDR);
	id = take(&off, st & PERF_SAMPLE_ID);
	if (l->off_id < 0)
		l->off_id = id;
	l->off_stream = take(&off, st & PERF_SAMPLE_STREAM_ID);
	l->off_cpu = take(&off, st & PERF_SAMPLE_CPU);
	l->off_period = take(&off, st & PERF_SAMPLE_PERIOD);
	l->off_var = off;
	st &= ~(u64)(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		     PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		     PERF_SAMPLE_PERIOD);
	l->has_var = st;
	l->lone_raw = st == PERF_SAMPLE_RAW;
	layout_trailer(l);
}

/* ---- samples ---- */

/* Return @nr elements of @width bytes. The division checks the product. */
static const void *take_array(struct cur *c, u64 nr, size_t width)
{
	if (nr > cur_left(c) / width) {
		c->bad = true;
		return NULL;
	}
	return cur_bytes(c, (size_t)nr * width);
}

static void take_read(struct cur *c, u64 format, struct sample *s)
{
	const u8 *start = c->p;
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		u64 nr = cur_u64(c);

		cur_skip(c, times * 8);
		take_array(c, nr, per * 8);
	} else {
		cur_skip(c, (times + per) * 8);
	}
	if (cur_ok(c)) {
		s->read = start;
		s->read_size = (u32)(c->p - start);
	}
}

static void take_branches(struct cur *c, u64 branch_type, struct sample *s)
{
	s->nr_branches = cur_u64(c);
	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) {
		s->branch_hw_idx = cur_u64(c);
		s->has_hw_idx = true;
	}
	s->branches = take_array(c, s->nr_branches, 24);
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS_)
		s->branch_counters = take_array(c, s->nr_branches, 8);
}

static void take_regs(struct cur *c, u64 mask, struct wire_regs *r)
{
	r->abi = cur_u64(c);
	r->mask = mask;
	if (r->abi)
		r->regs = take_array(c, (u64)__builtin_popcountll(mask), 8);
}

static void take_stack(struct cur *c, struct sample *s)
{
	s->user_stack_size = cur_u64(c);
	s->user_stack = c->p;
	if (!s->user_stack_size)
		return;
	s->user_stack = take_array(c, s->user_stack_size, 1);
	s->user_stack_dyn = cur_u64(c); /* not inside MIN(), which evaluates it twice */
	s->user_stack_dyn = MIN(s->user_stack_dyn, s->user_stack_size);
}

static void take_weight(struct cur *c, u64 st, struct sample *s)
{
	u64 w = cur_u64(c);

	if (st & PERF_SAMPLE_WEIGHT_STRUCT) {
		s->weight = (u32)w;
		s->ins_lat = (u16)(w >> 32);
		s->p_stage_cyc = (u16)(w >> 48);
	} else {
		s->weight = w;
	}
}

static void take_variable(struct cur *c, const struct wire_layout *l, struct sample *s)
{
	u64 st = l->sample_type;

	if (st & PERF_SAMPLE_READ)
		take_read(c, l->read_format, s);
	if (st & PERF_SAMPLE_CALLCHAIN) {
		s->nr_callchain = cur_u64(c);
		s->callchain = take_array(c, s->nr_callchain, 8);
	}
	if (st & PERF_SAMPLE_RAW) {
		s->raw_size = cur_u32(c);
		s->raw = take_array(c, s->raw_size, 1);
	}
	if (st & PERF_SAMPLE_BRANCH_STACK)
		take_branches(c, l->branch_sample_type, s);
	if (st & PERF_SAMPLE_REGS_USER)
		take_regs(c, l->regs_user, &s->user_regs);
	if (st & PERF_SAMPLE_STACK_USER)
		take_stack(c, s);
	if (st & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		take_weight(c, st, s);
	if (st & PERF_SAMPLE_DATA_SRC)
		s->data_src = cur_u64(c);
	if (st & PERF_SAMPLE_TRANSACTION)
		s->transaction = cur_u64(c);
	if (st & PERF_SAMPLE_REGS_INTR)
		take_regs(c, l->regs_intr, &s->intr_regs);
	if (st & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cur_u64(c);
	if (st & PERF_SAMPLE_CGROUP)
		s->cgroup = cur_u64(c);
	if (st & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cur_u64(c);
	if (st & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cur_u64(c);
	if (st & PERF_SAMPLE_AUX) {
		s->aux_size = cur_u64(c);
		s->aux = take_array(c, s->aux_size, 1);
	}
}

/* Zero a sample. memset() of the whole struct would become `rep stos`, which costs more than
 * everything else. */
static inline void zero_sample(struct sample *s)
{
	u8 *p = (u8 *)s;
	size_t left = sizeof(*s);

#pragma GCC unroll 8
	for (; left >= 64; left -= 64, p += 64)
		__builtin_memset(p, 0, 64);
	__builtin_memset(p, 0, sizeof(*s) % 64);
}

int sample_decode(const struct wire_layout *l, const void *rec, size_t size, struct sample *s)
{
	struct cur c;

	zero_sample(s);
	if (unlikely(sample_decode_fixed(l, rec, size, s) < 0))
		return -EINVAL;
	if (!l->has_var)
		return 0;
	c = cur_make((const u8 *)rec + l->off_var, size - (size_t)l->off_var, false);
	take_variable(&c, l, s);
	return cur_ok(&c) ? 0 : -EINVAL;
}

size_t record_end(const struct wire_layout *l, u32 type, const void *rec, size_t size)
{
	enum { KSYMBOL_NAME = 24, BPF_END = 24 };
	size_t end;

	if (likely(type != PERF_RECORD_KSYMBOL && type != PERF_RECORD_BPF_EVENT))
		return size;
	if (type == PERF_RECORD_BPF_EVENT)
		end = BPF_END;
	else if (size > KSYMBOL_NAME)
		end = KSYMBOL_NAME +
		      strnlen((const char *)rec + KSYMBOL_NAME, size - KSYMBOL_NAME) + 1;
	else
		return size;
	end = ALIGN_UP(end, 8) + l->id_size;
	return MIN(end, size);
}

int sample_id_decode(const struct wire_layout *l, const void *rec, size_t size,
		     struct sample_id *out)
{
	u64 st = l->sample_type;
	struct cur c;

	*out = (struct sample_id){ .time = ~0ULL, .id = ~0ULL, .stream_id = ~0ULL, .cpu = ~0U };
	if (!l->id_size)
		return 0;
	if (size < sizeof(struct perf_event_header) + l->id_size)
		return -EINVAL;
	size = record_end(l, ((const wire_header *)rec)->type, rec, size);
	c = cur_make((const u8 *)rec + size - l->id_size, l->id_size, false);
	if (st & PERF_SAMPLE_TID) {
		out->pid = cur_u32(&c);
		out->tid = cur_u32(&c);
	}
	if (st & PERF_SAMPLE_TIME)
		out->time = cur_u64(&c);
	if (st & PERF_SAMPLE_ID)
		out->id = cur_u64(&c);
	if (st & PERF_SAMPLE_STREAM_ID)
		out->stream_id = cur_u64(&c);
	if (st & PERF_SAMPLE_CPU) {
		out->cpu = cur_u32(&c);
		cur_skip(&c, 4);
	}
	if (st & PERF_SAMPLE_IDENTIFIER)
		out->id = cur_u64(&c);
	return 0;
}

/* ---- attributes ---- */

/* The flags are bit-fields, which begin at the other end of their word where bytes do. */
static u64 place_of(u64 flags)
{
	u64 reversed = 0;

	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return flags;
	for (; flags; flags &= flags - 1)
		reversed |= 1ULL << (63 - __builtin_ctzll(flags));
	return reversed;
}

#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + sizeof(u64))

bool attr_has(const struct perf_event_attr *a, u64 flags)
{
	return *(const u64_una *)((const u8 *)a + FLAGS_AT) & place_of(flags);
}

void attr_set(struct perf_event_attr *a, u64 flags)
{
	*(u64_una *)((u8 *)a + FLAGS_AT) |= place_of(flags);
}

void attr_decode(struct perf_event_attr *out, const void *p, size_t size, bool swap)
{
	/* The size of every version is a multiple of 8; further bytes are not a field. */
	size = MIN(size, sizeof(*out)) & ~(size_t)7;
	memset(out, 0, sizeof(*out));
	memcpy(out, p, size);
	if (swap)
		attr_swap(out, size);
}

u64 attr_config3(const void *p, size_t size, bool swap)
{
	u64 v = 0;

	if (size >= PERF_ATTR_SIZE_VER8)
		memcpy(&v, (const u8 *)p + ATTR_SIZE, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

bool sample_lbr_chain(const struct sample *s, struct lbr_chain *out)
{
	u64 user = 0, i;

	while (user < s->nr_callchain && s->callchain[user] != (u64)PERF_CONTEXT_USER)
		user++;
	if (user == s->nr_callchain || !s->nr_branches)
		return false;
	out->nr = 0;
	VEC_GROW(out->ips, user + 2 + s->nr_branches, out->cap);
	for (i = 0; i <= user; i++)
		out->ips[out->nr++] = s->callchain[i];
	out->ips[out->nr++] = s->branches[1]; /* the target of the last call */
	for (i = 0; i < s->nr_branches; i++)
		out->ips[out->nr++] = s->branches[3 * i];
	return true;
}
