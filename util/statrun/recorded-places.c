// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat report: where the CPUs of a recording are, as its header and its STAT_CONFIG say. */
#include "base/compat.h"
#include "statrun/recorded.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "statrun/recorded-config.h"

static s32 known(const s32 *of, u32 nr, s32 cpu)
{
	return of && cpu >= 0 && (u32)cpu < nr ? of[cpu] : -1;
}

static bool has_cpu(const char *list, size_t size, s32 cpu, int *lowest)
{
	struct int_list l = { 0 };
	char *text = xstrndup(list, strnlen(list, size));
	bool yes = !cpu_list_parse(&l, text) && int_list_has(&l, cpu);

	*lowest = yes ? l.v[0] : -1;
	int_list_release(&l);
	free(text);
	return yes;
}

/* Find the cache of a CPU. The feature has of each cache u32 level, line size, sets, ways; the
 * texts type, size, and CPUs that share it. */
static void find_cache(const struct perf_file *f, int level, struct cpu_place *at)
{
	size_t size;
	const void *body = perf_file_feature(f, HEADER_CACHE, &size);
	struct cur c = cur_make(body, body ? size : 0, f->swap);
	u32 nr;

	cur_u32(&c); /* version */
	nr = cur_u32(&c);
	for (u32 i = 0; i < nr && cur_ok(&c); i++) {
		int found = (int)cur_u32(&c), lowest;
		const char *cpus = NULL;
		u32 len = 0;

		cur_skip(&c, 12);
		for (int k = 0; k < 3; k++) {
			len = cur_u32(&c);
			cpus = cur_bytes(&c, len);
		}
		if (!cpus || (level ? found != level : found <= at->cache_level) ||
		    !has_cpu(cpus, len, at->cpu, &lowest))
			continue;
		at->cache_level = found;
		at->cache = lowest;
	}
}

struct cpu_place stat_recorded_place(const struct stat_recorded *r, s32 cpu)
{
	const struct perf_file *f = r->session.file;
	const struct env *env = &f->env;
	u32 cluster = map64_get(&r->clusters, (u64)cpu);
	struct cpu_place at = { .cpu = cpu,
				.node = known(env->node_of, env->nr_node_of, cpu),
				.socket = known(env->socket_of, env->nr_socket_of, cpu),
				.die = MAX(known(env->die_of, env->nr_socket_of, cpu), 0),
				.cluster = cluster == MAP64_NONE ? -1 : (int)cluster,
				.core = known(env->core_of, env->nr_socket_of, cpu),
				.cache_level = -1,
				.cache = -1 };

	if (r->mode == AGGR_CACHE)
		find_cache(f, r->cache_level, &at);
	return at;
}

/* Translate the number that a file has for enum aggr_mode: values were added in the middle twice.
 * Version 6.5, where that began, has a term of its own for the level of caches. */
enum aggr_mode stat_recorded_mode(const struct perf_file *f, u64 value, bool level)
{
	static const u8 since_65[] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE, AGGR_CACHE,
				       AGGR_CORE, AGGR_THREAD, AGGR_GLOBAL, AGGR_NODE };
	static const u8 since_69[] = { AGGR_NONE,    AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE,
				       AGGR_CLUSTER, AGGR_CACHE,  AGGR_CORE,   AGGR_THREAD,
				       AGGR_GLOBAL,  AGGR_NODE };
	const char *version = f->env.version ? f->env.version : "";
	char *end;
	unsigned long major = strtoul(version, &end, 10),
		      minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;

	if (!level)
		return value < STAT_FILE_MODES ? (enum aggr_mode)stat_file_modes[value]
					       : AGGR_GLOBAL;
	if (major == 6 && minor < 9)
		return value < ARRAY_SIZE(since_65) ? (enum aggr_mode)since_65[value] : AGGR_GLOBAL;
	return value < ARRAY_SIZE(since_69) ? (enum aggr_mode)since_69[value] : AGGR_GLOBAL;
}
