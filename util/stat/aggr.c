// SPDX-License-Identifier: GPL-2.0-or-later
/* Make aggregation ids, and tell which id each CPU belongs to. */
#include "base/compat.h"
#include "stat/aggr.h"

#include "base/alloc.h"

#include <errno.h>

#include <dirent.h>

#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"

static int read_id(const struct sysroot *sr, int cpu, const char *file)
{
	struct strbuf sb = STRBUF_INIT;
	int id = -1;

	if (!sysroot_read(sr, &sb, CPU_DIR "topology/%s", cpu, file))
		id = (int)strtol(strbuf_str(&sb), NULL, 10);
	strbuf_release(&sb);
	return id;
}

/* The node is a link beside the files of the CPU: node0. */
static int read_node(const struct sysroot *sr, int cpu)
{
	char *path = sysroot_path(sr, CPU_DIR, cpu);
	DIR *dir = opendir(path);
	struct dirent *de;
	int node = -1;

	while (dir && node < 0 && (de = readdir(dir)))
		if (!strncmp(de->d_name, "node", 4) && de->d_name[4] >= '0' && de->d_name[4] <= '9')
			node = (int)strtol(de->d_name + 4, NULL, 10);
	if (dir)
		closedir(dir);
	free(path);
	return node;
}

static void read_cache(const struct sysroot *sr, int cpu, int level, struct cpu_place *out)
{
	struct strbuf sb = STRBUF_INIT;
	u64 found;

	for (int i = 0; !sysroot_read_u64(sr, &found, CPU_DIR "cache/index%d/level", cpu, i); i++) {
		if (level ? (int)found != level : (int)found <= out->cache_level)
			continue;
		strbuf_reset(&sb);
		if (sysroot_read(sr, &sb, CPU_DIR "cache/index%d/shared_cpu_list", cpu, i))
			continue;
		out->cache_level = (int)found;
		out->cache = (int)strtol(strbuf_str(&sb), NULL, 10);
	}
	strbuf_release(&sb);
}

void cpu_place_read(const struct sysroot *sr, int cpu, int cache_level, struct cpu_place *out)
{
	*out = (struct cpu_place){ .cpu = cpu,
				   .node = read_node(sr, cpu),
				   .socket = read_id(sr, cpu, "physical_package_id"),
				   .die = read_id(sr, cpu, "die_id"),
				   .cluster = read_id(sr, cpu, "cluster_id"),
				   .core = read_id(sr, cpu, "core_id"),
				   .cache_level = -1,
				   .cache = -1 };
	read_cache(sr, cpu, cache_level, out);
	/* kernels without dies, and machines without */
	if (out->die < 0)
		out->die = 0;
}

/* Keep only the members that @mode distinguishes. */
static struct cpu_place place_in(enum aggr_mode mode, const struct cpu_place *p)
{
	struct cpu_place at = { -1, -1, -1, -1, -1, -1, -1, -1 };

	switch (mode) {
	case AGGR_NODE:
		at.node = p->node;
		return at;
	case AGGR_NONE:
		at.cpu = p->cpu;
		at.core = p->core;
		break;
	case AGGR_CORE:
		at.core = p->core;
		break;
	case AGGR_CLUSTER:
		at.cluster = p->cluster;
		break;
	case AGGR_CACHE:
		at.cache_level = p->cache_level;
		at.cache = p->cache;
		break;
	case AGGR_DIE:
	case AGGR_SOCKET:
		break;
	default:
		return at;
	}
	at.socket = p->socket;
	if (mode != AGGR_SOCKET)
		at.die = p->die;
	return at;
}

