/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records encoded to bytes in native order. The recorder synthesizes records with it, and tests
 * build their input.
 */
#ifndef PERF_WIRE_ENCODE_H
#define PERF_WIRE_ENCODE_H

#include "base/strbuf.h"
#include "wire/event.h"

/**
 * enc_record - append one complete record of any type except SAMPLE: header, body padded with zeros
 * to 8 bytes, and, for kernel records, the trailer @id in the form that @l demands (@l NULL: no
 * trailer).
 * @misc: bits that follow from the body (exec, build-id, switch direction) are added
 * @vals: the struct rec_* of the type; NULL for types without a body
 * Arrays are expected in native order; bytes that are not interpreted (HEADER_FEATURE) are in the
 * order of the writer.
 * Return: 0, or -E2BIG when the record would be too large, and then @out is unchanged.
 */
int enc_record(struct strbuf *out, u32 type, u16 misc, const void *vals,
	       const struct wire_layout *l, const struct sample_id *id);

/* Append a record as enc_record() does, but let the compiler check the type of the struct. */
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

/* A LOST_SAMPLES record; the event is that of @id. */
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

static inline int enc_schedstat_cpu(struct strbuf *out, const struct rec_schedstat_cpu *s)
{
	return enc_record(out, PERF_RECORD_SCHEDSTAT_CPU, 0, s, NULL, NULL);
}

static inline int enc_schedstat_domain(struct strbuf *out, const struct rec_schedstat_domain *s)
{
	return enc_record(out, PERF_RECORD_SCHEDSTAT_DOMAIN, 0, s, NULL, NULL);
}

/** enc_sample_id - append the trailer @id of a record that is no sample, in the form that @l
 * demands; nothing without sample_id_all. */
void enc_sample_id(struct strbuf *out, const struct wire_layout *l, const struct sample_id *id);
/**
 * enc_sample - append a SAMPLE record of layout @l with the fields of @s. RAW data are padded with
 * zeros, which count as a part of them, up to the place of the next field. The masks in @l say
 * which registers are written.
 * Return: 0 or -E2BIG.
 */
int enc_sample(struct strbuf *out, const struct wire_layout *l, const struct sample *s);

#endif
