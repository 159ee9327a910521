// SPDX-License-Identifier: GPL-2.0-or-later
/* Pack rows of samples: numbers as they are, and names as ids. Many threads do that, each in chunks
 * of its own. */
#include "base/compat.h"
#include "convert/rows-internal.h"

#include "convert/fields.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ names */

/* There are few comms, and most samples have that of the one before. */
static u32 comm_name(struct rows_writer *w, u32 comm)
{
	u32 *slot;

	if (likely(w->last_comm == comm && w->last_comm_name))
		return w->last_comm_name;
	slot = map64_slot(&w->comms, comm);
	if (unlikely(*slot == MAP64_NONE))
		*slot = row_name(w->r->store, machine_comm(w->r->conf.machine, comm));
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
	pl->head = row_name(r->store, !frame || style & ROW_FRAME_SYM ? name : NULL);
	pl->tail = row_name(r->store, !frame || style & ROW_FRAME_DSO ? object : NULL);
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
		.sym = row_name(r->store, style & ROW_FRAME_SYM ? name : NULL),
		.dso = ROW_NO_NAME,
		.symoff = symoff,
		.has_symoff = style & ROW_FRAME_OFF,
		.inlined = true,
	};

	strbuf_add(out, &f, sizeof(f));
}

static const struct packed_frame *frame_at(const struct rows_writer *w, u32 i)
{
	return (const struct packed_frame *)(const void *)w->frames.buf + i;
}

static void set_frame_names(struct rows_writer *w, enum chain_part part, u64 first, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		const struct packed_frame *f = frame_at(w, i);
		u32 name = part == PART_SYM ? f->sym : f->dso;

		if (name != ROW_NO_NAME)
			arrow_set_number(w->chunk->frame[part], first + i, name);
	}
}

static void pack_chain(struct rows_writer *w, const struct row_sample *rs, struct arrow_column *c)
{
	struct arrow_column **parts = w->chunk->frame;
	u64 first, *ips;
	u32 nr;

	strbuf_reset(&w->frames);
	row_put_frames(w, rs, &w->frames);
	nr = (u32)(w->frames.len / sizeof(struct packed_frame));
	first = arrow_set_list(c, w->chunk->rows, nr);
	ips = nr ? arrow_set_numbers(parts[PART_IP], first, nr) : NULL;
	for (u32 i = 0; i < nr; i++)
		ips[i] = frame_at(w, i)->ip;
	for (u32 i = 0; i < nr; i++)
		arrow_set_number(parts[PART_INLINED], first + i, frame_at(w, i)->inlined);
	for (u32 i = 0; parts[PART_SYMOFF] && i < nr; i++)
		if (frame_at(w, i)->has_symoff)
			arrow_set_number(parts[PART_SYMOFF], first + i, frame_at(w, i)->symoff);
	if (parts[PART_SYM])
		set_frame_names(w, PART_SYM, first, nr);
	if (parts[PART_DSO])
		set_frame_names(w, PART_DSO, first, nr);
}

/* ------------------------------------------------------------------ values */

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
		return set_known(v, row_name(w->r->store,
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

/* Tell whether a text without any bytes is a value. */
static bool may_be_empty(const struct row_step *st, const struct row_sample *rs)
{
	return st->kind == ROW_TF_STRING && rs->s->raw;
}

static void pack_array(struct rows_writer *w, const struct row_step *st,
		       const struct row_sample *rs, struct arrow_column *c)
{
	size_t len;
	const void *data = row_field_data(st, rs, &len);
	u32 nr = data ? (u32)(len / st->field->elem_size) : 0;
	u64 first;

	if (!data)
		return;
	first = arrow_set_list(c, w->chunk->rows, nr);
	if (nr)
		tf_field_elements(rs->re->tf, st->field, data, nr,
				  arrow_set_numbers(c->children, first, nr));
}

static void pack_text(struct rows_writer *w, const struct row_step *st, const struct row_sample *rs,
		      struct arrow_column *c)
{
	size_t start = c->text.len;

	row_put_value(w, st, rs, &c->text);
	if (c->text.len > start || may_be_empty(st, rs))
		arrow_end_text(c, w->chunk->rows);
}

/* Pack a number that there is a text of. */
static void pack_shown(struct rows_writer *w, const struct row_step *st,
		       const struct row_sample *rs, struct arrow_column *c)
{
	struct strbuf *text = &w->frames;
	s64 number;

	strbuf_reset(text);
	row_put_value(w, st, rs, text);
	number = text->len ? strtoll(strbuf_str(text), NULL, 10) : -1;
	if (number >= 0)
		arrow_set_number(c, w->chunk->rows, (u64)number);
}

static void pack_long(struct rows_writer *w, const struct row_step *st, const struct row_sample *rs,
		      struct arrow_column *c)
{
	switch (st->kind) {
	case ROW_CHAIN:
		pack_chain(w, rs, c);
		break;
	case ROW_TF_ARRAY:
		pack_array(w, st, rs, c);
		break;
	case ROW_INSNLEN:
	case ROW_MACHINE_PID:
	case ROW_VCPU:
		pack_shown(w, st, rs, c);
		break;
	default:
		pack_text(w, st, rs, c);
	}
}

void row_pack(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	const struct row_event *re = rs->re;
	u64 v;

	if (unlikely(!w->chunk))
		w->chunk = row_chunk_take(w->r->store, w->r);
	for (size_t i = 0; i < re->nr; i++) {
		const struct row_step *st = &re->steps[i];
		struct arrow_column *c = &w->chunk->columns[st->column];

		if (unlikely(!is_number(st->kind)))
			pack_long(w, st, rs, c);
		else if (number_of(w, st, rs, &v))
			arrow_set_number(c, w->chunk->rows, v);
	}
	if (++w->chunk->rows == CHUNK_ROWS)
		rows_finish(w, out);
}

void rows_finish(struct rows_writer *w, struct strbuf *out)
{
	if (!w->chunk)
		return;
	row_chunk_put(w->chunk, out);
	w->chunk = NULL;
}
