/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to bytes (native order): what record synthesises, and what tests are made of. */
#ifndef PERF_WIRE_ENCODE_H
#define PERF_WIRE_ENCODE_H

#include "base/strbuf.h"
#include "wire/event.h"

/**
 * enc_record - append one complete record of any type but SAMPLE: header, body padded with zeros to
 * 8 bytes, and for kernel records the trailer @id that @l asks for (@l NULL: no trailer).
 * @misc: bits the body implies (exec, build-id, switch direction) are added
 * @vals: the struct rec_* of the type; NULL for those without a body
 * Arrays of the struct are in native order; bytes that are kept as they are (HEADER_FEATURE,
 * schedstat) in the writer's.
 * Return: 0; -E2BIG when it does not fit into a record, with @out as it was.
 */
int enc_record(struct strbuf *out, u32 type, u16 misc, const void *vals,
	       const struct wire_layout *l, const struct sample_id *id);

/* The same with the struct's type checked; those without @misc need none. */
static inline int enc_mmap(struct strbuf *out, u16 misc, const struct rec_mmap *m,
			   const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_MMAP, misc, m, l, id);
}

static inline int enc_mmap2(struct strbuf *out, u16 misc, const struct rec_mmap *m,
			    const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_MMAP2, misc, m, l, id);
}

static inline int enc_comm(struct strbuf *out, u16 misc, const struct rec_comm *c,
			   const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_COMM, misc, c, l, id);
}

static inline int enc_ksymbol(struct strbuf *out, const struct rec_ksymbol *k,
			      const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, k, l, id);
}

static inline int enc_lost(struct strbuf *out, const struct rec_lost *r,
			   const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_LOST, 0, r, l, id);
}

/* LOST_SAMPLES: the event is the one of @id */
static inline int enc_lost_samples(struct strbuf *out, u64 lost, const struct wire_layout *l,
				   const struct sample_id *id)
{
	struct rec_lost r = { .lost = lost };

	return enc_record(out, PERF_RECORD_LOST_SAMPLES, 0, &r, l, id);
}

static inline int enc_namespaces(struct strbuf *out, const struct rec_namespaces *n,
				 const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_NAMESPACES, 0, n, l, id);
}

static inline int enc_cgroup(struct strbuf *out, const struct rec_cgroup *c,
			     const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_CGROUP, 0, c, l, id);
}

static inline int enc_bpf(struct strbuf *out, const struct rec_bpf *b, const struct wire_layout *l,
			  const struct sample_id *id)
{
	return enc_record(out, PERF_RECORD_BPF_EVENT, PERF_RECORD_MISC_KERNEL, b, l, id);
}

/* @type: PERF_RECORD_FORK or PERF_RECORD_EXIT */
static inline int enc_task(struct strbuf *out, u32 type, u16 misc, const struct rec_task *t,
			   const struct wire_layout *l, const struct sample_id *id)
{
	return enc_record(out, type, misc, t, l, id);
}

/**
 * enc_sample - a SAMPLE record of layout @l with the fields of @s. RAW is padded with zeros, which
 * count as part of it, to where the next field must stand; registers go by the masks of @l.
 * Return: 0, -E2BIG.
 */
int enc_sample(struct strbuf *out, const struct wire_layout *l, const struct sample *s);

#endif
