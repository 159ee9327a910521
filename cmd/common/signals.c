// SPDX-License-Identifier: GPL-2.0-or-later
/* Die of the signal that ended the work. */
#include "base/compat.h"
#include "cmd/common/signals.h"

#include "cmd/common/sdt.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

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
