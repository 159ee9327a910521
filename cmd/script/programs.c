// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/script/programs.h"
#include "cmd/script/standard.h"

#include "cmd/common/message.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define EXIT_NO_LANGUAGE 254 /* perf's -2 */

int parse_filter_arg(const struct option *opt, const char *arg, int unset)
{
	struct programs *p = opt->value;

	VEC_GROW(p->filter_args, p->nr_filter_args + 1, p->cap_filter_args);
	p->filter_args[p->nr_filter_args++] = xstrdup(arg);
	return 0;
}

/* ---- lists and checks ---- */

static void list_filters(bool verbose)
{
	char *folder = xasprintf("%s/dlfilters", exec_path());
	struct strbuf sb = STRBUF_INIT;

	dlfilter_list(folder, verbose, &sb);
	print_text(&sb);
	free(folder);
}

static void list_languages(void)
{
	struct strbuf sb = STRBUF_INIT;

	script_language_list(&sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

bool programs_list(const struct programs *p, bool verbose)
{
	if (p->list_filters)
		list_filters(verbose);
	else if (p->script && !strcmp(p->script, "lang"))
		list_languages();
	else
		return false;
	return true;
}

int programs_check(struct programs *p, const char *const usage[], const struct option *options)
{
	struct err err = { 0 };
	char *file = NULL;

	if (p->generate) {
		const struct script_language *l = script_language_to_generate(p->generate, &file);

		free(file);
		if (!l) {
			fprintf(stderr,
				"invalid language specifier %s: perf script -s lang lists them\n",
				p->generate);
			return EXIT_NO_LANGUAGE;
		}
	}
	if (!p->script)
		return 0;
	p->language = script_language_of(p->script, &p->loaded.start.file, &err);
	if (!p->language) {
		const struct refusal unknown = { true, err.msg, { "script" }, .status = EXIT_USAGE };

		return refusal_find(&unknown, 1, usage, options);
	}
	if (access(p->loaded.start.file, R_OK)) {
		fprintf(stderr, "Can't open %s script \"%s\": %s\n", p->language->name,
			p->loaded.start.file, strerror(errno));
		return EXIT_FAILED;
	}
	return 0;
}

/* ---- loading ---- */

static int load_filter(struct programs *p)
{
	char *folder = xasprintf("%s/dlfilters", exec_path());
	struct err err = { 0 };

	p->loaded.filter =
		dlfilter_open(p->filter, folder, p->filter_args, (int)p->nr_filter_args, &err);
	free(folder);
	return p->loaded.filter ? 0 : error_err(&err);
}

static const char *setting(const char *key)
{
	return config_get(perf_config(), key);
}

/* A perf in its build folder has engines and modules beside it. */
static int load_engine(struct programs *p, int nr_args, const char **args)
{
	char *here = program_folder();
	char *installed = xasprintf("%s/../lib/perf", here);
	const char *folders[] = { here, installed, lib_path(), NULL };
	struct err err = { 0 };

	p->exec_path = standard_folder();
	setenv("PERF_EXEC_PATH", p->exec_path, 1);
	p->loaded.start.args = args;
	p->loaded.start.nr_args = nr_args;
	p->loaded.start.setting = setting;
	p->loaded.engine = script_engine_load(p->language, folders, &err);
	free(installed);
	free(here);
	return p->loaded.engine ? 0 : error_err(&err);
}

int programs_load(struct programs *p, int nr_args, const char **args)
{
	if (p->filter && load_filter(p))
		return EXIT_FAILED;
	return p->script && load_engine(p, nr_args, args) ? EXIT_FAILED : 0;
}

void programs_release(struct programs *p)
{
	while (p->nr_filter_args)
		free(p->filter_args[--p->nr_filter_args]);
	free(p->filter_args);
	free(p->exec_path);
}

/* ---- generated scripts ---- */

/* Write a file that only its owner can change. Return: 0, or negative errno. */
static int write_file(const char *path, const struct strbuf *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ssize_t n = fd < 0 ? -1 : write(fd, strbuf_str(text), text->len);
	int ret = n < 0 ? -errno : (size_t)n < text->len ? -ENOSPC : 0;

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret;
}

int programs_generate(const struct programs *p, struct recording *r)
{
	const struct env *env = &r->session.file->env;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	const struct script_language *l;
	char *file = NULL;
	int ret = recording_read_header(r, &err);

	if (ret) {
		error_err(&err);
		return EXIT_FAILED;
	}
	formats_take(&r->formats, &r->session.evlist, env, false, &stderr_notices);
	l = script_language_to_generate(p->generate, &file);
	l->generate(r->formats.tracefmt, &text);
	ret = write_file(file, &text);
	if (ret)
		error("cannot write %s: %s", file, err_str(ret));
	else
		fprintf(stderr, "generated %s script: %s\n", l->name, file);
	free(file);
	strbuf_release(&text);
	return ret ? EXIT_FAILED : EXIT_OK;
}
