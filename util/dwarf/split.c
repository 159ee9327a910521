// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/lines-internal.h"

#include "base/alloc.h"

/* ---- a package ---- */

/* The hash table of a package: slots with the ids of units, and which row of offsets is theirs. */
struct cu_index {
	u16 version;
	u32 columns, units, slots;
	struct cur ids, rows, kinds, offsets, sizes;
	bool swap;
};

static u32 table_u32(const struct cur *table, u64 i)
{
	struct cur c = *table;

	if (i > cur_left(&c) / 4)
		return 0;
	cur_skip(&c, i * 4);
	return cur_u32(&c);
}

static struct cur take(struct cur *c, u64 size)
{
	struct cur part = *c;

	cur_skip(c, size);
	part.end = c->p;
	return part;
}

static bool read_index(struct cu_index *x, const struct dw_file *f)
{
	const struct dw_part *sec = &f->sec[DW_CU_INDEX];
	struct cur c = cur_make(sec->p, sec->len, f->image.swap);

	x->version = cur_u16(&c);
	if (x->version == 5)
		cur_u16(&c);
	else /* version 2 has four bytes for its number */
		x->version |= cur_u16(&c);
	x->columns = cur_u32(&c);
	x->units = cur_u32(&c);
	x->slots = cur_u32(&c);
	if ((x->version != 2 && x->version != 5) || !x->slots || x->slots & (x->slots - 1) ||
	    x->units > x->slots)
		return false;
	x->ids = take(&c, (u64)x->slots * 8);
	x->rows = take(&c, (u64)x->slots * 4);
	x->kinds = take(&c, (u64)x->columns * 4);
	x->offsets = take(&c, (u64)x->columns * x->units * 4);
	x->sizes = take(&c, (u64)x->columns * x->units * 4);
	return cur_ok(&c);
}

/* Return the row of a unit, counted from 1; 0: it is not there. */
static u32 find_row(const struct cu_index *x, u64 id)
{
	u32 mask = x->slots - 1, at = (u32)id & mask, step = (u32)(id >> 32 & mask) | 1;

	for (u32 i = 0; i < x->slots; i++, at = (at + step) & mask) {
		struct cur c = x->ids;
		u32 row = table_u32(&x->rows, at);

		cur_skip(&c, (u64)at * 8);
		if (row && cur_u64(&c) == id)
			return row <= x->units ? row : 0;
		if (!row)
			return 0;
	}
	return 0;
}

/* Return the section that a column is of, or DW_SECTIONS. */
static enum dw_section column_section(const struct cu_index *x, u32 kind)
{
	switch (kind) {
	case DW_SECT_INFO:
		return DW_INFO;
	case DW_SECT_ABBREV:
		return DW_ABBREV;
	case DW_SECT_LINE:
		return DW_LINE;
	case DW_SECT_STR_OFFSETS:
		return DW_STR_OFFSETS;
	case DW_SECT_RNGLISTS: /* in version 2 that number is another section's */
		return x->version == 5 ? DW_RNGLISTS : DW_SECTIONS;
	default:
		return DW_SECTIONS;
	}
}

static struct dw_part part_of(const struct dw_part *whole, u32 off, u32 size)
{
	if (off > whole->len || size > whole->len - off)
		return (struct dw_part){ 0 };
	return (struct dw_part){ whole->p + off, size };
}

static bool find_in_package(struct dw_split *s, const struct dw_unit *skeleton, struct dw_file *f)
{
	struct cu_index x;
	u32 row = read_index(&x, f) ? find_row(&x, skeleton->dwo_id) : 0;

	if (!row)
		return false;
	s->parts = xmalloc(sizeof(f->sec));
	memcpy(s->parts, f->sec, sizeof(f->sec));
	for (u32 i = 0; i < x.columns; i++) {
		enum dw_section sec = column_section(&x, table_u32(&x.kinds, i));
		u64 cell = (u64)(row - 1) * x.columns + i;

		if (sec != DW_SECTIONS)
			s->parts[sec] = part_of(&f->sec[sec], table_u32(&x.offsets, cell),
						table_u32(&x.sizes, cell));
	}
	if (!dw_unit_read(&s->own, f, s->parts, 0))
		return false;
	s->unit = &s->own;
	return true;
}

/* ---- a file of its own ---- */

static bool find_in_file(struct dw_split *s, const struct dw_unit *skeleton, char *path)
{
	s->file = dw_file_open(path, true);
	free(path);
	for (size_t i = 0; s->file && i < s->file->nr_units; i++)
		if (s->file->units[i].dwo_id == skeleton->dwo_id &&
		    s->file->units[i].tag == DW_TAG_compile_unit)
			s->unit = &s->file->units[i];
	if (s->unit)
		return true;
	dw_file_close(s->file);
	s->file = NULL;
	return false;
}

static bool find_file(struct dw_split *s, const struct dw_unit *skeleton, const char *folder)
{
	const char *name = skeleton->dwo_name, *dir = skeleton->comp_dir, *slash;

	if (!name)
		return false;
	if (find_in_file(s, skeleton,
			 *name == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name)))
		return true;
	if (!folder)
		return false;
	slash = strrchr(name, '/');
	return (*name != '/' && find_in_file(s, skeleton, xasprintf("%s/%s", folder, name))) ||
	       (slash && find_in_file(s, skeleton, xasprintf("%s/%s", folder, slash + 1)));
}

bool dw_split_open(struct dw_split *s, const struct dw_unit *skeleton, struct dw_file *package,
		   const char *folder)
{
	*s = (struct dw_split){ 0 };
	if (!(package && find_in_package(s, skeleton, package)) && !find_file(s, skeleton, folder))
		return false;
	s->unit->skeleton = skeleton;
	return true;
}

void dw_split_close(struct dw_split *s)
{
	if (s->unit == &s->own)
		dw_unit_release(&s->own);
	free(s->parts);
	dw_file_close(s->file);
	*s = (struct dw_split){ 0 };
}
