// SPDX-License-Identifier: GPL-2.0-or-later
/* Describe columns as Schema.fbs of the Arrow specification has it. */
#include "base/compat.h"
#include "codec/arrow-internal.h"
#include "codec/flatbuf.h"

/* Numbers in the union Type. */
enum { TYPE_INT = 2, TYPE_UTF8 = 5, TYPE_BOOL = 6, TYPE_LIST = 12, TYPE_STRUCT = 13 };

static u8 type_number(enum arrow_type type)
{
	switch (type) {
	case ARROW_BOOL:
		return TYPE_BOOL;
	case ARROW_TEXT:
	case ARROW_NAME: /* that of the texts in the dictionary */
		return TYPE_UTF8;
	case ARROW_LIST:
		return TYPE_LIST;
	case ARROW_STRUCT:
		return TYPE_STRUCT;
	default:
		return TYPE_INT;
	}
}

static size_t put_int(struct strbuf *b, unsigned int bits, bool sign)
{
	const struct flat_slot slots[] = { { 4, bits }, { 1, sign } };

	return flat_table(b, slots, ARRAY_SIZE(slots), NULL);
}

static size_t put_type(struct strbuf *b, enum arrow_type type)
{
	if (type_number(type) == TYPE_INT)
		return put_int(b, 8 * (unsigned int)arrow_value_size(type), type == ARROW_S64);
	return flat_table(b, NULL, 0, NULL);
}

static size_t put_encoding(struct strbuf *b, u32 id)
{
	const struct flat_slot slots[] = { { 8, id }, FLAT_REF };
	size_t at[ARRAY_SIZE(slots)];
	size_t table = flat_table(b, slots, ARRAY_SIZE(slots), at);

	flat_refer(b, at[1], put_int(b, 32, true));
	return table;
}

static size_t put_fields(struct strbuf *b, const struct arrow_column *columns, u32 nr);

static size_t put_field(struct strbuf *b, const struct arrow_column *c)
{
	enum { NAME, NULLABLE, TYPE_TYPE, TYPE, DICTIONARY, CHILDREN };
	const struct flat_slot slots[] = {
		[NAME] = FLAT_REF,
		[NULLABLE] = { 1, true },
		[TYPE_TYPE] = { 1, type_number(c->type) },
		[TYPE] = FLAT_REF,
		[DICTIONARY] = { c->type == ARROW_NAME ? 4 : 0, 0 },
		[CHILDREN] = FLAT_REF,
	};
	size_t at[ARRAY_SIZE(slots)];
	size_t table = flat_table(b, slots, ARRAY_SIZE(slots), at);

	flat_refer(b, at[NAME], flat_string(b, c->name));
	flat_refer(b, at[TYPE], put_type(b, c->type));
	if (c->type == ARROW_NAME)
		flat_refer(b, at[DICTIONARY], put_encoding(b, c->dictionary));
	flat_refer(b, at[CHILDREN], put_fields(b, c->children, c->nr_children));
	return table;
}

static size_t put_fields(struct strbuf *b, const struct arrow_column *columns, u32 nr)
{
	size_t head = flat_refs(b, nr);

	for (u32 i = 0; i < nr; i++)
		flat_refer(b, head + 4 + 4 * (size_t)i, put_field(b, &columns[i]));
	return head;
}

size_t arrow_schema(struct strbuf *b, const struct arrow_column *columns, u32 nr)
{
	const struct flat_slot slots[] = { { 2, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ },
					   FLAT_REF };
	size_t at[ARRAY_SIZE(slots)];
	size_t table = flat_table(b, slots, ARRAY_SIZE(slots), at);

	flat_refer(b, at[1], put_fields(b, columns, nr));
	return table;
}
