// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "engines/common/common.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

int engine_fail(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err->code = code;
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

FILE *engine_open_script(const char *language, const char *file, struct err *err)
{
	FILE *f = fopen(file, "re");
	struct stat st;
	int code = f ? 0 : errno;

	if (f && (fstat(fileno(f), &st) || S_ISDIR(st.st_mode))) {
		fclose(f);
		f = NULL;
		code = EISDIR;
	}
	if (!f)
		engine_fail(err, -code, "Can't open %s script \"%s\": %s", language, file,
			    strerror(code));
	return f;
}

bool engine_pipe_is_closed(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

/* ---- interrupts ---- */

/* The user has asked so often for an end, and this is done the second time. A signal handler has no
 * argument of ours. */
static volatile sig_atomic_t interrupts;
static void (*on_second)(void);

static void on_interrupt(int number)
{
	interrupts++;
	if (interrupts == 2 && on_second) {
		on_second();
	} else if (interrupts >= 2) {
		signal(number, SIG_DFL);
		raise(number);
	}
}

void engine_catch_interrupts(void (*second)(void))
{
	struct sigaction now, ours = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };

	on_second = second;
	/* A command in the background ignores interrupts, and goes on to do so. */
	if (!sigaction(SIGINT, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaction(SIGINT, &ours, NULL);
}

bool engine_interrupted(void)
{
	return interrupts;
}
