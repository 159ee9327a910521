// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse options; print usage on the right stream. */
#include "base/compat.h"
#include "cmd/common/usage.h"

#include "base/strbuf.h"
#include "cmd/common/pager.h"

static void finish(struct options_out *out) __attribute__((noreturn));

static void finish(struct options_out *out)
{
	int status = out->status;

	/* The whole usage is shown in a pager on a terminal. With standard output elsewhere no
	 * pager starts. */
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
