// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "gunzip.h"

#include <sys/wait.h>
#include <unistd.h>

bool gunzip(const struct strbuf *sb, struct strbuf *out)
{
	char path[] = "/tmp/test-gunzip.XXXXXX", buf[4096];
	int fd = mkstemp(path), pipes[2], status;
	ssize_t n;
	pid_t pid;

	if (fd < 0 || unlink(path) || pipe(pipes))
		return false;
	n = write(fd, sb->buf, sb->len);
	lseek(fd, 0, SEEK_SET);
	pid = n == (ssize_t)sb->len ? fork() : -1;
	if (!pid) {
		dup2(fd, STDIN_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		execlp("gzip", "gzip", "-dc", NULL);
		_exit(1);
	}
	close(pipes[1]);
	while ((n = read(pipes[0], buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(pipes[0]);
	close(fd);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}
