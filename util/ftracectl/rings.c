// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracectl/rings.h"

#include "base/alloc.h"
#include "base/int-list.h"
#include "kernel/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PIPE_SIZE (1 << 20)
#define BACK_PAGES 64 /* that are read back at once */

struct fring {
	int cpu, fd;
	int pipe[2]; /* pages pass through it on the way to @file; -1 when nothing is spooled */
	int file;
	off_t at; /* where reading back goes on */
};

static int temporary(struct err *err)
{
	const char *dir = getenv("TMPDIR");
	int fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *f;

	if (fd >= 0)
		return fd;
	/* Not all file systems can do that. */
	f = tmpfile();
	if (!f)
		return err_set(err, -errno, "cannot make a temporary file: %s", err_str(-errno));
	fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
	fclose(f);
	return fd < 0 ? err_set(err, -errno, "cannot make a temporary file: %s", err_str(-errno))
		      : fd;
}

static int open_spool(struct fring *ring, struct err *err)
{
	if (pipe2(ring->pipe, O_CLOEXEC | O_NONBLOCK)) {
		ring->pipe[0] = ring->pipe[1] = -1;
		return err_set(err, -errno, "cannot make a pipe: %s", err_str(-errno));
	}
	/* Where users may not have pipes of that size, a smaller one does. */
	fcntl(ring->pipe[1], F_SETPIPE_SZ, PIPE_SIZE);
	ring->file = temporary(err);
	return ring->file < 0 ? ring->file : 0;
}

static int open_ring(struct frings *r, const struct ftrace_instance *in, int cpu, bool spooled,
		     struct err *err)
{
	char *path = xasprintf("%s/per_cpu/cpu%d/trace_pipe_raw", in->dir, cpu);
	struct fring *ring = &r->rings[r->nr++];
	int rc = 0;

	*ring = (struct fring){ .cpu = cpu, .pipe = { -1, -1 }, .file = -1 };
	ring->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (ring->fd < 0)
		rc = err_set(err, -errno, "cannot open %s: %s", path, err_str(-errno));
	else if (spooled)
		rc = open_spool(ring, err);
	free(path);
	return rc;
}

/* Pages may have another size than header_page says, when the sub-buffers were set to another. */
static int read_layout(struct frings *r, const struct ftrace_instance *in, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	char *top = xstrdup(in->dir), *end = in->top ? NULL : strstr(top, "/instances/");
	int rc;

	if (end)
		*end = '\0';
	rc = sysroot_read(&(struct sysroot){ 0 }, &text, "%s/events/header_page", top);
	if (rc)
		err_set(err, rc, "cannot read %s/events/header_page: %s", top, err_str(rc));
	else
		rc = fpage_layout_parse(&r->layout, strbuf_str(&text),
					__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, err);
	strbuf_release(&text);
	free(top);
	return rc;
}

