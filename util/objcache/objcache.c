// SPDX-License-Identifier: GPL-2.0-or-later
/* Files are <dir>/ab/cdef01...lines, named by the build-id in hex and the kind. */
#include "base/compat.h"

#include "objcache/objcache.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "objcache/trim-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ORDER 0x01020304U /* tells files of machines with the other byte order */
#define FRESH (24 * 3600) /* seconds; a file that is read is marked as used once a day */

/* This head is in front of the data of a file. */
struct head {
	char magic[8];
	u32 order, kind, version, id_size;
	u8 id[20];
	u32 reserved;
	u64 len, checksum; /* of the data */
};
_Static_assert(sizeof(struct head) == 64, "data are aligned to 8 bytes");

static const char magic[8] = "PERFOBJ";

struct objcache {
	struct objcache_conf conf;
	char *dir; /* owned */
	atomic_bool written;
};

char *objcache_folder(const char *dir, const char *buildid_dir)
{
	if (dir)
		return *dir ? xstrdup(dir) : NULL;
	return buildid_dir && *buildid_dir ? xasprintf("%s/.cache", buildid_dir) : NULL;
}

struct objcache *objcache_new(const struct objcache_conf *conf)
{
	struct objcache *c;

	if (!conf->dir || !*conf->dir)
		return NULL;
	c = xzalloc(sizeof(*c));
	c->conf = *conf;
	c->conf.dir = c->dir = xstrdup(conf->dir);
	return c;
}

void objcache_free(struct objcache *c)
{
	if (!c)
		return;
	if (c->conf.size && atomic_load(&c->written))
		objcache_trim(c->dir, c->conf.size);
	free(c->dir);
	free(c);
}

bool objcache_wants(const struct objcache *c, const struct objcache_key *key)
{
	return c && c->conf.on[key->kind] && key->id_size > 1 && key->id_size <= sizeof(key->id);
}

static char *file_path(const struct objcache *c, const struct objcache_key *key)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%02x/", c->dir, key->id[0]);
	for (u8 i = 1; i < key->id_size; i++)
		strbuf_addf(&path, "%02x", key->id[i]);
	strbuf_addf(&path, "%s", objcache_endings[key->kind]);
	return strbuf_detach(&path);
}

#define LANES 4

/* Words are hashed in several lanes, because each step of one has to wait for the step before. */
static u64 checksum(const void *data, size_t len)
{
	u64 lanes[LANES + 1] = { len }, w[LANES];
	const u8 *p = data;

	for (; len >= sizeof(w); len -= sizeof(w), p += sizeof(w)) {
		memcpy(w, p, sizeof(w));
		for (int i = 0; i < LANES; i++) {
			lanes[i] = (lanes[i] ^ w[i]) * 0xd6e8feb86659fd93ULL;
			lanes[i] ^= lanes[i] >> 32;
		}
	}
	lanes[LANES] = hash_bytes(p, len);
	return hash_bytes(lanes, sizeof(lanes));
}

static struct head make_head(const struct objcache_key *key, const void *data, size_t len)
{
	struct head h = { .order = ORDER,
			  .kind = key->kind,
			  .version = key->version,
			  .id_size = key->id_size,
			  .len = len,
			  .checksum = checksum(data, len) };

	memcpy(h.magic, magic, sizeof(h.magic));
	memcpy(h.id, key->id, key->id_size);
	return h;
}

/* ---- reading ---- */

static bool map_file(int fd, struct objcache_file *f, struct stat *st)
{
	if (fstat(fd, st) || !S_ISREG(st->st_mode) || st->st_size < (off_t)sizeof(struct head))
		return false;
	f->map_size = (size_t)st->st_size;
	f->map = mmap(NULL, f->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (f->map == MAP_FAILED)
		return false;
	f->data = (const u8 *)f->map + sizeof(struct head);
	f->len = f->map_size - sizeof(struct head);
	return true;
}

bool objcache_get(const struct objcache *c, const struct objcache_key *key,
		  struct objcache_file *out)
{
	struct head want;
	struct stat st;
	char *path;
	bool good;
	int fd;

	*out = (struct objcache_file){ 0 };
	if (!objcache_wants(c, key))
		return false;
	path = file_path(c, key);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (fd < 0)
		return false;
	good = map_file(fd, out, &st);
	if (good) {
		want = make_head(key, out->data, out->len);
		good = !memcmp(&want, out->map, sizeof(want));
		if (!good)
			objcache_file_release(out);
	}
	if (good && st.st_mtime + FRESH < time(NULL))
		futimens(fd, NULL);
	close(fd);
	return good;
}

bool objcache_has(const struct objcache *c, const struct objcache_key *key)
{
	char *path;
	bool there;

	if (!objcache_wants(c, key))
		return false;
	path = file_path(c, key);
	there = !access(path, R_OK);
	free(path);
	return there;
}

void objcache_file_release(struct objcache_file *f)
{
	if (f->map)
		munmap(f->map, f->map_size);
	*f = (struct objcache_file){ 0 };
}

void *objcache_take(const u8 **p, u64 *left, u64 nr, u64 size)
{
	uintptr_t array = (uintptr_t)*p;

	if (nr > *left / size)
		return NULL;
	*p += nr * size;
	*left -= nr * size;
	return (void *)array;
}

/* ---- writing ---- */

/* Make the folders that a path is in. */
static void make_folders(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

/* Create a file beside @path. *@temp: receives its name; the caller frees it */
static int create_temp(const char *path, char **temp)
{
	*temp = xasprintf("%s" OBJCACHE_TEMP "XXXXXX", path);
	return mkostemp(*temp, O_CLOEXEC);
}

static bool write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

void objcache_put(struct objcache *c, const struct objcache_key *key, const void *data, size_t len)
{
	struct head h;
	char *path, *temp;
	bool good;
	int fd;

	if (!objcache_wants(c, key) || (c->conf.size && len > c->conf.size))
		return;
	h = make_head(key, data, len);
	path = file_path(c, key);
	fd = create_temp(path, &temp);
	if (fd < 0 && errno == ENOENT) {
		free(temp);
		make_folders(path);
		fd = create_temp(path, &temp);
	}
	if (fd >= 0) {
		good = write_all(fd, &h, sizeof(h)) && write_all(fd, data, len) &&
		       !fchmod(fd, 0644);
		good = !close(fd) && good && !rename(temp, path);
		if (!good)
			unlink(temp);
		atomic_store(&c->written, true);
	}
	free(temp);
	free(path);
}
