// SPDX-License-Identifier: GPL-2.0-or-later
/* Print programs are run here: the text of one payload, or of one of its fields. */
#include "base/compat.h"
#include "tracefmt/traceevent-internal.h"

#include <ctype.h>
#include <endian.h>

static void run_value(const struct tf_op *op, u64 v, struct strbuf *out)
{
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

static void run_field(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	run_value(op, tf_value(c, op->arg->field), out);
}

#define BYTES(b) (0x0101010101010101ULL * (b))

/* Append the string in an array of words up to its first zero byte, a word at a time; what has
 * control bytes is left to tf_text(). */
static void run_chars(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	const struct tf_field *f = op->arg->field;
	size_t at, size = f->size, len = out->len;

	if (f->size > c->size || f->offset > c->size - f->size) {
		tf_text(c, op->arg, NULL, out);
		return;
	}
	strbuf_grow(out, size);
	for (at = 0; at < size; at += sizeof(u64)) {
		size_t n = sizeof(u64);
		u64 word, zeros, del;

		memcpy(&word, c->raw + f->offset + at, sizeof(word));
		memcpy(out->buf + len, &word, sizeof(word));
		zeros = le64toh(word);
		zeros = (zeros - BYTES(1)) & ~zeros & BYTES(0x80);
		if (zeros) {
			n = (size_t)__builtin_ctzll(zeros) / 8;
			/* what is behind the zero byte does not count */
			memset((u8 *)&word + n, 'x', sizeof(word) - n);
		}
		del = word ^ BYTES(0x7f);
		if ((((word - BYTES(0x20)) & ~word) | ((del - BYTES(1)) & ~del)) & BYTES(0x80)) {
			out->buf[out->len] = '\0';
			tf_text(c, op->arg, NULL, out);
			return;
		}
		len += n;
		if (zeros)
			break;
	}
	out->len = len;
	out->buf[len] = '\0';
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
				    (s64)(op->kind == TF_OP_BITS ? INT32_MAX : TF_MAX_WIDTH));
	}
	if (op->prec) {
		v = (s32)tf_eval(c, op->prec);
		s->prec = (s32)(v < 0 ? -1 : v);
	}
}

static void run_op(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out)
{
	const struct tf_spec *s = &op->spec;
	struct tf_spec star;

	if (op->width || op->prec) {
		star = op->spec;
		run_star(c, op, &star);
		s = &star;
	}
	switch (op->kind) {
	case TF_OP_NUM:
		put_num(out, s, tf_eval(c, op->arg));
		break;
	case TF_OP_VALUE:
		run_value(op, tf_eval(c, op->arg), out);
		break;
	case TF_OP_CHARS:
		run_chars(c, op, out);
		break;
	case TF_OP_STR:
		tf_text(c, op->arg, s->width > 0 || s->prec >= 0 ? s : NULL, out);
		break;
	case TF_OP_PTR:
		run_pointer(c, s, tf_eval(c, op->arg), out);
		break;
	case TF_OP_FUNC:
		run_func(c, op, out);
		break;
	case TF_OP_BITS:
		tf_bits(c, op->arg, s->width > 0 ? (u64)s->width : 0, out);
		break;
	case TF_OP_NET:
		put_net(c, op, out);
		break;
	default:
		break;
	}
}

/* Most literals are short: so many bytes are copied for each that their number is known here. */
static inline void put_literal(const struct tf_op *op, struct strbuf *out)
{
	if (unlikely(op->lit_len > TF_LIT_BYTES || out->alloc - out->len <= TF_LIT_BYTES)) {
		strbuf_add(out, op->lit, op->lit_len);
		return;
	}
	memcpy(out->buf + out->len, op->lit, TF_LIT_BYTES);
	out->len += op->lit_len;
	out->buf[out->len] = '\0';
}

void tf_print(const struct tf_event *ev, struct tf_printer *pr, const void *raw, size_t size,
	      struct strbuf *out)
{
	struct tf_ctx c = { ev, pr, raw, size };
	const struct tf_op *op;
	u8 does = te_does(ev);

	if (does & TE_OVERRIDES && te_print(&c, out))
		return;
	if (ev->failed && !(does & TE_CALLS)) {
		strbuf_addstr(out, "[FAILED TO PARSE]");
		tf_print_fields(ev, raw, size, out);
		return;
	}
	for (op = ev->prog->ops;; op++) {
		put_literal(op, out);
		if (op->kind == TF_OP_END)
			return;
		if (likely(op->kind == TF_OP_FIELD))
			run_field(&c, op, out);
		else if (op->kind == TF_OP_CHARS)
			run_chars(&c, op, out);
		else
			run_op(&c, op, out);
	}
}

/* Tell whether a value depends on this field, and (@alone) on no other and no part of one. */
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

/* Tell whether the text in front of a value has the name of the field: "flags=", "fd: 0x". *@hex:
 * whether it says that the value is hexadecimal */
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
