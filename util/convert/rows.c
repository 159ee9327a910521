// SPDX-License-Identifier: GPL-2.0-or-later
/* Plan what is in the rows of each event, and make rows of samples. */
#include "base/compat.h"
#include "convert/rows-internal.h"

#include "base/alloc.h"
#include "codec/csv.h"
#include "base/units.h"
#include "base/intern.h"
#include "codec/json.h"
#include "codec/quote.h"
#include "convert/fields.h"

#include <inttypes.h>
#include <stddef.h>

#define VALUE_ROOM 32 /* of a value of limited length, with quotes and 0x */
#define ROW_ROOM 256

#define MEMBER(m) sizeof(((struct sample *)0)->m), offsetof(struct sample, m)
#define SF_BRANCHES (SF_BRSTACK | SF_BRSTACKSYM | SF_BRSTACKOFF)
#define SF_PLACE (SF_SYM | SF_SYMOFF | SF_DSO | SF_DSOFF | SF_SRCLINE)

/* All columns, in the order they are written in. */
static const struct row_column {
	const char *name;
	u64 fields; /* any of these */
	enum row_kind kind;
	u8 size;
	u16 at;
} columns[] = {
	{ "time", SF_TIME, ROW_TIME, MEMBER(time) },
	{ "tod", SF_TOD, ROW_TOD, 0, 0 },
	{ "event", SF_EVENT, ROW_EVENT, 0, 0 },
	{ "comm", SF_COMM, ROW_COMM, 0, 0 },
	{ "pid", SF_PID, ROW_PID, 0, 0 },
	{ "tid", SF_TID, ROW_TID, 0, 0 },
	{ "cpu", SF_CPU, ROW_SIGNED, MEMBER(cpu) },
	{ "misc", SF_MISC, ROW_DEC, MEMBER(misc) },
	{ "machine_pid", SF_MACHINE_PID, ROW_MACHINE_PID, 0, 0 },
	{ "vcpu", SF_VCPU, ROW_VCPU, 0, 0 },
	{ "period", SF_PERIOD, ROW_DEC, MEMBER(period) },
	{ "addr", SF_ADDR, ROW_HEX, MEMBER(addr) },
	{ "weight", SF_WEIGHT, ROW_DEC, MEMBER(weight) },
	{ "ins_lat", SF_INS_LAT, ROW_DEC, MEMBER(ins_lat) },
	{ "retire_lat", SF_RETIRE_LAT, ROW_DEC, MEMBER(p_stage_cyc) },
	{ "data_src", SF_DATA_SRC, ROW_HEX, MEMBER(data_src) },
	{ "data_src_text", SF_DATA_SRC, ROW_DATA_SRC, 0, 0 },
	{ "phys_addr", SF_PHYS_ADDR, ROW_HEX, MEMBER(phys_addr) },
	{ "data_page_size", SF_DATA_PAGE_SIZE, ROW_DEC, MEMBER(data_page_size) },
	{ "code_page_size", SF_CODE_PAGE_SIZE, ROW_DEC, MEMBER(code_page_size) },
	{ "cgroup", SF_CGROUP, ROW_CGROUP, 0, 0 },
	{ "ip", SF_IP, ROW_HEX, MEMBER(ip) },
	{ "sym", SF_SYM, ROW_SYM, 0, 0 },
	{ "symoff", SF_SYMOFF, ROW_SYMOFF, 0, 0 },
	{ "dso", SF_DSO, ROW_DSO, 0, 0 },
	{ "dsoff", SF_DSOFF, ROW_DSOFF, 0, 0 },
	{ "srcline", SF_SRCLINE, ROW_SRCLINE, 0, 0 },
	{ "insn", SF_INSN, ROW_INSN, 0, 0 },
	{ "insnlen", SF_INSNLEN, ROW_INSNLEN, 0, 0 },
	{ "disasm", SF_DISASM, ROW_DISASM, 0, 0 },
	{ "iregs", SF_IREGS, ROW_IREGS, 0, 0 },
	{ "uregs", SF_UREGS, ROW_UREGS, 0, 0 },
	{ "brstack", SF_BRANCHES, ROW_BRANCHES, 0, 0 },
	{ "bpf_output", SF_BPF_OUTPUT, ROW_BYTES, 0, 0 },
	{ "callchain", SF_IP | SF_SYM, ROW_CHAIN, 0, 0 },
	{ "fields", SF_TRACE, ROW_FIELDS, 0, 0 },
	{ "raw", SF_TRACE, ROW_BYTES, 0, 0 },
};

