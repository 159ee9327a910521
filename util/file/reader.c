// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens a perf.data container: recognises its form, and reads its sections, attrs and features.
 *
 *	header | attrs | ids ... | data section | one {offset, size} per feature | feature bodies
 *
 * A pipe, even one saved to a file, has a 16-byte header followed by records.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/cur.h"
#include "file/reader-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIPE_HEADER_SIZE 16
#define ENTRY_ATTR_MAX                                                                             \
	4096 /* the most bytes of an attr in the attrs section that newer kernels may use */
#define FILE_HEADER_MIN                                                                            \
	72 /* up to the event_types section; version 1 may lack the bitmap of features */

/* ---- the magic ---- */

/*
 * Recognise version and byte order by the first eight bytes. Version 1 does not show its byte
 * order.
 */
static int take_magic(struct perf_file *f, const u8 *p)
{
	if (!memcmp(p, "PERFFILE", 8)) {
		f->version = 1;
		return 0;
	}
	f->version = 2;
	if (!memcmp(p, "PERFILE2", 8))
		f->swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	else if (!memcmp(p, "2ELIFREP", 8))
		f->swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	else
		return -EINVAL;
	return 0;
}

static u64 word_at(const struct perf_file *f, const u8 *p)
{
	u64 v = *(const u64_una *)p;

	return f->swap ? __builtin_bswap64(v) : v;
}

/* ---- sections ---- */

/* Return the part of a section that exists in the file. */
static struct file_section clip(const struct perf_file *f, struct file_section s)
{
	if (s.offset > f->size)
		return (struct file_section){ f->size, 0 };
	s.size = MIN(s.size, f->size - s.offset);
	return s;
}

static struct file_section take_section(struct cur *c)
{
	struct file_section s;

	s.offset = cur_u64(c);
	s.size = cur_u64(c);
	return s;
}

struct file_attr *perf_file_add_attr(struct perf_file *f, const struct perf_event_attr *attr,
				     const u64_una *ids, size_t nr_ids)
{
	struct file_attr *a;

	VEC_GROW(f->attrs, f->nr_attrs + 1, f->attrs_cap);
	a = &f->attrs[f->nr_attrs++];
	*a = (struct file_attr){ .attr = *attr, .nr_ids = nr_ids };
	a->ids = xcalloc(nr_ids ? nr_ids : 1, sizeof(*a->ids));
	for (size_t i = 0; i < nr_ids; i++)
		a->ids[i] = ids[i];
	return a;
}

void file_attr_add_ids(struct file_attr *a, const u64 *ids, size_t nr)
{
	a->ids = xrealloc(a->ids, MAX(a->nr_ids + nr, (size_t)1), sizeof(*a->ids));
	for (size_t i = 0; i < nr; i++)
		a->ids[a->nr_ids++] = ids[i];
}

void file_attr_more(struct file_attr *a, const u64_una *words, size_t nr)
{
	while (nr && !words[nr - 1])
		nr--;
	if (!nr)
		return;
	a->more = xcalloc(nr, sizeof(*a->more));
	memcpy(a->more, words, nr * sizeof(*a->more));
	a->nr_more = nr;
}

/*
 * Read the attrs section. Each entry is an attr of the writer's size and a section of u64 ids. Ids
 * of different attrs never overlap, so together they cannot exceed the file.
 */
static void read_attrs(struct perf_file *f, struct file_section attrs, u64 entry, struct diag *diag)
{
	u64 budget = f->size, native[ENTRY_ATTR_MAX / 8];
	size_t size = entry - 16;

	for (u64 at = 0; entry <= attrs.size && at <= attrs.size - entry; at += entry) {
		const u8 *p = f->map + attrs.offset + at;
		struct cur c = cur_make(p + size, 16, f->swap);
		struct file_section want = take_section(&c), have = clip(f, want);
		struct perf_event_attr attr;
		struct file_attr *a;

		memcpy(native, p, size);
		if (f->swap)
			attr_swap(native, size);
		attr_decode(&attr, native, size, false);
		if (have.size != want.size || have.size > budget) {
			diag_add(diag, DIAG_BAD_FEATURE, 1, attrs.offset + at);
			have.size = MIN(have.size, budget);
		}
		budget -= have.size;
		a = perf_file_add_attr(f, &attr, (const u64_una *)(f->map + have.offset),
				       have.size / 8);
		if (size > ATTR_SIZE)
			file_attr_more(a, native + ATTR_SIZE / 8, (size - ATTR_SIZE) / 8);
		for (size_t i = 0; f->swap && i < a->nr_ids; i++)
			a->ids[i] = __builtin_bswap64(a->ids[i]);
	}
}

