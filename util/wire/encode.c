// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Encoding of records in native order. Each function appends one complete record with decoded
 * values to a strbuf and sets header.size last. This file mirrors the decoders in wire/records.c
 * (which use the same rows) and wire/event.c (samples).
 */
#include "base/compat.h"
#include "wire/encode.h"
#include "wire/fields.h"

#include <errno.h>

static void put_u16(struct strbuf *sb, u16 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_u32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_u64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_zeros(struct strbuf *sb, size_t n)
{
	static const char zeros[64];

	while (n) {
		size_t part = MIN(n, sizeof(zeros));

		strbuf_add(sb, zeros, part);
		n -= part;
	}
}

/* Begin a record. Return: its position, for rec_end(). */
static size_t rec_begin(struct strbuf *sb, u32 type, u16 misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = sb->len;

	strbuf_add(sb, &h, sizeof(h));
	return at;
}

/* Complete a record. Return: 0, or -E2BIG when it is too long, and then it is removed. */
static int rec_end(struct strbuf *sb, size_t at)
{
	size_t len = sb->len - at;
	u16 size = (u16)len;

	if (len > UINT16_MAX) {
		sb->len = at;
		sb->buf[at] = 0;
		return -E2BIG;
	}
	memcpy(sb->buf + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
	return 0;
}

void enc_sample_id(struct strbuf *sb, const struct wire_layout *l, const struct sample_id *id)
{
	static const struct sample_id none;

	if (!l || !l->sample_id_all)
		return;
	if (!id)
		id = &none;
	if (l->sample_type & PERF_SAMPLE_TID) {
		put_u32(sb, id->pid);
		put_u32(sb, id->tid);
	}
	if (l->sample_type & PERF_SAMPLE_TIME)
		put_u64(sb, id->time);
	if (l->sample_type & PERF_SAMPLE_ID)
		put_u64(sb, id->id);
	if (l->sample_type & PERF_SAMPLE_STREAM_ID)
		put_u64(sb, id->stream_id);
	if (l->sample_type & PERF_SAMPLE_CPU) {
		put_u32(sb, id->cpu);
		put_u32(sb, 0);
	}
	if (l->sample_type & PERF_SAMPLE_IDENTIFIER)
		put_u64(sb, id->id);
}

/* ---- bodies ---- */

static const void *pointer_at(const u8 *vals, const struct wire_field *f)
{
	const void *p;

	memcpy(&p, vals + f->at, sizeof(p));
	return p;
}

/* Append a text of @n bytes, of which at least one is zero. */
static void put_text(struct strbuf *out, const char *s, size_t n)
{
	size_t len = n ? MIN(strlen(s), n - 1) : 0;

	strbuf_add(out, s, len);
	put_zeros(out, n - len);
}

static void put_attr(struct strbuf *out, const struct rec_attr *a)
{
	struct perf_event_attr attr = a->attr;
	size_t size = MIN(a->attr_size, (u32)ATTR_SIZE);
	size_t more = MIN((a->attr_size - size) / 8, (size_t)a->nr_more) * 8;

	attr.size = a->attr_size;
	strbuf_add(out, &attr, size);
	if (more)
		strbuf_add(out, a->more, more);
	put_zeros(out, a->attr_size - size - more);
}

static void put_row(struct strbuf *out, const struct wire_field *f, u16 misc, const u8 *vals)
{
	struct wire_choice choice = { misc, true, 0, vals, NULL };

	while (f && f->kind != W_END) {
		const void *p = NULL;

		switch (f->kind) {
		case W_NUM:
		case W_BYTES:
			strbuf_add(out, vals + f->at, f->width);
			break;
		case W_PAD:
			put_zeros(out, f->width);
			break;
		case W_TEXT:
			put_text(out, pointer_at(vals, f), f->width);
			break;
		case W_STR:
			p = pointer_at(vals, f);
			strbuf_add(out, p, strlen(p) + 1);
			break;
		case W_NAME:
			put_text(out, pointer_at(vals, f), wire_count(f, vals));
			break;
		case W_ARRAY:
		case W_REST:
			strbuf_add(out, pointer_at(vals, f),
				   wire_count(f, vals) * wire_elem_size(f->elem));
			break;
		case W_ATTR:
			put_attr(out, (const struct rec_attr *)vals);
			break;
		case W_SUB:
			put_row(out, f->sub, misc, vals + f->at);
			break;
		case W_PICK:
			f = f->pick(&choice);
			continue;
		default:
			break;
		}
		f++;
	}
}

/* Return the misc bits that follow from the body. */
static u16 complete_misc(u32 type, u16 misc, const union rec_any *r)
{
	switch (type) {
	case PERF_RECORD_MMAP2:
		return misc | (r->mmap.build_id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	case PERF_RECORD_COMM:
		return misc | (r->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return misc | (r->sw.out ? PERF_RECORD_MISC_SWITCH_OUT : 0) |
		       (r->sw.preempt ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0);
	case PERF_RECORD_HEADER_BUILD_ID:
		return misc | MISC_BUILD_ID_SIZE;
	default:
		return misc;
	}
}

int enc_record(struct strbuf *out, u32 type, u16 misc, const void *vals,
	       const struct wire_layout *l, const struct sample_id *id)
{
	const struct wire_body *body = wire_body(type);
	size_t at;

	if (body)
		misc = complete_misc(type, misc, vals);
	at = rec_begin(out, type, misc);
	if (body)
		put_row(out, body->row, misc, vals);
	if (type != PERF_RECORD_COMPRESSED) /* a compressed record ends with its contents */
		put_zeros(out, ALIGN_UP(out->len - at, (size_t)8) - (out->len - at));
	if (type < PERF_RECORD_USER_TYPE_START)
		enc_sample_id(out, l, id);
	return rec_end(out, at);
}

/* ---- samples ---- */

static void put_regs(struct strbuf *out, u64 mask, const struct wire_regs *r)
{
	put_u64(out, r->regs ? r->abi : PERF_SAMPLE_REGS_ABI_NONE);
	if (r->regs && r->abi != PERF_SAMPLE_REGS_ABI_NONE)
		strbuf_add(out, (const void *)r->regs, 8 * (size_t)__builtin_popcountll(mask));
}

/* Append size word and bytes, padded so that the next field is at a multiple of 8. */
static void put_raw(struct strbuf *out, const struct sample *s)
{
	u32 padded = ALIGN_UP(s->raw_size + 4, 8U) - 4;

	put_u32(out, padded);
	strbuf_add(out, s->raw, s->raw_size);
	put_zeros(out, padded - s->raw_size);
}

static void put_branches(struct strbuf *out, const struct wire_layout *l, const struct sample *s)
{
	put_u64(out, s->nr_branches);
	if (l->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		put_u64(out, s->branch_hw_idx);
	strbuf_add(out, (const void *)s->branches, s->nr_branches * 24);
	if (!(l->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS_))
		return;
	if (s->branch_counters)
		strbuf_add(out, (const void *)s->branch_counters, s->nr_branches * 8);
	else
		put_zeros(out, s->nr_branches * 8);
}

static void put_user_stack(struct strbuf *out, const struct sample *s)
{
	put_u64(out, s->user_stack_size);
	if (!s->user_stack_size)
		return;
	strbuf_add(out, s->user_stack, s->user_stack_dyn);
	put_zeros(out, s->user_stack_size - s->user_stack_dyn);
	put_u64(out, s->user_stack_dyn);
}

/* Append the fields at fixed offsets: everything before the read block. */
static void put_sample_fixed(struct strbuf *out, u64 st, const struct sample *s)
{
	if (st & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, s->id);
	if (st & PERF_SAMPLE_IP)
		put_u64(out, s->ip);
	if (st & PERF_SAMPLE_TID) {
		put_u32(out, s->pid);
		put_u32(out, s->tid);
	}
	if (st & PERF_SAMPLE_TIME)
		put_u64(out, s->time);
	if (st & PERF_SAMPLE_ADDR)
		put_u64(out, s->addr);
	if (st & PERF_SAMPLE_ID)
		put_u64(out, s->id);
	if (st & PERF_SAMPLE_STREAM_ID)
		put_u64(out, s->stream_id);
	if (st & PERF_SAMPLE_CPU) {
		put_u32(out, s->cpu);
		put_u32(out, 0);
	}
	if (st & PERF_SAMPLE_PERIOD)
		put_u64(out, s->period);
}

static void put_sample_weight(struct strbuf *out, u64 st, const struct sample *s)
{
	if (st & PERF_SAMPLE_WEIGHT)
		put_u64(out, s->weight);
	if (st & PERF_SAMPLE_WEIGHT_STRUCT) {
		put_u32(out, (u32)s->weight);
		put_u16(out, s->ins_lat);
		put_u16(out, s->p_stage_cyc);
	}
}

int enc_sample(struct strbuf *out, const struct wire_layout *l, const struct sample *s)
{
	u64 st = l->sample_type;
	size_t at = rec_begin(out, PERF_RECORD_SAMPLE, s->misc);

	put_sample_fixed(out, st, s);
	if (st & PERF_SAMPLE_READ)
		strbuf_add(out, s->read, s->read_size);
	if (st & PERF_SAMPLE_CALLCHAIN) {
		put_u64(out, s->nr_callchain);
		strbuf_add(out, (const void *)s->callchain, s->nr_callchain * 8);
	}
	if (st & PERF_SAMPLE_RAW)
		put_raw(out, s);
	if (st & PERF_SAMPLE_BRANCH_STACK)
		put_branches(out, l, s);
	if (st & PERF_SAMPLE_REGS_USER)
		put_regs(out, l->regs_user, &s->user_regs);
	if (st & PERF_SAMPLE_STACK_USER)
		put_user_stack(out, s);
	put_sample_weight(out, st, s);
	if (st & PERF_SAMPLE_DATA_SRC)
		put_u64(out, s->data_src);
	if (st & PERF_SAMPLE_TRANSACTION)
		put_u64(out, s->transaction);
	if (st & PERF_SAMPLE_REGS_INTR)
		put_regs(out, l->regs_intr, &s->intr_regs);
	if (st & PERF_SAMPLE_PHYS_ADDR)
		put_u64(out, s->phys_addr);
	if (st & PERF_SAMPLE_CGROUP)
		put_u64(out, s->cgroup);
	if (st & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_u64(out, s->data_page_size);
	if (st & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_u64(out, s->code_page_size);
	if (st & PERF_SAMPLE_AUX) {
		put_u64(out, s->aux_size);
		strbuf_add(out, s->aux, s->aux_size);
	}
	return rec_end(out, at);
}
