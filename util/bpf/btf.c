// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/btf-internal.h"

#include "base/alloc.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BTF_MAGIC 0xeb9f

struct btf_head {
	u16 magic;
	u8 version, flags;
	u32 hdr_len, type_off, type_len, str_off, str_len;
};

/* Return the number of bytes that follow a type. */
static size_t tail_size(u32 info)
{
	size_t vlen = info & 0xffff;

	switch (info >> 24 & 0x1f) {
	case KIND_INT:
	case KIND_VAR:
	case KIND_DECL_TAG:
		return 4;
	case KIND_ARRAY:
		return 12;
	case KIND_STRUCT:
	case KIND_UNION:
	case KIND_DATASEC:
	case KIND_ENUM64:
		return vlen * 12;
	case KIND_ENUM:
	case KIND_FUNC_PROTO:
		return vlen * 8;
	default:
		return 0;
	}
}

int btf_open(struct btf *b, const void *data, size_t size)
{
	struct btf_head h;
	size_t rest, at, end;
	u32 cap = 0;

	memset(b, 0, sizeof(*b));
	if (size < sizeof(h) || size > UINT32_MAX)
		return -EINVAL;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.hdr_len < sizeof(h) || h.hdr_len > size)
		return -EINVAL;
	rest = size - h.hdr_len;
	if (h.type_off > rest || h.type_len > rest - h.type_off || h.str_off > rest ||
	    h.str_len > rest - h.str_off)
		return -EINVAL;
	b->data = data;
	b->types_off = h.hdr_len + h.type_off;
	b->strings_off = h.hdr_len + h.str_off;
	b->strings_len = h.str_len;
	b->nr = 1;
	at = b->types_off;
	end = at + h.type_len;
	while (end - at >= sizeof(struct btf_type)) {
		struct btf_type t;

		memcpy(&t, b->data + at, sizeof(t));
		if (tail_size(t.info) > end - at - sizeof(t))
			break;
		VEC_GROW(b->at, (size_t)b->nr + 1, cap);
		b->at[b->nr++] = (u32)at;
		at += sizeof(t) + tail_size(t.info);
	}
	return 0;
}

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/* Map the file (Linux 6.16), whose megabytes are then not copied. Return: false: it was not done.
 */
static bool map_kernel(struct btf *b, const struct sysroot *sr)
{
	int fd = sysroot_open(sr, KERNEL_BTF);
	void *map = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	if (btf_open(b, map, (size_t)st.st_size)) {
		(void)munmap(map, (size_t)st.st_size);
		return false;
	}
	b->map = map;
	b->map_size = (size_t)st.st_size;
	return true;
}

int btf_open_kernel(struct btf *b, const struct sysroot *sr, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	if (map_kernel(b, sr))
		return 0;
	rc = sysroot_read(sr, &sb, KERNEL_BTF);
	memset(b, 0, sizeof(*b));
	if (!rc)
		rc = btf_open(b, sb.buf, sb.len);
	if (rc) {
		strbuf_release(&sb);
		return err_set(
			err, rc,
			"%s: %s\nThis needs the types of the kernel, which it does not provide (CONFIG_DEBUG_INFO_BTF).",
			KERNEL_BTF, err_str(rc));
	}
	b->own = sb;
	return 0;
}

void btf_close(struct btf *b)
{
	free(b->at);
	free(b->named);
	strbuf_release(&b->own);
	if (b->map)
		(void)munmap(b->map, b->map_size);
	memset(b, 0, sizeof(*b));
}

bool btf_type_at(const struct btf *b, u32 id, struct btf_type *t)
{
	if (!id || id >= b->nr)
		return false;
	memcpy(t, b->data + b->at[id], sizeof(*t));
	return true;
}

void btf_words(const struct btf *b, u32 id, u32 at, u32 *words, u32 nr)
{
	memcpy(words, b->data + b->at[id] + sizeof(struct btf_type) + (size_t)at * 4,
	       (size_t)nr * 4);
}

struct btf_field btf_field_at(const struct btf *b, u32 id, const struct btf_type *t, u32 i)
{
	bool has_bits = t->info >> 31;
	u32 m[3]; /* name, type, offset in bits with the size of a bit field above it */

	btf_words(b, id, i * 3, m, 3);
	return (struct btf_field){ m[0], m[1], has_bits ? m[2] & 0xffffff : m[2],
				   has_bits ? m[2] >> 24 : 0 };
}

const char *btf_name(const struct btf *b, u32 off)
{
	const char *s = (const char *)b->data + b->strings_off + off;

	if (off >= b->strings_len)
		return NULL;
	return memchr(s, 0, b->strings_len - off) ? s : NULL;
}

