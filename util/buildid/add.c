// SPDX-License-Identifier: GPL-2.0-or-later
/* Put objects into the build-id cache: by hard link, by reflink, by copy, in this order. */
#include "base/compat.h"

#include "buildid/buildid-internal.h"
#include "buildid/cache.h"

#include "base/alloc.h"
#include "symbol/object-id.h"
#include "symbol/sdt.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- opening ---- */

static int enter(const char *ns)
{
	int fd = open(ns, O_RDONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (setns(fd, CLONE_NEWNS))
		ret = -errno;
	close(fd);
	return ret;
}

static int open_real(struct cache_object *o, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		ret = -errno;
	else if (!S_ISREG(st.st_mode))
		ret = S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	o->name = ret ? NULL : realpath(path, NULL);
	if (!ret && !o->name)
		ret = -errno;
	if (ret)
		close(fd);
	else
		o->fd = fd;
	return ret;
}

/* Open @path as process @pid sees it, in its mount namespace. */
static int open_in_ns(struct cache_object *o, const char *path, int pid, struct err *err)
{
	int home = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	int cwd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), ret;
	char *ns = xasprintf("/proc/%d/ns/mnt", pid), *here = realpath(".", NULL), *full;

	/* In the other namespace the working folder is the root. */
	full = xasprintf("%s/%s", *path == '/' || !here ? "" : here, path);
	ret = home < 0 || cwd < 0 ? -EACCES : enter(ns);
	if (ret) {
		err_set(err, ret, "cannot enter the mount namespace of process %d: %s", pid,
			err_str(ret));
	} else {
		ret = open_real(o, full);
		if (setns(home, CLONE_NEWNS) || fchdir(cwd))
			ret = err_set(err, -errno, "cannot leave the mount namespace of process %d",
				      pid);
	}
	free(full);
	free(here);
	free(ns);
	if (home >= 0)
		close(home);
	if (cwd >= 0)
		close(cwd);
	return ret;
}

int cache_object_open(struct cache_object *o, const char *path, int pid, struct err *err)
{
	char self[32];
	u8 id[20];
	int ret;

	*o = (struct cache_object){ .fd = -1 };
	ret = pid ? open_in_ns(o, path, pid, err) : open_real(o, path);
	if (ret) {
		cache_object_release(o);
		return err && err->code ? ret : err_set(err, ret, "%s", err_str(ret));
	}
	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	ret = elf_build_id(self, id);
	if (ret > 0) {
		build_id_hex(id, (u8)ret, o->hex);
		return 0;
	}
	cache_object_release(o);
	if (ret == -ENOEXEC)
		return err_set(err, ret, "not an ELF file");
	if (!ret || ret == -ENOENT)
		return err_set(err, -ENODATA, "no build-id in it");
	return err_set(err, ret, "%s", err_str(ret));
}

void cache_object_release(struct cache_object *o)
{
	if (o->fd > 0)
		close(o->fd);
	free(o->name);
	*o = (struct cache_object){ .fd = -1 };
}

/* ---- files ---- */

int make_dirs(const char *path)
{
	char *p = xstrdup(path), *s;
	int ret;

	if (!mkdir(p, 0755) || errno == EEXIST) {
		free(p);
		return 0;
	}
	for (s = strchr(p + 1, '/'); s; s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(p, 0755);
		*s = '/';
	}
	ret = mkdir(p, 0755) && errno != EEXIST ? -errno : 0;
	free(p);
	return ret;
}

