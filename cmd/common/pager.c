// SPDX-License-Identifier: GPL-2.0-or-later
/* Run the pager, and finish standard output. */
#include "base/compat.h"
#include "cmd/common/pager.h"

#include "base/err.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Standard streams are redirected by it, and a signal may have to end it: process-wide. */
static struct pager pager;
static atomic_int output_error; /* errno of a thread that could not write to standard output */
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
	/* Code that asks for the width later finds a pipe in place of the terminal. */
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

struct fit output_fit(void)
{
	struct fit fit = { 0 };
	bool wanted = true, tty;
	int saved = errno; /* what a failed write has left there is told when perf ends */

	tty = pager_in_use() || isatty(STDOUT_FILENO);
	errno = saved;
	if (!tty)
		return fit;
	config_default_bool("hist.fit-width", &wanted);
	if (wanted)
		fit = (struct fit){ .columns = term_columns(), .utf8 = locale_is_utf8() };
	return fit;
}

void output_failed(int code)
{
	atomic_store(&output_error, code);
}

int finish_output(int status)
{
	int code = atomic_load(&output_error);

	if (!code && ferror(stdout))
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
