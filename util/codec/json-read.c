// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A JSON parser by recursive descent. The input may be any bytes. It never reads beyond the end,
 * does not nest deeper than JSON_DEPTH_MAX, and allocates at most a constant times the length of
 * the text.
 */
#include "base/compat.h"
#include "codec/json-read.h"

#include <errno.h>

struct reader {
	struct arena *arena;
	const char *p, *end;
	u32 line;
	const char *wrong; /* the fault in the line; NULL: none so far */
};

static bool fail(struct reader *r, const char *wrong)
{
	if (!r->wrong)
		r->wrong = wrong;
	return false;
}

static void skip_blanks(struct reader *r)
{
	for (; r->p < r->end; r->p++) {
		if (*r->p == '\n')
			r->line++;
		else if (*r->p != ' ' && *r->p != '\t' && *r->p != '\r')
			return;
	}
}

/* If the next byte is @c, skip it. Return: whether it was. */
static bool take(struct reader *r, char c)
{
	if (r->p >= r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n))
		return false;
	r->p += n;
	return true;
}

/* --- strings ------------------------------------------------------------------ */

static bool hex4(struct reader *r, u32 *out)
{
	u32 v = 0;

	for (int i = 0; i < 4; i++, r->p++) {
		char c = r->p < r->end ? *r->p : 0;

		if (c >= '0' && c <= '9')
			v = v << 4 | (u32)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | (u32)((c | 0x20) - 'a' + 10);
		else
			return fail(r, "\\u wants four hexadecimal digits");
	}
	*out = v;
	return true;
}

static char *put_utf8(char *out, u32 c)
{
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*out++ = (char)(0xe0 | c >> 12);
		} else {
			*out++ = (char)(0xf0 | c >> 18);
			*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*out++ = (char)(0x80 | (c & 0x3f));
	return out;
}

/* Convert \uXXXX, or two of them for a surrogate pair; half a pair becomes U+FFFD. */
static bool unescape_u(struct reader *r, char **out)
{
	u32 c, low;

	if (!hex4(r, &c))
		return false;
	if (!c)
		return fail(r, "a zero byte in a string");
	if (c >= 0xd800 && c < 0xe000) {
		const char *behind = r->p;
		u32 high = c;

		c = 0xfffd;
		if (high < 0xdc00 && take_word(r, "\\u")) {
			if (!hex4(r, &low))
				return false;
			if (low >= 0xdc00 && low < 0xe000)
				c = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
			else
				r->p = behind;
		}
	}
	*out = put_utf8(*out, c);
	return true;
}

static bool unescape(struct reader *r, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (r->p >= r->end)
		return fail(r, "the string does not end");
	if (*r->p == 'u') {
		r->p++;
		return unescape_u(r, out);
	}
	at = *r->p ? strchr(from, *r->p) : NULL;
	if (!at)
		return fail(r, "unknown escape in a string");
	*(*out)++ = to[at - from];
	r->p++;
	return true;
}

/* Parse a string whose opening quote is before r->p; NULL when it is not valid. */
static const char *read_string(struct reader *r)
{
	const char *close = r->p;
	char *start, *out;

	while (close < r->end && *close != '"')
		close += *close == '\\' && close + 1 < r->end ? 2 : 1;
	if (close >= r->end) {
		fail(r, "the string does not end");
		return NULL;
	}
	/* no escape sequence is shorter than the character it stands for */
	start = out = arena_alloc(r->arena, (size_t)(close - r->p) + 1);
	while (r->p < close) {
		char c = *r->p++;

		if ((unsigned char)c < 0x20) {
			fail(r, "a control byte in a string");
			return NULL;
		}
		if (c != '\\')
			*out++ = c;
		else if (!unescape(r, &out))
			return NULL;
	}
	*out = 0;
	r->p++;
	return start;
}

/* --- numbers ------------------------------------------------------------------ */

