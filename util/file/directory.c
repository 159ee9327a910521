// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings that are directories: "data" is a normal file, and "data.0", "data.1", ... contain the
 * records of further threads of the recorder, without a header.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "file/reader-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return: 1 when the part with that number exists, 0 when it does not, or a negative errno. */
static int map_part(struct perf_file *f, int dir, size_t nr, struct err *err)
{
	struct file_part *part;
	struct stat st;
	char name[32];
	int fd, ret;
	void *p;

	snprintf(name, sizeof(name), "data.%zu", nr);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		ret = err_set(err, -errno, "failed to open %s/%s: %s", f->path, name,
			      err_str(-errno));
		goto out;
	}
	ret = 1;
	if (!st.st_size)
		goto out;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		ret = err_set(err, -errno, "cannot map '%s/%s': %s", f->path, name,
			      err_str(-errno));
		goto out;
	}
	f->parts = xrealloc(f->parts, f->nr_parts + 1, sizeof(*f->parts));
	part = &f->parts[f->nr_parts++];
	*part = (struct file_part){ .map = p, .size = (size_t)st.st_size };
out:
	if (fd >= 0)
		close(fd);
	return ret;
}

int directory_enter(struct perf_file *f, struct err *err)
{
	int dir = f->fd, ret = 1;

	f->fd = openat(dir, "data", O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		ret = err_set(err, -errno, "failed to open %s/data: %s", f->path, err_str(-errno));
	for (size_t nr = 0; ret > 0; nr++)
		ret = map_part(f, dir, nr, err);
	close(dir);
	return ret;
}

void parts_release(struct perf_file *f)
{
	for (size_t i = 0; i < f->nr_parts; i++)
		munmap(f->parts[i].map, f->parts[i].size);
	free(f->parts);
}