int write_all(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int copy_bytes(int from, int to)
{
	size_t size = 1 << 16;
	off_t at = 0;
	char *buf;
	ssize_t n;
	int ret = 0;

	if (!ioctl(to, FICLONE, from))
		return 0;
	while ((n = copy_file_range(from, &at, to, NULL, 1 << 30, 0)) > 0)
		;
	if (!n && at)
		return 0;
	buf = xmalloc(size);
	while (!ret && (n = pread(from, buf, size, at)) > 0) {
		ret = write_all(to, buf, (size_t)n);
		at += n;
	}
	if (!ret && n < 0)
		ret = -errno;
	free(buf);
	return ret;
}

/* A new file DIR/LEAF from @from, or from @data when that is negative. */
static int put_file(const char *dir, const char *leaf, int from, const void *data, size_t size)
{
	char *tmp = xasprintf("%s/.%s.XXXXXX", dir, leaf), *path = xasprintf("%s/%s", dir, leaf);
	int to = mkostemp(tmp, O_CLOEXEC), ret = to < 0 ? -errno : 0;
	struct stat st = { .st_mode = 0600 };

	if (!ret) {
		if (from >= 0 && fstat(from, &st))
			ret = -errno;
		if (!ret)
			ret = from >= 0 ? copy_bytes(from, to) : write_all(to, data, size);
		if (!ret && fchmod(to, st.st_mode & 0777))
			ret = -errno;
		if (close(to) && !ret)
			ret = -errno;
		if (!ret && rename(tmp, path))
			ret = -errno;
		if (ret)
			unlink(tmp);
	}
	free(path);
	free(tmp);
	return ret;
}

static int put_link_or_copy(const char *dir, const char *leaf, int fd, enum cache_effort effort)
{
	char *path = xasprintf("%s/%s", dir, leaf), self[32];
	int ret = 0;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) && errno != EEXIST)
		ret = effort == CACHE_LINK ? -EXDEV : put_file(dir, leaf, fd, NULL, 0);
	free(path);
	return ret;
}

/* ---- entries ---- */

/* Make the link DIR/.build-id/xx/yyyy. *@before: the link, when it exists and names another
 * object */
static int link_entry(const char *dir, const char *name, const char *hex, char **before)
{
	char *xx = xasprintf("%s/.build-id/%.2s", dir, hex);
	char *link = xasprintf("%s/%s", xx, hex + 2);
	char *entry = xasprintf("%s/%s", *name == '/' ? name + 1 : name, hex);
	char *target = xasprintf("../../%s", entry), *now = cache_entry_path(dir, hex);
	int ret = make_dirs(xx);

	if (!ret && cache_has(dir, hex, NULL)) {
		if (before && (!now || strcmp(now, entry)))
			*before = xstrdup(link);
	} else if (!ret && symlink(target, link)) {
		/* An old link that leads nowhere is replaced. */
		ret = errno == EEXIST && !unlink(link) && !symlink(target, link) ? 0 : -errno;
	}
	free(now);
	free(target);
	free(entry);
	free(link);
	free(xx);
	return ret;
}

static char *entry_dir(const char *dir, const char *name, const char *hex)
{
	return xasprintf("%s%s%s/%s", dir, *name == '/' ? "" : "/", name, hex);
}

static void add_debug(const char *entry, const char *hex, enum cache_effort effort)
{
	char *path = xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	/* Debug information is optional: without it the entry is as good as the object itself. */
	if (fd >= 0) {
		put_link_or_copy(entry, "debug", fd, effort);
		close(fd);
	}
	free(path);
}

/* Add the object's markers for tracers. An empty file says that there are none, as in other
 * perfs. */
static void add_probes(const char *entry, const struct cache_object *o)
{
	char *path = xasprintf("%s/probes", entry), self[32];
	struct strbuf text = STRBUF_INIT;
	struct sdt_notes notes;

	/* perf probe adds to this file, so an existing one stays. */
	if (access(path, F_OK)) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
		if (!sdt_read(&notes, self)) {
			sdt_cache_text(&notes, o->name, &text);
			sdt_release(&notes);
		}
		if (!put_file(entry, "probes", -1, strbuf_str(&text), text.len))
			chmod(path, 0644);
	}
	strbuf_release(&text);
	free(path);
}

