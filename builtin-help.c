// SPDX-License-Identifier: GPL-2.0-or-later
/* perf help: the list of commands, or the man page of one. */
#include "base/compat.h"

#include "builtin.h"
#include "perf.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "cli/exec.h"

#include "perf-paths.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const help_usage[] = { "perf help [--all] [--man] [command]", NULL };

static void print_names(const struct names *n, const char *title, const char *where)
{
	struct strbuf head = STRBUF_INIT;
	size_t i, longest = 0;
	unsigned int per_line, col = 0;

	if (!n->nr)
		return;
	strbuf_addf(&head, "%s%s", title, where);
	printf("%s\n", strbuf_str(&head));
	for (i = 0; i < head.len; i++)
		putchar('-');
	strbuf_release(&head);
	putchar('\n');
	for (i = 0; i < n->nr; i++)
		longest = MAX(longest, strlen(n->v[i]));
	per_line = MAX(1u, term_columns() / (unsigned int)(longest + 3));
	for (i = 0; i < n->nr; i++) {
		col++;
		if (col < per_line && i + 1 < n->nr) {
			printf("  %-*s", (int)longest, n->v[i]);
		} else {
			printf("  %s\n", n->v[i]);
			col = 0;
		}
	}
	putchar('\n');
}

/* perf help -a: the commands, and the programs that are commands. */
static int help_all(void)
{
	struct names here = { 0 }, elsewhere = { 0 };
	char *where = xasprintf("'%s'", exec_path());

	list_commands();
	exec_list_dir(&here, exec_path());
	exec_list_path(&elsewhere, exec_path());
	names_sort(&here);
	names_sort(&elsewhere);
	print_names(&here, "available perf commands in ", where);
	print_names(&elsewhere, "perf commands available from elsewhere on your $PATH", "");
	names_release(&here);
	names_release(&elsewhere);
	free(where);
	return 0;
}

/* Become the viewer of manual pages. Returns only if there is none to run. */
static void become_man(const char *page)
{
	const char *viewer = config_get(perf_config(), "man.viewer");
	char *key = xasprintf("man.%s.cmd", viewer ? viewer : "man"), *line;
	const char *cmd = config_get(perf_config(), key);

	if (cmd) {
		line = xasprintf("%s '%s'", cmd, page);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		free(line);
	} else {
		execlp(viewer ? viewer : "man", viewer ? viewer : "man", page, (char *)NULL);
	}
	free(key);
}

/* Show a page. Return: the viewer's exit status; 127 when there is none. */
static int run_man(const char *page)
{
	int status;
	pid_t pid;

	perf_config(); /* what is wrong with it is told once */
	fflush(NULL);
	pid = fork();
	if (!pid) {
		become_man(page);
		fprintf(stderr, "cannot run man: %s\n", err_str(-errno));
		fflush(stderr);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A word that can go into a shell command and a file name. */
static bool is_plain(const char *s)
{
	return *s &&
	       s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.")] ==
		       0;
}

static int show_page(const char *name)
{
	char *page = !strcmp(name, "perf") || !strncmp(name, "perf-", 5)
			     ? xstrdup(name)
			     : xasprintf("perf-%s", name);
	const struct command *c = find_command(name);
	char *file;
	int status;

	if (!is_plain(name)) {
		fprintf(stderr, "No manual entry for %s\n", page);
		free(page);
		return 16;
	}
	file = man_page_path(page, PERF_MAN_PATH "/man1");
	status = run_man(file ? file : page);
	if (status == 127 && c)
		fprintf(stderr, "Install man-db for the page of perf %s; ", name);
	else if (status && c && !file)
		fprintf(stderr, "The page of perf %s is not installed: 'make install' does it; ",
			name);
	if (status && c && (!file || status == 127))
		fprintf(stderr, "'perf %s -h' lists its options.\n", name);
	free(file);
	free(page);
	return status == 127 ? 1 : status;
}

int cmd_help(int argc, const char **argv)
{
	bool all = false, man = false;
	const struct option options[] = {
		OPT_BOOLEAN('a', "all", &all, "print all available commands"),
		OPT_BOOLEAN('m', "man", &man, "show man page"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, help_usage, 0);
	if (all)
		return help_all();
	if (argc)
		return show_page(argv[0]);
	if (man)
		return show_page("perf");
	list_commands();
	return 0;
}
