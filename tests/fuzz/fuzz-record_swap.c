// SPDX-License-Identifier: GPL-2.0-or-later
/* The first bytes are an attr, the rest one record of the other byte order, turned and then
 * decoded. */
#include "base/alloc.h"
#include "base/compat.h"
#include "drive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(const struct wire_layout *l, const u8 *rec, size_t size)
{
	struct rec_namespaces ns;
	struct rec_mmap mmap;
	struct sample s;
	volatile u64 sink;

	if (*(const u32_una *)rec == PERF_RECORD_SAMPLE && !sample_decode(l, rec, size, &s)) {
		sink = drive_touch(&s);
		(void)sink;
	}
	(void)rec_mmap_decode(rec, size, &mmap);
	(void)rec_namespaces_decode(rec, size, &ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_attr attr;
	struct wire_layout l;
	u8 *rec;

	if (size < sizeof(attr))
		return 0;
	attr_decode(&attr, data, sizeof(attr), false);
	layout_init(&l, &attr);
	data += sizeof(attr);
	size -= sizeof(attr);
	rec = xmalloc(size ? size : 1);
	memcpy(rec, data, size);
	if (!record_swap(attr.config & 1 ? NULL : &l, rec, size))
		decode(&l, rec, size);
	free(rec);
	return 0;
}
