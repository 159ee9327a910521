// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The memory maps of a process. Kernels from 6.11 on answer queries for single maps (PROCMAP_QUERY
 * on /proc/PID/maps), so that the executable maps cost a few calls. On other kernels the text with
 * all maps has to be read.
 */
#include "base/compat.h"
#include "kernel/maps.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- the text --------------------------------------------------------------- */

/* Read the hexadecimal number at *@p, and move *@p behind it. strtoull() takes three times as long,
 * and must not be called in signal handlers. */
static u64 number(const char **p)
{
	u64 v = 0;

	for (;; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (u64)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (u64)(c - 'a' + 10);
		else
			return v;
	}
}

/* Read a hexadecimal number of up to 64 bits that ends with @stop. */
static bool take_hex(char **p, char stop, u64 *out)
{
	const char *end = *p;

	*out = number(&end);
	if (end == *p || end - *p > 16 || *end != stop)
		return false;
	*p += end - *p + 1;
	return true;
}

/* Parse a line like "7f88c7172000-7f88c7198000 r-xp 00001000 fe:00 332383 /usr/lib/ld.so". */
int maps_parse(char *line, struct maps_line *m)
{
	u64 maj, min;
	char *p = line, *end;

	memset(m, 0, sizeof(*m));
	if (!take_hex(&p, '-', &m->start) || !take_hex(&p, ' ', &m->end) || m->end < m->start)
		return -EINVAL;
	if (strnlen(p, 5) < 5 || p[4] != ' ')
		return -EINVAL;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	p += 5;
	if (!take_hex(&p, ' ', &m->pgoff) || !take_hex(&p, ':', &maj) || !take_hex(&p, ' ', &min))
		return -EINVAL;
	m->maj = (u32)maj;
	m->min = (u32)min;
	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	errno = 0;
	m->ino = strtoull(p, &end, 10);
	if (errno || (*end && *end != ' '))
		return -EINVAL;
	while (*end == ' ')
		end++;
	m->name = end;
	return 0;
}

/* Tell whether it is later than @until; 0: there is no limit. */
static bool is_late(u64 until)
{
	return until && clock_ns(CLOCK_MONOTONIC) > until;
}

static int walk_text(struct strbuf *sb, u64 until, bool data, maps_fn fn, void *ctx)
{
	struct maps_line m;
	char *line, *next;

	for (line = sb->buf; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!maps_parse(line, &m) && (m.prot & PROT_EXEC || (data && m.prot & PROT_READ)))
			fn(ctx, &m);
		if (is_late(until))
			return -ETIMEDOUT;
	}
	return 0;
}

/* --- one map at a time ------------------------------------------------------ */

/* This is the layout of linux/fs.h in kernel 6.11; the headers of the build may be older. */
struct map_query {
	u64 size, flags, addr;
	u64 start, end, vma_flags, page_size, offset, ino;
	u32 maj, min;
	u32 name_size, id_size;
	u64 name_addr, id_addr;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)
enum {
	QUERY_READ = 1,
	QUERY_WRITE = 2,
	QUERY_EXEC = 4,
	QUERY_SHARED = 8,
	QUERY_NEXT = 16 /* if none covers the address, return the first one after it */
};

/* The highest page of 64-bit x86 processes, which is in the text but not among the maps. */
#define TOP_PAGE 0xffffffffff600000ULL

void maps_reader_init(struct maps_reader *mr, const struct sysroot *sr)
{
	struct maps_line m;
	char *line, *next;

	*mr = (struct maps_reader){ .sysroot = sr };
	if (sysroot_read(sr, &mr->own, "/proc/self/maps"))
		return;
	for (line = mr->own.buf; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!maps_parse(line, &m) && m.start == TOP_PAGE)
			mr->top = m;
	}
}

void maps_reader_release(struct maps_reader *mr)
{
	strbuf_release(&mr->own);
}

/* Return: the number of maps, or a negative errno. */
static int walk_queries(const struct maps_reader *mr, int fd, u64 until, maps_fn fn, void *ctx)
{
	char name[PATH_MAX];
	u64 addr = 0;
	int n = 0;

	for (;;) {
		struct map_query q = { .size = sizeof(q),
				       .flags = QUERY_EXEC | QUERY_NEXT,
				       .addr = addr,
				       .name_size = sizeof(name),
				       .name_addr = (uintptr_t)name };
		struct maps_line m;

		name[0] = 0;
		/*
		 * ENOENT: that was the last map. Maps with a name that is too long get no record in
		 * the text either.
		 */
		if (ioctl(fd, MAP_QUERY, &q))
			break;
		name[sizeof(name) - 1] = 0;
		m = (struct maps_line){ .start = q.start,
					.end = q.end,
					.pgoff = q.offset,
					.ino = q.ino,
					.maj = q.maj,
					.min = q.min,
					.flags = q.vma_flags & QUERY_SHARED ? MAP_SHARED
									    : MAP_PRIVATE,
					.name = q.name_size ? name : "" };
		m.prot = (q.vma_flags & QUERY_READ ? PROT_READ : 0) |
			 (q.vma_flags & QUERY_WRITE ? PROT_WRITE : 0) | PROT_EXEC;
		fn(ctx, &m);
		n++;
		if (is_late(until))
			return -ETIMEDOUT;
		if (q.end <= addr)
			break;
		addr = q.end;
	}
	if (!n)
		return -errno;
	if (mr->top.prot & PROT_EXEC && addr > UINT32_MAX)
		fn(ctx, &mr->top);
	return n;
}

/* Walk over the executable maps, one at a time. Return: as walk_queries(). */
static int walk_executable(const struct maps_reader *mr, int pid, u64 until, maps_fn fn, void *ctx)
{
	int fd = sysroot_open(mr->sysroot, "/proc/%d/maps", pid), rc;

	if (fd < 0)
		return fd;
	rc = walk_queries(mr, fd, until, fn, ctx);
	close(fd);
	return rc;
}

int maps_walk(const struct maps_reader *mr, int pid, bool data, maps_fn fn, void *ctx)
{
	u64 until = mr->limit_ns ? clock_ns(CLOCK_MONOTONIC) + mr->limit_ns : 0;
	int rc = data ? -ENOTTY : walk_executable(mr, pid, until, fn, ctx);
	struct strbuf sb = STRBUF_INIT;

	/* a failure at the first map may mean that the kernel does not have the query: ENOTTY */
	if (rc <= 0 && rc != -ESRCH && rc != -ENOENT && rc != -ETIMEDOUT) {
		rc = sysroot_read(mr->sysroot, &sb, "/proc/%d/maps", pid);
		if (!rc)
			rc = walk_text(&sb, until, data, fn, ctx);
	}
	strbuf_release(&sb);
	return MIN(rc, 0);
}

/* --- in signal handlers ------------------------------------------------------------- */

const char *maps_name_at(uintptr_t addr, char *line, size_t size)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	char c;

	while (fd >= 0 && read(fd, &c, 1) == 1) {
		const char *p = line;

		if (c != '\n') {
			if (len < size - 1)
				line[len++] = c;
			continue;
		}
		line[len] = 0;
		len = 0;
		if (number(&p) > addr || *p++ != '-' || number(&p) <= addr)
			continue;
		close(fd);
		while (*p && *p != '/')
			p++;
		return *p ? p : NULL;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}
