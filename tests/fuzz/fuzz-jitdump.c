// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a jitdump file: each record is read, and what it says goes into a machine. */
#include "base/compat.h"
#include "base/alloc.h"
#include "machine/machine.h"
#include "jit/jit-image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add(struct machine *m, const struct jit_record *r)
{
	struct jit_code code = {
		.time = r->time,
		.addr = r->addr,
		.size = r->code_size,
		.moved = r->id == JIT_CODE_MOVE,
		.moved_from = r->old_addr,
		.name = r->name,
		.object = "/jitted.so",
		.id = r->offset,
	};

	machine_add_code(m, 0, &code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_image image = { 0 };
	struct machine *m;
	struct jit_record r;
	struct jitdump d;
	u64 after = 0;

	if (jitdump_memory(&d, data, size, NULL))
		return 0;
	m = machine_new();
	while (jitdump_next(&d, &r) > 0) {
		if (r.offset < after || r.offset + r.size > size)
			abort();
		after = r.offset + r.size;
		if (jit_image_add(&image, &d, &r)) {
			if (image.code.len != r.code_size || jit_image_span(&image) < r.code_size)
				abort();
			jit_image_reset(&image);
		}
		if (r.id != JIT_CODE_LOAD && r.id != JIT_CODE_MOVE)
			continue;
		if (r.id == JIT_CODE_LOAD && !jitdump_bytes(&d, r.code_at, (size_t)r.code_size))
			abort();
		add(m, &r);
	}
	jit_image_release(&image);
	jitdump_close(&d);
	machine_seal(m);
	machine_free(m);
	return 0;
}
