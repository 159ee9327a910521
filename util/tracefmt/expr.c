// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The print fmt of a format description: a C format string, and arguments that are C
 * expressions over REC->field and a few helpers (__get_str(), __print_symbolic() ...).
 * A recursive-descent parser over the text; depth and node count are limited.
 */
#include "base/compat.h"
#include "tracefmt/parser-internal.h"

#include "base/alloc.h"

#include <errno.h>

#define MAX_DEPTH 64
#define MAX_NODES 20000
#define MAX_ARGS 256
#define MAX_CALL_ARGS 16

static struct tf_expr *parse_expr(struct parser *ps);
static struct tf_expr *parse_unary(struct parser *ps);

static void fail(struct parser *ps, const char *why)
{
	if (!ps->why)
		ps->why = why;
}

static bool is_op(const struct parser *ps, u16 op)
{
	return ps->tok == T_OP && ps->op == op;
}

static bool expect(struct parser *ps, u16 op)
{
	if (!is_op(ps, op)) {
		fail(ps, "unexpected token");
		return false;
	}
	lex_next(ps);
	return true;
}

static bool is_word(const struct parser *ps, const char *w)
{
	return ps->tok == T_IDENT && ps->len == strlen(w) && !memcmp(ps->text, w, ps->len);
}

/* ------------------------------------------------------------------ nodes */

static struct tf_expr *node(struct parser *ps, enum tf_kind kind, struct tf_expr *a,
			    struct tf_expr *b)
{
	struct tf_expr *x = arena_alloc(&ps->tf->arena, sizeof(*x));

	memset(x, 0, sizeof(*x));
	x->kind = (u8)kind;
	x->a = a;
	x->b = b;
	x->depth = (u16)(1 + MAX(a ? a->depth : 0, b ? b->depth : 0));
	if (++ps->nodes > MAX_NODES || x->depth > MAX_DEPTH * 16)
		fail(ps, "expression too large");
	return x;
}

static struct tf_expr *num_node(struct parser *ps, u64 v)
{
	struct tf_expr *x = node(ps, X_NUM, NULL, NULL);

	x->num = v;
	return x;
}

/* Adjacent string literals are one. */
static struct tf_expr *str_node(struct parser *ps)
{
	struct tf_expr *x = node(ps, X_STR, NULL, NULL);
	struct strbuf sb = STRBUF_INIT;

	while (ps->tok == T_STR) {
		strbuf_add(&sb, ps->text, ps->len);
		lex_next(ps);
	}
	x->str = arena_strndup(&ps->tf->arena, strbuf_str(&sb), sb.len);
	x->len = (u32)sb.len;
	strbuf_release(&sb);
	return x;
}

/* ------------------------------------------------------------------ types */

struct ctype {
	u8 size; /* 0: leaves the value alone */
	bool sign, ptr;
	u8 elem; /* of what a pointer points at */
};

static const struct {
	const char *name;
	u8 size;
	bool sign;
} types[] = {
	{ "char", 1, true },      { "s8", 1, true },        { "__s8", 1, true },
	{ "int8_t", 1, true },    { "u8", 1, false },       { "__u8", 1, false },
	{ "uint8_t", 1, false },  { "bool", 1, false },     { "short", 2, true },
	{ "s16", 2, true },       { "__s16", 2, true },     { "int16_t", 2, true },
	{ "u16", 2, false },      { "__u16", 2, false },    { "uint16_t", 2, false },
	{ "__be16", 2, false },   { "int", 4, true },       { "s32", 4, true },
	{ "__s32", 4, true },     { "int32_t", 4, true },   { "u32", 4, false },
	{ "__u32", 4, false },    { "uint32_t", 4, false }, { "__be32", 4, false },
	{ "uint", 4, false },     { "s64", 8, true },       { "__s64", 8, true },
	{ "int64_t", 8, true },   { "u64", 8, false },      { "__u64", 8, false },
	{ "uint64_t", 8, false }, { "__be64", 8, false },
};

static bool type_word(const char *s, size_t n)
{
	static const char *const words[] = { "unsigned", "signed", "long", "const",   "struct",
					     "enum",     "union",  "void", "volatile" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == n && !memcmp(s, words[i], n))
			return true;
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (strlen(types[i].name) == n && !memcmp(s, types[i].name, n))
			return true;
	return n > 2 && !memcmp(s + n - 2, "_t", 2);
}

/* Read the words up to the closing parenthesis as a type. */
static struct ctype read_type(struct parser *ps)
{
	struct ctype t = { 0 };
	bool is_unsigned = false, seen = false, tagged = false;
	unsigned int longs = 0;
	size_t i;

