// SPDX-License-Identifier: GPL-2.0-or-later
/* perf flame: record, as perf record does, and write the page of perf report --html. */
#include "base/compat.h"

#include "cmd/flame/flame.h"
#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/record-front.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "cli/privileged.h"
#include "export/export.h"
#include "file/scratch.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define PAGE "perf-flame.html"

static const char *const flame_usage[] = {
	"perf flame [<options>] [<record options>] [--] <command> [<options>]",
	"perf flame [<options>] [<record options>] -p <pid>|-a --duration <seconds>",
	NULL,
};

static struct record_front rec = RECORD_FRONT(&rec);

/* The options that are about the page. */
static struct {
	const char *page, *title;
	bool show, serve, inlines, keep;
	char *passed[16]; /* options for perf report: how it finds objects and names functions */
	size_t nr_passed;
	struct symfs symfs;
} flame = { .keep = true, .inlines = true };

/* Keep an option of perf report for the page. @file: a file or folder that has to be there before
 * anything is recorded; NULL: none */
static int pass_option(const struct option *opt, const char *arg, int unset, const char *file)
{
	if (file && access(file, R_OK)) {
		fprintf(stderr, "--%s: cannot read %s: %s\n", opt->long_name, file,
			err_str(-errno));
		return -1;
	}
	if (flame.nr_passed == ARRAY_SIZE(flame.passed)) {
		fprintf(stderr, "--%s: too many options for the page\n", opt->long_name);
		return -1;
	}
	flame.passed[flame.nr_passed++] = xasprintf("--%s%s%s%s", unset ? "no-" : "",
						    opt->long_name, arg ? "=" : "", arg ? arg : "");
	return 0;
}

static int opt_passed(const struct option *opt, const char *arg, int unset)
{
	return pass_option(opt, arg, unset, arg);
}

static int opt_passed_symfs(const struct option *opt, const char *arg, int unset)
{
	return opt_symfs(opt, arg, unset) ? -1 : pass_option(opt, arg, unset, flame.symfs.dir);
}

/* The temporary folder of this run and the files in it. They are removed at the end. */
static struct {
	pid_t pid;
	char *folder, *data, *page;
} own;

static void remove_own(void)
{
	scratch_remove(own.folder);
}

