// SPDX-License-Identifier: GPL-2.0-or-later
#include "cfi-build.h"

#include "machine/machine.h"
#include "jit/jit-image.h"

#include <elf.h>
#include <sys/stat.h>

size_t cb_begin(struct pb *b)
{
	pb_u32(b, 0);
	return b->out.len;
}

void cb_end(struct pb *b, size_t at)
{
	u32 len;

	while ((b->out.len - at) % 8 != 4)
		pb_u8(b, 0);
	len = (u32)(b->out.len - at);
	memcpy(b->out.buf + at - 4, &len, sizeof(len));
}

void cb_cie(struct pb *b, const char *letters)
{
	size_t at = cb_begin(b);

	pb_u32(b, 0);
	pb_u8(b, 1);
	pb_bytes(b, letters, strlen(letters) + 1);
	pb_u8(b, 1);    /* code is counted in bytes */
	pb_u8(b, 0x78); /* data in minus eight */
	pb_u8(b, 16);   /* the return address */
	if (letters[0] == 'z')
		pb_u8(b, 1);
	if (strchr(letters, 'R'))
		pb_u8(b, 0x1b);
	pb_bytes(b, "\x0c\x07\x08\x90\x01", 5);
	cb_end(b, at);
}

size_t cb_fde(struct pb *b, u64 addr, u64 code, u32 size, const void *program, size_t len)
{
	size_t at = b->out.len, body = cb_begin(b);

	pb_u32(b, (u32)body);
	pb_u32(b, (u32)(code - (addr + b->out.len)));
	pb_u32(b, size);
	pb_u8(b, 0);
	pb_bytes(b, program, len);
	cb_end(b, body);
	return at;
}

size_t cb_index(struct pb *b, u64 addr, u64 code, size_t fde)
{
	size_t start = b->out.len;
	u64 at = addr + start;

	pb_bytes(b, "\x01\x1b\x03\x3b", 4);
	pb_u32(b, (u32)(addr - (at + 4)));
	pb_u32(b, 1);
	pb_u32(b, (u32)(code - at));
	pb_u32(b, (u32)(addr + fde - at));
	return b->out.len - start;
}

size_t cb_frames(struct pb *b, const struct cb_object *o)
{
	u64 addr = jit_frames_at(o->size);
	size_t fde;

	cb_cie(b, "zR");
	fde = cb_fde(b, addr, JIT_CODE_OFFSET, (u32)o->size, o->program, o->program_len);
	return o->no_index ? 0 : cb_index(b, addr, JIT_CODE_OFFSET, fde);
}

void cb_write(const struct cb_object *o, const char *path)
{
	struct jit_image im = { .machine = o->machine ? o->machine : EM_X86_64 };
	struct err err = { 0 };
	struct stat st;
	struct pb b;

	strbuf_addstr(&im.name, "f");
	strbuf_add(&im.code, o->code, o->size);
	pb_init(&b, false);
	if (o->program)
		im.frame_index_size = cb_frames(&b, o);
	strbuf_add(&im.frame, b.out.buf, b.out.len);
	if (jit_image_write(&im, path, &st, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		abort();
	}
	pb_release(&b);
	jit_image_release(&im);
}