	t.sign = true;
	for (; ps->tok == T_IDENT || is_op(ps, '*'); lex_next(ps)) {
		if (is_op(ps, '*')) {
			if (t.ptr)
				t.size = (u8)ps->tf->long_size;
			t.elem = t.ptr ? t.size : t.size;
			t.ptr = true;
		} else if (is_word(ps, "unsigned")) {
			is_unsigned = true;
		} else if (is_word(ps, "long")) {
			longs++;
		} else if (is_word(ps, "struct") || is_word(ps, "union")) {
			tagged = true;
		} else if (!tagged) {
			for (i = 0; i < ARRAY_SIZE(types); i++) {
				if (!is_word(ps, types[i].name))
					continue;
				t.size = types[i].size;
				t.sign = types[i].sign;
				seen = true;
			}
		}
	}
	if (longs && (!seen || t.size == 4))
		t.size = longs > 1 ? 8 : (u8)ps->tf->long_size;
	else if (is_unsigned && !seen)
		t.size = 4;
	if (is_unsigned)
		t.sign = false;
	if (t.ptr) {
		if (!t.elem)
			t.elem = t.size;
		t.size = (u8)ps->tf->long_size;
		t.sign = false;
	}
	return t;
}

/* Tell whether the words after '(' are a cast: a type, some '*', and ')'. A lone unknown word is
 * one when an operand follows. */
static bool at_cast(const struct parser *ps)
{
	struct parser look = *ps;
	bool known = false, star = false;
	unsigned int words = 0;

	if (look.tok != T_IDENT || is_word(&look, "REC"))
		return false;
	while (look.tok == T_IDENT) {
		known |= type_word(look.text, look.len);
		words++;
		lex_next(&look);
	}
	while (is_op(&look, '*') || (star && look.tok == T_IDENT)) {
		star = true;
		lex_next(&look);
	}
	if (!is_op(&look, ')'))
		return false;
	lex_next(&look);
	return known || star || words > 1 ||
	       (words == 1 && (look.tok == T_IDENT || look.tok == T_NUM || is_op(&look, '(')));
}

/* ------------------------------------------------------------------ helpers of trace events */

static const struct tf_field *field_ref(struct parser *ps)
{
	const struct tf_field *f = NULL;
	char *name;

	if (ps->tok != T_IDENT) {
		fail(ps, "a field name is missing");
		return NULL;
	}
	name = xstrndup(ps->text, ps->len);
	f = tf_find_field(ps->ev, name);
	free(name);
	if (!f)
		fail(ps, "unknown field");
	lex_next(ps);
	return f;
}

/* Parse the argument of __get_str(field) and its like. */
static struct tf_expr *field_call(struct parser *ps, enum tf_kind kind)
{
	struct tf_expr *x = node(ps, kind, NULL, NULL);

	x->field = field_ref(ps);
	expect(ps, ')');
	return x;
}

/* Return the value of an entry. Names that the kernel did not translate are -1 to perf. */
static u64 sym_value(const struct tf_ctx *ctx, const struct tf_expr *v)
{
	if (v->kind == X_NUM && v->str)
		return UINT64_MAX;
	return tf_eval(ctx, v);
}

/* Parse { value, "text" }, ... up to the closing parenthesis. */
static void sym_table(struct parser *ps, struct tf_expr *x)
{
	static const struct tf_event nothing;
	struct tf_printer pr = { 0 };
	struct tf_ctx ctx = { .ev = &nothing, .pr = &pr };
	struct tf_event ev = { .tf = ps->tf };
	struct tf_sym *syms = NULL;
	size_t nr = 0, cap = 0;

	ctx.ev = &ev;
	while (!ps->why && is_op(ps, '{')) {
		struct tf_expr *v, *s;

		lex_next(ps);
		if (is_op(ps, '}')) { /* the empty entry that ends some tables */
			lex_next(ps);
			break;
		}
		v = parse_expr(ps);
		if (!expect(ps, ','))
			break;
		if (ps->tok != T_STR && !ps->why) {
			/* {-1, NULL} ends some tables too */
			parse_expr(ps);
			expect(ps, '}');
			break;
		}
		s = ps->why ? NULL : str_node(ps);
		if (!expect(ps, '}') || !s)
			break;
		VEC_GROW(syms, nr + 1, cap);
		syms[nr++] = (struct tf_sym){ sym_value(&ctx, v), s->str, s->len };
		if (is_op(ps, ','))
			lex_next(ps);
	}
	x->syms = arena_alloc(&ps->tf->arena, nr * sizeof(*syms) + 1);
	if (nr)
		memcpy(x->syms, syms, nr * sizeof(*syms));
	x->nr_syms = (u32)nr;
	free(syms);
	expect(ps, ')');
}

