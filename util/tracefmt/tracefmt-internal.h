/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are private to the room: expressions of a print fmt, and the program they
 * become. */
#ifndef PERF_TRACEFMT_INTERNAL_H
#define PERF_TRACEFMT_INTERNAL_H

#include "base/arena.h"
#include "base/hash.h"
#include "tracefmt/tracefmt.h"

struct te;

struct tracefmt {
	struct arena arena; /* everything below hangs on it, but for the arrays */
	struct tf_event **events;
	size_t nr, cap;
	struct map64 by_id;
	struct map64 printk; /* address -> index in printk_str */
	const char **printk_str;
	size_t nr_printk, cap_printk;
	unsigned int long_size;
	bool big_endian, swap;
	struct te *te; /* owned: libtraceevent */
};

enum tf_kind {
	X_NUM,     /* num */
	X_STR,     /* str */
	X_FIELD,   /* field */
	X_INDEX,   /* a[b], elements of size bytes */
	X_DYN,     /* __get_dynamic_array(field): its bytes */
	X_DYNLEN,  /* __get_dynamic_array_len(field) */
	X_GETSTR,  /* __get_str(field) */
	X_BITMASK, /* __get_bitmask(field), __get_cpumask(field) */
	X_FLAGS,   /* __print_flags(a, str, syms) */
	X_SYMBOL,  /* __print_symbolic(a, syms) */
	X_HEX,     /* __print_hex(a, b); op 1: __print_hex_str */
	X_ARRAY,   /* __print_array(a, b, c) */
	X_CAST,    /* (type)a; size 0: leaves the value alone */
	X_DEREF,   /* *a, size bytes */
	X_ADDR,    /* &a */
	X_UNARY,   /* op a */
	X_BINARY,  /* a op b */
	X_COND,    /* a ? b : c */
	X_CALL,    /* str(args...): a function that only a plugin may know */
};

/* Operators of two characters that are not their first character alone. */
enum { OP_SHL = 256, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR };

struct tf_expr {
	u8 kind, size;
	bool sign;
	u16 op;
	u16 depth; /* of the tree below, limited so that walking it cannot exhaust the stack */
	const struct tf_field *field;
	u64 num;
	const char *str;
	u32 len; /* of str */
	u32 nr_syms;
	struct tf_sym *syms;
	struct tf_expr *a, *b, *c;
	struct tf_expr **args; /* of X_CALL */
	u32 nr_args;
	struct tf_expr *next; /* the next X_CALL of the print fmt */
};

/* One conversion of the print fmt with the literal text in front of it. */
enum tf_op_kind {
	TF_OP_END,
	TF_OP_NUM,
	TF_OP_FIELD, /* a number in a field, as it is */
	TF_OP_VALUE, /* a number, as it is */
	TF_OP_CHARS, /* a string in an array of some words */
	TF_OP_STR,
	TF_OP_PTR,
	TF_OP_FUNC,
	TF_OP_NET,
	TF_OP_BITS
};

struct tf_spec {
	char conv; /* d u x X o c s p; for TF_OP_NET the letter after %p */
	bool left, zero, alt, plus, space;
	bool star_width, star_prec;
	s8 len;          /* bytes of the integer as the length modifier says */
	s32 width, prec; /* -1: none */
};

#define TF_LIT_BYTES 16

struct tf_op {
	u8 kind;
	struct tf_spec spec;
	char ext[6];     /* letters after %p */
	const char *lit; /* there are at least TF_LIT_BYTES to be read */
	u32 lit_len;
	const struct tf_expr *width, *prec; /* of '*' */
	const struct tf_expr *arg;
};

struct tf_prog {
	struct tf_op *ops; /* the last is TF_OP_END, with the trailing literal */
};

struct tf_ctx {
	const struct tf_event *ev;
	struct tf_printer *pr;
	const u8 *raw;
	size_t size;
};

/* expr.c */
struct tf_args {
	const char *fmt; /* unescaped format string, fmt_len bytes */
	size_t fmt_len;
	struct tf_expr **args;
	size_t nr;
	struct tf_expr *calls; /* all X_CALL among them */
};
/** print_fmt_parse - split and parse the text after "print fmt:". Return: 0, or -EINVAL with
 * @why. */
