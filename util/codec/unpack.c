// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/unpack.h"

#include "codec/unpack-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*unpack_fn)(const u8 *in, size_t len, struct unpack_sink *to);

/* Return what unpacks a file that begins with these bytes; NULL: it is not compressed. */
static unpack_fn decoder_of(const u8 *head, ssize_t len)
{
	static const struct {
		const char *magic;
		ssize_t len;
		unpack_fn unpack;
	} formats[] = {
		{ "\xfd"
		  "7zXZ\0",
		  6, unpack_xz },
		{ "\x1f\x8b\x08", 3, unpack_gzip },
		{ "\x28\xb5\x2f\xfd", 4, unpack_zstd },
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (len >= formats[i].len &&
		    !memcmp(head, formats[i].magic, (size_t)formats[i].len))
			return formats[i].unpack;
	return NULL;
}

int unpack_put(struct unpack_sink *to, const void *bytes, size_t nr)
{
	const char *p = bytes;

	if (nr > to->left)
		return -EFBIG;
	to->left -= nr;
	while (nr) {
		ssize_t n = write(to->fd, p, nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		nr -= (size_t)n;
	}
	return 0;
}

#define RATIO 64 /* programs become smaller by far less than that */

/* Return a descriptor of the unpacked bytes of the file @fd, or a negative errno. */
static int unpack_file(unpack_fn unpack, int fd, size_t max)
{
	struct unpack_sink to = { .left = max };
	struct stat st;
	void *map;
	int ret;

	if (fstat(fd, &st))
		return -errno;
	if ((size_t)st.st_size < max / RATIO)
		to.left = (size_t)st.st_size * RATIO;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	to.fd = memfd_create("perf-unpacked", MFD_CLOEXEC);
	ret = to.fd < 0 ? -errno : unpack(map, (size_t)st.st_size, &to);
	munmap(map, (size_t)st.st_size);
	if (!ret)
		return to.fd;
	if (to.fd >= 0)
		close(to.fd);
	return ret;
}

int unpacked_open(const char *path, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), unpacked;
	unpack_fn unpack;
	u8 head[6];

	if (fd < 0)
		return -errno;
	unpack = decoder_of(head, pread(fd, head, sizeof(head), 0));
	if (!unpack)
		return fd;
	unpacked = unpack_file(unpack, fd, max);
	close(fd);
	return unpacked;
}
