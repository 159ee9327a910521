// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "objects/archive.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "buildid/cache.h"
#include "objects/objects.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what goes into it ---- */

static void tell_missing(const struct archive *a, const char *hex, const char *name)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addname(&sb, name);
	notice(a->notices, "not in the build-id cache: %s %s\n", hex, strbuf_str(&sb));
	strbuf_release(&sb);
}

/* Note the names of an object: its link, then its folder. */
static void add_object(struct archive *a, const struct recorded_object *o)
{
	char hex[41], *entry;

	build_id_hex(o->id, o->id_size, hex);
	/* An object that the cache lacks may still be on this machine. */
	cache_fill(a->dir, o->name, 0, o->id, o->id_size, CACHE_COPY);
	entry = cache_has(a->dir, hex, NULL) ? cache_entry_path(a->dir, hex) : NULL;
	a->nr++;
	if (entry) {
		strbuf_addf(&a->members, ".build-id/%.2s/%s", hex, hex + 2);
		strbuf_addch(&a->members, '\0');
		strbuf_addstr(&a->members, entry);
		strbuf_addch(&a->members, '\0');
	} else {
		tell_missing(a, hex, o->name);
		a->missing++;
	}
	free(entry);
}

int archive_find(struct archive *a, struct err *err)
{
	const struct recording_options o = { .input = a->data, .force = true };
	struct recorded_objects objects = { 0 };
	struct recording r;
	int ret = recording_open(&r, &o, a->notices, err);

	if (ret)
		return ret;
	ret = objects_to_pack(&r, a->all, &objects, err);
	for (size_t i = 0; i < objects.nr; i++)
		add_object(a, &objects.v[i]);
	if (a->missing)
		notice(a->notices, "%zu of %zu objects are left out\n", a->missing, a->nr);
	recorded_objects_release(&objects);
	recording_close(&r);
	return ret;
}

void archive_release(struct archive *a)
{
	strbuf_release(&a->members);
}

/* ---- tar ---- */

/* Make a file in memory with the names of the members. Return: a descriptor, or negative errno and
 * a sentence. */
static int members_file(const struct archive *a, struct err *err)
{
	size_t len = a->members.len;
	int fd = memfd_create("perf-archive", MFD_CLOEXEC), ret;

	if (fd >= 0 && (!len || write(fd, a->members.buf, len) == (ssize_t)len) &&
	    !lseek(fd, 0, SEEK_SET))
		return fd;
	ret = err_set(err, -errno, "no memory for the list of files: %s", err_str(-errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Run tar with @in as its standard input. Status 1 means that a file changed meanwhile, and another
 * hard link to an object is such a change. Return: was it content? */
static bool run_tar(const struct archive *a, const char *const *args, int in)
{
	posix_spawn_file_actions_t files;
	int ret, status = 0;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	ret = posix_spawnp(&pid, args[0], &files, NULL, (char *const *)args, environ);
	posix_spawn_file_actions_destroy(&files);
	if (ret) {
		notice(a->notices, "cannot run tar: %s\n", err_str(-ret));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

/* Split "DIR/FILE" into "DIR", which the caller frees, and "FILE". */
static char *split_path(const char *path, const char **base)
{
	const char *slash = strrchr(path, '/');

	*base = slash ? slash + 1 : path;
	return slash ? xstrndup(path, (size_t)(slash + 1 - path)) : xstrdup(".");
}

int archive_write(const struct archive *a, const char *out, struct err *err)
{
	const char *base, *args[20];
	int fd = members_file(a, err), n = 0, ret;
	char *from, *cache, *whole;

	if (fd < 0)
		return fd;
	from = split_path(a->data, &base);
	cache = realpath(a->dir, NULL);
	whole = xasprintf("--add-file=%s", base);
	args[n++] = "tar";
	args[n++] = "--force-local";
	args[n++] = "--warning=no-file-changed";
	args[n++] = "-cjf";
	args[n++] = out;
	if (a->all) {
		args[n++] = "-C";
		args[n++] = from;
		args[n++] = whole;
	}
	args[n++] = "-C";
	args[n++] = cache ? cache : a->dir;
	args[n++] = "--null";
	args[n++] = "-T";
	args[n++] = "-";
	args[n] = NULL;
	ret = run_tar(a, args, fd) ? 0 : 1;
	if (ret) {
		unlink(out);
		notice(a->notices, "%s could not be made\n", out);
	}
	close(fd);
	free(cache);
	free(whole);
	free(from);
	return ret;
}
