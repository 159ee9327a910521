// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the argument of --threads. Input: text and the topology in sysfs; output: sets of CPUs, no
 * CPU in two of them. */
#include "base/compat.h"
#include "recorder/thread-sets.h"

#include "base/alloc.h"

#include <errno.h>

void thread_sets_release(struct thread_sets *t)
{
	free(t->v);
	memset(t, 0, sizeof(*t));
}

static int to_set(const char *text, cpu_set_t *set)
{
	struct int_list l = { 0 };
	int rc = cpu_list_parse(&l, text);

	CPU_ZERO(set);
	for (size_t i = 0; !rc && i < l.nr; i++)
		if (l.v[i] < CPU_SETSIZE)
			CPU_SET(l.v[i], set);
	int_list_release(&l);
	return rc ? rc : CPU_COUNT(set) ? 0 : -EINVAL;
}

static void add(struct thread_sets *t, const cpu_set_t *maps, const cpu_set_t *run)
{
	VEC_GROW(t->v, t->nr + 1, t->cap);
	t->v[t->nr++] = (struct thread_set){ *maps, *run };
}

const struct thread_set *thread_set_of(const struct thread_sets *t, int cpu)
{
	for (size_t i = 0; i < t->nr; i++)
		if (cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &t->v[i].maps))
			return &t->v[i];
	return NULL;
}

static void recorded_set(const struct int_list *cpus, cpu_set_t *set)
{
	CPU_ZERO(set);
	for (size_t i = 0; i < cpus->nr; i++)
		if (cpus->v[i] >= 0 && cpus->v[i] < CPU_SETSIZE)
			CPU_SET(cpus->v[i], set);
}

/* --- by topology ------------------------------------------------------------- */

/* A file under /sys/devices/system/cpu/cpuN, and its name in older kernels. */
static const struct {
	const char *word, *file, *old_file;
} levels[] = {
	{ "cpu", NULL, NULL },
	{ "core", "topology/core_cpus_list", "topology/thread_siblings_list" },
	{ "package", "topology/package_cpus_list", "topology/core_siblings_list" },
};

static int near_cpus(const struct sysroot *sr, size_t level, int cpu, cpu_set_t *set)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/sys/devices/system/cpu/cpu%d/%s", cpu, levels[level].file);

	if (rc)
		rc = sysroot_read(sr, &sb, "/sys/devices/system/cpu/cpu%d/%s", cpu,
				  levels[level].old_file);
	rc = rc ? rc : to_set(strbuf_str(&sb), set);
	strbuf_release(&sb);
	return rc;
}

static int node_cpus(const struct sysroot *sr, int cpu, cpu_set_t *set)
{
	struct strbuf sb = STRBUF_INIT;
	struct int_list nodes = { 0 };
	int rc = sysroot_read(sr, &sb, "/sys/devices/system/node/online");

	rc = rc ? rc : cpu_list_parse(&nodes, strbuf_str(&sb));
	for (size_t i = 0; !rc && i < nodes.nr; i++) {
		strbuf_reset(&sb);
		if (!sysroot_read(sr, &sb, "/sys/devices/system/node/node%d/cpulist", nodes.v[i]) &&
		    !to_set(strbuf_str(&sb), set) && CPU_ISSET(cpu, set))
			goto out;
	}
	rc = rc ? rc : -ENOENT;
out:
	int_list_release(&nodes);
	strbuf_release(&sb);
	return rc;
}

static int by_level(struct thread_sets *t, const struct sysroot *sr, size_t level,
		    const struct int_list *cpus, struct err *err)
{
	cpu_set_t recorded;

	recorded_set(cpus, &recorded);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		cpu_set_t run, maps;
		int rc = 0;

		if (!CPU_ISSET(cpu, &recorded) || thread_set_of(t, cpu))
			continue;
		CPU_ZERO(&run);
		if (!level)
			CPU_SET(cpu, &run);
		else if (level < ARRAY_SIZE(levels))
			rc = near_cpus(sr, level, cpu, &run);
		else
			rc = node_cpus(sr, cpu, &run);
		if (rc)
			return err_set(err, rc,
				       "--threads: the topology of CPU %d is not in sysfs: %s", cpu,
				       err_str(rc));
		CPU_AND(&maps, &run, &recorded);
		CPU_SET(cpu, &maps);
		add(t, &maps, &run);
	}
	return 0;
}

/* --- by lists ------------------------------------------------------------------ */

static int add_pair(struct thread_sets *t, char *maps_text, char *run_text,
		    const cpu_set_t *recorded, const cpu_set_t *possible, struct err *err)
{
	cpu_set_t maps, run;

	if (!run_text || to_set(maps_text, &maps) || to_set(run_text, &run))
		return err_set(err, -EINVAL, "Invalid thread maps or affinity specs");
	CPU_AND(&maps, &maps, recorded);
	CPU_AND(&run, &run, possible);
	if (!CPU_COUNT(&maps) || !CPU_COUNT(&run))
		return err_set(
			err, -ENODEV,
			"--threads: none of the CPUs '%s' is recorded, or none of '%s' is there",
			maps_text, run_text);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &maps) && thread_set_of(t, cpu))
			return err_set(err, -EINVAL, "--threads: CPU %d is in two sets", cpu);
	add(t, &maps, &run);
	return 0;
}

static int by_lists(struct thread_sets *t, const struct sysroot *sr, const char *text,
		    const struct int_list *cpus, struct err *err)
{
	char *copy = xstrdup(text), *rest = copy, *pair;
	struct int_list online = { 0 };
	cpu_set_t recorded, possible;
	int rc = cpu_list_online(sr, &online, err);

	recorded_set(cpus, &recorded);
	recorded_set(&online, &possible);
	while (!rc && (pair = strsep(&rest, ":"))) {
		char *maps = strsep(&pair, "/");

		rc = add_pair(t, maps, pair, &recorded, &possible, err);
	}
	int_list_release(&online);
	free(copy);
	return rc;
}

int thread_sets_parse(struct thread_sets *t, const struct sysroot *sr, const char *text,
		      const struct int_list *cpus, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (!strcmp(text, levels[i].word))
			return by_level(t, sr, i, cpus, err);
	if (!strcmp(text, "numa"))
		return by_level(t, sr, ARRAY_SIZE(levels), cpus, err);
	return by_lists(t, sr, text, cpus, err);
}
