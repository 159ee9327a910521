// SPDX-License-Identifier: GPL-2.0-or-later
/* perf c2c: record memory accesses, and show for which cache lines processors contend. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/mem/record.h"
#include "cmd/common/browser.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/progress.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/pool.h"
#include "browse/contention.h"
#include "browse/files.h"
#include "export/export.h"
#include "linestext/linestext.h"
#include "profile/graph-option.h"

static const char *const subcommands[] = { "record", "report", NULL };
static const char *const c2c_usage[] = { "perf c2c {record|report}", NULL };

static int run_record(int verbose, int argc, const char **argv)
{
	static const char *const usage[] = {
		"perf c2c record [<options>] [<command>]",
		"perf c2c record [<options>] -- <command> [<options>]",
		NULL,
	};
	struct mem_front f = { .phys = true, .sample_cpu = true, .verbose = verbose };
	const struct option options[] = {
		MEM_RECORD_OPTIONS(&f),
		OPT_UINTEGER('l', NULL, &f.ldlat, "the same as --ldlat"),
		OPT_INCR('v', "verbose", &f.verbose,
			 "be more verbose (show counter open errors, etc)"),
		OPT_BOOLEAN('u', "all-user", &f.all_user, "collect only user level data"),
		OPT_BOOLEAN('k', "all-kernel", &f.all_kernel, "collect only kernel level data"),
		OPT_END(),
	};

	return mem_record_run(&f, argc, argv, options, usage);
}

/* ---- the report ---- */

struct report {
	struct recording_options source;
	struct clines_show show;
	const char *coalesce, *display;
	int node_info;
	const char *page;
	const char *command; /* as it was given */
	bool plain, json, tui, stitch;
};

static int opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct profile_options asked = { .chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5 } };
	struct err err = { 0 };
	struct report *c = opt->value;

	if (unset)
		profile_graph_off(&asked);
	else if (profile_graph_parse(&asked, arg, &err))
		return error_err(&err);
	c->show.graph = asked.chain;
	return 0;
}

static void settle(struct report *c, const char *const usage[], const struct option *options)
{
	bool text = c->plain || c->page || c->json || c->show.stats_only;
	struct err err = { 0 };

	if (clines_show_coalesce(&c->show, c->coalesce ? c->coalesce : "iaddr", &err) ||
	    (c->display && clines_show_display(&c->show, c->display, &err))) {
		error_err(&err);
		exit(EXIT_FAILED);
	}
	c->show.nodes = (enum clines_nodes)MIN(c->node_info, (int)NODES_CPUS);
	c->show.verbose = c->source.verbose;
	c->show.objects |= c->page != NULL;
	c->show.threads = browser_wanted("c2c", text, c->tui); /* a screen shows them */
	source_defaults(&c->source);
}

static int write_page(const char *path, struct strbuf *text, struct err *err)
{
	struct export_out *o = export_open(path, err);

	if (o)
		export_put(o, text->buf, text->len);
	strbuf_release(text);
	return !o || export_close(o, err) ? EXIT_FAILED : EXIT_OK;
}

/* Return: false: there is no screen, and nothing was shown. */
static bool browse(struct report *c, struct clines_table *t)
{
	struct browsed_lines b = { .table = t, .show = &c->show, .command = c->command };
	struct ui ui;

	if (!c->show.threads || !browser_open(&ui, c->tui))
		return false;
	browse_contention(&ui, &b);
	browser_close(&ui);
	return true;
}

static int show(struct report *c, struct recording *r, struct err *err)
{
	struct clines_table *t = clines_table_new(&c->show, r, pool_workers(), err);
	struct strbuf text = STRBUF_INIT;

	progress_close(r->session.progress);
	if (!t)
		return EXIT_FAILED;
	if (browse(c, t)) {
		clines_table_free(t);
		return EXIT_OK;
	}
	if (c->page)
		clines_table_html(t, &text);
	else if (c->json)
		clines_table_json(t, &text);
	else
		clines_table_put(t, &text);
	clines_table_free(t);
	if (c->page)
		return write_page(c->page, &text, err);
	if (!c->plain)
		setup_pager();
	print_text(&text);
	return 0;
}

