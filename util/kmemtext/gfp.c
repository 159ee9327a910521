// SPDX-License-Identifier: GPL-2.0-or-later
/* Flags of allocations in words, which are those of the recording's formats. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

/* These have the letters that perf 6.1 prints, or that tell them from others. */
static const struct {
	const char *name, *letters;
} known[] = {
	{ "GFP_TRANSHUGE", "THP" },
	{ "GFP_TRANSHUGE_LIGHT", "THL" },
	{ "GFP_HIGHUSER_MOVABLE", "HUM" },
	{ "GFP_HIGHUSER", "HU" },
	{ "GFP_USER", "U" },
	{ "GFP_KERNEL_ACCOUNT", "KAC" },
	{ "GFP_KERNEL", "K" },
	{ "GFP_NOFS", "NF" },
	{ "GFP_ATOMIC", "A" },
	{ "GFP_NOIO", "NI" },
	{ "GFP_NOWAIT", "NW" },
	{ "GFP_DMA", "D" },
	{ "GFP_DMA32", "D32" },
	{ "__GFP_DMA", "D" },
	{ "__GFP_DMA32", "D32" },
	{ "__GFP_HIGHMEM", "HM" },
	{ "__GFP_MOVABLE", "M" },
	{ "__GFP_RECLAIMABLE", "RC" },
	{ "__GFP_HIGH", "H" },
	{ "__GFP_IO", "I" },
	{ "__GFP_FS", "F" },
	{ "__GFP_ZERO", "Z" },
	{ "__GFP_COMP", "C" },
	{ "__GFP_WRITE", "WR" },
	{ "__GFP_NOWARN", "NWR" },
	{ "__GFP_RETRY_MAYFAIL", "R" },
	{ "__GFP_NOFAIL", "NFL" },
	{ "__GFP_NORETRY", "NR" },
	{ "__GFP_NOMEMALLOC", "NMA" },
	{ "__GFP_MEMALLOC", "MA" },
	{ "__GFP_HARDWALL", "HW" },
	{ "__GFP_THISNODE", "TN" },
	{ "__GFP_ACCOUNT", "AC" },
	{ "__GFP_DIRECT_RECLAIM", "DR" },
	{ "__GFP_KSWAPD_RECLAIM", "KR" },
};

static const char *known_letters(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].name) == len && !memcmp(known[i].name, name, len))
			return known[i].letters;
	return NULL;
}

static bool is_taken(const char *letters, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].letters) == len && !memcmp(known[i].letters, letters, len))
			return true;
	return false;
}

/* A flag that is not known is called by the first letters of its words, or else by its name. */
static void put_new_flag(const char *name, size_t len, struct strbuf *out)
{
	size_t start = out->len;

	while (len && *name == '_')
		name++, len--;
	if (len > 4 && !memcmp(name, "GFP_", 4))
		name += 4, len -= 4;
	for (size_t i = 0; i < len; i++)
		if (!i || name[i - 1] == '_')
			strbuf_addch(out, name[i]);
	if (!is_taken(out->buf + start, out->len - start))
		return;
	out->len = start;
	strbuf_add(out, name, len);
}

static void put_short_flag(const char *name, size_t len, struct strbuf *out)
{
	const char *letters = known_letters(name, len);

	if (letters)
		strbuf_addstr(out, letters);
	else
		put_new_flag(name, len, out);
}

static void put_long_flag(const char *name, size_t len, struct strbuf *out)
{
	strbuf_add(out, name, len);
}

/* Bits without a word are appended as a number. */
static void put_flags(const struct gfp_words *w, u64 flags,
		      void (*put)(const char *name, size_t len, struct strbuf *out),
		      struct strbuf *out)
{
	const char *between = "";

	for (u32 i = 0; i < w->nr && flags; i++) {
		u64 bits = w->syms[i].value;

		if (!bits || (flags & bits) != bits)
			continue;
		strbuf_addstr(out, between);
		put(w->syms[i].str, w->syms[i].len, out);
		between = "|";
		flags &= ~bits;
	}
	if (flags || !*between)
		strbuf_addf(out, "%s%#" PRIx64, between, flags);
}

void gfp_put(const struct gfp_words *w, u64 flags, struct strbuf *out)
{
	put_flags(w, flags, put_long_flag, out);
}

void gfp_put_short(const struct gfp_words *w, u64 flags, struct strbuf *out)
{
	put_flags(w, flags, put_short_flag, out);
}

static void take_words(void *ctx, const struct tf_words *found)
{
	struct gfp_words *w = ctx;

	if (found->flags && !strcmp(found->field->name, "gfp_flags"))
		*w = (struct gfp_words){ found->syms, found->nr_syms };
}

struct gfp_words gfp_words_of(const struct tracefmt *tf)
{
	const struct tf_event *format = tf ? tracefmt_find(tf, "kmem", "mm_page_alloc") : NULL;
	struct gfp_words w = { 0 };

	if (format)
		tf_walk_words(format, take_words, &w);
	return w;
}
