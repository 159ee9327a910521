// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments of the recorder: the fewest events that tell where time goes. */
#include "base/compat.h"

#include "triagetext/triagetext.h"

#include "base/alloc.h"
#include "events/parse.h"
#include "kernel/rights.h"

#include "recording/sample-filter.h"

#include <errno.h>
#include <unistd.h>

/* Waits are told by the call chain in which a task leaves its CPU, so that no event is needed for
 * each system call. Wakers matter, their call chains do not. */
static const struct verb_event of_chains[] = {
	{ "sched:sched_switch", .needed = true },
	{ "lock:contention_begin" },
};

static const struct verb_event plain[] = {
	{ "sched:sched_waking", "sched:sched_wakeup", true },
	{ "sched:sched_wakeup_new" },
	{ "lock:contention_end" },
	{ "syscalls:sys_enter_futex" },
	{ "syscalls:sys_exit_futex" },
	{ "block:block_bio_queue" },
	{ "block:block_rq_issue" },
	{ "block:block_rq_complete" },
	{ "irq:irq_handler_entry" },
	{ "irq:irq_handler_exit" },
	{ "irq:softirq_entry" },
	{ "irq:softirq_exit" },
};

#define CLOCK "cycles/call-graph=fp/"
#define FAULTS "page-faults/freq=1000/"

/* Append those events that there are with call chains. */
static void add_chains(struct verb_args *a, const struct sysroot *sr)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_chains); i++) {
		struct verb_args one;

		verb_args_init(&one, "");
		verb_args_events(&one, sr, &of_chains[i], 1);
		if (one.nr == 3) {
			verb_args_add(a, "-e");
			verb_args_own(a, xasprintf("%s/call-graph=fp,max-stack=32/", one.v[2]));
		}
		verb_args_release(&one);
	}
}

static bool may_see_all(const struct sysroot *sr)
{
	char *path = sysroot_path(sr, "%s/events/sched/sched_switch/id", tracefs_path(sr));
	bool readable = !access(path, R_OK);
	struct rights r;

	free(path);
	rights_read(sr, &r);
	return readable && (rights_perfmon(&r) || r.paranoid < 0);
}

int triage_check_pids(const struct sysroot *sr, const char *pids, struct err *err)
{
	struct sample_filter f = { 0 };
	int ret = pids ? sample_filter_pids(&f, pids, err) : 0;

	for (size_t i = 0; i < f.nr_pids && !ret; i++) {
		char *path = sysroot_path(sr, "/proc/%u", f.pids[i]);

		if (access(path, F_OK))
			ret = err_set(err, -ESRCH, "there is no process %u: see ps -e", f.pids[i]);
		free(path);
	}
	sample_filter_release(&f);
	return ret;
}

bool triage_record_args(struct verb_args *a, const struct triage_wanted *w,
			const struct sysroot *sr, int argc, const char **argv)
{
	bool all = may_see_all(sr);

	verb_args_init(a, "record");
	verb_args_add(a, "-q");
	verb_args_add(a, "-o");
	verb_args_add(a, w->file);
	if (all || (!w->command && !w->pids)) { /* who holds a CPU or a lock may be any program */
		verb_args_add(a, "-a");
	} else if (w->pids) {
		verb_args_add(a, "-p");
		verb_args_add(a, w->pids);
	}
	verb_args_add(a, "-e");
	verb_args_add(a, CLOCK);
	verb_args_add(a, "-e");
	verb_args_add(a, FAULTS);
	if (all) {
		add_chains(a, sr);
		verb_args_events(a, sr, plain, ARRAY_SIZE(plain));
	}
	if (argc)
		verb_args_add(a, "--");
	for (int i = 0; i < argc; i++)
		verb_args_add(a, argv[i]);
	return all;
}
