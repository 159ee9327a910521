// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/source-index-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "objcache/objcache.h"

#define SAMPLES 64 /* of a section; their bytes are hashed */
#define SAMPLE_LEN 64

struct head {
	struct index_origin origin;
	u64 texts_len;
	u32 nr_units, nr_pieces, nr_names, nr_places, listed, unused;
};
_Static_assert(sizeof(struct head) % 8 == 0, "the units behind it are aligned");
_Static_assert(sizeof(struct kept_unit) % 8 == 0, "so are the pieces");

/* ---- what it is of ---- */

static u64 sample_section(u64 hash, const struct dw_part *s)
{
	size_t step = MAX(s->len / SAMPLES, (size_t)SAMPLE_LEN);

	for (size_t at = 0; at < s->len; at += step)
		hash = hash_mix(hash, hash_bytes(s->p + at, MIN((size_t)SAMPLE_LEN, s->len - at)));
	return hash;
}

struct index_origin index_origin_of(const struct dw_file *f)
{
	struct index_origin o = { .sample = 0 };

	for (size_t i = 0; i < DW_SECTIONS; i++) {
		o.len[i] = f->sec[i].p ? f->sec[i].len : 0;
		if (f->sec[i].p)
			o.sample = sample_section(o.sample, &f->sec[i]);
	}
	return o;
}

bool index_fits(const struct dw_file *f)
{
	if (f->alt || f->alt_missing || f->sec[DW_INFO].len > UINT32_MAX)
		return false;
	for (size_t i = 0; i < f->nr_units; i++)
		if (f->units[i].dwo_name || f->units[i].sec != f->sec)
			return false;
	return f->nr_units < UINT32_MAX;
}

/* ---- units ---- */

/* Say in which section a text is. */
static void keep_text(struct kept_unit *k, const struct dw_unit *u, const char *text)
{
	const u8 *p = (const u8 *)text;

	k->comp_dir_in = DW_SECTIONS;
	for (u8 i = 0; p && i < DW_SECTIONS; i++) {
		const struct dw_part *s = &u->sec[i];

		if (s->p && p >= s->p && p < s->p + s->len) {
			k->comp_dir_in = i;
			k->comp_dir = (u64)(p - s->p);
		}
	}
}

struct kept_unit kept_unit_of(const struct dw_unit *u)
{
	struct kept_unit k = {
		.off = u->off,
		.root = u->root,
		.end = u->end,
		.abbrevs_off = u->abbrevs_off,
		.root_abbrev = u->root_abbrev,
		.lines_off = u->lines_off,
		.low_pc = u->low_pc,
		.str_base = u->str_base,
		.addr_base = u->addr_base,
		.rnglists_base = u->rnglists_base,
		.ranges_base = u->ranges_base,
		.tag = u->tag,
		.version = u->sizes.version,
		.addr = u->sizes.addr,
		.offset = u->sizes.offset,
		.type = u->type,
		.has_lines = u->has_lines,
		.is_c = u->is_c,
	};

	keep_text(&k, u, u->comp_dir);
	return k;
}

/* Return the text that a unit has, or NULL. *@bad: is set when it is not there */
static const char *kept_text(const struct dw_file *f, const struct kept_unit *k, bool *bad)
{
	const struct dw_part *s;

	if (k->comp_dir_in == DW_SECTIONS)
		return NULL;
	s = k->comp_dir_in < DW_SECTIONS ? &f->sec[k->comp_dir_in] : NULL;
	*bad = !s || !s->p || k->comp_dir >= s->len ||
	       !memchr(s->p + k->comp_dir, 0, s->len - k->comp_dir);
	return *bad ? NULL : (const char *)s->p + k->comp_dir;
}

static bool good_unit(const struct dw_file *f, const struct kept_unit *k, u64 from)
{
	return k->off >= from && k->root > k->off && k->root <= k->end &&
	       k->end <= f->sec[DW_INFO].len && k->version >= 2 && k->version <= 5 &&
	       (k->addr == 4 || k->addr == 8) && (k->offset == 4 || k->offset == 8);
}

