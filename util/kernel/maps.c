// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The maps of a process. Kernels since 6.11 answer for one map at a time (PROCMAP_QUERY on
 * /proc/PID/maps), so that those that hold code cost a few calls; the text, which the others have
 * to be asked for, is made of all of them.
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

static bool take_hex(char **p, char stop, u64 *out)
{
	char *end;

	if (!isxdigit((unsigned char)**p))
		return false;
	errno = 0;
	*out = strtoull(*p, &end, 16);
	if (errno || *end != stop)
		return false;
	*p = end + 1;
	return true;
}

/* "7f88c7172000-7f88c7198000 r-xp 00001000 fe:00 332383    /usr/lib/ld.so" */
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

/* @until: 0 for no limit */
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

/* linux/fs.h of kernel 6.11; the headers of the build may be older. */
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
	QUERY_NEXT = 16 /* the first one behind the address, when none is there */
};

/* The highest page of x86 processes of 64 bits: not one of their maps, but the text has it. */
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

/* Return: maps seen, or negative errno. */
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
		/* ENOENT: that was the last one. What is too long has no record either. */
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

int maps_walk(const struct maps_reader *mr, int pid, bool data, maps_fn fn, void *ctx)
{
	char *path = sysroot_path(mr->sysroot, "/proc/%d/maps", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = fd < 0 ? -errno : 0;
	u64 until = mr->limit_ns ? clock_ns(CLOCK_MONOTONIC) + mr->limit_ns : 0;
	struct strbuf sb = STRBUF_INIT;

	free(path);
	if (fd < 0)
		return rc;
	if (!data)
		rc = walk_queries(mr, fd, until, fn, ctx);
	close(fd);
	/* without a single map it may be the kernel that cannot tell so: ENOTTY */
	if (rc <= 0 && rc != -ESRCH && rc != -ENOENT && rc != -ETIMEDOUT) {
		rc = sysroot_read(mr->sysroot, &sb, "/proc/%d/maps", pid);
		if (!rc)
			rc = walk_text(&sb, until, data, fn, ctx);
	}
	strbuf_release(&sb);
	return MIN(rc, 0);
}
