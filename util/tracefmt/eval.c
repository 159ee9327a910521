// SPDX-License-Identifier: GPL-2.0-or-later
/* Evaluate print fmt expressions over the bytes of one payload. Everything is checked against the
 * payload's size. */
#include "base/compat.h"
#include "tracefmt/traceevent-internal.h"

#define MAX_ELEMS 65536

/* Return the bytes of a dynamic field. */
static const u8 *tf_dyn(const struct tf_event *ev, const struct tf_field *f, const u8 *raw,
			size_t size, size_t *len)
{
	u32 loc, off, n;

	*len = 0;
	if (f->size != 4 || size < 4 || f->offset > size - 4)
		return NULL;
	loc = (u32)tf_load(ev->tf, raw + f->offset, 4);
	off = loc & 0xffff;
	n = loc >> 16;
	if (f->flags & TF_RELATIVE)
		off += f->offset + f->size;
	if (off > size)
		return NULL;
	*len = MIN((size_t)n, size - off);
	return raw + off;
}

const u8 *tf_bytes(const struct tf_ctx *c, const struct tf_expr *x, size_t *len)
{
	const struct tf_field *f;
	const u8 *p;
	u64 off;

	*len = 0;
	switch (x->kind) {
	case X_CAST:
	case X_ADDR:
		return tf_bytes(c, x->a, len);
	case X_DYN:
	case X_GETSTR:
	case X_BITMASK:
		return x->field ? tf_dyn(c->ev, x->field, c->raw, c->size, len) : NULL;
	case X_FIELD:
		f = x->field;
		if (!f || f->offset > c->size)
			return NULL;
		if (f->flags & TF_DYNAMIC)
			return tf_dyn(c->ev, f, c->raw, c->size, len);
		*len = MIN((size_t)(f->size ? f->size : UINT32_MAX), c->size - f->offset);
		return c->raw + f->offset;
	case X_INDEX:
		p = tf_bytes(c, x->a, len);
		off = tf_eval(c, x->b) * x->size;
		break;
	case X_BINARY:
		if (x->op != '+')
			return NULL;
		p = tf_bytes(c, x->a, len);
		off = tf_eval(c, x->b);
		break;
	default:
		return NULL;
	}
	if (!p || off > *len)
		return NULL;
	*len -= off;
	return p + off;
}

static u64 load_at(const struct tf_ctx *c, const u8 *p, size_t len, unsigned int size, bool sign)
{
	return p && len >= size ? tf_narrow(tf_load(c->ev->tf, p, size), size, sign) : 0;
}

static u64 binary(u16 op, u64 a, u64 b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b ? a / b : 0;
	case '%':
		return b ? a % b : 0;
	case '&':
		return a & b;
	case '|':
		return a | b;
	case '^':
		return a ^ b;
	case OP_SHL:
		return a << (b & 63);
	case OP_SHR:
		return a >> (b & 63);
	case '<':
		return a < b;
	case '>':
		return a > b;
	case OP_LE:
		return a <= b;
	case OP_GE:
		return a >= b;
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_AND:
		return a && b;
	case OP_OR:
		return a || b;
	default:
		return 0;
	}
}

/* Fields of 32 bits read as unsigned, as perf does it; only comparisons of signed things look at
 * the sign. */
static s64 eval_signed(const struct tf_ctx *c, const struct tf_expr *x)
{
	u64 v = tf_eval(c, x);

	return (s64)(x->kind == X_FIELD && x->field ? tf_narrow(v, x->field->size, true) : v);
}

static u64 compare(const struct tf_ctx *c, const struct tf_expr *x)
{
	s64 a = eval_signed(c, x->a), b = eval_signed(c, x->b);

	return x->op == '<' ? a < b : x->op == '>' ? a > b : x->op == OP_LE ? a <= b : a >= b;
}

/* Evaluate an operand. Most are a constant or a field, which need no call. */
static inline u64 operand(const struct tf_ctx *c, const struct tf_expr *x)
{
	if (x->kind == X_NUM)
		return x->num;
	return x->kind == X_FIELD ? tf_value(c, x->field) : tf_eval(c, x);
}

