// SPDX-License-Identifier: GPL-2.0-or-later
/* A real terminal: modes of the tty, signals, and bytes that become events. */
#include "base/compat.h"
#include "ui/term/term.h"

#include "base/alloc.h"
#include "cli/terminal.h"
#include "ui/term/slang.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

enum {
	ESC_DELAY = 50,      /* ms within which the bytes of a sequence come */
	OUT = STDOUT_FILENO, /* where S-Lang writes, too */
	LEAST_ROWS = 4,
	LEAST_COLS = 20,
};

#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"
/* A terminal in any state needs this to show the shell: no mouse, no style, its cursor, its screen,
 * and arrow keys as they were. */
#define RESCUE MOUSE_OFF "\033[m\033[?25h\033[?1049l\033[?1l\033>"

/* Signals that end a process. */
static const int deadly[] = { SIGHUP,  SIGINT, SIGQUIT, SIGTERM, SIGABRT,
			      SIGSEGV, SIGBUS, SIGFPE,  SIGILL };

struct tty {
	struct term term;
	struct slang *slang;
	struct looks looks;
	int keys;    /* descriptor that keys are read from */
	int signals; /* signalfd of SIGWINCH, SIGTSTP and SIGCONT */
	sigset_t mask_before;
	struct termios before;
	struct sigaction action_before[ARRAY_SIZE(deadly)];
	bool mouse;
	char bytes[256]; /* that were read and are no event yet */
	size_t nr_bytes;
	u64 nr_events;    /* keys and mouse */
	const char *dump; /* $PERF_UI_SCREEN; borrowed */
};

/* ---- modes ---- */

/* Let go of the terminal without any knowledge of what it was before, as a signal handler has no
 * argument of ours. Only functions that signal-safety(7) lists are called. */
static void rescue(void)
{
	struct termios t;

	(void)!write(OUT, RESCUE, sizeof(RESCUE) - 1);
	if (tcgetattr(OUT, &t))
		return;
	t.c_lflag |= ICANON | ECHO | ISIG | IEXTEN;
	t.c_iflag |= ICRNL | IXON;
	t.c_oflag |= OPOST;
	tcsetattr(OUT, TCSANOW, &t);
}

