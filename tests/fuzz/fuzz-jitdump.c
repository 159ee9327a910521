// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is a jitdump file: each record is read, and what it says goes into a machine; the rules
 * of all functions are looked up in their unwind information. */
#include "base/compat.h"
#include "base/alloc.h"
#include "machine/machine.h"
#include "jit/jit-image.h"
#include "unwind/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Look up the rules of a function. @frames: its unwind information, which has some bytes */
static void look_up(const struct jit_frames *frames, u64 code_size)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct dso dso = { .path = "/jitted.so",
			   .short_name = "jitted.so",
			   .kind = DSO_JIT,
			   .ref_sym = "f",
			   .size = code_size,
			   .frames = frames };
	struct symbols *symbols = symbols_new(&conf);
	struct unw_object *o =
		unw_object_open(symbols_load(symbols, &dso), &dso, arch_of("x86_64")->frames);
	struct unw_rules rules;

	for (u64 at = 0; at < MIN(code_size, (u64)256); at += 3)
		unw_object_rules(o, JIT_CODE_OFFSET + at, at % 2, &rules);
	unw_object_close(o);
	symbols_free(symbols);
}

static void add(struct machine *m, const struct jit_record *r, const struct jit_image *image,
		bool swap)
{
	const struct jit_frames frames = { .bytes = (const u8 *)image->frame.buf,
					   .size = image->frame.len,
					   .index_size = image->frame_index_size,
					   .swap = swap };
	struct jit_code code = {
		.time = r->time,
		.addr = r->addr,
		.size = r->code_size,
		.moved = r->id == JIT_CODE_MOVE,
		.moved_from = r->old_addr,
		.name = r->name,
		.object = "/jitted.so",
		.id = r->offset,
		.frames = r->id == JIT_CODE_LOAD && frames.size ? &frames : NULL,
	};

	machine_add_code(m, 0, &code);
	if (code.frames)
		look_up(&frames, r->code_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jit_image image = { 0 };
	struct machine *m;
	struct jit_record r;
	struct jitdump d;
	u64 after = 0;
	bool whole;

	if (jitdump_memory(&d, data, size, NULL))
		return 0;
	m = machine_new();
	while (jitdump_next(&d, &r) > 0) {
		if (r.offset < after || r.offset + r.size > size)
			abort();
		after = r.offset + r.size;
		whole = jit_image_add(&image, &d, &r);
		if (whole &&
		    (image.code.len != r.code_size || jit_image_span(&image) < r.code_size))
			abort();
		if (r.id == JIT_CODE_LOAD && !jitdump_bytes(&d, r.code_at, (size_t)r.code_size))
			abort();
		if (r.id == JIT_CODE_LOAD || r.id == JIT_CODE_MOVE)
			add(m, &r, &image, d.swap);
		if (whole)
			jit_image_reset(&image);
	}
	jit_image_release(&image);
	jitdump_close(&d);
	machine_seal(m);
	machine_free(m);
	return 0;
}
