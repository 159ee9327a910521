// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the language of a script, and load and call the engine that runs it. */
#include "base/compat.h"

#include "script/engine.h"

#include "base/alloc.h"
#include "base/library.h"
#include "script/generate.h"
#include "script/host.h"

#include "perf-version.h"

#include <errno.h>
#include <unistd.h>

/* ---- languages ---- */

enum { SPEC_NAME, SPEC_WORD, SPEC_EXTENSION };
static const char *const perl_specs[] = { "Perl", "perl", "pl", NULL };
static const char *const python_specs[] = { "Python", "python", "py", NULL };

static const struct script_language languages[] = {
	{
		.name = "Perl",
		.specs = perl_specs,
		.object = "script-perl.so",
		.package = "libperl and a perf that was built with it (libperl-dev; perl-devel)",
		.generate = generate_perl,
	},
	{
		.name = "Python",
		.specs = python_specs,
		.object = "script-python.so",
		.package =
			"libpython3 and a perf that was built with it (libpython3-dev; python3-devel)",
		.generate = generate_python,
	},
	{ .name = NULL },
};

const struct script_language *script_languages(void)
{
	return languages;
}

void script_language_list(struct strbuf *out)
{
	strbuf_addstr(out, "\nScripting language extensions (used in perf script -s "
			   "[spec:]script.[spec]):\n\n");
	for (const struct script_language *l = languages; l->name; l++)
		for (size_t i = 0; l->specs[i]; i++)
			strbuf_addf(out, "  %-42s [%s]\n", l->specs[i], l->name);
	strbuf_addch(out, '\n');
}

void script_language_names(struct strbuf *out)
{
	for (const struct script_language *l = languages; l->name; l++)
		strbuf_addf(out, "%s ", l->specs[SPEC_WORD]);
}

static const struct script_language *find_spec(const char *spec, size_t len)
{
	for (const struct script_language *l = languages; l->name; l++)
		for (size_t i = 0; l->specs[i]; i++)
			if (strlen(l->specs[i]) == len && !strncmp(l->specs[i], spec, len))
				return l;
	return NULL;
}

/* Return the language that the end of a file name tells, or NULL. */
static const struct script_language *find_extension(const char *file)
{
	const char *dot = strrchr(file, '.');

	for (const struct script_language *l = languages; dot && l->name; l++)
		if (!strcmp(l->specs[SPEC_EXTENSION], dot + 1))
			return l;
	return NULL;
}

const struct script_language *script_language_of(const char *spec, const char **file,
						 struct err *err)
{
	const char *colon = strchr(spec, ':');
	const struct script_language *l;

	*file = spec;
	l = colon ? find_spec(spec, (size_t)(colon - spec)) : NULL;
	if (l) {
		*file = colon + 1;
		return l;
	}
	if (colon && access(spec, F_OK)) { /* not a part of the file's name */
		err_set(err, -EINVAL, "invalid language specifier");
		return NULL;
	}
	l = find_extension(spec);
	if (!l)
		err_set(err, -EINVAL, "invalid script extension");
	return l;
}

const struct script_language *script_language_to_generate(const char *spec, char **file)
{
	const struct script_language *l = find_spec(spec, strlen(spec));

	if (l) {
		*file = xasprintf("perf-script.%s", l->specs[SPEC_EXTENSION]);
		return l;
	}
	l = find_extension(spec);
	if (l)
		*file = xstrdup(spec);
	return l;
}

/* ---- engines ---- */

struct script_engine {
	void *handle, *state;
	const struct script_engine_ops *ops;
	struct view *view;
	bool running;
};

/* Load the engine from the first folder that has it. */
static void *load(const char *object, const char *const *folders, struct err *err)
{
	void *handle = NULL;
	const char *why;

	for (size_t i = 0; !handle && folders[i]; i++) {
		char *path = xasprintf("%s/%s", folders[i], object);

		/* Modules of an interpreter look for its functions in the whole program. */
		if (!access(path, R_OK)) {
			handle = PLUGIN_LOAD(path, RTLD_NOW | RTLD_GLOBAL);
			why = handle ? NULL : dlerror();
			if (!handle)
				err_set(err, -ENOENT, "cannot load %s: %s", path,
					why ? why : "a static perf loads no engines");
		}
		free(path);
	}
	return handle;
}

struct script_engine *script_engine_load(const struct script_language *language,
					 const char *const *folders, struct err *err)
{
	struct err why = { 0 };
	void *handle = load(language->object, folders, &why);
	const struct script_engine_ops *ops = handle ? dlsym(handle, SCRIPT_ENGINE_TABLE) : NULL;
	struct script_engine *e;

	if (!ops || strcmp(ops->version, PERF_VERSION) != 0) {
		err_set(err, -ENOTSUP, "%s scripting not supported: %s\nInstall %s to enable it.",
			language->name,
			!handle ? why.code ? why.msg : "there is no engine for it"
			: ops   ? "its engine is of another perf"
				: "its engine is none",
			language->package);
		if (handle)
			dlclose(handle);
		return NULL;
	}
	e = xzalloc(sizeof(*e));
	e->handle = handle;
	e->ops = ops;
	return e;
}

const struct script_engine_ops *script_engine_ops(const struct script_engine *e)
{
	return e->ops;
}

void *script_engine_state(const struct script_engine *e)
{
	return e->state;
}

int script_engine_start(struct script_engine *e, struct script_start *start, struct err *err)
{
	int verdict;

	start->host = script_host();
	e->view = start->view;
	verdict = e->ops->start(&e->state, start, err);
	e->running = verdict == SCRIPT_GO_ON || verdict == SCRIPT_ENOUGH;
	return verdict;
}

int script_engine_sample(struct script_engine *e, const struct session_event *ev,
			 const struct thread_at *at, struct err *err)
{
	int verdict;

	view_enter(e->view, ev, at);
	verdict = e->ops->sample(e->state, err);
	view_leave(e->view);
	if (verdict == SCRIPT_OVER)
		e->running = false;
	return verdict;
}

int script_engine_stop(struct script_engine *e, bool whole, struct err *err)
{
	if (!e->running)
		return 0;
	e->running = false;
	return e->ops->stop(e->state, whole, err);
}

void script_engine_free(struct script_engine *e)
{
	if (!e)
		return;
	if (e->state)
		e->ops->free(e->state);
	/* The interpreter stays loaded: threads of scripts may still run in it. */
	free(e);
}
