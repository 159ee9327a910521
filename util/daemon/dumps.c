// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/dumps.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "perf.data."

static int newest_first(const void *a, const void *b)
{
	const struct dump *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return -strcmp(x->path, y->path);
}

size_t dumps_kept(struct dump *v, size_t nr, const struct daemon_keep *k, u64 now)
{
	size_t kept = 0;
	u64 bytes = 0;

	if (nr)
		qsort(v, nr, sizeof(*v), newest_first);
	for (; kept < nr; kept++) {
		const struct dump *d = &v[kept];

		bytes += d->size;
		/* The newest one stays, however large it is. */
		if ((k->files && kept >= k->files) || (k->bytes && bytes > k->bytes && kept) ||
		    (k->age && d->time < now && now - d->time > k->age))
			break;
	}
	return kept;
}

static size_t list(DIR *d, const char *dir, struct dump **out)
{
	size_t nr = 0;

	for (struct dirent *e = readdir(d); e; e = readdir(d)) {
		char path[PATH_MAX];
		struct stat st;
		int len;

		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) ||
		    !strcmp(e->d_name, PREFIX "old") ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		len = snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (len < 0 || (size_t)len >= sizeof(path))
			continue;
		*out = xrealloc(*out, nr + 1, sizeof(**out));
		(*out)[nr++] = (struct dump){ .path = xstrdup(path),
					      .size = (u64)st.st_size,
					      .time = timespec_ns(&st.st_mtim) };
	}
	return nr;
}

u32 dumps_remove(const char *dir, const struct daemon_keep *k)
{
	struct dump *v = NULL;
	DIR *d = opendir(dir);
	size_t nr, kept;
	u32 removed = 0;

	if (!d)
		return 0;
	nr = list(d, dir, &v);
	kept = dumps_kept(v, nr, k, clock_ns(CLOCK_REALTIME));
	for (size_t i = 0; i < nr; i++) {
		if (i >= kept)
			removed += !unlink(v[i].path);
		free(v[i].path);
	}
	free(v);
	closedir(d);
	return removed;
}
