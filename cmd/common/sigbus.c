// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that become shorter while they are mapped: a recording that is being replaced, a library
 * that is being installed. The kernel says so with SIGBUS, at whatever byte is then not there.
 *
 * There is nothing to go on with: what was read before agreed with what is gone. Only functions
 * that signal-safety(7) lists are called here.
 */
#include "base/compat.h"

#include "cmd/common/pager.h"
#include "cmd/common/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text, size_t len)
{
	(void)!write(STDERR_FILENO, text, len);
}

/* The hexadecimal number at *@p, which moves behind it. */
static uintptr_t number(const char **p)
{
	uintptr_t v = 0;

	for (; **p; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uintptr_t)(c - 'a' + 10);
		else
			break;
	}
	return v;
}

/* The file mapped at @addr; in @line, which held the line. NULL: not found. */
static const char *name_at(uintptr_t addr, char *line, size_t size)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	char c;

	while (fd >= 0 && read(fd, &c, 1) == 1) {
		const char *p = line;

		if (c != '\n') {
			if (len < size - 1)
				line[len++] = c;
			continue;
		}
		line[len] = 0;
		len = 0;
		if (number(&p) > addr || *p++ != '-' || number(&p) <= addr)
			continue;
		close(fd);
		while (*p && *p != '/')
			p++;
		return *p ? p : NULL;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	static const char what[] =
		" became shorter while it was read: what is told up to here is all "
		"there is.\nRun perf again when it is whole.\n";
	static atomic_flag told = ATOMIC_FLAG_INIT;
	char line[4352];
	const char *name;

	(void)context;
	if (info->si_code != BUS_ADRERR) { /* a fault of our own: not to be hidden */
		signal(sig, SIG_DFL);
		return;
	}
	while (atomic_flag_test_and_set(&told))
		pause(); /* another thread is telling it, and ends the process */
	name = name_at((uintptr_t)info->si_addr, line, sizeof(line));
	if (!name)
		name = "A file";
	say("\n", 1);
	say(name, strlen(name));
	say(what, sizeof(what) - 1);
	end_pager();
	_exit(255);
}

void handle_sigbus(void)
{
	struct sigaction sa = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}