static struct tf_expr *print_flags(struct parser *ps)
{
	struct tf_expr *x = node(ps, X_FLAGS, parse_expr(ps), NULL), *delim;

	expect(ps, ',');
	if (ps->tok != T_STR) {
		fail(ps, "a delimiter is missing");
		return x;
	}
	delim = str_node(ps);
	x->str = delim->str;
	x->len = delim->len;
	if (is_op(ps, ','))
		lex_next(ps);
	sym_table(ps, x);
	return x;
}

static struct tf_expr *print_symbolic(struct parser *ps)
{
	struct tf_expr *x = node(ps, X_SYMBOL, parse_expr(ps), NULL);

	if (is_op(ps, ','))
		lex_next(ps);
	sym_table(ps, x);
	return x;
}

static struct tf_expr *print_hex(struct parser *ps, u16 plain)
{
	struct tf_expr *a = parse_expr(ps), *b = NULL, *x;

	if (expect(ps, ','))
		b = parse_expr(ps);
	expect(ps, ')');
	x = node(ps, X_HEX, a, b);
	x->op = plain;
	return x;
}

static struct tf_expr *print_array(struct parser *ps)
{
	struct tf_expr *a = parse_expr(ps), *b = NULL, *x;

	if (expect(ps, ','))
		b = parse_expr(ps);
	x = node(ps, X_ARRAY, a, b);
	if (expect(ps, ','))
		x->c = parse_expr(ps);
	expect(ps, ')');
	return x;
}

static struct tf_expr *size_of(struct parser *ps)
{
	struct ctype t;

	if (is_word(ps, "REC")) {
		const struct tf_field *f;

		lex_next(ps);
		if (!expect(ps, '.'))
			return num_node(ps, 0);
		f = field_ref(ps);
		expect(ps, ')');
		return num_node(ps, f ? f->size : 0);
	}
	t = read_type(ps);
	if (!t.size)
		fail(ps, "sizeof an unknown type");
	expect(ps, ')');
	return num_node(ps, t.size);
}

/* __builtin_expect(a, b) is a. */
static struct tf_expr *expectation(struct parser *ps)
{
	struct tf_expr *x = parse_expr(ps);

	if (expect(ps, ','))
		parse_expr(ps);
	expect(ps, ')');
	return x;
}

/* A call of a function that only a plugin may know. */
static struct tf_expr *unknown_call(struct parser *ps, const char *name, size_t len)
{
	struct tf_expr *x = node(ps, X_CALL, NULL, NULL);
	struct tf_expr *args[MAX_CALL_ARGS];

	x->str = arena_strndup(&ps->tf->arena, name, len);
	x->len = (u32)len;
	while (!ps->why && !is_op(ps, ')')) {
		if (x->nr_args == MAX_CALL_ARGS || (x->nr_args && !expect(ps, ','))) {
			fail(ps, "an unknown function is called");
			return x;
		}
		args[x->nr_args] = parse_expr(ps);
		x->depth = MAX(x->depth, (u16)(1 + args[x->nr_args]->depth));
		x->nr_args++;
	}
	expect(ps, ')');
	x->args = arena_alloc(&ps->tf->arena, x->nr_args * sizeof(*args) + 1);
	memcpy(x->args, args, x->nr_args * sizeof(*args));
	x->next = ps->calls;
	ps->calls = x;
	return x;
}

/* Parse the call of a function; its '(' has been read. */
static struct tf_expr *call(struct parser *ps, const char *name, size_t len)
{
#define IS(s) (len == sizeof(s) - 1 && !memcmp(name, s, len))
	if (IS("__get_str") || IS("__get_rel_str"))
		return field_call(ps, X_GETSTR);
	if (IS("__get_dynamic_array") || IS("__get_rel_dynamic_array") || IS("__get_sockaddr") ||
	    IS("__get_rel_sockaddr"))
		return field_call(ps, X_DYN);
	if (IS("__get_dynamic_array_len") || IS("__get_rel_dynamic_array_len"))
		return field_call(ps, X_DYNLEN);
	if (IS("__get_bitmask") || IS("__get_rel_bitmask") || IS("__get_cpumask") ||
	    IS("__get_rel_cpumask"))
		return field_call(ps, X_BITMASK);
	if (IS("__print_flags"))
		return print_flags(ps);
	if (IS("__print_symbolic") || IS("__print_symbolic_u64"))
		return print_symbolic(ps);
	if (IS("__print_hex"))
		return print_hex(ps, 0);
	if (IS("__print_hex_str"))
		return print_hex(ps, 1);
	if (IS("__print_array"))
		return print_array(ps);
	if (IS("sizeof"))
		return size_of(ps);
	if (IS("__builtin_expect"))
		return expectation(ps);
#undef IS
	return unknown_call(ps, name, len);
}

