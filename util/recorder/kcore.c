// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * With --kcore the output is a folder, and beside the data stands the running kernel's
 * code, with its symbols and modules:
 *
 *	<output>/data
 *	<output>/kcore_dir/kcore, kallsyms, modules
 */
#include "base/compat.h"
#include "recorder/output.h"

#include "base/alloc.h"
#include "buildid/kcore.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int kcore_probe(const struct sysroot *sr)
{
	char *path = sysroot_path(sr, "/proc/kcore");
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	free(path);
	if (fd >= 0)
		close(fd);
	else
		rc = -errno;
	return rc;
}

/* Link what the output file before this one has, as the kernel is still the same. */
static int link_last(int last, const char *folder)
{
	static const char *const leaves[] = { "kcore", "kallsyms", "modules" };
	int to, rc = 0;

	if (last < 0)
		return -ENOENT;
	if (mkdir(folder, 0700))
		return -errno;
	to = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; !rc && i < ARRAY_SIZE(leaves); i++)
		if (to < 0 || linkat(last, leaves[i], to, leaves[i], 0))
			rc = -errno;
	for (size_t i = 0; rc && to >= 0 && i < ARRAY_SIZE(leaves); i++)
		unlinkat(to, leaves[i], 0);
	if (to >= 0)
		close(to);
	if (rc)
		rmdir(folder);
	return rc;
}

int kcore_put(int *last, const struct sysroot *sr, const char *output, struct err *err)
{
	char *folder = xasprintf("%s/kcore_dir", output);
	char *path = sysroot_path(sr, "/proc/kcore");
	int rc = 0;

	/* it may have been removed meanwhile, or be on another file system */
	if (link_last(*last, folder))
		rc = kcore_copy(path, folder, err);
	if (rc)
		err_prefix(err, "--kcore");
	kcore_release(last);
	if (!rc)
		*last = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	free(path);
	return rc;
}

void kcore_release(int *last)
{
	if (*last >= 0)
		close(*last);
	*last = -1;
}
