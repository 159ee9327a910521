// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the messages of an Arrow file or stream, and the list of them at a file's end (Message.fbs
 * and File.fbs of the specification). */
#include "base/compat.h"
#include "codec/arrow-internal.h"

#include "base/alloc.h"
#include "codec/flatbuf.h"

#define ALIGN 8 /* of messages, and of each buffer in a body */
#define MAGIC "ARROW1"

/* Numbers in the union MessageHeader. */
enum { HEADER_SCHEMA = 1, HEADER_DICTIONARY = 2, HEADER_BATCH = 3 };

/* The parts of a body; a part without data is all zeros. */
struct parts {
	struct part {
		const void *data;
		u64 len;
	} * v; /* owned */
	size_t nr, cap;
	struct node {
		u64 rows, nulls;
	} * nodes; /* owned */
	size_t nr_nodes, cap_nodes;
};

static void put(struct arrow_file *f, const void *data, size_t len)
{
	f->put(f->ctx, data, len);
	f->at += len;
}

static void put_zeros(struct arrow_file *f, u64 len)
{
	static const u8 zeros[4096];

	for (u64 n; len; len -= n) {
		n = MIN(len, (u64)sizeof(zeros));
		put(f, zeros, n);
	}
}

static u64 padding(u64 len)
{
	return -len % ALIGN;
}

/* ------------------------------------------------------------------ messages */

/* Begin a message. Return: where its header is to be referred to. */
static size_t begin_message(struct strbuf *b, u8 header, u64 body)
{
	const struct flat_slot slots[] = {
		{ 2, ARROW_VERSION }, { 1, header }, FLAT_REF, { 8, body }
	};
	size_t at[ARRAY_SIZE(slots)];

	flat_number(b, 0, 4);
	flat_refer(b, 0, flat_table(b, slots, ARRAY_SIZE(slots), at));
	return at[2];
}

/* Write a message without its body, and free it. Return: its length. */
static u32 put_message(struct arrow_file *f, struct strbuf *b)
{
	struct strbuf head = STRBUF_INIT;
	u32 len;

	flat_align(b, ALIGN);
	flat_number(&head, UINT32_MAX, 4);
	flat_number(&head, b->len, 4);
	put(f, head.buf, head.len);
	put(f, b->buf, b->len);
	len = (u32)(head.len + b->len);
	strbuf_release(&head);
	strbuf_release(b);
	return len;
}

void arrow_begin(struct arrow_file *f)
{
	struct strbuf b = STRBUF_INIT;
	size_t header = begin_message(&b, HEADER_SCHEMA, 0);

	if (!f->stream)
		put(f, MAGIC "\0", ALIGN);
	flat_refer(&b, header, arrow_schema(&b, f->columns, f->nr));
	put_message(f, &b);
}

/* ------------------------------------------------------------------ batches */

static void add_part(struct parts *p, const void *data, u64 len)
{
	VEC_GROW(p->v, p->nr + 1, p->cap);
	p->v[p->nr++] = (struct part){ data, len };
}

/* List what a column consists of, then what its children do. A column without values is not
 * stored. */
static void list_parts(struct parts *p, struct arrow_column *c, u64 rows)
{
	bool any = c->nr_valid;
	u64 items = rows;

	arrow_column_finish(c, rows);
	VEC_GROW(p->nodes, p->nr_nodes + 1, p->cap_nodes);
	if (c->type == ARROW_STRUCT) { /* its children are null, never it */
		p->nodes[p->nr_nodes++] = (struct node){ rows, 0 };
		add_part(p, NULL, 0);
	} else {
		p->nodes[p->nr_nodes++] = (struct node){ rows, rows - c->nr_valid };
		add_part(p, any ? c->valid : NULL, rows == c->nr_valid ? 0 : (rows + 7) / 8);
	}
	if (c->type == ARROW_TEXT || c->type == ARROW_LIST)
		add_part(p, any ? c->ends : NULL, (rows + 1) * sizeof(u32));
	if (c->type == ARROW_TEXT)
		add_part(p, c->text.buf, c->text.len);
	else if (c->type == ARROW_LIST)
		items = any ? c->ends[rows] : 0;
	else if (c->type != ARROW_STRUCT)
		add_part(p, any ? c->values : NULL, arrow_values_size(c->type, rows));
	for (u32 i = 0; i < c->nr_children; i++)
		list_parts(p, &c->children[i], items);
}

static u64 body_size(const struct parts *p)
{
	u64 size = 0;

	for (size_t i = 0; i < p->nr; i++)
		size += p->v[i].len + padding(p->v[i].len);
	return size;
}

