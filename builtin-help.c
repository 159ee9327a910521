// SPDX-License-Identifier: GPL-2.0-or-later
/* perf help: the list of commands, or the man page of one. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/pager.h"
#include "cmd/common/message.h"
#include "cmd/common/usage.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "cli/exec.h"
#include "cli/man.h"

#include "perf-paths.h"

static const char *const help_usage[] = { "perf help [--all] [--man] [command]", NULL };

/* Print what perf help -a shows: the commands, and the programs that are commands. */
static int help_all(void)
{
	struct names here = { 0 }, elsewhere = { 0 };
	char *title = xasprintf("available perf commands in '%s'", exec_path());
	struct strbuf text = STRBUF_INIT;

	list_commands();
	exec_list_dir(&here, exec_path());
	exec_list_path(&elsewhere, exec_path());
	names_sort(&here);
	names_sort(&elsewhere);
	names_table(&here, title, term_columns(), &text);
	names_table(&elsewhere, "perf commands available from elsewhere on your $PATH",
		    term_columns(), &text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	names_release(&here);
	names_release(&elsewhere);
	free(title);
	return 0;
}

static int show_page(const char *name)
{
	char *page = man_page_of(name), *file;
	const struct command *c = find_command(name);
	struct err err = { 0 };
	int status;

	if (!man_page_is_plain(name)) {
		fprintf(stderr, "No manual entry for %s\n", page);
		free(page);
		return 16;
	}
	file = man_page_path(page, PERF_MAN_PATH "/man1");
	status = man_show(perf_config(), file ? file : page, &err);
	if (err.code)
		error_err(&err);
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
