// SPDX-License-Identifier: GPL-2.0-or-later
/* Sections of call frame information: their entries. */
#include "base/compat.h"
#include "unwind/cfi.h"

#include "codec/leb.h"

#include <errno.h>

/* Encodings of pointers (LSB, 10.5.1): their form, what they are relative to, and a flag. */
#define PE_FORM 0x0f
#define PE_RELATIVE 0x70
#define PE_PCREL 0x10
#define PE_TEXTREL 0x20
#define PE_DATAREL 0x30
#define PE_INDIRECT 0x80
#define PE_OMIT 0xff
#define PE_UDATA4 0x03
#define PE_SDATA4 0x0b

static u64 read_form(struct cur *c, u8 form, bool wide)
{
	switch (form) {
	case 0x00: /* absptr */
		return wide ? cur_u64(c) : cur_u32(c);
	case 0x01:
		return cur_uleb(c);
	case 0x02:
		return cur_u16(c);
	case PE_UDATA4:
		return cur_u32(c);
	case 0x04:
	case 0x0c:
		return cur_u64(c);
	case 0x09:
		return (u64)cur_sleb(c);
	case 0x0a:
		return (u64)(s64)(s16)cur_u16(c);
	case PE_SDATA4:
		return (u64)(s64)(s32)cur_u32(c);
	default:
		c->bad = true;
		return 0;
	}
}

/* Read an encoded pointer. Pointers that are stored elsewhere (indirect ones) are not followed:
 * only those of personality routines are, which nobody here calls. */
static u64 read_pointer(const struct cfi_section *s, struct cur *c, u8 encoding)
{
	u64 at = s->addr + (u64)(c->p - s->bytes), v;

	if (encoding == PE_OMIT)
		return 0;
	v = read_form(c, encoding & PE_FORM, s->wide);
	switch (encoding & PE_RELATIVE) {
	case PE_PCREL:
		v += at;
		break;
	case PE_TEXTREL:
		v += s->text;
		break;
	case PE_DATAREL:
		v += s->data;
		break;
	}
	return s->wide ? v : (u32)v;
}

/* The head of an entry. */
struct head {
	u64 id;
	size_t id_at; /* offset of the id */
	size_t end;   /* offset of the next entry */
	bool dwarf64;
};

static int read_head(const struct cfi_section *s, size_t offset, struct cur *c, struct head *h)
{
	u64 len;

	if (offset >= s->size)
		return -ENOENT;
	*c = cur_make(s->bytes + offset, s->size - offset, s->swap);
	len = cur_u32(c);
	h->dwarf64 = len == 0xffffffff;
	if (h->dwarf64)
		len = cur_u64(c);
	if (!cur_ok(c) || len > cur_left(c))
		return -EINVAL;
	h->id_at = (size_t)(c->p - s->bytes);
	h->end = h->id_at + (size_t)len;
	c->end = c->p + len;
	/* In .eh_frame an entry without contents ends the section. */
	if (!len)
		return s->debug ? 0 : -ENOENT;
	h->id = h->dwarf64 && s->debug ? cur_u64(c) : cur_u32(c);
	return cur_ok(c) ? 1 : 0;
}

static bool is_cie(const struct cfi_section *s, const struct head *h)
{
	if (!s->debug)
		return !h->id;
	return h->id == (h->dwarf64 ? UINT64_MAX : UINT32_MAX);
}

/* The augmentation of a CIE: letters, and their data. */
static void read_augmentation(const struct cfi_section *s, struct cur *c, const char *letters,
			      struct cfi_fde *f)
{
	u64 len = cur_uleb(c);
	struct cur data = *c;

	cur_skip(c, (size_t)len);
	if (!cur_ok(c))
		return;
	data.end = c->p;
	for (letters++; *letters; letters++) {
		switch (*letters) {
		case 'L': /* of a language's own data */
			cur_u8(&data);
			break;
		case 'P':
			read_pointer(s, &data, cur_u8(&data));
			break;
		case 'R':
			f->encoding = cur_u8(&data);
			break;
		case 'S':
			f->signal = true;
			break;
		case 'B':
			f->pauth_b = true;
			break;
		default: /* what follows an unknown letter cannot be found; the length was said */
			return;
		}
	}
}

static bool read_cie(const struct cfi_section *s, size_t offset, struct cfi_fde *f, bool *augmented)
{
	const char *letters;
	struct head h;
	struct cur c;
	size_t len;
	u64 ra;
	u8 version;

	if (read_head(s, offset, &c, &h) <= 0 || !is_cie(s, &h))
		return false;
	version = cur_u8(&c);
	letters = (const char *)c.p;
	len = strnlen(letters, cur_left(&c));
	cur_skip(&c, len + 1);
	if (!cur_ok(&c) || (version != 1 && version != 3 && version != 4))
		return false;
	if (!strncmp(letters, "eh", 2)) { /* of GCC 2: a pointer that nobody needs */
		cur_skip(&c, s->wide ? 8 : 4);
		letters += 2;
	}
	if (version == 4 && (cur_u8(&c) != (s->wide ? 8 : 4) || cur_u8(&c)))
		return false; /* sizes of addresses and of segment selectors */
	f->code_align = cur_uleb(&c);
	f->data_align = cur_sleb(&c);
	ra = version == 1 ? (u64)cur_u8(&c) : cur_uleb(&c);
	f->ra = (u8)MIN(ra, (u64)UINT8_MAX);
	*augmented = letters[0] == 'z';
	if (*augmented)
		read_augmentation(s, &c, letters, f);
	else if (*letters)
		return false;
	f->initial = (struct unw_expr){ c.p, (u32)cur_left(&c) };
	return cur_ok(&c);
}

int cfi_entry(const struct cfi_section *s, size_t offset, struct cfi_fde *fde)
{
	bool augmented = false;
	struct head h;
	struct cur c;
	u64 cie;
	int ret = read_head(s, offset, &c, &h);

	if (ret < 0)
		return ret;
	*fde = (struct cfi_fde){ .next = h.end };
	if (!ret || is_cie(s, &h))
		return 0;
	cie = s->debug ? h.id : (u64)h.id_at - h.id;
	if (cie >= s->size || !read_cie(s, (size_t)cie, fde, &augmented))
		return 0;
	fde->start = read_pointer(s, &c, fde->encoding);
	fde->end = fde->start + read_form(&c, fde->encoding & PE_FORM, s->wide);
	if (augmented)
		cur_skip(&c, (size_t)cur_uleb(&c));
	if (!cur_ok(&c) || fde->encoding & PE_INDIRECT || fde->end <= fde->start)
		return 0;
	fde->own = (struct unw_expr){ c.p, (u32)cur_left(&c) };
	return 1;
}
