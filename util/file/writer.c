// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The perf.data writer. Input: encoded records and features; output: bytes in the order of the
 * drawing in file/writer.h. Invariant: until file_writer_finish() the header says data size 0.
 */
#include "base/compat.h"
#include "file/writer.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x32454c4946524550ULL /* "PERFILE2" */
#define FEAT_WORDS (HEADER_FEAT_BITS / 64)

struct disk_header {
	u64 magic, size, attr_size;
	struct {
		u64 offset, size;
	} attrs, data, event_types;
	u64 features[FEAT_WORDS];
};

static int write_error(const struct file_writer *w, int code, struct err *err)
{
	const char *hint = "";

	if (code == -ENOSPC || code == -EDQUOT)
		hint = ": free some space or record to another file system with -o";
	else if (code == -EFBIG)
		hint = ": the file size limit is reached, see 'ulimit -f'";
	return err_set(err, code, "failed to write %s: %s%s", w->path, err_str(code), hint);
}

int file_writer_probe(const char *path, struct err *err)
{
	struct stat st;
	char *copy;
	int code = 0;

	if (!strcmp(path, "-")) {
		if (isatty(STDOUT_FILENO))
			return err_set(
				err, -EINVAL,
				"standard output is a terminal: give a file with -o, or a pipe");
		return 0;
	}
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return err_set(err, -EISDIR, "failed to open %s : %s", path,
				       err_str(-EISDIR));
		if (!S_ISREG(st.st_mode) && access(path, W_OK))
			code = -errno;
		if (!S_ISREG(st.st_mode))
			return code ? err_set(err, code, "failed to open %s : %s", path,
					      err_str(code))
				    : 0;
	}
	copy = xstrdup(path);
	if (access(dirname(copy), W_OK | X_OK))
		code = -errno;
	free(copy);
	/* An existing file that is writable can be used even where no new one can be made. */
	if (code && code != -ENOENT && !access(path, W_OK))
		code = 0;
	return code ? err_set(err, code, "failed to open %s : %s", path, err_str(code)) : 0;
}

static void keep_old(const char *path)
{
	struct stat st;
	char *old;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return;
	old = xasprintf("%s.old", path);
	/* Best effort: when it cannot be kept the recording still matters more. */
	if (rename(path, old))
		unlink(old);
	free(old);
}

int file_writer_open(struct file_writer *w, const char *path, struct err *err)
{
	struct stat st;

	memset(w, 0, sizeof(*w));
	w->path = xstrdup(path);
	if (!strcmp(path, "-")) {
		w->fd = STDOUT_FILENO;
		w->pipe = w->std_out = true;
		return 0;
	}
	keep_old(path);
	w->fd = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (w->fd < 0 && errno != ENOENT)
		w->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (w->fd < 0) {
		int code = -errno;

		free(w->path);
		w->path = NULL;
		return err_set(err, code, "failed to open %s : %s", path, err_str(code));
	}
	if (!fstat(w->fd, &st)) {
		w->pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
		/* An older file keeps its mode through O_TRUNC; recordings are private. */
		if (S_ISREG(st.st_mode) && (st.st_mode & 07777) != 0600)
			(void)!fchmod(w->fd, 0600);
	}
	return 0;
}

/* Wait until a non-blocking output takes more. */
static void wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, 100);
}

static int raw_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err)
{
	while (nr) {
		ssize_t n = writev(w->fd, iov, nr);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			if (errno == EAGAIN) {
				wait_writable(w->fd);
				continue;
			}
			return write_error(w, -errno, err);
		}
		w->data_size += (u64)n;
		while (nr && (size_t)n >= iov->iov_len) {
			n -= (ssize_t)iov->iov_len;
			iov++;
			nr--;
		}
		if (nr) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

int file_writer_writev(struct file_writer *w, struct iovec *iov, int nr, struct err *err)
{
	return raw_writev(w, iov, nr, err);
}

int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err)
{
	struct iovec iov = { (void *)data, len };

	return len ? raw_writev(w, &iov, 1, err) : 0;
}

static void add_event_update(struct strbuf *out, const struct writer_attr *a)
{
	/* kind 2: NAME; the id is the first one of the event */
	struct {
		struct perf_event_header h;
		u64 kind, id;
	} u = { { .type = PERF_RECORD_EVENT_UPDATE }, 2, a->nr_ids ? a->ids[0] : 0 };
	static const char zeros[8];
	size_t len = strlen(a->name) + 1, padded = ALIGN_UP(len, (size_t)8);

	u.h.size = (u16)MIN(sizeof(u) + padded, (size_t)0xfff8);
	strbuf_add(out, &u, sizeof(u));
	strbuf_add(out, a->name, len);
	strbuf_add(out, zeros, padded - len);
}

/* A record holds at most 64 KiB: ids beyond that are dropped from HEADER_ATTR (ID_INDEX has them
 * all). */
static void add_header_attr(struct strbuf *out, const struct writer_attr *a)
{
	size_t room = (0xfff8 - sizeof(struct perf_event_header) - sizeof(*a->attr)) / 8;
	size_t nr = MIN(a->nr_ids, room);
	struct perf_event_header h = { .type = PERF_RECORD_HEADER_ATTR };

	h.size = (u16)(sizeof(h) + sizeof(*a->attr) + nr * 8);
	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, a->attr, sizeof(*a->attr));
	strbuf_add(out, a->ids, nr * 8);
}

