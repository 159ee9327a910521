// SPDX-License-Identifier: GPL-2.0-or-later
/* Derive the event classes of CTF from events: which fields they have, of which types and names. */
#include "base/compat.h"
#include "convert/ctf-internal.h"

#include "base/alloc.h"

#define ARRAYS_MAX ((size_t)1 << 17) /* bytes of a class: a record, which holds them, is smaller */

/* ---- names ---- */

/* Words that mean something in TSDL. */
static bool is_keyword(const char *s)
{
	static const char *const words[] = {
		"align",   "callsite", "char",      "clock",      "const",          "double",
		"enum",    "env",      "event",     "float",      "floating_point", "int",
		"integer", "long",     "short",     "signed",     "stream",         "string",
		"struct",  "trace",    "typealias", "typedef",    "unsigned",       "variant",
		"void",    "_Bool",    "_Complex",  "_Imaginary",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(s, words[i]))
			return true;
	return false;
}

static bool name_taken(const struct ctf_class *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++) {
		const struct ctf_field *f = &c->fields[i];

		if ((f->name && !strcmp(f->name, name)) || (f->len && !strcmp(f->len, name)))
			return true;
	}
	return false;
}

/* An identifier that the class does not have yet. The caller frees. */
static char *make_name(const struct ctf_class *c, const char *name, const char *tail)
{
	struct strbuf sb = STRBUF_INIT;
	size_t len, n;

	if (!*name || (*name >= '0' && *name <= '9') || is_keyword(name))
		strbuf_addch(&sb, '_');
	for (; *name; name++) {
		bool fine = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
			    (*name >= 'A' && *name <= 'Z') || *name == '_';

		strbuf_addch(&sb, fine ? *name : '_');
	}
	strbuf_addstr(&sb, tail);
	len = sb.len;
	for (n = 1; name_taken(c, strbuf_str(&sb)); n++) {
		sb.len = len;
		strbuf_addf(&sb, "_dupl_%zu", n);
	}
	return strbuf_detach(&sb);
}

/* ---- fields ---- */

static struct ctf_field *add_field(struct ctf_class *c, enum ctf_source source, enum ctf_type type,
				   const char *name, u8 size)
{
	struct ctf_field *f;

	VEC_GROW(c->fields, c->nr + 1, c->cap);
	f = &c->fields[c->nr];
	*f = (struct ctf_field){ .source = (u8)source, .type = (u8)type, .size = size };
	c->nr++;
	f->name = make_name(c, name, "");
	if (type == CTF_SEQUENCE || type == CTF_BRANCHES)
		f->len = source == CTF_FROM_RAW ? make_name(c, "raw_len", "")
						: make_name(c, f->name, "_size");
	return f;
}

static void add_hex(struct ctf_class *c, enum ctf_source source, enum ctf_type type,
		    const char *name, u8 size)
{
	add_field(c, source, type, name, size)->hex = true;
}

static void add_numbers(struct ctf_class *c, u64 sample_type)
{
	size_t nr;
	const struct convert_field *n = convert_fields(&nr);

	for (size_t i = 0; i < nr; i++) {
		struct ctf_field *f;

		if (!(n[i].bits & sample_type))
			continue;
		f = add_field(c, CTF_FROM_NUMBER, CTF_INTEGER, n[i].ctf, n[i].size);
		f->number = &n[i];
		f->hex = n[i].hex;
		f->sign = n[i].sign;
	}
}

/* Text, and not bytes that an element of their size makes look like it. */
static bool is_text(const struct tf_field *f)
{
	return (f->flags & TF_STRING) && strstr(f->type, "char") && !strstr(f->type, "unsigned");
}