static void on_signal(int sig)
{
	if (getpid() == own.pid)
		remove_own();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Make the temporary folder, and see to it that it is removed however perf ends. While a command is
 * recorded these signals end only the recording. */
static int make_own(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct err err = { 0 };

	own.pid = getpid();
	if (scratch_make("perf-flame", &own.folder, &err))
		return error_err(&err);
	own.data = xasprintf("%s/perf.data", own.folder);
	own.page = xasprintf("%s/" PAGE, own.folder);
	atexit(remove_own);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (signal(ends[i], on_signal) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	return 0;
}

static const char *page_path(void)
{
	return flame.page ? flame.page : flame.serve ? own.page : PAGE;
}

/* Asked before anything is recorded for the page. */
static int check_page(const char *page)
{
	int code = export_check(page);

	if (code)
		fprintf(stderr, "cannot write the page: %s: %s\n", page, err_str(code));
	return code;
}

/* Refuse options of perf record that do not go with a page of one recording. */
static int check(void *ctx __unused)
{
	struct record_opts *o = &rec.o;
	const char *no = rec.setup_filter                       ? "--setup-filter"
			 : rec.given.switch_arg                 ? "--switch-output"
			 : rec.triggers.nr                      ? "--switch-output-event"
			 : o->timestamp_filename                ? "--timestamp-filename"
			 : o->sample.no_samples                 ? "--no-samples"
			 : o->output && !strcmp(o->output, "-") ? "-o -"
								: NULL;

	if (no) {
		fprintf(stderr,
			"perf flame makes one page of one recording with samples: %s is for perf record\n",
			no);
		return EXIT_USAGE;
	}
	if (flame.keep && o->output == own.data) /* -o was not given */
		o->output = "perf.data";
	return check_page(page_path()) ? EXIT_FAILED : 0;
}

static struct option options[] = {
	OPT_STRING_NOEMPTY('H', "html", &flame.page, "file",
			   "write the page there (default: " PAGE ")"),
	OPT_CALLBACK(0, "duration", &rec.o.duration_ms, "seconds", "end recording after so long",
		     opt_duration),
	OPT_BOOLEAN(0, "open", &flame.show, "show the page in a browser (xdg-open)"),
	OPT_BOOLEAN(0, "serve", &flame.serve,
		    "serve the page to this machine instead of writing a file"),
	OPT_STRING(0, "title", &flame.title, "text", "title of the page"),
	OPT_BOOLEAN(0, "inline", &flame.inlines, "show inlined functions (default)"),
	OPT_BOOLEAN(0, "keep", &flame.keep,
		    "keep the recording: perf.data, unless -o names another file (default)"),
	OPT_CALLBACK(0, "symfs", &flame.symfs, "directory[,layout]",
		     "Look for files with symbols relative to this directory; layout: hierarchy "
		     "(default) or flat",
		     opt_passed_symfs),
	OPT_CALLBACK(0, "kallsyms", NULL, "file", "kallsyms pathname", opt_passed),
	OPT_CALLBACK_NOOPT(0, "ignore-vmlinux", NULL, NULL, "don't load vmlinux even if found",
			   opt_passed),
	OPT_CALLBACK_NOOPT(0, "demangle", NULL, NULL, "Disable symbol demangling", opt_passed),
	OPT_CALLBACK_NOOPT(0, "demangle-kernel", NULL, NULL, "Enable kernel symbol demangling",
			   opt_passed),
	OPT_CALLBACK_NOOPT(0, "bare-names", NULL, NULL,
			   "Show clones of functions (.cold, .part, ...) under one name",
			   opt_passed),
	RECORD_OPTIONS(&rec),
	OPT_END(),
};

/* Help does not tell what is answered with a refusal above. */
static void hide_refused(void)
{
	static const char *const refused[] = { "setup-filter",        "switch-output",
					       "switch-output-event", "switch-max-files",
					       "timestamp-filename",  "no-samples" };

	for (struct option *o = options; o->type != OPTION_END; o++)
		for (size_t i = 0; o->long_name && i < ARRAY_SIZE(refused); i++)
			if (!strcmp(o->long_name, refused[i]))
				o->flags |= PARSE_OPT_HIDDEN;
}

/* Return: 0 when a page has become of the recording. */
static int write_page(const char *page)
{
	const char *argv[12 + ARRAY_SIZE(flame.passed)] = { "report", "-i", rec.o.output, "--html",
							    page };
	int argc = 5;

	privileged_drop(true);
	if (flame.title) {
		argv[argc++] = "--title";
		argv[argc++] = flame.title;
	}
	if (!flame.inlines)
		argv[argc++] = "--no-inline";
	if (rec.o.vmlinux) {
		argv[argc++] = "-k";
		argv[argc++] = rec.o.vmlinux;
	}
	for (size_t i = 0; i < flame.nr_passed; i++)
		argv[argc++] = flame.passed[i];
	return find_command("report")->fn(argc, argv) ? EXIT_FAILED : 0;
}

static int show_page(const char *page)
{
	struct err err = { 0 };

	if (flame.serve) {
		if (flame_serve(page, flame.show, &err))
			return error_err(&err);
		return 0;
	}
	if (strcmp(page, "-"))
		fprintf(stderr, "[ perf flame: wrote %s ]\n", page);
	if (flame.show)
		flame_open(page);
	return 0;
}

static int record_and_write(int argc, const char **argv)
{
	int status = record_front_run(&rec, argc, argv, options, flame_usage, check, NULL), written;
	const char *page = page_path();

	if (rec.dry_run)
		return status;
	if (!rec.result.complete)
		return status ? status : EXIT_FAILED;
	written = write_page(page);
	if (!written)
		written = show_page(page);
	/* The status of the recorded command is passed on, unless perf itself ended the command. */
	return status && !rec.result.stopped ? status : written;
}

int cmd_flame(int argc, const char **argv)
{
	struct option chains =
		OPT_CALLBACK_NOOPT('g', NULL, &rec.o.sample, NULL, NULL, record_opt_g);

	if (make_own())
		return -1;
	rec.o.output = own.data;
	rec.o.off_cpu_thresh = 1; /* ms; sleeps are drawn from their start to their end */
	record_opt_g(&chains, NULL, 0);
	hide_refused();
	return record_and_write(argc, argv);
}