static int compare(const void *pa, const void *pb)
{
	const struct aggr_id *a = pa, *b = pb;
	/* single CPUs are ordered by number, whatever their place is */
	const int va[] = { a->at.cpu,         a->at.node,  a->at.socket, a->at.die, a->at.cluster,
			   a->at.cache_level, a->at.cache, a->at.core,   a->thread };
	const int vb[] = { b->at.cpu,         b->at.node,  b->at.socket, b->at.die, b->at.cluster,
			   b->at.cache_level, b->at.cache, b->at.core,   b->thread };

	for (size_t i = 0; i < ARRAY_SIZE(va); i++)
		if (va[i] != vb[i])
			return va[i] < vb[i] ? -1 : 1;
	return 0;
}

static void add_id(struct aggr_map *m, const struct aggr_id *id)
{
	VEC_GROW(m->ids, m->nr + 1, m->cap);
	m->ids[m->nr++] = *id;
}

static void add_cpus(struct aggr_map *m, const struct cpu_place *places, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		add_id(m, &(struct aggr_id){ .at = place_in(m->mode, &places[i]), .thread = -1 });
	qsort(m->ids, m->nr, sizeof(*m->ids), compare);
	for (size_t i = 0; i < m->nr; i++) {
		if (!kept || compare(&m->ids[kept - 1], &m->ids[i]))
			m->ids[kept++] = m->ids[i];
		m->ids[kept - 1].nr++;
	}
	m->nr = kept;
	m->of_cpu = xcalloc(nr, sizeof(*m->of_cpu));
	for (size_t i = 0; i < nr; i++) {
		struct aggr_id key = { .at = place_in(m->mode, &places[i]), .thread = -1 };
		const struct aggr_id *id = bsearch(&key, m->ids, m->nr, sizeof(*m->ids), compare);

		m->of_cpu[i] = (u32)(id - m->ids);
	}
}

void aggr_map_init(struct aggr_map *m, enum aggr_mode mode, const struct cpu_place *places,
		   size_t nr_cpus, size_t nr_threads)
{
	static const struct cpu_place nowhere = { -1, -1, -1, -1, -1, -1, -1, -1 };

	*m = (struct aggr_map){ .mode = mode };
	if (mode != AGGR_GLOBAL && mode != AGGR_THREAD) {
		add_cpus(m, places, nr_cpus);
		return;
	}
	for (size_t i = 0; i < (mode == AGGR_THREAD ? nr_threads : 1); i++)
		add_id(m, &(struct aggr_id){ .at = nowhere,
					     .thread = mode == AGGR_THREAD ? (int)i : -1,
					     .nr = (u32)nr_cpus });
	if (mode == AGGR_GLOBAL)
		m->of_cpu = xcalloc(nr_cpus, sizeof(*m->of_cpu));
}

void aggr_map_release(struct aggr_map *m)
{
	free(m->ids);
	free(m->of_cpu);
	memset(m, 0, sizeof(*m));
}

void aggr_id_name(const struct aggr_map *m, size_t id, struct strbuf *out)
{
	const struct cpu_place *at = &m->ids[id].at;

	switch (m->mode) {
	case AGGR_NONE:
		strbuf_addf(out, "CPU%d", at->cpu);
		break;
	case AGGR_CORE:
		strbuf_addf(out, "S%d-D%d-C%d", at->socket, at->die, at->core);
		break;
	case AGGR_CLUSTER:
		strbuf_addf(out, "S%d-D%d-CLS%d", at->socket, at->die, at->cluster);
		break;
	case AGGR_CACHE:
		strbuf_addf(out, "S%d-D%d-L%d-ID%d", at->socket, at->die, at->cache_level,
			    at->cache);
		break;
	case AGGR_DIE:
		strbuf_addf(out, "S%d-D%d", at->socket, at->die);
		break;
	case AGGR_SOCKET:
		strbuf_addf(out, "S%d", at->socket);
		break;
	case AGGR_NODE:
		strbuf_addf(out, "N%d", at->node);
		break;
	default:
		break;
	}
}

int cache_level_parse(const char *text)
{
	const char *level = text && (*text == 'L' || *text == 'l') ? text + 1 : text;

	if (!level)
		return 0;
	return *level < '1' || *level > '9' || level[1] ? -EINVAL : *level - '0';
}
