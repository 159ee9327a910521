// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is what is kept on disk of a symbol table: all its symbols are looked up, and it is
 * written again. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/index-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 end_of(const void *index, u32 i)
{
	const struct esyms_index *x = index;

	return x->starts.base + x->starts.at[i].start + x->starts.at[i].own;
}

/* Follow all references: what they lead to has to be there. */
static bool leads_somewhere(const struct esyms_index *x, u32 ref)
{
	u32 number = ESYM_NUMBER(ref);

	if (ref & ESYM_STUB)
		return number < x->nr_stubs && x->stubs[number].sym < x->files.dyn_syms;
	return number < (ref & ESYM_DYN ? x->files.dyn_syms : x->files.syms);
}

static void look_up(const struct esyms_index *x)
{
	for (u32 i = 0; i < x->starts.nr; i++) {
		u64 start = x->starts.base + x->starts.at[i].start;
		u32 outer = reaches_find(&x->reaches, i, end_of(x, i), end_of, x);

		if (!leads_somewhere(x, x->refs[i]) ||
		    (outer != UINT32_MAX && outer >= x->starts.nr))
			abort();
		/* No object has symbols at both ends of the address space. */
		if (start >= x->starts.base && starts_find(&x->starts, start) != i)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy = memcpy(xmalloc(size + 1), data, size); /* aligned */
	const struct esyms_files *files = (const struct esyms_files *)copy;
	struct strbuf out = STRBUF_INIT;
	struct esyms_index x, again;

	if (size >= sizeof(*files) && esyms_index_read(&x, copy, size, files)) {
		look_up(&x);
		esyms_index_write(&x, &out);
		if (out.len != size || !esyms_index_read(&again, out.buf, out.len, files))
			abort();
	}
	strbuf_release(&out);
	free(copy);
	return 0;
}
