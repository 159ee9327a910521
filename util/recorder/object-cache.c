// SPDX-License-Identifier: GPL-2.0-or-later
/* Fill the build-id cache beside a recording. Symbols of the kernel are left to perf archive, since
 * reading them costs more than many a recording. */
#include "base/compat.h"
#include "recorder/object-cache.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "buildid/debuginfod.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static struct object_copy *add_copy(struct object_cache *cache, const char *name, u32 pid,
				    const u8 *id, u8 id_size)
{
	struct object_copy *c;

	VEC_GROW(cache->copies, cache->nr + 1, cache->cap);
	c = &cache->copies[cache->nr++];
	*c = (struct object_copy){ .name = xstrdup(name), .pid = pid, .id_size = id_size };
	memcpy(c->id, id, sizeof(c->id));
	return c;
}

static void keep_object(struct object_cache *cache, const char *name, u32 pid, const u8 *id,
			u8 id_size)
{
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
	add_copy(cache, name, pid, id, id_size);
}

/* Keep the kernel's image under its build-id, where report looks for symbols. */
static void add_vmlinux(struct object_cache *c, const u8 *id, u8 id_size)
{
	char *path = c->vmlinux ? realpath(c->vmlinux, NULL) : NULL;

	if (path)
		keep_object(c, path, 0, id, id_size);
	free(path);
}

void object_cache_add(void *ctx, const char *name, u32 pid, const u8 *id, u8 id_size,
		      struct held_files *held)
{
	struct object_cache *c = ctx;

	if (!c->dir)
		return;
	if (held && held->object) {
		add_copy(c, name, pid, id, id_size)->held = *held;
		*held = (struct held_files){ 0 };
	} else if (!strcmp(name, "[kernel.kallsyms]"))
		add_vmlinux(c, id, id_size);
	else
		keep_object(c, name, pid, id, id_size);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Close all descriptors but the standard ones and those that are held. */
static void close_others(const struct object_cache *c)
{
	int *keep = xcalloc(c->nr * 2 + 1, sizeof(*keep)), from = STDERR_FILENO + 1;
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++) {
		keep[nr++] = c->copies[i].held.object;
		keep[nr++] = c->copies[i].held.debug;
	}
	qsort(keep, nr, sizeof(*keep), by_number);
	for (size_t i = 0; i < nr; i++) {
		if (keep[i] > from)
			close_range((unsigned int)from, (unsigned int)keep[i] - 1, 0);
		from = MAX(from, keep[i] + 1);
	}
	close_range((unsigned int)from, ~0U, 0);
	free(keep);
}

/* Nobody waits for this process, nor for the ends of the pipes it would hold. */
static void detach(const struct object_cache *c)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	close_others(c);
	if (nice(10) < 0)
		errno = 0;
}

/* Fetch objects that no copy was found of, and debug information. This is slow, so it comes
 * last. */
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

/* Copy an object into the cache, from wherever it still exists. */
static void copy_object(const struct object_cache *c, const struct object_copy *o)
{
	char hex[41];

	build_id_hex(o->id, o->id_size, hex);
	if (!o->held.object) {
		cache_fill(c->dir, o->name, (int)o->pid, o->id, o->id_size, CACHE_COPY);
		return;
	}
	if (!cache_has(c->dir, hex, "elf"))
		cache_put(c->dir, o->name, hex, "elf", o->held.object);
	if (o->held.debug && !cache_has(c->dir, hex, "debug"))
		cache_put(c->dir, o->name, hex, "debug", o->held.debug);
}

static void release_copy(struct object_copy *o)
{
	if (o->held.object)
		close(o->held.object);
	if (o->held.debug)
		close(o->held.debug);
	free(o->name);
}

void object_cache_copy(struct object_cache *c, void (*before)(void *ctx), void *ctx)
{
	size_t i;

	if (c->nr && !fork()) {
		if (before)
			before(ctx);
		detach(c);
		for (i = 0; i < c->nr; i++)
			copy_object(c, &c->copies[i]);
		fetch(c);
		_exit(0);
	}
	for (i = 0; i < c->nr; i++)
		release_copy(&c->copies[i]);
	free(c->copies);
	c->copies = NULL;
	c->nr = c->cap = 0;
}
