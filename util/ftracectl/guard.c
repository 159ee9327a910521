// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracectl/guard.h"

#include "ftracectl/put-internal.h"

#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RMDIR_TRIES 100 /* ten milliseconds each: children may have files open for a moment */

int file_put(const char *path, int flags, const char *text)
{
	size_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags), rc = 0;

	if (fd < 0)
		return -errno;
	/* Some files of tracefs take one word with each call. */
	while (len && !rc) {
		const ssize_t n = write(fd, text, len);

		if (n > 0) {
			text += n;
			len -= n;
		} else if (n == 0 || errno != EINTR) {
			rc = n ? -errno : -EINVAL;
		}
	}
	close(fd);
	return rc;
}

static int remove_folder(const char *path)
{
	const struct timespec pause = { 0, 10000000 };

	for (int i = 0; i < RMDIR_TRIES; i++) {
		if (!rmdir(path) || errno == ENOENT)
			return 0;
		nanosleep(&pause, NULL);
	}
	return -EBUSY;
}

/* A change is three strings: what to do, the file, the text. */
static int undo(const char *what)
{
	const char *path = what + 2, *text = path + strlen(path) + 1;

	if (what[0] == GUARD_RMDIR)
		return remove_folder(path);
	return file_put(path, what[0] == GUARD_WRITE ? O_TRUNC : O_APPEND, text);
}

/* Undo the changes from @at on, but first those behind it. */
static int undo_all(const struct strbuf *told)
{
	size_t end = told->len, begin;
	int rc = 0;

	/* Each change ends with the empty string of its separator, see guard_tell(). */
	while (end) {
		for (begin = end - 2; begin && told->buf[begin - 1] != 1; begin--)
			;
		rc |= undo(told->buf + begin);
		end = begin;
	}
	return rc;
}

static __attribute__((noreturn)) void watch(int fd)
{
	struct strbuf told = STRBUF_INIT;
	char buf[4096];
	ssize_t n;

	/* The guard has to outlive what ends the command: signals of the terminal, and those that
	 * are sent to all processes of that name. */
	setsid();
	prctl(PR_SET_NAME, "perf-guard");
	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGCHLD)
			signal(sig, SIG_IGN);
	do {
		n = read(fd, buf, sizeof(buf));
		if (n > 0)
			strbuf_add(&told, buf, (size_t)n);
	} while (n > 0 || (n < 0 && errno == EINTR));
	_exit(undo_all(&told) ? 1 : 0);
}

/* Close the files that the process has inherited, so that nobody waits for their end. */
static void close_others(int keep)
{
	const long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, keep + 1, ~0u, 0) &&
	    (!keep || !syscall(SYS_close_range, 0, keep - 1, 0)))
		return;
#endif
	for (int fd = 0; fd < (most > 0 && most < 65536 ? (int)most : 65536); fd++)
		if (fd != keep)
			close(fd);
}

int guard_start(struct guard *g, struct err *err)
{
	int fds[2];

	*g = (struct guard){ .pipe = -1 };
	if (pipe2(fds, O_CLOEXEC))
		return err_set(err, -errno, "cannot make a pipe: %s", err_str(-errno));
	g->pid = fork();
	if (g->pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return err_set(err, -errno, "cannot start a process: %s", err_str(-errno));
	}
	if (!g->pid) {
		close_others(fds[0]);
		watch(fds[0]);
	}
	close(fds[0]);
	g->pipe = fds[1];
	return 0;
}

int guard_tell(struct guard *g, enum guard_undo what, const char *path, const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = 0;

	strbuf_addch(&sb, what);
	strbuf_addch(&sb, '\0');
	strbuf_add(&sb, path, strlen(path) + 1);
	strbuf_add(&sb, text, strlen(text) + 1);
	strbuf_addch(&sb, 1);
	if (write(g->pipe, sb.buf, sb.len) != (ssize_t)sb.len)
		rc = -EPIPE;
	strbuf_release(&sb);
	return rc;
}

int guard_end(struct guard *g)
{
	int status = 0;

	if (g->pipe < 0)
		return 0;
	close(g->pipe);
	g->pipe = -1;
	while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? -EBUSY : 0;
}
