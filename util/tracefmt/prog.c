// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Print programs: the format string of a print fmt cut once into (literal, conversion, argument)
 * steps, so that printing a payload parses nothing. Integers are formatted by hand.
 */
#include "base/compat.h"
#include "tracefmt/tracefmt-internal.h"

#include "base/alloc.h"

#include <ctype.h>

#define MAX_WIDTH 256

/* ------------------------------------------------------------------ conversions */

static unsigned int put_digits(char *end, u64 v, unsigned int base, bool upper)
{
	static const char lo[] = "0123456789abcdef", up[] = "0123456789ABCDEF";
	const char *set = upper ? up : lo;
	unsigned int n = 0;

	do {
		*--end = set[v % base];
		v /= base;
		n++;
	} while (v);
	return n;
}

static void put_padded(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len)
{
	size_t start = out->len, width = spec->width > 0 ? (size_t)spec->width : 0;

	if (!spec->left && len < width)
		strbuf_pad(out, start + width - len);
	strbuf_add(out, s, len);
	if (spec->left)
		strbuf_pad(out, start + width);
}

/* One integer by a conversion specification. */
static void put_num(struct strbuf *out, const struct tf_spec *spec, u64 v)
{
	char buf[2 * MAX_WIDTH + 32], *end = buf + sizeof(buf), *p = end;
	bool sign = spec->conv == 'd', neg;
	unsigned int base = spec->conv == 'x' || spec->conv == 'X' ? 16
			    : spec->conv == 'o'                    ? 8
								   : 10;
	int digits = spec->prec, prefix = 0;

	if (spec->conv == 'c') {
		buf[0] = (char)v;
		put_padded(out, spec, buf, 1);
		return;
	}
	v = tf_narrow(v, spec->len, sign);
	neg = sign && (s64)v < 0;
	if (neg)
		v = 0 - v;
	p -= put_digits(p, v, base, spec->conv == 'X');
	if (!v && spec->prec == 0)
		p = end;
	prefix = neg || (sign && (spec->plus || spec->space)) ? 1
		 : spec->alt && base == 16 && v               ? 2
							      : 0;
	if (spec->zero && !spec->left && spec->prec < 0)
		digits = spec->width - prefix;
	while (end - p < MIN(digits, MAX_WIDTH))
		*--p = '0';
	if (spec->alt && base == 8 && (p == end || *p != '0'))
		*--p = '0';
	if (prefix == 2) {
		*--p = spec->conv;
		*--p = '0';
	} else if (prefix == 1) {
		*--p = neg ? '-' : spec->plus ? '+' : ' ';
	}
	put_padded(out, spec, p, (size_t)(end - p));
}

void put_str(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len)
{
	if (spec->prec >= 0)
		len = strnlen(s, MIN(len, (size_t)spec->prec));
	put_padded(out, spec, s, len);
}

/* ------------------------------------------------------------------ compiling */

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
		v = MIN(v * 10 + *p - '0', MAX_WIDTH);
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
	op->lit = arena_strndup(&c->tf->arena, strbuf_str(&c->lit), c->lit.len);
	op->lit_len = (u32)c->lit.len;
	strbuf_reset(&c->lit);
	return op;
}

