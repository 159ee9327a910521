// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "script/standard.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#define RECORD "-record"
#define REPORT "-report"
#define NAME_MAX_SHOWN 36

/* ---- comments of scripts ---- */

/* A script says this of itself. */
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

/* @path: of the shell script that reports. about_release() frees the result. */
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

static void list_script(const char *folder, const char *file, struct strbuf *out)
{
	char *path = xasprintf("%s/%s", folder, file);
	struct about about = about_script(path);
	char *name = xasprintf("%.*s%s%s", (int)(strlen(file) - strlen(REPORT)), file,
			       *about.args ? " " : "", about.args);

	strbuf_addf(out, "  %-*s %s\n", NAME_MAX_SHOWN, name, about.description);
	free(name);
	about_release(&about);
	free(path);
}

/* List the scripts of a language. */
static void list_folder(const char *folder, struct strbuf *out)
{
	struct dirent **found;
	int nr = scandir(folder, &found, is_report, alphasort);

	for (int i = 0; i < nr; i++) {
		list_script(folder, found[i]->d_name, out);
		free(found[i]);
	}
	if (nr >= 0)
		free(found);
}

int standard_list(const char *folder, struct strbuf *out, struct err *err)
{
	char *scripts = xasprintf("%s/scripts", folder);
	struct dirent **languages;
	int nr = scandir(scripts, &languages, is_visible, alphasort);
	int code = errno;

	if (nr < 0)
		err_set(err, -code,
			"cannot read %s: %s\nCheck \"PERF_EXEC_PATH\", which is the folder of scripts.",
			scripts, err_str(-code));
	else
		strbuf_addstr(out, "List of available trace scripts:\n");
	for (int i = 0; i < nr; i++) {
		char *bin = xasprintf("%s/%s/bin", scripts, languages[i]->d_name);

		list_folder(bin, out);
		free(bin);
		free(languages[i]);
	}
	if (nr >= 0)
		free(languages);
	free(scripts);
	return nr < 0 ? err->code : 0;
}

/* ---- plans ---- */

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

static void add(struct standard_command *c, const char *word)
{
	VEC_GROW(c->v, c->nr + 2, c->cap);
	c->v[c->nr++] = word;
	c->v[c->nr] = NULL;
}

static void add_all(struct standard_command *c, const char **words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(c, words[i]);
}

/* Begin a command with a script, whose path it owns from here on. */
static void begin(struct standard_command *c, char *path)
{
	c->path = path;
	add(c, "/bin/sh");
	add(c, path);
}

static void begin_report(struct standard_command *c, char *path, const char *input)
{
	begin(c, path);
	if (!input)
		return;
	add(c, "-i");
	add(c, input);
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

/* Plan a script at work while records come. @report: the path of the script that reports, taken;
 * @argv: the words behind its name */
static int plan_live(const char *folder, const char *name, char *report, const char **argv,
		     size_t nr, struct standard_plan *out, struct err *err)
{
	struct about about = about_script(report);
	char *record = find(folder, name, RECORD);
	size_t own = own_words(name, &about);

	own = own == SIZE_MAX ? nr : own;
	begin_report(&out->report, report, "-");
	if (own > nr) {
		err_set(err, -EINVAL,
			"%s wants arguments: %s\n\n See perf script -l for available scripts and options.",
			name, about.args);
	} else if (!record) {
		err_set(err, -EINVAL,
			"%s has no script that records; record yourself, and then: perf script report %s",
			name, name);
	} else {
		add_all(&out->report, argv, own);
		begin(&out->record, record);
		add(&out->record, "-q");
		add(&out->record, "-o");
		add(&out->record, "-");
		add_all(&out->record, argv + own, nr - own);
		record = NULL;
	}
	about_release(&about);
	free(record);
	return out->record.v ? 0 : err->code;
}

int standard_plan(const char *folder, int argc, const char **argv, const char *input,
		  struct standard_plan *out, struct err *err)
{
	bool records = !strcmp(argv[0], "record"), reports = !strcmp(argv[0], "report");
	bool verb = records || reports;
	const char *name = argv[verb];
	char *path = name ? find(folder, name, records ? RECORD : REPORT) : NULL;
	size_t nr = (size_t)argc - verb - 1;

	*out = (struct standard_plan){ .record = { .v = NULL } };
	if (!path)
		return !verb ? 0
			     : err_set(err, -ENOENT,
				       "Please specify a valid %s script (see 'perf script -l' for "
				       "listing)",
				       argv[0]);
	argv += verb + 1;
	if (!verb)
		return plan_live(folder, name, path, argv, nr, out, err);
	if (records)
		begin(&out->record, path);
	else
		begin_report(&out->report, path, input);
	add_all(records ? &out->record : &out->report, argv, nr);
	return 0;
}

void standard_plan_release(struct standard_plan *p)
{
	free(p->record.v);
	free(p->record.path);
	free(p->report.v);
	free(p->report.path);
	*p = (struct standard_plan){ .record = { .v = NULL } };
}
