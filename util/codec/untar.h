/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The members of a tar archive, one after the other, from any source of bytes. ustar, GNU (long
 * names) and pax (path, linkpath, size). Nothing is said about whether a name is safe to use.
 */
#ifndef PERF_CODEC_UNTAR_H
#define PERF_CODEC_UNTAR_H

#include "base/err.h"
#include "base/strbuf.h"

enum tar_kind { TAR_FILE, TAR_DIR, TAR_SYMLINK, TAR_HARDLINK, TAR_OTHER };

struct tar_member {
	const char *name,
		*target; /* borrowed until the next member; target "" when it is no link */
	enum tar_kind kind;
	u64 size; /* of the contents */
};

struct untar {
	/* Return: bytes (0 at the end), or negative errno. */
	ssize_t (*read)(void *ctx, void *buf, size_t len);
	void *ctx; /* borrowed */
	struct strbuf name, target;
	u64 left, pad; /* of the current member, not read yet; behind it, to the next block */
};

/** untar_init - release with untar_release(). */
void untar_init(struct untar *t, ssize_t (*read)(void *ctx, void *buf, size_t len), void *ctx);
void untar_release(struct untar *t);
/** untar_next - step over what is left of a member to the next. Return: 1, 0 at the end, negative
 * errno and a sentence when this is no (whole) archive. */
int untar_next(struct untar *t, struct tar_member *m, struct err *err);
/** untar_read - up to @len bytes of the member's contents. Return: bytes, 0 at their end, negative
 * errno. */
ssize_t untar_read(struct untar *t, void *buf, size_t len);

#endif