u64 rows_unknown(u64 fields)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		fields &= ~columns[i].fields;
	fields &= ~(SF_FLAGS | SF_CALLINDENT | SF_SYNTH | SF_IPC); /* blank in text, too */
	return fields & -fields;
}

/* ------------------------------------------------------------------ set up */

/* Tell whether the event has that column. */
static bool has_column(const struct sample_text_conf *c, const struct evsel *e, u64 fields,
		       const struct row_column *col)
{
	u64 types = e->attr.sample_type;

	if (!(fields & col->fields))
		return false;
	switch (col->kind) {
	case ROW_SYM:
	case ROW_SYMOFF:
	case ROW_DSO:
	case ROW_DSOFF:
	case ROW_SRCLINE:
	case ROW_INSN:
	case ROW_INSNLEN:
	case ROW_DISASM:
		return types & PERF_SAMPLE_IP;
	case ROW_BRANCHES:
		return types & PERF_SAMPLE_BRANCH_STACK;
	case ROW_CHAIN:
		return !c->hide_callchain && types & PERF_SAMPLE_CALLCHAIN;
	case ROW_FIELDS:
		return evsel_format(e, c->tracefmt);
	case ROW_BYTES:
		if (col->fields == SF_BPF_OUTPUT)
			return evsel_is_bpf_output(e) && types & PERF_SAMPLE_RAW;
		return !evsel_format(e, c->tracefmt);
	default:
		return true;
	}
}

/* The state of planning the columns: which there are in all, and where those of an event stand
 * among them. */
struct plan {
	struct rows *r;
	u32 number[ARRAY_SIZE(columns)]; /* of CSV; UINT32_MAX: of no event */
	u32 nr;
	struct intern fields; /* names of fields of payloads; their columns follow in order of id */
	struct strbuf before; /* of the next step */
	struct intern names;  /* packed: names of all columns */
	struct strbuf head;   /* as rows_head() returns it */
	u32 last; /* CSV: the next column after the last value; packed: that of the next value */
	bool any; /* the row has begun */
};

static void add_step(struct plan *pl, struct row_event *re, enum row_kind kind, u8 size, u16 at,
		     const struct tf_field *field)
{
	struct row_step *st;

	VEC_GROW(re->steps, re->nr + 1, re->cap);
	st = &re->steps[re->nr++];
	*st = (struct row_step){
		.kind = kind, .size = size, .at = at, .field = field, .column = pl->last
	};
	st->before_len = (u32)pl->before.len;
	re->room += pl->before.len + VALUE_ROOM;
	st->before = strbuf_detach(&pl->before);
}

/* Add the text that stands between the value before and that of a column. */
static void go_to(struct plan *pl, const char *name, u32 number)
{
	if (pl->r->format == ROWS_CSV) {
		for (; pl->last < number; pl->last++)
			strbuf_addch(&pl->before, ',');
		return;
	}
	if (pl->r->format == ROWS_PACKED) {
		pl->last = number;
		return;
	}
	strbuf_addch(&pl->before, pl->any ? ',' : '{');
	pl->any = true;
	json_string(&pl->before, name);
	strbuf_addch(&pl->before, ':');
}

static enum row_kind kind_of_field(const struct tf_field *f)
{
	bool number = f->elem_size && f->elem_size <= 8 && !(f->elem_size & (f->elem_size - 1));

	if (f->flags & TF_STRING)
		return ROW_TF_STRING;
	if (f->flags & TF_ARRAY)
		return number ? ROW_TF_ARRAY : ROW_TF_BYTES;
	if (!number || f->size != f->elem_size)
		return ROW_TF_BYTES;
	return f->flags & TF_POINTER ? ROW_TF_PTR : ROW_TF_INT;
}

