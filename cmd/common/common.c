// SPDX-License-Identifier: GPL-2.0-or-later
/* The thin layer between rooms, which neither print nor exit, and the commands. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/sdt.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "cli/pager.h"
#include "cli/progress-bar.h"
#include "dump/header-text.h"
#include "session/session.h"

#include "perf-paths.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard streams are redirected by it, and a signal may have to end it: process-wide. */
static struct pager pager;
static enum { PAGER_UNDECIDED, PAGER_ON, PAGER_OFF } pager_choice;

static void stop_pager(void)
{
	fflush(stdout);
	fflush(stderr);
	pager_stop(&pager);
}

static void stop_pager_on_signal(int sig)
{
	pager_stop(&pager);
	signal(sig, SIG_DFL);
	raise(sig);
}

void end_pager(void)
{
	pager_stop(&pager);
}

void force_pager(bool on)
{
	pager_choice = on ? PAGER_ON : PAGER_OFF;
}

static void start_pager(const char *configured)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	const char *cmd = pager_command(configured);
	char columns[16];
	struct err e = { 0 };
	size_t i;

	if (pager.pid || pager_choice == PAGER_OFF || !isatty(STDOUT_FILENO) || !cmd)
		return;
	/* What asks for the width later finds a pipe. */
	snprintf(columns, sizeof(columns), "%u", term_columns());
	setenv("COLUMNS", columns, 1);
	fflush(stdout);
	fflush(stderr);
	if (pager_start(&pager, cmd, &e)) {
		error_err(&e);
		return;
	}
	atexit(stop_pager);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], stop_pager_on_signal);
}

void setup_pager(void)
{
	if (pager_choice != PAGER_OFF && isatty(STDOUT_FILENO))
		start_pager(config_get(perf_config(), "core.pager"));
}

bool pager_in_use(void)
{
	return pager.pid != 0;
}

void check_pager_config(const char *cmd)
{
	bool on = pager_choice == PAGER_ON;
	char key[64];

	if (pager_choice == PAGER_OFF || !isatty(STDOUT_FILENO))
		return;
	/* perf version is asked for in a hurry: no file is read for it. */
	if (!on && strcmp(cmd, "version")) {
		snprintf(key, sizeof(key), "pager.%s", cmd);
		config_default_bool(key, &on);
	}
	if (on)
		setup_pager();
}

unsigned int term_columns(void)
{
	const char *env = getenv("COLUMNS");
	struct winsize ws = { 0 };
	long n = env ? strtol(env, NULL, 10) : 0;

	if (n > 0 && n < 10000)
		return (unsigned int)n;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	return 80;
}

int finish_output(int status)
{
	int code = 0;

	if (ferror(stdout))
		code = errno ? errno : EIO;
	if (fflush(stdout))
		code = errno;
	stop_pager();
	/* A reader that has gone away wants no more, and no complaint either. */
	if (!code || code == EPIPE)
		return status;
	fprintf(stderr, "write failure on standard output: %s\n", err_str(-code));
	return 128;
}

static void finish(struct options_out *out) __attribute__((noreturn));

static void finish(struct options_out *out)
{
	int status = out->status;

	/* With standard output elsewhere usage goes to stderr as it always did. */
	if (out->whole_usage)
		setup_pager();
	fputs(strbuf_str(&out->text), out->to_stdout ? stdout : stderr);
	options_out_release(out);
	exit(finish_output(status));
}

int parse_options(int argc, const char **argv, const struct option *opts, const char *const usage[],
		  int flags)
{
	struct options_out out = { .text = STRBUF_INIT };
	int r = options_parse(argc, argv, opts, usage, flags, &out);

	if (r < 0)
		finish(&out);
	return r;
}

int parse_options_subcommand(int argc, const char **argv, const struct option *opts,
			     const char *const subcommands[], const char *const usage[], int flags)
{
	struct options_out out = { .text = STRBUF_INIT };
	int r = options_parse_subcommand(argc, argv, opts, subcommands, usage, flags, &out);

	if (r < 0)
		finish(&out);
	return r;
}

void usage_with_options(const char *const usage[], const struct option *opts)
{
	struct options_out out = { .text = STRBUF_INIT,
				   .whole_usage = true,
				   .status = OPTIONS_STATUS_USAGE };

	options_usage(&out.text, usage, opts, 0, NULL, false);
	finish(&out);
}

void usage_with_options_msg(const char *const usage[], const struct option *opts, const char *fmt,
			    ...)
{
	struct options_out out = { .text = STRBUF_INIT,
				   .whole_usage = true,
				   .status = OPTIONS_STATUS_USAGE };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&out.text, fmt, ap);
	va_end(ap);
	strbuf_addch(&out.text, '\n');
	options_usage(&out.text, usage, opts, 0, NULL, false);
	finish(&out);
}

