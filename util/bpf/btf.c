// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/btf.h"

#include "base/alloc.h"

#include <errno.h>

#define BTF_MAGIC 0xeb9f

enum {
	KIND_INT = 1,
	KIND_ARRAY = 3,
	KIND_STRUCT = 4,
	KIND_UNION = 5,
	KIND_ENUM = 6,
	KIND_TYPEDEF = 8,
	KIND_VOLATILE = 9,
	KIND_CONST = 10,
	KIND_RESTRICT = 11,
	KIND_FUNC = 12,
	KIND_FUNC_PROTO = 13,
	KIND_VAR = 14,
	KIND_DATASEC = 15,
	KIND_DECL_TAG = 17,
	KIND_TYPE_TAG = 18,
	KIND_ENUM64 = 19
};

struct btf_head {
	u16 magic;
	u8 version, flags;
	u32 hdr_len, type_off, type_len, str_off, str_len;
};

struct btf_type {
	u32 name_off;
	u32 info; /* bits 0-15: number of members; bits 24-28: kind */
	u32 size_or_type;
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

int btf_open_kernel(struct btf *b, const struct sysroot *sr, struct err *err)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, path);

	memset(b, 0, sizeof(*b));
	if (!rc)
		rc = btf_open(b, sb.buf, sb.len);
	if (rc) {
		strbuf_release(&sb);
		return err_set(
			err, rc,
			"%s: %s\nThis needs the types of the kernel, which it does not provide (CONFIG_DEBUG_INFO_BTF).",
			path, err_str(rc));
	}
	b->own = sb;
	return 0;
}

void btf_close(struct btf *b)
{
	free(b->at);
	strbuf_release(&b->own);
	memset(b, 0, sizeof(*b));
}

static bool get_type(const struct btf *b, u32 id, struct btf_type *t)
{
	if (!id || id >= b->nr)
		return false;
	memcpy(t, b->data + b->at[id], sizeof(*t));
	return true;
}

static u32 kind_of(const struct btf_type *t)
{
	return t->info >> 24 & 0x1f;
}

/* Return a name, or NULL when there is none or it is outside the strings. */
static const char *name_at(const struct btf *b, u32 off)
{
	const char *s = (const char *)b->data + b->strings_off + off;

	if (off >= b->strings_len)
		return NULL;
	return memchr(s, 0, b->strings_len - off) ? s : NULL;
}

static bool is_named(const struct btf *b, u32 off, const char *name, size_t len)
{
	const char *s = name_at(b, off);

	return s && !strncmp(s, name, len) && !s[len];
}

/* Return the type without typedef, const, volatile, restrict. */
static u32 bare_type(const struct btf *b, u32 id)
{
	struct btf_type t;

	for (int i = 0; i < 16 && get_type(b, id, &t); i++) {
		u32 k = kind_of(&t);

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

	id = bare_type(b, id);
	if (depth > 8 || !get_type(b, id, &t) ||
	    (kind_of(&t) != KIND_STRUCT && kind_of(&t) != KIND_UNION))
		return -ENOENT;
	for (u32 i = 0; i < (t.info & 0xffff); i++) {
		u32 m[3]; /* name, type, bits */
		int off, in;

		memcpy(m, b->data + b->at[id] + sizeof(t) + (size_t)i * 12, 12);
		off = (int)((t.info >> 31 ? m[2] & 0xffffff : m[2]) / 8);
		if (is_named(b, m[0], name, len)) {
			*sub = m[1];
			return off;
		}
		if (!m[0]) {
			in = find_member(b, m[1], name, len, sub, depth + 1);
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

		get_type(b, i, &t);
		if (kind_of(&t) == KIND_STRUCT && t.info & 0xffff &&
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

int btf_params(const struct btf *b, const char *func)
{
	for (u32 i = 1; i < b->nr; i++) {
		struct btf_type t, proto;

		get_type(b, i, &t);
		if (kind_of(&t) == KIND_FUNC && is_named(b, t.name_off, func, strlen(func)) &&
		    get_type(b, t.size_or_type, &proto) && kind_of(&proto) == KIND_FUNC_PROTO)
			return (int)(proto.info & 0xffff);
	}
	return -ENOENT;
}

const char *btf_func_name(const void *data, size_t size, u32 type)
{
	const char *name = NULL;
	struct btf_type t;
	struct btf b;

	if (btf_open(&b, data, size))
		return NULL;
	if (get_type(&b, type, &t) && kind_of(&t) == KIND_FUNC)
		name = name_at(&b, t.name_off);
	btf_close(&b);
	return name;
}
