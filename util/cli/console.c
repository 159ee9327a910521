// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cli/console.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* ---- the terminal ---- */

/* Read keys as they are pressed, unless perf is in the background. */
static void keys_raw(struct console *s)
{
	struct termios raw;

	if (!isatty(s->keys) || tcgetpgrp(s->keys) != getpgrp() || tcgetattr(s->keys, &s->before))
		return;
	raw = s->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	s->raw = !tcsetattr(s->keys, TCSANOW, &raw);
}

static void keys_restore(struct console *s)
{
	if (s->raw)
		tcsetattr(s->keys, TCSANOW, &s->before);
	s->raw = false;
}

int console_open(struct console *s, int out, struct err *err)
{
	sigset_t set;

	*s = (struct console){ .out = out, .keys = STDIN_FILENO };
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC);
	if (s->signals < 0)
		return err_set(err, -errno, "cannot receive signals: %s", err_str(-errno));
	keys_raw(s);
	if (isatty(s->keys) && !s->raw)
		s->keys = -1; /* what is typed is for another program */
	return 0;
}

void console_close(struct console *s)
{
	keys_restore(s);
	if (s->signals >= 0)
		close(s->signals);
}

void console_begin(struct console *s, struct strbuf *text)
{
	struct winsize size;

	s->columns = s->lines = 0;
	if (!isatty(s->out))
		return;
	strbuf_addstr(text, "\033[H\033[J");
	s->columns = 80;
	s->lines = 24;
	if (!ioctl(s->out, TIOCGWINSZ, &size) && size.ws_col && size.ws_row) {
		s->columns = size.ws_col;
		s->lines = size.ws_row;
	}
}

int console_write(const struct console *s, const struct strbuf *text)
{
	for (size_t at = 0; at < text->len;) {
		ssize_t n = write(s->out, text->buf + at, text->len - at);

		if (n < 0 && errno != EINTR)
			return -errno;
		at += n < 0 ? 0 : (size_t)n;
	}
	return 0;
}

/* ---- keys ---- */

/* Wait for a descriptor, or until @due. Return: something is there. A signal ends it, too. */
static bool ready(struct console *s, double due, bool *ended)
{
	struct pollfd fds[] = { { .fd = s->signals, .events = POLLIN },
				{ .fd = s->keys, .events = POLLIN } };
	double left = due - now();

	if (left < 0)
		left = 0;
	poll(fds, ARRAY_SIZE(fds), (int)MIN(left * 1000 + 1, 3600e3));
	*ended = fds[0].revents;
	return fds[1].revents;
}

char *console_ask(struct console *s, const char *question)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (!s->raw)
		return NULL;
	keys_restore(s);
	dprintf(s->out, "\n%s: ", question);
	len = getline(&line, &cap, stdin);
	keys_raw(s);
	if (len > 0 && line[len - 1] == '\n')
		line[--len] = 0;
	if (len > 0)
		return line;
	free(line);
	return NULL;
}

char console_next_key(struct console *s)
{
	bool ended = false;
	char key = 0;

	while (!ended && !ready(s, now() + 60, &ended))
		;
	return !ended && read(s->keys, &key, 1) == 1 ? key : 0;
}

/* Read a key and do what it stands for. Where nothing comes any more, nobody waits again. */
static bool take_key(struct console *s, console_key_fn *key, void *ctx)
{
	char pressed;

	if (read(s->keys, &pressed, 1) == 1)
		return key(ctx, pressed);
	s->keys = -1;
	return false;
}

bool console_wait(struct console *s, const double *delay, console_key_fn *key, void *ctx)
{
	double due = s->due ? s->due : now() + *delay;
	bool ended = false;

	while (!ended && now() < due) {
		if (!ready(s, due, &ended))
			continue;
		if (take_key(s, key, ctx))
			return true;
		due = MIN(due, now() + *delay);
	}
	s->due = now() + *delay;
	return ended;
}