/* ------------------------------------------------------------------ expressions */

static struct tf_expr *primary_ident(struct parser *ps)
{
	const char *name = ps->text;
	size_t len = ps->len;
	struct tf_expr *x;

	if (is_word(ps, "REC")) {
		lex_next(ps);
		x = node(ps, X_FIELD, NULL, NULL);
		if (expect(ps, '.'))
			x->field = field_ref(ps);
		return x;
	}
	lex_next(ps);
	if (is_op(ps, '(')) {
		lex_next(ps);
		return call(ps, name, len);
	}
	/* An enumerator the kernel did not translate: its value is not known. */
	x = num_node(ps, 0);
	x->str = "";
	return x;
}

static struct tf_expr *parse_paren(struct parser *ps)
{
	struct tf_expr *x, *a;
	struct ctype t;

	lex_next(ps);
	if (is_op(ps, '{')) {
		fail(ps, "a statement expression");
		return num_node(ps, 0);
	}
	if (!at_cast(ps)) {
		x = parse_expr(ps);
		expect(ps, ')');
		return x;
	}
	t = read_type(ps);
	expect(ps, ')');
	a = parse_unary(ps);
	x = node(ps, X_CAST, a, NULL);
	x->size = t.ptr ? 0 : t.size;
	x->sign = t.sign;
	x->num = t.elem; /* what a pointer points at */
	return x;
}

static u8 elem_size(const struct tf_expr *x)
{
	if (x->kind == X_CAST && x->num)
		return (u8)x->num;
	if (x->field)
		return (u8)MIN(x->field->elem_size, 8u);
	return x->kind == X_BINARY && x->a ? elem_size(x->a) : 8;
}

/* REC->args[2] of a static array is a field like any other: one is made for it. */
static struct tf_expr *element_of(struct parser *ps, struct tf_expr *x, const struct tf_expr *idx)
{
	const struct tf_field *f = x->field;
	struct tf_field *el;

	if (x->kind != X_FIELD || !f || !(f->flags & TF_ARRAY) || (f->flags & TF_DYNAMIC) ||
	    idx->kind != X_NUM || f->elem_size > 8 || idx->num >= f->size / f->elem_size)
		return NULL;
	el = arena_alloc(&ps->tf->arena, sizeof(*el));
	*el = *f;
	el->flags &= ~(u32)(TF_ARRAY | TF_STRING);
	el->size = f->elem_size;
	el->offset = f->offset + (u32)idx->num * f->elem_size;
	x = node(ps, X_FIELD, NULL, NULL);
	x->field = el;
	return x;
}

static struct tf_expr *parse_primary(struct parser *ps)
{
	struct tf_expr *el;

	struct tf_expr *x, *idx;

	if (ps->tok == T_NUM) {
		x = num_node(ps, ps->num);
		x->sign = !ps->num_unsigned;
		lex_next(ps);
	} else if (ps->tok == T_STR) {
		return str_node(ps);
	} else if (ps->tok == T_IDENT) {
		x = primary_ident(ps);
	} else if (is_op(ps, '(')) {
		x = parse_paren(ps);
	} else {
		fail(ps, "unexpected token");
		return num_node(ps, 0);
	}
	while (!ps->why && is_op(ps, '[')) {
		u8 size = elem_size(x);
		bool sign = x->field && (x->field->flags & TF_SIGNED);

		lex_next(ps);
		idx = parse_expr(ps);
		expect(ps, ']');
		el = element_of(ps, x, idx);
		if (el) {
			x = el;
			continue;
		}
		x = node(ps, X_INDEX, x, idx);
		x->size = size;
		x->sign = sign;
	}
	if (is_op(ps, '.'))
		fail(ps, "a member of a structure");
	return x;
}

/* An enumerator without a known value is a number as well, but none to compute with. */
static bool is_constant(const struct tf_expr *x)
{
	return x->kind == X_NUM && !x->str;
}

