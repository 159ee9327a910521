// SPDX-License-Identifier: GPL-2.0-or-later
/* Units: their headers (DWARF 5, 7.5.1), what their first entry says of the others, and which of
 * them have an entry with a name. */
#include "base/compat.h"
#include "base/bisect.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "dwarf/dwarf-internal.h"

#define PLACES_MAX 6   /* one search of the entries costs as much as reading a sixth of them */
#define SAMPLE_STEP 61 /* bytes from one that is counted to the next, at most SAMPLE_MAX */
#define SAMPLE_MAX 2048
#define UNITS_FEW 16          /* so many are looked through before threads are worth their start */
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

static bool is_c(const struct dw_die *d)
{
	u64 language;

	if (!dw_has(d, DW_LANGUAGE) || !dw_number(&d->v[DW_LANGUAGE], &language))
		return false;
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_C17;
}

static void take_root(struct dw_unit *u, const struct dw_die *d)
{
	u->tag = d->abbrev->tag;
	u->is_c = is_c(d);
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

/* Read the first entry without the abbreviations of the others, which most units never need. @at:
 * as for dw_abbrevs_one() */
static bool read_root(const struct dw_unit *u, u64 *at, struct dw_die *d,
		      struct dw_abbrevs **abbrevs)
{
	struct cur c = dw_cur(u, DW_INFO, u->root);
	u64 code = cur_uleb(&c);
	const struct dw_abbrev *a;

	*abbrevs = dw_abbrevs_one(u, code, at);
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
	u->root_abbrev = u->abbrevs_off;
	ok = read_root(u, &u->root_abbrev, &root, &abbrevs);
	if (ok)
		take_root(u, &root);
	dw_abbrevs_free(abbrevs);
	return ok;
}

void dw_unit_ranges(const struct dw_unit *u, struct dw_ranges *to)
{
	u64 at = u->root_abbrev;
	struct dw_abbrevs *abbrevs;
	struct dw_die root;

	if (read_root(u, &at, &root, &abbrevs))
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

	if (f->sec[DW_CU_INDEX].p)
		return;
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

/* ---- units by the names of their entries ----
 *
 * An entry has its name as an offset of the section of texts, or has the text itself. Either can be
 * searched for as bytes, which is much quicker than reading all entries. */

/* Bytes that are searched for, by the one of them that is the rarest. Where that is, the next one
 * is compared before all are. */
struct needle {
	const u8 *p;
	size_t len, rarest, next;
};

struct counts {
	u32 of[256];
};

/* Count some of the bytes of a section, from all over it. */
static void sample(struct counts *n, const struct dw_part *in)
{
	size_t step = MAX(in->len / SAMPLE_MAX, (size_t)SAMPLE_STEP);

	*n = (struct counts){ { 0 } };
	for (size_t i = 0; i < in->len; i += step)
		n->of[in->p[i]]++;
}

/* @len: at least 2 */
static struct needle make_needle(const struct counts *n, const void *p, size_t len)
{
	struct needle out = { p, len, 0, 0 };

	for (size_t i = 1; i < len; i++)
		if (n->of[out.p[i]] < n->of[out.p[out.rarest]])
			out.rarest = i;
	out.next = out.rarest ? out.rarest - 1 : 1;
	return out;
}

/* Return where a needle is from @from on, or NULL. */
static const u8 *find(const struct dw_part *in, const u8 *from, const struct needle *n)
{
	const u8 *at = from + n->rarest, *end = in->p + in->len;
	u8 next = n->p[n->next];

	if (n->len > (size_t)(end - from))
		return NULL;
	end -= n->len - 1 - n->rarest;
	for (; at < end && (at = memchr(at, n->p[n->rarest], (size_t)(end - at))); at++) {
		const u8 *start = at - n->rarest;

		if (start[n->next] == next && !memcmp(start, n->p, n->len))
			return start;
	}
	return NULL;
}

/* Tell whether shapes of entries have an attribute that refers to a function of another unit. */
static bool refers_outside(const struct dw_file *f)
{
	const u8 *from = f->sec[DW_ABBREV].p, *end = from + f->sec[DW_ABBREV].len, *at = from;

	for (; at < end && (at = memchr(at, DW_FORM_ref_addr, (size_t)(end - at))); at++)
		if (at > from && (at[-1] == DW_AT_abstract_origin || at[-1] == DW_AT_specification))
			return true;
	return false;
}

static bool are_alone(const struct dw_file *f)
{
	if (f->alt || f->alt_missing)
		return false;
	for (size_t i = 0; i < f->nr_units; i++)
		if (f->units[i].dwo_name)
			return false;
	return !refers_outside(f);
}

bool dw_units_alone(const struct dw_file *f)
{
	_Atomic(u8) *alone = &((struct dw_file *)f)->alone;

	if (!atomic_load(alone))
		atomic_store(alone, are_alone(f) ? 1 : 2);
	return atomic_load(alone) == 1;
}

/* The bytes of entries are searched for these: offsets of the name, and the name itself. */
struct dw_naming {
	const struct dw_file *f;
	char *name;              /* owned */
	u32 offsets[PLACES_MAX]; /* in the byte order of the file */
	struct needle needles[PLACES_MAX + 1];
	size_t nr;
};

/* Units that are looked through. */
struct looking {
	const struct dw_naming *n;
	size_t first;
	bool *may; /* of @first and the next */
};

/* One unit is looked through for all needles while its bytes are near the processor. */
static void look_through(void *ctx, int worker, size_t item)
{
	struct looking *l = ctx;
	const struct dw_unit *u = &l->n->f->units[l->first + item];
	const struct dw_part in = { u->sec[DW_INFO].p + u->off, (size_t)(u->end - u->off) };
	bool found = false;

	(void)worker;
	for (size_t i = 0; l->may[item] && i < l->n->nr && !found; i++)
		found = find(&in, in.p, &l->n->needles[i]);
	l->may[item] = found;
}

/* Find out which offsets stand for the name: linkers let a text be the end of another one. Return:
 * whether these are few. An offset of 8 bytes is found by its half that is not 0. */
static bool find_offsets(struct dw_naming *n, size_t size)
{
	const struct dw_part *str = &n->f->sec[DW_STR];
	const u8 *at = str->p;
	struct needle text;
	struct counts counts;

	if (!at)
		return true;
	sample(&counts, str);
	text = make_needle(&counts, n->name, size);
	for (; (at = find(str, at, &text)); at++) {
		u64 off = (u64)(at - str->p);

		if (n->nr == PLACES_MAX || off > UINT32_MAX)
			return false;
		n->offsets[n->nr++] = n->f->image.swap ? __builtin_bswap32((u32)off) : (u32)off;
	}
	return true;
}

struct dw_naming *dw_naming_new(const struct dw_file *f, const char *name)
{
	struct dw_naming *n;
	size_t size = strlen(name) + 1;
	struct counts counts;

	if (size < 2 || f->sec[DW_STR_OFFSETS].p || !dw_units_alone(f))
		return NULL;
	n = xzalloc(sizeof(*n));
	n->f = f;
	n->name = xstrdup(name);
	if (!find_offsets(n, size)) {
		dw_naming_free(n);
		return NULL;
	}
	sample(&counts, &f->sec[DW_INFO]);
	for (size_t i = 0; i < n->nr; i++)
		n->needles[i] = make_needle(&counts, &n->offsets[i], sizeof(n->offsets[i]));
	n->needles[n->nr++] = make_needle(&counts, n->name, size);
	return n;
}

void dw_naming_free(struct dw_naming *n)
{
	if (n)
		free(n->name);
	free(n);
}

void dw_naming_look(const struct dw_naming *n, size_t first, size_t nr, bool *may)
{
	struct looking l = { n, first, may };

	pool_run(nr > UNITS_FEW ? pool_workers() : 1, nr, look_through, &l);
}

/* ---- units by the names of their files ----
 *
 * The header of a line table has the names of files, or where in a section they are. A text that
 * ends in the last part of the path may be asked for from any of its bytes on. */

#define RANGES_MAX 32 /* of such texts in a section */

struct text_range {
	u32 first, last;
};

struct file_naming {
	const struct dw_file *f;
	struct needle base; /* with the zero byte at its end */
	struct text_range ranges[RANGES_MAX];
	size_t nr;
	u32 lowest, highest; /* of all ranges */
};

/* Add the texts of a section that end in the name. Return: whether these are few. */
static bool add_texts(struct file_naming *n, const struct dw_part *s)
{
	const u8 *at = s->p, *start;

	for (; at && (at = find(s, at, &n->base)); at++) {
		if (n->nr == RANGES_MAX || at - s->p > UINT32_MAX)
			return false;
		for (start = at; start > s->p && start[-1];)
			start--;
		n->ranges[n->nr] = (struct text_range){ (u32)(start - s->p), (u32)(at - s->p) };
		n->lowest = MIN(n->lowest, n->ranges[n->nr].first);
		n->highest = MAX(n->highest, n->ranges[n->nr].last);
		n->nr++;
	}
	return true;
}

/* Return the header of a line table, from its version on. It is empty where that is not known. */
static struct dw_part line_header(const struct dw_unit *u)
{
	struct cur c = dw_cur(u, DW_LINE, u->lines_off);
	struct dw_part header = { NULL, 0 };
	u64 len = cur_u32(&c);
	u8 offset = len == LENGTH_64 ? 8 : 4;
	u16 version;

	if (offset == 8)
		cur_u64(&c);
	header.p = c.p;
	version = cur_u16(&c);
	if (version == 5)
		cur_skip(&c, 2);
	len = dw_cur_offset(&c, offset);
	if (!cur_ok(&c) || version < 2 || version > 5 || len > cur_left(&c))
		return (struct dw_part){ NULL, 0 };
	header.len = (size_t)(c.p + len - header.p);
	return header;
}

static bool has_offset(const struct file_naming *n, const struct dw_part *header)
{
	u32 value;

	for (size_t at = 0; at + sizeof(value) <= header->len; at++) {
		memcpy(&value, header->p + at, sizeof(value));
		value = n->f->image.swap ? __builtin_bswap32(value) : value;
		if (value < n->lowest || value > n->highest)
			continue;
		for (size_t i = 0; i < n->nr; i++)
			if (value >= n->ranges[i].first && value <= n->ranges[i].last)
				return true;
	}
	return false;
}

void dw_units_with_file(const struct dw_file *f, const char *base, bool *may)
{
	struct file_naming n = { .f = f, .lowest = UINT32_MAX };
	struct counts counts = { { 0 } };
	bool told = !f->sec[DW_STR_OFFSETS].p && *base;

	sample(&counts, &f->sec[DW_STR]);
	if (told)
		n.base = make_needle(&counts, base, strlen(base) + 1);
	told = told && add_texts(&n, &f->sec[DW_STR]) && add_texts(&n, &f->sec[DW_LINE_STR]);
	for (size_t i = 0; i < f->nr_units; i++) {
		struct dw_part header = { NULL, 0 };

		may[i] = f->units[i].has_lines;
		if (told && may[i])
			header = line_header(&f->units[i]);
		if (header.p)
			may[i] = find(&header, header.p, &n.base) || has_offset(&n, &header);
	}
}
