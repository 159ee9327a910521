// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of checks of a machine, and the machine that perf runs on. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "bpf/sys.h"
#include "kernel/supported.h"
#include "kernel/target.h"

#include <sys/resource.h>
#include <unistd.h>

static const struct {
	const char *name;
	doctor_check *check;
} checks[] = {
	{ "events", check_events },
	{ "rights", check_rights },
	{ "lockdown", check_lockdown },
	{ "container", check_container },
	{ "pmu", check_pmu },
	{ "branches", check_branches },
	{ "mem-events", check_mem_events },
	{ "watchdog", check_watchdog },
	{ "sample-rate", check_rate },
	{ "ring-memory", check_memory },
	{ "open-files", check_files },
	{ "kernel-symbols", check_addresses },
	{ "tracefs", check_tracefs },
	{ "kprobes", check_kprobes },
	{ "uprobes", check_uprobes },
	{ "bpf", check_bpf },
	{ "btf", check_btf },
	{ "debuginfod", check_debuginfod },
	{ "disassembler", check_disassembler },
	{ "interpreters", check_interpreters },
	{ "libraries", check_libraries },
};

/* Load a program that does nothing, of the kind that counters and filters use. */
static int load_program(struct err *err)
{
	struct bpf_code code = { 0 };
	int fd;

	bpf_return(&code, 0);
	fd = bpf_prog_new("perf_doctor", BPF_PROG_TYPE_PERF_EVENT, &code, err);
	bpf_code_release(&code);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

void doctor_here_init(struct doctor_here *h, const struct sysroot *sr,
		      const struct doctor_part *parts)
{
	struct int_list cpus = { 0 };
	struct rlimit lim;

	*h = (struct doctor_here){ .sr = sr,
				   .parts = parts,
				   .path = getenv("PATH"),
				   .servers = getenv("DEBUGINFOD_URLS"),
				   .counts = event_supported,
				   .loads_bpf = load_program };
	cpu_list_online(sr, &cpus, NULL);
	h->cpus = (unsigned int)MAX(cpus.nr, (size_t)1);
	int_list_release(&cpus);
	if (!getrlimit(RLIMIT_NOFILE, &lim)) {
		h->open_files = lim.rlim_cur;
		h->open_files_most = lim.rlim_max;
	}
	if (!getrlimit(RLIMIT_MEMLOCK, &lim))
		h->locked_memory = lim.rlim_cur == RLIM_INFINITY ? UINT64_MAX : lim.rlim_cur;
}

void doctor_machine(const struct doctor_here *h, struct doctor_findings *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(checks); i++)
		checks[i].check(h, finding_add(out, checks[i].name));
}
