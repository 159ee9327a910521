// SPDX-License-Identifier: GPL-2.0-or-later
/* Write samples as JSON objects. */
#include "base/compat.h"
#include "convert/json.h"

#include "base/alloc.h"
#include "base/units.h"
#include "convert/fields.h"
#include "convert/json-internal.h"
#include "resolve/callchain.h"

#include "resolve/callchain.h"
#include "sampletext/sample-cache.h"

/* A field of a tracepoint, and what is written before its value. */
struct json_field {
	const struct tf_field *field;
	char *key; /* owned: ", "prev_comm": "", without the last " before an array */
	u32 key_len;
	bool elements; /* its value is an array of integers */
};

/* A row of convert_fields(), and what is written before its value. */
struct json_number {
	const struct convert_field *field;
	char *key; /* owned: ", "period": ", and for hex ""0x" */
	u32 key_len;
};

/* More than what is the same in all samples, with the numbers in between. */
#define CONSTANT_ROOM 256

struct json_event {
	struct wire_layout layout;
	char *name; /* owned: ", "event": "cpu-clock"" */
	u32 name_len;
	struct json_number *numbers; /* owned */
	u32 nr_numbers;
	u32 room;  /* that a sample needs besides texts of others and what is of any size */
	bool rest; /* has something for json_rest() */
	const struct tf_event *tf;
	struct json_field *fields; /* owned */
	u32 nr_fields;
};

struct json_shape {
	struct json_conf conf;
	const struct arch *arch;
	struct json_event *events; /* by evsel idx */
	size_t nr;
};

struct json_writer {
	const struct json_shape *shape;
	struct sample_cache cache;
	struct callchain_maker chains;
	struct strbuf tmp;
};

/* Documents have the chains that were recorded, as those of perf 6.1 do. */
static const struct callchain_conf recorded_chains = { 0 };

/* ------------------------------------------------------------------ set up */

/* Keys that objects of samples use themselves. */
static bool key_taken(const char *name)
{
	static const char *const taken[] = {
		"timestamp",  "pid",       "tid",  "cpu",           "comm",      "callchain",
		"event",      "ip",        "read", "branch_hw_idx", "user_regs", "branch_stack",
		"user_stack", "intr_regs", "aux",  "raw",
	};
	const struct convert_field *f;
	size_t i, nr;

	for (i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(name, taken[i]))
			return true;
	f = convert_fields(&nr);
	for (i = 0; i < nr; i++)
		if (f[i].json && !strcmp(name, f[i].json))
			return true;
	return false;
}

/* Append the key of the @n-th field: its name, with _ in front as often as another one has it
 * already. */
static void put_field_key(const struct tf_event *tf, u32 n, struct strbuf *out)
{
	const char *field = tf->fields[n].name;
	struct strbuf name = STRBUF_INIT;
	bool taken = key_taken(field);

	for (u32 i = 0; i < n && !taken; i++)
		taken = !strcmp(tf->fields[i].name, field);
	strbuf_addstr(&name, field);
	for (size_t lines = 1; taken; lines++) {
		strbuf_reset(&name);
		for (size_t i = 0; i < lines; i++)
			strbuf_addch(&name, '_');
		strbuf_addstr(&name, field);
		taken = tf_find_field(tf, strbuf_str(&name));
	}
	strbuf_add(out, ", ", 2);
	json_string(out, strbuf_str(&name));
	strbuf_add(out, ": ", 2);
	strbuf_release(&name);
}

/* The event tells the type, and the tid the other. */
static bool told_already(const struct tf_field *f)
{
	return !strcmp(f->name, "common_type") || !strcmp(f->name, "common_pid");
}

static bool has_elements(const struct tf_field *f)
{
	return (f->flags & TF_ARRAY) && !(f->flags & TF_STRING) && f->elem_size &&
	       f->elem_size <= 8 && !(f->elem_size & (f->elem_size - 1));
}

