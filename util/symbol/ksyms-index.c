// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "symbol/index-internal.h"

#include "base/strbuf.h"

struct head {
	struct ksyms_source source;
	u64 base, module_low, module_top, text_len;
	u32 nr, nr_buckets, shift, mangled;
};
_Static_assert(sizeof(struct head) % 8 == 0, "the starts behind it are aligned");

/* ---- reading ---- */

/* Symbols are in order, and their lines are in the text. */
static bool good_starts(const struct starts *s, u64 text_len)
{
	for (u32 i = 0; i < s->nr; i++)
		if (s->at[i].own >= text_len || (i && s->at[i].start <= s->at[i - 1].start))
			return false;
	return s->nr > 0;
}

bool ksyms_index_read(struct ksyms_index *x, const void *data, size_t len,
		      const struct ksyms_source *source)
{
	const struct head *h = data;
	struct starts *s = &x->starts;
	const u8 *p;
	u64 left;

	if (len < sizeof(*h) || memcmp(&h->source, source, sizeof(*source)))
		return false;
	p = (const u8 *)(h + 1);
	left = len - sizeof(*h);
	*x = (struct ksyms_index){ .source = h->source,
				   .starts = { .base = h->base,
					       .nr = h->nr,
					       .nr_buckets = h->nr_buckets,
					       .shift = h->shift },
				   .module_low = h->module_low,
				   .module_top = h->module_top,
				   .text_len = h->text_len,
				   .mangled = h->mangled };
	s->at = objcache_take(&p, &left, s->nr, sizeof(*s->at));
	s->buckets = s->at ? objcache_take(&p, &left, s->nr_buckets, sizeof(*s->buckets)) : NULL;
	if (!s->buckets || left != x->text_len)
		return false;
	x->text = left ? (const char *)p : NULL;
	return good_starts(s, left ? left : source->size) && starts_good(s);
}

/* ---- writing ---- */

void ksyms_index_write(const struct ksyms_index *x, struct strbuf *out)
{
	const struct starts *s = &x->starts;
	struct head h = { .source = x->source,
			  .base = s->base,
			  .module_low = x->module_low,
			  .module_top = x->module_top,
			  .text_len = x->text_len,
			  .nr = s->nr,
			  .nr_buckets = s->nr_buckets,
			  .shift = s->shift,
			  .mangled = x->mangled };

	strbuf_grow(out,
		    sizeof(h) + s->nr * sizeof(*s->at) + s->nr_buckets * sizeof(u32) + x->text_len);
	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, s->at, s->nr * sizeof(*s->at));
	strbuf_add(out, s->buckets, s->nr_buckets * sizeof(*s->buckets));
	if (x->text_len)
		strbuf_add(out, x->text, x->text_len);
}
