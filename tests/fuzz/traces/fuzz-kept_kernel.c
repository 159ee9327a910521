// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is what is kept on disk of the symbols of a kernel: all of them are looked up, and it
 * is written again. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/index-internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy = memcpy(xmalloc(size + 1), data, size); /* aligned */
	const struct ksyms_source *source = (const struct ksyms_source *)copy;
	struct strbuf out = STRBUF_INIT;
	struct ksyms_index x, again;

	if (size >= sizeof(*source) && ksyms_index_read(&x, copy, size, source)) {
		for (u32 i = 0; i < x.starts.nr; i++) {
			u64 start = x.starts.base + x.starts.at[i].start;

			if (x.starts.at[i].own >= (x.text ? x.text_len : source->size))
				abort();
			/* No kernel has symbols at both ends of the address space. */
			if (start >= x.starts.base && starts_find(&x.starts, start) != i)
				abort();
		}
		ksyms_index_write(&x, &out);
		if (out.len != size || !ksyms_index_read(&again, out.buf, out.len, source))
			abort();
	}
	strbuf_release(&out);
	free(copy);
	return 0;
}