/* ---- features ---- */

bool perf_file_has_feature(const struct perf_file *f, u32 bit)
{
	return bit < HEADER_FEAT_BITS && (f->features[bit / 64] >> (bit % 64) & 1);
}

const void *perf_file_feature(const struct perf_file *f, u32 bit, size_t *size)
{
	*size = 0;
	if (!perf_file_has_feature(f, bit) || !f->feat || !f->feat[bit].size)
		return NULL;
	*size = f->feat[bit].size;
	return f->feat_data ? f->feat_data[bit] : f->map + f->feat[bit].offset;
}

static void read_words(struct perf_file *f, struct cur *c)
{
	for (int i = 0; i < 4; i++)
		f->features[i] = cur_u64(c);
}

/*
 * Read the bitmap, which consists of the writer's longs. In files of a foreign writer with 32-bit
 * longs the halves of each word are exchanged. Every recorder sets HOSTNAME, whose position reveals
 * that.
 */
static void read_bitmap(struct perf_file *f, struct cur *c)
{
	read_words(f, c);
	if (!f->swap || perf_file_has_feature(f, HEADER_HOSTNAME) ||
	    !(f->features[0] >> (HEADER_HOSTNAME + 32) & 1))
		return;
	for (int i = 0; i < 4; i++)
		f->features[i] = f->features[i] << 32 | f->features[i] >> 32;
}

/*
 * Read the table after the data section, which has an entry for every bit, flags included, in the
 * order of the bits.
 */
static void read_features(struct perf_file *f, u64 table, struct diag *diag)
{
	struct file_section all = clip(f, (struct file_section){ table, UINT64_MAX });
	struct cur c = cur_make(f->map + all.offset, all.size, f->swap);

	f->feat = xcalloc(HEADER_FEAT_BITS, sizeof(*f->feat));
	for (u32 bit = 0; bit < HEADER_FEAT_BITS; bit++) {
		struct file_section want, have;
		u64 at = table + (u64)(c.p - (f->map + all.offset));

		if (!perf_file_has_feature(f, bit))
			continue;
		want = take_section(&c);
		if (!cur_ok(&c)) {
			diag_add(diag, DIAG_BAD_FEATURE, 1, at);
			continue;
		}
		have = clip(f, want);
		if (have.size != want.size) {
			diag_add(diag, DIAG_BAD_FEATURE, 1, at);
			continue;
		}
		f->feat[bit] = have;
		if (have.size && feature_decode(f, bit, f->map + have.offset, have.size) < 0)
			diag_add(diag, DIAG_BAD_FEATURE, 1, have.offset);
	}
}

int perf_file_add_feature(struct perf_file *f, u32 bit, const void *body, size_t size)
{
	if (bit >= HEADER_FEAT_BITS)
		return -EINVAL;
	if (bit > HEADER_PMU_CAPS && !size) { /* a number without a body ends those of a stream */
		f->features_end = true;
		return 0;
	}
	if (!f->feat_data) {
		f->feat_data = xcalloc(HEADER_FEAT_BITS, sizeof(*f->feat_data));
		f->feat = xcalloc(HEADER_FEAT_BITS, sizeof(*f->feat));
	}
	if (f->feat_data[bit]) /* the first body stays, because env points into it */
		return 0;
	f->features[bit / 64] |= 1ULL << (bit % 64);
	f->feat_data[bit] = xmalloc(size ? size : 1);
	memcpy(f->feat_data[bit], body, size);
	f->feat[bit].size = size;
	return size ? feature_decode(f, bit, f->feat_data[bit], size) : 0;
}

