// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The symbol table that distributions leave in stripped programs: section .gnu_debugdata is an ELF
 * file, compressed by xz, with the symbols that .dynsym does not have. It is unpacked into memory
 * of its own, which is bounded by the size of the program.
 */
#include "base/compat.h"

#include "symbol/symbol-internal.h"

#include <errno.h>

#ifdef HAVE_LIBLZMA
#include <lzma.h>
#include <sys/mman.h>

#define DECODER_MEMORY (80ULL << 20) /* the most that xz -9 needs */
#define UNPACKED_MAX (512ULL << 20)
#define UNPACKED_RATIO 32 /* names and symbols take that many times the program's size at most */

struct unpacked {
	u8 *bytes; /* a mapping of @cap bytes */
	size_t len, cap;
};

static void unpacked_release(struct unpacked *u)
{
	if (u->bytes)
		munmap(u->bytes, u->cap);
	*u = (struct unpacked){ 0 };
}

static int resize(struct unpacked *u, size_t cap)
{
	void *p = u->bytes ? mremap(u->bytes, u->cap, cap, MREMAP_MAYMOVE)
			   : mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	u->bytes = p;
	u->cap = cap;
	return 0;
}

/* Run the decoder to its end, with @max bytes of output at most. */
static int unpack_all(lzma_stream *xz, struct unpacked *u, size_t max, const char **why)
{
	lzma_ret ret = LZMA_OK;
	int err;

	while (ret == LZMA_OK) {
		if (u->len == u->cap) {
			*why = "is larger than the symbols of such a program can be";
			if (u->cap >= max)
				return -EFBIG;
			*why = "does not fit into memory";
			err = resize(u, MIN(MAX(u->cap * 2, (size_t)1 << 16), max));
			if (err)
				return err;
		}
		xz->next_out = u->bytes + u->len;
		xz->avail_out = u->cap - u->len;
		ret = lzma_code(xz, LZMA_FINISH);
		u->len = u->cap - xz->avail_out;
	}
	*why = ret == LZMA_MEMLIMIT_ERROR ? "asks for more memory than xz ever needs"
					  : "is cut off or damaged";
	return ret == LZMA_STREAM_END ? 0 : -EINVAL;
}

static int unpack(const u8 *bytes, size_t len, size_t max, struct unpacked *u, const char **why)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	int ret;

	*why = "cannot be unpacked";
	if (lzma_stream_decoder(&xz, DECODER_MEMORY, 0) != LZMA_OK)
		return -ENOMEM;
	xz.next_in = bytes;
	xz.avail_in = len;
	ret = unpack_all(&xz, u, max, why);
	lzma_end(&xz);
	return ret;
}

int elf_image_minidebug(const struct elf_image *e, struct elf_image *out, const char **why)
{
	const struct elf_section *s = elf_image_section(e, ".gnu_debugdata");
	struct unpacked u = { 0 };
	size_t len, max = (size_t)MIN((u64)e->size * UNPACKED_RATIO + (1 << 20), UNPACKED_MAX);
	const u8 *bytes;
	int ret;

	*out = (struct elf_image){ 0 };
	if (!s)
		return -ENOENT;
	bytes = elf_image_bytes(e, s, &len);
	*why = "is empty";
	ret = bytes ? unpack(bytes, len, max, &u, why) : -EINVAL;
	if (!ret) {
		*why = "does not hold an ELF file of the same kind of machine";
		ret = elf_image_memory(out, u.bytes, u.len);
	}
	if (!ret && (out->machine != e->machine || out->is64 != e->is64)) {
		elf_image_release(out);
		ret = -EINVAL;
	}
	if (ret) {
		unpacked_release(&u);
		return ret;
	}
	out->map = u.bytes;
	out->map_size = u.cap;
	out->mini = true;
	*why = NULL;
	return 0;
}
#else
int elf_image_minidebug(const struct elf_image *e, struct elf_image *out, const char **why)
{
	*out = (struct elf_image){ 0 };
	if (!elf_image_section(e, ".gnu_debugdata"))
		return -ENOENT;
	*why = "needs liblzma, which this program was built without";
	return -ENOTSUP;
}
#endif
