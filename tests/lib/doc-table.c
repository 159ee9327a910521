// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "doc-table.h"

#include <ctype.h>

#define TIMES " × "

/* ---- reading the page ---- */

static void copy(char *to, size_t size, const char *from, size_t len)
{
	while (len && isspace((unsigned char)from[len - 1]))
		len--;
	len = MIN(len, size - 1);
	memcpy(to, from, len);
	to[len] = 0;
}

/* The next cell of "| a | b |" from @p on, which stands behind a bar. Return: behind the next. */
static const char *cell(const char *p, char *to, size_t size)
{
	const char *end = strchr(p, '|');

	*to = 0;
	if (!end)
		return p;
	while (*p == ' ')
		p++;
	if (p < end)
		copy(to, size, p, (size_t)(end - p));
	return end + 1;
}

static void add_line(struct doc *d, const char *line, bool *open)
{
	struct doc_table *t = d->nr ? &d->tables[d->nr - 1] : NULL;
	struct doc_row row;
	const char *p = line + 1;

	if (*line == '#') {
		*open = !strncmp(line, "#### ", 5);
		if (!*open)
			return;
		VEC_GROW(d->tables, d->nr + 1, d->cap);
		d->tables[d->nr] = (struct doc_table){ 0 };
		copy(d->tables[d->nr].title, sizeof(t->title), line + 5, strlen(line + 5));
		d->nr++;
		return;
	}
	if (*line != '|' || !*open || !t)
		return;
	p = cell(p, row.at, sizeof(row.at));
	p = cell(p, row.type, sizeof(row.type));
	cell(p, row.name, sizeof(row.name));
	if (!strcmp(row.type, "type"))
		t->offsets = !strcmp(row.at, "at");
	if (!strcmp(row.type, "type") || !strncmp(row.at, "---", 3))
		return;
	VEC_GROW(t->rows, t->nr + 1, t->cap);
	t->rows[t->nr++] = row;
}

void doc_load(struct doc *d)
{
	FILE *f = fopen(DOC_PATH, "r");
	char line[1024];
	bool open = false;

	*d = (struct doc){ 0 };
	if (!f) {
		perror(DOC_PATH);
		abort();
	}
	while (fgets(line, sizeof(line), f))
		add_line(d, line, &open);
	fclose(f);
}

void doc_release(struct doc *d)
{
	for (size_t i = 0; i < d->nr; i++)
		free(d->tables[i].rows);
	free(d->tables);
}

const struct doc_table *doc_find(const struct doc *d, const char *title)
{
	for (size_t i = 0; i < d->nr; i++)
		if (!strcmp(d->tables[i].title, title))
			return &d->tables[i];
	return NULL;
}

/* ---- writing what it says ---- */

void doc_name(const struct doc_row *r, char name[48])
{
	const char *eq = strstr(r->name, " = ");

	copy(name, 48, r->name, eq ? (size_t)(eq - r->name) : strlen(r->name));
}

const struct doc_value *doc_get(const struct doc_values *v, const char *name, int index)
{
	for (size_t i = 0; i < v->nr; i++)
		if (v->v[i].index == index && !strcmp(v->v[i].name, name))
			return &v->v[i];
	return NULL;
}

void doc_values_release(struct doc_values *v)
{
	free(v->v);
	*v = (struct doc_values){ 0 };
}

struct emit {
	struct pb *b;
	const struct doc_table *t;
	struct doc_values *out;
	size_t start;
};

/* Some row repeats by the field @name, or has it as a length. */
static bool is_count(const struct doc_table *t, const char *name)
{
	char times[64], length[64];

	snprintf(times, sizeof(times), "%s" TIMES, name);
	snprintf(length, sizeof(length), "[%s]", name);
	for (size_t i = 0; i < t->nr; i++) {
		const char *at = strstr(t->rows[i].type, times);

		if ((at && (at == t->rows[i].type || at[-1] == ' ')) ||
		    strstr(t->rows[i].type, length))
			return true;
	}
	return false;
}

static struct doc_value *new_value(struct emit *e, const struct doc_row *r)
{
	struct doc_values *o = e->out;
	struct doc_value *v;
	char name[48];
	int index = 0;

	doc_name(r, name);
	while (doc_get(o, name, index))
		index++;
	VEC_GROW(o->v, o->nr + 1, o->cap);
	v = &o->v[o->nr++];
	*v = (struct doc_value){ .index = index };
	memcpy(v->name, name, sizeof(name));
	return v;
}

static void put_bytes(struct emit *e, struct doc_value *v, size_t len, bool text)
{
	v->len = MIN(len, sizeof(v->bytes));
	if (text)
		snprintf((char *)v->bytes, sizeof(v->bytes), "s%" PRIu64, e->out->counter);
	for (size_t i = 0; i < v->len && !text && strcmp(v->name, "0") != 0; i++)
		v->bytes[i] = (u8)(e->out->counter + i);
	pb_bytes(e->b, v->bytes, v->len);
	while (len-- > v->len)
		pb_u8(e->b, 0);
}

