// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first bytes are an attr, the rest one record of the other byte order: turned, decoded, and
 * when it is one that can be, encoded again, which has to give the same values.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "drive.h"
#include "wire/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(const struct wire_layout *l, u8 *rec, size_t size)
{
	u32 type = *(const u32_una *)rec;
	u16 misc = *(const u16_una *)(rec + 4);
	struct strbuf again = STRBUF_INIT;
	union rec_any any;
	struct sample s;
	volatile u64 sink;

	if (type == PERF_RECORD_SAMPLE && !sample_decode(l, rec, size, &s)) {
		sink = drive_touch(&s);
		(void)sink;
		enc_sample(&again, l, &s);
	}
	if (!rec_decode(NULL, rec, size, &any) &&
	    !enc_record(&again, type, misc, &any, NULL, NULL) &&
	    !drive_touch_record(NULL, again.buf, again.len) != !drive_touch_record(NULL, rec, size))
		abort();
	strbuf_release(&again);
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
	(void)record_unswap(&l, rec, size);
	free(rec);
	return 0;
}
