// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/rows-arrow.h"

#include "base/alloc.h"
#include "convert/rows-internal.h"

#define BATCH_BYTES ((size_t)32 << 20) /* of packed rows: large chains make smaller batches */

/* The names of one column, in the order in which they came. */
struct dictionary {
	u32 *numbers; /* owned; of names by id, from 1 on; 0: it has not come yet */
	size_t nr_numbers;
	u32 *names; /* owned; ids */
	size_t nr, cap;
};

/* The columns of frames, in their order. */
enum chain_part { PART_IP, PART_SYM, PART_SYMOFF, PART_DSO, PART_INLINED, PART_NR };

struct rows_arrow {
	struct arrow_file file;
	struct export_out *out;
	struct row_names names;
	struct dictionary *dictionaries; /* owned */
	u32 nr_dictionaries;
	struct arrow_column *frame[PART_NR]; /* borrowed from file; NULL: frames do not have it */
	u64 rows;                            /* of the batch at hand */
	u64 written;                         /* rows before it */
	size_t bytes;
};

static void put(void *ctx, const void *data, size_t len)
{
	export_put(ctx, data, len);
}

struct rows_arrow *rows_arrow_new(struct export_out *out)
{
	struct rows_arrow *a = xzalloc(sizeof(*a));

	a->out = out;
	a->file.put = put;
	a->file.ctx = out;
	pthread_mutex_init(&a->names.lock, NULL);
	return a;
}

void rows_arrow_free(struct rows_arrow *a)
{
	if (!a)
		return;
	for (u32 i = 0; i < a->nr_dictionaries; i++) {
		free(a->dictionaries[i].numbers);
		free(a->dictionaries[i].names);
	}
	free(a->dictionaries);
	arrow_release(&a->file);
	intern_release(&a->names.all);
	strbuf_release(&a->names.tmp);
	pthread_mutex_destroy(&a->names.lock);
	free(a);
}

struct row_names *rows_arrow_names(struct rows_arrow *a)
{
	return &a->names;
}

/* ------------------------------------------------------------------ columns */

static void make_column(struct rows_arrow *a, struct arrow_column *c, const char *name,
			enum arrow_type type)
{
	*c = (struct arrow_column){ .name = xstrdup(name), .type = type };
	if (type != ARROW_NAME)
		return;
	c->dictionary = a->nr_dictionaries++;
	a->dictionaries = xrealloc(a->dictionaries, a->nr_dictionaries, sizeof(*a->dictionaries));
	a->dictionaries[c->dictionary] = (struct dictionary){ 0 };
}

/* Call chains are lists of structs. */
static void make_frames(struct rows_arrow *a, struct arrow_column *list, const struct rows *r)
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
	struct arrow_column *frame = xcalloc(1, sizeof(*frame));

	list->children = frame;
	list->nr_children = 1;
	make_column(a, frame, "item", ARROW_STRUCT);
	frame->children = xcalloc(PART_NR, sizeof(*frame->children));
	for (int i = 0; i < PART_NR; i++) {
		if (parts[i].field && !(r->chain_fields & parts[i].field))
			continue;
		a->frame[i] = &frame->children[frame->nr_children++];
		make_column(a, a->frame[i], parts[i].name, parts[i].type);
	}
}

void rows_arrow_begin(struct rows_arrow *a, const struct rows *r)
{
	a->file.nr = (u32)r->nr_columns;
	a->file.columns = xcalloc(r->nr_columns + 1, sizeof(*a->file.columns));
	for (size_t i = 0; i < r->nr_columns; i++) {
		struct arrow_column *c = &a->file.columns[i];

		make_column(a, c, r->columns[i].name, r->columns[i].type);
		if (c->type == ARROW_LIST)
			make_frames(a, c, r);
	}
	arrow_begin(&a->file);
}

/* ------------------------------------------------------------------ rows */

