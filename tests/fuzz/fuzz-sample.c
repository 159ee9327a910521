// SPDX-License-Identifier: GPL-2.0-or-later
/* The first bytes are an attr, the rest one SAMPLE record and, again, one record with a trailer. */
#include "base/compat.h"
#include "drive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_attr attr;
	struct wire_layout l;
	struct sample_id id;
	struct sample s;
	volatile u64 sink;

	if (size < sizeof(attr))
		return 0;
	attr_decode(&attr, data, sizeof(attr), data[0] & 0x80);
	layout_init(&l, &attr);
	data += sizeof(attr);
	size -= sizeof(attr);
	if (!sample_decode(&l, data, size, &s)) {
		sink = drive_touch(&s);
		(void)sink;
	}
	(void)sample_id_decode(&l, data, size, &id);
	return 0;
}
