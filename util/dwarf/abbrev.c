// SPDX-License-Identifier: GPL-2.0-or-later
/* Abbreviations: the shapes that the entries of a unit have (DWARF 5, 7.5.3). */
#include "base/compat.h"

#include "base/alloc.h"
#include "dwarf/dwarf-internal.h"

#define NO_FORM UINT16_MAX /* stands for one that cannot be read */

#define STANDARD 0x80 /* the attributes of the standard that are looked at are below */

/* This has for each name of an attribute its number plus 1; 0: it is not looked at. */
static const u8 standard_attrs[STANDARD] = {
	[DW_AT_sibling] = DW_SIBLING + 1,           [DW_AT_name] = DW_NAME + 1,
	[DW_AT_stmt_list] = DW_STMT_LIST + 1,       [DW_AT_low_pc] = DW_LOW_PC + 1,
	[DW_AT_high_pc] = DW_HIGH_PC + 1,           [DW_AT_comp_dir] = DW_COMP_DIR + 1,
	[DW_AT_abstract_origin] = DW_ORIGIN + 1,    [DW_AT_specification] = DW_SPECIFICATION + 1,
	[DW_AT_ranges] = DW_RANGE_LIST + 1,         [DW_AT_call_file] = DW_CALL_FILE + 1,
	[DW_AT_call_line] = DW_CALL_LINE + 1,       [DW_AT_decl_file] = DW_DECL_FILE + 1,
	[DW_AT_decl_line] = DW_DECL_LINE + 1,       [DW_AT_entry_pc] = DW_ENTRY_PC + 1,
	[DW_AT_linkage_name] = DW_LINKAGE_NAME + 1, [DW_AT_str_offsets_base] = DW_STR_BASE + 1,
	[DW_AT_addr_base] = DW_ADDR_BASE + 1,       [DW_AT_rnglists_base] = DW_RNGLISTS_BASE + 1,
	[DW_AT_dwo_name] = DW_DWO_NAME + 1,         [DW_AT_language] = DW_LANGUAGE + 1,
};

static const struct {
	u16 name;
	u8 wanted;
} vendor_attrs[] = {
	{ DW_AT_MIPS_linkage_name, DW_LINKAGE_NAME },
	{ DW_AT_GNU_addr_base, DW_ADDR_BASE },
	{ DW_AT_GNU_ranges_base, DW_RANGES_BASE },
	{ DW_AT_GNU_dwo_name, DW_DWO_NAME },
	{ DW_AT_GNU_dwo_id, DW_DWO_ID },
};

static u8 wanted_attr(u64 name)
{
	if (name < STANDARD)
		return standard_attrs[name] ? standard_attrs[name] - 1 : DW_WANTED;
	for (size_t i = 0; i < ARRAY_SIZE(vendor_attrs); i++)
		if (vendor_attrs[i].name == name)
			return vendor_attrs[i].wanted;
	return DW_WANTED;
}

/* Add an attribute to what is passed over. */
static void add_step(struct dw_abbrevs *a, struct dw_abbrev *out, int size, u16 form)
{
	struct dw_step *last = out->nr_steps ? &a->steps[a->nr_steps - 1] : NULL;

	if (!last || last->form) {
		VEC_GROW(a->steps, a->nr_steps + 1, a->cap_steps);
		last = &a->steps[a->nr_steps++];
		*last = (struct dw_step){ 0 };
		out->nr_steps++;
	}
	if (size >= 0)
		last->bytes += (u32)size;
	else
		last->form = form;
}

/* Read the attributes of one shape. */
static void read_attrs(struct cur *c, const struct dw_unit *u, struct dw_abbrevs *a,
		       struct dw_abbrev *out)
{
	out->first = (u32)a->nr_attrs;
	out->first_step = (u32)a->nr_steps;
	for (;;) {
		u64 name = cur_uleb(c), form = cur_uleb(c);
		s64 constant = form == DW_FORM_implicit_const ? cur_sleb(c) : 0;
		u8 wanted;
		int size;

		if (!cur_ok(c) || (!name && !form))
			break;
		form = form > UINT16_MAX ? 0 : form; /* 0 is no form: entries of it are not read */
		size = dw_form_size(&u->sizes, (u16)form);
		wanted = wanted_attr(name);
		out->has |= wanted == DW_WANTED ? 0 : 1U << wanted;
		add_step(a, out, size, (u16)form ? (u16)form : NO_FORM);
		VEC_GROW(a->attrs, a->nr_attrs + 1, a->cap_attrs);
		a->attrs[a->nr_attrs++] =
			(struct dw_abbrev_attr){ (u16)form, wanted, (s8)size, constant };
	}
	out->nr = (u32)a->nr_attrs - out->first;
}

