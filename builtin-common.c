// SPDX-License-Identifier: GPL-2.0-or-later
/* The thin layer between rooms, which neither print nor exit, and the commands. */
#include "base/compat.h"

#include "builtin.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "cli/progress-bar.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static void finish(struct options_out *out) __attribute__((noreturn));

static void finish(struct options_out *out)
{
	FILE *to = out->to_stdout ? stdout : stderr;
	int status = out->status;

	fputs(strbuf_str(&out->text), to);
	fflush(to);
	options_out_release(out);
	exit(status);
}

int parse_options(int argc, const char **argv, const struct option *opts, const char *const usage[], int flags)
{
	struct options_out out = { .text = STRBUF_INIT };
	int r = options_parse(argc, argv, opts, usage, flags, &out);

	if (r < 0)
		finish(&out);
	return r;
}

int parse_options_subcommand(int argc, const char **argv, const struct option *opts, const char *const subcommands[],
			     const char *const usage[], int flags)
{
	struct options_out out = { .text = STRBUF_INIT };
	int r = options_parse_subcommand(argc, argv, opts, subcommands, usage, flags, &out);

	if (r < 0)
		finish(&out);
	return r;
}

void usage_with_options(const char *const usage[], const struct option *opts)
{
	struct options_out out = { .text = STRBUF_INIT, .status = OPTIONS_STATUS_USAGE };

	options_usage(&out.text, usage, opts, 0, NULL, false);
	finish(&out);
}

void usage_with_options_msg(const char *const usage[], const struct option *opts, const char *fmt, ...)
{
	struct options_out out = { .text = STRBUF_INIT, .status = OPTIONS_STATUS_USAGE };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&out.text, fmt, ap);
	va_end(ap);
	strbuf_addch(&out.text, '\n');
	options_usage(&out.text, usage, opts, 0, NULL, false);
	finish(&out);
}

void usage_one_option(const char *const usage[], const struct option *opts, const char *name, bool short_name)
{
	struct strbuf sb = STRBUF_INIT;

	options_usage_one(&sb, usage, opts, name, short_name);
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

static void __printf(2, 0) message(const char *head, const char *fmt, va_list ap)
{
	fflush(stdout);
	fputs(head, stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("  Error: ", fmt, ap);
	va_end(ap);
}

void warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(" Warning: ", fmt, ap);
	va_end(ap);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("  Fatal: ", fmt, ap);
	va_end(ap);
	exit(128);
}

int error_err(const struct err *e)
{
	if (e->msg[0])
		fprintf(stderr, "%s\n", e->msg);
	return e->code ? e->code : -1;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

static void bar_tick(struct progress *p)
{
	struct progress_bar *bar = p->ctx;
	struct strbuf sb = STRBUF_INIT;

	if (!progress_bar_due(bar, now_ns()))
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
	bar->start_ns = now_ns();
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