/* Append the table RecordBatch. Return: its place. */
static size_t put_record_batch(struct strbuf *b, const struct parts *p, u64 rows)
{
	const struct flat_slot slots[] = { { 8, rows }, FLAT_REF, FLAT_REF };
	size_t at[ARRAY_SIZE(slots)];
	size_t table = flat_table(b, slots, ARRAY_SIZE(slots), at);
	u64 offset = 0;

	flat_refer(b, at[1], flat_vector(b, (u32)p->nr_nodes, 8));
	for (size_t i = 0; i < p->nr_nodes; i++) {
		flat_number(b, p->nodes[i].rows, 8);
		flat_number(b, p->nodes[i].nulls, 8);
	}
	flat_refer(b, at[2], flat_vector(b, (u32)p->nr, 8));
	for (size_t i = 0; i < p->nr; i++) {
		flat_number(b, offset, 8);
		flat_number(b, p->v[i].len, 8);
		offset += p->v[i].len + padding(p->v[i].len);
	}
	return table;
}

static void put_body(struct arrow_file *f, const struct parts *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		if (p->v[i].data)
			put(f, p->v[i].data, p->v[i].len);
		else
			put_zeros(f, p->v[i].len);
		put_zeros(f, padding(p->v[i].len));
	}
}

/* Write a message whose metadata is @b, then its body, and free both. */
static void put_whole(struct arrow_file *f, struct arrow_blocks *to, struct strbuf *b,
		      struct parts *p)
{
	struct arrow_block *block;

	VEC_GROW(to->v, to->nr + 1, to->cap);
	block = &to->v[to->nr++];
	*block = (struct arrow_block){ .at = f->at, .body = body_size(p) };
	block->head = put_message(f, b);
	put_body(f, p);
	free(p->v);
	free(p->nodes);
}

void arrow_batch(struct arrow_file *f, u64 rows)
{
	struct strbuf b = STRBUF_INIT;
	struct parts p = { 0 };
	size_t header;

	for (u32 i = 0; i < f->nr; i++)
		list_parts(&p, &f->columns[i], rows);
	header = begin_message(&b, HEADER_BATCH, body_size(&p));
	flat_refer(&b, header, put_record_batch(&b, &p, rows));
	put_whole(f, &f->batches, &b, &p);
	for (u32 i = 0; i < f->nr; i++)
		arrow_empty(&f->columns[i], rows);
}

void arrow_dictionary(struct arrow_file *f, u32 id, struct arrow_column *texts, u64 nr)
{
	const struct flat_slot slots[] = { { 8, id }, FLAT_REF };
	size_t at[ARRAY_SIZE(slots)], header;
	struct strbuf b = STRBUF_INIT;
	struct parts p = { 0 };

	list_parts(&p, texts, nr);
	header = begin_message(&b, HEADER_DICTIONARY, body_size(&p));
	flat_refer(&b, header, flat_table(&b, slots, ARRAY_SIZE(slots), at));
	flat_refer(&b, at[1], put_record_batch(&b, &p, nr));
	put_whole(f, &f->dictionaries, &b, &p);
}

/* ------------------------------------------------------------------ the end */

static size_t put_blocks(struct strbuf *b, const struct arrow_blocks *blocks)
{
	size_t head = flat_vector(b, (u32)blocks->nr, 8);

	for (size_t i = 0; i < blocks->nr; i++) {
		flat_number(b, blocks->v[i].at, 8);
		flat_number(b, blocks->v[i].head, 8); /* 4 bytes, and as many that are not used */
		flat_number(b, blocks->v[i].body, 8);
	}
	return head;
}

/* Write the list of messages, and the magic bytes behind it. */
static void put_footer(struct arrow_file *f)
{
	const struct flat_slot slots[] = { { 2, ARROW_VERSION }, FLAT_REF, FLAT_REF, FLAT_REF };
	size_t at[ARRAY_SIZE(slots)], len;
	struct strbuf b = STRBUF_INIT;

	flat_number(&b, 0, 4);
	flat_refer(&b, 0, flat_table(&b, slots, ARRAY_SIZE(slots), at));
	flat_refer(&b, at[1], arrow_schema(&b, f->columns, f->nr));
	flat_refer(&b, at[2], put_blocks(&b, &f->dictionaries));
	flat_refer(&b, at[3], put_blocks(&b, &f->batches));
	flat_align(&b, ALIGN);
	len = b.len;
	flat_number(&b, len, 4);
	strbuf_addstr(&b, MAGIC);
	put(f, b.buf, b.len);
	strbuf_release(&b);
}

void arrow_end(struct arrow_file *f)
{
	put(f, "\xff\xff\xff\xff\0\0\0", 8); /* the end of messages */
	if (!f->stream)
		put_footer(f);
}

void arrow_release(struct arrow_file *f)
{
	for (u32 i = 0; i < f->nr; i++)
		arrow_column_release(&f->columns[i]);
	free(f->columns);
	free(f->dictionaries.v);
	free(f->batches.v);
	*f = (struct arrow_file){ 0 };
}
