// SPDX-License-Identifier: GPL-2.0-or-later
/* perf flame: record, as perf record does, and write the page of perf report --html. */
#include "base/compat.h"

#include "cmd/flame/flame.h"
#include "recorder/recorder.h"
#include "builtin.h"
#include "perf.h"
#include "cmd/common/message.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE "perf-flame.html"
#define FAIL 255

static const char *const flame_usage[] = {
	"perf flame [<options>] [<record options>] [--] <command> [<options>]",
	"perf flame [<options>] [<record options>] -p <pid>|-a --duration <seconds>",
	NULL,
};

struct flame {
	const char *page, *title;
	bool show, serve, inlines;
};

/* Seconds, with decimals. */
static int opt_duration(const struct option *opt, const char *arg, int unset)
{
	u64 *ms = opt->value;
	char *end;
	double seconds;

	*ms = 0;
	if (unset)
		return 0;
	seconds = strtod(arg, &end);
	if (end == arg || *end || !(seconds >= 0.001 && seconds <= 1e9)) {
		fprintf(stderr, "invalid duration '%s': give a number of seconds\n", arg);
		return -1;
	}
	*ms = (u64)(seconds * 1000 + 0.5);
	return 0;
}

/* For what is not to stay. */
static struct {
	pid_t pid;
	char *folder, *data, *page;
} own;

/* Recordings may be folders. In signal handlers, too: so nothing in here needs memory. */
static void remove_all_in(int folder)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct dirent64))));
	ssize_t len;

	while ((len = getdents64(folder, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; at < len;) {
			const struct dirent64 *d = (void *)(buf + at);
			int sub;

			at += d->d_reclen;
			if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") ||
			    !unlinkat(folder, d->d_name, 0))
				continue;
			sub = openat(folder, d->d_name,
				     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (sub < 0)
				continue;
			remove_all_in(sub);
			close(sub);
			unlinkat(folder, d->d_name, AT_REMOVEDIR);
		}
}

static void remove_own(void)
{
	int fd = open(own.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	remove_all_in(fd);
	close(fd);
	rmdir(own.folder);
}

static void on_signal(int sig)
{
	if (getpid() == own.pid)
		remove_own();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* However we end, it goes; while recording these signals end only that. */
static int make_own(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	const char *tmp = getenv("TMPDIR");

	own.pid = getpid();
	own.folder = xasprintf("%s/perf-flame-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(own.folder)) {
		fprintf(stderr, "cannot make a folder for the recording: %s: %s\n", own.folder,
			err_str(-errno));
		return -1;
	}
	own.data = xasprintf("%s/perf.data", own.folder);
	own.page = xasprintf("%s/" PAGE, own.folder);
	atexit(remove_own);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (signal(ends[i], on_signal) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	return 0;
}

static const char *page_of(const struct flame *f)
{
	return f->page ? f->page : f->serve ? own.page : PAGE;
}

/* Can the page be written? Asked before anything is recorded for it. */
static int check_page(const char *page)
{
	char *copy = xstrdup(page);
	struct stat st;
	int code = 0;

	if (!strcmp(page, "-"))
		code = 0;
	else if (stat(page, &st))
		code = access(dirname(copy), W_OK | X_OK) ? -errno : 0;
	else if (S_ISDIR(st.st_mode))
		code = -EISDIR;
	else if (access(page, W_OK))
		code = -errno;
	free(copy);
	if (code)
		fprintf(stderr, "cannot write the page: %s: %s\n", page, err_str(code));
	return code;
}

/* What is asked of a recording, and does not go with a page of it. */
static int check(void *ctx)
{
	const struct record *r = record_asked();
	const char *no = r->setup_filter                        ? "--setup-filter"
			 : r->ro.sw.arg                         ? "--switch-output"
			 : r->ro.sw.event_list.nr               ? "--switch-output-event"
			 : r->ro.timestamp_filename             ? "--timestamp-filename"
			 : r->sample.no_samples                 ? "--no-samples"
			 : r->output && !strcmp(r->output, "-") ? "-o -"
								: NULL;

	if (no) {
		fprintf(stderr,
			"perf flame makes one page of one recording with samples: %s is for perf record\n",
			no);
		return OPTIONS_STATUS_USAGE;
	}
	return check_page(page_of(ctx)) ? FAIL : 0;
}

/* The table of record, where help does not tell what is answered with a refusal above. The caller
 * frees. */
static struct option *recording_options(void)
{
	static const char *const refused[] = { "setup-filter",        "switch-output",
					       "switch-output-event", "switch-max-files",
					       "timestamp-filename",  "no-samples" };
	const struct option *from = record_options();
	struct option *to;
	size_t nr = 0;

	while (from[nr].type != OPTION_END)
		nr++;
	to = xcalloc(nr + 1, sizeof(*to));
	memcpy(to, from, (nr + 1) * sizeof(*to));
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; to[i].long_name && k < ARRAY_SIZE(refused); k++)
			if (!strcmp(to[i].long_name, refused[k]))
				to[i].flags |= PARSE_OPT_HIDDEN;
	return to;
}

/* Return: 0 when a page has become of the recording. */
static int write_page(const struct flame *f, const char *data, const char *page)
{
	const char *argv[] = { "report", "-i", data, "--html", page, NULL, NULL, NULL, NULL };
	int argc = 5;

	if (f->title) {
		argv[argc++] = "--title";
		argv[argc++] = f->title;
	}
	if (f->inlines)
		argv[argc++] = "--inline";
	return find_command("report")->fn(argc, argv) ? FAIL : 0;
}

static int show_page(const struct flame *f, const char *page)
{
	struct err err = { 0 };

	if (f->serve) {
		if (flame_serve(page, f->show, &err))
			return error_err(&err);
		return 0;
	}
	if (strcmp(page, "-"))
		fprintf(stderr, "[ perf flame: wrote %s ]\n", page);
	if (f->show)
		flame_open(page);
	return 0;
}

static int record_and_write(struct flame *f, int argc, const char **argv)
{
	struct record *r = record_asked();
	struct option *recording = recording_options();
	const struct option options[] = {
		OPT_STRING_NOEMPTY('H', "html", &f->page, "file",
				   "write the page there (default: " PAGE ")"),
		OPT_CALLBACK(0, "duration", &r->duration_ms, "seconds",
			     "end recording after so long", opt_duration),
		OPT_BOOLEAN(0, "open", &f->show, "show the page in a browser (xdg-open)"),
		OPT_BOOLEAN(0, "serve", &f->serve,
			    "serve the page to this machine instead of writing a file"),
		OPT_STRING(0, "title", &f->title, "text", "title of the page"),
		OPT_BOOLEAN(0, "inline", &f->inlines, "show inlined functions"),
		OPT_PARENT(recording),
	};
	int status = record_command(argc, argv, options, flame_usage, check, f), written;
	const char *page = page_of(f);

	free(recording);
	if (r->dry_run)
		return status;
	if (!r->ro.complete)
		return status ? status : FAIL;
	written = write_page(f, r->output, page);
	if (!written)
		written = show_page(f, page);
	/* How the command ended is told, unless it was us who ended it. */
	return status && !r->stopped ? status : written;
}

int cmd_flame(int argc, const char **argv)
{
	struct record *r = record_asked();
	struct option chains = OPT_CALLBACK_NOOPT('g', NULL, &r->sample, NULL, NULL, record_opt_g);
	struct flame f = { 0 };

	if (make_own())
		return -1;
	r->output = own.data;
	record_opt_g(&chains, NULL, 0);
	return record_and_write(&f, argc, argv);
}
