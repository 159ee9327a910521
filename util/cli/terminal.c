// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[H\033[2J" /* the other screen, no cursor */
#define LEAVE "\033[?25h\033[?1049l"

bool locale_is_utf8(void)
{
	bool utf8;

	setlocale(LC_CTYPE, "");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	setlocale(LC_CTYPE, "C");
	return utf8;
}

bool terminal_open(struct terminal *t, int screen)
{
	const char *term = getenv("TERM");

	*t = (struct terminal){ .screen = screen, .keys = -1 };
	if (!isatty(screen) || !term || !*term || !strcmp(term, "dumb"))
		return false;
	t->keys = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	t->utf8 = locale_is_utf8();
	return true;
}

void terminal_close(struct terminal *t)
{
	terminal_leave(t);
	if (t->keys >= 0)
		close(t->keys);
	t->keys = -1;
}

void terminal_put(const struct terminal *t, const char *text)
{
	size_t len = strlen(text);

	while (len) {
		ssize_t n = write(t->screen, text, len);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

void terminal_enter(struct terminal *t)
{
	struct termios raw;

	if (t->keys >= 0 && tcgetpgrp(t->keys) == getpgrp() && !tcgetattr(t->keys, &t->before)) {
		raw = t->before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 1;
		raw.c_cc[VTIME] = 0;
		t->raw = !tcsetattr(t->keys, TCSANOW, &raw);
	}
	terminal_put(t, ENTER);
	t->on = true;
}

void terminal_leave(struct terminal *t)
{
	if (!t->on)
		return;
	t->on = false;
	terminal_put(t, LEAVE);
	if (t->raw)
		tcsetattr(t->keys, TCSANOW, &t->before);
	t->raw = false;
}

void terminal_size(const struct terminal *t, u32 *width, u32 *height)
{
	struct winsize ws;
	bool known = !ioctl(t->screen, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row;

	*width = known ? ws.ws_col : 80;
	*height = known ? ws.ws_row : 24;
}

bool terminal_key(const struct terminal *t, char key)
{
	char keys[64];
	ssize_t n = read(t->keys, keys, sizeof(keys));

	if (n > 0)
		return memchr(keys, key, (size_t)n);
	return !n || (errno != EAGAIN && errno != EINTR);
}