int cache_add(const char *dir, const struct cache_object *o, enum cache_effort effort,
	      char **linked_to, struct err *err)
{
	char *entry = entry_dir(dir, o->name, o->hex);
	int ret = make_dirs(entry);

	if (!ret)
		ret = put_link_or_copy(entry, "elf", o->fd, effort);
	if (!ret) {
		add_debug(entry, o->hex, effort);
		add_probes(entry, o);
		ret = link_entry(dir, o->name, o->hex, linked_to);
	}
	if (ret && ret != -EXDEV)
		err_set(err, ret, "%s", err_str(ret));
	free(entry);
	return ret;
}

/* Contents that are no file of this machine. */
static int add_data(const char *dir, const char *name, const char *hex, const char *leaf,
		    const void *data, size_t size)
{
	char *entry = entry_dir(dir, name, hex);
	int ret = make_dirs(entry);

	if (!ret)
		ret = put_file(entry, leaf, -1, data, size);
	if (!ret)
		ret = link_entry(dir, name, hex, NULL);
	free(entry);
	return ret;
}

/* Tell whether the build-id @hex is that of this machine's vdso or kernel. */
static bool is_ours(const char *name, bool kernel, const char *hex)
{
	char ours[41] = "";
	u8 id[20];
	int size = object_id(NULL, name, kernel, 0, id);

	if (size > 0)
		build_id_hex(id, (u8)size, ours);
	return !strcmp(ours, hex);
}

static int fill_vdso(const char *dir, const char *hex)
{
	size_t size;
	const u8 *image = vdso_image(&size);

	if (!is_ours("[vdso]", false, hex))
		return -ENOENT;
	return add_data(dir, "[vdso]", hex, "vdso", image, size);
}

static int fill_kernel(const char *dir, const char *hex)
{
	struct strbuf text = STRBUF_INIT;
	int ret;

	if (!is_ours("[kernel.kallsyms]", true, hex))
		return -ENOENT;
	ret = sysroot_read(NULL, &text, "/proc/kallsyms");
	/* Unprivileged users see no addresses in it, and then it is of no use. */
	if (!ret && strspn(strbuf_str(&text), "0") >= 16 && !strstr(strbuf_str(&text), "\nffff"))
		ret = -EPERM;
	if (!ret)
		ret = add_data(dir, "[kernel.kallsyms]", hex, "kallsyms", strbuf_str(&text),
			       text.len);
	strbuf_release(&text);
	return ret;
}

static int fill_object(const char *dir, const char *name, int pid, const char *hex,
		       enum cache_effort effort)
{
	struct cache_object o;
	int ret = cache_object_open(&o, name, pid, NULL);

	if (ret)
		return ret;
	ret = strcmp(o.hex, hex) ? -ENOENT : cache_add(dir, &o, effort, NULL, NULL);
	cache_object_release(&o);
	return ret;
}

int cache_fill(const char *dir, const char *name, int pid, const u8 *id, u8 id_size,
	       enum cache_effort effort)
{
	char hex[41];

	if (id_size < 4)
		return -ENOENT;
	build_id_hex(id, id_size, hex);
	if (cache_has(dir, hex, NULL))
		return 0;
	if (!strcmp(name, "[vdso]"))
		return fill_vdso(dir, hex);
	if (!strncmp(name, "[kernel.kallsyms]", 17))
		return effort == CACHE_LINK ? -EXDEV : fill_kernel(dir, hex);
	if (*name != '/')
		return -ENOENT;
	return fill_object(dir, name, pid, hex, effort);
}

int cache_put(const char *dir, const char *name, const char *hex, const char *leaf, int fd)
{
	char *entry = entry_dir(dir, name, hex);
	int ret = make_dirs(entry);

	if (!ret)
		ret = put_file(entry, leaf, fd, NULL, 0);
	if (!ret)
		ret = link_entry(dir, name, hex, NULL);
	free(entry);
	return ret;
}

int cache_put_text(const char *dir, const char *name, const char *hex, const char *leaf,
		   const struct strbuf *text)
{
	return add_data(dir, name, hex, leaf, strbuf_str(text), text->len);
}
