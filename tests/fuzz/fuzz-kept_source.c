// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is what is kept on disk of the units and functions of an object: all that it leads to
 * is looked at, and it is written again. */
#include "base/compat.h"
#include "base/alloc.h"
#include "dwarf/source-index-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read all texts and places, which have to be there. */
static u64 look_up(const struct source_index *x)
{
	u64 sum = 0;

	for (u32 i = 0; i < x->nr_names; i++) {
		const struct kept_name *n = &x->names[i];

		sum += strlen(x->texts + n->name) + strlen(x->texts + n->linkage);
		for (u32 k = 0; k < n->nr; k++)
			sum += x->places[n->first + k];
	}
	for (u32 i = 0; i < x->nr_pieces; i++)
		if (x->pieces[i].of != RANGE_NONE && x->pieces[i].of >= x->nr_units)
			abort();
	return sum;
}

/* Make the units those of a file, and read what they have of it. */
static u64 take_units(const struct source_index *x, const struct index_origin *origin)
{
	static const u8 bytes[4096];
	struct dw_file f = { .nr_units = 0 };
	u64 sum = 0;

	for (size_t i = 0; i < DW_SECTIONS; i++)
		f.sec[i] = (struct dw_part){ bytes, MIN(origin->len[i], sizeof(bytes)) };
	if (!kept_units_take(&f, x))
		return 0;
	for (size_t i = 0; i < f.nr_units; i++) {
		const struct dw_unit *u = &f.units[i];

		if (u->end > f.sec[DW_INFO].len || dw_unit_at(&f, u->off) != u)
			abort();
		sum += u->comp_dir ? strlen(u->comp_dir) : 0;
	}
	free(f.units);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy = memcpy(xmalloc(size + 1), data, size); /* aligned */
	const struct index_origin *origin = (const struct index_origin *)copy;
	struct strbuf out = STRBUF_INIT;
	struct source_index x, again;

	if (size >= sizeof(*origin) && source_index_read(&x, copy, size, origin)) {
		(void)look_up(&x);
		(void)take_units(&x, origin);
		source_index_write(&x, origin, &out);
		if (out.len != size || !source_index_read(&again, out.buf, out.len, origin))
			abort();
	}
	strbuf_release(&out);
	free(copy);
	return 0;
}
