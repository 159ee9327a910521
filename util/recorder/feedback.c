// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record of the whole system sees the recorder too. It wakes up once per half of a ring; that
 * is next to nothing, and belongs into the picture; but with small rings, or a wake-up for each
 * record, what it does to record makes further events. Where they become many the kernel is told to
 * leave its tracepoints out.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include <dirent.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LOOK_AT 4096 /* samples that say something */

/* Those that empty rings and those that compress; a filter has a page of text. */
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

size_t record_feedback_leave_out(struct record *r, int cpu)
{
	struct strbuf filter = STRBUF_INIT;
	size_t nr = 0;

	filter_of_threads(&filter);
	/* An event that has a filter keeps it. */
	for (size_t i = 0; i < r->kevents.nr; i++)
		if ((cpu < 0 || r->kevents.fds[i].cpu == cpu) &&
		    evsel_is_tracepoint(r->evlist.evsels[r->kevents.fds[i].evsel]))
			nr += !ioctl(r->kevents.fds[i].fd, PERF_EVENT_IOC_SET_FILTER,
				     strbuf_str(&filter));
	strbuf_release(&filter);
	return nr;
}

void record_feedback_handed(struct record *r, const struct iovec *iov, int nr)
{
	if (r->fed_watched && !r->fed_back)
		scan_count_own(r->scan, iov, nr, &r->handed.samples, &r->handed.own);
}

/* Up to now, in the current output file. With a compress thread the scan is behind. */
static struct own_share count_so_far(const struct record *r)
{
	struct own_share all = { r->seen.samples, r->seen.own };

	if (r->compress_thread)
		return r->handed;
	pumps_share(r, &all);
	return all;
}

static int look(struct record *r, void *ctx, bool any, struct err *err)
{
	struct own_share now = count_so_far(r);
	u64 samples = now.samples - r->fed.samples, own = now.own - r->fed.own;

	(void)ctx;
	(void)any;
	(void)err;
	if (now.samples < r->fed.samples)
		/* an output file began: it is counted anew */
		r->fed = (struct own_share){ 0 };
	else if (!r->fed_back && samples >= LOOK_AT) {
		r->fed = now;
		r->fed_back = own > samples / 4;
		if (r->fed_back && record_feedback_leave_out(r, -1) && !r->quiet)
			fprintf(stderr,
				"Many events were the recorder's own: they are left out from here on "
				"(--exclude-perf does so from the start).\n");
	}
	return LOOP_GO_ON;
}

void record_feedback_start(struct record *r)
{
	for (size_t i = 0; i < r->evlist.nr && r->sample.system_wide; i++) {
		if (!evsel_is_tracepoint(r->evlist.evsels[i]))
			continue;
		r->fed_watched = true;
		loop_check(r, look, NULL);
		return;
	}
}
