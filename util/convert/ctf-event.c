// SPDX-License-Identifier: GPL-2.0-or-later
/* Write events as bytes, field after field as their class says. */
#include "base/compat.h"
#include "convert/ctf-internal.h"

#include "base/escape.h"

/* ---- pieces ---- */

static void put_number(struct strbuf *out, u64 v, unsigned int size)
{
	u32 v32 = (u32)v;
	u16 v16 = (u16)v;
	u8 v8 = (u8)v;

	switch (size) {
	case 1:
		strbuf_add(out, &v8, 1);
		break;
	case 2:
		strbuf_add(out, &v16, 2);
		break;
	case 4:
		strbuf_add(out, &v32, 4);
		break;
	default:
		strbuf_add(out, &v, 8);
		break;
	}
}

/* Elements that are native already. */
static void put_sequence(struct strbuf *out, const void *p, u64 nr, unsigned int size)
{
	put_number(out, p ? nr : 0, 4);
	if (p)
		strbuf_add(out, p, nr * size);
}

static bool plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	return true;
}

void ctf_put_text(struct strbuf *out, const char *s, size_t len)
{
	size_t n;

	if (plain(s, len)) {
		strbuf_add(out, s, len);
		strbuf_add(out, "", 1);
		return;
	}
	for (size_t i = 0; i < len; i += n) {
		n = utf8_length(s + i, len - i);
		if (n > 1 || (n == 1 && plain(s + i, 1))) {
			strbuf_add(out, s + i, n);
			continue;
		}
		strbuf_add(out, "\\x", 2);
		strbuf_hex(out, (u8)s[i], 2, 0);
		n = 1;
	}
	strbuf_add(out, "", 1);
}

/* ---- payloads ---- */