void usage_one_option(const char *const usage[], const struct option *opts, const char *name,
		      bool short_name)
{
	struct strbuf sb = STRBUF_INIT;

	options_usage_one(&sb, usage, opts, name, short_name);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

bool file_is_readable(const char *path)
{
	if (!path || !access(path, R_OK))
		return true;
	fprintf(stderr, "Invalid file: %s: %s\n", path, err_str(-errno));
	return false;
}

void error(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("  Error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int error_err(const struct err *e)
{
	if (e->msg[0])
		fprintf(stderr, "%s\n", e->msg);
	return e->code ? e->code : -1;
}

static void bar_tick(struct progress *p)
{
	struct progress_bar *bar = p->ctx;
	struct strbuf sb = STRBUF_INIT;

	if (!progress_bar_due(bar, clock_ns(CLOCK_MONOTONIC)))
		return;
	progress_bar_draw(bar, p, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

struct progress *progress_open(void)
{
	struct winsize ws = { 0 };
	struct progress_bar *bar;
	struct progress *p;

	if (!isatty(STDERR_FILENO))
		return NULL;
	bar = xzalloc(sizeof(*bar));
	p = xzalloc(sizeof(*p));
	bar->start_ns = clock_ns(CLOCK_MONOTONIC);
	bar->columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col ? ws.ws_col : 80;
	p->tick = bar_tick;
	p->ctx = bar;
	return p;
}

void progress_close(struct progress *p)
{
	struct strbuf sb = STRBUF_INIT;

	if (!p)
		return;
	progress_bar_erase(p->ctx, &sb);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
	free(p->ctx);
	free(p);
}

const char *exec_path(void)
{
	const char *env = getenv("PERF_EXEC_PATH");

	return env && *env ? env : PERF_EXEC_PATH;
}

const char *system_config(void)
{
	return PERF_SYSCONFDIR "/perfconfig";
}

const char *buildid_dir(void)
{
	const char *dir = getenv("PERF_BUILDID_DIR");

	return dir && *dir ? dir : config_get(perf_config(), "buildid.dir");
}

const struct config *perf_config(void)
{
	static struct config config;
	static bool loaded;

	if (!loaded) {
		loaded = true;
		config_load(&config, CONFIG_ALL, system_config());
		fputs(strbuf_str(&config.problems), stderr);
	}
	return &config;
}

/* A value that makes no sense is told, and the built-in default stands. */
static void told(int r, const struct err *e)
{
	if (r < 0)
		fprintf(stderr, "%s, ignoring...\n", e->msg);
}

void config_default_bool(const char *key, bool *v)
{
	struct err e = { 0 };

	told(config_bool(perf_config(), key, v, &e), &e);
}

void config_default_u64(const char *key, u64 *v)
{
	struct err e = { 0 };

	told(config_u64(perf_config(), key, v, &e), &e);
}

void config_default_str(const char *key, const char **v)
{
	const char *s = config_get(perf_config(), key);

	if (s)
		*v = s;
}

static void palette_entry(const char *key, char *seq, size_t size)
{
	const char *spec = config_get(perf_config(), key);

	if (spec && color_parse(spec, seq, size))
		fprintf(stderr, "bad config value for '%s', ignoring...\n", key);
}

void config_palette(struct palette *p)
{
	palette_init(p);
	palette_entry("colors.top", p->top, sizeof(p->top));
	palette_entry("colors.medium", p->medium, sizeof(p->medium));
	palette_entry("colors.normal", p->normal, sizeof(p->normal));
}

enum color_when config_color(void)
{
	const char *ui = config_get(perf_config(), "color.ui");
	enum color_when when = COLOR_AUTO;

	if (ui && color_parse_when(ui, &when))
		fprintf(stderr, "bad config value for 'color.ui', ignoring...\n");
	return when;
}

static int debug_verbose;

bool debug_set(const char *arg)
{
	size_t len = strcspn(arg, "=");

	if (len != strlen("verbose") || strncmp(arg, "verbose", len))
		return false;
	debug_verbose = arg[len] ? (int)strtol(arg + len + 1, NULL, 10) : 1;
	return true;
}

int debug_level(const char *name)
{
	return strcmp(name, "verbose") ? 0 : debug_verbose;
}

void print_header(const struct perf_file *f, const struct evlist *evlist, bool full)
{
	struct strbuf sb = STRBUF_INIT;
	struct stat st = { 0 };

	if (fstat(f->fd, &st))
		st.st_mtime = time(NULL);
	header_text(f, evlist, st.st_mtime, full, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout);
	strbuf_release(&sb);
}

void warn_lost(const struct session *s)
{
	u64 all = 0, lost = s->counts[PERF_RECORD_LOST];
	size_t i;

	if (!lost)
		return;
	for (i = 0; i < ARRAY_SIZE(s->counts); i++)
		all += s->counts[i];
	fprintf(stderr,
		"Warning:\nProcessed %" PRIu64 " events and lost %" PRIu64
		" chunks!\n\nCheck IO/CPU overload!\n\n",
		all, lost);
}

void warn_diag(const struct diag *d)
{
	size_t i;

	for (i = 0; i < DIAG_MAX; i++)
		if (d->count[i] && i != DIAG_LOST && i != DIAG_LOST_SAMPLES && i != DIAG_FILTERED)
			fprintf(stderr, "Warning:\n%" PRIu64 " %s (first at offset %#" PRIx64 ")\n",
				d->count[i], diag_text(i), d->first[i]);
}

void print_features(const struct perf_file *f, const struct evlist *evlist, bool full, u64 *printed)
{
	struct strbuf sb = STRBUF_INIT;

	header_features(f, evlist, full, printed, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout);
	strbuf_release(&sb);
}

/* What a sink returns when it has seen enough. */
#define STOP 1

static int stop_at_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return STOP;
}

static int stop_at_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			  struct err *err)
{
	return STOP;
}

int read_pipe_header(struct session *s, struct err *err)
{
	static const struct session_ordered_ops ops = {
		.state = { .state = stop_at_state },
		.format = stop_at_record,
	};
	int ret;

	if (!s->file->pipe)
		return 0;
	ret = session_ordered(s, &ops, NULL, 1, err);
	return ret == STOP ? 0 : ret;
}

void end_by_signal(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t set;

	sdt_probes_remove();
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}
