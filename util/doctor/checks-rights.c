// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of what the user may measure and see. The rules are those of kernel/rights.h. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "kernel/rights.h"

#define SECURITYFS "/sys/kernel/security"
#define SETCAP "sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog=ep PERF"

void check_events(const struct doctor_here *h, struct doctor_finding *f)
{
	struct rights r;

	rights_read(h->sr, &r);
	if (!r.no_file) {
		finding_text(f, DOCTOR_OK, "the kernel has perf events");
		return;
	}
	finding_text(f, DOCTOR_MISSING,
		     "/proc/sys/kernel/perf_event_paranoid is not there: a kernel without "
		     "CONFIG_PERF_EVENTS, or a container that hides it");
	finding_fix(f, "run perf on the host, or a kernel with CONFIG_PERF_EVENTS");
}

void check_rights(const struct doctor_here *h, struct doctor_finding *f)
{
	static const struct {
		int most; /* the highest perf_event_paranoid with these rights */
		const char *text;
	} levels[] = {
		{ -1, "everything, tracepoints on all CPUs among it" },
		{ 0, "everything but tracepoints on whole CPUs" },
		{ 1, "own processes, with what the kernel does for them, but no whole CPUs" },
		{ 2, "user space of own processes alone" },
	};
	struct rights r;
	size_t i;

	rights_read(h->sr, &r);
	if (rights_perfmon(&r)) {
		finding_text(f, DOCTOR_OK, "may measure everything, by capability%s",
			     r.seccomp ? "; a seccomp filter may still forbid it" : "");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(levels) && r.paranoid > levels[i].most; i++)
		;
	if (i == ARRAY_SIZE(levels))
		finding_text(f, DOCTOR_MISSING,
			     "may measure nothing: kernel.perf_event_paranoid is %d, above the 2 "
			     "of the kernel's own rules",
			     r.paranoid);
	else
		finding_text(f, i ? DOCTOR_LIMITED : DOCTOR_OK,
			     "may measure %s: kernel.perf_event_paranoid is %d", levels[i].text,
			     r.paranoid);
	if (r.user_ns && r.caps)
		finding_fix(f, "leave the user namespace, in which capabilities do not count for "
			       "perf, or on the host: sudo sysctl kernel.perf_event_paranoid=-1");
	else if (i)
		finding_fix(f, "sudo sysctl kernel.perf_event_paranoid=-1, or for this program "
			       "alone: " SETCAP);
}

void check_addresses(const struct doctor_here *h, struct doctor_finding *f)
{
	struct strbuf why = STRBUF_INIT;

	if (rights_addresses(h->sr, &why))
		finding_sentences(f, DOCTOR_MISSING, "", strbuf_str(&why));
	else
		finding_text(f, DOCTOR_OK, "addresses of the kernel's functions are told");
	strbuf_release(&why);
}

void check_lockdown(const struct doctor_here *h, struct doctor_finding *f)
{
	/* The folder is there in all kernels that can be locked down; what is in it, only when it
	 * is mounted, as in few containers. */
	if (here_has(h, SECURITYFS) && !here_has(h, SECURITYFS "/lsm") &&
	    !here_has(h, SECURITYFS "/lockdown")) {
		finding_text(f, DOCTOR_LIMITED,
			     "whether the kernel is locked down is not known: securityfs is not "
			     "mounted");
		finding_fix(f, "sudo mount -t securityfs nodev " SECURITYFS);
		return;
	}
	switch (sysroot_lockdown(h->sr)) {
	case LOCKDOWN_NONE:
		finding_text(f, DOCTOR_OK, "the kernel is not locked down");
		break;
	case LOCKDOWN_INTEGRITY:
		finding_text(f, DOCTOR_LIMITED,
			     "the kernel is locked down for integrity: it takes no kprobes of some "
			     "kinds, and BPF programs may not write to its memory");
		break;
	case LOCKDOWN_CONFIDENTIALITY:
		finding_text(f, DOCTOR_LIMITED,
			     "the kernel is locked down for confidentiality: kprobes, registers "
			     "(-I) and BPF that reads its memory are refused, to root as well");
		finding_fix(f, "boot with lockdown=integrity or without it");
		break;
	}
}