u64 tf_eval(const struct tf_ctx *c, const struct tf_expr *x)
{
	const u8 *p;
	size_t len;
	u64 v;

	switch (x->kind) {
	case X_NUM:
		return x->num;
	case X_FIELD:
		return tf_value(c, x->field);
	case X_CAST:
		return tf_narrow(tf_eval(c, x->a), x->size, x->sign);
	case X_DYNLEN:
		if (!x->field)
			return 0;
		tf_dyn(c->ev, x->field, c->raw, c->size, &len);
		return len;
	case X_INDEX:
		p = tf_bytes(c, x, &len);
		return load_at(c, p, len, x->size, x->sign);
	case X_DEREF:
		p = tf_bytes(c, x->a, &len);
		return load_at(c, p, len, x->size, x->sign);
	case X_UNARY:
		v = tf_eval(c, x->a);
		return x->op == '-' ? 0 - v : x->op == '~' ? ~v : x->op == '!' ? !v : v;
	case X_BINARY:
		if (x->sign)
			return compare(c, x);
		return binary(x->op, operand(c, x->a), operand(c, x->b));
	case X_COND:
		return tf_eval(c, tf_eval(c, x->a) ? x->b : x->c);
	case X_CALL:
		return te_call_value(c, x);
	default:
		return 0;
	}
}

/* ------------------------------------------------------------------ text */

static void put_0x(struct strbuf *out, u64 v)
{
	strbuf_add(out, "0x", 2);
	strbuf_hex(out, v, 1, 0);
}

static void put_name(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len)
{
	if (spec)
		put_str(out, spec, s, len);
	else
		strbuf_add(out, s, len);
}

/* An entry with a negative value names what is left when nothing is: 0, or all known bits were
 * taken away. */
static void put_flags(const struct tf_ctx *c, const struct tf_expr *x, const struct tf_spec *spec,
		      struct strbuf *out)
{
	u64 v = tf_eval(c, x->a);
	bool any = false;
	u32 i;

	for (i = 0; i < x->nr_syms; i++) {
		const struct tf_sym *s = &x->syms[i];

		if (!v && (s64)s->value < 0) {
			put_name(out, spec, s->str, s->len);
			return;
		}
		if ((s64)s->value <= 0 || (v & s->value) != s->value)
			continue;
		if (any)
			strbuf_add(out, x->str, x->len);
		put_name(out, spec, s->str, s->len);
		any = true;
		v &= ~s->value;
	}
	if (!v)
		return;
	if (any)
		strbuf_add(out, x->str, x->len);
	put_0x(out, v);
}

static void put_symbol(const struct tf_ctx *c, const struct tf_expr *x, const struct tf_spec *spec,
		       struct strbuf *out)
{
	u64 v = tf_eval(c, x->a);
	u32 i;

	for (i = 0; i < x->nr_syms; i++) {
		if (x->syms[i].value == v) {
			put_name(out, spec, x->syms[i].str, x->syms[i].len);
			return;
		}
	}
	put_0x(out, v);
}

static void put_hex(const struct tf_ctx *c, const struct tf_expr *x, struct strbuf *out)
{
	size_t len, i;
	const u8 *p = tf_bytes(c, x->a, &len);
	u64 n = x->b ? tf_eval(c, x->b) : 0;

	if (!p)
		return;
	n = MIN(n, (u64)len);
	for (i = 0; i < n; i++) {
		if (i && !x->op)
			strbuf_addch(out, ' ');
		strbuf_hex(out, p[i], 2, 0);
	}
}

static void put_array(const struct tf_ctx *c, const struct tf_expr *x, struct strbuf *out)
{
	size_t len;
	const u8 *p = tf_bytes(c, x->a, &len);
	u64 n = x->b ? tf_eval(c, x->b) : 0, i, el = x->c ? tf_eval(c, x->c) : 1;

	strbuf_addch(out, '{');
	if (p && (el == 1 || el == 2 || el == 4 || el == 8)) {
		n = MIN(n, (u64)len / el);
		for (i = 0; i < n && i < MAX_ELEMS; i++) {
			if (i)
				strbuf_addch(out, ',');
			put_0x(out, tf_load(c->ev->tf, p + i * el, el));
		}
	}
	strbuf_addch(out, '}');
}

