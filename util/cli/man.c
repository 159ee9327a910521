// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cli/man.h"

#include "base/alloc.h"
#include "cli/config.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

char *man_page_of(const char *command)
{
	if (!strcmp(command, "perf") || !strncmp(command, "perf-", 5))
		return xstrdup(command);
	return xasprintf("perf-%s", command);
}

bool man_page_is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_+.";

	return *word && !word[strspn(word, plain)];
}

/* Return @dir/@page.1, plain or compressed, if it exists. */
static char *page_in(const char *dir, const char *page)
{
	static const char *const ends[] = { "", ".gz" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		char *path = xasprintf("%s/%s.1%s", dir, page, ends[i]);

		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

char *man_page_path(const char *page, const char *man_dir)
{
	static const char *const below[] = { "/man", "/../share/man/man1" };
	char self[PATH_MAX], dir[PATH_MAX + 32], *found = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (strchr(page, '/'))
		return NULL;
	for (i = 0; n > 0 && !found && i < ARRAY_SIZE(below); i++) {
		self[n] = 0;
		snprintf(dir, sizeof(dir), "%.*s%s", (int)(strrchr(self, '/') - self), self,
			 below[i]);
		found = page_in(dir, page);
	}
	return found ? found : page_in(man_dir, page);
}

/* Start the viewer. Return: 0, or negative errno. */
static int start_viewer(const struct config *config, const char *page, pid_t *pid)
{
	const char *viewer = config_get(config, "man.viewer");
	char *key = xasprintf("man.%s.cmd", viewer ? viewer : "man");
	const char *cmd = config_get(config, key);
	char *line = cmd ? xasprintf("%s '%s'", cmd, page) : NULL;
	const char *by_shell[] = { "sh", "-c", line, NULL };
	const char *by_name[] = { viewer ? viewer : "man", page, NULL };
	const char *const *args = cmd ? by_shell : by_name;
	int ret = posix_spawnp(pid, args[0], NULL, NULL, (char *const *)args, environ);

	free(line);
	free(key);
	return -ret;
}

int man_show(const struct config *config, const char *page, struct err *err)
{
	int status = 0, ret;
	pid_t pid;

	ret = start_viewer(config, page, &pid);
	if (ret) {
		err_set(err, ret, "cannot run man: %s", err_str(ret));
		return 127;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