int print_fmt_parse(struct tracefmt *tf, const struct tf_event *ev, const char *s, size_t len,
		    struct tf_args *out, const char **why);

/* eval.c */
/** tf_eval - return the value of an expression; never fails: what cannot be computed is 0. */
u64 tf_eval(const struct tf_ctx *c, const struct tf_expr *x);
/** tf_bytes - return the bytes an expression points at, *@len of them; NULL when it is no pointer
 * into the payload. */
const u8 *tf_bytes(const struct tf_ctx *c, const struct tf_expr *x, size_t *len);
/** tf_text - return the text of an expression under %s; @spec: its width and precision, NULL when
 * it has none. */
void tf_text(const struct tf_ctx *c, const struct tf_expr *x, const struct tf_spec *spec,
	     struct strbuf *out);
/** tf_bits - append the first @nbits of a bit mask as a list of ranges. */
void tf_bits(const struct tf_ctx *c, const struct tf_expr *x, u64 nbits, struct strbuf *out);

/* conv.c */
#define TF_MAX_WIDTH 256
/** put_padded - append a text with the width of a conversion. */
void put_padded(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len);
/** put_num - append one integer by a conversion. */
void put_num(struct strbuf *out, const struct tf_spec *spec, u64 v);
/** put_str - append a string with the width and precision of a conversion. */
void put_str(struct strbuf *out, const struct tf_spec *spec, const char *s, size_t len);

/** put_foreign - append text out of a payload: as it is, but for control bytes that would drive a
 * terminal. */
void put_foreign(struct strbuf *out, const u8 *p, size_t len);

/* prog.c */
/** prog_compile - compile the steps of a parsed print fmt. Return: the program, which hangs on the
 * arena, or NULL and @why. */
struct tf_prog *prog_compile(struct tracefmt *tf, const struct tf_args *args, const char **why);

/* netfmt.c */
/** put_net - append %pI4, %pI6c, %pM, %pU... : addresses and ids. */
void put_net(const struct tf_ctx *c, const struct tf_op *op, struct strbuf *out);

/* running.c */
/** format_read_running - read a format of the running kernel, appended to @out. Return: 0 or
 * -errno. */
int format_read_running(const struct sysroot *sr, const char *system, const char *name,
			struct strbuf *out);

/* format.c */
/** format_parse - parse one format description into an event that hangs on the arena. */
struct tf_event *format_parse(struct tracefmt *tf, const char *system, const char *text, size_t len,
			      struct err *err);

/** tf_narrow - return the low @size bytes of a value, extended as its type says; else all of it. */
static inline u64 tf_narrow(u64 v, unsigned int size, bool sign)
{
	switch (size) {
	case 1:
		return sign ? (u64)(s64)(s8)v : (u8)v;
	case 2:
		return sign ? (u64)(s64)(s16)v : (u16)v;
	case 4:
		return sign ? (u64)(s64)(s32)v : (u32)v;
	default:
		return v;
	}
}

/** tf_load - return a number of @size bytes of a payload in native order. */
static inline u64 tf_load(const struct tracefmt *tf, const void *p, size_t size)
{
	u16 v16;
	u32 v32;
	u64 v64;

	switch (size) {
	case 1:
		return *(const u8 *)p;
	case 2:
		memcpy(&v16, p, 2);
		return tf->swap ? __builtin_bswap16(v16) : v16;
	case 4:
		memcpy(&v32, p, 4);
		return tf->swap ? __builtin_bswap32(v32) : v32;
	case 8:
		memcpy(&v64, p, 8);
		return tf->swap ? __builtin_bswap64(v64) : v64;
	default:
		return 0;
	}
}

/** tf_value - return the value of a field; a signed one of 8 or 16 bits keeps its sign, as C
 * promotes it. 0 when it is not inside the payload. */
static inline u64 tf_value(const struct tf_ctx *c, const struct tf_field *f)
{
	u64 v;

	if (!f || f->size > c->size || f->offset > c->size - f->size)
		return 0;
	v = tf_load(c->ev->tf, c->raw + f->offset, f->size);
	return f->flags & TF_SIGNED && f->size < 4 ? tf_narrow(v, f->size, true) : v;
}

#endif