static void on_deadly(int sig)
{
	rescue();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Tell whether a tool wants to see this signal itself. */
static bool is_watched(int sig)
{
	return heap_is_checked() && (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE ||
				     sig == SIGILL || sig == SIGABRT);
}

static void handle_signals(struct tty *t)
{
	struct sigaction sa = { .sa_handler = on_deadly, .sa_flags = SA_RESETHAND | SA_NODEFER };
	sigset_t mine;

	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaction(deadly[i], is_watched(deadly[i]) ? NULL : &sa, &t->action_before[i]);
	sigemptyset(&mine);
	sigaddset(&mine, SIGWINCH);
	sigaddset(&mine, SIGTSTP);
	sigaddset(&mine, SIGCONT);
	pthread_sigmask(SIG_BLOCK, &mine, &t->mask_before);
	t->signals = signalfd(-1, &mine, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void release_signals(struct tty *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaction(deadly[i], &t->action_before[i], NULL);
	pthread_sigmask(SIG_SETMASK, &t->mask_before, NULL);
	close(t->signals);
}

static void raw_keys(const struct tty *t)
{
	struct termios raw = t->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON | INLCR | IGNCR);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	tcsetattr(t->keys, TCSADRAIN, &raw);
}

static void get_size(u32 *rows, u32 *cols)
{
	struct winsize ws = { 0 };

	ioctl(OUT, TIOCGWINSZ, &ws);
	*rows = MAX(ws.ws_row ? ws.ws_row : 24, LEAST_ROWS);
	*cols = MAX(ws.ws_col ? ws.ws_col : 80, LEAST_COLS);
}

static void put(const char *text)
{
	(void)!write(OUT, text, strlen(text));
}

static int start(struct tty *t, struct err *err)
{
	int ret = slang_start(t->slang, &t->looks, t->term.screen.utf8, err);

	if (ret)
		return ret;
	raw_keys(t);
	if (t->mouse)
		put(MOUSE_ON);
	return 0;
}

static void stop(struct tty *t)
{
	if (t->mouse)
		put(MOUSE_OFF);
	slang_stop(t->slang);
	tcsetattr(t->keys, TCSADRAIN, &t->before);
}

/* ---- events ---- */

static void tty_show(struct term *term, bool all)
{
	struct tty *t = container_of(term, struct tty, term);

	slang_show(t->slang, &term->screen, all);
}

/* Write what tests read. The file is never seen half written. */
static void dump_screen(const struct tty *t)
{
	char *other = xasprintf("%s.new", t->dump);
	struct strbuf text = STRBUF_INIT;
	FILE *f = fopen(other, "we");

	strbuf_addf(&text, "%" PRIu64 "\n", t->nr_events);
	for (u32 y = 0; y < t->term.screen.rows; y++) {
		screen_row(&t->term.screen, y, &text);
		strbuf_addch(&text, '\n');
	}
	if (f) {
		fwrite(text.buf, 1, text.len, f);
		fclose(f);
		rename(other, t->dump);
	}
	strbuf_release(&text);
	free(other);
}

/* Take an event off the bytes that were read. */
static bool next_event(struct tty *t, bool final, struct term_event *ev)
{
	size_t n = key_decode(t->bytes, t->nr_bytes, final, ev);

	if (!n)
		return false;
	memmove(t->bytes, t->bytes + n, t->nr_bytes - n);
	t->nr_bytes -= n;
	t->nr_events++;
	return true;
}

static bool resized(struct term *term)
{
	struct tty *t = container_of(term, struct tty, term);
	u32 rows, cols;

	get_size(&rows, &cols);
	if (rows == term->screen.rows && cols == term->screen.cols)
		return false;
	screen_resize(&term->screen, rows, cols);
	slang_resize(t->slang);
	return true;
}

static void tty_lend(struct term *term, bool out)
{
	struct tty *t = container_of(term, struct tty, term);
	struct err err = { 0 };

	if (out) {
		stop(t);
		return;
	}
	resized(term);
	if (!start(t, &err))
		term_show(term, true);
}

static void tty_suspend(struct term *term)
{
	struct tty *t = container_of(term, struct tty, term);
	sigset_t stop_only;

	stop(t);
	/* The signal goes to the whole job of the shell, so that a pager in it stops, too. */
	sigemptyset(&stop_only);
	sigaddset(&stop_only, SIGTSTP);
	kill(0, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop_only, NULL); /* here it stops */
	pthread_sigmask(SIG_BLOCK, &stop_only, NULL);
	tty_lend(term, false);
}

/* Read the signals that came. Return: true and an event when they matter to others. */
static bool take_signals(struct tty *t, struct term_event *ev)
{
	struct signalfd_siginfo info;
	bool size = false, suspend = false, redraw = false;

	while (read(t->signals, &info, sizeof(info)) == sizeof(info)) {
		size |= info.ssi_signo == SIGWINCH;
		suspend |= info.ssi_signo == SIGTSTP;
		redraw |= info.ssi_signo == SIGCONT;
	}
	if (suspend) {
		tty_suspend(&t->term);
	} else if (redraw) { /* perf was stopped by a signal that nobody can catch */
		raw_keys(t);
		size = true;
	}
	if (!size && !suspend)
		return false;
	if (!resized(&t->term) && redraw)
		term_show(&t->term, true);
	*ev = (struct term_event){ .type = TERM_RESIZED };
	return true;
}

/* Read keys. Return: false: the terminal is gone. */
static bool read_keys(struct tty *t)
{
	ssize_t n = read(t->keys, t->bytes + t->nr_bytes, sizeof(t->bytes) - t->nr_bytes);

	if (n > 0)
		t->nr_bytes += (size_t)n;
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Wait. Return: an event came that is no key. */
static bool wait_for(struct tty *t, int timeout, struct term_event *ev)
{
	struct pollfd fds[] = { { t->keys, POLLIN, 0 }, { t->signals, POLLIN, 0 } };
	int n = poll(fds, ARRAY_SIZE(fds), timeout);

	*ev = (struct term_event){ .type = TERM_TIMEOUT };
	if (n < 0)
		return errno != EINTR;
	if (!n)
		return true;
	if (fds[1].revents && take_signals(t, ev))
		return true;
	if (fds[0].revents && !read_keys(t)) {
		ev->type = TERM_GONE;
		return true;
	}
	return false;
}

static void tty_event(struct term *term, int timeout, struct term_event *ev)
{
	struct tty *t = container_of(term, struct tty, term);

	while (!next_event(t, false, ev)) {
		if (t->nr_bytes) { /* the beginning of a sequence, or ESC */
			if (!wait_for(t, ESC_DELAY, ev))
				continue;
			if (ev->type != TERM_TIMEOUT || next_event(t, true, ev))
				return;
			t->nr_bytes = 0;
		}
		if (wait_for(t, 0, ev)) {
			if (ev->type != TERM_TIMEOUT || !timeout)
				return;
			if (t->dump)
				dump_screen(t);
			if (wait_for(t, timeout, ev))
				return;
		}
	}
}

/* ---- open and close ---- */

static void tty_close(struct term *term)
{
	struct tty *t = container_of(term, struct tty, term);

	stop(t);
	release_signals(t);
	slang_close(t->slang);
	screen_release(&term->screen);
	free(t);
}

static const struct term_ops tty_ops = { tty_show, tty_event, tty_suspend, tty_lend, tty_close };

bool term_usable(void)
{
	const char *type = getenv("TERM");

	return isatty(OUT) && type && *type && strcmp(type, "dumb") != 0 && isatty(STDIN_FILENO);
}

struct term *term_open(const struct config *c, struct err *err)
{
	struct tty *t = xzalloc(sizeof(*t));
	u32 rows, cols;

	t->term.ops = &tty_ops;
	t->keys = STDIN_FILENO;
	t->dump = getenv("PERF_UI_SCREEN");
	t->mouse = true;
	if (c)
		config_bool(c, "tui.mouse", &t->mouse, NULL);
	if (!term_usable() || tcgetattr(t->keys, &t->before)) {
		err_set(err, -ENOTTY,
			"--tui needs a terminal for its keys and its screen, and TERM that says "
			"which: use --stdio");
		free(t);
		return NULL;
	}
	t->slang = slang_open(err);
	if (!t->slang) {
		free(t);
		return NULL;
	}
	looks_init(&t->looks, c);
	get_size(&rows, &cols);
	screen_init(&t->term.screen, rows, cols, locale_is_utf8());
	fflush(NULL);
	handle_signals(t);
	if (start(t, err)) {
		release_signals(t);
		slang_close(t->slang);
		screen_release(&t->term.screen);
		free(t);
		return NULL;
	}
	return &t->term;
}

void term_close(struct term *t)
{
	if (t)
		t->ops->close(t);
}

void term_show(struct term *t, bool all)
{
	t->ops->show(t, all);
}

void term_event(struct term *t, int timeout, struct term_event *ev)
{
	t->ops->event(t, timeout, ev);
}

void term_suspend(struct term *t)
{
	t->ops->suspend(t);
}

void term_lend(struct term *t, bool out)
{
	t->ops->lend(t, out);
}
