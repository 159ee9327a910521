// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/calls.h"

#include "arch/syscalls.h"
#include "base/alloc.h"
#include "base/err.h"

#define CALLS_MAX 1024         /* above the numbers of all calls */
#define SMALL_RESULT (1 << 30) /* larger results are shown as addresses */

struct trace_calls {
	u32 machine;
	struct trace_desc of[CALLS_MAX]; /* names are owned; by number */
};

struct trace_calls *trace_calls_new(const struct trace_abi *abi)
{
	struct trace_calls *c = xzalloc(sizeof(*c));

	c->machine = abi->machine;
	for (u32 nr = 0; nr < CALLS_MAX; nr++) {
		size_t len;
		const char *name = syscall_name(abi->machine, nr, &len);

		c->of[nr].name = name ? xstrndup(name, len) : NULL;
	}
	return c;
}

void trace_calls_free(struct trace_calls *c)
{
	if (!c)
		return;
	for (u32 nr = 0; nr < CALLS_MAX; nr++)
		free((char *)c->of[nr].name);
	free(c);
}

const struct trace_desc *trace_calls_get(const struct trace_calls *c, u32 nr)
{
	return nr < CALLS_MAX && c->of[nr].name ? &c->of[nr] : NULL;
}

int trace_calls_number(const struct trace_calls *c, const char *name)
{
	return syscall_number(c->machine, name);
}

u32 trace_calls_nr(const struct trace_calls *c)
{
	return CALLS_MAX;
}

void trace_calls_print(struct strbuf *out, const struct trace_made *call)
{
	strbuf_addstr(out, call->desc->name);
	strbuf_addch(out, '(');
	for (u32 i = 0; i < CALL_ARGS_MAX; i++) {
		strbuf_addstr(out, i ? ", 0x" : "0x");
		strbuf_hex(out, call->args[i], 1, 0);
	}
}

void trace_calls_align(struct strbuf *out, size_t from, const struct trace_view *v)
{
	strbuf_addstr(out, ") ");
	strbuf_pad(out, from + v->args_alignment);
}

void trace_calls_return(struct strbuf *out, const struct trace_made *call)
{
	const char *name;

	if (call->ret >= -4095 && call->ret < 0) {
		name = strerrorname_np((int)-call->ret);
		strbuf_addf(out, "= -1 %s (%s)", name ? name : "?", err_str((int)call->ret));
	} else if (call->ret >= 0 && call->ret < SMALL_RESULT) {
		strbuf_addstr(out, "= ");
		strbuf_dec(out, (u64)call->ret, 0);
	} else {
		strbuf_addstr(out, "= 0x");
		strbuf_hex(out, (u64)call->ret, 1, 0);
	}
}
