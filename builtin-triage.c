// SPDX-License-Identifier: GPL-2.0-or-later
/* perf triage: one command that says where the time goes. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/record-front.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "cli/privileged.h"
#include "export/export.h"
#include "triagetext/triagetext.h"

#include <errno.h>
#include <sys/stat.h>

#define USUAL_MS 10000

static const char *const triage_usage[] = {
	"perf triage [<options>] [-a | -p <pid>] [--duration <seconds>]",
	"perf triage [<options>] [--] <command> [<options>]",
	"perf triage [<options>] -i <file>",
	NULL,
};

struct command_line {
	struct recording_options source;
	struct triage_show show;
	const char *output, *pages;
	u64 ms; /* to record; 0: not given */
	bool json;
};

/* ---- record ---- */

/* Record what the verdicts need. Return: the status of the recorder; -1: there is no recording. */
static int record(struct command_line *c, int argc, const char **argv)
{
	const struct triage_wanted w = { c->output, c->show.pids, argc };
	const struct sysroot here = { 0 };
	struct record_front front = RECORD_FRONT(&front);
	const struct option options[] = { RECORD_OPTIONS(&front), OPT_END() };
	struct verb_args a;
	struct err err = { 0 };
	int status;

	if (triage_check_pids(&here, c->show.pids, &err)) {
		error_err(&err);
		return -1;
	}
	c->show.unprivileged = !triage_record_args(&a, &w, &here, argc, argv);
	front.o.duration_ms = c->ms || argc ? c->ms : USUAL_MS;
	status = record_front_run(&front, a.nr, a.v, options, triage_usage, NULL, NULL);
	if (!front.result.complete)
		status = -1;
	verb_args_release(&a);
	return status;
}

/* ---- show ---- */

static int write_page(const struct command_line *c, struct strbuf *text, struct err *err)
{
	char *path = xasprintf("%s/index.html", c->pages);
	struct export_out *out = export_open(path, err);
	int ret = out ? 0 : err->code;

	if (out) {
		export_put(out, strbuf_str(text), text->len);
		ret = export_close(out, err);
	}
	free(path);
	return ret;
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT;
	int ret = triage_run(&c->show, a, &text, err);

	if (!ret && c->show.form == TRIAGE_AS_PAGE) {
		ret = write_page(c, &text, err);
	} else if (!ret) {
		setup_pager();
		print_text(&text);
	}
	strbuf_release(&text);
	return ret;
}

/* Write a page of another command beside the verdict. */
static int write_other(const struct command_line *c, const char *verb, const char *option,
		       const char *name)
{
	struct verb_args a;

	verb_args_init(&a, verb);
	verb_args_add(&a, "-i");
	verb_args_add(&a, c->source.input ? c->source.input : "perf.data");
	verb_args_add(&a, option);
	if (!strcmp(verb, "timechart"))
		verb_args_add(&a, "-o");
	verb_args_own(&a, xasprintf("%s/%s", c->pages, name));
	return run_verb(&a);
}

/* Return: the exit status. */
static int show(struct command_line *c)
{
	int status;

	if (c->pages && mkdir(c->pages, 0777) && errno != EEXIST) {
		error("cannot create the folder '%s': %s", c->pages, err_str(-errno));
		return EXIT_FAILED;
	}
	c->show.file = c->source.input;
	source_defaults(&c->source);
	status = analyse_recording(&c->source, work, c);
	if (!status && c->pages)
		status = write_other(c, "report", "--html", "flame.html") |
			 write_other(c, "timechart", "--html", "timeline.html");
	return status ? EXIT_FAILED : EXIT_OK;
}

int cmd_triage(int argc, const char **argv)
{
	struct command_line c = { .output = "perf.data" };
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_STRING('o', "output", &c.output, "file", "output file name"),
		OPT_BOOLEAN('a', "all-cpus", &c.show.all, "look at the whole machine"),
		OPT_STRING('p', "pid", &c.show.pids, "pid[,pid...]", "look at these processes"),
		OPT_CALLBACK(0, "duration", &c.ms, "seconds", "record so long (default 10)",
			     opt_duration),
		OPT_BOOLEAN(0, "json", &c.json, "print a JSON object"),
		OPT_STRING(0, "html", &c.pages, "directory",
			   "write pages for a browser: the verdict, a timeline, a flame graph"),
		OPT_END(),
	};
	int recorded = 0, status;

	argc = parse_options(argc, argv, options, triage_usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (!!argc + c.show.all + !!c.show.pids > 1 || (argc && c.source.input))
		usage_with_options_msg(triage_usage, options,
				       "Ask about one of these: a command, -p, -a, -i");
	if (c.json && c.pages)
		usage_with_options_msg(triage_usage, options,
				       "--json and --html exclude each other");
	c.show.form = c.json ? TRIAGE_AS_JSON : c.pages ? TRIAGE_AS_PAGE : TRIAGE_AS_TEXT;
	if (!c.source.input) {
		c.show.all = !argc && !c.show.pids;
		recorded = record(&c, argc, argv);
		c.source.input = c.output;
	}
	if (recorded < 0)
		return EXIT_FAILED;
	privileged_drop(true);
	status = show(&c);
	return recorded ?: status;
}
