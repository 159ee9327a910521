// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/script/standard.h"

#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#define RECORD "-record"
#define REPORT "-report"
#define NAME_MAX_SHOWN 36

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

/* ---- what a script says of itself ---- */

struct about {
	char *args, *description; /* owned; "" when there is none */
};

static void take_comment(const char *line, const char *what, char **text)
{
	const char *found = strstr(line, what);

	if (*line != '#' || !found)
		return;
	found += strlen(what);
	found += strspn(found, " ");
	free(*text);
	*text = xasprintf("%.*s", (int)strcspn(found, "\n"), found);
}

/* @path: of the shell script that reports. The caller releases it. */
static struct about about_script(const char *path)
{
	struct about about = { xstrdup(""), xstrdup("") };
	FILE *f = fopen(path, "re");
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		take_comment(line, "args:", &about.args);
		take_comment(line, "description:", &about.description);
	}
	if (f)
		fclose(f);
	return about;
}

static void about_release(struct about *about)
{
	free(about->args);
	free(about->description);
}

/* ---- the list ---- */

static int is_report(const struct dirent *d)
{
	size_t len = strlen(d->d_name), end = strlen(REPORT);

	return len > end && !strcmp(d->d_name + len - end, REPORT);
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void list_script(const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);
	struct about about = about_script(path);
	char *name = xasprintf("%.*s%s%s", (int)(strlen(file) - strlen(REPORT)), file,
			       *about.args ? " " : "", about.args);

	printf("  %-*s %s\n", NAME_MAX_SHOWN, name, about.description);
	free(name);
	about_release(&about);
	free(path);
}

/* List the scripts of a language. */
static void list_folder(const char *folder)
{
	struct dirent **found;
	int nr = scandir(folder, &found, is_report, alphasort);

	for (int i = 0; i < nr; i++) {
		list_script(folder, found[i]->d_name);
		free(found[i]);
	}
	if (nr >= 0)
		free(found);
}

int standard_list(void)
{
	char *folder = standard_folder();
	char *scripts = xasprintf("%s/scripts", folder);
	struct dirent **languages;
	int nr = scandir(scripts, &languages, is_visible, alphasort);

	if (nr < 0)
		error("cannot read %s: %s\nCheck \"PERF_EXEC_PATH\", which is the folder of scripts.",
		      scripts, err_str(-errno));
	else
		printf("List of available trace scripts:\n");
	for (int i = 0; i < nr; i++) {
		char *bin = xasprintf("%s/%s/bin", scripts, languages[i]->d_name);

		list_folder(bin);
		free(bin);
		free(languages[i]);
	}
	if (nr >= 0)
		free(languages);
	free(scripts);
	free(folder);
	return nr < 0 ? EXIT_FAILED : EXIT_OK;
}

/* ---- running ---- */

/* Return the path of a shell script, or NULL. The caller frees. */
static char *find(const char *folder, const char *name, const char *kind)
{
	static const char *const languages[] = { "python", "perl" };

	for (size_t i = 0; i < ARRAY_SIZE(languages) && !strchr(name, '/'); i++) {
		char *path = xasprintf("%s/scripts/%s/bin/%s%s", folder, languages[i], name, kind);

		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* The words of a command. */
struct words {
	const char **v;
	size_t nr, cap;
};

static void add(struct words *w, const char *word)
{
	VEC_GROW(w->v, w->nr + 1, w->cap);
	w->v[w->nr++] = word;
}

static void add_all(struct words *w, const char **words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(w, words[i]);
}

/* Run a shell script in place of this program. It finds this perf as "perf", and the scripts. */
static int become(const char *folder, const char *path, struct words *arguments)
{
	char *here = program_folder();
	const char *others = getenv("PATH");
	char *search = xasprintf("%s:%s", here, others ? others : "/usr/bin:/bin");
	struct words all = { 0 };

	setenv("PATH", search, 1);
	setenv("PERF_EXEC_PATH", folder, 1);
	add(&all, "/bin/sh");
	add(&all, path);
	add_all(&all, arguments->v, arguments->nr);
	add(&all, NULL);
	execv(all.v[0], (char **)all.v);
	error("cannot run %s: %s", path, err_str(-errno));
	free(all.v);
	free(search);
	free(here);
	return EXIT_FAILED;
}

static int record(const char *folder, const char *path, const char **argv, size_t nr)
{
	struct words w = { 0 };
	int status;

	add_all(&w, argv, nr);
	status = become(folder, path, &w);
	free(w.v);
	return status;
}

static int report(const char *folder, const char *path, const char *input, const char **argv,
		  size_t nr)
{
	struct words w = { 0 };
	int status;

	if (input) {
		add(&w, "-i");
		add(&w, input);
	}
	add_all(&w, argv, nr);
	status = become(folder, path, &w);
	free(w.v);
	return status;
}

/* A live script: the records go through a pipe to it. */
struct live {
	const char *folder;
	char *record, *report; /* paths, owned */
	const char **argv;
	size_t nr, own; /* the first words are the script's */
};

static int run_live(const struct live *l)
{
	struct words w = { 0 };
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		return error("cannot make a pipe: %s", err_str(-errno)), EXIT_FAILED;
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return error("cannot fork: %s", err_str(-errno)), EXIT_FAILED;
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		add(&w, "-q");
		add(&w, "-o");
		add(&w, "-");
		add_all(&w, l->argv + l->own, l->nr - l->own);
		status = become(l->folder, l->record, &w);
		free(w.v);
		_exit(status);
	}
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	return report(l->folder, l->report, "-", l->argv, l->own);
}

/* Return how many of the words behind its name are the script's and not the recorder's: those that
 * it cannot do without, and all of scripts that show the whole system at work, as top does. */
static size_t own_words(const char *name, const struct about *about)
{
	size_t nr = 0;

	if (strstr(name, "top"))
		return SIZE_MAX;
	for (const char *p = about->args; (p = strchr(p, '<')); p++)
		nr++;
	return nr;
}

static int live(const char *folder, char *path, const char **argv, size_t nr)
{
	struct about about = about_script(path);
	size_t own = own_words(argv[0], &about);
	struct live l = { folder, find(folder, argv[0], RECORD), path, argv + 1, nr - 1, 0 };
	int status = EXIT_USAGE;

	l.own = own == SIZE_MAX ? l.nr : own;
	if (l.own > l.nr)
		error("%s wants arguments: %s\n\n See perf script -l for available scripts and options.",
		      argv[0], about.args);
	else if (!l.record)
		error("%s has no script that records; record yourself, and then: perf script report %s",
		      argv[0], argv[0]);
	else
		status = run_live(&l);
	about_release(&about);
	free(l.record);
	return status;
}

static int missing(const char *what)
{
	error("Please specify a valid %s script (see 'perf script -l' for listing)", what);
	return EXIT_FAILED;
}

bool standard_run(int argc, const char **argv, const char *input, int *status)
{
	bool records = !strcmp(argv[0], "record"), reports = !strcmp(argv[0], "report");
	char *folder = standard_folder();
	const char *name = argv[records || reports];
	char *path = name ? find(folder, name, records ? RECORD : REPORT) : NULL;
	size_t nr = (size_t)argc;

	if (path && records)
		*status = record(folder, path, argv + 2, nr - 2);
	else if (path && reports)
		*status = report(folder, path, input, argv + 2, nr - 2);
	else if (path)
		*status = live(folder, path, argv, nr);
	else if (records || reports)
		*status = missing(argv[0]);
	free(folder);
	if (!path)
		return records || reports;
	free(path);
	return true;
}
