// SPDX-License-Identifier: GPL-2.0-or-later
/* perf annotate: the instructions and source lines of functions, and what was counted at each. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/annotate/annotate.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "browse/files.h"
#include "cli/values.h"

static const char *const annotate_usage[] = { "perf annotate [<options>]", NULL };

static struct annotate an = {
	.demangle = true,
	.source_lines = true,
	.group = true,
	.conf = { .raw = false },
};

/* Read the kind of percentages: local or global, of periods or of hits. */
static int parse_type(const struct option *opt, const char *arg, int unset)
{
	struct annotate_text *t = opt->value;
	static const char *const names[] = { "local-period", "global-period", "local-hits",
					     "global-hits" };

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		if (!unset && strcmp(arg, names[i]) != 0)
			continue;
		t->global = i & 1;
		t->hits = i & 2;
		return 0;
	}
	fprintf(stderr,
		"invalid --percent-type '%s': say local-period, local-hits, global-period or global-hits\n",
		arg);
	return -1;
}

static int parse_limit(const struct option *opt, const char *arg, int unset)
{
	double *limit = opt->value;
	struct err err = { 0 };

	*limit = 0;
	if (!unset && percent_parse(limit, arg, &err))
		return error_err(&err);
	return 0;
}

static int parse_color(const struct option *opt, const char *arg, int unset)
{
	enum color_when *when = opt->value;

	if (unset)
		*when = COLOR_NEVER;
	else if (color_parse_when(arg, when))
		fprintf(stderr, "bad config value for 'color.ui', ignoring...\n");
	return 0;
}

static const struct option options[] = {
	INPUT_OPTIONS(&an.source),
	SYMBOL_OPTIONS(&an.source),
	OPT_STRING('d', "dsos", &an.dsos, "dso[,dso...]", "only consider symbols in these dsos"),
	OPT_STRING('s', "symbol", &an.symbol, "symbol", "symbol to annotate"),
	OPT_INCR('v', "verbose", &an.verbose, "be more verbose (show symbol address, etc)"),
	OPT_BOOLEAN('q', "quiet", &an.quiet, "do not show any warnings or messages"),
	OPT_BOOLEAN('D', "dump-raw-trace", &an.raw_dump, "dump raw trace in ASCII"),
	OPT_BOOLEAN(0, "stdio", &an.stdio, "Use the stdio interface"),
	OPT_BOOLEAN(0, "stdio2", &an.stdio2,
		    "Use the stdio2 interface: jumps with arrows, named targets"),
	OPT_BOOLEAN(0, "json", &an.json,
		    "Write one JSON document with the instructions, sources and counts"),
	OPT_BOOLEAN(0, "tui", &an.tui, "Show a screen to look around in, with keys and the mouse"),
	OPT_BOOLEAN(0, "ignore-vmlinux", &an.source.ignore_vmlinux,
		    "don't load vmlinux even if found"),
	OPT_BOOLEAN('m', "modules", &an.modules,
		    "load module symbols - WARNING: use only with -k and LIVE kernel"),
	OPT_BOOLEAN('l', "print-line", &an.text.positions, "print matching source lines"),
	OPT_BOOLEAN(0, "inlined", &an.text.inlined,
		    "Sum up by inlined callee, and tell from where inlined functions are called"),
	OPT_BOOLEAN('P', "full-paths", &an.text.full_paths,
		    "Don't shorten the displayed pathnames"),
	OPT_BOOLEAN(0, "skip-missing", &an.skip_missing, "Skip symbols that cannot be annotated"),
	OPT_BOOLEAN_SET(0, "group", &an.group, &an.group_set,
			"Show event group information together"),
	OPT_STRING('C', "cpu", &an.source.cpus, "cpu", "list of cpus to profile"),
	OPT_BOOLEAN(0, "source", &an.source_lines,
		    "Interleave source code with assembly code (default)"),
	OPT_BOOLEAN(0, "asm-raw", &an.conf.raw, "Display raw encoding of assembly instructions"),
	OPT_STRING('M', "disassembler-style", &an.conf.syntax, "disassembler style",
		   "Specify disassembler style (e.g. -M intel for intel syntax)"),
	OPT_STRING(0, "prefix", &an.conf.prefix, "prefix",
		   "Add prefix to source file path names in programs (with --prefix-strip)"),
	OPT_INTEGER(0, "prefix-strip", &an.conf.prefix_strip,
		    "Strip first N entries of source file path name in programs (with --prefix)"),
	OPT_STRING(0, "objdump", &an.conf.objdump_path, "path",
		   "objdump binary to use for disassembly and annotations"),
	OPT_BOOLEAN(0, "demangle", &an.demangle, "Enable symbol demangling"),
	OPT_BOOLEAN(0, "show-total-period", &an.text.total_period,
		    "Show a column with the sum of periods"),
	OPT_BOOLEAN('n', "show-nr-samples", &an.text.nr_samples,
		    "Show a column with the number of samples"),
	OPT_CALLBACK_DEFAULT(0, "stdio-color", &an.color, "mode",
			     "'always' (default), 'never' or 'auto' only applicable to --stdio mode",
			     parse_color, "always"),
	OPT_CALLBACK(0, "percent-type", &an.text, "local-period",
		     "Set percent type local/global-period/hits", parse_type),
	OPT_CALLBACK(0, "percent-limit", &an.percent_limit, "percent",
		     "Don't show entries under that percent", parse_limit),
	OPT_STRING_OPTARG(0, "data-type", &an.data_type, "name",
			  "Show data type annotate for the memory accesses", ""),
	OPT_BOOLEAN(0, "type-stat", &an.type_stat, "Show stats for the data type annotation"),
	OPT_BOOLEAN(0, "insn-stat", &an.insn_stat,
		    "Show instruction stats for the data type annotation"),
	OPT_BOOLEAN(0, "code-with-type", &an.text.types,
		    "Show data type info in code annotation (memory instructions only)"),
	OPT_BOOLEAN(0, "skip-empty", &an.skip_empty,
		    "Do not display empty (or dummy) events in the output"),
	ITRACE_OPTION(&an.source.itrace),
	OPT_END(),
};

