// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recording of the whole system sees the recorder too. It wakes up once per half of a ring; that
 * is next to nothing, and belongs into the picture; but with small rings, or a wake-up for each
 * record, what it does to record makes further events. Where they become many the kernel is told to
 * leave its tracepoints out.
 */
#include "base/compat.h"
#include "recorder/statistics.h"

#include <dirent.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LOOK_AT 4096 /* samples that say something */

/* Write a filter that leaves out all our threads. The kernel takes one page of text at most. */
static void filter_of_threads(struct strbuf *out)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *e;

	strbuf_addf(out, "common_pid != %d", (int)getpid());
	while (dir && (e = readdir(dir)) && out->len < 4000)
		if (e->d_name[0] != '.' && strtol(e->d_name, NULL, 10) != getpid())
			strbuf_addf(out, " && common_pid != %s", e->d_name);
	if (dir)
		closedir(dir);
}

size_t feedback_leave_out(const struct opened *ev, int cpu)
{
	struct strbuf filter = STRBUF_INIT;
	size_t nr = 0;

	filter_of_threads(&filter);
	/* An event that has a filter keeps it. */
	for (size_t i = 0; i < ev->kevents.nr; i++) {
		const struct kfd *k = &ev->kevents.fds[i];

		if ((cpu < 0 || k->cpu == cpu) && evsel_is_tracepoint(ev->list->evsels[k->evsel]))
			nr += !ioctl(k->fd, PERF_EVENT_IOC_SET_FILTER, strbuf_str(&filter));
	}
	strbuf_release(&filter);
	return nr;
}

void feedback_look(struct feedback *f, const struct opened *ev, struct own_share now,
		   const struct notices *notes)
{
	u64 samples = now.samples - f->last.samples, own = now.own - f->last.own;

	if (!f->watched)
		return;
	if (now.samples < f->last.samples) {
		/* an output file began: it is counted anew */
		f->last = (struct own_share){ 0 };
	} else if (!f->left_out && samples >= LOOK_AT) {
		f->last = now;
		f->left_out = own > samples / 4;
		if (f->left_out && feedback_leave_out(ev, -1))
			notice(notes, "Many events were the recorder's own: they are left out from "
				      "here on (--exclude-perf does so from the start).\n");
	}
}

void feedback_start(struct feedback *f, const struct opened *ev, bool system_wide)
{
	f->watched = system_wide && opened_is_traced(ev);
}
