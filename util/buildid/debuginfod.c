// SPDX-License-Identifier: GPL-2.0-or-later
/* Call libdebuginfod behind one seam; its functions are those of debuginfod_find_debuginfo(3). */
#include "base/compat.h"
#include "buildid/debuginfod.h"

#include "base/alloc.h"
#include "base/library.h"
#include "buildid/cache.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

/* Return: a descriptor, or negative errno. The path, when asked for, is the caller's. */
typedef int (*find_fn)(void *client, const unsigned char *id, int id_size, char **path);

struct debuginfod {
	void *dl, *client;
	void *(*begin)(void);
	void (*end)(void *client);
	find_fn debuginfo, executable;
	bool (*going)(void *ctx, u64 bytes); /* NULL: nobody watches */
	void *ctx;
	bool given_up;
};

/* POSIX has dlsym() return functions as pointers to data. */
#define LOOK_UP(d, member, name) (*(void **)&(d)->member = dlsym((d)->dl, name))

int debuginfod_open(struct debuginfod **out, struct err *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debuginfod *d;

	*out = NULL;
	if (!urls || !urls[strspn(urls, " ")])
		return err_set(
			err, -ENOENT,
			"no debuginfod servers: set DEBUGINFOD_URLS, or name them with --debuginfod=URL");
	d = xzalloc(sizeof(*d));
	/* the library must stay: threads of its HTTP client may outlive the last call */
	d->dl = PLUGIN_LOAD(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (d->dl && LOOK_UP(d, begin, "debuginfod_begin") && LOOK_UP(d, end, "debuginfod_end") &&
	    LOOK_UP(d, debuginfo, "debuginfod_find_debuginfo") &&
	    LOOK_UP(d, executable, "debuginfod_find_executable"))
		d->client = d->begin();
	if (!d->client) {
		debuginfod_close(d);
		return err_set(err, -ENOTSUP,
			       "debuginfod is not there: install " LIBRARY
			       " (Debian: libdebuginfod1, Fedora: elfutils-debuginfod-client)");
	}
	*out = d;
	return 0;
}

void debuginfod_close(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->end(d->client);
	if (d->dl)
		dlclose(d->dl);
	free(d);
}

static int fetch(struct debuginfod *d, find_fn find, const char *dir, const char *name,
		 const u8 *id, u8 id_size, const char *leaf)
{
	char hex[41], *path;
	int fd, ret;

	build_id_hex(id, id_size, hex);
	path = xasprintf("%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, leaf);
	ret = access(path, F_OK);
	free(path);
	if (!ret)
		return 0;
	fd = find(d->client, id, id_size, NULL);
	if (fd < 0)
		return 0;
	ret = cache_put(dir, name, hex, leaf, fd);
	close(fd);
	return !ret;
}

int debuginfod_fill(struct debuginfod *d, const char *dir, const char *name, const u8 *id,
		    u8 id_size)
{
	if (id_size < 4 || *name != '/')
		return 0;
	return fetch(d, d->executable, dir, name, id, id_size, "elf") +
	       fetch(d, d->debuginfo, dir, name, id, id_size, "debug");
}

/* ---- files in the cache of debuginfod ---- */

/* Look up a function that the first versions of the library do not have. */
static bool look_up(void *function, const char *name)
{
	void *dl = PLUGIN_LOAD(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	void *found = dl ? dlsym(dl, name) : NULL;

	memcpy(function, &found, sizeof(found));
	if (dl)
		dlclose(dl); /* it stays loaded */
	return found;
}

/* Answer the library, which hands over its client alone: other than 0 ends the transfer. */
static int on_progress(void *client, long got, long of)
{
	void *(*get_data)(void *client);
	struct debuginfod *d;

	if (!look_up(&get_data, "debuginfod_get_user_data"))
		return 0;
	d = get_data(client);
	d->given_up = d->given_up || !d->going(d->ctx, of > 0 ? (u64)got : 0);
	return d->given_up;
}

bool debuginfod_watch(struct debuginfod *d, bool (*going)(void *ctx, u64 bytes), void *ctx)
{
	void (*set_progress)(void *client, int (*fn)(void *client, long got, long of));
	void (*set_data)(void *client, void *data);

	if (!look_up(&set_progress, "debuginfod_set_progressfn") ||
	    !look_up(&set_data, "debuginfod_set_user_data"))
		return false;
	d->going = going;
	d->ctx = ctx;
	set_data(d->client, d);
	set_progress(d->client, on_progress);
	return true;
}

int debuginfod_get(struct debuginfod *d, enum debuginfod_file what, const u8 *id, u8 id_size)
{
	find_fn find = what == DEBUGINFOD_OBJECT ? d->executable : d->debuginfo;
	int fd;

	d->given_up = false;
	fd = find(d->client, id, id_size, NULL);
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : d->given_up ? -EINTR : fd;
}
