// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record of whole CPUs: one that went offline and comes back. The kernel has let go of its
 * events for good: they are opened anew, into the ring that is there. Their ids are new ones, which
 * the file learns at its end; a stream has told its ids by then, so there nothing is done.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "kernel/cpu-watch.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

static int open_again(struct record *r, int cpu, struct err *err)
{
	struct open_opts o = { .sysroot = &r->sysroot,
			       .cpus = &r->cpus,
			       .tids = &r->tids,
			       .tried = r->verbose > 1 ? record_show_try : NULL,
			       .note_ctx = r };
	int rc = kevents_reopen(&r->kevents, &r->evlist, &o, cpu, err);

	if (!rc)
		return 0;
	r->new_ids = true;
	/* other threads that look at records look ids up meanwhile: not the new ones */
	if (!r->compress_thread && !r->threads)
		evlist_index(&r->evlist);
	if (rc > 0)
		rc = bpf_filters_attach_cpu(&r->filters, &r->kevents, cpu, err);
	if (!rc && r->fed_back)
		record_feedback_leave_out(r, cpu);
	for (size_t i = 0; !rc && i < r->kevents.nr; i++)
		if (r->kevents.fds[i].cpu == cpu && r->kevents.fds[i].on)
			kfd_enable(&r->kevents.fds[i], true);
	if (!rc && r->verbose)
		fprintf(stderr, "CPU %d came back and is recorded again\n", cpu);
	return rc;
}

static int on_cpu(struct record *r, void *ctx, u32 revents, struct err *err)
{
	int cpu;

	(void)ctx;
	(void)revents;
	(void)err;
	while ((cpu = cpu_watch_read(r->cpu_watch)) >= 0) {
		struct err why = { 0 };

		/* the others go on, whatever happens to this one */
		if (open_again(r, cpu, &why) && !r->quiet)
			fprintf(stderr, "CPU %d came back, but is not recorded again: %s\n", cpu,
				why.msg);
	}
	return LOOP_GO_ON;
}

int record_hotplug_start(struct record *r, struct err *err)
{
	if (!r->sample.system_wide || r->writer.pipe)
		return 0;
	r->cpu_watch = cpu_watch_open();
	/* where nothing is announced, CPUs that come back stay silent */
	return r->cpu_watch < 0 ? 0 : loop_watch(r, r->cpu_watch, EPOLLIN, on_cpu, NULL, err);
}

void record_hotplug_release(struct record *r)
{
	if (r->cpu_watch > 0)
		close(r->cpu_watch);
}
