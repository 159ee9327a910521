// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --live: the terminal, its keys and its size. What is on it comes from
 * output/stat-live.c. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[H\033[2J" /* the other screen, no cursor */
#define LEAVE "\033[?25h\033[?1049l"

/* For exit(), wherever that is called. */
static struct stat_live *shown;

static void put(const struct stat_live *l, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(l->screen, text, len);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

static void enter(struct stat_live *l)
{
	struct termios raw;

	/* what another one in the foreground is typed is not ours */
	if (l->keys >= 0 && tcgetpgrp(l->keys) == getpgrp() && !tcgetattr(l->keys, &l->before)) {
		raw = l->before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 1;
		raw.c_cc[VTIME] = 0;
		l->changed = !tcsetattr(l->keys, TCSANOW, &raw);
	}
	put(l, ENTER);
	l->on = true;
}

static void leave(struct stat_live *l)
{
	if (!l->on)
		return;
	l->on = false;
	put(l, LEAVE);
	if (l->changed)
		tcsetattr(l->keys, TCSANOW, &l->before);
	l->changed = false;
}

static void leave_at_exit(void)
{
	if (shown)
		leave(shown);
}

static bool locale_is_utf8(void)
{
	bool utf8;

	setlocale(LC_CTYPE, "");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	setlocale(LC_CTYPE, "C");
	return utf8;
}

int live_start(struct stat_cmd *s, struct err *err)
{
	struct stat_live *l = &s->side.live;
	const char *term = getenv("TERM");
	sigset_t set;

	if (!l->asked)
		return 0;
	l->screen = fileno(s->out);
	if (!isatty(l->screen) || !term || !*term || !strcmp(term, "dumb")) {
		fputs("--live: the output is no terminal: rows are printed\n", stderr);
		l->asked = false;
		return 0;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->signals < 0)
		return err_set(err, -errno, "--live: no descriptor for signals: %s",
			       err_str(-errno));
	l->keys = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	l->utf8 = locale_is_utf8();
	shown = l;
	atexit(leave_at_exit);
	enter(l);
	live_show(s);
	/* what was on the screen is gone then */
	s->summary = true;
	return 0;
}

static void size_of(const struct stat_live *l, struct live_screen *out)
{
	struct winsize ws;

	*out = (struct live_screen){ .width = 80, .height = 24, .utf8 = l->utf8 };
	if (!ioctl(l->screen, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row) {
		out->width = ws.ws_col;
		out->height = ws.ws_row;
	}
}

void live_show(struct stat_cmd *s)
{
	struct stat_live *l = &s->side.live;
	struct strbuf title = STRBUF_INIT, out = STRBUF_INIT;
	struct live_screen screen;

	if (!l->on)
		return;
	size_of(l, &screen);
	strbuf_addf(&title, "perf stat: %.1f s, every %u ms; q ends", (double)l->time / 1e9,
		    s->interval);
	for (char **arg = s->command; arg && *arg; arg++) {
		strbuf_addstr(&title, arg == s->command ? "   " : " ");
		strbuf_addname(&title, *arg);
	}
	live_draw(&l->live, &s->view, &s->result, &screen, strbuf_str(&title), &out);
	put(l, strbuf_str(&out));
	strbuf_release(&title);
	strbuf_release(&out);
}

void live_interval(struct stat_cmd *s, u64 time)
{
	struct stat_live *l = &s->side.live;

	if (!l->asked)
		return;
	/* another run starts from 0 */
	live_take(&l->live, &s->result, time > l->time ? time - l->time : time);
	l->time = time;
	live_show(s);
}

/* Ctrl-Z: the shell is to have its screen meanwhile. */
static void stop(struct stat_live *l)
{
	leave(l);
	raise(SIGSTOP);
	enter(l);
}

static void take_signals(struct stat_cmd *s)
{
	struct stat_live *l = &s->side.live;
	struct signalfd_siginfo si;
	bool again = false;

	while (read(l->signals, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGTSTP)
			stop(l);
		else if (si.ssi_signo != SIGWINCH)
			s->signal = (int)si.ssi_signo;
		again = true;
	}
	if (again)
		live_show(s);
}

static void take_keys(struct stat_cmd *s)
{
	struct stat_live *l = &s->side.live;
	char keys[64];
	ssize_t n;

	if (!l->changed)
		return;
	n = read(l->keys, keys, sizeof(keys));
	/* the terminal is gone */
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		s->side.quit = true;
	if (n > 0 && memchr(keys, 'q', (size_t)n))
		s->side.quit = true;
}

void live_serve(struct stat_cmd *s)
{
	if (!s->side.live.on)
		return;
	take_signals(s);
	take_keys(s);
}

void live_leave(struct stat_cmd *s)
{
	leave(&s->side.live);
}

void live_end(struct stat_cmd *s)
{
	struct stat_live *l = &s->side.live;

	leave(l);
	shown = NULL;
	live_release(&l->live);
	if (l->keys >= 0)
		close(l->keys);
	if (l->signals >= 0)
		close(l->signals);
	l->keys = l->signals = -1;
}