static bool digits(struct reader *r)
{
	const char *from = r->p;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return r->p > from;
}

static bool read_number(struct reader *r, struct json_value *v)
{
	const char *from = r->p;

	take(r, '-');
	if (!take(r, '0') && !digits(r))
		return fail(r, "a value is expected");
	if (take(r, '.') && !digits(r))
		return fail(r, "digits are expected behind the point");
	if (take(r, 'e') || take(r, 'E')) {
		if (!take(r, '-'))
			take(r, '+');
		if (!digits(r))
			return fail(r, "digits are expected in the exponent");
	}
	v->type = JSON_NUMBER;
	v->str = arena_strndup(r->arena, from, (size_t)(r->p - from));
	return true;
}

/* --- values ------------------------------------------------------------------- */

static struct json_value *read_value(struct reader *r, int depth);

/* Parse the members up to @close, with r->p after the opening bracket. */
static bool read_members(struct reader *r, struct json_value *v, char close, int depth)
{
	struct json_value **tail = &v->first, *member;
	const char *key = NULL;

	skip_blanks(r);
	if (take(r, close))
		return true;
	do {
		skip_blanks(r);
		if (v->type == JSON_OBJECT) {
			if (!take(r, '"'))
				return fail(r, "a name in quotes is expected");
			key = read_string(r);
			if (!key)
				return false;
			skip_blanks(r);
			if (!take(r, ':'))
				return fail(r, "a colon is expected behind the name");
		}
		member = read_value(r, depth);
		if (!member)
			return false;
		member->key = key;
		*tail = member;
		tail = &member->next;
		skip_blanks(r);
	} while (take(r, ','));
	if (!take(r, close))
		return fail(r, close == ']' ? "a comma or ']' is expected"
					    : "a comma or '}' is expected");
	return true;
}

static bool read_kind(struct reader *r, struct json_value *v, int depth)
{
	if (take(r, '"')) {
		v->type = JSON_STRING;
		v->str = read_string(r);
		return v->str != NULL;
	}
	if (take(r, '{')) {
		v->type = JSON_OBJECT;
		return read_members(r, v, '}', depth + 1);
	}
	if (take(r, '[')) {
		v->type = JSON_ARRAY;
		return read_members(r, v, ']', depth + 1);
	}
	if (take_word(r, "null"))
		return true;
	v->type = JSON_BOOL;
	v->truth = take_word(r, "true");
	return v->truth || take_word(r, "false") || read_number(r, v);
}

static struct json_value *read_value(struct reader *r, int depth)
{
	struct json_value *v;

	skip_blanks(r);
	if (depth > JSON_DEPTH_MAX) {
		fail(r, "nested too deep");
		return NULL;
	}
	if (r->p >= r->end) {
		fail(r, "the text ends early");
		return NULL;
	}
	v = arena_alloc(r->arena, sizeof(*v));
	memset(v, 0, sizeof(*v));
	v->line = r->line;
	return read_kind(r, v, depth) ? v : NULL;
}

struct json_value *json_parse(struct arena *a, const char *text, size_t len, const char *what,
			      struct err *err)
{
	struct reader r = { .arena = a, .p = text, .end = text + len, .line = 1 };
	struct json_value *v;

	take_word(&r, "\xef\xbb\xbf");
	v = read_value(&r, 0);
	skip_blanks(&r);
	if (v && r.p < r.end)
		fail(&r, "more text behind the value");
	if (!r.wrong)
		return v;
	err_set(err, -EINVAL, "%s:%u: not JSON: %s", what, r.line, r.wrong);
	return NULL;
}

const struct json_value *json_get(const struct json_value *object, const char *key)
{
	if (object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_value *m = object->first; m; m = m->next)
		if (!strcmp(m->key, key))
			return m;
	return NULL;
}

const char *json_get_str(const struct json_value *object, const char *key)
{
	const struct json_value *m = json_get(object, key);

	return m ? m->str : NULL;
}
