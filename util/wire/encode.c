// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records to bytes, native order. Input: decoded values; output: one complete record appended
 * to a strbuf, its header.size set last. Mirror image of the decoders in wire/event.c.
 */
#include "base/compat.h"
#include "wire/encode.h"

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

/* A string with its terminator, padded to 8 bytes. */
static void put_str(struct strbuf *sb, const char *s)
{
	size_t len = strlen(s) + 1;

	strbuf_add(sb, s, len);
	put_zeros(sb, ALIGN_UP(len, (size_t)8) - len);
}

/* Returns where the record starts, for rec_end(). */
static size_t rec_begin(struct strbuf *sb, u32 type, u16 misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = sb->len;

	strbuf_add(sb, &h, sizeof(h));
	return at;
}

static void rec_end(struct strbuf *sb, size_t at)
{
	u16 size = (u16)MIN(sb->len - at, (size_t)0xfff8);

	memcpy(sb->buf + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static void put_sample_id(struct strbuf *sb, const struct wire_layout *l,
			  const struct sample_id *id)
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

void enc_mmap2(struct strbuf *out, u16 misc, const struct rec_mmap *m, const struct wire_layout *l,
	       const struct sample_id *id)
{
	size_t at;

	if (m->build_id_size)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	at = rec_begin(out, PERF_RECORD_MMAP2, misc);
	put_u32(out, m->pid);
	put_u32(out, m->tid);
	put_u64(out, m->start);
	put_u64(out, m->len);
	put_u64(out, m->pgoff);
	if (m->build_id_size) {
		u8 size = MIN(m->build_id_size, (u8)sizeof(m->build_id));

		strbuf_addch(out, (char)size);
		put_zeros(out, 3);
		strbuf_add(out, m->build_id, size);
		put_zeros(out, sizeof(m->build_id) - size);
	} else {
		put_u32(out, m->maj);
		put_u32(out, m->min);
		put_u64(out, m->ino);
		put_u64(out, m->ino_generation);
	}
	put_u32(out, m->prot);
	put_u32(out, m->flags);
	put_str(out, m->filename);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_mmap(struct strbuf *out, u16 misc, const struct rec_mmap *m, const struct wire_layout *l,
	      const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_MMAP, misc);

	put_u32(out, m->pid);
	put_u32(out, m->tid);
	put_u64(out, m->start);
	put_u64(out, m->len);
	put_u64(out, m->pgoff);
	put_str(out, m->filename);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_comm(struct strbuf *out, u16 misc, const struct rec_comm *c, const struct wire_layout *l,
	      const struct sample_id *id)
{
	size_t at =
		rec_begin(out, PERF_RECORD_COMM, misc | (c->exec ? PERF_RECORD_MISC_COMM_EXEC : 0));

	put_u32(out, c->pid);
	put_u32(out, c->tid);
	put_str(out, c->comm);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_task(struct strbuf *out, u32 type, u16 misc, const struct rec_task *t,
	      const struct wire_layout *l, const struct sample_id *id)
{
	size_t at = rec_begin(out, type, misc);

	put_u32(out, t->pid);
	put_u32(out, t->ppid);
	put_u32(out, t->tid);
	put_u32(out, t->ptid);
	put_u64(out, t->time);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_ksymbol(struct strbuf *out, const struct rec_ksymbol *k, const struct wire_layout *l,
		 const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL);

	put_u64(out, k->addr);
	put_u32(out, k->len);
	put_u16(out, k->type);
	put_u16(out, k->flags);
	put_str(out, k->name);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_lost(struct strbuf *out, const struct rec_lost *r, const struct wire_layout *l,
	      const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_LOST, 0);

	put_u64(out, r->id);
	put_u64(out, r->lost);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_lost_samples(struct strbuf *out, u64 lost, const struct wire_layout *l,
		      const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_LOST_SAMPLES, 0);

	put_u64(out, lost);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_namespaces(struct strbuf *out, const struct rec_namespaces *n, const struct wire_layout *l,
		    const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_NAMESPACES, 0);

	put_u32(out, n->pid);
	put_u32(out, n->tid);
	put_u64(out, n->nr);
	strbuf_add(out, n->links, n->nr * 16);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_cgroup(struct strbuf *out, const struct rec_cgroup *c, const struct wire_layout *l,
		const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_CGROUP, 0);

	put_u64(out, c->id);
	put_str(out, c->path);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

void enc_bpf(struct strbuf *out, const struct rec_bpf *b, const struct wire_layout *l,
	     const struct sample_id *id)
{
	size_t at = rec_begin(out, PERF_RECORD_BPF_EVENT, PERF_RECORD_MISC_KERNEL);

	put_u16(out, b->type);
	put_u16(out, b->flags);
	put_u32(out, b->id);
	strbuf_add(out, b->tag, 8);
	put_sample_id(out, l, id);
	rec_end(out, at);
}

static void put_regs(struct strbuf *out, const struct wire_regs *r)
{
	put_u64(out, r->regs ? r->abi : PERF_SAMPLE_REGS_ABI_NONE);
	if (r->regs && r->abi != PERF_SAMPLE_REGS_ABI_NONE)
		strbuf_add(out, (const void *)r->regs, 8 * (size_t)__builtin_popcountll(r->mask));
}

/* size word and bytes, padded so that the next field is at a multiple of 8 */
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
	if (s->branch_counters)
		strbuf_add(out, (const void *)s->branch_counters, s->nr_branches * 8);
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

/* The fields at fixed places: everything before the read block. */
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

void enc_sample(struct strbuf *out, const struct wire_layout *l, const struct sample *s)
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
		put_regs(out, &s->user_regs);
	if (st & PERF_SAMPLE_STACK_USER)
		put_user_stack(out, s);
	put_sample_weight(out, st, s);
	if (st & PERF_SAMPLE_DATA_SRC)
		put_u64(out, s->data_src);
	if (st & PERF_SAMPLE_TRANSACTION)
		put_u64(out, s->transaction);
	if (st & PERF_SAMPLE_REGS_INTR)
		put_regs(out, &s->intr_regs);
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
	rec_end(out, at);
}

void enc_plain(struct strbuf *out, u32 type, u16 misc, const void *body, size_t len)
{
	size_t at = rec_begin(out, type, misc);

	strbuf_add(out, body, len);
	put_zeros(out, ALIGN_UP(len, (size_t)8) - len);
	rec_end(out, at);
}
