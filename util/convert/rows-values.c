// SPDX-License-Identifier: GPL-2.0-or-later
/* Write those values of rows that may have any length. */
#include "base/compat.h"
#include "convert/rows-internal.h"

#include "codec/csv.h"
#include "base/units.h"
#include "codec/json.h"
#include "codec/quote.h"
#include "convert/json-internal.h"
#include "wire/field-text.h"

#include <time.h>

void row_text(enum rows_format format, const char *text, size_t len, struct strbuf *out)
{
	if (format != ROWS_NDJSON) {
		if (text && format == ROWS_CSV)
			csv_cell(out, text, len);
		else if (text)
			quote_utf8_bytes(out, text, len);
		return;
	}
	if (!text) {
		strbuf_add(out, "null", 4);
		return;
	}
	strbuf_addch(out, '"');
	json_text(out, text, len);
	strbuf_addch(out, '"');
}

/* Turn the text behind @start into a value, without the blanks around it. */
static void make_text(struct rows_writer *w, struct strbuf *out, size_t start)
{
	size_t end = out->len, from = start;

	while (from < end && (out->buf[from] == ' ' || out->buf[from] == '\t'))
		from++;
	while (end > from && out->buf[end - 1] == ' ')
		end--;
	strbuf_reset(&w->tmp);
	strbuf_add(&w->tmp, out->buf ? out->buf + from : "", end - from);
	out->len = start;
	row_text(w->r->format, end > from ? w->tmp.buf : NULL, w->tmp.len, out);
}

/* ------------------------------------------------------------------ places */

static void put_cells(const struct rows *r, const struct location *l, struct row_place *pl,
		      struct strbuf *out)
{
	const char *name = location_symbol(l);
	const char *object = l->dso ? sample_object_name(&r->conf, l) : NULL;
	size_t start = out->len;

	pl->known = name;
	pl->mapped = object;
	row_text(r->format, name, name ? strlen(name) : 0, out);
	pl->head = (u32)(out->len - start);
	start = out->len;
	row_text(r->format, object, object ? strlen(object) : 0, out);
	pl->tail = (u32)(out->len - start);
}

/* Append ,"sym":"main" then perhaps ,"symoff":17 then ,"dso":"/bin/sh" */
static void put_frame_json(const struct rows *r, const struct location *l, unsigned int style,
			   struct row_place *pl, struct strbuf *out)
{
	const char *name = location_symbol(l);
	const char *object = l->dso ? sample_object_name(&r->conf, l) : NULL;
	size_t start = out->len;

	if (style & ROW_FRAME_SYM) {
		strbuf_addstr(out, ",\"sym\":");
		row_text(r->format, name, name ? strlen(name) : 0, out);
	}
	pl->known = name && style & ROW_FRAME_OFF;
	if (pl->known)
		strbuf_addstr(out, ",\"symoff\":");
	pl->head = (u32)(out->len - start);
	start = out->len;
	if (style & ROW_FRAME_DSO) {
		strbuf_addstr(out, ",\"dso\":");
		row_text(r->format, object, object ? strlen(object) : 0, out);
	}
	strbuf_addch(out, '}');
	pl->tail = (u32)(out->len - start);
}

/* Append main, then perhaps +0x11, then (/bin/sh). There is no text without a symbol to be shown:
 * the address stands there. */
static void put_frame_csv(const struct rows *r, const struct location *l, unsigned int style,
			  struct row_place *pl, struct strbuf *out)
{
	const char *name = style & ROW_FRAME_SYM ? location_symbol(l) : NULL;
	size_t start = out->len;

	if (name)
		csv_text(out, name, strlen(name));
	pl->known = name && style & ROW_FRAME_OFF;
	if (pl->known)
		strbuf_addstr(out, "+0x");
	pl->head = (u32)(out->len - start);
	start = out->len;
	if (style & ROW_FRAME_DSO) {
		const char *object = sample_object_name(&r->conf, l);

		strbuf_addstr(out, " (");
		csv_text(out, object, strlen(object));
		strbuf_addch(out, ')');
	}
	pl->tail = (u32)(out->len - start);
}

void row_put_name(const void *ctx, const struct location *l, unsigned int style, struct strbuf *out)
{
	const struct rows *r = ctx;
	struct row_place pl = { 0 };
	size_t at = out->len;

	strbuf_add(out, &pl, sizeof(pl));
	if (r->format == ROWS_PACKED)
		row_pack_place(r, l, style, &pl);
	else if (!(style & ROW_FRAME))
		put_cells(r, l, &pl, out);
	else if (r->format == ROWS_CSV)
		put_frame_csv(r, l, style, &pl, out);
	else
		put_frame_json(r, l, style, &pl, out);
	pl.stop = r->conf.places && r->conf.places->stops.nr &&
		  place_filter_names(r->conf.places, l) & PLACE_STOP;
	memcpy(out->buf + at, &pl, sizeof(pl));
}

