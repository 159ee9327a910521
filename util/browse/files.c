// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/files.h"

#include "base/err.h"
#include "codec/quote.h"

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

char *browse_command(int argc, const char **argv)
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
