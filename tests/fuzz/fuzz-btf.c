// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is BTF: every type is printed over bytes, which are fewer than some types have, and
 * arguments of every function from registers, which are fewer than some have. */
#include "base/compat.h"
#include "bpf/btf-print.h"
#include "kfuncs/args.h"

#define TYPES_MAX 64 /* of one input, so that inputs do not take long */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_args(const struct btf *b)
{
	const unsigned long regs[] = { 0, ~0ul, 1, 1ul << 31, 5, 6 };
	struct strbuf out = STRBUF_INIT;
	struct kfuncs f = { 0 };

	kfuncs_index(&f, b);
	for (u32 id = 0; id < MIN(b->nr, TYPES_MAX); id++) {
		const char *name = btf_is_func(b, id);

		strbuf_reset(&out);
		if (kfunc_args_put(b, id, regs, id % (ARRAY_SIZE(regs) + 1), &out) != !!name)
			abort();
		if (name && *name && !kfuncs_find(&f, name))
			abort();
	}
	kfuncs_release(&f);
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct btf_view views[] = {
		{ .names = true, .depth = 4, .elements = 8, .text_size = 512 },
		{ .zeros = true, .depth = 2, .elements = 4, .text_size = 128 },
	};
	u8 values[128];
	struct strbuf out = STRBUF_INIT;
	struct btf b;

	for (size_t i = 0; i < sizeof(values); i++)
		values[i] = i < 32 ? (u8)i : 0;
	if (btf_open(&b, data, size))
		return 0;
	btf_index(&b);
	for (u32 id = 0; id < MIN(b.nr, TYPES_MAX); id++)
		for (size_t v = 0; v < ARRAY_SIZE(views); v++) {
			strbuf_reset(&out);
			btf_print(&out, &b, id, values, sizeof(values) >> (id % 3), &views[v]);
			btf_enum_name(&b, id, (s64)id);
			/* A name or a number may still follow the last one that is allowed. */
			if (out.len > views[v].text_size + 4 * size + 4096)
				abort();
		}
	(void)btf_find(&b, "struct pair");
	(void)btf_member(&b, "pair", "a.b");
	(void)btf_params(&b, "f");
	put_args(&b);
	strbuf_release(&out);
	btf_close(&b);
	return 0;
}
