// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kmem: what the kernel allocates, and who asks for it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "kmemtext/kmemtext.h"
#include "schedtext/schedtext.h"

static const char *const subcommands[] = { "record", "stat", "script", NULL };
static const char *const usage[] = {
	"perf kmem [<options>] {record|stat|script}",
	NULL,
};
static const char *const record_usage[] = {
	"perf kmem record [<options>] [<command>]",
	"perf kmem record [<options>] -- <command> [<options>]",
	NULL,
};

/* The options that choose an allocator. @s: a struct kmem_show */
#define KIND_OPTIONS(s)                                                                            \
	OPT_CALLBACK_NOOPT(0, "slab", s, NULL, "Analyze slab allocator", opt_kind),                \
		OPT_CALLBACK_NOOPT(0, "page", s, s, "Analyze page allocator", opt_kind)

struct command_line {
	struct recording_options source;
	struct kmem_show show;
	int verbose;
};

static int opt_kind(const struct option *opt, const char *arg, int unset)
{
	struct kmem_show *show = opt->value;
	enum kmem_kind kind = opt->data ? KMEM_PAGE : KMEM_SLAB;

	if (unset)
		show->kinds[kind] = false;
	else
		kmem_show_name_kind(show, kind);
	return 0;
}

static int opt_table(const struct option *opt, const char *arg, int unset)
{
	struct kmem_show *show = opt->value;
	enum kmem_table table = opt->data ? KMEM_BY_MEMORY : KMEM_BY_SITE;

	if (unset)
		show->tables[table] = false;
	else
		kmem_show_name_table(show, table);
	return 0;
}

static int opt_lines(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return kmem_show_limit(opt->value, unset ? NULL : arg, &err) ? error_err(&err) : 0;
}

static int opt_sort(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return kmem_show_sort(opt->value, unset ? NULL : arg, &err) ? error_err(&err) : 0;
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	const struct kmem_show *show = ctx;
	const struct sched_counts counts = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct analysis_losses losses;
	int ret = kmem_show_run(show, a, &text, err);

	if (!ret) {
		setup_pager();
		print_text(&text);
		losses = analysis_losses(a);
		sched_put_losses(&counts, &losses, &text);
		fputs(strbuf_str(&text), stderr);
	}
	strbuf_release(&text);
	return ret;
}

static int run_stat(struct command_line *c)
{
	source_defaults(&c->source);
	c->source.verbose = c->show.verbose = c->verbose;
	return analyse_recording(&c->source, work, &c->show);
}

/* Choose the allocator when no option did. Return: 0, or -EINVAL and a sentence. */
static int settle_kind(struct kmem_show *show, struct err *err)
{
	const char *kind = NULL;

	config_default_str("kmem.default", &kind);
	return kmem_show_default(show, kind, err);
}

static int run_record(struct command_line *c, int argc, const char **argv)
{
	const struct sysroot here = { 0 };
	const struct option options[] = { KIND_OPTIONS(&c->show), OPT_END() };
	struct verb_args a;
	struct err err = { 0 };

	argc = parse_options(argc, argv, options, record_usage, RECORD_VERB_PARSING);
	if (settle_kind(&c->show, &err))
		usage_with_options_msg(record_usage, options, "%s", err.msg);
	kmem_record_args(&a, &c->show, &here, argc, argv);
	return record_verb(&a, record_usage, options);
}

int cmd_kmem(int argc, const char **argv)
{
	struct command_line c = { .verbose = debug_level("verbose") };
	struct kmem_show *show = &c.show;
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_INCR('v', "verbose", &c.verbose, "be more verbose (show symbol address, etc)"),
		OPT_CALLBACK_NOOPT(0, "caller", show, NULL, "show per-callsite statistics",
				   opt_table),
		OPT_CALLBACK_NOOPT(0, "alloc", show, show, "show per-allocation statistics",
				   opt_table),
		OPT_CALLBACK('s', "sort", show, "key[,key2...]",
			     "sort by keys: ptr, callsite, bytes, hit, pingpong, frag, page, order, "
			     "migtype, gfp",
			     opt_sort),
		OPT_CALLBACK('l', "line", show, "num", "show n lines", opt_lines),
		OPT_BOOLEAN(0, "raw-ip", &show->raw_ip, "show raw ip instead of symbol"),
		KIND_OPTIONS(show),
		OPT_BOOLEAN(0, "live", &show->live, "Show live page stat"),
		OPT_BOOLEAN(0, "leaks", &show->leaks,
			    "Show what was allocated and not freed, by call site"),
		TIME_FILTER_OPTIONS(&c.source),
		OPT_END(),
	};
	struct err err = { 0 };

	argc = parse_options_subcommand(argc, argv, options, subcommands, usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(usage, options);
	if (!strcmp(argv[0], "script"))
		return script_verb(&c.source, false, argc, argv);
	if (strlen(argv[0]) > 2 && !strncmp("record", argv[0], strlen(argv[0])))
		return run_record(&c, argc, argv);
	if (strcmp(argv[0], "stat"))
		usage_with_options_msg(usage, options, "Unknown command: %s", argv[0]);
	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	if (settle_kind(show, &err) || kmem_show_settle(show, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	return run_stat(&c);
}
