// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of limits: memory of rings, open files, the rate of samples. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "kernel/rights.h"

#include <linux/capability.h>

#define DEFAULT_KB 516    /* a ring of 512 kB with its control page, the kernel's own default */
#define DEFAULT_FREQ 4000 /* of perf record */
#define EVENTS_GENEROUS 64

static bool has_cap(const struct doctor_here *h, int cap)
{
	struct rights r;

	rights_read(h->sr, &r);
	return !r.user_ns && r.caps >> cap & 1;
}

void check_memory(const struct doctor_here *h, struct doctor_finding *f)
{
	u64 kb = 0;

	if (h->locked_memory == UINT64_MAX || has_cap(h, CAP_IPC_LOCK)) {
		finding_text(f, DOCTOR_OK, "rings of any size can be had (-m)");
		return;
	}
	if (sysroot_read_u64(h->sr, &kb, "/proc/sys/kernel/perf_event_mlock_kb")) {
		finding_text(f, DOCTOR_LIMITED, "kernel.perf_event_mlock_kb cannot be read");
		return;
	}
	finding_text(f, kb < DEFAULT_KB ? DOCTOR_LIMITED : DOCTOR_OK,
		     "rings may take %" PRIu64 " kB for each CPU, all recordings of this user "
		     "together, and %" PRIu64 " kB more (ulimit -l)",
		     kb, h->locked_memory / 1024);
	if (kb < DEFAULT_KB)
		finding_fix(f, "sudo sysctl kernel.perf_event_mlock_kb=%d, or ulimit -l",
			    DEFAULT_KB);
}

void check_files(const struct doctor_here *h, struct doctor_finding *f)
{
	u64 most = MAX(h->open_files, h->open_files_most);
	u64 events = most > FILES_SPARE ? (most - FILES_SPARE) / h->cpus : 0;

	/* The soft limit is raised when events are opened. */
	finding_text(f, events < EVENTS_GENEROUS ? DOCTOR_LIMITED : DOCTOR_OK,
		     "%" PRIu64 " files may be open: %" PRIu64 " events on %u CPUs", most, events,
		     h->cpus);
	if (events < EVENTS_GENEROUS)
		finding_fix(f, "ulimit -n %u as root, or a line in /etc/security/limits.conf",
			    EVENTS_GENEROUS * h->cpus + FILES_SPARE);
}

void check_rate(const struct doctor_here *h, struct doctor_finding *f)
{
	u64 rate = 0;

	if (sysroot_read_u64(h->sr, &rate, "/proc/sys/kernel/perf_event_max_sample_rate")) {
		finding_text(f, DOCTOR_LIMITED, "kernel.perf_event_max_sample_rate cannot be read");
		return;
	}
	finding_text(f, rate < DEFAULT_FREQ ? DOCTOR_LIMITED : DOCTOR_OK,
		     "up to %" PRIu64 " samples a second of an event on a CPU%s", rate,
		     rate < DEFAULT_FREQ ? ": the kernel has lowered that because samples took too "
					   "long"
					 : "");
	if (rate < DEFAULT_FREQ)
		finding_fix(f, "sudo sysctl kernel.perf_event_max_sample_rate=100000 "
			       "kernel.perf_cpu_time_max_percent=50");
}

void check_watchdog(const struct doctor_here *h, struct doctor_finding *f)
{
	u64 on = 0;

	if (sysroot_read_u64(h->sr, &on, "/proc/sys/kernel/nmi_watchdog") || !on) {
		finding_text(f, DOCTOR_OK, "the NMI watchdog takes no counter");
		return;
	}
	finding_text(f, DOCTOR_LIMITED, "the NMI watchdog takes one hardware counter of each CPU");
	finding_fix(f, "while you measure many events: sudo sysctl kernel.nmi_watchdog=0");
}
