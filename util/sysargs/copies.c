// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of arguments tell what a BPF program has to copy so that it can be shown. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#include "base/alloc.h"
#include "bpf/call-memory.h"

/* Tell whether the argument behind an address of a socket is the number of its bytes. */
static bool has_length(const struct syscall_desc *d, u32 i)
{
	return d->args[i].kind->print == print_sockaddr && !d->args[i].out && i + 1 < d->nr_args &&
	       d->args[i + 1].fetch == SYSARG_FETCH_NONE;
}

static u16 bytes_of(u64 bytes)
{
	return (u16)MIN(bytes, (u64)CALL_COPY_MAX);
}

/* Set the number of elements of a copy, of @size bytes each, to argument @by, at most @most bytes
 * of them. */
static void set_sized(const struct syscall_desc *d, u8 by, u16 size, u64 most, struct call_copy *c)
{
	c->kind = CALL_COPY_SIZED;
	c->size = size;
	c->by = by == SYSARG_BY_RESULT ? CALL_BY_RESULT : d->args[by].reg;
	c->most = bytes_of(most);
}

/* Tell whether another argument tells how many bytes of a struct there are. */
static bool is_struct_by_bytes(const struct sysarg *a)
{
	return a->kind == &kind_pointer && ((const struct pointee *)a->parm)->by_bytes;
}

/* Return how many bytes are copied of @a at most, the number of whose elements is told. */
static u64 most_of(const struct sysarg *a, u32 string_len)
{
	if (is_struct_by_bytes(a))
		return a->size;
	if (a->kind->print == print_cpus || a->kind->print == print_nodes)
		return CALL_COPY_MAX;
	return a->size <= 1 ? string_len : (u64)a->size * SYSARGS_ELEMENTS;
}

/* Set what is copied of argument @i. Return: false: nothing is. */
static bool copy_of(const struct syscall_desc *d, u32 i, const struct sysargs_view *v,
		    struct call_copy *c)
{
	const struct sysarg *a = &d->args[i];
	const u16 size = MAX(a->size, (u16)1);

	*c = (struct call_copy){ .arg = a->reg, .out = a->out };
	if (a->reg >= CALL_ARGS || (a->kind == &kind_kernel_struct && !v->force_btf))
		return false;
	switch (a->fetch) {
	case SYSARG_FETCH_NONE:
		return false;
	case SYSARG_FETCH_STRING:
		c->kind = CALL_COPY_STRING;
		/* one byte more tells that there are more, and a string that is cut gets a zero */
		c->most = bytes_of((u64)v->string_len + 2);
		return true;
	case SYSARG_FETCH_BYTES:
		c->kind = CALL_COPY_BYTES;
		c->most = bytes_of(size);
		if (has_length(d, i)) {
			set_sized(d, (u8)(i + 1), 1, size, c);
		}
		return true;
	case SYSARG_FETCH_SIZED:
		if (a->by != SYSARG_BY_RESULT && a->by >= d->nr_args)
			return false;
		/* the result is not known before the return */
		if (a->by == SYSARG_BY_RESULT && !a->out)
			return false;
		set_sized(d, a->by, is_struct_by_bytes(a) ? 1 : size, most_of(a, v->string_len), c);
		return c->most != 0;
	}
	return false;
}

/* Add a copy, unless another command of the call has the same one. Return: copies so far. */
static u32 add_copy(struct call_copy *v, u32 nr, const struct call_copy *c)
{
	for (u32 i = 0; i < nr; i++) {
		if (v[i].kind != c->kind || v[i].arg != c->arg || v[i].out != c->out ||
		    v[i].by != c->by || v[i].size != c->size)
			continue;
		v[i].most = MAX(v[i].most, c->most);
		return nr;
	}
	if (nr < CALL_COPIES)
		v[nr++] = *c;
	return nr;
}

static u32 add_arguments(const struct syscall_desc *d, const struct sysargs_view *v,
			 struct call_copies *row, u32 nr)
{
	struct call_copy c;

	for (u32 i = 0; i < d->nr_args; i++) {
		if (!copy_of(d, i, v, &c))
			continue;
		nr = add_copy(row->v, nr, &c);
		if (!d->args[i].both)
			continue;
		c.out = false;
		nr = add_copy(row->v, nr, &c);
	}
	return nr;
}

