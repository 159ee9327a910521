// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may reach libtraceevent: formats that are written anew from our tree, with names that are
 * checked and types of our choice, and records that contain all fields of their format.
 */
#include "base/compat.h"
#include "tracefmt/gate.h"

#define MAX_NAME 64

static bool is_identifier(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && n <= MAX_NAME && !s[n] && !(*s >= '0' && *s <= '9');
}

static bool is_width(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* ------------------------------------------------------------------ formats */

/*
 * Fields whose value a plugin takes for a length without a look at the record: @size is what the
 * kernel gives them, so that they cannot reach past the zero bytes behind a record.
 */
static const struct {
	const char *system, *event, *field;
	u32 size;
} lengths[] = {
	{ "kvm", "kvm_emulate_insn", "len", 1 },
};

static bool length_is_right(const struct tf_event *ev, const struct tf_field *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (!strcmp(ev->system, lengths[i].system) && !strcmp(ev->name, lengths[i].event) &&
		    !strcmp(f->name, lengths[i].field))
			return f->size == lengths[i].size && !(f->flags & (TF_ARRAY | TF_SIGNED));
	return true;
}

/* Tell whether the library is told of a field. It is not told of structures and the like. */
static bool is_told(const struct tf_event *ev, const struct tf_field *f)
{
	if (!is_identifier(f->name))
		return false;
	if (f->flags & TF_DYNAMIC)
		return f->size == 4 && is_width(f->elem_size);
	if (f->flags & TF_ARRAY)
		return f->size && is_width(f->elem_size) && f->size % f->elem_size == 0;
	return f->flags & TF_LONG ? f->size == ev->tf->long_size : is_width(f->size);
}

static void put_type(const struct tf_field *f, struct strbuf *out)
{
	bool is_signed = f->flags & TF_SIGNED;

	if (f->flags & TF_DYNAMIC)
		strbuf_addstr(out, f->flags & TF_RELATIVE ? "__rel_loc " : "__data_loc ");
	if (f->flags & TF_STRING)
		strbuf_addstr(out, "char");
	else if (!(f->flags & TF_ARRAY) && f->flags & TF_POINTER)
		strbuf_addstr(out, "void *");
	else if (!(f->flags & TF_ARRAY) && f->flags & TF_LONG)
		strbuf_addstr(out, is_signed ? "long" : "unsigned long");
	else
		strbuf_addf(out, "%c%u", is_signed ? 's' : 'u', 8 * f->elem_size);
	if (f->flags & TF_DYNAMIC)
		strbuf_addstr(out, "[]");
}

static void put_format_field(const struct tf_field *f, struct strbuf *out)
{
	strbuf_addstr(out, "\tfield:");
	put_type(f, out);
	strbuf_addf(out, " %s", f->name);
	if ((f->flags & TF_ARRAY) && !(f->flags & TF_DYNAMIC))
		strbuf_addf(out, "[%u]", f->size / f->elem_size);
	strbuf_addf(out, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->offset, f->size,
		    (f->flags & TF_SIGNED) != 0);
}

bool gate_format(const struct tf_event *ev, struct strbuf *out)
{
	const struct tf_field *type = tf_find_field(ev, "common_type");
	u32 i;

	if (ev->id >= GATE_FIRST_CALL || !is_identifier(ev->system) || !is_identifier(ev->name) ||
	    !type || type->offset || type->size != 2 || !is_told(ev, type))
		return false;
	strbuf_addf(out, "name: %s\nID: %u\nformat:\n", ev->name, ev->id);
	for (i = 0; i < ev->nr_fields; i++) {
		if (!length_is_right(ev, &ev->fields[i]))
			return false;
		if (i == ev->nr_common)
			strbuf_addch(out, '\n');
		if (is_told(ev, &ev->fields[i]))
			put_format_field(&ev->fields[i], out);
	}
	strbuf_addstr(out, "\nprint fmt: \"\"\n");
	return true;
}

bool gate_record(const struct tf_event *ev, const u8 *raw, size_t size)
{
	u32 i;

	if (size > GATE_RECORD_MAX)
		return false;
	for (i = 0; i < ev->nr_fields; i++) {
		const struct tf_field *f = &ev->fields[i];
		u64 at, loc;

		if (f->size > size || f->offset > size - f->size)
			return false;
		if (!(f->flags & TF_DYNAMIC) || !is_told(ev, f))
			continue;
		loc = tf_load(ev->tf, raw + f->offset, 4);
		at = (loc & 0xffff) + (f->flags & TF_RELATIVE ? f->offset + f->size : 0);
		if (at + (loc >> 16) > size)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ calls */

/* Functions of the library's own plugins, and what they take: numbers (n) and pointers (p), which
 * they follow. */
static const struct {
	const char *name, *takes;
} functions[] = {
	{ "jiffies_to_msecs", "n" }, { "jbd2_dev_to_name", "n" }, { "xen_hypercall_name", "n" },
	{ "is_writable_pte", "n" },  { "__le16_to_cpup", "p" },   { "scsi_trace_parse_cdb", "npn" },
};

enum gate_arg gate_arg(const struct tf_expr *x)
{
	while (x->kind == X_CAST)
		x = x->a;
	if (x->kind == X_GETSTR || x->kind == X_STR ||
	    (x->kind == X_FIELD && x->field && x->field->flags & TF_STRING))
		return GATE_STRING;
	if (x->kind == X_DYN || (x->kind == X_FIELD && x->field && x->field->flags & TF_ARRAY))
		return GATE_BYTES;
	return GATE_NUMBER;
}

/* Tell whether the call gives the function what it takes. *@known: whether it is one of the
 * table */
static bool takes_these(const struct tf_expr *call, bool *known)
{
	u32 i;

	for (size_t fn = 0; fn < ARRAY_SIZE(functions); fn++) {
		const char *takes = functions[fn].takes;

		if (strcmp(functions[fn].name, call->str))
			continue;
		*known = true;
		for (i = 0; i < call->nr_args && takes[i]; i++)
			if ((takes[i] == 'n') != (gate_arg(call->args[i]) == GATE_NUMBER))
				return false;
		return i == call->nr_args && !takes[i];
	}
	*known = false;
	return true;
}

bool gate_call(const struct tf_expr *call, bool trusted)
{
	static const char *const helpers[] = { "__print_", "__get_", "__builtin_" };
	bool known;

	if (!is_identifier(call->str) || call->nr_args > GATE_MAX_ARGS)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++)
		if (!strncmp(call->str, helpers[i], strlen(helpers[i])))
			return false;
	return takes_these(call, &known) && (known || trusted);
}

void gate_call_format(const struct tf_expr *call, u32 id, bool text, struct strbuf *out)
{
	static const char *const types[] = {
		[GATE_NUMBER] = "u64", [GATE_STRING] = "__data_loc char[]", [GATE_BYTES] = "__data_loc u8[]"
	};
	u32 i;

	strbuf_addf(out,
		    "name: call_%u\nID: %u\nformat:\n"
		    "\tfield:u16 common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n",
		    id, id);
	for (i = 0; i < call->nr_args; i++) {
		enum gate_arg kind = gate_arg(call->args[i]);

		strbuf_addf(out, "\tfield:%s a%u;\toffset:%u;\tsize:%u;\tsigned:0;\n", types[kind],
			    i, GATE_ARGS_AT + 8 * i, kind == GATE_NUMBER ? 8 : 4);
	}
	strbuf_addf(out, "\nprint fmt: \"%s\", %s(", text ? "%s" : "%llx", call->str);
	for (i = 0; i < call->nr_args; i++) {
		enum gate_arg kind = gate_arg(call->args[i]);

		strbuf_addstr(out, i ? ", " : "");
		if (kind == GATE_NUMBER)
			strbuf_addf(out, "REC->a%u", i);
		else
			strbuf_addf(out, "%s(a%u)",
				    kind == GATE_STRING ? "__get_str" : "__get_dynamic_array", i);
	}
	strbuf_addstr(out, ")\n");
}
