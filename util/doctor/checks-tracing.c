// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of tracepoints, probes and BPF. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "base/alloc.h"
#include "events/parse.h"
#include "kernel/probe-files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void check_tracefs(const struct doctor_here *h, struct doctor_finding *f)
{
	const char *root = tracefs_path(h->sr);
	struct strbuf text = STRBUF_INIT;
	char *path = xasprintf("%s/events", root);
	int ret;

	if (!here_has(h, path) && errno == EACCES) {
		finding_text(f, DOCTOR_MISSING, "%s is for root: there are no tracepoints", root);
		finding_fix(f, "run as root, or sudo mount -o remount,mode=755 %s", root);
	} else if (!here_has(h, path)) {
		finding_text(f, DOCTOR_MISSING, "tracefs is not mounted: there are no tracepoints");
		finding_fix(f, "sudo mount -t tracefs nodev /sys/kernel/tracing; its folder is for "
			       "root: sudo mount -o remount,mode=755 /sys/kernel/tracing");
	} else if ((ret = sysroot_read(h->sr, &text, "%s/sched/sched_switch/id", path))) {
		finding_text(f, DOCTOR_MISSING, "tracepoints in %s cannot be read: %s", root,
			     err_str(ret));
		finding_fix(f, "run as root, or sudo mount -o remount,mode=755 %s", root);
	} else {
		finding_text(f, DOCTOR_OK, "tracepoints are readable in %s", root);
	}
	strbuf_release(&text);
	free(path);
}

/* Check whether probes can be made by writing to a file of tracefs. */
static void check_probes(const struct doctor_here *h, struct doctor_finding *f,
			 enum probe_file which, const char *name, const char *what)
{
	char *path = sysroot_path(h->sr, "%s/%s", tracefs_path(h->sr), name);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), code = -errno;
	struct err err = { 0 };
	char text[80];

	free(path);
	if (fd >= 0) {
		close(fd);
		finding_text(f, DOCTOR_OK, "%s can be made", what);
		return;
	}
	probe_file_refused(h->sr, which, code, &err);
	snprintf(text, sizeof(text), "%s cannot be made: ", what);
	finding_sentences(f, DOCTOR_MISSING, text, err.msg);
	if (code == -EACCES || code == -EPERM)
		finding_fix(f, "run perf probe as root; the events it makes can be recorded by "
			       "others");
}

void check_kprobes(const struct doctor_here *h, struct doctor_finding *f)
{
	check_probes(h, f, PROBE_FILE_KERNEL, "kprobe_events", "probes on functions of the kernel");
}

void check_uprobes(const struct doctor_here *h, struct doctor_finding *f)
{
	check_probes(h, f, PROBE_FILE_USER, "uprobe_events", "probes on functions of programs");
}

void check_bpf(const struct doctor_here *h, struct doctor_finding *f)
{
	struct err err = { 0 };

	if (!here_has(h, "/proc/sys/kernel/unprivileged_bpf_disabled") && !h->loads_bpf) {
		finding_text(f, DOCTOR_MISSING, "the kernel has no BPF (CONFIG_BPF_SYSCALL)");
		return;
	}
	if (!h->loads_bpf || !h->loads_bpf(&err)) {
		finding_text(
			f, DOCTOR_OK,
			"BPF programs can be loaded: filters of samples, off-CPU time, counters "
			"(--filter, --off-cpu, --bpf-counters)");
		return;
	}
	finding_sentences(f, DOCTOR_MISSING, "BPF programs cannot be loaded: ", err.msg);
	if (!f->fix && (err.code == -EPERM || err.code == -EACCES))
		finding_fix(f, "run as root, or sudo setcap cap_bpf,cap_perfmon=ep PERF");
}

void check_btf(const struct doctor_here *h, struct doctor_finding *f)
{
	if (here_has(h, "/sys/kernel/btf/vmlinux")) {
		finding_text(f, DOCTOR_OK, "the kernel tells its types");
		return;
	}
	finding_text(f, DOCTOR_LIMITED,
		     "the kernel does not tell its types: BPF programs that need them "
		     "(--off-cpu, lock contention -b) and names of enums cannot be had");
	finding_fix(f, "a kernel with CONFIG_DEBUG_INFO_BTF");
}