/* Append bits as a list of ranges: "0-3,7". The mask is an array of the machine's longs. */
static void put_bitmask(const struct tf_ctx *c, const struct tf_expr *x, u64 nbits,
			struct strbuf *out)
{
	unsigned int ls = c->ev->tf->long_size;
	size_t len, bits, i, j;
	const u8 *p = tf_bytes(c, x, &len);
	bool any = false;

#define BIT_AT(n) (tf_load(c->ev->tf, p + (n) / (ls * 8) * ls, ls) >> ((n) % (ls * 8)) & 1)
	bits = p ? MIN(nbits, (u64)(len / ls * ls * 8)) : 0;
	for (i = 0; i < bits; i++) {
		if (!BIT_AT(i))
			continue;
		for (j = i; j + 1 < bits && BIT_AT(j + 1); j++)
			;
		if (any)
			strbuf_addch(out, ',');
		strbuf_dec(out, i, 0);
		if (j > i) {
			strbuf_addch(out, '-');
			strbuf_dec(out, j, 0);
		}
		any = true;
		i = j;
	}
#undef BIT_AT
}

/* Append a pointer under %s: what printk_formats says is there, or the address. */
static void put_pointer_str(const struct tf_ctx *c, const struct tf_field *f, struct strbuf *out)
{
	u64 addr = tf_value(c, f);
	u32 i = map64_get(&c->ev->tf->printk, addr);

	if (i != MAP64_NONE)
		strbuf_addstr(out, c->ev->tf->printk_str[i]);
	else
		strbuf_hex(out, addr, 1, 0);
}

void tf_bits(const struct tf_ctx *c, const struct tf_expr *x, u64 nbits, struct strbuf *out)
{
	put_bitmask(c, x, nbits, out);
}

/* Print the values of helper functions; width and precision apply to names only. Return: false when
 * @x is no helper. */
static bool put_helper(const struct tf_ctx *c, const struct tf_expr *x, const struct tf_spec *spec,
		       struct strbuf *out)
{
	switch (x->kind) {
	case X_FLAGS:
		put_flags(c, x, spec, out);
		return true;
	case X_SYMBOL:
		put_symbol(c, x, spec, out);
		return true;
	case X_HEX:
		put_hex(c, x, out);
		return true;
	case X_ARRAY:
		put_array(c, x, out);
		return true;
	case X_BITMASK:
		put_bitmask(c, x, UINT64_MAX, out);
		return true;
	case X_CALL:
		te_call_text(c, x, out);
		return true;
	default:
		return false;
	}
}

void tf_text(const struct tf_ctx *c, const struct tf_expr *x, const struct tf_spec *spec,
	     struct strbuf *out)
{
	const u8 *p;
	size_t len;

	while (x->kind == X_COND || x->kind == X_CAST)
		x = x->kind == X_CAST ? x->a : tf_eval(c, x->a) ? x->b : x->c;
	if (put_helper(c, x, spec, out))
		return;
	if (x->kind == X_STR) {
		put_name(out, spec, x->str, x->len);
		return;
	}
	if (x->kind == X_FIELD && x->field && !(x->field->flags & TF_ARRAY)) {
		put_pointer_str(c, x->field, out);
		return;
	}
	p = tf_bytes(c, x, &len);
	if (!p) {
		if (x->kind != X_FIELD && x->kind != X_DYN && x->kind != X_GETSTR &&
		    !(spec && spec->prec == 0))
			strbuf_hex(out, tf_eval(c, x), 1, 0);
		return;
	}
	len = strnlen((const char *)p, len);
	if (!spec) {
		put_foreign(out, p, len);
		return;
	}
	strbuf_reset(&c->pr->tmp);
	put_foreign(&c->pr->tmp, p, len);
	put_str(out, spec, strbuf_str(&c->pr->tmp), c->pr->tmp.len);
}
