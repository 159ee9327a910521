// SPDX-License-Identifier: GPL-2.0-or-later
/* List the places where an object may be, and its debug file: by build-id, by the name that its
 * .gnu_debuglink gives, beside it or below /usr/lib/debug. */
#include "base/compat.h"
#include "symbol/debug-file.h"

#include "base/alloc.h"
#include "symbol/process-files.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int symfs_parse(struct symfs *s, const char *text, struct err *err)
{
	const char *comma = strrchr(text, ',');
	bool flat = comma && !strcmp(comma, ",flat");

	*s = (struct symfs){ .dir = NULL };
	if (!comma || (!flat && strcmp(comma, ",hierarchy") && !access(text, F_OK))) {
		s->dir = xstrdup(text); /* no layout, or a directory with a comma in its name */
		return 0;
	}
	if (!flat && strcmp(comma, ",hierarchy"))
		return err_set(err, -EINVAL, "'%s' is no layout of a directory: flat or hierarchy",
			       comma + 1);
	*s = (struct symfs){ .dir = xstrndup(text, (size_t)(comma - text)), .flat = flat };
	return 0;
}

void symfs_release(struct symfs *s)
{
	free((char *)s->dir);
	*s = (struct symfs){ .dir = NULL };
}

char *symfs_path(const struct symfs *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!s->dir || !*s->dir)
		return xstrdup(path);
	return s->flat ? xasprintf("%s/%s", s->dir, slash ? slash + 1 : path)
		       : xasprintf("%s%s", s->dir, path);
}

char *system_path(const struct symbols *s, const char *path)
{
	char *name = symfs_path(&s->conf.symfs, path);
	char *full = sysroot_path(s->conf.sysroot, "%s", name);

	free(name);
	return full;
}

enum { BY_ID, BESIDE, IN_DEBUG, IN_SYSTEM, WITH_SUFFIX, SAME_NAME, PLACES };

static char *place_path(const struct debug_of *of, unsigned n)
{
	const char *slash = strrchr(of->path, '/');
	int dir = slash ? (int)(slash - of->path) : 0;
	char hex[41];

	switch (n) {
	case BY_ID:
		build_id_hex(of->id, of->id_size, hex);
		return xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
	case BESIDE:
		return xasprintf("%.*s/%s", dir, of->path, of->link);
	case IN_DEBUG:
		return xasprintf("%.*s/.debug/%s", dir, of->path, of->link);
	case IN_SYSTEM:
		return xasprintf("/usr/lib/debug%.*s/%s", dir, of->path, of->link);
	case WITH_SUFFIX:
		return xasprintf("/usr/lib/debug%s.debug", of->path);
	default:
		return xasprintf("/usr/lib/debug%s", of->path);
	}
}

bool debug_place(const struct debug_of *of, unsigned n, struct debug_place *out)
{
	static const char origins[PLACES + 1] = "blllfu";
	bool by_link = n >= BESIDE && n <= IN_SYSTEM;

	*out = (struct debug_place){ 0 };
	/* Without a build-id a file of that name could be anything. */
	if (n >= PLACES || !of->id_size)
		return false;
	out->origin = origins[n];
	out->system = n != BESIDE && n != IN_DEBUG;
	if (!by_link || (of->link && strchr(of->path, '/')))
		out->path = place_path(of, n);
	return true;
}

/* ---- the cache of debuginfod ---- */

/* Return the @n-th folder that may be the cache; the caller frees it. NULL: it is not known. */
static char *debuginfod_dir(unsigned n)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME"),
		   *own = getenv("DEBUGINFOD_CACHE_PATH");

	if (own && *own)
		return n ? NULL : xstrdup(own);
	if (!n && home && *home) /* of early versions, which later ones use when it is there */
		return xasprintf("%s/.debuginfod_client_cache", home);
	if (xdg && *xdg)
		return xasprintf("%s/debuginfod_client", xdg);
	return home && *home ? xasprintf("%s/.cache/debuginfod_client", home) : NULL;
}

char *debuginfod_cached(const u8 *id, u8 id_size, const char *leaf)
{
	char hex[41];

	build_id_hex(id, id_size, hex);
	for (unsigned n = 0; id_size && n < 2; n++) {
		char *dir = debuginfod_dir(n);
		char *path = dir ? xasprintf("%s/%s/%s", dir, hex, leaf) : NULL;

		free(dir);
		if (path && !access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

bool file_has_build_id(int fd, const u8 *id, u8 id_size)
{
	char self[32];
	u8 found[20];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	return build_id_same(id, id_size, found, elf_build_id(self, found));
}

static int open_place(const struct sysroot *sr, const struct symfs *symfs, u32 pid,
		      const char *path)
{
	char *full, *name;
	int fd;

	if (pid)
		return process_file_open(sr, pid, path);
	name = symfs ? symfs_path(symfs, path) : xstrdup(path);
	full = sysroot_path(sr, "%s", name);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(full);
	free(name);
	return fd < 0 ? -errno : fd;
}

int debug_file_open(const struct sysroot *sr, const struct symfs *symfs, u32 pid, const char *path,
		    int object, const u8 *id, u8 id_size)
{
	struct debug_of of = { .path = path, .id = id, .id_size = id_size };
	struct debug_place place;
	struct elf_image e;
	char self[32];
	int fd = -ENOENT;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", object);
	if (elf_image_open(&e, self))
		return -ENOENT;
	of.link = elf_image_debuglink(&e);
	for (unsigned n = 0; fd < 0 && debug_place(&of, n, &place); n++) {
		fd = place.path ? open_place(sr, symfs, pid, place.path) : -ENOENT;
		free(place.path);
		if (fd >= 0 && !file_has_build_id(fd, id, id_size)) {
			close(fd);
			fd = -ENOENT;
		}
	}
	elf_image_release(&e);
	return fd;
}
