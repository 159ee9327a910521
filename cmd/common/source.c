// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/source.h"

#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "cmd/common/commands.h"

#include "base/alloc.h"
#include "objects/fetch.h"

#include <signal.h>
#include <unistd.h>

int open_recording(struct recording *r, const struct recording_options *o)
{
	struct err err = { 0 };
	int ret = recording_open(r, o, &stderr_notices, &err);

	if (!ret) {
		ret = recording_read_traces(r, false, &err);
		if (ret)
			recording_close(r);
	}
	if (ret)
		error_err(&err);
	return ret;
}

int analyse_recording(const struct recording_options *o, analysis_work work, void *ctx)
{
	struct analysis *a;
	struct recording r;
	struct err err = { 0 };
	int ret, status;

	if (open_recording(&r, o))
		return EXIT_FAILED;
	r.session.progress = progress_open();
	a = analysis_new(&r);
	ret = work(ctx, a, &err);
	progress_close(r.session.progress);
	if (ret)
		error_err(&err);
	status = warn_diag(&r.session);
	analysis_free(a);
	recording_close(&r);
	return ret ? EXIT_FAILED : status;
}

/* Ctrl-C is kept back while servers are asked, and looked for between. */
static bool interrupted(void)
{
	const struct timespec now = { 0 };
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	return sigtimedwait(&interrupt, NULL, &now) == SIGINT;
}

/* Show how far it is, on a line of its own that the next one replaces. */
static bool show_state(void *ctx, const struct fetch_state *state)
{
	const bool *terminal = ctx;
	struct strbuf line = STRBUF_INIT;

	if (*terminal) {
		strbuf_addf(&line, "\rdebuginfod: %u of %u, %.1f MB: ", state->file,
			    state->nr_files, (double)state->bytes / (1 << 20));
		strbuf_addname(&line, state->object);
		strbuf_addstr(&line, " (Ctrl-C goes on without)\033[K");
		fputs(strbuf_str(&line), stderr);
		strbuf_release(&line);
	}
	return !interrupted();
}

static void fetch(const struct recording *r, bool quiet)
{
	bool terminal = isatty(STDERR_FILENO) && !quiet;
	char *dir = buildid_cache_dir();
	struct fetch_conf conf = {
		.servers = getenv("DEBUGINFOD_URLS"),
		.dir = dir,
		.seconds = FETCH_SECONDS,
		.going = show_state,
		.ctx = &terminal,
	};
	struct fetch_result result;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	sigset_t interrupt, before;
	int ret;

	config_default_u64("debuginfod.seconds", &conf.seconds);
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	pthread_sigmask(SIG_BLOCK, &interrupt, &before);
	ret = fetch_gaps(r->options, &conf, &result, &err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (terminal)
		fputs("\r\033[K", stderr);
	if (ret)
		error_err(&err);
	else
		fetch_text(&result, conf.seconds, &text);
	if (!quiet)
		fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	free(dir);
}

void fetch_missing(const struct recording *r, bool quiet)
{
	const char *servers = r->options->debuginfod, *input = r->options->input;

	if (!servers || !*servers || recording_is_stream(r) || (input && !strcmp(input, "-")))
		return;
	if (strcmp(servers, DEBUGINFOD_SYSTEM))
		setenv("DEBUGINFOD_URLS", servers, 1);
	fetch(r, quiet);
}

/* ---- verbs ---- */

int run_verb(struct verb_args *a)
{
	int ret = find_command(a->v[0])->fn(a->nr, a->v);

	verb_args_release(a);
	return ret;
}

int record_verb(struct verb_args *a, const char *const usage[], const struct option *options)
{
	const char *first = a->users < a->nr ? a->v[a->users] : "";

	if (!strcmp(first, "-h") || !strcmp(first, "--help")) {
		fputs("\n Runs: perf", stderr);
		for (int i = 0; i < a->users; i++)
			fprintf(stderr, " %s", a->v[i]);
		fputs(" <yours>\n", stderr);
		if (options)
			usage_with_options(usage, options);
	}
	return run_verb(a);
}

int script_verb(const struct recording_options *o, bool dump, int argc, const char **argv)
{
	struct verb_args a;

	verb_args_init(&a, "script");
	if (o->input) {
		verb_args_add(&a, "-i");
		verb_args_add(&a, o->input);
	}
	if (o->force)
		verb_args_add(&a, "-f");
	if (dump)
		verb_args_add(&a, "-D");
	verb_args_users(&a, argc, argv);
	return run_verb(&a);
}
