// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/common/export.h"

#include "base/alloc.h"

static int opt_export(const struct option *opt, const char *arg, int unset)
{
	if (unset) {
		exports_drop(opt->value, opt->data);
		return 0;
	}
	if (!*arg) {
		fprintf(stderr, "--%s: the name of a file is missing\n", opt->long_name);
		return -1;
	}
	exports_add(opt->value, opt->data, arg);
	return 0;
}

static int opt_weight(const struct option *opt, const char *arg, int unset)
{
	if (exports_weight(opt->value, unset ? "period" : arg))
		return 0;
	fprintf(stderr, "invalid weight '%s': period, samples or duration\n", arg);
	return -1;
}

/* Both may be given several times, for several runs of each side. */
static int opt_compare(const struct option *opt, const char *arg, int unset)
{
	struct exports *x = opt->value;
	bool now = !strcmp(opt->long_name, "again");

	if (unset) {
		x->nr_more = 0;
		x->compare = NULL;
	} else if (!exports_add_run(x, arg, now ? STACKS_NOW : STACKS_BEFORE)) {
		fprintf(stderr, "--%s: no more than %d runs can be compared\n", opt->long_name,
			EXPORTS_MAX_RUNS);
		return -1;
	}
	return 0;
}

static int opt_root(const struct option *opt, const char *arg, int unset)
{
	if (exports_root(opt->value, unset ? NULL : arg))
		return 0;
	fprintf(stderr, "invalid root '%s': none, comm, process, thread or cpu\n", arg);
	return -1;
}

static int opt_min_width(const struct option *opt, const char *arg, int unset)
{
	if (exports_min_width(opt->value, unset ? "0" : arg))
		return 0;
	fprintf(stderr, "invalid width '%s': a number of pixels\n", arg);
	return -1;
}

const struct option *exports_options(struct exports *x, const char *prefix)
{
	const struct option common[] = {
		OPT_CALLBACK(0, "compare", x, "file",
			     "Exports show what changed since this recording", opt_compare),
		OPT_CALLBACK(0, "again", x, "file",
			     "One more run of what is compared with --compare", opt_compare),
		OPT_CALLBACK(0, "weight", x, "period|samples|duration",
			     "What stacks count for in exports (default: period)", opt_weight),
		OPT_STRING(0, "event", &x->opts.event, "event",
			   "Only samples of this event in exports"),
		OPT_STRING(0, "title", &x->opts.title, "text", "Title of pictures"),
		OPT_UINTEGER(0, "width", &x->opts.width, "Width of pictures in pixels"),
		OPT_CALLBACK(0, "min-width", x, "pixels",
			     "Leave out what is narrower in pictures (default: 0.1)",
			     opt_min_width),
		OPT_CALLBACK(0, "root", x, "none|comm|process|thread|cpu",
			     "What stands at the roots of flame graphs", opt_root),
		OPT_BOOLEAN(0, "icicle", &x->opts.icicle, "Draw flame graphs from the top down"),
		OPT_BOOLEAN(0, "reverse", &x->opts.reverse,
			    "Exports of stacks begin with the innermost function"),
		OPT_END(),
	};
	struct option *table = xcalloc(EXPORTS_MAX + ARRAY_SIZE(common), sizeof(*table));
	size_t alone = *prefix ? 2 : 0; /* without what compares two recordings */
	struct option *o = table;

	exports_init(x);
	for (const struct export_ops *const *e = export_table; *e; e++) {
		if ((*e)->compares && alone)
			continue;
		*o = (struct option)OPT_CALLBACK(0, NULL, x, (*e)->arg, (*e)->help, opt_export);
		o->long_name = xasprintf("%s%s", prefix, (*e)->name);
		o->data = (void *)*e;
		if ((*e)->arg_optional) {
			o->flags = PARSE_OPT_LASTARG_DEFAULT;
			o->defval = (intptr_t) "-";
		}
		o++;
	}
	memcpy(o, common + alone, sizeof(common) - alone * sizeof(*common));
	return table;
}

void exports_options_free(const struct option *options)
{
	for (const struct option *o = options; o->callback == opt_export; o++)
		free((char *)o->long_name);
	free((void *)options);
}
