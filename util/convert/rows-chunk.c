// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/rows-internal.h"

#include "base/alloc.h"
#include "codec/quote.h"

void row_store_init(struct row_store *s)
{
	*s = (struct row_store){ 0 };
	pthread_mutex_init(&s->lock, NULL);
}

static void chunk_free(struct row_chunk *c)
{
	for (u32 i = 0; i < c->nr; i++)
		arrow_column_release(&c->columns[i]);
	free(c->columns);
	free(c);
}

void row_store_release(struct row_store *s)
{
	for (size_t i = 0; i < s->nr; i++)
		chunk_free(s->chunks[i]);
	free(s->chunks);
	intern_release(&s->names);
	strbuf_release(&s->tmp);
	pthread_mutex_destroy(&s->lock);
}

u32 row_name(struct row_store *s, const char *name)
{
	u32 id;

	if (!name)
		return ROW_NO_NAME;
	pthread_mutex_lock(&s->lock);
	strbuf_reset(&s->tmp);
	quote_utf8(&s->tmp, name);
	id = intern_id(&s->names, strbuf_str(&s->tmp), s->tmp.len);
	pthread_mutex_unlock(&s->lock);
	return id;
}

/* ------------------------------------------------------------------ columns */

static void make_column(struct arrow_column *c, const char *name, enum arrow_type type,
			u32 *dictionaries)
{
	*c = (struct arrow_column){ .name = xstrdup(name), .type = type };
	if (type == ARROW_NAME)
		c->dictionary = (*dictionaries)++;
}

/* Make the only child of a list. */
static struct arrow_column *make_item(struct arrow_column *list, enum arrow_type type)
{
	list->children = xcalloc(1, sizeof(*list->children));
	list->nr_children = 1;
	make_column(list->children, "item", type, NULL);
	return list->children;
}

/* Call chains are lists of structs. */
static void make_frames(struct arrow_column *list, u64 fields, struct arrow_column *part[PART_NR],
			u32 *dictionaries)
{
	static const struct {
		const char *name;
		enum arrow_type type;
		u64 field; /* it is there if this is shown; 0: always */
	} parts[PART_NR] = {
		[PART_IP] = { "ip", ARROW_U64, 0 },
		[PART_SYM] = { "sym", ARROW_NAME, SF_SYM },
		[PART_SYMOFF] = { "symoff", ARROW_U32, SF_SYMOFF },
		[PART_DSO] = { "dso", ARROW_NAME, SF_DSO },
		[PART_INLINED] = { "inlined", ARROW_BOOL, 0 },
	};
	struct arrow_column *frame = make_item(list, ARROW_STRUCT);

	frame->children = xcalloc(PART_NR, sizeof(*frame->children));
	for (int i = 0; i < PART_NR; i++) {
		if (parts[i].field && !(fields & parts[i].field))
			continue;
		part[i] = &frame->children[frame->nr_children++];
		make_column(part[i], parts[i].name, parts[i].type, dictionaries);
	}
}

struct arrow_column *row_columns_new(const struct rows *r, struct arrow_column *frame[PART_NR],
				     u32 *dictionaries)
{
	struct arrow_column *columns = xcalloc(r->nr_columns + 1, sizeof(*columns));
	u32 nr = 0;

	for (size_t i = 0; i < r->nr_columns; i++) {
		const struct row_column_type *t = &r->columns[i];

		make_column(&columns[i], t->name, t->type, &nr);
		if (t->type == ARROW_LIST && t->item == ARROW_STRUCT)
			make_frames(&columns[i], r->chain_fields, frame, &nr);
		else if (t->type == ARROW_LIST)
			make_item(&columns[i], t->item);
	}
	if (dictionaries)
		*dictionaries = nr;
	return columns;
}

/* ------------------------------------------------------------------ chunks */

static struct row_chunk *chunk_new(struct row_store *s, const struct rows *r)
{
	struct row_chunk *c = xzalloc(sizeof(*c));

	c->nr = (u32)r->nr_columns;
	c->columns = row_columns_new(r, c->frame, NULL);
	c->number = (u32)s->nr;
	VEC_GROW(s->chunks, s->nr + 1, s->cap);
	s->chunks[s->nr++] = c;
	return c;
}

struct row_chunk *row_chunk_take(struct row_store *s, const struct rows *r)
{
	struct row_chunk *c;

	pthread_mutex_lock(&s->lock);
	c = s->free;
	if (c)
		s->free = c->next;
	else
		c = chunk_new(s, r);
	pthread_mutex_unlock(&s->lock);
	return c;
}

void row_chunk_put(const struct row_chunk *c, struct strbuf *out)
{
	strbuf_add(out, &c->number, sizeof(c->number));
}

struct row_chunk *row_chunk_get(struct row_store *s, const char *p)
{
	struct row_chunk *c;
	u32 number;

	memcpy(&number, p, sizeof(number));
	pthread_mutex_lock(&s->lock);
	c = s->chunks[number];
	pthread_mutex_unlock(&s->lock);
	return c;
}

void row_chunk_give(struct row_store *s, struct row_chunk *c)
{
	for (u32 i = 0; i < c->nr; i++)
		arrow_empty(&c->columns[i], c->rows);
	c->rows = 0;
	pthread_mutex_lock(&s->lock);
	c->next = s->free;
	s->free = c;
	pthread_mutex_unlock(&s->lock);
}