int frings_open(struct frings *r, const struct ftrace_instance *in, bool spooled, struct err *err)
{
	struct int_list cpus = { 0 };
	int rc;

	*r = (struct frings){ .nr = 0 };
	rc = read_layout(r, in, err) ?: cpu_list_online(in->sr, &cpus, err);
	r->rings = xcalloc(cpus.nr + 1, sizeof(*r->rings));
	for (size_t i = 0; !rc && i < cpus.nr; i++) {
		rc = open_ring(r, in, cpus.v[i], spooled, err);
		r->nr_cpus = MAX(r->nr_cpus, (u32)cpus.v[i] + 1);
	}
	r->page = rc ? NULL : xmalloc(r->layout.page_size);
	int_list_release(&cpus);
	if (rc)
		frings_close(r);
	return rc;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void frings_close(struct frings *r)
{
	for (u32 i = 0; i < r->nr; i++) {
		close_fd(r->rings[i].fd);
		close_fd(r->rings[i].pipe[0]);
		close_fd(r->rings[i].pipe[1]);
		close_fd(r->rings[i].file);
	}
	free(r->rings);
	free(r->page);
	*r = (struct frings){ .nr = 0 };
}

static int write_all(int fd, const char *p, size_t len)
{
	while (len) {
		const ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= n;
	}
	return 0;
}

/* Whether nothing more can be read now. */
static bool at_end(ssize_t n)
{
	return !n || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/*
 * Whether events are still being written to a page that was read. When system calls are traced,
 * each read makes events, so that reading would never come to an end.
 */
static bool is_last(const struct frings *r)
{
	struct fpage p;

	return fpage_open(&p, &r->layout, r->page, r->layout.page_size) ||
	       cur_left(&p.cur) + r->layout.page_size / 8 < r->layout.page_size - r->layout.data_at;
}

/* Read the pages of a ring, full or not, one at a time. */
static long read_pages(struct frings *r, struct fring *ring, struct fmerge *m, bool all)
{
	const size_t size = r->layout.page_size;
	long nr = 0;

	for (;;) {
		ssize_t n = read(ring->fd, r->page, size);

		if (n <= 0)
			return at_end(n) ? nr : -errno;
		memset((char *)r->page + n, 0, size - n);
		if (m) {
			fmerge_put(m, ring->cpu, r->page, size);
		} else {
			int rc = write_all(ring->file, r->page, size);

			if (rc)
				return rc;
		}
		nr++;
		if (!all && is_last(r))
			return nr;
	}
}

/* Move what is in the pipe to the file. */
static int drain(struct fring *ring, size_t len)
{
	while (len) {
		const ssize_t n = splice(ring->pipe[0], NULL, ring->file, NULL, len, SPLICE_F_MOVE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		len -= n;
	}
	return 0;
}

static long splice_pages(struct frings *r, struct fring *ring)
{
	long nr = 0;

	for (;;) {
		const ssize_t n = splice(ring->fd, NULL, ring->pipe[1], NULL, PIPE_SIZE,
					 SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		int rc;

		if (n <= 0)
			return at_end(n) ? nr : -errno;
		rc = drain(ring, n);
		if (rc)
			return rc;
		nr += n / r->layout.page_size;
	}
}

long frings_round(struct frings *r, struct fmerge *m, bool all, struct err *err)
{
	long nr = 0, n;

	for (u32 i = 0; i < r->nr; i++) {
		struct fring *ring = &r->rings[i];

		n = ring->file >= 0 ? splice_pages(r, ring) : 0;
		if (n >= 0 && (all || ring->file < 0)) {
			nr += n;
			n = read_pages(r, ring, ring->file >= 0 ? NULL : m, all);
		}
		if (n < 0)
			return err_set(err, n, "cannot read the tracing ring of CPU %d: %s",
				       ring->cpu, err_str(n));
		nr += n;
	}
	return nr;
}

int frings_fd(const struct frings *r, u32 i)
{
	return r->rings[i].fd;
}

int frings_more(void *ctx, u32 cpu, struct strbuf *out)
{
	struct frings *r = ctx;

	for (u32 i = 0; i < r->nr; i++) {
		struct fring *ring = &r->rings[i];
		const size_t size = (size_t)r->layout.page_size * BACK_PAGES;
		ssize_t n;

		if (ring->cpu != (int)cpu || ring->file < 0)
			continue;
		strbuf_grow(out, size);
		n = pread(ring->file, out->buf + out->len, size, ring->at);
		if (n < 0)
			return -errno;
		out->len += n;
		ring->at += n;
	}
	return 0;
}

/* Add up the numbers behind a word in the statistics of a ring. */
static u64 number_of(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

u64 frings_lost(const struct ftrace_instance *in, const struct frings *r)
{
	struct strbuf text = STRBUF_INIT;
	u64 sum = 0;
	char name[64];

	for (u32 i = 0; i < r->nr; i++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", r->rings[i].cpu);
		strbuf_reset(&text);
		if (!ftrace_get(in, name, &text))
			sum += number_of(strbuf_str(&text), "\noverrun: ") +
			       number_of(strbuf_str(&text), "\ndropped events: ");
	}
	strbuf_release(&text);
	return sum;
}
