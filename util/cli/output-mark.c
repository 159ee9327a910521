// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output-mark.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NULL_DEVICE makedev(1, 3)

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Tell whether the file ends where the next byte would be written. */
static bool is_at_end(int fd, off_t *at)
{
	struct stat st;

	*at = lseek(fd, 0, SEEK_CUR);
	return *at >= 0 && !fstat(fd, &st) && st.st_size == *at;
}

bool output_mark_set(struct output_mark *m, int fd)
{
	struct stat st, messages;
	int flags = fcntl(fd, F_GETFL);

	*m = (struct output_mark){ .fd = fd };
	if (flags < 0 || fstat(fd, &st))
		return false;
	m->nowhere = S_ISCHR(st.st_mode) && st.st_rdev == NULL_DEVICE;
	if (m->nowhere)
		return true;
	if (!S_ISREG(st.st_mode) || flags & O_APPEND)
		return false;
	if (!fstat(STDERR_FILENO, &messages) && same_file(&st, &messages))
		return false;
	/* Nothing changes, but it shows whether the file may be cut. */
	return is_at_end(fd, &m->at) && !ftruncate(fd, m->at);
}

bool output_mark_return(const struct output_mark *m)
{
	off_t at;

	if (m->nowhere)
		return true;
	return is_at_end(m->fd, &at) && !ftruncate(m->fd, m->at) &&
	       lseek(m->fd, m->at, SEEK_SET) == m->at;
}
