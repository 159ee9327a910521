// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Print programs are made here: the format string of a print fmt is cut once into (literal,
 * conversion, argument) steps, so that printing a payload (print.c) parses nothing.
 */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

#include "base/alloc.h"

static const char *spec_flags(const char *p, const char *end, struct tf_spec *s)
{
	for (; p < end; p++) {
		if (*p == '-')
			s->left = true;
		else if (*p == '0')
			s->zero = true;
		else if (*p == '#')
			s->alt = true;
		else if (*p == '+')
			s->plus = true;
		else if (*p == ' ')
			s->space = true;
		else
			break;
	}
	return p;
}

static const char *spec_number(const char *p, const char *end, s32 *out, bool *star)
{
	int v = 0;

	if (p < end && *p == '*') {
		*star = true;
		return p + 1;
	}
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		v = MIN(v * 10 + *p - '0', TF_MAX_WIDTH);
	*out = v;
	return p;
}

static const char *spec_length(const struct tracefmt *tf, const char *p, const char *end,
			       struct tf_spec *s)
{
	s->len = 4;
	for (; p < end; p++) {
		if (*p == 'h')
			s->len = s->len == 2 ? 1 : 2;
		else if (*p == 'l')
			s->len = s->len == 4 && tf->long_size == 4 && !(p + 1 < end && p[1] == 'l')
					 ? 4
					 : 8;
		else if (*p == 'z' || *p == 't' || *p == 'Z')
			s->len = (s8)tf->long_size;
		else if (*p == 'j' || *p == 'L' || *p == 'q')
			s->len = 8;
		else
			break;
	}
	return p;
}

/* The letters after %p that choose how to show what the pointer points at. */
static const char *pointer_ext(const char *p, const char *end, struct tf_op *op)
{
	size_t n = 0;
	bool more = true;

	op->kind = TF_OP_PTR;
	if (p >= end)
		return p;
	switch (*p) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		op->kind = TF_OP_FUNC;
		op->ext[0] = *p;
		return p + 1;
	case 'M':
	case 'm':
	case 'U':
		more = p + 1 < end && strchr("FRblBL", p[1]);
		op->kind = TF_OP_NET;
		break;
	case 'I':
	case 'i':
		op->kind = TF_OP_NET;
		break;
	case 'b':
		op->kind = TF_OP_BITS;
		return p + 1 + (p + 1 < end && p[1] == 'l');
	default:
		return p;
	}
	op->ext[n++] = *p++;
	while (more && p < end && n < sizeof(op->ext) - 1 && strchr("46Scpfshnbl", *p))
		op->ext[n++] = *p++;
	return p;
}

struct compiler {
	struct tracefmt *tf;
	const struct tf_args *args;
	size_t arg;
	struct tf_op *ops;
	size_t nr, cap;
	struct strbuf lit;
	const char *why;
};

static const struct tf_expr *next_arg(struct compiler *c)
{
	if (c->arg >= c->args->nr) {
		c->why = "fewer arguments than the format asks for";
		return NULL;
	}
	return c->args->args[c->arg++];
}

static struct tf_op *add_op(struct compiler *c, enum tf_op_kind kind)
{
	struct tf_op *op;

	VEC_GROW(c->ops, c->nr + 1, c->cap);
	op = &c->ops[c->nr++];
	memset(op, 0, sizeof(*op));
	op->kind = (u8)kind;
	op->lit = memcpy(arena_alloc(&c->tf->arena, c->lit.len + TF_LIT_BYTES), strbuf_str(&c->lit),
			 c->lit.len);
	op->lit_len = (u32)c->lit.len;
	strbuf_reset(&c->lit);
	return op;
}

/* Tell whether an array of characters consists of words, of 8 bytes. */
static bool is_words(const struct tf_field *f)
{
	return f && (f->flags & TF_ARRAY) && !(f->flags & TF_DYNAMIC) && f->size &&
	       !(f->size % sizeof(u64));
}

/* Values without width are the common case and get steps of their own. */
static void specialise(struct tf_op *op)
{
	const struct tf_expr *x = op->arg;
	const struct tf_spec *s = &op->spec;

	if (s->width >= 0 || s->prec >= 0 || s->star_width || s->star_prec)
		return;
	if (op->kind == TF_OP_STR && x->kind == X_FIELD && is_words(x->field))
		op->kind = TF_OP_CHARS;
	if (op->kind != TF_OP_NUM || s->alt || s->plus || s->space || s->conv == 'c' ||
	    s->conv == 'o' || s->conv == 'X')
		return;
	op->kind = TF_OP_VALUE;
	if (x->kind == X_FIELD && x->field && !(x->field->flags & TF_ARRAY) && x->field->size <= 8)
		op->kind = TF_OP_FIELD;
}

/* p is behind the '%'. Return: behind the conversion, or NULL. */
static const char *conversion(struct compiler *c, const char *p, const char *end)
{
	struct tf_spec s = { .width = -1, .prec = -1 };
	struct tf_op *op;

	p = spec_flags(p, end, &s);
	if (p < end && (*p == '*' || (*p >= '0' && *p <= '9')))
		p = spec_number(p, end, &s.width, &s.star_width);
	if (p < end && *p == '.')
		p = spec_number(p + 1, end, &s.prec, &s.star_prec);
	p = spec_length(c->tf, p, end, &s);
	if (p >= end)
		return NULL;
	op = add_op(c, TF_OP_NUM);
	s.conv = *p == 'i' ? 'd' : *p;
	if (s.star_width)
		op->width = next_arg(c);
	if (s.star_prec)
		op->prec = next_arg(c);
	p++;
	switch (s.conv) {
	case 'd':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
	case 'c':
		break;
	case 's':
		op->kind = TF_OP_STR;
		break;
	case 'p':
		p = pointer_ext(p, end, op);
		break;
	default:
		return NULL;
	}
	op->spec = s;
	op->arg = next_arg(c);
	if (c->why)
		return NULL;
	specialise(op);
	return p;
}

struct tf_prog *prog_compile(struct tracefmt *tf, const struct tf_args *args, const char **why)
{
	struct compiler c = { .tf = tf, .args = args };
	const char *p = args->fmt, *end = p + args->fmt_len;
	struct tf_prog *prog = NULL;

	while (p && p < end) {
		if (*p != '%') {
			strbuf_addch(&c.lit, *p++);
		} else if (p + 1 < end && p[1] == '%') {
			strbuf_addch(&c.lit, '%');
			p += 2;
		} else {
			p = conversion(&c, p + 1, end);
		}
	}
	if (!p) {
		*why = c.why ? c.why : "an unknown conversion in the format";
	} else {
		add_op(&c, TF_OP_END);
		prog = arena_alloc(&tf->arena, sizeof(*prog));
		prog->ops = arena_alloc(&tf->arena, c.nr * sizeof(*c.ops));
		memcpy(prog->ops, c.ops, c.nr * sizeof(*c.ops));
	}
	free(c.ops);
	strbuf_release(&c.lit);
	return prog;
}
