// SPDX-License-Identifier: GPL-2.0-or-later
/* perf record: what is recorded. Options that choose processes, users, CPUs and control groups, and
 * what is said of those that are there already. */
#include "base/compat.h"
#include "recorder/recorder-internal.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "kernel/cgroup.h"

#include <errno.h>

int record_opt_synth(const struct option *opt, const char *arg, int unset)
{
	static const struct {
		const char *name;
		unsigned int bits;
	} kinds[] = {
		{ "no", 0 },
		{ "all", SYNTH_ALL },
		{ "task", SYNTH_TASKS },
		/* a map without its process says nothing */
		{ "mmap", SYNTH_TASKS | SYNTH_MAPS },
		{ "cgroup", SYNTH_CGROUPS },
	};
	struct record *r = opt->value;
	bool none = unset;

	r->synth = 0;
	for (const char *p = arg; !unset; p++) {
		size_t len = strcspn(p, ","), i;

		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			if (strlen(kinds[i].name) == len && !strncasecmp(kinds[i].name, p, len))
				break;
		if (i == ARRAY_SIZE(kinds)) {
			fprintf(stderr, "Invalid synth option: %s\n", arg);
			return -1;
		}
		r->synth |= kinds[i].bits;
		none |= !i;
		p += len;
		if (!*p)
			break;
	}
	if (none)
		r->synth = 0;
	return 0;
}

int record_choose_target(struct record *r)
{
	struct sample_opts *s = &r->sample;

	target_choose(&r->target, r->command, &stderr_notices);
	s->system_wide = target_system(&r->target);
	if (s->system_wide && s->per_thread) {
		fprintf(stderr, "Warning:\nSYSTEM/CPU switch overriding PER-THREAD\n");
		s->per_thread = false;
	}
	s->enable_on_exec = r->command && !s->system_wide && !target_tasks(&r->target);
	if (r->target.tids || s->per_thread)
		s->no_inherit = true;
	for (size_t i = 0; !r->target.all_cpus && i < r->evlist.nr; i++)
		if (r->evlist.evsels[i]->cgroup)
			return -1;
	return 0;
}

int record_target_status(const struct record *r, int rc)
{
	if (r->target.pids)
		return (u8)-ENOMEM;
	if (rc == -ENODEV)
		return (u8)-ENODEV;
	return rc == -EINVAL && !r->target.uid ? 129 : 255;
}

int record_find_target(struct record *r, struct err *err)
{
	const struct sysroot *sr = &r->sysroot;
	int rc = target_threads(&r->target, sr, &r->tids, err);

	if (!r->tids.nr && r->workload.pid && !r->sample.system_wide)
		int_list_add(&r->tids, r->workload.pid);
	if (rc)
		return rc;
	if (r->target.cpus)
		return cpu_list_target(sr, r->target.cpus, &r->cpus, err);
	if (r->sample.per_thread)
		return 0;
	return cpu_list_online(sr, &r->cpus, err);
}