static size_t length_of(struct emit *e, const char *type)
{
	const char *p = strchr(type, '[') + 1;
	const struct doc_value *v = NULL;
	char name[48];

	if (isdigit((unsigned char)*p))
		return strtoul(p, NULL, 10);
	copy(name, sizeof(name), p, strcspn(p, "]"));
	for (int i = 0; doc_get(e->out, name, i); i++)
		v = doc_get(e->out, name, i);
	if (!v)
		snprintf(e->out->problem, sizeof(e->out->problem), "length %s is not known", type);
	return v ? v->number : 0;
}

static bool put_number(struct emit *e, struct doc_value *v, const struct doc_row *r,
		       const char *type)
{
	int bits = (int)strtol(type + 1, NULL, 10);
	const char *eq = strstr(r->name, " = ");
	u64 n = e->out->counter;

	if (!strchr("usf", *type) || strchr(type, '[') || !bits || bits > 64)
		return false;
	if (!e->out->small)
		for (int i = 1; i < 8; i++)
			n |= (e->out->counter * 7 + (u64)i) << 8 * i;
	if (eq)
		n = strtoull(eq + 3, NULL, 0);
	else if (is_count(e->t, v->name))
		n = DOC_REPEAT;
	if (!strcmp(v->name, "0"))
		n = 0;
	v->number = bits == 64 ? n : n & ((1ULL << bits) - 1);
	if (*type == 'f') {
		v->real = (double)e->out->counter / 8;
		memcpy(&v->number, &v->real, 8);
	}
	if (bits == 8)
		pb_u8(e->b, (u8)n);
	else if (bits == 16)
		pb_u16(e->b, (u16)n);
	else if (bits == 32)
		pb_u32(e->b, (u32)n);
	else
		pb_u64(e->b, v->number);
	return true;
}

static void emit_one(struct emit *e, const struct doc_row *r, const char *type)
{
	size_t here = e->b->out.len - e->start;
	struct doc_value *v = new_value(e, r);

	e->out->counter++;
	if (e->t->offsets && *r->at && strtoul(r->at, NULL, 10) != here && !v->index)
		snprintf(e->out->problem, sizeof(e->out->problem),
			 "%s: %s is said to be at %s, not %zu", e->t->title, r->name, r->at, here);
	if (put_number(e, v, r, type))
		return;
	if (!strncmp(type, "u8[", 3) || !strncmp(type, "char[", 5)) {
		put_bytes(e, v, length_of(e, type), *type == 'c');
	} else if (!strcmp(type, "text")) {
		put_bytes(e, v, 16, true);
	} else if (!strcmp(type, "bytes")) {
		put_bytes(e, v, 16, false);
	} else if (!strcmp(type, "string")) {
		snprintf((char *)v->bytes, sizeof(v->bytes), "s%" PRIu64, e->out->counter);
		pb_string(e->b, (const char *)v->bytes);
	} else if (!strcmp(type, "attr")) {
		struct perf_event_attr attr = { .type = 1, .config = e->out->counter };

		v->number = attr.config;
		pb_attr(e->b, &attr, 64);
	} else {
		snprintf(e->out->problem, sizeof(e->out->problem), "%s: no type %s", e->t->title,
			 type);
	}
}

/* The part of a row's type at @depth: how often (NULL: once), and what is behind. */
static const char *peel(const struct doc_row *r, int depth, char times[48])
{
	const char *p = r->type, *next = NULL;

	*times = 0;
	for (int i = 0; i <= depth; i++) {
		next = strstr(p, TIMES);
		if (!next)
			return p;
		if (i < depth)
			p = next + strlen(TIMES);
	}
	copy(times, 48, p, (size_t)(next - p));
	return p;
}

/* Rows [@from, @to), which share what stands before @depth. */
static void emit_rows(struct emit *e, size_t from, size_t to, int depth)
{
	char times[48], other[48];

	for (size_t i = from, n; i < to; i = n) {
		const char *type = peel(&e->t->rows[i], depth, times);

		n = i + 1;
		if (!*type)
			continue; /* "then" */
		if (!*times) {
			emit_one(e, &e->t->rows[i], type);
			continue;
		}
		for (; n < to; n++) {
			peel(&e->t->rows[n], depth, other);
			if (strcmp(times, other) != 0)
				break;
		}
		for (int k = 0; k < DOC_REPEAT; k++)
			emit_rows(e, i, n, depth + 1);
	}
}

void doc_emit(struct pb *b, const struct doc_table *t, struct doc_values *out)
{
	struct emit e = { b, t, out, b->out.len };

	/* Records say where fields are from their header on. */
	if (t->offsets && t->nr && !strcmp(t->rows[0].at, "8"))
		e.start -= sizeof(struct perf_event_header);
	emit_rows(&e, 0, t->nr, 0);
}