/* Tell whether field @n is the first of its name. Readers could not tell others from it. */
static bool is_first(const struct tf_event *tf, u32 n)
{
	for (u32 i = tf->nr_common; i < n; i++)
		if (!strcmp(tf->fields[i].name, tf->fields[n].name))
			return false;
	return true;
}

static enum arrow_type type_of_field(const struct tf_field *f)
{
	switch (kind_of_field(f)) {
	case ROW_TF_INT:
		return f->flags & TF_SIGNED ? ARROW_S64 : ARROW_U64;
	case ROW_TF_PTR:
		return ARROW_U64;
	case ROW_TF_ARRAY:
		return ARROW_LIST;
	default:
		return ARROW_TEXT;
	}
}

static struct row_column_type column_of_field(const struct tf_field *f)
{
	return (struct row_column_type){
		.type = type_of_field(f),
		.item = f->flags & TF_SIGNED ? ARROW_S64 : ARROW_U64,
	};
}

/*
 * Return the number of the column of a field among those of fields, from 1 on. In packed rows,
 * fields of one name that have values of different types are different columns.
 */
static u32 field_id(struct plan *pl, const struct tf_field *f)
{
	struct row_column_type t = column_of_field(f);
	char *key;
	u32 id;

	if (pl->r->format == ROWS_CSV)
		return intern_str_id(&pl->fields, f->name);
	key = xasprintf("%s %d %d", f->name, t.type, t.type == ARROW_LIST ? t.item : 0);
	id = intern_str_id(&pl->fields, key);
	free(key);
	return id;
}

static void add_fields(struct plan *pl, struct row_event *re, const char *name)
{
	bool csv = pl->r->format != ROWS_NDJSON;

	if (!csv) {
		go_to(pl, name, 0);
		pl->any = false;
	}
	for (u32 i = re->tf->nr_common; i < re->tf->nr_fields; i++) {
		const struct tf_field *f = &re->tf->fields[i];

		if (!is_first(re->tf, i))
			continue;
		go_to(pl, f->name, csv ? pl->nr + field_id(pl, f) - 1 : 0);
		add_step(pl, re, kind_of_field(f), 0, 0, f);
	}
	if (!csv)
		strbuf_addstr(&pl->before, pl->any ? "}" : "{}");
	pl->any = true;
}

static unsigned int frame_style(u64 fields)
{
	return ROW_FRAME | (fields & SF_SYM ? ROW_FRAME_SYM : 0) |
	       (fields & SF_SYMOFF ? ROW_FRAME_OFF : 0) | (fields & SF_DSO ? ROW_FRAME_DSO : 0);
}

static void plan_event(struct plan *pl, struct row_event *re, const struct evsel *e)
{
	const struct sample_text_conf *c = &pl->r->conf;
	bool packed = pl->r->format == ROWS_PACKED;

	re->fields = sample_fields_of(c->fields, e);
	re->tf = evsel_format(e, c->tracefmt);
	re->style = frame_style(re->fields);
	re->lbr = layout_lbr_chain(&e->layout);
	re->place = (re->fields & (SF_PLACE & ~SF_SRCLINE)) && e->attr.sample_type & PERF_SAMPLE_IP;
	re->room = ROW_ROOM;
	pl->last = 0;
	pl->any = false;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		const struct row_column *col = &columns[i];

		if (!has_column(c, e, re->fields, col))
			continue;
		if (col->kind == ROW_FIELDS) {
			add_fields(pl, re, col->name);
			continue;
		}
		go_to(pl, col->name, pl->number[i]);
		if (col->kind == ROW_EVENT && !packed)
			row_text(pl->r->format, e->name, strlen(e->name), &pl->before);
		else
			add_step(pl, re, col->kind, col->size, col->at, NULL);
		if (col->kind == ROW_EVENT && packed)
			re->steps[re->nr - 1].name = row_name(pl->r->store, e->name);
		if (col->kind == ROW_CHAIN)
			pl->r->chain_fields |= re->fields;
	}
	if (packed)
		return;
	if (pl->r->format == ROWS_CSV) {
		u32 all = pl->nr + (u32)(pl->fields.nr ? pl->fields.nr - 1 : 0);

		go_to(pl, NULL, all ? all - 1 : 0);
		strbuf_addch(&pl->before, '\r');
	} else {
		strbuf_addstr(&pl->before, pl->any ? "}" : "{}");
	}
	strbuf_addch(&pl->before, '\n');
	re->end_len = (u32)pl->before.len;
	re->room += pl->before.len;
	re->end = strbuf_detach(&pl->before);
}