bool kept_units_take(struct dw_file *f, const struct source_index *x)
{
	bool bad = false;
	u64 from = 0;

	f->units = xcalloc(x->nr_units + 1U, sizeof(*f->units));
	f->cap_units = x->nr_units + 1U;
	for (u32 i = 0; i < x->nr_units && !bad; i++) {
		const struct kept_unit *k = &x->units[i];

		f->units[i] = (struct dw_unit){
			.file = f,
			.sec = f->sec,
			.sizes = { k->version, k->addr, k->offset },
			.type = k->type,
			.off = k->off,
			.root = k->root,
			.end = k->end,
			.abbrevs_off = k->abbrevs_off,
			.root_abbrev = k->root_abbrev,
			.tag = k->tag,
			.has_lines = k->has_lines,
			.is_c = k->is_c,
			.lines_off = k->lines_off,
			.low_pc = k->low_pc,
			.str_base = k->str_base,
			.addr_base = k->addr_base,
			.rnglists_base = k->rnglists_base,
			.ranges_base = k->ranges_base,
			.comp_dir = kept_text(f, k, &bad),
		};
		bad = bad || !good_unit(f, k, from);
		from = k->end;
	}
	f->nr_units = x->nr_units;
	if (bad) {
		free(f->units);
		f->units = NULL;
		f->nr_units = f->cap_units = 0;
	}
	return !bad;
}

/* ---- reading ---- */

static bool take_arrays(struct source_index *x, const u8 *p, u64 left)
{
	x->units = objcache_take(&p, &left, x->nr_units, sizeof(*x->units));
	x->pieces = x->units ? objcache_take(&p, &left, x->nr_pieces, sizeof(*x->pieces)) : NULL;
	x->names = x->pieces ? objcache_take(&p, &left, x->nr_names, sizeof(*x->names)) : NULL;
	x->places = x->names ? objcache_take(&p, &left, x->nr_places, sizeof(*x->places)) : NULL;
	x->texts = x->places ? objcache_take(&p, &left, x->texts_len, 1) : NULL;
	return x->texts && !left && x->texts_len && !x->texts[0] && !x->texts[x->texts_len - 1];
}

static bool good_pieces(const struct source_index *x)
{
	for (u32 i = 0; i < x->nr_pieces; i++)
		if ((i && x->pieces[i].start <= x->pieces[i - 1].start) ||
		    (x->pieces[i].of >= x->nr_units && x->pieces[i].of != RANGE_NONE))
			return false;
	return true;
}

static bool good_names(const struct source_index *x)
{
	for (u32 i = 0; i < x->nr_names; i++) {
		const struct kept_name *n = &x->names[i];

		if (n->name >= x->texts_len || n->linkage >= x->texts_len ||
		    n->first > x->nr_places || n->nr > x->nr_places - n->first)
			return false;
	}
	return true;
}

bool source_index_read(struct source_index *x, const void *data, size_t len,
		       const struct index_origin *origin)
{
	const struct head *h = data;

	if (len < sizeof(*h) || memcmp(&h->origin, origin, sizeof(*origin)) || h->listed > 1)
		return false;
	*x = (struct source_index){ .nr_units = h->nr_units,
				    .nr_pieces = h->nr_pieces,
				    .nr_names = h->nr_names,
				    .nr_places = h->nr_places,
				    .texts_len = h->texts_len,
				    .listed = h->listed };
	return take_arrays(x, (const u8 *)(h + 1), len - sizeof(*h)) && good_pieces(x) &&
	       good_names(x);
}

/* ---- writing ---- */

void source_index_write(const struct source_index *x, const struct index_origin *origin,
			struct strbuf *out)
{
	struct head h = { .origin = *origin,
			  .texts_len = x->texts_len,
			  .nr_units = x->nr_units,
			  .nr_pieces = x->nr_pieces,
			  .nr_names = x->nr_names,
			  .nr_places = x->nr_places,
			  .listed = x->listed };

	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, x->units, x->nr_units * sizeof(*x->units));
	strbuf_add(out, x->pieces, x->nr_pieces * sizeof(*x->pieces));
	strbuf_add(out, x->names, x->nr_names * sizeof(*x->names));
	strbuf_add(out, x->places, x->nr_places * sizeof(*x->places));
	strbuf_add(out, x->texts, x->texts_len);
}
