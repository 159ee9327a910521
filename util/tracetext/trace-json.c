// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracetext/trace-json.h"

#include "analyze/syscall-sums.h"
#include "codec/json.h"

/* Append a comma, unless an object has just begun, and the name of a member. */
static void member(struct strbuf *out, const char *name)
{
	if (out->buf[out->len - 1] != '{')
		strbuf_addstr(out, ", ");
	json_string(out, name);
	strbuf_addstr(out, ": ");
}

static void add_number(struct strbuf *out, const char *name, s64 value)
{
	member(out, name);
	strbuf_addf(out, "%" PRId64, value);
}

static void add_text(struct strbuf *out, const char *name, const char *text, size_t len)
{
	member(out, name);
	strbuf_addch(out, '"');
	json_text(out, text, len);
	strbuf_addch(out, '"');
}

static void add_head(struct strbuf *out, const struct trace_head *h)
{
	strbuf_addch(out, '{');
	if (h->timed)
		add_number(out, "time_ns", (s64)h->time);
	if (h->lasted)
		add_number(out, "duration_ns", (s64)h->ns);
	if (h->comm)
		add_text(out, "comm", h->comm, strlen(h->comm));
	add_number(out, "pid", (s32)h->pid);
	add_number(out, "tid", (s32)h->tid);
	if (h->cpu != UINT32_MAX)
		add_number(out, "cpu", h->cpu);
}

static void add_argument(void *out, const char *name, const struct strbuf *value)
{
	add_text(out, name, value->buf, value->len);
}

static void add_arguments(struct strbuf *out, const struct sysargs *sa,
			  const struct syscall_made *made, const struct sysargs_view *v)
{
	member(out, "args");
	strbuf_addch(out, '{');
	sysargs_each(sa, made, v, add_argument, out);
	strbuf_addch(out, '}');
}

static void add_result(struct strbuf *out, const struct sysargs *sa,
		       const struct syscall_made *made, const struct sysargs_view *v)
{
	const bool failed = made->ret < 0 && made->ret >= -SYSCALL_MAX_ERRNO;
	const char *error = failed ? errno_name(sa, (u32)-made->ret) : NULL;
	struct strbuf text = STRBUF_INIT;

	add_number(out, "ret", made->ret);
	if (made->desc) {
		sysargs_print_return(&text, sa, made, v);
		add_text(out, "result", text.buf + 2, text.len - 2); /* behind "= " */
	}
	if (error)
		add_text(out, "errno", error, strlen(error));
	strbuf_release(&text);
}

void trace_json_call(struct strbuf *out, const struct trace_head *h, const struct sysargs *all,
		     const struct syscall_call *call, const struct sysargs_view *v)
{
	const struct sysargs *sa = sysargs_of(all, call->nr);
	const struct syscall_made made = trace_call_made(all, call);
	struct strbuf name = STRBUF_INIT;

	add_head(out, h);
	trace_line_name(&name, all, call->nr);
	add_text(out, "call", name.buf, name.len);
	add_number(out, "nr", sysargs_own_number(call->nr));
	if (call->begun && made.desc)
		add_arguments(out, sa, &made, v);
	if (made.returned)
		add_result(out, sa, &made, v);
	strbuf_addstr(out, "}\n");
	strbuf_release(&name);
}

void trace_json_event(struct strbuf *out, const struct trace_head *h, const char *name,
		      const char *text, size_t len)
{
	add_head(out, h);
	add_text(out, "event", name, strlen(name));
	add_text(out, "text", text, len);
	strbuf_addstr(out, "}\n");
}

void trace_json_lost(struct strbuf *out, u64 nr)
{
	strbuf_addf(out, "{\"lost\": %" PRIu64 "}\n", nr);
}
