// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole calls and their results become text here. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#define ERRNO_MAX 4095 /* results from -ERRNO_MAX to -1 are errors */

/* A call consists of this when its command is known. */
struct shape {
	const struct sysarg *args, *ret;
	u32 nr_args;
};

static struct shape shape_of(const struct syscall_made *call)
{
	const struct syscall_desc *d = call->desc;
	const struct names *n;
	u64 command;

	if (d->nr_variants) {
		n = d->args[d->selector].parm;
		command = sysarg_value(&d->args[d->selector], call->args[d->selector]) & n->mask;
		for (u32 i = 0; i < d->nr_variants; i++)
			if (d->variants[i].value == command)
				return (struct shape){ d->variants[i].args, &d->variants[i].ret,
						       d->variants[i].nr_args };
	}
	return (struct shape){ d->args, &d->ret, d->nr_args };
}

/* Tell whether a value is shown. Without names its place tells which argument it is. */
static bool is_shown(const struct printing *p, const struct sysarg *arg, u64 value)
{
	if (arg->kind->absent && arg->kind->absent(p, value))
		return false;
	return value || arg->zero || p->v->show_zeros || !p->v->show_arg_names;
}

/* Return the value of an argument, which two registers of narrow programs may share. */
static u64 value_of(const struct sysargs *sa, const struct syscall_made *call,
		    const struct sysarg *arg)
{
	u64 value = arg->reg < SYSARGS_MAX ? call->args[arg->reg] : 0;

	if (sa->abi.narrow && arg->width == 8) {
		u64 next = arg->reg + 1 < SYSARGS_MAX ? call->args[arg->reg + 1] : 0;

		value = sa->abi.big_endian ? value << 32 | (u32)next : next << 32 | (u32)value;
	}
	return sysarg_value(arg, value);
}

/* Call @fn for each argument that is shown. Its text is printed when @fn asks for it. */
static void each_shown(struct printing *p,
		       void (*fn)(void *ctx, struct printing *p, const struct sysarg *arg,
				  u64 value),
		       void *ctx)
{
	struct shape s = shape_of(p->call);
	u64 values[SYSARGS_MAX];

	for (u32 i = 0; i < s.nr_args; i++)
		values[i] = value_of(p->sa, p->call, &s.args[i]);
	p->values = values;
	p->left = p->call->returned && p->call->ret > 0 ? (u64)p->call->ret : 0;
	for (u32 i = 0; i < s.nr_args; i++) {
		if (!is_shown(p, &s.args[i], values[i]))
			continue;
		p->out_now = s.args[i].out &&
			     (!s.args[i].both || (p->call->returned && p->call->ret >= 0));
		fn(ctx, p, &s.args[i], values[i]);
	}
	p->values = NULL;
}

static void print_next(void *ctx, struct printing *p, const struct sysarg *arg, u64 value)
{
	bool *first = ctx;

	if (!*first)
		strbuf_addstr(p->out, ", ");
	*first = false;
	if (p->v->show_arg_names)
		print_name(p->out, arg);
	print_value(p, arg, value);
}

void sysargs_print(struct strbuf *out, const struct sysargs *sa, const struct syscall_made *call,
		   const struct sysargs_view *v)
{
	struct printing p = { .out = out, .sa = sa, .call = call, .v = v };
	bool first = true;

	strbuf_add(out, call->desc->name, call->desc->name_len);
	strbuf_addch(out, '(');
	each_shown(&p, print_next, &first);
}

struct to_teller {
	sysargs_tell_fn *fn;
	void *ctx;
};

static void tell_next(void *arg, struct printing *p, const struct sysarg *a, u64 value)
{
	const struct to_teller *to = arg;

	strbuf_reset(p->out);
	print_value(p, a, value);
	to->fn(to->ctx, a->name, p->out);
}

void sysargs_each(const struct sysargs *sa, const struct syscall_made *call,
		  const struct sysargs_view *v, sysargs_tell_fn *fn, void *ctx)
{
	struct strbuf text = STRBUF_INIT;
	struct printing p = { .out = &text, .sa = sa, .call = call, .v = v };

	each_shown(&p, tell_next, &(struct to_teller){ fn, ctx });
	strbuf_release(&text);
}

void sysargs_align(struct strbuf *out, size_t from, const struct sysargs_view *v)
{
	strbuf_addch(out, ')');
	strbuf_pad(out, MAX(from + v->args_alignment, out->len + 1));
}

const char *errno_name(const struct sysargs *sa, u32 error)
{
	return names_value(names_find("errno", 5), error);
}

static void print_new_error(struct strbuf *out, const struct sysargs *sa, u32 error)
{
	const char *name = errno_name(sa, error);

	if (name)
		strbuf_addf(out, "-1 %s (%s)", name, strerror((int)error));
	else
		strbuf_addf(out, "-1 (unknown error %u)", error);
}

/* Errors are few and come again and again, so the set keeps their texts. */
static void print_error(struct strbuf *out, const struct sysargs *sa, u32 error)
{
	struct error_text *text = error < SYSARGS_ERRORS ? &sa->self->errors[error] : NULL;
	const size_t from = out->len;

	if (text && text->s) {
		strbuf_add(out, text->s, text->len);
		return;
	}
	print_new_error(out, sa, error);
	if (!text)
		return;
	text->len = out->len - from;
	text->s = arena_strndup(&sa->self->arena, out->buf + from, text->len);
}

void sysargs_print_return(struct strbuf *out, const struct sysargs *sa,
			  const struct syscall_made *call, const struct sysargs_view *v)
{
	struct shape s = shape_of(call);
	struct printing p = { .out = out, .sa = sa, .call = call, .v = v, .values = call->args };

	strbuf_addstr(out, "= ");
	if (call->ret < 0 && call->ret >= -ERRNO_MAX)
		print_error(out, sa, (u32)-call->ret);
	else
		print_value(&p, s.ret, sysarg_value(s.ret, (u64)call->ret));
}

bool sysargs_returns_fd(const struct syscall_made *call)
{
	return shape_of(call).ret->kind->made_fd;
}

bool sysargs_may_return_fd(const struct syscall_desc *d)
{
	return d->nr_variants || d->ret.kind->made_fd;
}
