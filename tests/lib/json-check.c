// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "json-check.h"

#define DEPTH_MAX 100

struct scan {
	const unsigned char *p, *end;
};

static int peek(const struct scan *s)
{
	return s->p < s->end ? *s->p : -1;
}

static void blanks(struct scan *s)
{
	while (peek(s) == ' ' || peek(s) == '\t' || peek(s) == '\n' || peek(s) == '\r')
		s->p++;
}

static bool word(struct scan *s, const char *w)
{
	for (; *w; w++, s->p++)
		if (peek(s) != *w)
			return false;
	return true;
}

static bool digits(struct scan *s)
{
	const unsigned char *start = s->p;

	while (peek(s) >= '0' && peek(s) <= '9')
		s->p++;
	return s->p > start;
}

static bool number(struct scan *s)
{
	if (peek(s) == '-')
		s->p++;
	if (peek(s) == '0')
		s->p++;
	else if (!digits(s))
		return false;
	if (peek(s) == '.' && (s->p++, !digits(s)))
		return false;
	if (peek(s) == 'e' || peek(s) == 'E') {
		s->p++;
		if (peek(s) == '+' || peek(s) == '-')
			s->p++;
		return digits(s);
	}
	return true;
}

static bool escape(struct scan *s)
{
	int i, c = peek(s);

	s->p++;
	if (c != 'u')
		return c > 0 && strchr("\"\\/bfnrt", c);
	for (i = 0; i < 4; i++, s->p++)
		if (peek(s) < 0 || !strchr("0123456789abcdefABCDEF", peek(s)))
			return false;
	return true;
}

/* The ranges of the second byte by the first (Unicode, table 3-7). */
static bool utf8(struct scan *s)
{
	int c = *s->p++, low = 0x80, high = 0xbf, more;

	if (c < 0xc2 || c > 0xf4)
		return false;
	more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	if (c == 0xe0)
		low = 0xa0;
	else if (c == 0xed)
		high = 0x9f;
	else if (c == 0xf0)
		low = 0x90;
	else if (c == 0xf4)
		high = 0x8f;
	for (; more; more--, s->p++, low = 0x80, high = 0xbf)
		if (peek(s) < low || peek(s) > high)
			return false;
	return true;
}

static bool string(struct scan *s)
{
	if (peek(s) != '"')
		return false;
	for (s->p++; peek(s) != '"';) {
		int c = peek(s);

		if (c < 0x20)
			return false;
		if (c >= 0x80 && !utf8(s))
			return false;
		if (c >= 0x80)
			continue;
		s->p++;
		if (c == '\\' && !escape(s))
			return false;
	}
	s->p++;
	return true;
}

static bool value(struct scan *s, int depth);

/* Read a list between brackets, both included; members of objects have keys. */
static bool group(struct scan *s, int depth, char close)
{
	s->p++;
	blanks(s);
	if (peek(s) == close) {
		s->p++;
		return true;
	}
	for (;;) {
		blanks(s);
		if (close == '}') {
			if (!string(s))
				return false;
			blanks(s);
			if (!word(s, ":"))
				return false;
		}
		if (!value(s, depth + 1))
			return false;
		if (peek(s) == close)
			break;
		if (!word(s, ","))
			return false;
	}
	s->p++;
	return true;
}

static bool value(struct scan *s, int depth)
{
	bool ok;

	blanks(s);
	if (depth > DEPTH_MAX)
		return false;
	switch (peek(s)) {
	case '{':
		ok = group(s, depth, '}');
		break;
	case '[':
		ok = group(s, depth, ']');
		break;
	case '"':
		ok = string(s);
		break;
	case 't':
		ok = word(s, "true");
		break;
	case 'f':
		ok = word(s, "false");
		break;
	case 'n':
		ok = word(s, "null");
		break;
	default:
		ok = number(s);
		break;
	}
	blanks(s);
	return ok;
}

s64 json_check(const char *text, size_t len)
{
	struct scan s = { (const unsigned char *)text, (const unsigned char *)text + len };

	return value(&s, 0) && s.p == s.end ? -1 : (s64)(s.p - (const unsigned char *)text);
}