/* ------------------------------------------------------------------ call chains */

static void put_frame(struct rows_writer *w, const struct cached_place *place,
		      const struct row_place *pl, u64 ip, struct strbuf *out)
{
	const char *text = cached_name(&w->cache, place) + sizeof(*pl);
	bool csv = w->r->format == ROWS_CSV;
	char *p;

	if (w->r->format == ROWS_PACKED) {
		row_pack_frame(pl, ip, place->symoff, out);
		return;
	}
	strbuf_grow(out, pl->head + pl->tail + 64);
	p = out->buf + out->len;
	if (!csv || !pl->head) {
		memcpy(p, "{\"ip\":\"0x", 9);
		if (csv)
			memcpy(p, "0x", 2);
		p = digits_hex(p + (csv ? 2 : 9), ip);
		if (!csv)
			*p++ = '"';
	}
	memcpy(p, text, pl->head);
	p += pl->head;
	if (pl->known)
		p = csv ? digits_hex(p, place->symoff) : digits_dec(p, place->symoff);
	memcpy(p, text + pl->head, pl->tail);
	p += pl->tail;
	out->len = (size_t)(p - out->buf);
}

/* Append {"ip":"0x55","sym":"f","symoff":3,"inlined":true} or f+0x3 (inlined), and what is between
 * frames. */
static void put_inlined(struct rows_writer *w, const struct inline_frame *f,
			const struct inlines_at *in, unsigned int style, u64 ip, struct strbuf *out)
{
	bool csv = w->r->format == ROWS_CSV;

	if (w->r->format == ROWS_PACKED) {
		row_pack_inlined(w->r, f->name, style, ip, in->symoff, out);
		return;
	}
	strbuf_addstr(out, csv ? "" : "{\"ip\":\"0x");
	if (!csv || !(style & ROW_FRAME_SYM)) {
		strbuf_addstr(out, csv ? "0x" : "");
		strbuf_hex(out, ip, 1, 0);
		strbuf_addstr(out, csv ? "" : "\"");
	}
	if (style & ROW_FRAME_SYM && csv) {
		csv_text(out, f->name, strlen(f->name));
	} else if (style & ROW_FRAME_SYM) {
		strbuf_addstr(out, ",\"sym\":");
		row_text(w->r->format, f->name, strlen(f->name), out);
	}
	if (style & ROW_FRAME_OFF && csv) {
		strbuf_addstr(out, "+0x");
		strbuf_hex(out, in->symoff, 1, 0);
	} else if (style & ROW_FRAME_OFF) {
		strbuf_addstr(out, ",\"symoff\":");
		strbuf_dec(out, in->symoff, 0);
	}
	strbuf_addstr(out, csv ? " (inlined);" : ",\"inlined\":true},");
}

static void put_all_inlined(struct rows_writer *w, const struct row_sample *rs,
			    const struct callchain_walk *walk, u64 ip, struct strbuf *out)
{
	const struct inlines_at *in =
		sample_inlines_find(w->inlines, &rs->t->at, walk->mode, callchain_call(walk), ip);

	for (u32 i = 0; i < in->nr; i++)
		put_inlined(w, &in->frames[i], in, rs->re->style, ip, out);
}

static void put_frames(struct rows_writer *w, const struct row_sample *rs,
		       const struct callchain *chain, struct strbuf *out)
{
	struct callchain_walk walk = {
		.ips = chain->ips,
		.nr = chain->nr,
		.left = w->r->conf.max_stack,
		.mode = rs->s->cpumode,
		.lbr = chain->calls,
	};
	size_t start = out->len;
	u64 ip;

	if (chain->ips == rs->s->callchain && chain_is_deferred(rs->s))
		walk.nr -= 2; /* the cookie of the user part */
	while (callchain_next(&walk, &ip)) {
		const struct cached_place *place;
		struct row_place pl;

		place = cached_place(&w->cache, &rs->t->at, walk.mode, rs->re->style, ip);
		memcpy(&pl, cached_name(&w->cache, place), sizeof(pl));
		if (out->len > start && w->r->format != ROWS_PACKED)
			strbuf_addch(out, w->r->format == ROWS_CSV ? ';' : ',');
		if (w->inlines && place->lines)
			put_all_inlined(w, rs, &walk, ip, out);
		put_frame(w, place, &pl, ip, out);
		walk.stopped = pl.stop;
	}
	if (walk.wrong)
		out->len = start;
}

void row_put_frames(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	struct callchain chain;

	callchain_make(&w->chains, rs->re->lbr, rs->t->at.epoch, rs->s, &chain);
	put_frames(w, rs, &chain, out);
}