static bool is_integer(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void add_payload_field(struct ctf_class *c, const struct tf_field *tf)
{
	u8 size = is_integer(tf->elem_size) ? (u8)tf->elem_size : 1;
	enum ctf_type type = CTF_ARRAY;
	struct ctf_field *f;
	u32 count = tf->size / size;

	if (!(tf->flags & (TF_ARRAY | TF_DYNAMIC)) && is_integer(tf->size)) {
		type = CTF_INTEGER;
		size = tf->size == 8 ? 8 : 4; /* short ones are widened, as perf does */
	} else if (is_text(tf)) {
		type = CTF_STRING;
	} else if ((tf->flags & TF_DYNAMIC) || !tf->size) {
		type = CTF_SEQUENCE;
	} else if (c->bytes + tf->size > ARRAYS_MAX) {
		return; /* no record has room for it */
	} else {
		c->bytes += tf->size;
	}
	f = add_field(c, CTF_FROM_PAYLOAD, type, tf->name, size);
	f->field = tf;
	f->count = type == CTF_ARRAY ? count : 0;
	f->sign = tf->flags & TF_SIGNED;
	f->hex = (tf->flags & TF_POINTER) || ((tf->flags & TF_LONG) && !f->sign);
}

static void add_payload(struct ctf_class *c)
{
	if (!c->tf) {
		add_hex(c, CTF_FROM_RAW, CTF_SEQUENCE, "raw_data", 4);
		return;
	}
	for (u32 i = 0; i < c->tf->nr_fields; i++)
		add_payload_field(c, &c->tf->fields[i]);
}

/* The payload stands between what perf 6.1 writes too and what it leaves out. */
static void add_sample_fields(struct ctf_class *c, u64 st)
{
	add_numbers(c, st);
	if (st & PERF_SAMPLE_CALLCHAIN)
		add_hex(c, CTF_FROM_CHAIN, CTF_SEQUENCE, "perf_callchain", 8);
	if (st & PERF_SAMPLE_RAW)
		add_payload(c);
	if (st & PERF_SAMPLE_READ)
		add_field(c, CTF_FROM_READ, CTF_SEQUENCE, "perf_read", 8);
	if (st & PERF_SAMPLE_BRANCH_STACK)
		add_hex(c, CTF_FROM_BRANCHES, CTF_BRANCHES, "perf_branch_stack", 8);
	if (st & PERF_SAMPLE_REGS_USER)
		add_hex(c, CTF_FROM_USER_REGS, CTF_SEQUENCE, "perf_user_regs", 8);
	if (st & PERF_SAMPLE_STACK_USER)
		add_hex(c, CTF_FROM_USER_STACK, CTF_SEQUENCE, "perf_user_stack", 1);
	if (st & PERF_SAMPLE_REGS_INTR)
		add_hex(c, CTF_FROM_INTR_REGS, CTF_SEQUENCE, "perf_intr_regs", 8);
	if (st & PERF_SAMPLE_AUX)
		add_hex(c, CTF_FROM_AUX, CTF_SEQUENCE, "perf_aux", 1);
}

static void add_member(struct ctf_class *c, const struct convert_member *m)
{
	static const u8 types[] = {
		[CONVERT_NUMBER] = CTF_INTEGER, [CONVERT_TEXT] = CTF_STRING,
		[CONVERT_BYTES] = CTF_SEQUENCE, [CONVERT_BLOB] = CTF_SEQUENCE,
		[CONVERT_WORDS] = CTF_SEQUENCE,
	};
	u8 size = m->kind == CONVERT_NUMBER ? m->size : m->kind == CONVERT_WORDS ? 8 : 1;
	struct ctf_field *f;

	if (m->more)
		return;
	f = add_field(c, CTF_FROM_MEMBER, (enum ctf_type)types[m->kind], m->name, size);
	f->member = m;
	f->hex = m->hex || m->kind == CONVERT_BLOB;
}

/* ---- the set ---- */

static struct ctf_class *add_class(struct ctf_shape *sh, const char *name)
{
	struct ctf_class *c;

	VEC_GROW(sh->classes, sh->nr + 1, sh->cap);
	c = &sh->classes[sh->nr++];
	*c = (struct ctf_class){ .name = xstrdup(name) };
	return c;
}

struct ctf_shape *ctf_shape_new(void)
{
	return xzalloc(sizeof(struct ctf_shape));
}

void ctf_shape_events(struct ctf_shape *sh, const struct evlist *l, const struct tracefmt *tf)
{
	for (size_t i = sh->nr_events; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];
		struct ctf_class *c = add_class(sh, e->name);

		c->tf = evsel_format(e, tf);
		add_sample_fields(c, e->layout.sample_type);
		VEC_GROW(sh->of_event, sh->nr_events + 1, sh->cap_events);
		sh->of_event[sh->nr_events++] = (u32)sh->nr - 1;
	}
}

u32 ctf_shape_class(struct ctf_shape *sh, const char *name, const struct ctf_part *parts, size_t nr)
{
	struct ctf_class *c = add_class(sh, name);

	for (size_t i = 0; i < nr; i++) {
		enum ctf_type type = parts[i].size ? CTF_INTEGER : CTF_STRING;

		add_field(c, CTF_FROM_VALUE, type, parts[i].name, parts[i].size)->sign =
			parts[i].sign;
	}
	return (u32)sh->nr - 1;
}

void ctf_shape_records(struct ctf_shape *sh)
{
	size_t nr;
	const struct convert_record *r = convert_records(&nr);

	if (sh->of_type[r->type])
		return;
	for (size_t i = 0; i < nr; i++) {
		struct ctf_class *c = add_class(sh, r[i].name);

		for (size_t k = 0; k < r[i].nr; k++)
			add_member(c, &r[i].members[k]);
		sh->of_type[r[i].type] = (u32)sh->nr;
	}
}

void ctf_shape_free(struct ctf_shape *sh)
{
	if (!sh)
		return;
	for (size_t i = 0; i < sh->nr; i++) {
		for (size_t k = 0; k < sh->classes[i].nr; k++) {
			free(sh->classes[i].fields[k].name);
			free(sh->classes[i].fields[k].len);
		}
		free(sh->classes[i].fields);
		free(sh->classes[i].name);
	}
	free(sh->classes);
	free(sh->of_event);
	free(sh);
}
