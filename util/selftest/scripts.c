// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "selftest/scripts.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_AT 10 /* lines of a script, in which it says what it tests */

struct script_suite {
	struct test_suite suite;
	struct test_case c;
	char *name, *path; /* owned */
};

/* Return the text of a line "# TEXT", without control bytes; NULL: it says nothing. */
static char *comment_of(const char *line)
{
	const char *text = line + 1 + strspn(line + 1, " \t#");
	size_t len = strcspn(text, "\n");
	char *out;

	if (line[0] != '#' || line[1] == '!' || !len || strstr(text, "SPDX-License-Identifier"))
		return NULL;
	out = xstrndup(text, len);
	for (char *c = out; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return out;
}

/* Return what a script says that it tests, or else its name. */
static char *name_of(const char *path, const char *file)
{
	FILE *f = fopen(path, "re");
	char line[256], *name = NULL;

	for (int i = 0; f && !name && i < LOOK_AT && fgets(line, sizeof(line), f); i++)
		name = comment_of(line);
	if (f)
		fclose(f);
	return name ? name : xstrdup(file);
}

static int scripts_only(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 3 && !strcmp(d->d_name + len - 3, ".sh");
}

static struct test_suite *script_suite(const char *dir, const char *file)
{
	char *path = xasprintf("%s/%s", dir, file);
	struct script_suite *s;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, X_OK)) {
		free(path);
		return NULL;
	}
	s = xzalloc(sizeof(*s));
	s->path = path;
	s->name = name_of(path, file);
	s->c = (struct test_case){ .name = s->name, .script = path };
	s->suite = (struct test_suite){ .name = s->name, .cases = &s->c, .nr_cases = 1 };
	return &s->suite;
}

void test_suites_init(struct test_suites *s, const struct test_suite *const *built, size_t nr,
		      const char *dir)
{
	struct dirent **files;
	int found = scandir(dir, &files, scripts_only, versionsort);

	*s = (struct test_suites){ .nr = nr, .nr_built = nr };
	s->v = xcalloc(nr + (size_t)MAX(found, 0) + 1, sizeof(*s->v));
	for (size_t i = 0; i < nr; i++)
		s->v[i] = built[i];
	for (int i = 0; i < found; i++) {
		struct test_suite *script = script_suite(dir, files[i]->d_name);

		if (script)
			s->v[s->nr++] = script;
		free(files[i]);
	}
	if (found >= 0)
		free(files);
}

void test_suites_release(struct test_suites *s)
{
	for (size_t i = s->nr_built; i < s->nr; i++) {
		const struct script_suite *script =
			container_of(s->v[i], const struct script_suite, suite);

		free(script->name);
		free(script->path);
		free((void *)(uintptr_t)script);
	}
	free(s->v);
	*s = (struct test_suites){ 0 };
}
