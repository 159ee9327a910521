// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes the features of a rewritten recording and the attrs in them. They differ from
 * those of the input where the rewriting changed or added something.
 */
#include "base/compat.h"
#include "session/rewrite-internal.h"

#include "base/cur.h"
#include "file/feature.h"

#define NAME_ALIGN 64

#define COPIES (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

bool attr_drop_copies(struct perf_event_attr *a)
{
	if ((a->sample_type & COPIES) != COPIES)
		return false;
	a->sample_type &= ~(u64)COPIES;
	a->sample_regs_user = 0;
	a->sample_stack_user = 0;
	a->exclude_callchain_user = 0;
	return true;
}

/* ---- what a recording says about itself ---- */

/* Change an attr of @size bytes in the byte order of the output. */
static void change_attr(const struct rewrite *rw, u8 *attr, size_t size)
{
	struct perf_event_attr a = { 0 };

	size = MIN(size, sizeof(a));
	memcpy(&a, attr, size);
	if (rw->w.swap)
		attr_swap(&a, size);
	if (!rw->about->attr(&a))
		return;
	if (rw->w.swap)
		attr_unswap(&a, size);
	memcpy(attr, &a, size);
}

/* The attrs in the body of EVENT_DESC: u32 number of events, u32 size of an attr; of each event its
 * attr, u32 number of ids, its name behind a u32 length, the ids. */
static void change_described(const struct rewrite *rw, u8 *body, size_t len)
{
	struct cur c = cur_make(body, len, rw->w.swap);
	u32 nr = cur_u32(&c), size = cur_u32(&c);

	for (u32 i = 0; i < nr && cur_ok(&c); i++) {
		u8 *attr = body + (c.p - body);
		u32 nr_ids;

		cur_skip(&c, size);
		nr_ids = cur_u32(&c);
		if (!cur_ok(&c))
			return;
		change_attr(rw, attr, size);
		cur_skip(&c, cur_u32(&c));
		cur_skip(&c, (size_t)nr_ids * sizeof(u64));
	}
}

void rewrite_attr_record(const struct rewrite *rw, u8 *rec, size_t len)
{
	struct cur c = cur_make(rec, len, rw->w.swap);
	u32 size;

	cur_skip(&c, 12);
	size = cur_u32(&c);
	if (cur_ok(&c) && size <= len - 8 && rw->about->attr)
		change_attr(rw, rec + 8, size);
}

bool rewrite_feature_body(const struct rewrite *rw, u32 bit, u8 *body, size_t len)
{
	if (bit == HEADER_EVENT_DESC && rw->about->attr)
		change_described(rw, body, len);
	return !rw->about->body || rw->about->body(bit, body, len);
}

/* ---- features ---- */

/* Append the body of the BUILD_ID feature. */
static void table_body(struct rewrite *rw, struct strbuf *out)
{
	for (size_t i = 0; i < rw->nr_ids; i++) {
		size_t at = out->len;

		feature_build_id(out, &rw->ids[i].id);
		if (!rw->w.swap || out->len == at)
			continue;
		/* The records of the table have type 0 and are converted like those of the data. */
		*(u32_una *)(out->buf + at) = PERF_RECORD_HEADER_BUILD_ID;
		record_unswap(NULL, out->buf + at, out->len - at);
		*(u32_una *)(out->buf + at) = 0;
	}
}

static u64 word(const struct rewrite *rw, u64 v)
{
	return rw->w.swap ? __builtin_bswap64(v) : v;
}

static void put_u32(const struct rewrite *rw, u32 v, struct strbuf *out)
{
	v = rw->w.swap ? __builtin_bswap32(v) : v;
	strbuf_add(out, &v, sizeof(v));
}

/* Append an event to the body of EVENT_DESC, whose attrs have @size bytes. */
static void put_description(const struct rewrite *rw, const struct writer_attr *a, u32 size,
			    struct strbuf *out)
{
	static const char zeros[NAME_ALIGN];
	u32 len = (u32)strlen(a->name) + 1, padded = ALIGN_UP(len, (u32)NAME_ALIGN);
	size_t at = out->len;

