/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of a session's records: one interface for a file, a pipe and live rings.
 *
 * A session that reads a stream (a pipe, or rings that are still being filled) asks its source for
 * one record after the other. A file has a source as well; the drivers use its mapping instead, in
 * two passes, unless session.as_stream is set.
 *
 * A new kind of source embeds struct source as its first member and fills in the operations; its
 * session is opened with session_open_source(). The room `live` has the one for rings.
 */
#ifndef PERF_SESSION_SOURCE_H
#define PERF_SESSION_SOURCE_H

#include "base/diag.h"
#include "file/reader.h"

struct source;

struct source_ops {
	/*
	 * Hand out the next whole record; it is borrowed until the next call. What is damaged is
	 * stepped over and counted in @diag. A source whose records arrive from several places at
	 * once hands out a FINISHED_ROUND record after it has read each place once: that is what
	 * lets the session put records in the order of time.
	 * Return: 1, 0 at the end, or negative errno and a sentence.
	 */
	int (*next)(struct source *src, struct pipe_record *out, struct diag *diag,
		    struct err *err);
	/* Start again with the first record. NULL: this source can be read only once. */
	void (*rewind)(struct source *src);
	/* Return: the number of bytes that the records handed out so far take up. */
	u64 (*tell)(const struct source *src);
	/*
	 * For a reader that wants to count records and needs no more than their headers: the bytes
	 * at hand that next() would look at next, borrowed until the next call, and how to pass
	 * over the first @n of them, which were whole records; the last one began @last bytes from
	 * the start. Both NULL: this source has no such bytes.
	 */
	const u8 *(*peek)(const struct source *src, size_t *len);
	void (*skip)(struct source *src, size_t n, size_t last);
	/* Free the source. */
	void (*close)(struct source *src);
};

struct source {
	const struct source_ops *ops;
};

/** source_next - hand out the next record, see source_ops.next. */
static inline int source_next(struct source *src, struct pipe_record *out, struct diag *diag,
			      struct err *err)
{
	return src->ops->next(src, out, diag, err);
}

/** source_tell - return the number of bytes of the records handed out so far. */
static inline u64 source_tell(const struct source *src)
{
	return src->ops->tell(src);
}

/** source_rewind - start again with the first record. Return: false when that is impossible. */
static inline bool source_rewind(struct source *src)
{
	if (!src->ops->rewind)
		return false;
	src->ops->rewind(src);
	return true;
}

/** source_close - free a source; NULL is fine. */
static inline void source_close(struct source *src)
{
	if (src)
		src->ops->close(src);
}

/** source_of_file - make the source that reads @f (borrowed), be it a pipe or a file. */
struct source *source_of_file(struct perf_file *f);

#endif
