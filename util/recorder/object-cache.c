// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id cache beside a recording. Symbols of the kernel are left to perf archive, since
 * reading them costs more than many a recording. */
#include "base/compat.h"
#include "recorder/object-cache.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "buildid/debuginfod.h"
#include "symbol/object-id.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void keep_object(struct object_cache *cache, const char *name, u32 pid, const u8 *id,
			u8 id_size)
{
	struct object_copy *c;
	struct root_view own;
	u64 space;
	int rc = cache_fill(cache->dir, name, 0, id, id_size, CACHE_LINK);

	if (*name != '/' || (!rc && !cache->fetch))
		return;
	/* not here, or another one: only the process in the background can look from over there */
	if (!rc || rc == -EXDEV)
		pid = 0;
	else if (!pid || pid == (u32)-1 || !root_view_read(cache->sysroot, 0, &own) ||
		 !in_other_root(cache->sysroot, &own, pid, &space))
		pid = 0;
	if (rc && rc != -EXDEV && !pid && !cache->fetch)
		return;
	VEC_GROW(cache->copies, cache->nr + 1, cache->cap);
	c = &cache->copies[cache->nr++];
	c->name = xstrdup(name);
	c->pid = pid;
	c->id_size = id_size;
	memcpy(c->id, id, sizeof(c->id));
}

/* Where report looks for the symbols of a kernel it has the build-id of. */
static void add_vmlinux(struct object_cache *c, const u8 *id, u8 id_size)
{
	char *path = c->vmlinux ? realpath(c->vmlinux, NULL) : NULL;

	if (path)
		keep_object(c, path, 0, id, id_size);
	free(path);
}

void object_cache_add(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size)
{
	struct object_cache *c = ctx;

	if (!c->dir)
		return;
	if (!strcmp(name, "[kernel.kallsyms]"))
		add_vmlinux(c, id, id_size);
	else
		keep_object(c, name, pid, id, id_size);
}

/* Nobody waits for this process, nor for the ends of the pipes it would hold. */
static void detach(void)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	if (nice(10) < 0)
		errno = 0;
}

/* What no copy was found of, and debug information: slow, so it comes last. */
static void fetch(const struct object_cache *c)
{
	struct debuginfod *d;

	if (!c->fetch || debuginfod_open(&d, NULL))
		return;
	for (size_t i = 0; i < c->nr; i++)
		debuginfod_fill(d, c->dir, c->copies[i].name, c->copies[i].id,
				c->copies[i].id_size);
	debuginfod_close(d);
}

void object_cache_copy(struct object_cache *c, void (*before)(void *ctx), void *ctx)
{
	size_t i;

	if (c->nr && !fork()) {
		if (before)
			before(ctx);
		detach();
		for (i = 0; i < c->nr; i++)
			cache_fill(c->dir, c->copies[i].name, (int)c->copies[i].pid,
				   c->copies[i].id, c->copies[i].id_size, CACHE_COPY);
		fetch(c);
		_exit(0);
	}
	for (i = 0; i < c->nr; i++)
		free(c->copies[i].name);
	free(c->copies);
	c->copies = NULL;
	c->nr = c->cap = 0;
}
