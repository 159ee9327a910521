// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/files.h"

#include "base/alloc.h"
#include "base/err.h"
#include "codec/quote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Make a new file. Return: its descriptor, or negative errno. */
static int new_file(const char *prefix, char *name, size_t size)
{
	int fd;

	for (unsigned int i = 0; i < 10000; i++) {
		snprintf(name, size, "%s.%u", prefix, i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : -errno;
	}
	return -EEXIST;
}

void browse_save(const char *prefix, const struct strbuf *text, struct strbuf *said)
{
	char name[64];
	int fd = new_file(prefix, name, sizeof(name)), code = fd < 0 ? fd : 0;

	for (size_t at = 0; !code && at < text->len;) {
		ssize_t n = write(fd, text->buf + at, text->len - at);

		if (n < 0)
			code = -errno;
		else
			at += (size_t)n;
	}
	if (fd >= 0 && close(fd) && !code)
		code = -errno;
	if (code)
		strbuf_addf(said, "%s could not be written: %s", name, err_str(code));
	else
		strbuf_addf(said, "Written to %s", name);
}

char *browse_command(int argc, const char *const *argv)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_addstr(&out, "perf");
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--tui") || !strcmp(argv[i], "--stdio"))
			continue;
		strbuf_addch(&out, ' ');
		quote_shell(&out, argv[i]);
	}
	return strbuf_detach(&out);
}

/* ---- recordings ---- */

/* Tell by its first bytes whether a file is a recording, in either byte order. */
static bool is_recording(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[8] = "";
	ssize_t n = fd < 0 ? 0 : read(fd, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return n == sizeof(magic) &&
	       (!memcmp(magic, "PERFILE2", n) || !memcmp(magic, "2ELIFREP", n));
}

static int name_cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **browse_recordings(size_t *nr)
{
	DIR *dir = opendir(".");
	char **names = NULL;
	struct dirent *d;
	size_t cap = 0;

	for (*nr = 0; dir && (d = readdir(dir));) {
		if (d->d_name[0] == '.' || !is_recording(d->d_name))
			continue;
		VEC_GROW(names, *nr + 1, cap);
		names[(*nr)++] = xstrdup(d->d_name);
	}
	if (dir)
		closedir(dir);
	if (*nr)
		qsort(names, *nr, sizeof(*names), name_cmp);
	return names;
}
