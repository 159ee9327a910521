// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The perf.data writer. It writes encoded records and features in the order that file/writer.h
 * shows. Until file_writer_finish(), the header has a data size of 0.
 */
#include "base/compat.h"
#include "file/writer.h"

#include "base/alloc.h"
#include "file/keep-old.h"
#include "wire/encode.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x32454c4946524550ULL /* "PERFILE2" */
#define COPY_STEP (1U << 20)
#define FEAT_WORDS (HEADER_FEAT_BITS / 64)

struct disk_header {
	u64 magic, size, attr_size;
	struct {
		u64 offset, size;
	} attrs, data, event_types; /* the last one is 0 */
	u64 features[FEAT_WORDS];
};

/* ---- the foreign byte order ---- */

static void to_order(const struct file_writer *w, void *words, size_t size)
{
	u64_una *p = words;

	for (size_t i = 0; w->swap && i < size / 8; i++)
		p[i] = __builtin_bswap64(p[i]);
}

static void add_words(const struct file_writer *w, struct strbuf *out, const u64 *words, size_t nr)
{
	size_t at = out->len;

	if (!nr)
		return;
	strbuf_add(out, words, nr * 8);
	to_order(w, out->buf + at, nr * 8);
}

u32 writer_attr_size(const struct writer_attr *attrs, size_t nr)
{
	size_t more = 0;

	for (size_t i = 0; i < nr; i++)
		more = MAX(more, attrs[i].nr_more);
	return ATTR_SIZE + (u32)more * 8;
}

void writer_attr_put(struct strbuf *out, const struct writer_attr *a, u32 size)
{
	static const u64 zero;
	struct perf_event_attr attr = *a->attr;

	/* readers expect the data that belong to the attr after that many bytes */
	if (size > ATTR_SIZE)
		attr.size = size;
	strbuf_add(out, &attr, ATTR_SIZE);
	if (a->nr_more)
		strbuf_add(out, a->more, a->nr_more * 8);
	for (u32 at = ATTR_SIZE + (u32)a->nr_more * 8; at < size; at += 8)
		strbuf_add(out, &zero, sizeof(zero));
}

static void add_attr(const struct file_writer *w, struct strbuf *out, const struct writer_attr *a)
{
	size_t at = out->len;

	writer_attr_put(out, a, w->attr_size);
	if (w->swap)
		attr_unswap(out->buf + at, w->attr_size);
}

/* Convert the user record at the end of @out, which begins at @at. */
static void record_to_order(const struct file_writer *w, struct strbuf *out, size_t at)
{
	if (w->swap)
		record_unswap(NULL, out->buf + at, out->len - at);
}

static int write_error(const struct file_writer *w, int code, struct err *err)
{
	const char *hint = "";

	if (code == -ENOSPC || code == -EDQUOT)
		hint = ": free some space or record to another file system with -o";
	else if (code == -EFBIG)
		hint = ": the file size limit is reached, see 'ulimit -f'";
	return err_set(err, code, "failed to write %s: %s%s", w->path, err_str(code), hint);
}

static bool is_stream(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode);
}

/*
 * Tell whether the last part of the path is "." or "..", to or from which nothing can be renamed.
 */
static bool is_dots(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return !*base || !strcmp(base, ".") || !strcmp(base, "..");
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
		bool kept = S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);

		if (is_dots(path))
			return err_set(err, -EISDIR, "failed to open %s : %s", path,
				       err_str(-EISDIR));
		if (kept && keep_old_probe(path, err))
			return -EEXIST;
		if (!kept && access(path, W_OK))
			code = -errno;
		if (!kept)
			return code ? err_set(err, code, "failed to open %s : %s", path,
					      err_str(code))
				    : 0;
	}
	copy = xstrdup(path);
	if (access(dirname(copy), W_OK | X_OK))
		code = -errno;
	free(copy);
	/* An existing writable file can be used even if no new one can be created. */
	if (code && code != -ENOENT && !access(path, W_OK))
		code = 0;
	return code ? err_set(err, code, "failed to open %s : %s", path, err_str(code)) : 0;
}

