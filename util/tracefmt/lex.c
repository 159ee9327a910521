// SPDX-License-Identifier: GPL-2.0-or-later
/* Split a print fmt in tokens: C identifiers, numbers, strings, characters and operators. */
#include "base/compat.h"
#include "tracefmt/parser-internal.h"

static bool ident_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hexval(char c)
{
	if (digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static void lex_num(struct parser *ps)
{
	u64 v = 0, base = 10;
	const char *p = ps->p;

	if (p + 2 < ps->end && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	} else if (*p == '0') {
		base = 8;
	}
	for (; p < ps->end; p++) {
		int d = hexval(*p);

		if (d < 0 || (u64)d >= base)
			break;
		v = v * base + (u64)d;
	}
	ps->num_unsigned = false;
	for (; p < ps->end && (*p == 'U' || *p == 'u' || *p == 'L' || *p == 'l'); p++)
		ps->num_unsigned |= *p == 'U' || *p == 'u';
	ps->tok = T_NUM;
	ps->num = v;
	ps->p = p;
}

static char unescape(const char **pp, const char *end)
{
	const char *p = *pp;
	char c = *p++;
	int v = 0;

	switch (c) {
	case 'n':
		c = '\n';
		break;
	case 't':
		c = '\t';
		break;
	case 'r':
		c = '\r';
		break;
	case 'x':
		while (p < end && hexval(*p) >= 0)
			v = v * 16 % 256 + hexval(*p++);
		c = (char)v;
		break;
	default:
		if (c >= '0' && c <= '7') {
			v = c - '0';
			while (p < end && *p >= '0' && *p <= '7' && p < *pp + 3)
				v = v * 8 + *p++ - '0';
			c = (char)v;
		}
		break;
	}
	*pp = p;
	return c;
}

static void lex_str(struct parser *ps)
{
	const char *p = ps->p + 1, *close = p;
	size_t n = 0;
	char *out;

	while (close < ps->end && *close != '"')
		close += *close == '\\' && close + 1 < ps->end ? 2 : 1;
	out = arena_alloc(&ps->tf->arena, (size_t)(close - p) + 1);

	while (p < ps->end && *p != '"') {
		if (*p == '\\' && p + 1 < ps->end) {
			p++;
			out[n++] = unescape(&p, ps->end);
		} else {
			out[n++] = *p++;
		}
	}
	out[n] = '\0';
	ps->tok = p < ps->end ? T_STR : T_BAD;
	ps->text = out;
	ps->len = n;
	ps->p = p < ps->end ? p + 1 : p;
}

static void lex_char(struct parser *ps)
{
	const char *p = ps->p + 1;
	char c = 0;

	if (p < ps->end && *p == '\\' && p + 1 < ps->end) {
		p++;
		c = unescape(&p, ps->end);
	} else if (p < ps->end) {
		c = *p++;
	}
	ps->tok = p < ps->end && *p == '\'' ? T_NUM : T_BAD;
	ps->num = (u64)c;
	ps->p = p < ps->end ? p + 1 : p;
}

static void lex_op(struct parser *ps)
{
	static const struct {
		char a, b;
		u16 op;
	} two[] = {
		{ '<', '<', OP_SHL }, { '>', '>', OP_SHR }, { '<', '=', OP_LE },
		{ '>', '=', OP_GE },  { '=', '=', OP_EQ },  { '!', '=', OP_NE },
		{ '&', '&', OP_AND }, { '|', '|', OP_OR },  { '-', '>', '.' },
	};
	size_t i;

	ps->tok = T_OP;
	for (i = 0; i < ARRAY_SIZE(two); i++) {
		if (ps->p + 1 < ps->end && ps->p[0] == two[i].a && ps->p[1] == two[i].b) {
			ps->op = two[i].op;
			ps->p += 2;
			return;
		}
	}
	ps->op = (u8)*ps->p++;
}

void lex_next(struct parser *ps)
{
	while (ps->p < ps->end &&
	       (*ps->p == ' ' || *ps->p == '\t' || *ps->p == '\n' || *ps->p == '\r'))
		ps->p++;
	if (ps->p >= ps->end) {
		ps->tok = T_END;
	} else if (ident_start(*ps->p)) {
		ps->text = ps->p;
		while (ps->p < ps->end && (ident_start(*ps->p) || digit(*ps->p)))
			ps->p++;
		ps->len = (size_t)(ps->p - ps->text);
		ps->tok = T_IDENT;
	} else if (digit(*ps->p)) {
		lex_num(ps);
	} else if (*ps->p == '"') {
		lex_str(ps);
	} else if (*ps->p == '\'') {
		lex_char(ps);
	} else {
		lex_op(ps);
	}
}