	writer_attr_put(out, a, size);
	out->len = at + size; /* the input's attrs may be shorter than those of today */
	if (rw->w.swap)
		attr_unswap(out->buf + at, size);
	put_u32(rw, (u32)a->nr_ids, out);
	put_u32(rw, padded, out);
	strbuf_add(out, a->name, len);
	strbuf_add(out, zeros, padded - len);
	for (size_t i = 0; i < a->nr_ids; i++) {
		u64 id = word(rw, a->ids[i]);

		strbuf_add(out, &id, sizeof(id));
	}
}

/* Append the added events to the body of EVENT_DESC. */
static void put_added(const struct rewrite *rw, struct strbuf *out)
{
	struct cur c = cur_make(out->buf, out->len, rw->w.swap);
	u32 nr = cur_u32(&c), size = cur_u32(&c);

	if (!rw->nr_added || !cur_ok(&c) || size < PERF_ATTR_SIZE_VER0 || size % 8 ||
	    size > cur_left(&c))
		return;
	for (size_t i = 0; i < rw->nr_added; i++)
		put_description(rw, &rw->added[i], size, out);
	nr += (u32)rw->nr_added;
	*(u32_una *)out->buf = rw->w.swap ? __builtin_bswap32(nr) : nr;
}

/* Convert the index of AUXTRACE: u64 n, n x { u64 offset of the record in the file, u64 size }. */
static void aux_index(struct rewrite *rw, const u8 *body, size_t size, struct strbuf *out)
{
	u64 nr = 0, zero = 0;

	strbuf_add(out, &zero, sizeof(zero));
	for (size_t at = 8; size >= 16 && at <= size - 16; at += 16) {
		u64 entry[2] = { word(rw, *(const u64_una *)(body + at)),
				 *(const u64_una *)(body + at + 8) };

		for (size_t i = 0; i < rw->nr_moves; i++) {
			const struct rewrite_move *m = &rw->moves[i];

			if (entry[0] < m->from || entry[0] - m->from >= m->len)
				continue;
			entry[0] = word(rw, entry[0] - m->from + m->to);
			strbuf_add(out, entry, sizeof(entry));
			nr++;
			break;
		}
	}
	*(u64_una *)out->buf = word(rw, nr);
}

bool rewrite_outdated(const struct rewrite *rw, u32 bit)
{
	return bit == HEADER_DIR_FORMAT || (bit == HEADER_COMPRESSED && rw->expand) ||
	       (bit == HEADER_AUXTRACE && rw->w.pipe);
}

/* The body of a feature that differs from that of the input. */
static void own_body(struct rewrite *rw, u32 bit, const void *body, size_t size, struct strbuf *out)
{
	if (bit == HEADER_BUILD_ID) {
		table_body(rw, out);
	} else if (bit == HEADER_AUXTRACE) {
		aux_index(rw, body, size, out);
	} else {
		strbuf_add(out, body, size);
		if (bit == HEADER_EVENT_DESC)
			put_added(rw, out);
	}
}

/* Tell whether the body of a feature may differ from that of the input. */
static bool differs(const struct rewrite *rw, u32 bit)
{
	return rw->about || bit == HEADER_BUILD_ID || bit == HEADER_AUXTRACE ||
	       (bit == HEADER_EVENT_DESC && rw->nr_added);
}

void rewrite_features(struct rewrite *rw, struct rewrite_features *f)
{
	memset(f, 0, sizeof(*f));
	for (u32 bit = 0; bit < HEADER_FEAT_BITS; bit++) {
		struct writer_feature *wf = &f->v[f->nr];
		size_t size;
		const void *body = perf_file_feature(rw->s->file, bit, &size);

		if (rewrite_outdated(rw, bit) || !(perf_file_has_feature(rw->s->file, bit) ||
						   (bit == HEADER_BUILD_ID && rw->nr_ids)))
			continue;
		wf->bit = bit;
		f->nr++;
		if (!differs(rw, bit)) {
			wf->body.buf = (char *)body;
			wf->body.len = size;
			continue;
		}
		own_body(rw, bit, body, size, &wf->body);
		if (!rw->about || rewrite_feature_body(rw, bit, (u8 *)wf->body.buf, wf->body.len)) {
			f->own[bit / 64] |= 1ULL << bit % 64;
			continue;
		}
		strbuf_release(&wf->body);
		f->nr--;
	}
}

void rewrite_features_release(struct rewrite_features *f)
{
	for (size_t i = 0; i < f->nr; i++)
		if (f->own[f->v[i].bit / 64] >> f->v[i].bit % 64 & 1)
			strbuf_release(&f->v[i].body);
}