static void init_fields(struct json_event *je)
{
	struct strbuf key = STRBUF_INIT;

	je->fields = xcalloc(je->tf->nr_fields + 1, sizeof(*je->fields));
	for (u32 i = 0; i < je->tf->nr_fields; i++) {
		struct json_field *f = &je->fields[je->nr_fields];

		if (told_already(&je->tf->fields[i]))
			continue;
		je->nr_fields++;
		put_field_key(je->tf, i, &key);
		f->field = &je->tf->fields[i];
		f->elements = has_elements(f->field);
		if (!f->elements)
			strbuf_addch(&key, '"');
		f->key_len = (u32)key.len;
		f->key = strbuf_detach(&key);
	}
}

static void init_numbers(struct json_event *je, u64 sample_type)
{
	size_t i, nr;
	const struct convert_field *f = convert_fields(&nr);
	struct strbuf key = STRBUF_INIT;

	je->numbers = xcalloc(nr, sizeof(*je->numbers));
	for (i = 0; i < nr; i++) {
		struct json_number *n = &je->numbers[je->nr_numbers];

		if (!f[i].json || !(sample_type & f[i].bits))
			continue;
		je->nr_numbers++;
		json_key(&key, f[i].json);
		if (f[i].hex)
			strbuf_addstr(&key, "\"0x");
		n->field = &f[i];
		n->key_len = (u32)key.len;
		n->key = strbuf_detach(&key);
		je->room += n->key_len + DIGITS_DEC + 1;
	}
}

static void init_event(struct json_event *je, const struct json_conf *c, const struct evsel *e)
{
	u64 rest = PERF_SAMPLE_READ | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
		   PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX;
	struct strbuf sb = STRBUF_INIT;

	je->layout = e->layout;
	json_member(&sb, "event", e->name);
	je->name_len = (u32)sb.len;
	je->name = strbuf_detach(&sb);
	init_numbers(je, e->layout.sample_type);
	je->room += je->name_len + CONSTANT_ROOM;
	je->rest = e->layout.sample_type & rest;
	je->tf = evsel_format(e, c->tracefmt);
	if (je->tf)
		init_fields(je);
}

struct json_shape *json_shape_new(const struct json_conf *conf)
{
	struct json_shape *sh = xzalloc(sizeof(*sh));

	sh->conf = *conf;
	sh->arch = arch_of(conf->arch);
	sh->nr = conf->evlist->nr;
	sh->events = xcalloc(sh->nr + 1, sizeof(*sh->events));
	for (size_t i = 0; i < sh->nr; i++)
		init_event(&sh->events[i], conf, conf->evlist->evsels[i]);
	return sh;
}

static void event_release(struct json_event *je)
{
	for (u32 i = 0; i < je->nr_fields; i++)
		free(je->fields[i].key);
	for (u32 i = 0; i < je->nr_numbers; i++)
		free(je->numbers[i].key);
	free(je->fields);
	free(je->numbers);
	free(je->name);
}

void json_shape_free(struct json_shape *sh)
{
	if (!sh)
		return;
	for (size_t i = 0; i < sh->nr; i++)
		event_release(&sh->events[i]);
	free(sh->events);
	free(sh);
}

/* ------------------------------------------------------------------ what is kept rendered */

/* Members from pid to the head of the call chain; the mark is behind tid, where cpu goes. */
static void put_thread(const struct machine *m, struct cached_thread *t)
{
	json_signed(&t->text, "pid", (s32)t->at.pid);
	json_signed(&t->text, "tid", (s32)t->at.tid);
	t->mark = (u32)t->text.len;
	json_member(&t->text, "comm", machine_comm(m, t->at.comm));
	strbuf_addstr(&t->text, ", \"callchain\": [");
	t->mark_len = (u32)t->text.len - t->mark;
}

/* Append the members of a frame behind its address, after their length. */
static void put_place(const void *ctx, const struct location *l, unsigned int style,
		      struct strbuf *out)
{
	const char *name = location_symbol(l);
	size_t start = out->len;
	u32 len = 0;