/* Set what is copied of any command of the call. */
static void set_row(const struct syscall_desc *d, const struct sysargs_view *v,
		    struct call_copies *row)
{
	u32 nr = add_arguments(d, v, row, 0);

	for (u32 i = 0; i < d->nr_variants; i++) {
		struct syscall_desc of = *d;

		of.nr_args = d->variants[i].nr_args;
		memcpy(of.args, d->variants[i].args, sizeof(of.args));
		nr = add_arguments(&of, v, row, nr);
	}
}

static bool points_to(const struct sysarg *a, const char *layout)
{
	const struct pointee *to = a->parm;

	return a->kind == &kind_pointer && to->elem.kind == &kind_struct &&
	       !strcmp(((const struct layout *)to->elem.parm)->name, layout);
}

/* Set what is copied of what memory points to. */
static void set_deep(const struct syscall_desc *d, u32 string_len, struct call_deep *deep)
{
	for (u32 i = 0; i < d->nr_args; i++) {
		const struct sysarg *a = &d->args[i];

		const bool filled = points_to(a, "iovec_out");

		if (a->kind->print == print_strings && deep->kind == CALL_DEEP_STRINGS) {
			deep->by = a->reg;
			return;
		}
		if (deep->kind != CALL_DEEP_NONE)
			continue;
		if (a->kind->print == print_strings)
			deep->kind = CALL_DEEP_STRINGS;
		else if ((filled || points_to(a, "iovec")) && a->by < d->nr_args)
			deep->kind = CALL_DEEP_BUFFERS;
		else if (points_to(a, "msghdr") || (points_to(a, "mmsghdr") && !a->out))
			deep->kind = CALL_DEEP_MESSAGE;
		else
			continue;
		deep->arg = a->reg;
		deep->by = deep->kind == CALL_DEEP_BUFFERS ? d->args[a->by].reg : 0;
		deep->out = filled || a->out;
		deep->most = bytes_of((u64)string_len + 2);
	}
}

/* Add the strings whose addresses the struct of a command has. Return: members so far. */
static u32 add_members(const struct syscall_variant *v, struct call_deep *deep, u32 nr)
{
	for (u32 i = 0; i < v->nr_args; i++) {
		const struct sysarg *a = &v->args[i];
		const struct pointee *to = a->kind == &kind_pointer && !a->out ? a->parm : NULL;
		const struct layout *l = to && to->elem.kind == &kind_struct ? to->elem.parm : NULL;

		for (u32 k = 0; l && k < l->nr && nr < CALL_MEMBERS; k++) {
			const struct member *m = &l->members[k];

			if (m->arg.fetch != SYSARG_FETCH_STRING)
				continue;
			deep->members[nr++] =
				(struct call_member){ (u32)v->value, (u16)m->offset, 1 };
			deep->arg = a->reg;
		}
	}
	return nr;
}

/* Set what is copied of the structs that commands of a call have. */
static void set_members(const struct syscall_desc *d, u32 string_len, struct call_deep *deep)
{
	u32 nr = 0;

	for (u32 i = 0; i < d->nr_variants; i++)
		nr = add_members(&d->variants[i], deep, nr);
	if (!nr)
		return;
	deep->kind = CALL_DEEP_MEMBER;
	deep->by = d->args[d->selector].reg;
	/* one byte more tells that there are more, and a string that is cut gets a zero */
	deep->most = bytes_of((u64)string_len + 2);
}

struct call_copies *sysargs_copies(const struct sysargs *sa, const bool *wanted,
				   const struct sysargs_view *v)
{
	struct call_copies *rows = xcalloc((size_t)sysargs_nr(sa) + 1, sizeof(*rows));

	for (u32 nr = 0; nr < sysargs_nr(sa); nr++) {
		const struct syscall_desc *d = wanted && !wanted[nr] ? NULL : sysargs_call(sa, nr);

		if (!d)
			continue;
		set_row(d, v, &rows[nr]);
		if (sa->long_size != 8)
			continue;
		set_deep(d, v->string_len, &rows[nr].deep);
		set_members(d, v->string_len, &rows[nr].deep);
	}
	return rows;
}
