// SPDX-License-Identifier: GPL-2.0-or-later
/* Read an archive, which consists of blocks of 512 bytes: a header, then the padded contents of a
 * member. */
#include "base/compat.h"

#include "codec/untar.h"

#include <errno.h>

#define BLOCK 512
#define NAME_LIMIT 65536 /* the longest name, and the longest pax records of a member */

struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char target[100], magic[8], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};

/* The information about a member in the headers before it. */
struct extra {
	bool name, target, size;
	u64 bytes;
};

void untar_init(struct untar *t, ssize_t (*read)(void *ctx, void *buf, size_t len), void *ctx)
{
	*t = (struct untar){ .read = read, .ctx = ctx };
}

void untar_release(struct untar *t)
{
	strbuf_release(&t->name);
	strbuf_release(&t->target);
}

/* Return: the number of bytes, which is less than @len only at the end. */
static ssize_t read_full(struct untar *t, void *buf, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = t->read(t->ctx, (char *)buf + got, len - got);

		if (n < 0)
			return n;
		if (!n)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int cut_off(struct err *err)
{
	return err_set(err, -EINVAL, "the archive is cut off");
}

static int skip(struct untar *t, u64 n, struct err *err)
{
	char buf[8192];

	while (n) {
		size_t want = (size_t)MIN(n, sizeof(buf));
		ssize_t got = read_full(t, buf, want);

		if (got < 0)
			return err_set(err, (int)got, "%s", err_str((int)got));
		if ((size_t)got < want)
			return cut_off(err);
		n -= want;
	}
	return 0;
}

/* Parse octal digits or, if the first bit is set, a big-endian binary number. */
static u64 number(const char *p, size_t len)
{
	u64 v = 0;
	size_t i;

	if (p[0] & 0x80) {
		for (i = 0; i < len; i++)
			v = v << 8 | (u8)(i ? p[i] : p[i] & 0x7f);
		return v;
	}
	for (i = 0; i < len && (p[i] == ' ' || !p[i]); i++)
		;
	for (; i < len && p[i] >= '0' && p[i] <= '7'; i++)
		v = v << 3 | (u64)(p[i] - '0');
	return v;
}

static bool checksum_right(const struct tar_header *h)
{
	const u8 *p = (const u8 *)h;
	size_t at = offsetof(struct tar_header, checksum), i;
	u64 sum = 0;

	for (i = 0; i < BLOCK; i++)
		sum += i >= at && i < at + sizeof(h->checksum) ? ' ' : p[i];
	return sum == number(h->checksum, sizeof(h->checksum));
}

/* Read contents that describe the next member. */
static int read_text(struct untar *t, u64 size, struct strbuf *out, struct err *err)
{
	ssize_t n;

	strbuf_reset(out);
	if (size > NAME_LIMIT)
		return err_set(err, -EINVAL, "the archive has a name of %" PRIu64 " bytes", size);
	strbuf_grow(out, (size_t)size);
	n = read_full(t, out->buf, (size_t)size);
	if (n < 0)
		return err_set(err, (int)n, "%s", err_str((int)n));
	if ((u64)n < size)
		return cut_off(err);
	out->len = (size_t)size;
	out->buf[out->len] = '\0';
	return skip(t, -size % BLOCK, err);
}

/*
 * Parse "LENGTH KEY=VALUE
 * ", where LENGTH is the length of the whole record.
 */
static void pax_records(struct untar *t, const char *p, size_t len, struct extra *x)
{
	const char *end = p + len;

	while (p < end) {
		char *after;
		unsigned long n = strtoul(p, &after, 10);
		const char *key = after + 1, *value;

		if (*after != ' ' || n > (size_t)(end - p) || key >= p + n || p[n - 1] != '\n')
			return;
		value = memchr(key, '=', (size_t)(p + n - key));
		if (!value)
			return;
		len = (size_t)(p + n - 1 - ++value);
		if (!strncmp(key, "path=", 5)) {
			strbuf_reset(&t->name);
			strbuf_add(&t->name, value, len);
			x->name = true;
		} else if (!strncmp(key, "linkpath=", 9)) {
			strbuf_reset(&t->target);
			strbuf_add(&t->target, value, len);
			x->target = true;
		} else if (!strncmp(key, "size=", 5)) {
			x->bytes = strtoull(value, NULL, 10);
			x->size = true;
		}
		p += n;
	}
}

/* Process a header that describes the next member. Return: 1; 0 when it is a member itself. */
static int read_extra(struct untar *t, const struct tar_header *h, struct extra *x, struct err *err)
{
	u64 size = number(h->size, sizeof(h->size));
	struct strbuf text = STRBUF_INIT;
	int ret;

	switch (h->type) {
	case 'L':
		x->name = true;
		ret = read_text(t, size, &t->name, err);
		break;
	case 'K':
		x->target = true;
		ret = read_text(t, size, &t->target, err);
		break;
	case 'x':
		ret = read_text(t, size, &text, err);
		if (!ret)
			pax_records(t, strbuf_str(&text), text.len, x);
		strbuf_release(&text);
		break;
	case 'g': /* it describes all members; nothing in it is used */
		ret = size > UINT64_MAX - BLOCK ? cut_off(err)
						: skip(t, (size + BLOCK - 1) / BLOCK * BLOCK, err);
		break;
	default:
		return 0;
	}
	return ret ? ret : 1;
}

static enum tar_kind kind_of(char type)
{
	switch (type) {
	case '\0':
	case '0':
	case '7':
		return TAR_FILE;
	case '1':
		return TAR_HARDLINK;
	case '2':
		return TAR_SYMLINK;
	case '5':
		return TAR_DIR;
	default:
		return TAR_OTHER;
	}
}

static void take_member(struct untar *t, const struct tar_header *h, const struct extra *x,
			struct tar_member *m)
{
	*m = (struct tar_member){ .kind = kind_of(h->type) };
	m->size = x->size ? x->bytes : number(h->size, sizeof(h->size));
	if (m->kind != TAR_FILE && m->kind != TAR_OTHER)
		m->size = 0;
	if (!x->name) {
		strbuf_reset(&t->name);
		/* GNU archives use the field for other data than the first part of a name. */
		if (!memcmp(h->magic, "ustar\0", 6) && h->prefix[0]) {
			strbuf_add(&t->name, h->prefix, strnlen(h->prefix, sizeof(h->prefix)));
			strbuf_addch(&t->name, '/');
		}
		strbuf_add(&t->name, h->name, strnlen(h->name, sizeof(h->name)));
	}
	if (!x->target) {
		strbuf_reset(&t->target);
		strbuf_add(&t->target, h->target, strnlen(h->target, sizeof(h->target)));
	}
	m->name = strbuf_str(&t->name);
	m->target = m->kind == TAR_SYMLINK || m->kind == TAR_HARDLINK ? strbuf_str(&t->target) : "";
	t->left = m->size;
	t->pad = -m->size % BLOCK;
}

int untar_next(struct untar *t, struct tar_member *m, struct err *err)
{
	static const struct tar_header zeros;
	struct extra x = { 0 };
	struct tar_header h;
	ssize_t n;
	int ret = skip(t, t->left, err);

	_Static_assert(sizeof(h) == BLOCK, "a header is one block");
	if (!ret)
		ret = skip(t, t->pad, err);
	t->left = t->pad = 0;
	while (!ret) {
		n = read_full(t, &h, sizeof(h));
		if (n < 0)
			return err_set(err, (int)n, "%s", err_str((int)n));
		if (!n || ((size_t)n == sizeof(h) && !memcmp(&h, &zeros, sizeof(h))))
			return 0;
		if ((size_t)n < sizeof(h))
			return cut_off(err);
		if (!checksum_right(&h))
			return err_set(err, -EINVAL, "it is not an archive, or a damaged one");
		ret = read_extra(t, &h, &x, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			take_member(t, &h, &x, m);
			return 1;
		}
		ret = 0;
	}
	return ret;
}

ssize_t untar_read(struct untar *t, void *buf, size_t len)
{
	ssize_t n = read_full(t, buf, (size_t)MIN(len, t->left));

	if (n < 0)
		return n;
	if ((u64)n < MIN(len, t->left))
		return -EINVAL;
	t->left -= (u64)n;
	return n;
}
