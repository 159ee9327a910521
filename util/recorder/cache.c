// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record: objects that samples hit go into the build-id cache. A recording must not wait for
 * it: what is there already costs a look, a hard link costs little more, and what can only be
 * copied is left to a process in the background. Symbols of the kernel are left to perf archive,
 * since reading them costs more than many a recording.
 */
#include "base/compat.h"

#include "symbol/object-id.h"
#include "recorder/recorder-internal.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "buildid/cache.h"
#include "buildid/debuginfod.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void record_cache(struct record *r, const char *name, u32 pid, const u8 *id, u8 id_size)
{
	struct record_copy *c;
	struct root_view own;
	u64 space;
	int rc;

	if (!r->cache_dir)
		return;
	rc = cache_fill(r->cache_dir, name, 0, id, id_size, CACHE_LINK);
	if (*name != '/' || (!rc && !r->debuginfod))
		return;
	/* not here, or another one: only the process in the background can look from over there */
	if (!rc || rc == -EXDEV)
		pid = 0;
	else if (!pid || pid == (u32)-1 || !root_view_read(&r->sysroot, 0, &own) ||
		 !in_other_root(&r->sysroot, &own, pid, &space))
		pid = 0;
	if (rc && rc != -EXDEV && !pid && !r->debuginfod)
		return;
	VEC_GROW(r->copies, r->nr_copies + 1, r->cap_copies);
	c = &r->copies[r->nr_copies++];
	c->name = xstrdup(name);
	c->pid = pid;
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

/* What no copy was found of, and debug information: slow, so it comes last. */
static void fetch(const struct record *r)
{
	struct debuginfod *d;

	if (!r->debuginfod || debuginfod_open(&d, NULL))
		return;
	for (size_t i = 0; i < r->nr_copies; i++)
		debuginfod_fill(d, r->cache_dir, r->copies[i].name, r->copies[i].id,
				r->copies[i].id_size);
	debuginfod_close(d);
}

void record_settle_debuginfod(struct record *r)
{
	struct debuginfod *d;
	struct err err = { 0 };

	if (!r->debuginfod)
		return;
	if (strcmp(r->debuginfod, "system"))
		setenv("DEBUGINFOD_URLS", r->debuginfod, 1);
	if (debuginfod_open(&d, &err)) {
		fprintf(stderr, "WARNING: debuginfod support requested, but %s\n", err.msg);
		r->debuginfod = NULL;
	} else {
		debuginfod_close(d);
	}
}

int record_settle_vmlinux(struct record *r)
{
	char file[41] = "none", kernel[41] = "none";
	u8 id[20];
	int n;

	if (!file_is_readable(r->vmlinux))
		return -1;
	n = elf_build_id(r->vmlinux, id);
	if (n > 0)
		build_id_hex(id, (u8)n, file);
	n = object_id(&r->sysroot, "[kernel.kallsyms]", true, 0, id);
	if (n > 0)
		build_id_hex(id, (u8)n, kernel);
	if (n > 0 && !strcmp(file, kernel))
		return 0;
	fprintf(stderr,
		"Warning:\n%s is not of the running kernel and is not used: its build-id is %s, the kernel's %s.\n",
		r->vmlinux, file, kernel);
	r->vmlinux = NULL;
	return 0;
}

void record_cache_copy(struct record *r)
{
	size_t i;

	if (r->nr_copies && !fork()) {
		pump_lower(r);
		detach();
		for (i = 0; i < r->nr_copies; i++)
			cache_fill(r->cache_dir, r->copies[i].name, (int)r->copies[i].pid,
				   r->copies[i].id, r->copies[i].id_size, CACHE_COPY);
		fetch(r);
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
