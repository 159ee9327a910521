/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader of tar archives, which returns one member after the other from any source of bytes. It
 * understands ustar, GNU (long names) and pax (path, linkpath, size). It does not judge whether a
 * name is safe to use.
 */
#ifndef PERF_CODEC_UNTAR_H
#define PERF_CODEC_UNTAR_H

#include "base/err.h"
#include "base/strbuf.h"

enum tar_kind { TAR_FILE, TAR_DIR, TAR_SYMLINK, TAR_HARDLINK, TAR_OTHER };

struct tar_member {
	const char *name,
		*target; /* borrowed until the next member; @target is "" unless this is a link */
	enum tar_kind kind;
	u64 size; /* bytes of contents */
};

struct untar {
	/* Reads up to @len bytes. Returns their number, 0 at the end, or a negative errno. */
	ssize_t (*read)(void *ctx, void *buf, size_t len);
	void *ctx; /* borrowed */
	struct strbuf name, target;
	u64 left, pad; /* unread bytes of the current member; padding after it */
};

/** untar_init - prepare to read an archive with @read. untar_release() frees what is allocated. */
void untar_init(struct untar *t, ssize_t (*read)(void *ctx, void *buf, size_t len), void *ctx);
/** untar_release - free the reader's buffers; the names of the last member go with them. */
void untar_release(struct untar *t);
/**
 * untar_next - skip the rest of the current member and go to the next one.
 * Return: 1; 0 at the end; a negative errno and a sentence when the archive is damaged or
 * incomplete.
 */
int untar_next(struct untar *t, struct tar_member *m, struct err *err);
/**
 * untar_read - read up to @len bytes of the current member's contents.
 * Return: their number, 0 at the end of the contents, or a negative errno.
 */
ssize_t untar_read(struct untar *t, void *buf, size_t len);

#endif
