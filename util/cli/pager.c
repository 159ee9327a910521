// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *installed_pager(void)
{
	static const char *const paths[] = { "/usr/bin/pager", "/usr/bin/less", "/bin/less",
					     "/usr/bin/more", "/bin/more" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++)
		if (!access(paths[i], X_OK))
			return paths[i];
	return NULL;
}

const char *pager_command(const char *configured)
{
	const char *cmd = getenv("PERF_PAGER");

	if (!cmd)
		cmd = configured;
	if (!cmd)
		cmd = getenv("PAGER");
	if (!cmd)
		cmd = installed_pager();
	return cmd && *cmd && strcmp(cmd, "cat") ? cmd : NULL;
}

static void __attribute__((noreturn)) be_pager(const char *command, int in)
{
	const char *argv[] = { "sh", "-c", command, NULL };

	if (in != STDIN_FILENO) {
		dup2(in, STDIN_FILENO);
		close(in);
	}
	if (!getenv("LESS"))
		setenv("LESS", "FRSX", 0);
	execv("/bin/sh", (char *const *)argv);
	_exit(127);
}

int pager_start(struct pager *p, const char *command, struct err *err)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return err_set(err, -errno, "cannot start the pager: %s", err_str(-errno));
	pid = fork();
	if (pid < 0) {
		int r = err_set(err, -errno, "cannot start the pager: %s", err_str(-errno));

		close(fds[0]);
		close(fds[1]);
		return r;
	}
	if (!pid)
		be_pager(command, fds[0]);
	close(fds[0]);
	p->pid = pid;
	p->out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	p->err_fd = isatty(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
	dup2(fds[1], STDOUT_FILENO);
	if (p->err_fd >= 0)
		dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	return 0;
}

void pager_stop(struct pager *p)
{
	pid_t pid = p->pid;

	if (!pid)
		return;
	p->pid = 0;
	if (p->out_fd >= 0) {
		dup2(p->out_fd, STDOUT_FILENO);
		close(p->out_fd);
	} else {
		close(STDOUT_FILENO);
	}
	if (p->err_fd >= 0) {
		dup2(p->err_fd, STDERR_FILENO);
		close(p->err_fd);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
