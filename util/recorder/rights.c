// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: what this user may not have, and what was done instead. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "kernel/rights.h"

#include <errno.h>

static void tell_events(const struct record *r)
{
	struct rights rights;

	if (r->kevents.user_only) {
		rights_read(&r->sysroot, &rights);
		fprintf(stderr,
			"Warning:\nOnly user space is recorded: samples of the kernel need "
			"/proc/sys/kernel/perf_event_paranoid to be 1 or lower, it is %d\n"
			"(sudo sysctl kernel.perf_event_paranoid=1), or the capability CAP_PERFMON.\n",
			rights.paranoid);
	}
	if (r->kevents.no_namespaces)
		fprintf(stderr,
			"Warning:\nNamespaces are recorded as they are at the start only: changes need the "
			"capability CAP_PERFMON.\n");
}

void record_tell_limits(const struct record *r, int rc, bool asked, struct err *err)
{
	/* one ring for each CPU, or for each thread */
	const size_t nr = r->cpus.nr ? r->cpus.nr : r->tids.nr;
	const bool refused = rc == -EPERM;
	struct strbuf sb = STRBUF_INIT;

	if (!r->quiet && !rc)
		tell_events(r);
	if (refused || (!rc && asked && r->rings.pages < r->rings.wanted))
		rights_memory(&r->sysroot, nr, r->rings.wanted, &sb);
	if (refused)
		err_set(err, rc, "Permission error mapping pages.\n%s", strbuf_str(&sb));
	else if (sb.len && !r->quiet)
		fprintf(stderr,
			"Ring buffers made smaller, %zu instead of %zu pages each: this user may not lock more memory.\n%s",
			r->rings.pages, r->rings.wanted, strbuf_str(&sb));
	strbuf_release(&sb);
}

void record_tell_hidden(const struct record *r)
{
	struct strbuf sb = STRBUF_INIT;

	if (!r->quiet && r->seen.kernel_hit && rights_addresses(&r->sysroot, &sb))
		fprintf(stderr,
			"Warning:\nSamples in the kernel will have no names where no vmlinux is found: %s",
			strbuf_str(&sb));
	strbuf_release(&sb);
}
