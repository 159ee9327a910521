// SPDX-License-Identifier: GPL-2.0-or-later
/* Units: their headers (DWARF 5, 7.5.1) and what their first entry says of the others. */
#include "base/compat.h"
#include "base/bisect.h"

#include "base/alloc.h"
#include "dwarf/dwarf-internal.h"

#define LENGTH_64 0xffffffffU /* the length of a 64-bit unit follows */

struct cur dw_cur(const struct dw_unit *u, enum dw_section sec, u64 off)
{
	const struct dw_part *part = &u->sec[sec];
	bool swap = u->file->image.swap;

	return off < part->len ? cur_make(part->p + off, part->len - off, swap)
			       : cur_make(NULL, 0, swap);
}

bool dw_unit_has_code(const struct dw_unit *u)
{
	return u->tag == DW_TAG_compile_unit || u->tag == DW_TAG_skeleton_unit;
}

/* Read the header. Return: whether the unit is there as a whole, and of a version that is known. */
static bool read_header(struct dw_unit *u, struct cur *c)
{
	u64 len = cur_u32(c);

	u->sizes.offset = len == LENGTH_64 ? 8 : 4;
	if (len == LENGTH_64)
		len = cur_u64(c);
	if (!cur_ok(c) || len > cur_left(c))
		return false;
	c->end = c->p + len;
	u->end = (u64)(c->end - u->sec[DW_INFO].p);
	u->sizes.version = cur_u16(c);
	if (u->sizes.version < 2 || u->sizes.version > 5)
		return false;
	u->type = DW_UT_compile;
	if (u->sizes.version == 5) {
		u->type = cur_u8(c);
		u->sizes.addr = cur_u8(c);
	}
	u->abbrevs_off = dw_cur_offset(c, u->sizes.offset);
	if (u->sizes.version < 5)
		u->sizes.addr = cur_u8(c);
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		u->dwo_id = cur_u64(c);
	if (u->type == DW_UT_type || u->type == DW_UT_split_type) {
		cur_skip(c, 8);
		dw_cur_offset(c, u->sizes.offset);
	}
	u->root = (u64)(c->p - u->sec[DW_INFO].p);
	return cur_ok(c) && (u->sizes.addr == 4 || u->sizes.addr == 8);
}

/* Return where the entries of a split unit's own table begin that has a header in version 5. */
static u64 split_base(const struct dw_unit *u)
{
	if (u->sizes.version < 5 || u->type != DW_UT_split_compile)
		return 0;
	return u->sizes.offset == 8 ? 16 : 8;
}

static void get_offset(const struct dw_die *d, enum dw_wanted w, u64 *out)
{
	u64 n;

	if (dw_has(d, w) && dw_offset(&d->v[w], &n))
		*out = n;
}

static void take_root(struct dw_unit *u, const struct dw_die *d)
{
	u->tag = d->abbrev->tag;
	u->str_base = split_base(u);
	u->rnglists_base = u->str_base ? u->str_base + 4 : 0; /* its header is larger */
	get_offset(d, DW_STR_BASE, &u->str_base);
	get_offset(d, DW_ADDR_BASE, &u->addr_base);
	get_offset(d, DW_RNGLISTS_BASE, &u->rnglists_base);
	get_offset(d, DW_RANGES_BASE, &u->ranges_base);
	u->has_lines = dw_has(d, DW_STMT_LIST) && dw_offset(&d->v[DW_STMT_LIST], &u->lines_off);
	if (dw_has(d, DW_DWO_ID))
		dw_number(&d->v[DW_DWO_ID], &u->dwo_id);
	if (dw_has(d, DW_LOW_PC) && !dw_address(u, &d->v[DW_LOW_PC], &u->low_pc))
		u->low_pc = 0;
	if (dw_has(d, DW_COMP_DIR))
		u->comp_dir = dw_string(u, &d->v[DW_COMP_DIR]);
	if (dw_has(d, DW_DWO_NAME))
		u->dwo_name = dw_string(u, &d->v[DW_DWO_NAME]);
}

/* Read the first entry without the abbreviations of the others, which most units never need. */
static bool read_root(const struct dw_unit *u, struct dw_die *d, struct dw_abbrevs **abbrevs)
{
	struct cur c = dw_cur(u, DW_INFO, u->root);
	u64 code = cur_uleb(&c);
	const struct dw_abbrev *a;

	*abbrevs = dw_abbrevs_read(u, code);
	a = dw_abbrev(*abbrevs, code);
	if (!a)
		return false;
	dw_die_attrs(d, &c, u, *abbrevs, a, u->root);
	return true;
}

bool dw_unit_read(struct dw_unit *u, struct dw_file *f, const struct dw_part *sec, u64 off)
{
	struct dw_abbrevs *abbrevs;
	struct dw_die root;
	struct cur c;
	bool ok;

	*u = (struct dw_unit){ .file = f, .sec = sec, .off = off };
	c = dw_cur(u, DW_INFO, off);
	if (!read_header(u, &c))
		return false;
	ok = read_root(u, &root, &abbrevs);
	if (ok)
		take_root(u, &root);
	dw_abbrevs_free(abbrevs);
	return ok;
}

void dw_unit_ranges(const struct dw_unit *u, struct dw_ranges *to)
{
	struct dw_abbrevs *abbrevs;
	struct dw_die root;

	if (read_root(u, &root, &abbrevs))
		dw_die_ranges(&root, to);
	dw_abbrevs_free(abbrevs);
}

void dw_unit_release(struct dw_unit *u)
{
	dw_abbrevs_free(atomic_load(&u->abbrevs));
}

void dw_units_read(struct dw_file *f)
{
	struct dw_unit u;

	for (u64 off = 0; off < f->sec[DW_INFO].len; off = u.end) {
		if (dw_unit_read(&u, f, f->sec, off)) {
			VEC_GROW(f->units, f->nr_units + 1, f->cap_units);
			f->units[f->nr_units++] = u;
		} else if (!u.end) {
			break;
		}
	}
}

const struct dw_unit *dw_unit_at(const struct dw_file *f, u64 off)
{
	size_t lo = FIRST_BEHIND(f->units, f->nr_units, off, off);

	return lo && off < f->units[lo - 1].end ? &f->units[lo - 1] : NULL;
}