/* Replace an operation on constants by its value, which need not be computed for each event. */
static struct tf_expr *folded(struct tf_expr *x)
{
	if (!is_constant(x->a) || (x->b && !is_constant(x->b)))
		return x;
	x->num = tf_eval(NULL, x);
	x->sign &= x->kind == X_UNARY;
	x->kind = X_NUM;
	x->a = x->b = NULL;
	return x;
}

static struct tf_expr *parse_unary(struct parser *ps)
{
	struct tf_expr *x, *a;
	u16 op = ps->op;

	if (++ps->depth > MAX_DEPTH) {
		fail(ps, "expression too deep");
		ps->depth--;
		return num_node(ps, 0);
	}
	if (ps->tok == T_OP &&
	    (op == '-' || op == '!' || op == '~' || op == '+' || op == '*' || op == '&')) {
		lex_next(ps);
		a = parse_unary(ps);
		x = node(ps, op == '*' ? X_DEREF : op == '&' ? X_ADDR : X_UNARY, a, NULL);
		x->op = op;
		x->size = op == '*' ? elem_size(a) : 0;
		x->sign = op == '-' && a->sign;
		if (x->kind == X_UNARY)
			x = folded(x);
	} else {
		x = parse_primary(ps);
	}
	ps->depth--;
	return x;
}

static int binary_prio(const struct parser *ps)
{
	if (ps->tok != T_OP)
		return -1;
	switch (ps->op) {
	case '*':
	case '/':
	case '%':
		return 10;
	case '+':
	case '-':
		return 9;
	case OP_SHL:
	case OP_SHR:
		return 8;
	case '<':
	case '>':
	case OP_LE:
	case OP_GE:
		return 7;
	case OP_EQ:
	case OP_NE:
		return 6;
	case '&':
		return 5;
	case '^':
		return 4;
	case '|':
		return 3;
	case OP_AND:
		return 2;
	case OP_OR:
		return 1;
	default:
		return -1;
	}
}

static bool is_signed(const struct tf_expr *x)
{
	return x->kind == X_FIELD ? x->field && (x->field->flags & TF_SIGNED)
				  : (x->kind == X_NUM || x->kind == X_UNARY) && x->sign;
}

static struct tf_expr *parse_binary(struct parser *ps, int min)
{
	struct tf_expr *x = parse_unary(ps), *b;
	int prio;

	while (!ps->why && (prio = binary_prio(ps)) >= min) {
		u16 op = ps->op;

		lex_next(ps);
		b = parse_binary(ps, prio + 1);
		x = node(ps, X_BINARY, x, b);
		x->op = op;
		x->sign = (op == '<' || op == '>' || op == OP_LE || op == OP_GE) &&
			  is_signed(x->a) && is_signed(b);
		x = folded(x);
	}
	return x;
}

static struct tf_expr *parse_expr(struct parser *ps)
{
	struct tf_expr *x, *cond;

	if (++ps->depth > MAX_DEPTH) {
		fail(ps, "expression too deep");
		ps->depth--;
		return num_node(ps, 0);
	}
	x = parse_binary(ps, 1);
	if (!ps->why && is_op(ps, '?')) {
		lex_next(ps);
		cond = x;
		x = node(ps, X_COND, parse_expr(ps), NULL);
		if (expect(ps, ':'))
			x->b = parse_expr(ps);
		x->c = x->b;
		x->b = x->a;
		x->a = cond;
		if (!x->c)
			x->c = num_node(ps, 0);
	}
	ps->depth--;
	return x;
}

int print_fmt_parse(struct tracefmt *tf, const struct tf_event *ev, const char *s, size_t len,
		    struct tf_args *out, const char **why)
{
	struct parser ps = { .tf = tf, .ev = ev, .p = s, .end = s + len };
	struct tf_expr *fmt;
	size_t cap = 0;

	lex_next(&ps);
	if (ps.tok != T_STR) {
		*why = "the print fmt is no string";
		return -EINVAL;
	}
	fmt = str_node(&ps);
	out->fmt = fmt->str;
	out->fmt_len = fmt->len;
	while (!ps.why && is_op(&ps, ',')) {
		lex_next(&ps);
		VEC_GROW(out->args, out->nr + 1, cap);
		out->args[out->nr++] = parse_expr(&ps);
		if (out->nr > MAX_ARGS)
			fail(&ps, "too many arguments");
	}
	if (!ps.why && ps.tok != T_END)
		fail(&ps, "unexpected token");
	*why = ps.why;
	out->calls = ps.calls;
	return ps.why ? -EINVAL : 0;
}
