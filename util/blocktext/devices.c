// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices are named by users. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* ---- those that users name ---- */

static void add(struct block_devices *d, u32 dev)
{
	VEC_GROW(d->v, d->nr + 1, d->cap);
	d->v[d->nr++] = dev;
}

/* Read "7:0" or "7,0". Return: whether that is what stands there. */
static bool parse_number(const char *text, u32 *dev)
{
	unsigned int major, minor;
	int end = 0;

	if (sscanf(text, "%u%*1[:,]%u%n", &major, &minor, &end) != 2 || text[end])
		return false;
	*dev = block_dev(major, minor);
	return major < 4096 && minor <= 0xfffff;
}

/* Read the number of a device from a file. Return: 0, or a negative errno. */
static int __printf(3, 4) read_number(const struct sysroot *sr, u32 *dev, const char *fmt, ...)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	strbuf_vaddf(&path, fmt, ap);
	va_end(ap);
	ret = sysroot_read(sr, &text, "%s", strbuf_str(&path));
	while (text.len && text.buf[text.len - 1] == '\n')
		text.buf[--text.len] = '\0';
	if (!ret && !parse_number(strbuf_str(&text), dev))
		ret = -EINVAL;
	strbuf_release(&path);
	strbuf_release(&text);
	return ret;
}

/* Bios of a partition name it, and not the device that it is a part of. */
static void add_partitions(struct block_devices *d, const struct sysroot *sr, const char *name)
{
	char *path = sysroot_path(sr, "/sys/class/block/%s", name);
	DIR *dir = opendir(path);
	const struct dirent *e;

	free(path);
	if (!dir)
		return;
	while ((e = readdir(dir))) {
		u32 dev;

		if (strncmp(e->d_name, name, strlen(name)))
			continue;
		if (!read_number(sr, &dev, "/sys/class/block/%s/%s/dev", name, e->d_name))
			add(d, dev);
	}
	closedir(dir);
}

/* Requests of a partition name the device that it is a part of. */
static void add_disk(struct block_devices *d, const struct sysroot *sr, u32 dev)
{
	char *path = xasprintf("/sys/dev/block/%u:%u", block_major(dev), block_minor(dev));
	u64 number;
	u32 disk;

	if (!sysroot_read_u64(sr, &number, "%s/partition", path) &&
	    !read_number(sr, &disk, "%s/../dev", path)) {
		VEC_GROW(d->disks, d->nr_disks + 1, d->cap_disks);
		d->disks[d->nr_disks++] = disk;
	}
	free(path);
}

int block_devices_add(struct block_devices *d, const struct sysroot *sr, const char *name,
		      struct err *err)
{
	const char *bare = strncmp(name, "/dev/", 5) ? name : name + 5;
	struct stat st;
	u32 dev;

	if (!parse_number(name, &dev)) {
		if (!strchr(bare, '/') && !read_number(sr, &dev, "/sys/class/block/%s/dev", bare))
			add_partitions(d, sr, bare);
		else if (name[0] == '/' && !stat(name, &st) && S_ISBLK(st.st_mode))
			dev = block_dev(major(st.st_rdev), minor(st.st_rdev));
		else
			return err_set(
				err, -ENODEV,
				"block: there is no block device '%s'. /sys/class/block "
				"lists those there are; a number such as 7:0 will do as well",
				name);
	}
	add(d, dev);
	add_disk(d, sr, dev);
	return 0;
}

bool block_devices_has(const struct block_devices *d, u32 dev)
{
	for (size_t i = 0; i < d->nr; i++)
		if (d->v[i] == dev)
			return true;
	return !d->nr;
}

void block_devices_release(struct block_devices *d)
{
	free(d->v);
	free(d->disks);
	*d = (struct block_devices){ 0 };
}
