// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-line.h"

#include "base/units.h"

#define COMM_SHOWN 14 /* bytes of a name of a thread */
#define TIME_WIDTH 10 /* columns of a time, with its three decimals */

/* Append milliseconds with three decimals, rounded as printf does. */
static void add_ms(struct strbuf *out, u64 ns, unsigned int width)
{
	const u64 us = ns / 1000 + (ns % 1000 > 500);
	char *end;

	if (ns % 1000 == 500) { /* what is nearest is up to the fraction that a double has */
		strbuf_addf(out, "%*.3f", (int)width, (double)ns / 1e6);
		return;
	}
	strbuf_grow(out, DIGITS_THOUSANDTHS);
	end = digits_thousandths(out->buf + out->len, us / 1000, (u32)(us % 1000), width - 4);
	*end = '\0';
	out->len = (size_t)(end - out->buf);
}

void trace_line_head(struct strbuf *out, const struct trace_look *look, const struct trace_head *h)
{
	char comm[COMM_SHOWN + 1];

	if (look->timestamp && h->timed)
		add_ms(out, h->time, TIME_WIDTH);
	else if (look->timestamp)
		strbuf_addstr(out, "         ?");
	if (look->timestamp)
		strbuf_addch(out, ' ');
	if (look->duration && h->lasted) {
		strbuf_addch(out, '(');
		add_ms(out, h->ns, 6);
		strbuf_addstr(out, " ms): ");
	} else if (look->duration && look->blank_duration) {
		strbuf_addstr(out, "(         ): ");
	}
	if (look->cpu && h->cpu != UINT32_MAX)
		strbuf_addf(out, "[%03u] ", h->cpu);
	else if (look->cpu)
		strbuf_addstr(out, "[  ?] ");
	if (!look->threads)
		return;
	if (look->comm) {
		const char *name = h->comm ? h->comm : "";
		const size_t len = MIN(strlen(name), (size_t)COMM_SHOWN);

		memcpy(comm, name, len);
		comm[len] = 0;
		strbuf_addname(out, comm);
		strbuf_addch(out, '/');
	}
	strbuf_dec(out, h->tid, 0);
	strbuf_addch(out, ' ');
}

void trace_line_name(struct strbuf *out, const struct sysargs *sa, s64 nr)
{
	const struct syscall_desc *d = nr >= 0 && nr <= UINT32_MAX ? sysargs_call(sa, (u32)nr)
								   : NULL;

	if (d)
		strbuf_addstr(out, d->name);
	else
		strbuf_addf(out, "syscall_%" PRId64, sysargs_own_number(nr));
}

static void add_arguments(struct strbuf *out, const struct sysargs *sa,
			  const struct syscall_call *c, const struct syscall_made *made,
			  const struct sysargs_view *v)
{
	if (made->desc) {
		sysargs_print(out, sa, made, v);
		return;
	}
	trace_line_name(out, sa, c->nr);
	strbuf_addch(out, '(');
	for (int i = 0; i < SYSCALL_ARGS; i++)
		strbuf_addf(out, "%s0x%" PRIx64, i ? ", " : "", c->args[i]);
}

/* A call that goes on ends in three dots, the last of which is where a result would begin. */
static void add_dots(struct strbuf *out, size_t from, const struct sysargs_view *v)
{
	strbuf_addstr(out, ") ");
	strbuf_pad(out, from + (v->args_alignment > 3 ? v->args_alignment - 3 : 0));
	strbuf_addstr(out, "...");
}

struct syscall_made trace_call_made(const struct sysargs *sa, const struct syscall_call *call)
{
	struct syscall_made made = { .returned = call->state == SYSCALL_DONE, .ret = call->ret };

	if (call->nr >= 0 && call->nr <= UINT32_MAX)
		made.desc = sysargs_call(sa, (u32)call->nr);
	memcpy(made.args, call->args, sizeof(made.args));
	return made;
}

void trace_line_call(struct strbuf *out, const struct trace_look *look, const struct sysargs *all,
		     const struct syscall_call *call)
{
	const struct sysargs_view *v = &look->view;
	const struct sysargs *sa = sysargs_of(all, call->nr);
	const struct syscall_made made = trace_call_made(all, call);
	const size_t from = out->len;

	if (call->resumed || !call->begun) {
		strbuf_addstr(out, " ... [continued]: ");
		trace_line_name(out, all, call->nr);
		strbuf_addstr(out, "()");
	} else {
		add_arguments(out, sa, call, &made, v);
	}
	if (call->state == SYSCALL_GOES_ON) {
		add_dots(out, from, v);
	} else {
		sysargs_align(out, from, v);
		if (call->state == SYSCALL_LAST)
			strbuf_addstr(out, "= ?");
		else if (!made.desc)
			strbuf_addf(out, "= %" PRId64, call->ret);
		else
			sysargs_print_return(out, sa, &made, v);
	}
	strbuf_addch(out, '\n');
}

void trace_line_fault(struct strbuf *out, const struct trace_fault *f)
{
	strbuf_addstr(out, f->major ? "majfault [" : "minfault [");
	if (f->symbol) {
		strbuf_addname(out, f->symbol);
		strbuf_addch(out, '+');
	}
	strbuf_addstr(out, "0x");
	strbuf_hex(out, f->offset, 1, 0);
	strbuf_addstr(out, "] => ");
	if (f->object) {
		strbuf_addname(out, f->object);
		strbuf_addch(out, '@');
	}
	strbuf_addstr(out, "0x");
	strbuf_hex(out, f->at, 1, 0);
	strbuf_addf(out, " (%c%c)\n",
		    !f->object  ? '?'
		    : f->kernel ? 'x'
				: 'd',
		    f->object && !f->kernel ? '.' : 'k');
}