static enum arrow_type type_of_column(const struct row_column *col)
{
	switch (col->kind) {
	case ROW_DEC:
	case ROW_HEX:
		return col->size == 8 ? ARROW_U64 : ARROW_U32;
	case ROW_TIME:
	case ROW_DSOFF:
		return ARROW_U64;
	case ROW_SIGNED:
	case ROW_PID:
	case ROW_TID:
	case ROW_SYMOFF:
	case ROW_INSNLEN:
	case ROW_MACHINE_PID:
	case ROW_VCPU:
		return ARROW_U32;
	case ROW_EVENT:
	case ROW_COMM:
	case ROW_SYM:
	case ROW_DSO:
	case ROW_CGROUP:
		return ARROW_NAME;
	case ROW_CHAIN:
		return ARROW_LIST;
	default:
		return ARROW_TEXT;
	}
}

/* Add a column of packed rows. A second one of its name has its type in the name, too. */
static void add_column(struct plan *pl, const char *name, struct row_column_type t)
{
	static const char *const types[] = {
		[ARROW_U64] = ":u64", [ARROW_S64] = ":s64", [ARROW_TEXT] = ":text"
	};
	bool list = t.type == ARROW_LIST;
	struct rows *r = pl->r;
	struct strbuf sb = STRBUF_INIT;

	quote_utf8(&sb, name);
	if (intern_find(&pl->names, sb.buf, sb.len) != UINT32_MAX)
		strbuf_addf(&sb, "%s%s", types[list ? t.item : t.type], list ? "s" : "");
	intern_id(&pl->names, sb.buf, sb.len);
	strbuf_addf(&pl->head, "%s %d %d\n", sb.buf, t.type, list ? t.item : 0);
	t.name = strbuf_detach(&sb);
	VEC_GROW(r->columns, r->nr_columns + 1, r->cap_columns);
	r->columns[r->nr_columns++] = t;
}

static void add_head(struct plan *pl, const char *name, struct row_column_type type)
{
	if (pl->r->format == ROWS_PACKED) {
		add_column(pl, name, type);
		return;
	}
	if (pl->head.len)
		strbuf_addch(&pl->head, ',');
	csv_cell(&pl->head, name, strlen(name));
}

/* Add the columns of those fields of an event that no event before has. */
static void add_field_heads(struct plan *pl, const struct tf_event *tf)
{
	for (u32 i = tf->nr_common; i < tf->nr_fields; i++) {
		size_t known = MAX(pl->fields.nr, (size_t)1);
		char *full;

		if (!is_first(tf, i) || field_id(pl, &tf->fields[i]) < known)
			continue;
		full = xasprintf("fields.%s", tf->fields[i].name);
		add_head(pl, full, column_of_field(&tf->fields[i]));
		free(full);
	}
}

/* Choose the numbers and names of the columns of CSV and of packed rows. */
static void plan_head(struct plan *pl)
{
	const struct sample_text_conf *c = &pl->r->conf;
	const struct evlist *l = c->evlist;

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		pl->number[i] = UINT32_MAX;
		for (size_t j = 0; j < l->nr && pl->number[i] == UINT32_MAX; j++) {
			const struct evsel *e = l->evsels[j];

			if (columns[i].kind == ROW_FIELDS ||
			    !has_column(c, e, sample_fields_of(c->fields, e), &columns[i]))
				continue;
			add_head(pl, columns[i].name,
				 (struct row_column_type){ .type = type_of_column(&columns[i]),
							   .item = ARROW_STRUCT });
			pl->number[i] = pl->nr++;
		}
	}
	/* Ids begin with 1, columns with 0: the first field is the one behind the others. */
	for (size_t j = 0; j < l->nr; j++) {
		const struct tf_event *tf = evsel_format(l->evsels[j], c->tracefmt);

		if (tf && sample_fields_of(c->fields, l->evsels[j]) & SF_TRACE)
			add_field_heads(pl, tf);
	}
	if (pl->r->format == ROWS_CSV)
		strbuf_addstr(&pl->head, "\r\n");
}

