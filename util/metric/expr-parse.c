// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parser of expressions: recursive descent over tokens, with one table for all binary
 * operators. Length and depth of the input are limited, so every later walk may recurse.
 */
#include "base/compat.h"
#include "metric/expr-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

enum token {
	T_END,
	T_NUMBER,
	T_ID,
	T_LITERAL,
	T_CHAR, /* an operator, a bracket or a comma: the byte itself */
	T_WRONG,
};

struct parser {
	struct arena *arena;
	const char *text;
	const char *p; /* the position after the token */
	struct expr_error *e;
	/* the current token */
	enum token token;
	const char *start;
	size_t len;
	double number;
	int level; /* nested brackets and signs around it */
};

static struct expr_node *fail(struct parser *ps, const char *at, const char *fmt, ...)
	__printf(3, 4);

static struct expr_node *fail(struct parser *ps, const char *at, const char *fmt, ...)
{
	va_list ap;

	ps->e->at = (size_t)(at - ps->text);
	va_start(ap, fmt);
	vsnprintf(ps->e->text, sizeof(ps->e->text), fmt, ap);
	va_end(ap);
	return NULL;
}

/* --- tokens ------------------------------------------------------------------- */

static bool is_id_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:@=?", c));
}

/* Return the length of "12", "1.5", ".5", "5.", "1e-9" or "0x1f"; 0 when there is no number. */
static size_t number_length(const char *s, double *value)
{
	size_t n = 0, mantissa;
	u64 v = 0;

	if (s[0] == '0' && (s[1] | 0x20) == 'x' && isxdigit((unsigned char)s[2])) {
		for (n = 2; isxdigit((unsigned char)s[n]); n++)
			v = v << 4 | (u64)(isdigit((unsigned char)s[n]) ? s[n] - '0'
									: (s[n] | 0x20) - 'a' + 10);
		*value = (double)v;
		return n;
	}
	while (isdigit((unsigned char)s[n]))
		n++;
	mantissa = n;
	if (s[n] == '.') {
		n++;
		while (isdigit((unsigned char)s[n])) {
			n++;
			mantissa++;
		}
	}
	if (!mantissa)
		return 0;
	if ((s[n] | 0x20) == 'e') {
		size_t e = n + 1 + (s[n + 1] == '-' || s[n + 1] == '+');

		if (isdigit((unsigned char)s[e]))
			for (n = e; isdigit((unsigned char)s[n]);)
				n++;
	}
	*value = strtod(s, NULL);
	return n;
}

static void next_token(struct parser *ps)
{
	const char *s = ps->p;
	size_t n = 0;

	while (isspace((unsigned char)*s))
		s++;
	ps->start = s;
	ps->token = T_END;
	if (*s == '#') {
		ps->token = T_LITERAL;
		for (n = 1; isalnum((unsigned char)s[n]) || s[n] == '_';)
			n++;
	} else if ((is_id_char(*s) && *s != '=') || (*s == '\\' && s[1])) {
		while (is_id_char(s[n]) || (s[n] == '\\' && s[n + 1]))
			n += s[n] == '\\' ? 2 : 1;
		/* a token that is entirely a number is one; 1e-9 extends beyond the letters */
		ps->token = number_length(s, &ps->number) >= n ? T_NUMBER : T_ID;
		if (ps->token == T_NUMBER)
			n = number_length(s, &ps->number);
	} else if (*s) {
		ps->token = strchr("+-*/%<>|&^(),", *s) ? T_CHAR : T_WRONG;
		n = 1;
	}
	ps->len = n;
	ps->p = s + n;
}

static bool at_char(const struct parser *ps, char c)
{
	return ps->token == T_CHAR && *ps->start == c;
}

static bool at_word(const struct parser *ps, const char *word)
{
	return ps->token == T_ID && strlen(word) == ps->len && !memcmp(ps->start, word, ps->len);
}

static struct expr_node *unexpected(struct parser *ps, const char *wanted)
{
	if (ps->token == T_END)
		return fail(ps, ps->start, "%s is expected, the expression ends", wanted);
	return fail(ps, ps->start, "%s is expected, not '%.*s'", wanted,
		    (int)MIN(ps->len, (size_t)40), ps->start);
}

/* --- nodes -------------------------------------------------------------------- */

static struct expr_node *new_node(struct parser *ps, enum expr_kind kind, const char *at)
{
	struct expr_node *n = arena_alloc(ps->arena, sizeof(*n));