/* Tell whether the variable annotate.disassemblers puts objdump before all others that we have. */
static bool prefers_objdump(void)
{
	const char *list = NULL;

	config_default_str("annotate.disassemblers", &list);
	return list && !strncmp(list, "objdump", strlen("objdump"));
}

/* The configuration's defaults, before the options are read. */
static void defaults(void)
{
	bool hide = false, offsets = true;

	an.color = config_color();
	config_palette(&an.palette);
	config_default_str("annotate.disassembler_style", &an.conf.syntax);
	config_default_str("annotate.objdump", &an.conf.objdump_path);
	config_default_bool("annotate.hide_src_code", &hide);
	config_default_bool("annotate.show_total_period", &an.text.total_period);
	config_default_bool("annotate.show_nr_samples", &an.text.nr_samples);
	config_default_bool("annotate.demangle", &an.demangle);
	config_default_bool("annotate.demangle_kernel", &an.source.demangle_kernel);
	config_default_bool("annotate.use_offset", &offsets);
	config_default_bool("annotate.show_linenr", &an.text.line_numbers);
	config_default_bool("annotate.show_nr_jumps", &an.text.jump_counts);
	an.text.offset_level = 1;
	config_default_u64("annotate.offset_level", &an.text.offset_level);
	an.text.whole_addresses = !offsets;
	an.source_lines = !hide;
	an.conf.objdump = prefers_objdump();
}

/* Derive the settings that depend on more than one option. */
static void settle(void)
{
	an.conf.objdump |= an.conf.objdump_path != NULL;
	an.conf.no_source = !an.source_lines;
	an.conf.positions = an.text.positions || an.text.inlined || an.json;
	an.conf.bytes = an.conf.calls = an.json;
	an.conf.types = an.text.types;
	an.conf.no_demangle = !an.demangle;
	an.conf.workers = pool_workers();
	an.text.addresses = an.verbose;
	an.text.raw = an.conf.raw;
	an.source.no_demangle = !an.demangle;
	an.source.verbose = an.verbose;
	source_defaults(&an.source);
}

/* Return the command as it was given, without an argument that names a function; the caller frees
 * it. @given: changed */
static char *command_without(int argc, const char **given, const char *function)
{
	int nr = 0;

	for (int i = 0; i < argc; i++)
		if (given[i] != function)
			given[nr++] = given[i];
	return browse_command(nr, given);
}

int cmd_annotate(int argc, const char **argv)
{
	const char **given = xcalloc((size_t)argc + 1, sizeof(*given));
	int status, nr_given = argc;

	memcpy(given, argv, (size_t)argc * sizeof(*given));
	defaults();
	argc = parse_options(argc, argv, options, annotate_usage, 0);
	if (argc > 1)
		usage_with_options(annotate_usage, options);
	if (argc)
		an.symbol = argv[0];
	an.command = command_without(nr_given, given, argc ? argv[0] : NULL);
	free(given);
	const struct refusal rows[] = {
		{ an.text.total_period && an.text.nr_samples,
		  " Error: option `show-total-period' cannot be used with show-nr-samples",
		  { "show-total-period", "show-nr-samples" } },
		{ an.conf.prefix_strip && !an.conf.prefix, "--prefix-strip requires --prefix" },
		{ an.json && (an.stdio || an.stdio2 || an.raw_dump),
		  "--json is a layout of its own: it goes without --stdio, --stdio2 and -D" },
		{ an.json && (an.data_type || an.type_stat || an.insn_stat),
		  "--json has code: --data-type, --type-stat and --insn-stat are for text" },
		{ an.json && (an.text.positions || an.text.full_paths || an.conf.raw),
		  "--json has positions, paths and bytes in any case: -l, -P and --asm-raw are for text" },
		REFUSE_UNREADABLE_SYMBOLS(&an.source, EXIT_REFUSED),
	};
	status = refusal_find(rows, ARRAY_SIZE(rows), annotate_usage, options);
	if (!status) {
		settle();
		status = annotate_run(&an);
	}
	free(an.command);
	return status;
}
