// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/paths.h"

#include "base/alloc.h"

#include <limits.h>
#include <unistd.h>

#define PATHS_MAX 65536 /* so many are known; then all are forgotten */

void trace_paths_release(struct trace_paths *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->v[i]);
	free(p->v);
	map64_release(&p->map);
	*p = (struct trace_paths){ .live = p->live };
}

static u64 key_of(u32 pid, s32 fd)
{
	return (u64)pid << 32 | (u32)fd;
}

static char **find(const struct trace_paths *p, u32 pid, s32 fd)
{
	u32 at = map64_get(&p->map, key_of(pid, fd));

	return at == MAP64_NONE ? NULL : &p->v[at];
}

void trace_paths_set(struct trace_paths *p, u32 pid, s32 fd, const char *path)
{
	char **known = find(p, pid, fd);

	if (known) {
		free(*known);
		*known = xstrdup(path);
		return;
	}
	if (p->nr == PATHS_MAX)
		trace_paths_release(p);
	VEC_GROW(p->v, p->nr + 1, p->cap);
	p->v[p->nr] = xstrdup(path);
	map64_set(&p->map, key_of(pid, fd), (u32)p->nr++);
}

void trace_paths_forget(struct trace_paths *p, u32 pid, s32 fd)
{
	char **known = find(p, pid, fd);

	if (!known)
		return;
	free(*known);
	*known = NULL;
}

/* Ask /proc, once. */
static void ask(struct trace_paths *p, u32 pid, s32 fd)
{
	char link[48], path[PATH_MAX + 2] = "";
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%u/fd/%d", pid, fd);
	n = readlink(link, path + 1, PATH_MAX);
	if (n > 0)
		path[0] = '~';
	trace_paths_set(p, pid, fd, path);
}

const char *trace_paths_get(struct trace_paths *p, u32 pid, s32 fd)
{
	char **known = find(p, pid, fd);

	if (fd < 0)
		return NULL;
	if ((!known || !*known) && p->live) {
		ask(p, pid, fd);
		known = find(p, pid, fd);
	}
	return known && *known && **known ? *known : NULL;
}
