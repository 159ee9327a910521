// SPDX-License-Identifier: GPL-2.0-or-later
/* perf config: show and change variables of the configuration files. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"

static const char *const config_usage[] = {
	"perf config [<file-option>] [options] [section.name[=value] ...]",
	NULL,
};

static int show_all(const struct config *c)
{
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	for (i = 0; i < c->nr_items; i++) {
		strbuf_reset(&sb);
		strbuf_addname(&sb, c->items[i].value);
		printf("%s=%s\n", c->items[i].key, strbuf_str(&sb));
	}
	strbuf_release(&sb);
	return 0;
}

static int show_one(const struct config *c, const char *key)
{
	struct strbuf sb = STRBUF_INIT;
	const char *v = config_get(c, key);

	if (v) {
		strbuf_addname(&sb, v);
		printf("%s=%s\n", key, strbuf_str(&sb));
		strbuf_release(&sb);
	}
	return 0;
}

/* Show a variable ("section.name") or set it ("section.name=value"). */
static int get_or_set(struct config *c, enum config_files which, const char *arg)
{
	const char *eq = strchr(arg, '=');
	char *key, *path;
	struct err e = { 0 };
	int r;

	key = eq ? xstrndup(arg, (size_t)(eq - arg)) : xstrdup(arg);
	if (!strchr(key, '.') || *key == '.') {
		fprintf(stderr, "The config variable does not contain a section name: %s\n", arg);
		free(key);
		return -1;
	}
	if (eq && !eq[1]) {
		fprintf(stderr, "The config variable does not contain a value: %s\n", arg);
		free(key);
		return -1;
	}
	r = config_check_key(key, &e);
	path = !r && eq ? config_path(which, system_config()) : NULL;
	if (!r && eq && !path)
		r = err_set(&e, -1, "no $HOME: say which file with $PERF_CONFIG");
	if (!r && path)
		r = config_set(path, key, eq + 1, &e);
	if (r)
		error_err(&e);
	else if (!eq)
		show_one(c, key);
	free(path);
	free(key);
	return r ? -1 : 0;
}

int cmd_config(int argc, const char **argv)
{
	bool system = false, user = false, list = false;
	enum config_files which;
	struct config c;
	int i, r = 0;
	const struct option options[] = {
		OPT_BOOLEAN('l', "list", &list, "show current config variables"),
		OPT_BOOLEAN(0, "system", &system, "use system config file"),
		OPT_BOOLEAN(0, "user", &user, "use user config file"),
		OPT_END(),
	};

	argc = parse_options(argc, argv, options, config_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (system && user) {
		fprintf(stderr, "Error: only one config file at a time\n");
		usage_one_option(config_usage, options, "user", false);
		usage_one_option(NULL, options, "system", false);
		return -1;
	}
	if (list && argc) {
		fprintf(stderr, "Error: takes no arguments\n");
		usage_one_option(config_usage, options, "l", true);
		return -1;
	}
	which = system ? CONFIG_SYSTEM : user ? CONFIG_USER : CONFIG_ALL;
	config_init(&c);
	config_load(&c, which, system_config());
	fputs(strbuf_str(&c.problems), stderr);
	if (list || !argc)
		show_all(&c);
	for (i = 0; i < argc && !r; i++)
		r = get_or_set(&c, which, argv[i]);
	config_release(&c);
	return r;
}
