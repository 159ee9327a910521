// SPDX-License-Identifier: GPL-2.0-or-later
/* The forms of attributes (DWARF 5, 7.5.6), and what their values stand for. */
#include "base/compat.h"

#include "dwarf/dwarf-internal.h"

/* Sizes that the unit decides. */
#define OF_ADDRESS (-2)
#define OF_OFFSET (-3)
#define OF_REFERENCE (-4)
#define FORMS 0x30 /* those of the standard are below */

/* This has for each form its bytes plus 1, or what decides them; 0: they differ. */
static const s8 sizes[FORMS] = {
	[DW_FORM_implicit_const] = 1,
	[DW_FORM_flag_present] = 1,
	[DW_FORM_data1] = 2,
	[DW_FORM_ref1] = 2,
	[DW_FORM_flag] = 2,
	[DW_FORM_strx1] = 2,
	[DW_FORM_addrx1] = 2,
	[DW_FORM_data2] = 3,
	[DW_FORM_ref2] = 3,
	[DW_FORM_strx2] = 3,
	[DW_FORM_addrx2] = 3,
	[DW_FORM_strx3] = 4,
	[DW_FORM_addrx3] = 4,
	[DW_FORM_data4] = 5,
	[DW_FORM_ref4] = 5,
	[DW_FORM_ref_sup4] = 5,
	[DW_FORM_strx4] = 5,
	[DW_FORM_addrx4] = 5,
	[DW_FORM_data8] = 9,
	[DW_FORM_ref8] = 9,
	[DW_FORM_ref_sig8] = 9,
	[DW_FORM_ref_sup8] = 9,
	[DW_FORM_data16] = 17,
	[DW_FORM_addr] = OF_ADDRESS,
	[DW_FORM_ref_addr] = OF_REFERENCE,
	[DW_FORM_strp] = OF_OFFSET,
	[DW_FORM_line_strp] = OF_OFFSET,
	[DW_FORM_strp_sup] = OF_OFFSET,
	[DW_FORM_sec_offset] = OF_OFFSET,
};

int dw_form_size(const struct dw_sizes *s, u16 form)
{
	if (form >= FORMS)
		return form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt ? s->offset : -1;
	switch (sizes[form]) {
	case OF_ADDRESS:
		return s->addr;
	case OF_OFFSET:
		return s->offset;
	case OF_REFERENCE: /* in version 2 it was as large as an address */
		return s->version < 3 ? s->addr : s->offset;
	default:
		return sizes[form] - 1;
	}
}

static u64 read_fixed(struct cur *c, int size)
{
	u64 low;

	switch (size) {
	case 0:
		return 0;
	case 1:
		return cur_u8(c);
	case 2:
		return cur_u16(c);
	case 3:
		low = c->swap ? 0 : cur_u16(c);
		return c->swap ? (u64)cur_u8(c) << 16 | cur_u16(c) : low | (u64)cur_u8(c) << 16;
	case 4:
		return cur_u32(c);
	case 8:
		return cur_u64(c);
	default:
		cur_skip(c, (size_t)size);
		return 0;
	}
}

u64 dw_cur_address(struct cur *c, u8 size)
{
	return read_fixed(c, size);
}

u64 dw_cur_offset(struct cur *c, u8 size)
{
	return size == 8 ? cur_u64(c) : cur_u32(c);
}

static void read_block(struct cur *c, u64 len, struct dw_value *v)
{
	v->n = len;
	v->p = cur_bytes(c, len);
}

static void read_text(struct cur *c, struct dw_value *v)
{
	const u8 *end = memchr(c->p, 0, cur_left(c));

	if (c->bad || !end)
		c->bad = true;
	else
		read_block(c, (u64)(end - c->p) + 1, v);
}

void dw_form_skip(struct cur *c, const struct dw_sizes *s, u16 form)
{
	struct dw_value v;

	/* most of those that are passed over are expressions */
	if (form == DW_FORM_exprloc)
		cur_skip(c, cur_uleb(c));
	else
		dw_form_read(c, s, form, 0, &v);
}

void dw_form_read(struct cur *c, const struct dw_sizes *s, u16 form, s64 constant,
		  struct dw_value *v)
{
	int size = dw_form_size(s, form);

	*v = (struct dw_value){ .form = form };
	if (size >= 0) {
		v->n = form == DW_FORM_implicit_const ? (u64)constant : read_fixed(c, size);
		return;
	}
	switch (form) {
	case DW_FORM_string:
		read_text(c, v);
		break;
	case DW_FORM_block1:
		read_block(c, cur_u8(c), v);
		break;
	case DW_FORM_block2:
		read_block(c, cur_u16(c), v);
		break;
	case DW_FORM_block4:
		read_block(c, cur_u32(c), v);
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		read_block(c, cur_uleb(c), v);
		break;
	case DW_FORM_sdata:
		v->n = (u64)cur_sleb(c);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		v->n = cur_uleb(c);
		break;
	case DW_FORM_indirect:
		form = (u16)cur_uleb(c);
		if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
			c->bad = true;
		else
			dw_form_read(c, s, form, 0, v);
		break;
	default:
		c->bad = true;
	}
}

/* ---- texts ---- */

static const char *text_at(const struct dw_part *strings, u64 off)
{
	if (off >= strings->len || !memchr(strings->p + off, 0, strings->len - off))
		return NULL;
	return (const char *)strings->p + off;
}

static const char *indexed_text(const struct dw_unit *u, u64 i)
{
	u8 size = u->sizes.offset;
	struct cur c;
	u64 off;

	if (i > u->sec[DW_STR_OFFSETS].len / size)
		return NULL;
	c = dw_cur(u, DW_STR_OFFSETS, u->str_base + i * size);
	off = dw_cur_offset(&c, size);
	return cur_ok(&c) ? text_at(&u->sec[DW_STR], off) : NULL;
}

const char *dw_string(const struct dw_unit *u, const struct dw_value *v)
{
	switch (v->form) {
	case DW_FORM_string:
		return (const char *)v->p;
	case DW_FORM_strp:
		return text_at(&u->sec[DW_STR], v->n);
	case DW_FORM_line_strp:
		return text_at(&u->sec[DW_LINE_STR], v->n);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return u->file->alt ? text_at(&u->file->alt->sec[DW_STR], v->n) : NULL;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return indexed_text(u, v->n);
	default:
		return NULL;
	}
}

/* ---- numbers ---- */

bool dw_number(const struct dw_value *v, u64 *n)
{
	*n = v->n;
	switch (v->form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
		return true;
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return (s64)v->n >= 0;
	default:
		return false;
	}
}

bool dw_offset(const struct dw_value *v, u64 *n)
{
	*n = v->n;
	/* before version 4 offsets were constants */
	return v->form == DW_FORM_sec_offset || v->form == DW_FORM_data4 ||
	       v->form == DW_FORM_data8;
}

bool dw_address_at(const struct dw_unit *u, u64 i, u64 *addr)
{
	const struct dw_unit *own = u->skeleton ? u->skeleton : u;
	u8 size = own->sizes.addr;
	struct cur c;

	if (i > own->sec[DW_ADDR].len / size)
		return false;
	c = dw_cur(own, DW_ADDR, own->addr_base + i * size);
	*addr = dw_cur_address(&c, size);
	return cur_ok(&c);
}

bool dw_address(const struct dw_unit *u, const struct dw_value *v, u64 *addr)
{
	switch (v->form) {
	case DW_FORM_addr:
		*addr = v->n;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return dw_address_at(u, v->n, addr);
	default:
		return false;
	}
}
