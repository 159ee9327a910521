// SPDX-License-Identifier: GPL-2.0-or-later
/* The body of one header feature; the first byte is its number, bit 7 the byte order. */
#include "base/alloc.h"
#include "base/compat.h"
#include "file/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct perf_event_attr attr = { .size = sizeof(attr) };
	static const u64 ids[] = { 1, 2 };
	struct perf_file *f;

	if (!size)
		return 0;
	f = xzalloc(sizeof(*f));
	f->fd = -1;
	f->swap = data[0] >> 7;
	perf_file_add_attr(f, &attr, ids, ARRAY_SIZE(ids));
	perf_file_add_attr(f, &attr, NULL, 0);
	(void)perf_file_add_feature(f, data[0] & 0x7f, data + 1, size - 1);
	(void)perf_file_add_build_id(f, data, size);
	perf_file_close(f);
	return 0;
}
