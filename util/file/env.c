// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep the decoded header features as plain data. */
#include "base/compat.h"
#include "file/env.h"

void env_domain_release(struct env_domain *d)
{
	free(d->name);
	free(d->mask);
	free(d->list);
}

void env_release(struct env *env)
{
	free(env->hostname);
	free(env->os_release);
	free(env->version);
	free(env->arch);
	free(env->cpu_desc);
	free(env->cpuid);
	for (u32 i = 0; i < env->nr_cmdline; i++)
		free(env->cmdline[i]);
	free(env->cmdline);
	for (size_t i = 0; i < env->nr_build_ids; i++)
		free(env->build_ids[i].filename);
	free(env->build_ids);
	free(env->socket_of);
	free(env->core_of);
	free(env->die_of);
	free(env->node_of);
	for (u32 i = 0; i < env->nr_groups; i++)
		free(env->groups[i].name);
	free(env->groups);
	free(env->tracing_copy);
	for (u32 i = 0; i < env->nr_domains; i++)
		env_domain_release(&env->domains[i]);
	free(env->domains);
	*env = (struct env){ 0 };
}

const char *env_clock_name(u32 id)
{
	static const char *const names[] = {
		[0] = "realtime",
		[1] = "monotonic",
		[4] = "monotonic_raw",
		[5] = "realtime_coarse",
		[6] = "monotonic_coarse",
		[7] = "boottime",
		[11] = "tai",
	};

	return id < ARRAY_SIZE(names) && names[id] ? names[id] : "not found";
}