	memset(n, 0, sizeof(*n));
	n->kind = kind;
	n->at = (u32)(at - ps->text);
	return n;
}

/* Make a node. NULL when an argument is missing already, or when the tree gets too deep. */
static struct expr_node *join(struct parser *ps, enum expr_kind kind, const char *at,
			      struct expr_node *a, struct expr_node *b, struct expr_node *c)
{
	struct expr_node *n = new_node(ps, kind, at);

	n->arg[0] = a;
	n->arg[1] = b;
	n->arg[2] = c;
	for (int i = 0; i < expr_args(kind); i++) {
		if (!n->arg[i])
			return NULL;
		n->depth = MAX(n->depth, n->arg[i]->depth + 1);
	}
	if (n->depth > EXPR_DEPTH_MAX)
		return fail(ps, at, "more than %d nested operations", EXPR_DEPTH_MAX);
	return n;
}

/* Return the token as a name, with escapes resolved and "/" for "@". */
static const char *token_name(struct parser *ps)
{
	char *name = arena_alloc(ps->arena, ps->len + 1), *out = name;

	for (size_t i = 0; i < ps->len; i++) {
		char c = ps->start[i];

		if (c == '\\')
			c = ps->start[++i];
		else if (c == '@')
			c = '/';
		*out++ = c;
	}
	*out = 0;
	return name;
}

/* --- grammar ------------------------------------------------------------------ */

static struct expr_node *parse_if(struct parser *ps);
static struct expr_node *parse_binary(struct parser *ps, int level);

/* If the token is this byte, skip it, otherwise record an error. */
static bool expect(struct parser *ps, char c)
{
	char wanted[] = { '\'', c, '\'', 0 };

	if (!at_char(ps, c)) {
		unexpected(ps, wanted);
		return false;
	}
	next_token(ps);
	return true;
}

static const struct function {
	const char *name;
	enum expr_kind kind;
} functions[] = {
	{ "min", EXPR_MIN },
	{ "max", EXPR_MAX },
	{ "d_ratio", EXPR_D_RATIO },
	{ "source_count", EXPR_SOURCE_COUNT },
	{ "has_event", EXPR_HAS_EVENT },
	{ "strcmp_cpuid_str", EXPR_CPUID },
};

/* Parse name "(" arguments ")", with the token at the name. */
static struct expr_node *parse_function(struct parser *ps, const struct function *f)
{
	const char *at = ps->start;
	struct expr_node *a, *b;

	next_token(ps);
	if (!expect(ps, '('))
		return NULL;
	if (expr_args(f->kind)) {
		a = parse_if(ps);
		if (!a || !expect(ps, ','))
			return NULL;
		b = parse_if(ps);
		if (!b || !expect(ps, ')'))
			return NULL;
		return join(ps, f->kind, at, a, b, NULL);
	}
	if (ps->token != T_ID && !(ps->token == T_NUMBER && f->kind == EXPR_CPUID))
		return unexpected(ps, f->kind == EXPR_CPUID ? "a CPU id" : "an event");
	a = new_node(ps, f->kind, at);
	a->name = token_name(ps);
	next_token(ps);
	return expect(ps, ')') ? a : NULL;
}

static struct expr_node *parse_name(struct parser *ps)
{
	struct expr_node *n;

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (at_word(ps, functions[i].name))
			return parse_function(ps, &functions[i]);
	if (at_word(ps, "if") || at_word(ps, "else"))
		return unexpected(ps, "a value");
	n = new_node(ps, EXPR_ID, ps->start);
	n->name = token_name(ps);
	next_token(ps);
	return n;
}

static struct expr_node *parse_primary(struct parser *ps)
{
	const char *at = ps->start;
	struct expr_node *n;

	switch (ps->token) {
	case T_NUMBER:
		n = new_node(ps, EXPR_NUMBER, at);
		n->number = ps->number;
		next_token(ps);
		return n;
	case T_LITERAL:
		n = new_node(ps, EXPR_LITERAL, at);
		n->name = arena_strndup(ps->arena, at + 1, ps->len - 1);
		next_token(ps);
		return n;
	case T_ID:
		return parse_name(ps);
	default:
		break;
	}
	if (!at_char(ps, '('))
		return unexpected(ps, "a value");
	next_token(ps);
	n = parse_if(ps);
	return n && expect(ps, ')') ? n : NULL;
}