	strbuf_add(out, &len, sizeof(len));
	if (name) {
		strbuf_addstr(out, ", \"symbol\": ");
		json_string(out, name);
	}
	if (l->dso) {
		strbuf_addstr(out, ", \"dso\": ");
		json_string(out, location_dso(l));
	}
	strbuf_addch(out, '}');
	len = (u32)(out->len - start - sizeof(len));
	memcpy(out->buf + start, &len, sizeof(len));
}

struct json_writer *json_writer_new(const struct json_shape *sh)
{
	struct json_writer *w = xzalloc(sizeof(*w));

	w->shape = sh;
	w->chains.conf = &recorded_chains;
	w->cache = (struct sample_cache){
		.machine = sh->conf.machine,
		.symbols = sh->conf.symbols,
		.put_thread = put_thread,
		.put_name = put_place,
	};
	sample_cache_init(&w->cache);
	return w;
}

void json_writer_free(struct json_writer *w)
{
	if (!w)
		return;
	sample_cache_release(&w->cache);
	strbuf_release(&w->tmp);
	callchain_maker_release(&w->chains);
	free(w);
}

/* ------------------------------------------------------------------ one sample */

#define FRAME_ROOM 64 /* for what is around the text of a place */

/* Texts are put to where room was made before; each returns where it ended. */
#define TEXT(p, text) ((char *)memcpy(p, text, sizeof(text) - 1) + sizeof(text) - 1)

static char *put_text(char *p, const char *text, size_t len)
{
	memcpy(p, text, len);
	return p + len;
}

/* Make @room bytes free at @p, the end of the text in @out. Return: @p, which may have moved. */
static char *make_room(struct strbuf *out, const char *p, size_t room)
{
	out->len = (size_t)(p - out->buf);
	strbuf_grow(out, room);
	return out->buf + out->len;
}

/* Write one frame at @p. Return: its end, with @room bytes left behind it. */
static char *put_frame(struct json_writer *w, const struct thread_at *at, u8 mode, u64 ip,
		       struct strbuf *out, char *p, size_t room)
{
	const struct cached_place *place = cached_place(&w->cache, at, mode, 1, ip);
	const char *text = cached_name(&w->cache, place);
	u32 len;

	memcpy(&len, text, sizeof(len));
	p = make_room(out, p, FRAME_ROOM + len + room);
	p = TEXT(p, "{\"ip\": \"0x");
	p = digits_hex(p, ip);
	*p++ = '"';
	return put_text(p, text + sizeof(len), len);
}

static char *put_chain(struct json_writer *w, const struct thread_at *at, const struct sample *s,
		       struct strbuf *out, char *p, size_t room)
{
	size_t start = (size_t)(p - out->buf);
	struct callchain chain;
	u8 mode = s->cpumode;
	bool first = true;

	callchain_make(&w->chains, false, at->epoch, s, &chain);
	for (u64 i = 0; i < chain.nr; i++) {
		u64 ip = chain.ips[i];

		if (ip < (u64)PERF_CONTEXT_MAX) {
			if (!first)
				*p++ = ',';
			first = false;
			p = put_frame(w, at, mode, ip, out, p, room);
			continue;
		}
		mode = callchain_mode(ip);
		if (!mode) /* no chain rather than a wrong one */
			return out->buf + start;
	}
	return p;
}

static char *put_numbers(const struct json_event *je, const struct sample *s, char *p)
{
	for (u32 i = 0; i < je->nr_numbers; i++) {
		const struct json_number *n = &je->numbers[i];
		u64 v = convert_number(s, n->field->at, n->field->size);

		p = put_text(p, n->key, n->key_len);
		if (n->field->hex) {
			p = digits_hex(p, v);
			*p++ = '"';
		} else {
			p = digits_dec(p, v);
		}
	}
	return p;
}

/* Escape the text that was appended behind @start, so that it can stand in a string. */
static void escape_behind(struct strbuf *out, size_t start, struct strbuf *tmp)
{
	if (likely(json_plain(out->buf + start, out->len - start)))
		return;
	strbuf_reset(tmp);
	strbuf_add(tmp, out->buf + start, out->len - start);
	out->len = start;
	json_text(out, tmp->buf, tmp->len);
}

