// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks of what the processor counts. */
#include "base/compat.h"
#include "doctor/doctor-internal.h"

#include "events/pmu.h"

#include <linux/perf_event.h>

/* Tell whether the processor says that it is one of a virtual machine. */
static bool is_guest(const struct doctor_here *h)
{
	struct strbuf text = STRBUF_INIT;
	bool guest;

	sysroot_read_max(h->sr, 1 << 24, &text, "/proc/cpuinfo");
	guest = strstr(strbuf_str(&text), " hypervisor") != NULL;
	strbuf_release(&text);
	return guest;
}

/* Append the names of the PMUs of cores. Return: how many there are. */
static size_t core_pmus(const struct pmus *pmus, struct strbuf *names)
{
	size_t i, nr = 0;

	for (i = 0; i < pmus->nr; i++)
		if (pmus->v[i].core)
			strbuf_addf(names, nr++ ? ", %s" : "%s", pmus->v[i].name);
	return nr;
}

void check_pmu(const struct doctor_here *h, struct doctor_finding *f)
{
	struct strbuf names = STRBUF_INIT;
	struct pmus pmus = { 0 };
	size_t nr;

	pmus_scan(&pmus, h->sr);
	nr = core_pmus(&pmus, &names);
	if (nr && (!h->counts || h->counts(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES))) {
		finding_text(f, DOCTOR_OK, "hardware counters: %s", strbuf_str(&names));
	} else {
		finding_text(f, DOCTOR_MISSING,
			     "%s: cycles, instructions and caches cannot be counted, and samples "
			     "are taken by a timer (cpu-clock)",
			     nr ? "the hardware counters do not count cycles"
				: "no hardware counters");
		if (is_guest(h))
			finding_fix(f, "this is a virtual machine: have its host give it counters "
				       "(KVM: -cpu host,pmu=on), or use a bare-metal one");
		else if (nr)
			finding_fix(f, "see rights above, and whether something else has all "
				       "counters");
	}
	pmus_release(&pmus);
	strbuf_release(&names);
}

void check_branches(const struct doctor_here *h, struct doctor_finding *f)
{
	u64 nr = 0;

	sysroot_read_u64(h->sr, &nr, "/sys/bus/event_source/devices/cpu/caps/branches");
	if (!nr)
		sysroot_read_u64(h->sr, &nr,
				 "/sys/bus/event_source/devices/cpu_core/caps/branches");
	if (nr)
		finding_text(f, DOCTOR_OK,
			     "the last %" PRIu64 " branches can be recorded (-b, --call-graph lbr)",
			     nr);
	else
		finding_text(f, DOCTOR_MISSING,
			     "the processor's last branches (-b, --call-graph "
			     "lbr) are not offered here");
}

void check_mem_events(const struct doctor_here *h, struct doctor_finding *f)
{
	static const struct {
		const char *file, *name;
	} kinds[] = {
		{ "cpu/events/mem-loads", "mem-loads of the processor" },
		{ "cpu_core/events/mem-loads", "mem-loads of the processor" },
		{ "ibs_op/type", "ibs_op of AMD" },
		{ "arm_spe_0/type", "the statistical profiling extension of Arm" },
	};
	char path[160];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", kinds[i].file);
		if (here_has(h, path)) {
			finding_text(f, DOCTOR_OK, "accesses to memory can be sampled, by %s",
				     kinds[i].name);
			return;
		}
	}
	finding_text(f, DOCTOR_MISSING,
		     "accesses to memory with their addresses cannot be sampled (perf mem, c2c)");
}
