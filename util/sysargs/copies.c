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

/* Set the number of elements of a copy to argument @by, at most @most bytes of them. */
static void set_sized(const struct syscall_desc *d, u8 by, u64 most, struct call_copy *c)
{
	c->kind = CALL_COPY_SIZED;
	c->by = by == SYSARG_BY_RESULT ? CALL_BY_RESULT : d->args[by].reg;
	c->most = bytes_of(most);
}

/* Set what is copied of argument @i. Return: false: nothing is. */
static bool copy_of(const struct syscall_desc *d, u32 i, u32 string_len, struct call_copy *c)
{
	const struct sysarg *a = &d->args[i];
	const u16 size = MAX(a->size, (u16)1);

	*c = (struct call_copy){ .arg = a->reg, .out = a->out, .size = size };
	if (a->reg >= CALL_ARGS || a->kind == &kind_kernel_struct)
		return false;
	switch (a->fetch) {
	case SYSARG_FETCH_NONE:
		return false;
	case SYSARG_FETCH_STRING:
		c->kind = CALL_COPY_STRING;
		/* one byte more tells that there are more, and a string that is cut gets a zero */
		c->most = bytes_of((u64)string_len + 2);
		return true;
	case SYSARG_FETCH_BYTES:
		c->kind = CALL_COPY_BYTES;
		c->most = bytes_of(size);
		if (has_length(d, i)) {
			c->size = 1;
			set_sized(d, (u8)(i + 1), size, c);
		}
		return true;
	case SYSARG_FETCH_SIZED:
		if (a->by != SYSARG_BY_RESULT && a->by >= d->nr_args)
			return false;
		/* the result is not known before the return */
		if (a->by == SYSARG_BY_RESULT && !a->out)
			return false;
		set_sized(d, a->by, size == 1 ? string_len : (u64)size * SYSARGS_ELEMENTS, c);
		return c->most != 0;
	}
	return false;
}

struct call_copies *sysargs_copies(const struct sysargs *sa, const bool *wanted, u32 string_len)
{
	struct call_copies *rows = xcalloc((size_t)sysargs_nr(sa) + 1, sizeof(*rows));

	for (u32 nr = 0; nr < sysargs_nr(sa); nr++) {
		const struct syscall_desc *d = sysargs_call(sa, nr);
		u32 used = 0;

		if (!d || (wanted && !wanted[nr]))
			continue;
		for (u32 i = 0; i < d->nr_args && used < CALL_COPIES; i++)
			used += copy_of(d, i, string_len, &rows[nr].v[used]);
		if (used < CALL_COPIES)
			rows[nr].v[used] = (struct call_copy){ .kind = CALL_COPY_NONE };
	}
	return rows;
}
