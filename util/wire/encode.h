/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to bytes (native order): what record synthesises, and what tests are made of. */
#ifndef PERF_WIRE_ENCODE_H
#define PERF_WIRE_ENCODE_H

#include "base/strbuf.h"
#include "wire/event.h"

/*
 * Each appends one complete record to @out: header, body, names padded with zeros to 8 bytes,
 * and the sample_id trailer @id that @l asks for (@l NULL: no trailer).
 */
void enc_mmap2(struct strbuf *out, u16 misc, const struct rec_mmap *m, const struct wire_layout *l,
	       const struct sample_id *id);
void enc_mmap(struct strbuf *out, u16 misc, const struct rec_mmap *m, const struct wire_layout *l,
	      const struct sample_id *id);
void enc_comm(struct strbuf *out, u16 misc, const struct rec_comm *c, const struct wire_layout *l,
	      const struct sample_id *id);
/* @type: PERF_RECORD_FORK or PERF_RECORD_EXIT */
void enc_task(struct strbuf *out, u32 type, u16 misc, const struct rec_task *t,
	      const struct wire_layout *l, const struct sample_id *id);
void enc_ksymbol(struct strbuf *out, const struct rec_ksymbol *k, const struct wire_layout *l,
		 const struct sample_id *id);
void enc_lost(struct strbuf *out, const struct rec_lost *r, const struct wire_layout *l,
	      const struct sample_id *id);
/* LOST_SAMPLES: the event is the one of @id */
void enc_lost_samples(struct strbuf *out, u64 lost, const struct wire_layout *l,
		      const struct sample_id *id);
void enc_namespaces(struct strbuf *out, const struct rec_namespaces *n, const struct wire_layout *l,
		    const struct sample_id *id);
void enc_cgroup(struct strbuf *out, const struct rec_cgroup *c, const struct wire_layout *l,
		const struct sample_id *id);
void enc_bpf(struct strbuf *out, const struct rec_bpf *b, const struct wire_layout *l,
	     const struct sample_id *id);

/** enc_sample - a SAMPLE record of layout @l with the fields of @s. */
void enc_sample(struct strbuf *out, const struct wire_layout *l, const struct sample *s);

/** enc_plain - a record that is only a header and @len body bytes (padded to 8). */
void enc_plain(struct strbuf *out, u32 type, u16 misc, const void *body, size_t len);

#endif
