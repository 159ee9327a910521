// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "symbol/index-internal.h"

#include "base/strbuf.h"
#include "objcache/objcache.h"

struct head {
	struct esyms_files files;
	u64 base;
	u32 nr, nr_buckets, shift, nr_reaches, nr_stubs, mangled;
};
_Static_assert(sizeof(struct head) % 8 == 0, "the stubs behind it are aligned");

/* ---- reading ---- */

static bool take_arrays(struct esyms_index *x, const u8 *p, u64 left)
{
	struct starts *s = &x->starts;

	x->stubs = objcache_take(&p, &left, x->nr_stubs, sizeof(*x->stubs));
	s->at = x->stubs ? objcache_take(&p, &left, s->nr, sizeof(*s->at)) : NULL;
	x->reaches.v = s->at ? objcache_take(&p, &left, x->reaches.nr, sizeof(*x->reaches.v))
			     : NULL;
	x->refs = x->reaches.v ? objcache_take(&p, &left, s->nr, sizeof(*x->refs)) : NULL;
	s->buckets = x->refs ? objcache_take(&p, &left, s->nr_buckets, sizeof(*s->buckets)) : NULL;
	return s->buckets && !left;
}

static bool good_ref(const struct esyms_index *x, u32 ref)
{
	if (ref & ESYM_STUB)
		return ESYM_NUMBER(ref) < x->nr_stubs;
	return ESYM_NUMBER(ref) < (ref & ESYM_DYN ? x->files.dyn_syms : x->files.syms);
}

static bool good_symbols(const struct esyms_index *x)
{
	const struct sym_at *at = x->starts.at;

	for (u32 i = 0; i < x->starts.nr; i++)
		if (!good_ref(x, x->refs[i]) || (i && at[i].start <= at[i - 1].start))
			return false;
	for (u32 i = 0; i < x->nr_stubs; i++)
		if (x->stubs[i].sym >= x->files.dyn_syms)
			return false;
	return true;
}

static bool good_reaches(const struct esyms_index *x)
{
	const struct reach *v = x->reaches.v;

	for (u32 i = 0; i < x->reaches.nr; i++)
		if (v[i].idx >= x->starts.nr || (i && v[i].idx <= v[i - 1].idx) ||
		    (v[i].outer != UINT32_MAX && v[i].outer >= i))
			return false;
	return true;
}

bool esyms_index_read(struct esyms_index *x, const void *data, size_t len,
		      const struct esyms_files *files)
{
	const struct head *h = data;

	if (len < sizeof(*h) || memcmp(&h->files, files, sizeof(*files)))
		return false;
	*x = (struct esyms_index){ .files = h->files,
				   .starts = { .base = h->base,
					       .nr = h->nr,
					       .nr_buckets = h->nr_buckets,
					       .shift = h->shift },
				   .reaches = { .nr = h->nr_reaches },
				   .nr_stubs = h->nr_stubs,
				   .mangled = h->mangled };
	return take_arrays(x, (const u8 *)(h + 1), len - sizeof(*h)) && good_symbols(x) &&
	       starts_good(&x->starts) && good_reaches(x);
}

/* ---- writing ---- */

void esyms_index_write(const struct esyms_index *x, struct strbuf *out)
{
	const struct starts *s = &x->starts;
	struct head h = { .files = x->files,
			  .base = s->base,
			  .nr = s->nr,
			  .nr_buckets = s->nr_buckets,
			  .shift = s->shift,
			  .nr_reaches = x->reaches.nr,
			  .nr_stubs = x->nr_stubs,
			  .mangled = x->mangled };

	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, x->stubs, x->nr_stubs * sizeof(*x->stubs));
	strbuf_add(out, s->at, s->nr * sizeof(*s->at));
	strbuf_add(out, x->reaches.v, x->reaches.nr * sizeof(*x->reaches.v));
	strbuf_add(out, x->refs, s->nr * sizeof(*x->refs));
	strbuf_add(out, s->buckets, s->nr_buckets * sizeof(*s->buckets));
}