int file_writer_open(struct file_writer *w, const char *path, struct err *err)
{
	struct stat st;
	int rc;

	memset(w, 0, sizeof(*w));
	if (!strcmp(path, "-")) {
		w->path = xstrdup(path);
		w->fd = STDOUT_FILENO;
		w->pipe = w->std_out = true;
		return 0;
	}
	rc = keep_old(path, err);
	if (rc)
		return rc;
	w->path = xstrdup(path);
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
		w->pipe = is_stream(&st);
		/* O_TRUNC preserves the mode of an existing file, but recordings are private. */
		if (S_ISREG(st.st_mode) && (st.st_mode & 07777) != 0600)
			(void)!fchmod(w->fd, 0600);
	}
	return 0;
}

/* Wait until a non-blocking output accepts more data. */
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

/*
 * Copy through memory where copy_file_range() does not work: between file systems, or into a pipe.
 */
static int copy_through(struct file_writer *w, int fd, u64 offset, u64 len, struct err *err)
{
	size_t room = (size_t)MIN(len, (u64)COPY_STEP);
	u8 *buf = len ? xmalloc(room) : NULL;
	int rc = 0;

	while (len && !rc) {
		ssize_t n = pread(fd, buf, (size_t)MIN(len, (u64)room), (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			rc = err_set(err, n ? -errno : -EIO, "reading the input failed: %s",
				     err_str(n ? -errno : -EIO));
			break;
		}
		rc = file_writer_write(w, buf, (size_t)n, err);
		offset += (u64)n;
		len -= (u64)n;
	}
	free(buf);
	return rc;
}

int file_writer_copy(struct file_writer *w, int fd, u64 offset, u64 len, struct err *err)
{
	off_t from = (off_t)offset;

	while (len && !w->pipe) {
		ssize_t n = copy_file_range(fd, &from, w->fd, NULL, (size_t)len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
			return write_error(w, -errno, err);
		if (n <= 0)
			break;
		w->data_size += (u64)n;
		len -= (u64)n;
	}
	return copy_through(w, fd, (u64)from, len, err);
}

int file_writer_write(struct file_writer *w, const void *data, size_t len, struct err *err)
{
	struct iovec iov = { (void *)data, len };

	return len ? raw_writev(w, &iov, 1, err) : 0;
}

static void add_event_update(const struct file_writer *w, struct strbuf *out,
			     const struct writer_attr *a)
{
	/* The id is the first id of the event. */
	struct rec_event_update u = { .kind = EVENT_UPDATE_NAME,
				      .id = a->nr_ids ? a->ids[0] : 0,
				      .text = a->name };
	size_t at = out->len;

	if (!enc_record(out, PERF_RECORD_EVENT_UPDATE, 0, &u, NULL, NULL))
		record_to_order(w, out, at);
}

/*
 * A record has at most 64 KiB, so further ids are left out of HEADER_ATTR; ID_INDEX has all of
 * them.
 */
static void add_header_attr(const struct file_writer *w, struct strbuf *out,
			    const struct writer_attr *a)
{
	/* Readers find the ids by the size in the attr. */
	u32 own = MIN(a->attr->size ? a->attr->size : PERF_ATTR_SIZE_VER0, (u32)ATTR_SIZE);
	u32 size = a->nr_more ? writer_attr_size(a, 1) : own;
	size_t room = (0xfff8 - sizeof(struct perf_event_header) - size) / 8, at = out->len;
	struct rec_attr rec = { .attr = *a->attr,
				.attr_size = size,
				.more = (const u64_una *)a->more,
				.nr_more = a->nr_more,
				.ids = (const u64_una *)a->ids,
				.nr_ids = MIN(a->nr_ids, room) };

	enc_record(out, PERF_RECORD_HEADER_ATTR, 0, &rec, NULL, NULL);
	record_to_order(w, out, at);
}

void file_writer_event_records(const struct file_writer *w, const struct writer_attr *attrs,
			       size_t nr, struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++)
		add_header_attr(w, out, &attrs[i]);
	for (size_t i = 0; i < nr; i++)
		if (attrs[i].name)
			add_event_update(w, out, &attrs[i]);
}

static int start_pipe(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err)
{
	u64 head[2] = { MAGIC, sizeof(head) };
	struct strbuf sb = STRBUF_INIT;
	int rc;

	add_words(w, &sb, head, ARRAY_SIZE(head));
	file_writer_event_records(w, attrs, nr, &sb);
	rc = file_writer_write(w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return rc;
}

static void fill_header(struct disk_header *h, const struct file_writer *w)
{
	h->magic = MAGIC;
	h->size = sizeof(*h);
	h->attr_size = w->attr_size + 16;
	h->attrs.offset = w->attrs_offset;
	h->attrs.size = w->nr_attrs * h->attr_size;
	h->data.offset = w->data_offset;
}

/* Append a table of offsets and then the bodies of @feats; all of that begins at @at. */
static void add_features(const struct file_writer *w, struct strbuf *out,
			 const struct writer_feature *feats, size_t nr, u64 at)
{
	at += nr * 16;
	for (size_t i = 0; i < nr; i++) {
		u64 section[2] = { at, feats[i].body.len };

		if (w->early_tracing && feats[i].bit == HEADER_TRACING_DATA)
			section[0] = w->early_tracing;
		else
			at += section[1];
		add_words(w, out, section, ARRAY_SIZE(section));
	}
	for (size_t i = 0; i < nr; i++)
		if (!w->early_tracing || feats[i].bit != HEADER_TRACING_DATA)
			strbuf_add(out, feats[i].body.buf, feats[i].body.len);
}

/*
 * Append the features that are known before the data, for the case that the file is never
 * completed, or loses its end.
 */
static void add_early(struct file_writer *w, struct strbuf *out, const struct writer_feature *feats,
		      size_t nr)
{
	u64 head[1 + FEAT_WORDS] = { EARLY_MAGIC };
	const u64 table = out->len + sizeof(head);
	u64 at = table + nr * 16; /* the first feature */
	static const char zeros[8];

	_Static_assert(sizeof(head) == EARLY_HEAD, "as the reader takes it");
	for (size_t i = 0; i < nr; i++)
		head[1 + feats[i].bit / 64] |= 1ULL << feats[i].bit % 64;
	add_words(w, out, head, ARRAY_SIZE(head));
	add_features(w, out, feats, nr, table);
	for (size_t i = 0; i < nr; i++) {
		/* it does not change, so the table at the end refers to this place */
		if (feats[i].bit == HEADER_TRACING_DATA)
			w->early_tracing = at;
		at += feats[i].body.len;
	}
	strbuf_add(out, zeros, -out->len & 7);
}

int file_writer_start_early(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
			    const struct writer_feature *feats, size_t nr_feats, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct disk_header h = { 0 };
	u64 ids_at = sizeof(h);
	int rc;

	w->nr_attrs = nr;
	w->attr_size = writer_attr_size(attrs, nr);
	if (w->pipe)
		return start_pipe(w, attrs, nr, err);
	/* reserve room for the header, which is completed last */
	strbuf_add(&sb, &h, sizeof(h));
	for (size_t i = 0; i < nr; i++)
		add_words(w, &sb, attrs[i].ids, attrs[i].nr_ids);
	w->attrs_offset = sb.len;
	for (size_t i = 0; i < nr; i++) {
		u64 section[2] = { ids_at, attrs[i].nr_ids * 8 };

		add_attr(w, &sb, &attrs[i]);
		add_words(w, &sb, section, ARRAY_SIZE(section));
		ids_at += section[1];
	}
	if (nr_feats)
		add_early(w, &sb, feats, nr_feats);
	w->data_offset = sb.len;
	fill_header(&h, w);
	to_order(w, &h, sizeof(h));
	memcpy(sb.buf, &h, sizeof(h));
	rc = file_writer_write(w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	w->data_size = 0;
	return rc;
}

int file_writer_start(struct file_writer *w, const struct writer_attr *attrs, size_t nr,
		      struct err *err)
{
	return file_writer_start_early(w, attrs, nr, NULL, 0, err);
}

/* perf 6.1 ends the features of a stream with an empty record with the first unused number. */
static void add_last_feature(const struct file_writer *w, struct strbuf *out)
{
	size_t at = out->len;
	struct {
		struct perf_event_header h;
		u64 bit;
	} last = { { .type = PERF_RECORD_HEADER_FEATURE, .size = sizeof(last) }, 32 };

	strbuf_add(out, &last, sizeof(last));
	record_to_order(w, out, at);
}

int file_writer_feature_records(struct file_writer *w, const struct writer_feature *feats,
				size_t nr, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < nr; i++) {
		struct perf_event_header h = { 0 };
		/*
		 * Bodies are not padded, because the length of a record tells readers whether an
		 * old body lacks its last fields.
		 */
		size_t len = feats[i].body.len, padded = len;
		static const char zeros[8];
		u64 bit = feats[i].bit;
		size_t at = sb.len;

		if (bit == HEADER_BUILD_ID || (bit != HEADER_TRACING_DATA && len > 0xfff8 - 16))
			continue;
		if (bit == HEADER_TRACING_DATA) {
			u32 size[2] = { (u32)ALIGN_UP(len, (size_t)8), 0 };

			padded = size[0];
			h.type = PERF_RECORD_HEADER_TRACING_DATA;
			h.size = sizeof(h) + sizeof(size);
			/* only the size word; the payload follows the record */
			strbuf_add(&sb, &h, sizeof(h));
			strbuf_add(&sb, size, sizeof(size));
		} else {
			h.type = PERF_RECORD_HEADER_FEATURE;
			h.size = (u16)(sizeof(h) + 8 + padded);
			strbuf_add(&sb, &h, sizeof(h));
			strbuf_add(&sb, &bit, 8);
		}
		record_to_order(w, &sb, at);
		strbuf_add(&sb, feats[i].body.buf, len);
		strbuf_add(&sb, zeros, padded - len);
	}
	add_last_feature(w, &sb);
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
	struct disk_header h = { 0 };
	int rc;

	if (w->pipe)
		return 0;
	fill_header(&h, w);
	h.data.size = w->data_size;
	add_features(w, &sb, feats, nr, end);
	for (size_t i = 0; i < nr; i++)
		h.features[feats[i].bit / 64] |= 1ULL << feats[i].bit % 64;
	/*
	 * The recorded data are more important than their description: on a full disk, only the
	 * features are lost.
	 */
	rc = pwrite_all(w, sb.buf, sb.len, end, err);
	if (rc)
		memset(h.features, 0, sizeof(h.features));
	strbuf_release(&sb);
	to_order(w, &h, sizeof(h));
	return pwrite_all(w, &h, sizeof(h), 0, rc ? NULL : err) ?: rc;
}

int file_writer_ids(struct file_writer *w, const struct writer_attr *attrs, struct err *err)
{
	off_t end = lseek(w->fd, 0, SEEK_END);
	struct strbuf sb = STRBUF_INIT;
	u64 at = ALIGN_UP((u64)end, sizeof(u64)), ids_at = at;
	int rc = end < 0 ? write_error(w, -errno, err) : 0;

	for (size_t i = 0; i < w->nr_attrs; i++)
		add_words(w, &sb, attrs[i].ids, attrs[i].nr_ids);
	rc = rc ? rc : pwrite_all(w, sb.buf, sb.len, at, err);
	strbuf_release(&sb);
	/* until now the ids at the beginning were valid */
	for (size_t i = 0; i < w->nr_attrs && !rc; i++) {
		u64 section[2] = { ids_at, attrs[i].nr_ids * 8 };

		ids_at += section[1];
		to_order(w, section, sizeof(section));
		rc = pwrite_all(w, section, sizeof(section),
				w->attrs_offset + i * (w->attr_size + 16ULL) + w->attr_size, err);
	}
	return rc;
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

bool file_writer_abort(struct file_writer *w)
{
	struct stat st;
	bool removed = !w->std_out && !fstat(w->fd, &st) && S_ISREG(st.st_mode) && !unlink(w->path);

	file_writer_close(w, NULL);
	return removed;
}