struct rows *rows_new(enum rows_format format, const struct sample_text_conf *conf,
		      struct row_store *store)
{
	struct rows *r = xzalloc(sizeof(*r));
	struct plan pl = { .r = r, .before = STRBUF_INIT, .head = STRBUF_INIT };
	struct callchain_source source = sample_chain_source(conf);

	r->format = format;
	r->store = store;
	r->conf = *conf;
	r->arch = arch_of(conf->arch);
	r->chains = (struct callchain_conf){ .call_stacks = true };
	callchain_conf_open(&r->chains, &source);
	r->lines = srclines_new(conf->symbols);
	srclines_whole_paths(r->lines, true);
	r->nr = conf->evlist->nr;
	r->events = xcalloc(r->nr + 1, sizeof(*r->events));
	if (format != ROWS_NDJSON)
		plan_head(&pl);
	for (size_t i = 0; i < r->nr; i++)
		plan_event(&pl, &r->events[i], conf->evlist->evsels[i]);
	if (format == ROWS_PACKED)
		strbuf_addf(&pl.head, "frames %" PRIx64 "\n", r->chain_fields & SF_PLACE);
	r->head = strbuf_detach(&pl.head);
	intern_release(&pl.fields);
	intern_release(&pl.names);
	strbuf_release(&pl.before);
	return r;
}

void rows_free(struct rows *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nr; i++) {
		for (size_t j = 0; j < r->events[i].nr; j++)
			free(r->events[i].steps[j].before);
		free(r->events[i].steps);
		free(r->events[i].end);
	}
	for (size_t i = 0; i < r->nr_columns; i++)
		free(r->columns[i].name);
	free(r->columns);
	free(r->events);
	free(r->head);
	callchain_conf_close(&r->chains);
	srclines_free(r->lines);
	free(r);
}

const char *rows_head(const struct rows *r)
{
	return r->head;
}

/* ------------------------------------------------------------------ writers */

static void put_thread(const struct machine *m, struct cached_thread *t)
{
	const char *comm = machine_comm(m, t->at.comm);

	json_string(&t->text, comm);
	t->mark = (u32)t->text.len; /* as JSON up to here, as a cell behind it */
	csv_cell(&t->text, comm, strlen(comm));
	t->mark_len = (u32)t->text.len - t->mark;
}

struct rows_writer *rows_writer_new(const struct rows *r)
{
	struct rows_writer *w = xzalloc(sizeof(*w));

	w->r = r;
	w->chains.conf = &r->chains;
	w->times.conf = r->conf.times;
	w->cache = (struct sample_cache){
		.machine = r->conf.machine,
		.symbols = r->conf.symbols,
		.put_thread = put_thread,
		.put_name = row_put_name,
		.ctx = r,
	};
	sample_cache_init(&w->cache);
	w->code = sample_code_new(&(struct sample_code_conf){
		.machine = r->conf.machine,
		.symbols = r->conf.symbols,
		.lines = r->lines,
		.arch = r->conf.arch,
		.full_source_path = r->conf.full_source_path,
	});
	if (r->conf.inlines)
		w->inlines = sample_inlines_new(r->conf.machine, r->conf.symbols, r->lines);
	return w;
}

void rows_writer_free(struct rows_writer *w)
{
	if (!w)
		return;
	sample_cache_release(&w->cache);
	sample_code_free(w->code);
	sample_inlines_free(w->inlines);
	if (w->chunk)
		row_chunk_give(w->r->store, w->chunk);
	strbuf_release(&w->tmp);
	strbuf_release(&w->frames);
	map64_release(&w->comms);
	callchain_maker_release(&w->chains);
	free(w);
}

/* ------------------------------------------------------------------ one sample */

static char *put_signed(char *p, s64 v)
{
	if (v < 0)
		*p++ = '-';
	return digits_dec(p, v < 0 ? -(u64)v : (u64)v);
}

