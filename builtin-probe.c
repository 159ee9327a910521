// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probe: make events of functions, source lines and variables of programs and the kernel. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"

#include <errno.h>

#define MAX_PROBES 128

static const char *const probe_usage[] = {
	"perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]",
	"perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]",
	"perf probe [<options>] [--add] - < FILE",
	"perf probe [<options>] --del '[GROUP:]EVENT' ...",
	"perf probe --list [GROUP:]EVENT ...",
	"perf probe [<options>] --line 'LINEDESC'",
	"perf probe [<options>] --vars 'PROBEPOINT'",
	"perf probe [<options>] --funcs",
	NULL,
};

/* ---- options ---- */

/* Take over a definition, about the object that the options in front of it name. */
static void want(struct probe_cmd *c, char *text)
{
	probe_wants_add(&c->wants, (struct probe_want){ .text = text,
							.exec = c->run.exec,
							.module = c->run.module });
}

static int opt_add(const struct option *opt, const char *arg, int unset)
{
	struct probe_cmd *c = opt->value;

	if (unset)
		return -1;
	want(c, xstrdup(arg));
	*(bool *)opt->data = true;
	return 0;
}

static int opt_del(const struct option *opt, const char *arg, int unset)
{
	struct probe_cmd *c = opt->value;

	if (unset)
		return -1;
	VEC_GROW(c->deletions, c->nr_deletions + 1, c->cap_deletions);
	c->deletions[c->nr_deletions++] = arg;
	return 0;
}

/* Take the words that are no options as one definition. An absolute path in front of it is the
 * object. */