/* Parse a value with the signs before it. */
static struct expr_node *parse_unary(struct parser *ps)
{
	const char *at = ps->start;
	struct expr_node *n;

	if (++ps->level > EXPR_BRACKETS_MAX)
		return fail(ps, at, "more than %d nested brackets and signs", EXPR_BRACKETS_MAX);
	if (at_char(ps, '-')) {
		next_token(ps);
		n = join(ps, EXPR_NEG, at, parse_unary(ps), NULL, NULL);
	} else {
		n = parse_primary(ps);
	}
	ps->level--;
	return n;
}

/* The operators, from the lowest to the highest precedence. */
static const struct level {
	char op[3];
	enum expr_kind kind[3];
} levels[] = {
	{ { '|' }, { EXPR_OR } },
	{ { '^' }, { EXPR_XOR } },
	{ { '&' }, { EXPR_AND } },
	{ { '<', '>' }, { EXPR_LESS, EXPR_GREATER } },
	{ { '+', '-' }, { EXPR_ADD, EXPR_SUB } },
	{ { '*', '/', '%' }, { EXPR_MUL, EXPR_DIV, EXPR_MOD } },
};

/* Parse operators of @level and of higher precedence; all are left-associative. */
static struct expr_node *parse_binary(struct parser *ps, int level)
{
	struct expr_node *left;

	if (level == ARRAY_SIZE(levels))
		return parse_unary(ps);
	left = parse_binary(ps, level + 1);
	while (left && ps->token == T_CHAR) {
		const char *at = ps->start;
		const char *op = memchr(levels[level].op, *at, sizeof(levels[level].op));

		if (!op)
			break;
		next_token(ps);
		left = join(ps, levels[level].kind[op - levels[level].op], at, left,
			    parse_binary(ps, level + 1), NULL);
	}
	return left;
}

static struct expr_node *parse_if(struct parser *ps)
{
	struct expr_node *value = parse_binary(ps, 0), *condition, *other;
	const char *at = ps->start;

	if (!value || !at_word(ps, "if"))
		return value;
	if (++ps->level > EXPR_BRACKETS_MAX)
		return fail(ps, at, "more than %d nested conditions", EXPR_BRACKETS_MAX);
	next_token(ps);
	condition = parse_binary(ps, 0);
	if (!condition)
		return NULL;
	if (!at_word(ps, "else"))
		return unexpected(ps, "'else'");
	next_token(ps);
	other = parse_if(ps);
	ps->level--;
	return join(ps, EXPR_IF, at, condition, value, other);
}

/* --- ids ---------------------------------------------------------------------- */

struct id_list {
	const char **names;
	size_t nr, cap;
};

static void collect(struct expr_node *n, struct id_list *l)
{
	for (int i = 0; i < expr_args(n->kind); i++)
		collect(n->arg[i], l);
	if (n->kind != EXPR_ID && n->kind != EXPR_SOURCE_COUNT)
		return;
	for (n->id = 0; n->id < l->nr; n->id++)
		if (!strcmp(l->names[n->id], n->name))
			return;
	VEC_GROW(l->names, l->nr + 1, l->cap);
	l->names[l->nr++] = n->name;
}

void expr_number_ids(struct arena *a, struct expr *x)
{
	struct id_list l = { 0 };

	collect(x->root, &l);
	x->nr_ids = (u32)l.nr;
	x->ids = arena_alloc(a, l.nr * sizeof(*l.names));
	if (l.nr)
		memcpy(x->ids, l.names, l.nr * sizeof(*l.names));
	free(l.names);
}

int expr_parse(struct arena *a, const char *text, struct expr *x, struct expr_error *e)
{
	struct parser ps = { .arena = a, .text = text, .p = text, .e = e };

	memset(e, 0, sizeof(*e));
	memset(x, 0, sizeof(*x));
	if (strlen(text) > EXPR_LENGTH_MAX) {
		fail(&ps, text + EXPR_LENGTH_MAX, "longer than %d bytes", EXPR_LENGTH_MAX);
		return -EINVAL;
	}
	next_token(&ps);
	x->root = parse_if(&ps);
	if (x->root && ps.token != T_END)
		x->root = unexpected(&ps, "an operator");
	if (!x->root)
		return -EINVAL;
	expr_number_ids(a, x);
	return 0;
}