static char *put_hex(bool csv, char *p, u64 v)
{
	if (!csv)
		*p++ = '"';
	*p++ = '0';
	*p++ = 'x';
	p = digits_hex(p, v);
	if (!csv)
		*p++ = '"';
	return p;
}

static char *put_nothing(bool csv, char *p)
{
	if (csv)
		return p;
	memcpy(p, "null", 4);
	return p + 4;
}

static char *put_field(const struct row_step *st, const struct row_sample *rs, bool csv, char *p)
{
	u64 v;

	if (!rs->s->raw || !tf_field_int(rs->re->tf, st->field, rs->s->raw, rs->s->raw_size, &v))
		return put_nothing(csv, p);
	if (st->kind == ROW_TF_PTR)
		return put_hex(csv, p, v);
	return st->field->flags & TF_SIGNED ? put_signed(p, (s64)v) : digits_dec(p, v);
}

/* Write a value of limited length. */
static char *put_short(struct rows_writer *w, const struct row_step *st,
		       const struct row_sample *rs, char *p)
{
	bool csv = w->r->format == ROWS_CSV;

	switch (st->kind) {
	case ROW_DEC:
		return digits_dec(p, convert_number(rs->s, st->at, st->size));
	case ROW_SIGNED:
		return put_signed(p, (s32)convert_number(rs->s, st->at, st->size));
	case ROW_HEX:
		return put_hex(csv, p, convert_number(rs->s, st->at, st->size));
	case ROW_TIME:
		return digits_dec(p, sample_times_shown(&w->times, rs->s->time));
	case ROW_PID:
		return put_signed(p, (s32)rs->t->at.pid);
	case ROW_TID:
		return put_signed(p, (s32)rs->t->at.tid);
	case ROW_SYMOFF:
		return rs->pair.known ? digits_dec(p, rs->place->symoff) : put_nothing(csv, p);
	case ROW_DSOFF:
		return rs->pair.mapped ? put_hex(csv, p, rs->place->addr) : put_nothing(csv, p);
	default:
		return put_field(st, rs, csv, p);
	}
}

void rows_soon(struct rows_writer *w, const struct evsel *e, const struct sample *s, u64 time)
{
	const struct row_event *re = &w->r->events[MIN((size_t)e->idx, w->r->nr)];

	if (re->place)
		cached_place_prefetch(&w->cache,
				      &cached_thread(&w->cache, s->pid, s->tid, time)->at,
				      s->cpumode, s->ip);
}

void rows_put(struct rows_writer *w, const struct evsel *e, const struct sample *s, u64 time,
	      struct strbuf *out)
{
	const struct row_event *re = &w->r->events[MIN((size_t)e->idx, w->r->nr)];
	const struct cached_thread *t = cached_thread(&w->cache, s->pid, s->tid, time);
	struct row_sample rs = { .re = re, .e = e, .s = s, .t = t };
	size_t start = out->len;
	char *p;

	if (!re->fields)
		return;
	if (re->place) {
		rs.place = cached_place(&w->cache, &t->at, s->cpumode, ROW_CELLS, s->ip);
		memcpy(&rs.pair, cached_name(&w->cache, rs.place), sizeof(rs.pair));
	}
	if (w->r->format == ROWS_PACKED) {
		row_pack(w, &rs, out);
		return;
	}
	strbuf_grow(out, re->room);
	p = out->buf + out->len;
	for (size_t i = 0; i < re->nr; i++) {
		const struct row_step *st = &re->steps[i];

		memcpy(p, st->before, st->before_len);
		p += st->before_len;
		if (likely(st->kind < ROW_COMM)) {
			p = put_short(w, st, &rs, p);
			continue;
		}
		out->len = (size_t)(p - out->buf);
		row_put_value(w, st, &rs, out);
		strbuf_grow(out, re->room);
		p = out->buf + out->len;
	}
	if (unlikely(p == out->buf + start) && w->r->format == ROWS_CSV) {
		memcpy(p, "\"\"", 2); /* a line with nothing on it is no row */
		p += 2;
	}
	memcpy(p, re->end, re->end_len);
	p += re->end_len;
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}