void perf_file_set_tracing(struct perf_file *f, const void *data, size_t size)
{
	free(f->env.tracing_copy);
	f->env.tracing_copy = xmalloc(size ? size : 1);
	if (size)
		memcpy(f->env.tracing_copy, data, size);
	f->env.tracing_data = f->env.tracing_copy;
	f->env.tracing_size = size;
}

/* ---- opening ---- */

static int not_perf_data(const struct perf_file *f, struct err *err)
{
	return err_set(
		err, -EINVAL,
		"incompatible file format (rerun with -v to learn more): '%s' is not a perf.data file",
		f->path);
}

/*
 * Check the size of an entry of the attrs section: that of any version of the attr plus the ids
 * section.
 */
static bool entry_size_ok(u64 size)
{
	return size >= PERF_ATTR_SIZE_VER0 + 16 && size <= ENTRY_ATTR_MAX + 16;
}

/*
 * Read the features of a file whose end is missing: those that were known at the start, which our
 * recorder puts behind the attrs. Return: whether there are any.
 */
static bool read_early(struct perf_file *f, struct file_section attrs, struct diag *diag)
{
	struct file_section rest = { attrs.offset + attrs.size, UINT64_MAX };
	struct cur c;

	rest = clip(f, rest);
	c = cur_make(f->map + rest.offset, rest.size, f->swap);
	if (cur_u64(&c) != EARLY_MAGIC)
		return false;
	read_words(f, &c);
	read_features(f, rest.offset + EARLY_HEAD, diag);
	return true;
}

static int read_file_header(struct perf_file *f, struct diag *diag, struct err *err)
{
	struct cur c = cur_make(f->map + 8, f->size - 8, f->swap);
	struct file_section attrs, data;
	u64 header_size, entry;

	if (f->size < FILE_HEADER_MIN)
		return err_set(err, -EINVAL, "'%s' is cut off inside its header", f->path);
	if (f->version == 1) /* the byte order follows from the size of an attr entry */
		f->swap = c.swap = !entry_size_ok(word_at(f, f->map + 16));
	header_size = cur_u64(&c);
	entry = cur_u64(&c);
	attrs = take_section(&c);
	data = take_section(&c);
	take_section(&c); /* names of events in old files */
	if (!entry_size_ok(entry) || header_size < FILE_HEADER_MIN)
		return err_set(err, -EINVAL,
			       "the header of '%s' is damaged: attr size %" PRIu64
			       ", header size %" PRIu64,
			       f->path, entry, header_size);
	if (header_size >= FILE_HEADER_MIN + 32)
		read_bitmap(f, &c);
	f->unfinished = !data.size;
	if (f->unfinished) {
		data.size = UINT64_MAX;
		diag_add(diag, DIAG_UNFINISHED, 1, 0);
	}
	f->data = clip(f, data);
	f->clipped = !f->unfinished && f->data.size != data.size;
	if (f->clipped)
		diag_add(diag, DIAG_TRUNCATED, 1, f->size);
	attrs = clip(f, attrs);
	read_attrs(f, attrs, entry, diag);
	if ((f->unfinished || f->clipped) && read_early(f, attrs, diag))
		return 0;
	/* An unfinished file has no feature table, even if its bitmap has bits. */
	if (f->unfinished)
		memset(f->features, 0, sizeof(f->features));
	else
		read_features(f,
			      data.offset + data.size < data.offset ? UINT64_MAX
								    : data.offset + data.size,
			      diag);
	return 0;
}

static int map_file(struct perf_file *f, struct err *err)
{
	void *p = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, f->fd, 0);

	if (p == MAP_FAILED)
		return err_set(err, -errno, "cannot map '%s': %s", f->path, err_str(-errno));
	f->map = p;
	return 0;
}

/*
 * Give each part an offset after the end of the file before it, so that the records of all parts
 * have different offsets.
 */
static void parts_place(struct perf_file *f)
{
	u64 base = f->size;

	for (size_t i = 0; i < f->nr_parts; i++) {
		f->parts[i].base = base;
		base += f->parts[i].size;
	}
}