static int by_code(const void *a, const void *b)
{
	const struct dw_abbrev *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

/* Read the code, tag and kind of one shape. Return: false at the end of the shapes. */
static bool read_shape(struct cur *c, struct dw_abbrev *out)
{
	u64 tag;

	*out = (struct dw_abbrev){ .code = cur_uleb(c) };
	if (!out->code)
		return false;
	tag = cur_uleb(c);
	out->tag = tag > UINT16_MAX ? 0 : (u16)tag;
	out->children = cur_u8(c);
	return cur_ok(c);
}

static void skip_attrs(struct cur *c)
{
	u64 name, form;

	/* nearly all are a byte each */
	while (cur_left(c) >= 2 && !((c->p[0] | c->p[1]) & 0x80) &&
	       c->p[1] != DW_FORM_implicit_const) {
		c->p += 2;
		if (!c->p[-2] && !c->p[-1])
			return;
	}
	do {
		name = cur_uleb(c);
		form = cur_uleb(c);
		if (form == DW_FORM_implicit_const)
			cur_sleb(c);
	} while (cur_ok(c) && (name || form));
}

struct dw_abbrevs *dw_abbrevs_one(const struct dw_unit *u, u64 code, u64 *at)
{
	struct cur c = dw_cur(u, DW_ABBREV, *at);
	struct dw_abbrevs *a = xzalloc(sizeof(*a));
	struct dw_abbrev one;

	while (cur_left(&c)) {
		*at = (u64)(c.p - u->sec[DW_ABBREV].p);
		if (!read_shape(&c, &one))
			break;
		if (one.code != code) {
			skip_attrs(&c);
			continue;
		}
		read_attrs(&c, u, a, &one);
		VEC_GROW(a->v, 1, a->cap);
		a->v[a->nr++] = one;
		break;
	}
	return a;
}

static struct dw_abbrevs *read_all(const struct dw_unit *u)
{
	struct cur c = dw_cur(u, DW_ABBREV, u->abbrevs_off);
	struct dw_abbrevs *a = xzalloc(sizeof(*a));
	struct dw_abbrev one;
	bool sorted = true;

	while (cur_left(&c) && read_shape(&c, &one)) {
		read_attrs(&c, u, a, &one);
		if (!cur_ok(&c))
			break;
		sorted = sorted && (!a->nr || a->v[a->nr - 1].code < one.code);
		VEC_GROW(a->v, a->nr + 1, a->cap);
		a->v[a->nr++] = one;
	}
	if (!sorted)
		qsort(a->v, a->nr, sizeof(*a->v), by_code);
	return a;
}

void dw_abbrevs_free(struct dw_abbrevs *a)
{
	if (!a)
		return;
	free(a->v);
	free(a->attrs);
	free(a->steps);
	free(a);
}

const struct dw_abbrevs *dw_abbrevs(const struct dw_unit *u)
{
	_Atomic(struct dw_abbrevs *) *at = &((struct dw_unit *)u)->abbrevs;
	struct dw_abbrevs *a = atomic_load_explicit(at, memory_order_acquire), *seen = NULL;

	if (a)
		return a;
	a = read_all(u);
	if (atomic_compare_exchange_strong(at, &seen, a))
		return a;
	dw_abbrevs_free(a);
	return seen;
}

void dw_abbrevs_drop(const struct dw_unit *u)
{
	_Atomic(struct dw_abbrevs *) *at = &((struct dw_unit *)u)->abbrevs;

	dw_abbrevs_free(atomic_exchange(at, NULL));
}

const struct dw_abbrev *dw_abbrev_search(const struct dw_abbrevs *a, u64 code)
{
	struct dw_abbrev key = { .code = code };

	return a->nr ? bsearch(&key, a->v, a->nr, sizeof(*a->v), by_code) : NULL;
}
