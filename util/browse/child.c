// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define PERF_ITSELF "/proc/self/exe"

/* Start perf with no signal blocked or caught, and with its output in @out; -1: as ours. Return:
 * the process, or -1. */
static pid_t start(const char *const *argv, int out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	if (out >= 0) {
		posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
		posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
	}
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attr, &none);
	if (posix_spawn(&pid, PERF_ITSELF, &files, &attr, (char *const *)argv, environ))
		pid = -1;
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int browse_child(struct ui *ui, const char *const *argv)
{
	int status;

	term_lend(ui->term, true);
	status = status_of(start(argv, -1));
	term_lend(ui->term, false);
	return status;
}

int browse_output(const char *const *argv, struct strbuf *out)
{
	char buf[4096];
	int fds[2];
	ssize_t n;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	pid = start(argv, fds[1]);
	close(fds[1]);
	while ((n = read(fds[0], buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		strbuf_add(out, buf, n > 0 ? (size_t)n : 0);
	close(fds[0]);
	return status_of(pid);
}
