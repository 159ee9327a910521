// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/syscall-events.h"

enum syscall_side syscall_side_of(const char *name, const char **call)
{
	static const struct {
		const char *prefix;
		enum syscall_side side;
		bool of_all;
	} kinds[] = {
		{ "raw_syscalls:sys_enter", SYSCALL_ENTER, true },
		{ "raw_syscalls:sys_exit", SYSCALL_EXIT, true },
		{ "syscalls:sys_enter_", SYSCALL_ENTER, false },
		{ "syscalls:sys_exit_", SYSCALL_EXIT, false },
	};

	*call = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i].prefix);

		if (strncmp(name, kinds[i].prefix, len) || kinds[i].of_all == !!name[len])
			continue;
		*call = kinds[i].of_all ? NULL : name + len;
		return kinds[i].side;
	}
	return SYSCALL_NEITHER;
}

static bool place(struct syscall_binding *b, const struct tf_field *f, u32 at, u32 size,
		  struct engine_place *out)
{
	if (!f || !size || size > 8 || size & (size - 1) || f->offset > UINT32_MAX - 8 - at)
		return false;
	*out = (struct engine_place){ .offset = f->offset + at,
				      .size = (u8)size,
				      .is_signed = f->flags & TF_SIGNED };
	b->payload = MAX(b->payload, out->offset + size);
	return true;
}

static bool bind_scalar(struct syscall_binding *b, const struct tf_field *f,
			struct engine_place *out)
{
	return f && !(f->flags & (TF_ARRAY | TF_DYNAMIC)) && place(b, f, 0, f->size, out);
}

/* raw_syscalls:sys_enter has all arguments in one array. */
static bool bind_array(struct syscall_binding *b, const struct tf_field *f)
{
	bool ok = f->elem_size != 0;

	for (u32 i = 0; ok && i < SYSCALL_ARGS && (i + 1) * f->elem_size <= f->size; i++)
		ok = place(b, f, i * f->elem_size, f->elem_size, &b->args[b->nr_args++]);
	return ok;
}

/* Events of one call have a field for each argument, behind the number of the call. */
static bool bind_fields(struct syscall_binding *b, const struct tf_event *format)
{
	for (u32 i = format->nr_common; i < format->nr_fields; i++) {
		const struct tf_field *f = &format->fields[i];

		if (f->flags & (TF_ARRAY | TF_DYNAMIC) || !strcmp(f->name, "nr") ||
		    !strcmp(f->name, "__syscall_nr") || b->nr_args == SYSCALL_ARGS)
			continue;
		if (!bind_scalar(b, f, &b->args[b->nr_args++]))
			return false;
	}
	return true;
}

/* Tell whether the numbers can be copied as they are, which is so of the raw events on machines of
 * 64 bits. */
static bool are_words(const struct syscall_binding *b)
{
	bool words = !b->swap && b->nr.size == 8;

	if (b->side == SYSCALL_EXIT)
		return words && b->ret.size == 8;
	for (u32 i = 0; i < b->nr_args && words; i++)
		words = b->args[i].size == 8 && b->args[i].offset == b->args[0].offset + i * 8;
	return words && b->nr_args == SYSCALL_ARGS;
}

static bool bind(const char *name, const struct tf_event *format, bool swap,
		 struct syscall_binding *out)
{
	const struct tf_field *nr, *args;
	const char *call;

	*out = (struct syscall_binding){ .side = syscall_side_of(name, &call), .swap = swap };
	if (out->side == SYSCALL_NEITHER || !format)
		return false;
	nr = tf_find_field(format, call ? "__syscall_nr" : "id");
	if (!nr)
		nr = tf_find_field(format, "nr"); /* its name in older kernels */
	if (!bind_scalar(out, nr, &out->nr))
		return false;
	if (out->side == SYSCALL_EXIT)
		return bind_scalar(out, tf_find_field(format, "ret"), &out->ret);
	if (call)
		return bind_fields(out, format);
	args = tf_find_field(format, "args");
	return args && args->flags & TF_ARRAY && bind_array(out, args);
}

bool syscall_bind(const char *name, const struct tf_event *format, bool swap,
		  struct syscall_binding *out)
{
	const bool bound = bind(name, format, swap, out);

	out->words = bound && are_words(out);
	return bound;
}

static u64 number(const struct syscall_binding *b, const u8 *raw, const struct engine_place *at)
{
	const unsigned int unused = 64 - 8 * (unsigned int)at->size;
	const u64 v = engine_unsigned(raw + at->offset, at->size, b->swap);

	return at->is_signed ? (u64)((s64)(v << unused) >> unused) : v;
}

bool syscall_read_parts(const struct syscall_binding *b, const void *raw, size_t size,
			struct syscall_numbers *out)
{
	if (!raw || size < b->payload)
		return false;
	out->nr = (s64)number(b, raw, &b->nr);
	if (b->side == SYSCALL_EXIT) {
		out->ret = (s64)number(b, raw, &b->ret);
		return true;
	}
	out->lacking = SYSCALL_ARGS - b->nr_args;
	for (u32 i = 0; i < SYSCALL_ARGS; i++)
		out->args[i] = i < b->nr_args ? number(b, raw, &b->args[i]) : 0;
	return true;
}
