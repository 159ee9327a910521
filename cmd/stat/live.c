// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --live: the terminal, its keys and its size. What is on it comes from stattext/live.c.
 * Nothing here or in the rooms ends the process while the screen is ours. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[H\033[2J" /* the other screen, no cursor */
#define LEAVE "\033[?25h\033[?1049l"

static void put(const struct stat_cmd *s, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(fileno(s->out.file), text, len);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

/* The keys are ours: q ends. */
static int on_keys(void *ctx, int fd, u32 events, struct err *err)
{
	char keys[64];
	ssize_t n = read(fd, keys, sizeof(keys));

	/* the terminal is gone */
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		return STAT_QUIT;
	return n > 0 && memchr(keys, 'q', (size_t)n) ? STAT_QUIT : STAT_GO_ON;
}

static int enter(struct stat_cmd *s, struct err *err)
{
	struct stat_live *l = &s->live;
	struct termios raw;

	put(s, ENTER);
	l->on = true;
	/* what another one in the foreground is typed is not ours */
	if (l->keys < 0 || tcgetpgrp(l->keys) != getpgrp() || tcgetattr(l->keys, &l->before))
		return 0;
	raw = l->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	l->changed = !tcsetattr(l->keys, TCSANOW, &raw);
	return l->changed
		       ? event_loop_watch(stat_run_loop(s->run), l->keys, EPOLLIN, on_keys, s, err)
		       : 0;
}

void live_leave(struct stat_cmd *s)
{
	struct stat_live *l = &s->live;

	if (!l->on)
		return;
	l->on = false;
	put(s, LEAVE);
	if (!l->changed)
		return;
	event_loop_forget(stat_run_loop(s->run), l->keys);
	tcsetattr(l->keys, TCSANOW, &l->before);
	l->changed = false;
}

static bool locale_is_utf8(void)
{
	bool utf8;

	setlocale(LC_CTYPE, "");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	setlocale(LC_CTYPE, "C");
	return utf8;
}

/* --- drawing ------------------------------------------------------------------------ */

static void find_size(struct stat_cmd *s)
{
	struct live_screen *screen = &s->live.screen;
	struct winsize ws;

	screen->width = 80;
	screen->height = 24;
	if (!ioctl(fileno(s->out.file), TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row) {
		screen->width = ws.ws_col;
		screen->height = ws.ws_row;
	}
}

static void draw(struct stat_cmd *s)
{
	struct stat_live *l = &s->live;
	struct strbuf title = STRBUF_INIT, out = STRBUF_INIT;

	if (!l->on)
		return;
	find_size(s);
	live_title(l->time, s->o.interval, s->o.command, &title);
	live_draw(&l->live, &s->view, &s->results->last, &l->screen, strbuf_str(&title), &out);
	put(s, strbuf_str(&out));
	strbuf_release(&title);
	strbuf_release(&out);
}

void live_interval(struct stat_cmd *s, u64 time)
{
	struct stat_live *l = &s->live;

	if (!l->asked)
		return;
	/* another run starts from 0 */
	live_take(&l->live, &s->results->last, time > l->time ? time - l->time : time);
	l->time = time;
	draw(s);
}

/* --- signals ------------------------------------------------------------------------ */

static int on_signal(void *ctx, const struct signalfd_siginfo *info, struct err *err)
{
	struct stat_cmd *s = ctx;
	int rc = STAT_GO_ON;

	if (info->ssi_signo == SIGTSTP) {
		/* Ctrl-Z: the shell is to have its screen meanwhile */
		live_leave(s);
		raise(SIGSTOP);
		rc = enter(s, err);
	} else if (info->ssi_signo != SIGWINCH) {
		rc = stat_run_signal(s->run, (int)info->ssi_signo);
	}
	draw(s);
	return rc;
}

static int watch_signals(struct stat_cmd *s, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return event_loop_signals(stat_run_loop(s->run), &set, on_signal, s, err);
}

/* --- beginning and end ---------------------------------------------------------------- */

int live_start(struct stat_cmd *s, struct err *err)
{
	struct stat_live *l = &s->live;
	const char *term = getenv("TERM");
	int rc;

	if (!l->asked)
		return 0;
	if (!isatty(fileno(s->out.file)) || !term || !*term || !strcmp(term, "dumb")) {
		fputs("--live: the output is no terminal: rows are printed\n", stderr);
		l->asked = false;
		return 0;
	}
	rc = watch_signals(s, err);
	if (rc)
		return rc;
	l->keys = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	l->screen.utf8 = locale_is_utf8();
	rc = enter(s, err);
	draw(s);
	/* what was on the screen is gone then */
	s->out.summary = true;
	return rc;
}

void live_end(struct stat_cmd *s)
{
	struct stat_live *l = &s->live;

	live_leave(s);
	live_release(&l->live);
	if (l->keys >= 0)
		close(l->keys);
	l->keys = -1;
}
