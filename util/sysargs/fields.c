// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of tracepoints as text, by the same kinds as arguments of calls. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include "bpf/btf-print.h"
#include "tracefmt/tracefmt.h"

#define KERNEL_ADDRESS (1ULL << 63) /* numbers from here on are addresses */

static bool ends_in(const char *s, const char *tail)
{
	size_t len = strlen(s), tail_len = strlen(tail);

	return len >= tail_len && !strcmp(s + len - tail_len, tail);
}

static const struct sysarg_kind *kind_of_field(const struct tf_field *f)
{
	if (ends_in(f->name, "pid") && f->size == 4)
		return kind_find("pid", 3);
	if (!strcmp(f->type, "umode_t"))
		return kind_find("open_mode", 9);
	return NULL;
}

/* Append the name of a value of an enum. Return: false: it has none. */
static bool print_enum_name(struct printing *p, const struct tf_field *f, u64 value)
{
	const char *name = NULL;

	if (p->v->btf && !strncmp(f->type, "enum ", 5))
		name = btf_enum_name(p->v->btf, btf_find(p->v->btf, f->type), (s64)value);
	if (name)
		strbuf_addname(p->out, name);
	return name;
}

static void print_number(struct printing *p, const struct tf_field *f, u64 value)
{
	const struct sysarg_kind *kind = kind_of_field(f);
	const struct sysarg arg = { .name = f->name, .kind = kind };
	bool address = f->flags & TF_POINTER ||
		       (value >= KERNEL_ADDRESS && !(f->flags & TF_SIGNED));

	if (kind)
		kind->print(p, &arg, value);
	else if (address)
		print_pointer(p, &arg, value);
	else if (!print_enum_name(p, f, value))
		kind_find(f->flags & TF_SIGNED ? "long" : "ulong", f->flags & TF_SIGNED ? 4 : 5)
			->print(p, &arg, value);
}

static void print_elements(struct printing *p, const struct tf_event *ev, const struct tf_field *f,
			   const u8 *data, size_t len)
{
	size_t nr = f->elem_size ? len / f->elem_size : 0;

	strbuf_addch(p->out, '[');
	for (size_t i = 0; i < nr; i++) {
		if (i)
			strbuf_addstr(p->out, ", ");
		if (i == SYSARGS_ELEMENTS) {
			strbuf_addstr(p->out, "...");
			break;
		}
		tf_print_element(ev, f, data, i, p->out);
	}
	strbuf_addch(p->out, ']');
}

/* Append one field. Return: false, and nothing is appended: it is zero, or not inside @raw. */
static bool print_field(struct printing *p, const struct tf_event *ev, const struct tf_field *f,
			const void *raw, size_t size, const char *gap)
{
	u64 value = 0;
	size_t len = 0;
	bool is_array = f->flags & (TF_ARRAY | TF_DYNAMIC | TF_STRING);
	const u8 *data = is_array ? tf_field_data(ev, f, raw, size, &len) : NULL;

	if (is_array ? !data : !tf_field_int(ev, f, raw, size, &value))
		return false;
	if (!is_array && !value && !p->v->show_zeros && strncmp(f->type, "enum ", 5))
		return false;
	strbuf_addstr(p->out, gap);
	if (p->v->show_arg_names) {
		strbuf_addname(p->out, f->name);
		strbuf_addstr(p->out, ": ");
	}
	if (f->flags & TF_STRING)
		print_quoted(p->out, data, strnlen((const char *)data, len), false);
	else if (is_array)
		print_elements(p, ev, f, data, len);
	else
		print_number(p, f, value);
	return true;
}

void sysargs_print_fields(struct strbuf *out, const struct sysargs *sa, const struct tf_event *ev,
			  const void *raw, size_t size, const struct sysargs_view *v)
{
	struct printing p = { .out = out, .sa = sa, .v = v };
	const char *gap = "";

	/* That an event of a system call has its number says nothing beside its name. */
	for (u32 i = ev->nr_common; i < ev->nr_fields; i++)
		if (strcmp(ev->fields[i].name, "__syscall_nr") &&
		    print_field(&p, ev, &ev->fields[i], raw, size, gap))
			gap = ", ";
}
