// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-line.h"

#include "base/escape.h"
#include "base/units.h"

#define COMM_SHOWN 14 /* bytes of a name of a thread */
#define TIME_WIDTH 10 /* columns of a time, with its three decimals */
#define HEAD_MAX 256  /* bytes that the columns before a text take at most */

/* Append a text whose length is known here. */
#define PUT(p, text) ((char *)memcpy(p, text, sizeof(text) - 1) + sizeof(text) - 1)

/* Append milliseconds with three decimals, rounded as printf does. */
static char *put_ms(char *p, u64 ns, unsigned int width)
{
	const u64 us = ns / 1000, rest = ns - us * 1000, rounded = us + (rest > 500),
		  ms = rounded / 1000;

	if (unlikely(rest == 500)) /* what is nearest is up to the fraction that a double has */
		return p + snprintf(p, DIGITS_THOUSANDTHS, "%*.3f", (int)width, (double)ns / 1e6);
	return digits_thousandths(p, ms, (u32)(rounded - ms * 1000), width - 4);
}

static char *put_time(char *p, const struct trace_head *h)
{
	p = h->timed ? put_ms(p, h->time, TIME_WIDTH) : PUT(p, "         ?");
	*p++ = ' ';
	return p;
}

static char *put_duration(char *p, const struct trace_look *look, const struct trace_head *h)
{
	if (!h->lasted)
		return look->blank_duration ? PUT(p, "(         ): ") : p;
	*p++ = '(';
	p = put_ms(p, h->ns, 6);
	return PUT(p, " ms): ");
}

static char *put_cpu(char *p, const struct trace_head *h)
{
	if (h->cpu == UINT32_MAX)
		return PUT(p, "[  ?] ");
	return p + snprintf(p, DIGITS_DEC, "[%03u] ", h->cpu);
}

/* Append the first bytes of a name, in which control bytes are escaped. */
static char *put_comm(char *p, const char *name)
{
	char comm[COMM_SHOWN + 1];
	bool odd = false;
	u32 len;

	for (len = 0; len < COMM_SHOWN && name[len]; len++) {
		const u8 byte = (u8)name[len];

		odd |= byte < 0x20 || byte == 0x7f;
		p[len] = comm[len] = name[len];
	}
	comm[len] = 0;
	return p + (likely(!odd) ? len : escape_name(p, sizeof(comm) * 4, comm));
}

static char *put_thread(char *p, const struct trace_look *look, const struct trace_head *h)
{
	if (look->comm) {
		p = put_comm(p, h->comm ? h->comm : "");
		*p++ = '/';
	}
	p = digits_dec(p, h->tid);
	*p++ = ' ';
	return p;
}

void trace_line_head(struct strbuf *out, const struct trace_look *look, const struct trace_head *h)
{
	char *p;

	strbuf_grow(out, HEAD_MAX);
	p = out->buf + out->len;
	if (look->timestamp)
		p = put_time(p, h);
	if (look->duration)
		p = put_duration(p, look, h);
	if (look->cpu)
		p = put_cpu(p, h);
	if (look->threads)
		p = put_thread(p, look, h);
	*p = '\0';
	out->len = (size_t)(p - out->buf);
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
	const bool numbered = call->nr >= 0 && call->nr <= UINT32_MAX;

	return (struct syscall_made){ .desc = numbered ? sysargs_call(sa, (u32)call->nr) : NULL,
				      .args = call->args,
				      .returned = call->state == SYSCALL_DONE,
				      .ret = call->ret };
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
