// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "report/fit.h"

#include "base/alloc.h"
#include "base/escape.h"

struct range {
	u32 first, last;
};

/* Combining marks and other characters without width, of the scripts that names are written in
 * (general categories Mn, Me and Cf of Unicode). */
static const struct range no_width[] = {
	{ 0x300, 0x36f },   { 0x483, 0x489 },     { 0x591, 0x5bd },   { 0x610, 0x61a },
	{ 0x64b, 0x65f },   { 0x6d6, 0x6dc },     { 0x900, 0x902 },   { 0x93c, 0x93c },
	{ 0x941, 0x948 },   { 0x94d, 0x94d },     { 0xe31, 0xe31 },   { 0xe34, 0xe3a },
	{ 0xe47, 0xe4e },   { 0x1160, 0x11ff },   { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x200b, 0x200f }, { 0x202a, 0x202e },   { 0x2060, 0x2064 }, { 0x20d0, 0x20ff },
	{ 0x302a, 0x302d }, { 0x3099, 0x309a },   { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
	{ 0xfeff, 0xfeff }, { 0xe0100, 0xe01ef },
};

/* Blocks whose characters take two columns (East_Asian_Width W and F of Unicode). */
static const struct range two_columns[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0x4dbf },   { 0x4e00, 0xa4cf },
	{ 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },
	{ 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x17000, 0x1b2ff }, { 0x1f300, 0x1f64f },
	{ 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff }, { 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};

static bool in_ranges(const struct range *r, size_t nr, u32 c)
{
	for (size_t i = 0; i < nr && r[i].first <= c; i++)
		if (c <= r[i].last)
			return true;
	return false;
}

/* Return the length in bytes of the character at @s, and set the columns that it takes. */
static size_t character(const char *s, size_t len, size_t *columns)
{
	size_t n = utf8_length(s, len);
	u32 c;

	*columns = 1;
	if (n < 2)
		return 1;
	c = (unsigned char)s[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	if (in_ranges(no_width, ARRAY_SIZE(no_width), c))
		*columns = 0;
	else if (in_ranges(two_columns, ARRAY_SIZE(two_columns), c))
		*columns = 2;
	return n;
}

/* Return the length of the sequence of colour at @s, "\033[31m"; 0: there is none. */
static size_t color_length(const char *s, size_t len)
{
	size_t i = 2;

	if (len < 3 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (i < len && s[i] != 'm')
		i++;
	return i < len ? i + 1 : 0;
}

size_t fit_columns(const char *s, size_t len)
{
	size_t sum = 0, columns, n;

	for (size_t i = 0; i < len; i += n) {
		n = color_length(s + i, len - i);
		if (n)
			continue;
		n = character(s + i, len - i, &columns);
		sum += columns;
	}
	return sum;
}

/* Return how many bytes the characters at the beginning of @s take that fill @columns at most.
 * The marks behind the last of them belong to it. */
static size_t head_length(const char *s, size_t len, size_t columns)
{
	size_t i = 0, used = 0, n, width;

	for (; i < len; i += n, used += width) {
		n = character(s + i, len - i, &width);
		if (used + width > columns)
			break;
	}
	return i;
}

/* Return where the end of @s begins that fills @columns at most, of @all. It does not begin with a
 * mark, which would belong to the character in front of it. */
static size_t tail_start(const char *s, size_t len, size_t all, size_t columns)
{
	size_t i = 0, n, width;

	for (; i < len; i += n, all -= width) {
		n = character(s + i, len - i, &width);
		if (all <= columns && width)
			break;
	}
	return i;
}

void fit_shorten(struct strbuf *out, size_t from, size_t columns, bool utf8)
{
	const char *dots = utf8 ? "\u2026" : "...";
	size_t dots_columns = utf8 ? 1 : 3, len = out->len - from, all, room, head, tail;
	char *text;

	if (len <= columns) /* no character takes more columns than it has bytes */
		return;
	all = fit_columns(out->buf + from, len);
	if (all <= columns)
		return;
	if (columns <= dots_columns) {
		out->len = from;
		out->buf[from] = 0;
		strbuf_add(out, dots, utf8 && columns ? strlen(dots) : columns);
		return;
	}
	text = xstrndup(out->buf + from, len);
	room = columns - dots_columns;
	head = head_length(text, len, (room + 1) / 2);
	tail = tail_start(text, len, all, room / 2);
	out->len = from + head;
	strbuf_addstr(out, dots);
	strbuf_add(out, text + tail, len - tail);
	free(text);
}

void fit_in_line(struct strbuf *out, size_t at, size_t end, const struct fit *fit, size_t least)
{
	size_t line = at, used, room;
	char *behind;

	while (line && out->buf[line - 1] != '\n')
		line--;
	used = fit_columns(out->buf + line, at - line) +
	       fit_columns(out->buf + end, out->len - end);
	room = used < fit->columns ? fit->columns - used : 0;
	behind = xstrdup(out->buf + end);
	out->len = end;
	out->buf[end] = 0;
	fit_shorten(out, at, MAX(room, least), fit->utf8);
	strbuf_addstr(out, behind);
	free(behind);
}

void fit_pad(struct strbuf *out, size_t from, size_t columns)
{
	size_t has = fit_columns(out->buf + from, out->len - from);

	if (has < columns)
		strbuf_pad(out, out->len + columns - has);
}

/* Return the width that may become smaller and is the widest; NULL: there is none. */
static u16 *widest(u16 *width, const u16 *least, size_t nr)
{
	u16 *best = NULL;

	for (size_t i = 0; i < nr; i++)
		if (width[i] > least[i] && (!best || width[i] > *best))
			best = &width[i];
	return best;
}

size_t fit_widths(u16 *width, const u16 *least, size_t nr, size_t excess)
{
	u16 *w;

	for (; excess && (w = widest(width, least, nr)); excess--)
		--*w;
	return excess;
}