static void put_chain(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	bool csv = w->r->format == ROWS_CSV;

	strbuf_addch(out, csv ? '"' : '[');
	row_put_frames(w, rs, out);
	strbuf_addch(out, csv ? '"' : ']');
}

/* ------------------------------------------------------------------ branches and registers */

/* Symbol of an end of a branch, and the offset in it: two members, or text. */
static void put_end(struct rows_writer *w, const struct row_sample *rs, const char *which, u64 ip,
		    struct strbuf *out)
{
	const struct cached_place *p =
		cached_place(&w->cache, &rs->t->at, RESOLVE_ANY_MODE, ROW_CELLS, ip);
	const char *text = cached_name(&w->cache, p);
	struct row_place pl;

	memcpy(&pl, text, sizeof(pl));
	strbuf_addf(out, ",\"%s_sym\":", which);
	strbuf_add(out, text + sizeof(pl), pl.head);
	if (pl.known)
		strbuf_addf(out, ",\"%s_symoff\":%u", which, p->symoff);
}

static void put_branch_json(struct rows_writer *w, const struct row_sample *rs,
			    const u64_una *branch, struct strbuf *out)
{
	strbuf_addch(out, '{');
	json_branch(out, branch);
	if (rs->re->fields & SF_BRSTACKSYM) {
		put_end(w, rs, "from", branch[0], out);
		put_end(w, rs, "to", branch[1], out);
	}
	strbuf_addch(out, '}');
}

/* "0x10/0x20/P/-/-/12/COND", as script has it. */
static void put_branch_text(const u64_una *branch, struct strbuf *out)
{
	strbuf_addstr(out, " 0x");
	strbuf_hex(out, branch[0], 1, 0);
	strbuf_addstr(out, "/0x");
	strbuf_hex(out, branch[1], 1, 0);
	branch_flags_text(branch[2], out);
	out->len--;
}

static void put_branches(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	size_t start = out->len;

	if (w->r->format != ROWS_NDJSON) {
		for (u64 i = 0; i < rs->s->nr_branches; i++)
			put_branch_text(rs->s->branches + 3 * i, out);
		make_text(w, out, start);
		return;
	}
	strbuf_addch(out, '[');
	for (u64 i = 0; i < rs->s->nr_branches; i++) {
		if (i)
			strbuf_addch(out, ',');
		put_branch_json(w, rs, rs->s->branches + 3 * i, out);
	}
	strbuf_addch(out, ']');
}

static void put_regs(struct rows_writer *w, const struct wire_regs *regs, struct strbuf *out)
{
	size_t start = out->len;

	if (w->r->format != ROWS_NDJSON) {
		regs_text(regs, w->r->arch, out);
		make_text(w, out, start);
	} else {
		json_regs(out, w->r->arch, regs);
	}
}

/* ------------------------------------------------------------------ payloads */

static void put_bytes(enum rows_format format, const void *data, size_t len, struct strbuf *out)
{
	if (format == ROWS_NDJSON)
		strbuf_addch(out, '"');
	hex_bytes(out, data, len);
	if (format == ROWS_NDJSON)
		strbuf_addch(out, '"');
}

/* Append an array of numbers; cells have them with blanks in between. */
static void put_array(enum rows_format format, const struct row_step *st, const struct tf_event *tf,
		      const void *data, size_t len, struct strbuf *out)
{
	bool csv = format != ROWS_NDJSON;

	if (!csv)
		strbuf_addch(out, '[');
	for (size_t i = 0; i < len / st->field->elem_size; i++) {
		u64 v = tf_field_element(tf, st->field, data, i);
		bool minus = st->field->flags & TF_SIGNED && (s64)v < 0;

		if (i)
			strbuf_addch(out, csv ? ' ' : ',');
		if (minus)
			strbuf_addch(out, '-');
		strbuf_dec(out, minus ? -v : v, 0);
	}
	if (!csv)
		strbuf_addch(out, ']');
}

const void *row_field_data(const struct row_step *st, const struct row_sample *rs, size_t *len)
{
	const struct tf_field *f = st->field;
	const struct sample *s = rs->s;

	if (!s->raw)
		return NULL;
	if (f->flags & TF_ARRAY)
		return tf_field_data(rs->re->tf, f, s->raw, s->raw_size, len);
	*len = f->size;
	return f->size <= s->raw_size && f->offset <= s->raw_size - f->size
		       ? (const u8 *)s->raw + f->offset
		       : NULL;
}

static void put_field_data(enum rows_format format, const struct row_step *st,
			   const struct row_sample *rs, struct strbuf *out)
{
	size_t len = 0;
	const void *data = row_field_data(st, rs, &len);

	if (!data)
		row_text(format, NULL, 0, out);
	else if (st->kind == ROW_TF_STRING)
		row_text(format, data, strnlen(data, len), out);
	else if (st->kind == ROW_TF_ARRAY)
		put_array(format, st, rs->re->tf, data, len, out);
	else
		put_bytes(format, data, len, out);
}

