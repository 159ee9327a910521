// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "convert/rows-arrow.h"

#include "base/alloc.h"
#include "convert/rows-internal.h"

#define BATCH_BYTES ((u64)32 << 20) /* more or less: large chains make smaller batches */

/* The names of one column, in the order in which they came. */
struct dictionary {
	u32 *numbers; /* owned; of names by id, from 1 on; 0: it has not come yet */
	size_t nr_numbers;
	u32 *names; /* owned; ids */
	size_t nr, cap;
	size_t written; /* that readers of a stream know */
};

struct rows_arrow {
	struct arrow_file file;
	struct export_out *out;
	struct row_store store;
	struct dictionary *dictionaries; /* owned */
	u32 nr_dictionaries;
	u64 rows;    /* of the batch at hand */
	u64 bytes;   /* also */
	u64 written; /* rows before it */
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
	a->file.stream = export_streams(out);
	row_store_init(&a->store);
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
	row_store_release(&a->store);
	free(a);
}

struct row_store *rows_arrow_store(struct rows_arrow *a)
{
	return &a->store;
}

void rows_arrow_begin(struct rows_arrow *a, const struct rows *r)
{
	struct arrow_column *frame[PART_NR];

	a->file.nr = (u32)r->nr_columns;
	a->file.columns = row_columns_new(r, frame, &a->nr_dictionaries);
	a->dictionaries = xcalloc(a->nr_dictionaries + 1, sizeof(*a->dictionaries));
	arrow_begin(&a->file);
}

/* ------------------------------------------------------------------ dictionaries */

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

/* Ids of names depend on which thread was first, their numbers do not. A null has the id 0. */
static void number_names(struct dictionary *d, struct arrow_column *c, u64 rows)
{
	u32 *names = c->values;

	rows = MIN(rows, (u64)c->cap);
	for (u64 i = 0; i < rows; i++) {
		u32 name = names[i];

		if (unlikely(name >= d->nr_numbers || !d->numbers[name])) {
			if (!(c->valid[i / 8] >> i % 8 & 1))
				continue;
			learn_name(d, name);
		}
		names[i] = d->numbers[name] - 1;
	}
}

static void number_column(struct rows_arrow *a, struct arrow_column *c, u64 rows)
{
	u64 items = c->type == ARROW_LIST ? arrow_items(c, rows) : rows;

	if (c->type == ARROW_NAME && c->nr_valid)
		number_names(&a->dictionaries[c->dictionary], c, rows);
	for (u32 i = 0; i < c->nr_children; i++)
		number_column(a, &c->children[i], items);
}

static void put_dictionary(struct rows_arrow *a, u32 id)
{
	const struct dictionary *d = &a->dictionaries[id];
	struct arrow_column texts = { .type = ARROW_TEXT };

	for (size_t i = 0; i < d->nr; i++) {
		const char *name = intern_str(&a->store.names, d->names[i]);

		arrow_set_text(&texts, i, name, strlen(name));
	}
	arrow_dictionary(&a->file, id, &texts, d->nr);
	arrow_column_release(&texts);
}

/* Write the dictionaries that have names which readers of the stream do not know. The first time
 * these are all. */
static void put_news(struct rows_arrow *a)
{
	pthread_mutex_lock(&a->store.lock);
	for (u32 i = 0; i < a->nr_dictionaries; i++) {
		struct dictionary *d = &a->dictionaries[i];

		if (!a->written || d->written < d->nr)
			put_dictionary(a, i);
		d->written = d->nr;
	}
	pthread_mutex_unlock(&a->store.lock);
}

/* ------------------------------------------------------------------ rows */

static void put_batch(struct rows_arrow *a)
{
	if (!a->rows)
		return;
	if (a->file.stream)
		put_news(a);
	arrow_batch(&a->file, a->rows);
	a->written += a->rows;
	a->rows = a->bytes = 0;
}

static void take_chunk(struct rows_arrow *a, struct row_chunk *c)
{
	if (a->rows + c->rows > ROWS_ARROW_BATCH || a->bytes >= BATCH_BYTES)
		put_batch(a);
	for (u32 i = 0; i < c->nr; i++) {
		number_column(a, &c->columns[i], c->rows);
		arrow_append(&a->file.columns[i], a->rows, &c->columns[i], c->rows);
		a->bytes += arrow_bytes(&c->columns[i], c->rows);
	}
	a->rows += c->rows;
}

u64 rows_arrow_rows(const struct rows_arrow *a)
{
	return a->written + a->rows;
}

void rows_arrow_take(struct rows_arrow *a, const char *rows, size_t len)
{
	const char *end = rows + len;

	for (; rows < end; rows += sizeof(u32)) {
		struct row_chunk *c = row_chunk_get(&a->store, rows);

		take_chunk(a, c);
		row_chunk_give(&a->store, c);
	}
}

void rows_arrow_end(struct rows_arrow *a)
{
	put_batch(a);
	for (u32 i = 0; !a->file.stream && i < a->nr_dictionaries; i++)
		put_dictionary(a, i);
	arrow_end(&a->file);
}