/* Write an array of integers. */
static void put_elements(const struct json_event *je, const struct tf_field *f,
			 const struct sample *s, struct strbuf *out)
{
	size_t len = 0;
	const u8 *data = tf_field_data(je->tf, f, s->raw, s->raw_size, &len);

	strbuf_addch(out, '[');
	for (size_t i = 0; data && i < len / f->elem_size; i++) {
		strbuf_addstr(out, i ? ", \"" : "\"");
		tf_print_element(je->tf, f, data, i, out);
		strbuf_addch(out, '"');
	}
	strbuf_addch(out, ']');
}

/* Values are texts, as numbers of this size would not come through all readers of JSON. */
static void put_payload(struct json_writer *w, const struct json_event *je, const struct sample *s,
			struct strbuf *out)
{
	size_t start;

	if (!je->tf) {
		json_bytes(out, "raw", s->raw, s->raw_size);
		return;
	}
	for (u32 i = 0; i < je->nr_fields; i++) {
		const struct json_field *f = &je->fields[i];

		strbuf_add(out, f->key, f->key_len);
		if (f->elements) {
			put_elements(je, f->field, s, out);
			continue;
		}
		start = out->len;
		tf_print_field(je->tf, f->field, s->raw, s->raw_size, out);
		if (f->field->flags & TF_STRING)
			escape_behind(out, start, &w->tmp);
		strbuf_addch(out, '"');
	}
}

/* Write what is in front of the call chain, from the comma between samples on. */
static char *put_begin(const struct json_writer *w, const struct cached_thread *t,
		       const struct sample *s, u64 st, char *p)
{
	p = TEXT(p, ",\n\t\t{\"timestamp\": ");
	if (likely(st & PERF_SAMPLE_TIME))
		p = digits_dec(p, s->time + w->shape->conf.time_offset);
	else
		p = TEXT(p, "null");
	p = put_text(p, t->text.buf, t->mark);
	if (st & PERF_SAMPLE_CPU) {
		p = TEXT(p, ", \"cpu\": ");
		p = digits_dec(p, s->cpu);
	}
	return put_text(p, t->text.buf + t->mark, t->mark_len);
}

void json_soon(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time)
{
	const struct cached_thread *t;

	if (e->layout.sample_type & PERF_SAMPLE_CALLCHAIN)
		return;
	t = cached_thread(&w->cache, s->pid, s->tid, time);
	cached_place_prefetch(&w->cache, &t->at, s->cpumode, s->ip);
}

void json_sample(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time,
		 struct strbuf *out)
{
	const struct json_event *je = &w->shape->events[MIN((size_t)e->idx, w->shape->nr)];
	const struct cached_thread *t = cached_thread(&w->cache, s->pid, s->tid, time);
	u64 st = je->layout.sample_type;
	char *p;

	if (!je->name)
		return;
	strbuf_grow(out, je->room + t->text.len);
	p = put_begin(w, t, s, st, out->buf + out->len);
	if (st & PERF_SAMPLE_CALLCHAIN)
		p = put_chain(w, &t->at, s, out, p, je->room);
	else
		p = put_frame(w, &t->at, s->cpumode, s->ip, out, p, je->room);
	*p++ = ']';
	p = put_text(p, je->name, je->name_len);
	if ((st & PERF_SAMPLE_CALLCHAIN) && (st & PERF_SAMPLE_IP)) {
		p = TEXT(p, ", \"ip\": \"0x");
		p = digits_hex(p, s->ip);
		*p++ = '"';
	}
	p = put_numbers(je, s, p);
	out->len = (size_t)(p - out->buf);
	if (je->rest)
		json_rest(out, &je->layout, w->shape->arch, s);
	if (st & PERF_SAMPLE_RAW)
		put_payload(w, je, s, out);
	strbuf_addch(out, '}');
}