static void learn_name(struct dictionary *d, u32 name)
{
	size_t nr = d->nr_numbers;

	if (name >= nr) {
		VEC_GROW(d->numbers, name + (size_t)1, d->nr_numbers);
		memset(d->numbers + nr, 0, (d->nr_numbers - nr) * sizeof(*d->numbers));
	}
	if (d->numbers[name])
		return;
	VEC_GROW(d->names, d->nr + 1, d->cap);
	d->names[d->nr++] = name;
	d->numbers[name] = (u32)d->nr;
}

/* Ids of names depend on which thread was first, their numbers do not. */
static void set_name(struct rows_arrow *a, struct arrow_column *c, u64 row, u32 name)
{
	struct dictionary *d = &a->dictionaries[c->dictionary];

	if (unlikely(name >= d->nr_numbers || !d->numbers[name]))
		learn_name(d, name);
	arrow_set_number(c, row, d->numbers[name] - 1);
}

static void take_chain(struct rows_arrow *a, struct arrow_column *list, const char *p, size_t len)
{
	u32 nr = (u32)(len / sizeof(struct packed_frame));
	u64 row = arrow_set_list(list, a->rows, nr);
	struct packed_frame f;

	for (u32 i = 0; i < nr; i++, row++) {
		memcpy(&f, p + i * sizeof(f), sizeof(f));
		arrow_set_number(a->frame[PART_IP], row, f.ip);
		if (f.sym != ROW_NO_NAME)
			set_name(a, a->frame[PART_SYM], row, f.sym);
		if (f.has_symoff)
			arrow_set_number(a->frame[PART_SYMOFF], row, f.symoff);
		if (f.dso != ROW_NO_NAME)
			set_name(a, a->frame[PART_DSO], row, f.dso);
		arrow_set_number(a->frame[PART_INLINED], row, f.inlined);
	}
}

static void take_row(struct rows_arrow *a, const char *p, const char *end)
{
	struct arrow_column *c;
	u32 column;
	u64 v;

	while (p < end) {
		memcpy(&column, p, sizeof(column));
		memcpy(&v, p + sizeof(column), sizeof(v));
		p += sizeof(column) + sizeof(v);
		c = &a->file.columns[column];
		switch (c->type) {
		case ARROW_NAME:
			set_name(a, c, a->rows, (u32)v);
			break;
		case ARROW_TEXT:
			arrow_set_text(c, a->rows, p, v);
			p += v;
			break;
		case ARROW_LIST:
			take_chain(a, c, p, v);
			p += v;
			break;
		default:
			arrow_set_number(c, a->rows, v);
		}
	}
}

static void put_batch(struct rows_arrow *a)
{
	if (a->rows)
		arrow_batch(&a->file, a->rows);
	a->written += a->rows;
	a->rows = a->bytes = 0;
}

u64 rows_arrow_rows(const struct rows_arrow *a)
{
	return a->written + a->rows;
}

void rows_arrow_take(struct rows_arrow *a, const char *rows, size_t len)
{
	const char *end = rows + len;
	u32 size;

	for (; rows < end; rows += size) {
		memcpy(&size, rows, sizeof(size));
		take_row(a, rows + sizeof(size), rows + size);
		a->rows++;
		a->bytes += size;
		if (a->rows == ROWS_ARROW_BATCH || a->bytes >= BATCH_BYTES)
			put_batch(a);
	}
}

/* ------------------------------------------------------------------ the end */

static void put_dictionary(struct rows_arrow *a, u32 id)
{
	const struct dictionary *d = &a->dictionaries[id];
	struct arrow_column texts = { .type = ARROW_TEXT };

	for (size_t i = 0; i < d->nr; i++) {
		const char *name = intern_str(&a->names.all, d->names[i]);

		arrow_set_text(&texts, i, name, strlen(name));
	}
	arrow_dictionary(&a->file, id, &texts, d->nr);
	arrow_column_release(&texts);
}

void rows_arrow_end(struct rows_arrow *a)
{
	put_batch(a);
	for (u32 i = 0; i < a->nr_dictionaries; i++)
		put_dictionary(a, i);
	arrow_end(&a->file);
}
