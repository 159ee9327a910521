// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int attach(int fd, const struct sockaddr_un *a, bool listens)
{
	mode_t mask;
	int rc;

	if (!listens)
		return connect(fd, (const struct sockaddr *)a, sizeof(*a)) ? -errno : 0;
	mask = umask(0177);
	rc = bind(fd, (const struct sockaddr *)a, sizeof(*a)) || listen(fd, 8) ? -errno : 0;
	umask(mask);
	return rc;
}

int daemon_socket(const char *base, bool listens)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int dir = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC), fd, rc;

	if (dir < 0)
		return -errno;
	snprintf(a.sun_path, sizeof(a.sun_path), "/proc/self/fd/%d/control", dir);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = fd < 0 ? -errno : attach(fd, &a, listens);
	if (rc && fd >= 0)
		close(fd);
	close(dir);
	return rc ? rc : fd;
}

static int send_all(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int read_all(int fd, struct strbuf *out)
{
	char text[4096];
	ssize_t n;

	while ((n = read(fd, text, sizeof(text))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		strbuf_add(out, text, (size_t)n);
	}
	return 0;
}

/* Send the request, and take the status and the text of the answer. */
static int talk(int fd, const char *line, size_t len, struct strbuf *out)
{
	struct strbuf answer = STRBUF_INIT;
	int rc = send_all(fd, line, len);
	long status = -1;
	char *end;

	rc = rc ?: read_all(fd, &answer);
	if (!rc) {
		status = strtol(strbuf_str(&answer), &end, 10);
		if (*end != '\n' || status < 0 || status > 255)
			rc = -EPROTO;
		else
			strbuf_addstr(out, end + 1);
	}
	strbuf_release(&answer);
	return rc ? rc : (int)status;
}

int daemon_ask(const char *base, const struct daemon_request *r, struct strbuf *out,
	       struct err *err)
{
	struct strbuf line = STRBUF_INIT;
	int fd, rc;

	if (request_put(r, &line)) {
		strbuf_release(&line);
		return err_set(err, -EINVAL, "a name or separator has a tab or a newline");
	}
	fd = daemon_socket(base, false);
	if (fd == -ENOENT || fd == -ECONNREFUSED)
		rc = err_set(err, fd,
			     "no perf daemon runs on %s; perf daemon start --base %s starts one",
			     base, base);
	else if (fd < 0)
		rc = err_set(err, fd, "cannot connect to the daemon on %s: %s", base, err_str(fd));
	else
		rc = talk(fd, strbuf_str(&line), line.len, out);
	if (fd >= 0) {
		if (rc < 0)
			err_set(err, rc, "the daemon on %s gave no answer: %s", base, err_str(rc));
		close(fd);
	}
	strbuf_release(&line);
	return rc;
}
