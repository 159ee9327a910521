// SPDX-License-Identifier: GPL-2.0-or-later
/* Pack rows of samples: numbers as they are, and names as ids. Many threads do that, and one makes
 * columns of what they packed. */
#include "base/compat.h"
#include "convert/rows-internal.h"

#include "codec/quote.h"
#include "convert/fields.h"

#include <stdlib.h>

#define VALUE_BYTES (sizeof(u32) + sizeof(u64))

/* ------------------------------------------------------------------ names */

u32 row_name(struct row_names *names, const char *name)
{
	u32 id;

	if (!name)
		return ROW_NO_NAME;
	pthread_mutex_lock(&names->lock);
	strbuf_reset(&names->tmp);
	quote_utf8(&names->tmp, name);
	id = intern_id(&names->all, strbuf_str(&names->tmp), names->tmp.len);
	pthread_mutex_unlock(&names->lock);
	return id;
}

/* There are few comms, and most samples have that of the one before. */
static u32 comm_name(struct rows_writer *w, u32 comm)
{
	u32 *slot;

	if (likely(w->last_comm == comm && w->last_comm_name))
		return w->last_comm_name;
	slot = map64_slot(&w->comms, comm);
	if (unlikely(*slot == MAP64_NONE))
		*slot = row_name(w->r->names, machine_comm(w->r->conf.machine, comm));
	w->last_comm = comm;
	w->last_comm_name = *slot;
	return *slot;
}

void row_pack_place(const struct rows *r, const struct location *l, unsigned int style,
		    struct row_place *pl)
{
	const char *name = location_symbol(l);
	const char *object = l->dso ? sample_object_name(&r->conf, l) : NULL;
	bool frame = style & ROW_FRAME;

	pl->known = name && (!frame || style & ROW_FRAME_OFF);
	pl->mapped = object;
	pl->head = row_name(r->names, !frame || style & ROW_FRAME_SYM ? name : NULL);
	pl->tail = row_name(r->names, !frame || style & ROW_FRAME_DSO ? object : NULL);
}

/* ------------------------------------------------------------------ call chains */

void row_pack_frame(const struct row_place *pl, u64 ip, u32 symoff, struct strbuf *out)
{
	const struct packed_frame f = {
		.ip = ip,
		.sym = pl->head,
		.dso = pl->tail,
		.symoff = symoff,
		.has_symoff = pl->known,
	};

	strbuf_add(out, &f, sizeof(f));
}

void row_pack_inlined(const struct rows *r, const char *name, unsigned int style, u64 ip,
		      u32 symoff, struct strbuf *out)
{
	const struct packed_frame f = {
		.ip = ip,
		.sym = row_name(r->names, style & ROW_FRAME_SYM ? name : NULL),
		.dso = ROW_NO_NAME,
		.symoff = symoff,
		.has_symoff = style & ROW_FRAME_OFF,
		.inlined = true,
	};

	strbuf_add(out, &f, sizeof(f));
}

/* ------------------------------------------------------------------ values */

static char *put_value(char *p, u32 column, u64 value)
{
	memcpy(p, &column, sizeof(column));
	memcpy(p + sizeof(column), &value, sizeof(value));
	return p + VALUE_BYTES;
}

/* Set a number; -1 stands for what is unknown. Return: whether it is known. */
static bool set_known(u64 *v, u32 number)
{
	*v = number;
	return number != UINT32_MAX;
}

/* Get a number, or that of a name. Return: false: it is null. */
static bool number_of(struct rows_writer *w, const struct row_step *st, const struct row_sample *rs,
		      u64 *v)
{
	const struct sample *s = rs->s;

	switch (st->kind) {
	case ROW_SIGNED:
		return set_known(v, (u32)convert_number(s, st->at, st->size));
	case ROW_TIME:
		*v = sample_times_shown(&w->times, s->time);
		return true;
	case ROW_PID:
		return set_known(v, rs->t->at.pid);
	case ROW_TID:
		return set_known(v, rs->t->at.tid);
	case ROW_SYMOFF:
		*v = rs->place->symoff;
		return rs->pair.known;
	case ROW_DSOFF:
		*v = rs->place->addr;
		return rs->pair.mapped;
	case ROW_TF_INT:
	case ROW_TF_PTR:
		return s->raw && tf_field_int(rs->re->tf, st->field, s->raw, s->raw_size, v);
	case ROW_EVENT:
		return set_known(v, st->name);
	case ROW_COMM:
		return set_known(v, comm_name(w, rs->t->at.comm));
	case ROW_SYM:
		return set_known(v, rs->pair.head);
	case ROW_DSO:
		return set_known(v, rs->pair.tail);
	case ROW_CGROUP:
		return set_known(v, row_name(w->r->names,
					     machine_cgroup(w->r->conf.machine, s->cgroup)));
	default:
		*v = convert_number(s, st->at, st->size);
		return true;
	}
}

static bool is_number(enum row_kind kind)
{
	return kind < ROW_TF_STRING || kind == ROW_EVENT || kind == ROW_CGROUP;
}

/* Tell whether a value without any bytes is one. */
static bool may_be_empty(const struct row_step *st, const struct row_sample *rs)
{
	return st->kind == ROW_CHAIN || (st->kind == ROW_TF_STRING && rs->s->raw);
}

/* Append a text, a chain, or the number that a text shows. */
static void pack_long(struct rows_writer *w, const struct row_step *st, const struct row_sample *rs,
		      struct strbuf *out)
{
	size_t at = out->len, len;
	s64 number;

	strbuf_grow(out, VALUE_BYTES);
	out->len += VALUE_BYTES;
	row_put_value(w, st, rs, out);
	len = out->len - at - VALUE_BYTES;
	if (!len && !may_be_empty(st, rs)) {
		out->len = at;
	} else if (st->kind == ROW_INSNLEN || st->kind == ROW_MACHINE_PID || st->kind == ROW_VCPU) {
		number = strtoll(out->buf + at + VALUE_BYTES, NULL, 10);
		out->len = at;
		if (number >= 0)
			out->len += (size_t)(put_value(out->buf + at, st->column, (u64)number) -
					     (out->buf + at));
	} else {
		put_value(out->buf + at, st->column, len);
	}
}

void row_pack(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	const struct row_event *re = rs->re;
	size_t start = out->len;
	u32 size;
	char *p;
	u64 v;

	strbuf_grow(out, re->room);
	p = out->buf + start + sizeof(size);
	for (size_t i = 0; i < re->nr; i++) {
		const struct row_step *st = &re->steps[i];

		if (likely(is_number(st->kind))) {
			if (number_of(w, st, rs, &v))
				p = put_value(p, st->column, v);
			continue;
		}
		out->len = (size_t)(p - out->buf);
		pack_long(w, st, rs, out);
		strbuf_grow(out, re->room);
		p = out->buf + out->len;
	}
	out->len = (size_t)(p - out->buf);
	size = (u32)(out->len - start);
	memcpy(out->buf + start, &size, sizeof(size));
}