/* ------------------------------------------------------------------ the others */

/* Append a time like "2026-11-21 18:56:59.201087123". */
static void put_wall_time(struct rows_writer *w, u64 ns, struct strbuf *out)
{
	time_t t;
	struct tm tm;
	char text[64];
	size_t n = 0;

	ns += w->times.conf.wall_offset;
	t = (time_t)(ns / 1000000000);
	if (localtime_r(&t, &tm))
		n = strftime(text, sizeof(text) - 16, "%F %T", &tm);
	if (n)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ".%09u", (u32)(ns % 1000000000));
	row_text(w->r->format, n ? text : NULL, n, out);
}

static void put_guest(struct rows_writer *w, enum row_kind kind, u64 id, struct strbuf *out)
{
	const struct guest_id *g = guest_ids_find(w->r->conf.guests, id);

	if (!g)
		row_text(w->r->format, NULL, 0, out);
	else
		strbuf_addf(out, "%d", kind == ROW_VCPU ? g->vcpu : (s32)g->pid);
}

/* Append the text of sample_code_insn() without what leads to it. */
static void put_insn(struct rows_writer *w, const struct row_sample *rs, enum row_kind kind,
		     struct strbuf *out)
{
	u64 field = kind == ROW_INSN ? SF_INSN : kind == ROW_INSNLEN ? SF_INSNLEN : SF_DISASM;
	size_t lead = kind == ROW_DISASM ? 0 : 6, at = out->len;

	sample_code_insn(w->code, &rs->t->at, rs->s, field, out);
	if (kind == ROW_INSNLEN) { /* a number */
		strbuf_reset(&w->tmp);
		strbuf_add(&w->tmp, out->buf + at + 7, out->len - at - 7);
		out->len = at;
		strbuf_add(out, w->tmp.buf, w->tmp.len);
	} else if (out->len - at > lead) {
		memset(out->buf + at, ' ', lead);
		make_text(w, out, at);
	} else {
		out->len = at;
		row_text(w->r->format, NULL, 0, out);
	}
}

static void put_name(const struct rows *r, const char *name, struct strbuf *out)
{
	row_text(r->format, name, name ? strlen(name) : 0, out);
}

static void put_srcline(struct rows_writer *w, const struct row_sample *rs, struct strbuf *out)
{
	size_t at = out->len;

	sample_code_srcline(w->code, &rs->t->at, rs->s->cpumode, rs->s->ip, out);
	make_text(w, out, at);
}

void row_put_value(struct rows_writer *w, const struct row_step *step, const struct row_sample *rs,
		   struct strbuf *out)
{
	enum rows_format format = w->r->format;
	const struct cached_thread *t = rs->t;
	const struct sample *s = rs->s;
	const char *text;
	size_t at;

	switch (step->kind) {
	case ROW_COMM:
		if (format == ROWS_CSV)
			strbuf_add(out, t->text.buf + t->mark, t->mark_len);
		else
			strbuf_add(out, t->text.buf, t->mark);
		break;
	case ROW_SYM:
	case ROW_DSO:
		text = cached_name(&w->cache, rs->place) + sizeof(rs->pair);
		strbuf_add(out, text + (step->kind == ROW_DSO ? rs->pair.head : 0),
			   step->kind == ROW_DSO ? rs->pair.tail : rs->pair.head);
		break;
	case ROW_TOD:
		put_wall_time(w, s->time, out);
		break;
	case ROW_CGROUP:
		put_name(w->r, machine_cgroup(w->r->conf.machine, s->cgroup), out);
		break;
	case ROW_DATA_SRC:
		at = out->len;
		data_src_text(s->data_src, out);
		make_text(w, out, at);
		break;
	case ROW_MACHINE_PID:
	case ROW_VCPU:
		put_guest(w, step->kind, s->id, out);
		break;
	case ROW_SRCLINE:
		put_srcline(w, rs, out);
		break;
	case ROW_INSN:
	case ROW_INSNLEN:
	case ROW_DISASM:
		put_insn(w, rs, step->kind, out);
		break;
	case ROW_IREGS:
		put_regs(w, &s->intr_regs, out);
		break;
	case ROW_UREGS:
		put_regs(w, &s->user_regs, out);
		break;
	case ROW_BRANCHES:
		put_branches(w, rs, out);
		break;
	case ROW_CHAIN:
		put_chain(w, rs, out);
		break;
	case ROW_BYTES:
		put_bytes(format, s->raw, s->raw ? s->raw_size : 0, out);
		break;
	default:
		put_field_data(format, step, rs, out);
	}
}