static bool refused(const struct report *c, const char *const usage[], const struct option *options,
		    int *status)
{
	const struct refusal rows[] = {
		{ c->page && c->json,
		  "--html writes a page and --json prints the same tables: choose one of them",
		  { "html", "json" },
		  .status = EXIT_USAGE },
		REFUSE_UNREADABLE_SYMBOLS(&c->source, EXIT_REFUSED)
	};

	return refusal_tell(rows, ARRAY_SIZE(rows), usage, options, status);
}

static int run_report(int verbose, const char *command, int argc, const char **argv)
{
	static const char *const usage[] = { "perf c2c report", NULL };
	struct report c = { .source.verbose = verbose,
			    .command = command,
			    .show.graph = { .mode = CHAIN_GRAPH, .min_percent = 0.5 } };
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		SYMBOL_OPTIONS(&c.source),
		SAMPLE_FILTER_OPTIONS(&c.source),
		OPT_INCR('N', "node-info", &c.node_info,
			 "show extra node info in report (repeat for more info)"),
		OPT_STRING('c', "coalesce", &c.coalesce, "coalesce fields",
			   "coalesce fields: pid,tid,iaddr,dso"),
		OPT_STRING('d', "display", &c.display, "Switch HITM output type",
			   "tot,lcl,rmt,peer"),
		OPT_CALLBACK_DEFAULT(
			'g', "call-graph", &c,
			"print_type,threshold[,print_limit],order,sort_key,value",
			"Display the callers of each place (default: graph,0.5,callee,function,percent)",
			opt_graph, "graph,0.5,caller,function,percent"),
		OPT_BOOLEAN(0, "stitch-lbr", &c.stitch, "Enable LBR callgraph stitching approach"),
		OPT_STRING('M', "disassembler-style", &c.show.syntax, "disassembler style",
			   "Specify disassembler style (e.g. -M intel for intel syntax)"),
		OPT_STRING(0, "objdump", &c.show.objdump, "path",
			   "objdump binary to use for disassembly and annotations"),
		OPT_BOOLEAN('v', "verbose", &c.source.verbose, "show whole paths of objects"),
		OPT_BOOLEAN(0, "stats", &c.show.stats_only,
			    "Display only statistic tables (implies --stdio)"),
		OPT_BOOLEAN(0, "full-symbols", &c.show.full_symbols,
			    "Display full length of symbols"),
		OPT_BOOLEAN(0, "no-source", &c.show.no_source, "Do not display Source Line column"),
		OPT_BOOLEAN(0, "show-all", &c.show.all_lines, "Show all captured HITM lines."),
		OPT_BOOLEAN(0, "object", &c.show.objects,
			    "Show what lines hold, the fields that are accessed, and which to "
			    "move"),
		OPT_BOOLEAN(0, "double-cl", &c.show.double_lines,
			    "Detect adjacent cacheline false sharing"),
		OPT_BOOLEAN(0, "stdio", &c.plain, "Use the stdio interface"),
		OPT_BOOLEAN(0, "tui", &c.tui, "Show a screen to look around in"),
		OPT_STRING_NOEMPTY(0, "html", &c.page, "file", "Write a page for a browser"),
		OPT_BOOLEAN(0, "json", &c.json, "Print all tables as one JSON object"),
		OPT_END(),
	};
	struct recording r;
	struct err err = { 0 };
	int status;

	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	settle(&c, usage, options);
	if (refused(&c, usage, options, &status))
		return status;
	c.source.itrace.letters = "M"; /* an access counts once */
	if (open_recording(&r, &c.source))
		return EXIT_FAILED;
	warn_stitching(&r.session, c.stitch);
	r.session.progress = progress_open();
	status = show(&c, &r, &err);
	if (status)
		error_err(&err);
	else
		status = warn_diag(&r.session);
	recording_close(&r);
	return status;
}

int cmd_c2c(int argc, const char **argv)
{
	int verbose = debug_level("verbose"), status;
	char *command = browse_command(argc, argv);
	const struct option options[] = {
		OPT_INCR('v', "verbose", &verbose,
			 "be more verbose (show counter open errors, etc)"),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, subcommands, c2c_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(c2c_usage, options);
	if (strlen(argv[0]) > 2 && !strncmp("record", argv[0], strlen(argv[0])))
		status = run_record(verbose, argc, argv);
	else if (strlen(argv[0]) > 2 && !strncmp("report", argv[0], strlen(argv[0])))
		status = run_report(verbose, command, argc, argv);
	else
		usage_with_options(c2c_usage, options);
	free(command);
	return status;
}