/* Read the first 16 bytes, by which all forms differ. A short read from a pipe is continued. */
static ssize_t read_head(int fd, u8 *head, size_t n)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = read(fd, head + have, n - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

static int open_contents(struct perf_file *f, struct diag *diag, struct err *err)
{
	u8 head[PIPE_HEADER_SIZE];
	ssize_t got = read_head(f->fd, head, sizeof(head));
	struct stat st;

	if (got < 0)
		return err_set(err, (int)got, "reading '%s' failed: %s", f->path,
			       err_str((int)got));
	if (!got)
		return err_set(err, -EINVAL, "zero-sized data (%s), nothing to do!", f->path);
	if (got < (ssize_t)sizeof(head) || take_magic(f, head) < 0)
		return not_perf_data(f, err);
	if (word_at(f, head + 8) == PIPE_HEADER_SIZE) {
		f->pipe = true;
	} else if (f->version == 1 && __builtin_bswap64(word_at(f, head + 8)) == PIPE_HEADER_SIZE) {
		f->pipe = true;
		f->swap = true;
	}
	if (f->pipe) {
		f->reader = pipe_reader_new(f->fd, sizeof(head));
		return 0;
	}
	if (fstat(f->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return err_set(
			err, -ESPIPE,
			"'%s' holds a file, not a stream: give it by name, not through a pipe",
			f->path);
	f->size = (size_t)st.st_size;
	if (f->size < sizeof(head))
		return not_perf_data(f, err);
	if (map_file(f, err) < 0)
		return err ? err->code : -ENOMEM;
	parts_place(f);
	return read_file_header(f, diag, err);
}

/* Refuse files of other users, who might have prepared them, like the reference. */
static int check_owner(struct perf_file *f, bool force, struct err *err)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return err_set(err, -errno, "cannot stat '%s': %s", f->path, err_str(-errno));
	if (S_ISDIR(st.st_mode)) {
		int ret = directory_enter(f, err);

		if (!ret && fstat(f->fd, &st) < 0)
			ret = err_set(err, -errno, "cannot stat '%s': %s", f->path,
				      err_str(-errno));
		if (ret)
			return ret;
	}
	if (!force && st.st_uid && st.st_uid != geteuid())
		return err_set(err, -EPERM,
			       "File %s not owned by current user or root (use -f to override)",
			       f->path);
	return 0;
}

static int open_fd(struct perf_file *f, bool force, struct err *err)
{
	if (!strcmp(f->path, "-")) {
		f->fd = dup(STDIN_FILENO);
		if (f->fd < 0)
			return err_set(err, -errno, "cannot read standard input: %s",
				       err_str(-errno));
		return 0;
	}
	f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		return err_set(err, -errno, "failed to open %s: %s%s", f->path, err_str(-errno),
			       errno == ENOENT && !strcmp(f->path, "perf.data")
				       ? "  (try 'perf record' first)"
				       : "");
	return check_owner(f, force, err);
}

int perf_file_open(const char *path, bool force, struct perf_file **out, struct diag *diag,
		   struct err *err)
{
	struct perf_file *f = xzalloc(sizeof(*f));
	int ret;

	f->path = xstrdup(path);
	f->fd = -1;
	ret = open_fd(f, force, err);
	if (!ret)
		ret = open_contents(f, diag, err);
	if (ret) {
		perf_file_close(f);
		return ret;
	}
	*out = f;
	return 0;
}

struct perf_file *perf_file_of_stream(const char *name)
{
	struct perf_file *f = xzalloc(sizeof(*f));

	f->path = xstrdup(name);
	f->fd = -1;
	f->pipe = true;
	f->version = 2;
	return f;
}

void perf_file_close(struct perf_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr_attrs; i++) {
		free(f->attrs[i].ids);
		free(f->attrs[i].more);
		free(f->attrs[i].name);
	}
	free(f->attrs);
	free(f->feat);
	for (u32 bit = 0; f->feat_data && bit < HEADER_FEAT_BITS; bit++)
		free(f->feat_data[bit]);
	free(f->feat_data);
	env_release(&f->env);
	pipe_reader_free(f->reader);
	parts_release(f);
	if (f->map)
		munmap(f->map, f->size);
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	free(f);
}