static bool is_named(const struct btf *b, u32 off, const char *name, size_t len)
{
	const char *s = btf_name(b, off);

	return s && !strncmp(s, name, len) && !s[len];
}

u32 btf_bare(const struct btf *b, u32 id)
{
	struct btf_type t;

	for (int i = 0; i < 16 && btf_type_at(b, id, &t); i++) {
		u32 k = btf_kind(&t);

		if (k != KIND_TYPEDEF && k != KIND_VOLATILE && k != KIND_CONST &&
		    k != KIND_RESTRICT && k != KIND_TYPE_TAG)
			break;
		id = t.size_or_type;
	}
	return id;
}

/*
 * Find the member with @name (@len bytes) of type @id; *@sub receives its type. Return: its offset
 * in bytes, or -ENOENT.
 */
static int find_member(const struct btf *b, u32 id, const char *name, size_t len, u32 *sub,
		       int depth)
{
	struct btf_type t;

	id = btf_bare(b, id);
	if (depth > 8 || !btf_type_at(b, id, &t) ||
	    (btf_kind(&t) != KIND_STRUCT && btf_kind(&t) != KIND_UNION))
		return -ENOENT;
	for (u32 i = 0; i < btf_vlen(&t); i++) {
		struct btf_field m = btf_field_at(b, id, &t, i);
		int off = (int)(m.offset / 8), in;

		if (is_named(b, m.name_off, name, len)) {
			*sub = m.type;
			return off;
		}
		if (!m.name_off) {
			in = find_member(b, m.type, name, len, sub, depth + 1);
			if (in >= 0)
				return off + in;
		}
	}
	return -ENOENT;
}

int btf_member(const struct btf *b, const char *type, const char *path)
{
	int off = 0, one = 0;
	u32 id = 0;

	for (u32 i = 1; i < b->nr && !id; i++) {
		struct btf_type t;

		btf_type_at(b, i, &t);
		if (btf_kind(&t) == KIND_STRUCT && btf_vlen(&t) &&
		    is_named(b, t.name_off, type, strlen(type)))
			id = i;
	}
	while (*path && one >= 0) {
		size_t len = strcspn(path, ".");

		one = find_member(b, id, path, len, &id, 0);
		off += one;
		path += len + (path[len] == '.');
	}
	return one < 0 ? one : off;
}

/* Return the first type of that kind with that name; 0: there is none. */
static u32 find_type(const struct btf *b, u32 kind, const char *name)
{
	size_t len = strlen(name);

	for (u32 i = 1; i < b->nr; i++) {
		struct btf_type t;

		btf_type_at(b, i, &t);
		if (btf_kind(&t) == kind && is_named(b, t.name_off, name, len))
			return i;
	}
	return 0;
}

u32 btf_func(const struct btf *b, const char *name)
{
	return find_type(b, KIND_FUNC, name);
}

u32 btf_typedef(const struct btf *b, const char *name)
{
	return find_type(b, KIND_TYPEDEF, name);
}

int btf_params(const struct btf *b, const char *func)
{
	struct btf_type t, proto;

	if (!btf_type_at(b, btf_func(b, func), &t) || !btf_type_at(b, t.size_or_type, &proto) ||
	    btf_kind(&proto) != KIND_FUNC_PROTO)
		return -ENOENT;
	return (int)btf_vlen(&proto);
}

bool btf_param(const struct btf *b, u32 func, u32 i, const char **name, u32 *type)
{
	struct btf_type t, proto;
	u32 param[2]; /* name, type */

	if (!btf_type_at(b, func, &t) || btf_kind(&t) != KIND_FUNC ||
	    !btf_type_at(b, t.size_or_type, &proto) || btf_kind(&proto) != KIND_FUNC_PROTO ||
	    i >= btf_vlen(&proto))
		return false;
	btf_words(b, t.size_or_type, i * 2, param, 2);
	*name = btf_name(b, param[0]);
	*type = param[1];
	return true;
}

const char *btf_is_func(const struct btf *b, u32 id)
{
	struct btf_type t;

	return btf_type_at(b, id, &t) && btf_kind(&t) == KIND_FUNC ? btf_name(b, t.name_off) : NULL;
}

const char *btf_func_name(const void *data, size_t size, u32 type)
{
	const char *name = NULL;
	struct btf_type t;
	struct btf b;

	if (btf_open(&b, data, size))
		return NULL;
	if (btf_type_at(&b, type, &t) && btf_kind(&t) == KIND_FUNC)
		name = btf_name(&b, t.name_off);
	btf_close(&b);
	return name;
}
