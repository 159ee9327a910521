// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record: objects that samples hit go into the build-id cache. A recording must not wait for
 * it: what is there already costs a look, a hard link costs little more, and what can only be
 * copied is left to a process in the background. Symbols of the kernel are left to perf archive,
 * since reading them costs more than many a recording.
 */
#include "base/compat.h"

#include "builtin-record.h"
#include "builtin.h"

#include "base/alloc.h"
#include "symbol/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void record_cache(struct record *r, const char *name, const u8 *id, u8 id_size)
{
	struct record_copy *c;

	if (!r->cache_dir || cache_fill(r->cache_dir, name, id, id_size, CACHE_LINK) != -EXDEV ||
	    *name != '/')
		return;
	VEC_GROW(r->copies, r->nr_copies + 1, r->cap_copies);
	c = &r->copies[r->nr_copies++];
	c->name = xstrdup(name);
	c->id_size = id_size;
	memcpy(c->id, id, sizeof(c->id));
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

void record_cache_copy(struct record *r)
{
	size_t i;

	if (r->nr_copies && !fork()) {
		detach();
		for (i = 0; i < r->nr_copies; i++)
			cache_fill(r->cache_dir, r->copies[i].name, r->copies[i].id,
				   r->copies[i].id_size, CACHE_COPY);
		_exit(0);
	}
	for (i = 0; i < r->nr_copies; i++)
		free(r->copies[i].name);
	free(r->copies);
	free(r->cache_dir);
	r->copies = NULL;
	r->cache_dir = NULL;
	r->nr_copies = r->cap_copies = 0;
}
