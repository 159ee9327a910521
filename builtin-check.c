// SPDX-License-Identifier: GPL-2.0-or-later
/* perf check feature NAME[,NAME...]: was it built in? For scripts, the exit status says it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/features.h"

#include "base/alloc.h"

#include <strings.h>

static const char *const check_usage[] = { "perf check <subcommand> [<options>]", NULL };
static const char *const feature_usage[] = { "perf check feature <feature_list>", NULL };

/* A feature may be asked for by its name or by its macro, in any case; several share a macro. */
static bool is_called(const struct feature *f, const char *name)
{
	return !strcasecmp(f->name, name) || !strcasecmp(f->macro, name);
}

static bool check_one(const char *name, bool quiet)
{
	const struct feature *f;
	bool known = false, on = true;

	for (f = features; f->name; f++) {
		if (!is_called(f, name))
			continue;
		known = true;
		on &= f->on;
		if (!quiet)
			print_feature(f);
	}
	if (!known)
		fprintf(stderr, "Feature not known: '%s'\n", name);
	return known && on;
}

static int check_features(int argc, const char **argv, bool quiet)
{
	char *list, *name, *save = NULL;
	bool all = true;
	int i;

	for (i = 0; i < argc; i++) {
		list = xstrdup(argv[i]);
		for (name = strtok_r(list, ", ", &save); name; name = strtok_r(NULL, ", ", &save))
			all &= check_one(name, quiet);
		free(list);
	}
	return all ? 0 : 1;
}

int cmd_check(int argc, const char **argv)
{
	static const char *const subcommands[] = { "feature", NULL };
	bool quiet = false;
	const struct option options[] = {
		OPT_BOOLEAN('q', "quiet", &quiet, "do not show any warnings or messages"),
		OPT_END(),
	};
	const struct option feature_options[] = { OPT_PARENT(options) };

	argc = parse_options_subcommand(argc, argv, options, subcommands, check_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(check_usage, options);
	if (strcmp(argv[0], "feature"))
		usage_with_options_msg(check_usage, options, "Unknown subcommand: %s", argv[0]);
	argc = parse_options(argc, argv, feature_options, feature_usage, 0);
	if (!argc)
		usage_with_options(feature_usage, feature_options);
	return check_features(argc, argv, quiet);
}
