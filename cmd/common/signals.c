// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/signals.h"

#include "cmd/common/pager.h"
#include "cmd/common/sdt.h"
#include "kernel/maps.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- die of the signal that ended the work ---- */

void end_by_signal(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t set;

	sdt_probes_end();
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}

/*
 * ---- files that become shorter while they are mapped ----
 *
 * Such a file is a recording that is being replaced, or a library that is being installed. The
 * kernel sends SIGBUS at whatever byte is then not there. There is nothing to go on with: what was
 * read before agreed with what is gone. Only functions that signal-safety(7) lists are called here.
 */

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