static int start_pipe(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err)
{
	u64 head[2] = { MAGIC, sizeof(head) };
	struct strbuf sb = STRBUF_INIT;
	int rc;

	strbuf_add(&sb, head, sizeof(head));
	for (size_t i = 0; i < nr; i++)
		add_header_attr(&sb, &attrs[i]);
	for (size_t i = 0; i < nr; i++)
		if (attrs[i].name)
			add_event_update(&sb, &attrs[i]);
	rc = file_writer_write(w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return rc;
}

static void fill_header(struct disk_header *h, const struct file_writer *w)
{
	memset(h, 0, sizeof(*h));
	h->magic = MAGIC;
	h->size = sizeof(*h);
	h->attr_size = sizeof(struct perf_event_attr) + 16;
	h->attrs.offset = w->attrs_offset;
	h->attrs.size = w->nr_attrs * h->attr_size;
	h->data.offset = w->data_offset;
}

int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct disk_header h;
	u64 ids_at = sizeof(h), at = ids_at;
	int rc;

	w->nr_attrs = nr;
	if (w->pipe)
		return start_pipe(w, attrs, nr, err);
	for (size_t i = 0; i < nr; i++)
		at += attrs[i].nr_ids * 8;
	w->attrs_offset = at;
	w->data_offset = at + nr * (sizeof(*attrs->attr) + 16);
	fill_header(&h, w);
	strbuf_add(&sb, &h, sizeof(h));
	for (size_t i = 0; i < nr; i++)
		strbuf_add(&sb, attrs[i].ids, attrs[i].nr_ids * 8);
	for (size_t i = 0; i < nr; i++) {
		u64 section[2] = { ids_at, attrs[i].nr_ids * 8 };

		strbuf_add(&sb, attrs[i].attr, sizeof(*attrs[i].attr));
		strbuf_add(&sb, section, sizeof(section));
		ids_at += section[1];
	}
	rc = file_writer_write(w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	w->data_size = 0;
	return rc;
}

/* perf 6.1 ends the features of a stream with an empty record of the first unused number. */
static void add_last_feature(struct strbuf *out)
{
	struct {
		struct perf_event_header h;
		u64 bit;
	} last = { { .type = PERF_RECORD_HEADER_FEATURE, .size = sizeof(last) }, 32 };

	strbuf_add(out, &last, sizeof(last));
}

int file_writer_feature_records(struct file_writer *w, const struct writer_feature *feats,
				size_t nr, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < nr; i++) {
		struct perf_event_header h = { 0 };
		size_t len = feats[i].body.len, padded = ALIGN_UP(len, (size_t)8);
		static const char zeros[8];
		u64 bit = feats[i].bit;

		if (bit == HEADER_BUILD_ID || (bit != HEADER_TRACING_DATA && padded > 0xfff8 - 16))
			continue;
		if (bit == HEADER_TRACING_DATA) {
			u32 size[2] = { (u32)padded, 0 };

			h.type = PERF_RECORD_HEADER_TRACING_DATA;
			h.size = sizeof(h) + sizeof(size);
			/* the size word alone; the payload follows the record */
			strbuf_add(&sb, &h, sizeof(h));
			strbuf_add(&sb, size, sizeof(size));
		} else {
			h.type = PERF_RECORD_HEADER_FEATURE;
			h.size = (u16)(sizeof(h) + 8 + padded);
			strbuf_add(&sb, &h, sizeof(h));
			strbuf_add(&sb, &bit, 8);
		}
		strbuf_add(&sb, feats[i].body.buf, len);
		strbuf_add(&sb, zeros, padded - len);
	}
	add_last_feature(&sb);
	rc = file_writer_write(w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return rc;
}

static int pwrite_all(struct file_writer *w, const void *data, size_t len, u64 at, struct err *err)
{
	const u8 *p = data;

	while (len) {
		ssize_t n = pwrite(w->fd, p, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return write_error(w, n ? -errno : -EIO, err);
		p += n;
		at += (u64)n;
		len -= (size_t)n;
	}
	return 0;
}

int file_writer_finish(struct file_writer *w, const struct writer_feature *feats, size_t nr,
		       struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	u64 end = w->data_offset + w->data_size;
	u64 at = end + nr * 16;
	struct disk_header h;
	int rc;

	if (w->pipe)
		return 0;
	fill_header(&h, w);
	h.data.size = w->data_size;
	for (size_t i = 0; i < nr; i++) {
		u64 section[2] = { at, feats[i].body.len };

		strbuf_add(&sb, section, sizeof(section));
		at += section[1];
	}
	for (size_t i = 0; i < nr; i++) {
		strbuf_add(&sb, feats[i].body.buf, feats[i].body.len);
		h.features[feats[i].bit / 64] |= 1ULL << feats[i].bit % 64;
	}
	/* What was recorded counts more than what describes it: a full disk costs the features
	 * only. */
	rc = pwrite_all(w, sb.buf, sb.len, end, err);
	if (rc)
		memset(h.features, 0, sizeof(h.features));
	strbuf_release(&sb);
	return pwrite_all(w, &h, sizeof(h), 0, rc ? NULL : err) ?: rc;
}

int file_writer_close(struct file_writer *w, struct err *err)
{
	struct stat st;
	int rc = 0;

	if (w->path && !w->std_out && !w->pipe && !fstat(w->fd, &st) && S_ISREG(st.st_mode) &&
	    !st.st_nlink)
		rc = err_set(err, -ENOENT, "%s was removed while it was being recorded", w->path);
	if (w->path && !w->std_out && close(w->fd) && !rc)
		rc = write_error(w, -errno, err);
	free(w->path);
	memset(w, 0, sizeof(*w));
	w->fd = -1;
	return rc;
}
