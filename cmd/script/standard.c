// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/script/standard.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"

#include "base/alloc.h"
#include "script/standard.h"

#include <errno.h>
#include <unistd.h>

char *standard_folder(void)
{
	char *here = program_folder();
	char *scripts = xasprintf("%s/scripts/python", here);
	bool use = !getenv("PERF_EXEC_PATH") && !access(scripts, R_OK);

	free(scripts);
	if (use)
		return here;
	free(here);
	return xstrdup(exec_path());
}

int standard_print(void)
{
	char *folder = standard_folder();
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc = standard_list(folder, &text, &err);

	print_text(&text);
	free(folder);
	return rc ? error_err(&err), EXIT_FAILED : EXIT_OK;
}

/* Have shell scripts find this perf as "perf", and the scripts. */
static void set_environment(const char *folder)
{
	char *here = program_folder();
	const char *others = getenv("PATH");
	char *search = xasprintf("%s:%s", here, others ? others : "/usr/bin:/bin");

	setenv("PATH", search, 1);
	setenv("PERF_EXEC_PATH", folder, 1);
	free(search);
	free(here);
}

/* Run a command in place of this program. */
static int become(const struct standard_command *c)
{
	execv(c->v[0], (char **)c->v);
	error("cannot run %s: %s", c->path, err_str(-errno));
	return EXIT_FAILED;
}

/* Become the command that reports, whose input another process records. */
static int run_live(const struct standard_plan *p)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return error("cannot make a pipe: %s", err_str(-errno)), EXIT_FAILED;
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return error("cannot fork: %s", err_str(-errno)), EXIT_FAILED;
	dup2(ends[!pid], pid ? STDIN_FILENO : STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	if (!pid)
		_exit(become(&p->record));
	return become(&p->report);
}

/* Tell whether the words behind "record" are those of perf record: no script has the name of an
 * option, and what is no script may be the program to record. */
static bool is_plain_record(int argc, const char **argv)
{
	return !strcmp(argv[0], "record") &&
	       (argc > 1 && (argv[1][0] == '-' || program_exists(NULL, NULL, argv[1])));
}

static int run_plain_record(int argc, const char **argv)
{
	struct verb_args a;

	verb_args_init(&a, "record");
	for (int i = 1; i < argc; i++)
		verb_args_add(&a, argv[i]);
	return run_verb(&a);
}

bool standard_run(int argc, const char **argv, const char *input, int *status)
{
	char *folder = standard_folder();
	struct standard_plan plan;
	struct err err = { 0 };
	int rc = standard_plan(folder, argc, argv, input, &plan, &err);
	bool there = rc || plan.record.v || plan.report.v;

	if (rc == -ENOENT && is_plain_record(argc, argv)) {
		*status = run_plain_record(argc, argv);
	} else if (rc) {
		error_err(&err);
		*status = rc == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
	} else if (there) {
		set_environment(folder);
		*status = plan.record.v && plan.report.v ? run_live(&plan)
			  : plan.record.v                ? become(&plan.record)
							 : become(&plan.report);
	}
	standard_plan_release(&plan);
	free(folder);
	return there;
}
