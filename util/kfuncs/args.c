// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kfuncs/args.h"

#include "bpf/btf-print.h"

void kfuncs_index(struct kfuncs *f, const struct btf *b)
{
	f->btf = b;
	for (u32 id = 1; id < b->nr; id++) {
		const char *name = btf_is_func(b, id);
		u32 *slot;

		if (!name || !*name)
			continue;
		slot = map64_slot(&f->by_name, hash_bytes(name, strlen(name)));
		if (*slot == MAP64_NONE)
			*slot = id;
	}
}

void kfuncs_release(struct kfuncs *f)
{
	map64_release(&f->by_name);
}

u32 kfuncs_find(const struct kfuncs *f, const char *name)
{
	const u32 id = map64_get(&f->by_name, hash_bytes(name, strlen(name)));
	const char *found = id == MAP64_NONE ? NULL : btf_is_func(f->btf, id);

	return found && !strcmp(found, name) ? id : 0;
}

/* Return the number of registers that an argument takes. */
static size_t nr_regs(const struct btf *b, u32 type)
{
	return MAX((size_t)1, (btf_size(b, type) + sizeof(long) - 1) / sizeof(long));
}

static void put_value(const struct btf *b, u32 type, const unsigned long *regs, struct strbuf *out)
{
	static const struct btf_view view = {
		.names = true, .depth = 1, .elements = 4, .text_size = 200
	};
	const u32 size = btf_size(b, type);
	/* A small value is in the low bytes of its register. */
	const size_t at = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && size < sizeof(long)
				  ? sizeof(long) - size
				  : 0;

	if (size)
		btf_print(out, b, type, (const u8 *)regs + at, size, &view);
	else
		strbuf_addf(out, "0x%lx", regs[0]);
}

bool kfunc_args_put(const struct btf *b, u32 func, const unsigned long *regs, size_t nr,
		    struct strbuf *out)
{
	const char *name;
	u32 type;

	if (!btf_is_func(b, func))
		return false;
	for (u32 i = 0; btf_param(b, func, i, &name, &type); i++) {
		const size_t takes = nr_regs(b, type);

		strbuf_addstr(out, i ? ", " : "");
		/* A parameter without a type stands for those that follow. */
		if (!type || takes > nr) {
			strbuf_addstr(out, "...");
			break;
		}
		if (name && *name)
			strbuf_addf(out, "%s=", name);
		put_value(b, type, regs, out);
		regs += takes;
		nr -= takes;
	}
	return true;
}