static void take_words(struct probe_cmd *c, int argc, const char **argv)
{
	struct strbuf text = STRBUF_INIT;

	if (argc && *argv[0] == '/' && !c->run.exec && !c->run.module) {
		size_t len = strlen(argv[0]);

		if (len > 3 && !strcmp(argv[0] + len - 3, ".ko"))
			c->run.module = argv[0];
		else
			c->run.exec = argv[0];
		argc--;
		argv++;
	}
	for (int i = 0; i < argc; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", argv[i]);
	if (argc) {
		want(c, strbuf_detach(&text));
		c->add = true;
	}
}

/* Set what follows from the options together. An object that is named behind the definitions is
 * that of those that have none of their own. */
static void settle(struct probe_cmd *c)
{
	c->run.notices = c->quiet ? NULL : &stderr_notices;
	c->run.verbose = c->verbose;
	c->run.limits.points = (u32)c->max_probes;
	c->run.pid = (u32)c->target_ns;
	for (size_t i = 0; i < c->wants.nr; i++) {
		struct probe_want *w = &c->wants.v[i];

		if (!w->exec && !w->module) {
			w->exec = c->run.exec;
			w->module = c->run.module;
		}
	}
}

/* Refuse options that exclude each other. */
static void check(const struct probe_cmd *c, const struct option *options)
{
	int verbs = (c->wants.nr > 0) + (c->nr_deletions > 0) + (c->list != NULL) +
		    (c->funcs != NULL) + (c->lines != NULL) + (c->vars != NULL);

	if (!verbs)
		usage_with_options(probe_usage, options);
	if (verbs > 1)
		usage_with_options_msg(
			probe_usage, options,
			"  Error: only one of --add, --definition, --del, --list and "
			"--funcs can be done at a time.\n");
	if (c->add && c->run.definitions)
		usage_with_options_msg(probe_usage, options,
				       "  Error: --add and --definition exclude each other.\n");
	if (c->bootconfig && !c->run.definitions)
		usage_with_options_msg(probe_usage, options,
				       "  Error: --bootconfig is a form of --definition.\n");
	if (c->json && !c->list && !c->funcs && !c->lines && !c->vars)
		usage_with_options_msg(probe_usage, options,
				       "  Error: --json is a form of --list, --funcs, --line and "
				       "--vars.\n");
	if (c->run.cache && (c->json || (!c->wants.nr && !c->nr_deletions && !c->list)))
		usage_with_options_msg(probe_usage, options,
				       "  Error: --cache goes with --add, --definition, --del and "
				       "--list, without --json.\n");
	if (c->list && !c->run.cache && (c->run.exec || c->run.module))
		usage_with_options_msg(probe_usage, options,
				       "  Error: Don't use --list with --exec or --module.\n");
	if (c->quiet && c->verbose)
		usage_with_options_msg(probe_usage, options, "  Error: -v and -q are exclusive.\n");
	if (c->max_probes <= 0)
		usage_with_options_msg(probe_usage, options,
				       "  Error: --max-probes takes a number above 0.\n");
	if (c->target_ns < 0)
		usage_with_options_msg(probe_usage, options, "  Error: --target-ns takes a pid.\n");
	if (c->run.exec && c->run.module)
		usage_with_options_msg(probe_usage, options,
				       "  Error: -x and -m exclude each other.\n");
}

static int run(struct probe_cmd *c)
{
	if (c->list)
		return probe_verb_list(c);
	if (c->funcs)
		return probe_verb_functions(c);
	if (c->lines)
		return probe_verb_lines(c);
	if (c->vars)
		return probe_verb_vars(c);
	return c->nr_deletions ? probe_verb_remove(c) : probe_verb_add(c);
}

#define POINT "FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT"
#define DEFINITION "[[GROUP:]EVENT=]" POINT " [[NAME=]ARG ...]"
#define DEFINITION_HELP                                                                            \
	"\n\t\tGROUP:\tGroup name (optional)\n"                                                    \
	"\t\tEVENT:\tEvent name\n"                                                                 \
	"\t\tFUNC:\tFunction name, or a pattern\n"                                                 \
	"\t\tOFF:\tOffset from function entry (in byte)\n"                                         \
	"\t\t%return:\tPut the probe at function return\n"                                         \
	"\t\tSRC:\tSource code path\n"                                                             \
	"\t\tRL:\tRelative line number from function entry.\n"                                     \
	"\t\tAL:\tAbsolute line number in file.\n"                                                 \
	"\t\tPT:\tLazy expression of line code.\n"                                                 \
	"\t\tARG:\tProbe argument (local variable name or\n"                                       \
	"\t\t\tkprobe-tracer argument format.)"

int cmd_probe(int argc, const char **argv)
{
	struct probe_cmd c = { .run.demangle = true, .max_probes = MAX_PROBES };
	const struct option options[] = {
		OPT_INCR('v', "verbose", &c.verbose,
			 "be more verbose (show parsed arguments, etc)"),
		OPT_BOOLEAN('q', "quiet", &c.quiet,
			    "be quiet (do not show any warnings or messages)"),
		OPT_STRING_DEFAULT('l', "list", &c.list, "[GROUP:]EVENT", "list up probe events",
				   ""),
		OPT_CALLBACK('d', "del", &c, "[GROUP:]EVENT", "delete a probe event.", opt_del),
		{ .type = OPTION_CALLBACK,
		  .short_name = 'a',
		  .long_name = "add",
		  .value = &c,
		  .argh = DEFINITION,
		  .help = "probe point definition, where" DEFINITION_HELP,
		  .callback = opt_add,
		  .data = &c.add },
		{ .type = OPTION_CALLBACK,
		  .short_name = 'D',
		  .long_name = "definition",
		  .value = &c,
		  .argh = DEFINITION,
		  .help = "Show trace event definition of given traceevent for k/uprobe_events.",
		  .callback = opt_add,
		  .data = &c.run.definitions },
		OPT_BOOLEAN('f', "force", &c.run.force, "forcibly add events with existing name"),
		OPT_STRING('k', "vmlinux", &c.run.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING('m', "module", &c.run.module, "modname|path",
			   "target module name (for online) or path (for offline)"),
		OPT_STRING('x', "exec", &c.run.exec, "executable|path",
			   "target executable name or path"),
		OPT_STRING('L', "line", &c.lines, "FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]",
			   "Show source code lines."),
		OPT_STRING('V', "vars", &c.vars, POINT, "Show accessible variables on PROBEDEF"),
		OPT_BOOLEAN(0, "externs", &c.externs,
			    "Show external variables too (with --vars only)"),
		OPT_BOOLEAN(0, "range", &c.range,
			    "Show variables location range in scope (with --vars only)"),
		OPT_BOOLEAN(0, "json", &c.json,
			    "Show what --list, --funcs, --line and --vars show as JSON"),
		OPT_STRING('s', "source", &c.run.source, "directory", "path to kernel source"),
		OPT_BOOLEAN(0, "no-inlines", &c.run.limits.no_inlines,
			    "Don't search inlined functions"),
		OPT_BOOLEAN(0, "bootconfig", &c.bootconfig,
			    "Output probe definition with bootconfig format"),
		OPT_BOOLEAN(0, "cache", &c.run.cache, "Manipulate probe cache"),
		OPT_BOOLEAN('n', "dry-run", &c.run.dry_run, "dry run"),
		OPT_INTEGER(0, "max-probes", &c.max_probes,
			    "Set how many probe points can be found for a probe."),
		OPT_STRING_DEFAULT('F', "funcs", &c.funcs, "FILTER",
				   "Show potential probe-able functions.", ""),
		OPT_STRING(0, "filter", &c.filter, "[!]FILTER",
			   "Set a filter (with --vars/funcs only)\n"
			   "\t\t\t(default: \"!__k???tab_* & !__crc_*\" for --vars,\n"
			   "\t\t\t \"!_* & !*@plt\" for --funcs)"),
		OPT_BOOLEAN(0, "demangle", &c.run.demangle, "Enable symbol demangling"),
		OPT_BOOLEAN(0, "demangle-kernel", &c.run.demangle_kernel,
			    "Enable kernel symbol demangling"),
		SYMFS_OPTION(&c.run),
		OPT_INTEGER(0, "target-ns", &c.target_ns, "target pid for namespace contexts"),
		OPT_END(),
	};
	char *cache_dir;
	int ret;

	argc = parse_options(argc, argv, options, probe_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	take_words(&c, argc, argv);
	check(&c, options);
	settle(&c);
	c.run.objects = open_object_cache();
	c.run.cache_dir = cache_dir = buildid_cache_dir();
	ret = run(&c);
	free(cache_dir);
	objcache_free(c.run.objects);
	symfs_release(&c.run.symfs);
	probe_wants_release(&c.wants);
	free(c.deletions);
	return ret;
}
