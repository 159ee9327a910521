// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/fields.h"

#include "base/alloc.h"

/* Append a text that comes from a recording, in quotes. */
static void add_quoted(struct strbuf *out, const char *text, size_t len)
{
	char *copy = xstrndup(text, len);

	strbuf_addch(out, '"');
	strbuf_addname(out, copy);
	strbuf_addch(out, '"');
	free(copy);
}

static bool ends_in_pid(const char *name)
{
	const size_t len = strlen(name);

	return len >= 3 && !strcmp(name + len - 3, "pid");
}

static void add_number(struct strbuf *out, const struct tf_field *f, u64 value,
		       const struct sysargs_view *v)
{
	const char *comm;

	if (f->flags & TF_POINTER)
		strbuf_addf(out, "0x%" PRIx64, value);
	else if (f->flags & TF_SIGNED)
		strbuf_addf(out, "%" PRId64, (s64)value);
	else
		strbuf_dec(out, value, 0);
	if (!ends_in_pid(f->name) || !v->ops || !v->ops->task_name)
		return;
	comm = v->ops->task_name(v->ctx, (s32)value);
	if (comm) {
		strbuf_addstr(out, " (");
		strbuf_addname(out, comm);
		strbuf_addch(out, ')');
	}
}

static bool add_value(struct strbuf *out, const struct tf_event *format, const struct tf_field *f,
		      const void *raw, size_t size, const struct sysargs_view *v)
{
	const char *data;
	size_t len;
	u64 value;

	if (f->flags & TF_STRING) {
		data = tf_field_data(format, f, raw, size, &len);
		add_quoted(out, data ? data : "", data ? len : 0);
		return true;
	}
	if (f->flags & (TF_ARRAY | TF_DYNAMIC)) {
		tf_print_field(format, f, raw, size, out);
		return true;
	}
	if (!tf_field_int(format, f, raw, size, &value) || (!value && !v->show_zeros))
		return false;
	add_number(out, f, value, v);
	return true;
}

void trace_fields(struct strbuf *out, const struct tf_event *format, const void *raw, size_t size,
		  const struct sysargs_view *v)
{
	bool any = false;

	for (u32 i = format->nr_common; i < format->nr_fields; i++) {
		const struct tf_field *f = &format->fields[i];
		const size_t before = out->len;

		if (!strcmp(f->name, "__syscall_nr"))
			continue;
		if (any)
			strbuf_addstr(out, ", ");
		if (v->show_arg_names)
			strbuf_addf(out, "%s: ", f->name);
		if (add_value(out, format, f, raw, size, v))
			any = true;
		else
			out->buf[out->len = before] = 0;
	}
}