/* A plain scalar field with no width is the common case and gets its own step. */
static void specialise(struct tf_op *op)
{
	const struct tf_expr *x = op->arg;

	if (op->kind == TF_OP_NUM && x->kind == X_FIELD && x->field &&
	    !(x->field->flags & TF_ARRAY) && x->field->size <= 8 && op->spec.width < 0 &&
	    op->spec.prec < 0 && !op->spec.alt && !op->spec.plus && !op->spec.space &&
	    !op->spec.star_width &&
	    (op->spec.conv != 'c' && op->spec.conv != 'o' && op->spec.conv != 'X'))
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

/* ------------------------------------------------------------------ running */

static void run_field(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	const struct tf_field *f = op->arg->field;
	u64 v = 0;

	if (likely(f->size <= c->size && f->offset <= c->size - f->size))
		v = tf_load(c->ev->tf, c->raw + f->offset, f->size);
	v = tf_narrow(v, op->spec.len, op->spec.conv == 'd');
	if (op->spec.conv == 'x') {
		strbuf_hex(out, v, 1, 0);
		return;
	}
	if (op->spec.conv == 'd' && (s64)v < 0) {
		strbuf_addch(out, '-');
		v = 0 - v;
	}
	strbuf_dec(out, v, 0);
}

static void run_pointer(const struct tf_ctx *c, const struct tf_spec *spec, u64 v,
			struct strbuf *out)
{
	struct tf_spec s = *spec;

	if (!v) {
		put_padded(out, &s, "(nil)", 5);
		return;
	}
	s.conv = 'x';
	s.alt = true;
	s.len = 8;
	if (c->ev->tf->long_size == 4)
		v = (u32)v;
	put_num(out, &s, v);
}

static void run_func(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	u64 v = tf_eval(c, op->arg), start = 0;
	const char *name = c->pr->ksym ? c->pr->ksym(c->pr->ksym_ctx, v, &start) : NULL;

	if (!name) {
		strbuf_add(out, "0x", 2);
		strbuf_hex(out, v, 1, 0);
		return;
	}
	strbuf_addname(out, name);
	if (op->ext[0] == 'F' || op->ext[0] == 'S') {
		strbuf_add(out, "+0x", 3);
		strbuf_hex(out, v - start, 1, 0);
	}
}

static void run_star(const struct tf_ctx *c, const struct tf_op *op, struct tf_spec *s)
{
	s64 v;

	if (op->width) {
		v = (s32)tf_eval(c, op->width);
		s->left |= v < 0;
		s->width = (s32)MIN(v < 0 ? -v : v,
				    (s64)(op->kind == TF_OP_BITS ? INT32_MAX : MAX_WIDTH));
	}
	if (op->prec) {
		v = (s32)tf_eval(c, op->prec);
		s->prec = (s32)(v < 0 ? -1 : v);
	}
}

static void run_op(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	struct tf_spec s = op->spec;

	if (op->width || op->prec)
		run_star(c, op, &s);
	switch (op->kind) {
	case TF_OP_NUM:
		put_num(out, &s, tf_eval(c, op->arg));
		break;
	case TF_OP_STR:
		tf_text(c, op->arg, s.width > 0 || s.prec >= 0 ? &s : NULL, out);
		break;
	case TF_OP_PTR:
		run_pointer(c, &s, tf_eval(c, op->arg), out);
		break;
	case TF_OP_FUNC:
		run_func(c, op, out);
		break;
	case TF_OP_BITS:
		tf_bits(c, op->arg, s.width > 0 ? (u64)s.width : 0, out);
		break;
	case TF_OP_NET:
		put_net(c, op, out);
		break;
	default:
		break;
	}
}

void tf_print(const struct tf_event *ev, struct tf_printer *pr, const void *raw, size_t size,
	      struct strbuf *out)
{
	struct tf_ctx c = { ev, pr, raw, size };
	const struct tf_op *op;

	if (ev->failed) {
		strbuf_addstr(out, "[FAILED TO PARSE]");
		tf_print_fields(ev, raw, size, out);
		return;
	}
	for (op = ev->prog->ops;; op++) {
		if (op->lit_len)
			strbuf_add(out, op->lit, op->lit_len);
		if (op->kind == TF_OP_END)
			return;
		if (likely(op->kind == TF_OP_FIELD))
			run_field(&c, op, out);
		else
			run_op(&c, op, out);
	}
}

/* Does a value depend on this field, and (@alone) on no other and no part of one? */
static bool depends(const struct tf_expr *x, const struct tf_field *f, bool *alone)
{
	bool a, b, c;

	if (!x)
		return false;
	if (x->kind == X_INDEX)
		*alone = false;
	if (x->field)
		*alone &= x->field == f;
	a = depends(x->a, f, alone);
	b = depends(x->b, f, alone);
	c = depends(x->c, f, alone);
	return a || b || c || x->field == f;
}

static bool ends_with(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	return len >= n && !memcmp(text + len - n, what, n);
}

/* Does the text in front of a value call it by the name of the field: "flags=", "fd: 0x"?
 * *@hex: and says that it is hexadecimal. */
static bool names_field(const struct tf_op *op, const struct tf_field *f, bool *hex)
{
	size_t len = op->lit_len;

	*hex = ends_with(op->lit, len, "0x");
	len -= *hex ? 2 : 0;
	while (len && strchr(" =:", op->lit[len - 1]))
		len--;
	if (!ends_with(op->lit, len, f->name))
		return false;
	len -= strlen(f->name);
	return !len || !(isalnum((unsigned char)op->lit[len - 1]) || op->lit[len - 1] == '_');
}

void tf_print_field_as(const struct tf_event *ev, const struct tf_field *f, struct tf_printer *pr,
		       const void *raw, size_t size, struct strbuf *out)
{
	struct tf_ctx c = { ev, pr, raw, size };
	u32 nr = 0;

	for (const struct tf_op *op = ev->failed ? NULL : ev->prog->ops;
	     op && op->kind != TF_OP_END; op++) {
		bool alone = true, hex = false;

		if (nr && memchr(op->lit, ' ', op->lit_len))
			break;
		if (!depends(op->arg, f, &alone) || !alone || op->width || op->prec ||
		    (!nr && !names_field(op, f, &hex)))
			continue;
		strbuf_add(out, nr ? op->lit : "0x", nr ? op->lit_len : hex * 2u);
		if (op->kind == TF_OP_FIELD)
			run_field(&c, op, out);
		else
			run_op(&c, op, out);
		nr++;
	}
	if (!nr)
		tf_print_field(ev, f, raw, size, out);
}
