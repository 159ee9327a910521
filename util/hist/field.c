// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Columns of fields of events, which only the recording tells of: made when they are asked for. A
 * column has no memory of its own beyond its functions, so there is a set of them for each place
 * among the kept texts.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

static u64 field_rank(const struct hist *h, const struct hist_row *row, u32 slot)
{
	return UINT32_MAX - h->text_rank[kept_of(h, row, KEPT_FIELD + slot)]; /* Z before A */
}

static const char *field_str(const struct hist *h, const struct hist_row *row, u32 slot)
{
	return intern_str(&h->texts, (u32)kept_of(h, row, KEPT_FIELD + slot));
}

/* Room for the text, and for all bytes that it was made of. */
static void field_measure(const struct hist *h, const struct hist_row *row, u32 slot, u16 *width)
{
	u32 id = (u32)kept_of(h, row, KEPT_FIELD + slot);
	size_t len = strlen(h->texts.strs[id]) + 1, bytes = h->texts.lens[id];

	hist_widen(width, h->texts.strs[id]);
	*width = MAX((size_t)*width, MIN(bytes > len ? bytes - len : 0, (size_t)UINT16_MAX));
}

static void field_format(const struct hist *h, const struct hist_row *row, u32 slot, u16 width,
			 const char *sep, struct strbuf *out)
{
	size_t at = out->len, len;

	strbuf_addname(out, field_str(h, row, slot));
	len = out->len - at;
	if (len > width) {
		out->len = at + width;
		out->buf[out->len] = 0;
	} else if (len < width) { /* stands right */
		strbuf_pad(out, at + width);
		memmove(out->buf + at + width - len, out->buf + at, len);
		memset(out->buf + at, ' ', width - len);
	}
}

#define FUNCTIONS(n)                                                                               \
	static u64 rank_##n(const struct hist *h, const struct hist_row *row, u32 member)          \
	{                                                                                          \
		return field_rank(h, row, n);                                                      \
	}                                                                                          \
	static void measure_##n(const struct hist *h, const struct hist_row *row, u16 *width,      \
				u16 *dso_width)                                                    \
	{                                                                                          \
		field_measure(h, row, n, width);                                                   \
	}                                                                                          \
	static void format_##n(const struct hist *h, const struct hist_event *ev,                  \
			       const struct hist_row *row, u16 width, const char *sep,             \
			       struct strbuf *out)                                                 \
	{                                                                                          \
		field_format(h, row, n, width, sep, out);                                          \
	}

#define EIGHT(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7)
#define EACH(X)                                                                                    \
	EIGHT(X, 0)                                                                                \
	EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05) EIGHT(X, 06) EIGHT(X, 07)

EACH(FUNCTIONS)

static const struct {
	u64 (*rank)(const struct hist *h, const struct hist_row *row, u32 member);
	void (*measure)(const struct hist *h, const struct hist_row *row, u16 *width,
			u16 *dso_width);
	void (*format)(const struct hist *h, const struct hist_event *ev,
		       const struct hist_row *row, u16 width, const char *sep, struct strbuf *out);
} functions[] = {
#define ENTRY(n) { rank_##n, measure_##n, format_##n },
	EACH(ENTRY)
};

_Static_assert(ARRAY_SIZE(functions) == HIST_MAX_FIELDS, "one set for each");

bool hist_field_column(struct hist_column *col, u32 slot, u32 event, const char *name, u16 width,
		       bool measured)
{
	if (slot >= HIST_MAX_FIELDS)
		return false;
	*col = (struct hist_column){
		.name = name,
		.header = name,
		.kept = KEPT_FIELD + slot,
		.event = event + 1,
		.width = width,
		.right = true,
		.wide = true,
		.rank = functions[slot].rank,
		.measure = measured ? functions[slot].measure : NULL,
		.format = functions[slot].format,
	};
	return true;
}
