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
#include "kernel/maps.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text, size_t len)
{
	(void)!write(STDERR_FILENO, text, len);
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
	name = maps_name_at((uintptr_t)info->si_addr, line, sizeof(line));
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