static void put_elements(const struct ctf_class *c, const struct ctf_field *f, const void *data,
			 size_t nr, struct strbuf *out)
{
	if (f->size == 1) {
		strbuf_add(out, data, nr);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		put_number(out, tf_field_element(c->tf, f->field, data, i), f->size);
}

static void put_zeros(struct strbuf *out, size_t n)
{
	strbuf_grow(out, n);
	memset(out->buf + out->len, 0, n);
	out->len += n;
}

static void put_payload_field(const struct ctf_class *c, const struct ctf_field *f,
			      const struct sample *s, struct strbuf *out)
{
	const void *data = NULL;
	size_t len = 0, nr;
	u64 v;

	if (f->type == CTF_INTEGER) {
		tf_field_int(c->tf, f->field, s->raw, s->raw_size, &v);
		put_number(out, v, f->size);
		return;
	}
	if (s->raw)
		data = tf_field_data(c->tf, f->field, s->raw, s->raw_size, &len);
	if (!data)
		len = 0;
	nr = len / f->size;
	switch (f->type) {
	case CTF_STRING:
		ctf_put_text(out, len ? data : "", len ? strnlen(data, len) : 0);
		break;
	case CTF_ARRAY: /* what the payload lacks is zero */
		nr = MIN(nr, (size_t)f->count);
		put_elements(c, f, data, nr, out);
		put_zeros(out, (f->count - nr) * f->size);
		break;
	default:
		put_number(out, nr, 4);
		put_elements(c, f, data, nr, out);
		break;
	}
}

/* ---- samples ---- */

static void put_regs(const struct wire_regs *r, struct strbuf *out)
{
	put_sequence(out, r->regs, (u64)__builtin_popcountll(r->mask), 8);
}

static void put_sample_field(const struct ctf_class *c, const struct ctf_field *f,
			     const struct sample *s, struct strbuf *out)
{
	switch ((enum ctf_source)f->source) {
	case CTF_FROM_NUMBER:
		strbuf_add(out, (const u8 *)s + f->number->at, f->size);
		break;
	case CTF_FROM_READ:
		put_sequence(out, s->read, s->read_size / 8, 8);
		break;
	case CTF_FROM_CHAIN:
		put_sequence(out, s->callchain, s->nr_callchain, 8);
		break;
	case CTF_FROM_BRANCHES:
		put_sequence(out, s->branches, s->nr_branches, 24);
		break;
	case CTF_FROM_USER_REGS:
		put_regs(&s->user_regs, out);
		break;
	case CTF_FROM_INTR_REGS:
		put_regs(&s->intr_regs, out);
		break;
	case CTF_FROM_USER_STACK:
		put_sequence(out, s->user_stack, s->user_stack_dyn, 1);
		break;
	case CTF_FROM_AUX:
		put_sequence(out, s->aux, s->aux_size, 1);
		break;
	case CTF_FROM_RAW:
		put_sequence(out, s->raw, s->raw_size / 4, 4);
		break;
	case CTF_FROM_PAYLOAD:
		put_payload_field(c, f, s, out);
		break;
	case CTF_FROM_MEMBER:
	case CTF_FROM_VALUE:
		break;
	}
}

/* Begin a frame and the header of its event. Return: where the frame stands. */
static size_t begin(u32 id, u64 time, struct strbuf *out)
{
	size_t at = out->len;

	strbuf_grow(out, 512);
	put_zeros(out, sizeof(struct ctf_frame));
	put_number(out, id, 4);
	put_number(out, time, 8);
	return at;
}

static void end(struct strbuf *out, size_t at, u32 cpu, u32 record_size, bool sample)
{
	struct ctf_frame f = {
		.size = (u32)(out->len - at - sizeof(f)),
		.cpu = cpu < CTF_MAX_CPUS ? cpu : 0,
		.record_size = record_size,
		.sample = sample,
	};

	memcpy(out->buf + at, &f, sizeof(f));
}

void ctf_sample(const struct ctf_shape *sh, const struct evsel *e, const struct sample *s, u64 time,
		u32 record_size, struct strbuf *out)
{
	const struct ctf_class *c;
	u32 id;
	size_t at;

	if (e->idx >= sh->nr_events)
		return;
	id = sh->of_event[e->idx];
	c = &sh->classes[id];
	at = begin(id, time, out);
	for (size_t i = 0; i < c->nr; i++)
		put_sample_field(c, &c->fields[i], s, out);
	end(out, at, s->cpu, record_size, true);
}

/* ---- other events ---- */

void ctf_values(const struct ctf_shape *sh, u32 class, const struct ctf_value *values, u32 cpu,
		u64 time, struct strbuf *out)
{
	const struct ctf_class *c = &sh->classes[class];
	size_t at = begin(class, time, out);

	for (size_t i = 0; i < c->nr; i++) {
		if (c->fields[i].type == CTF_STRING)
			ctf_put_text(out, values[i].text, strlen(values[i].text));
		else
			put_number(out, values[i].number, c->fields[i].size);
	}
	end(out, at, cpu, 0, false);
}

/* ---- other records ---- */

static void put_member(const struct ctf_field *f, const union rec_any *rec, struct strbuf *out)
{
	const struct convert_member *m = f->member;
	const char *text;

	switch (f->type) {
	case CTF_INTEGER:
		put_number(out, convert_member_value(m, rec), f->size);
		break;
	case CTF_STRING:
		text = convert_member_data(m, rec);
		ctf_put_text(out, text, strlen(text));
		break;
	default:
		put_sequence(out, convert_member_data(m, rec), convert_member_count(m, rec),
			     f->size);
		break;
	}
}

void ctf_record(const struct ctf_shape *sh, const struct evsel *e, const wire_header *rec, u32 cpu,
		u64 time, struct strbuf *out)
{
	const struct ctf_class *c;
	union rec_any any = { 0 };
	size_t at;
	u32 id;

	if (rec->type >= ARRAY_SIZE(sh->of_type) || !sh->of_type[rec->type] ||
	    rec_decode(e ? &e->layout : NULL, rec, rec->size, &any))
		return;
	id = sh->of_type[rec->type] - 1;
	c = &sh->classes[id];
	at = begin(id, time, out);
	for (size_t i = 0; i < c->nr; i++)
		put_member(&c->fields[i], &any, out);
	end(out, at, cpu, rec->size, false);
}
