// SPDX-License-Identifier: GPL-2.0-or-later
/* Write header features about processors: their number, kind, topology and caches. */
#include "base/compat.h"
#include "file/feature-internal.h"

#include "base/alloc.h"
#include "arch/cpuid.h"

#include <errno.h>
#include <unistd.h>

int host_nrcpus(const struct sysroot *sr, struct strbuf *out)
{
	struct int_list present = { 0 }, online = { 0 };

	feature_list(sr, CPU_DIR, "present", &present);
	feature_list(sr, CPU_DIR, "online", &online);
	feature_u32(out, present.nr ? (u32)present.nr : (u32)sysconf(_SC_NPROCESSORS_CONF));
	feature_u32(out, online.nr ? (u32)online.nr : (u32)sysconf(_SC_NPROCESSORS_ONLN));
	int_list_release(&present);
	int_list_release(&online);
	return 0;
}

int host_cpuinfo(const struct sysroot *sr, enum header_feature bit, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;
	char *v = NULL;
	int rc;

	if (bit == HEADER_CPUID) {
		v = cpuid_text(sr);
		rc = v ? 0 : -ENODATA;
	} else {
		rc = sysroot_read(sr, &sb, "/proc/cpuinfo");
		v = rc ? NULL : cpu_model(strbuf_str(&sb));
	}
	if (v)
		feature_string(out, v);
	rc = v ? 0 : rc ? rc : -ENODATA;
	free(v);
	strbuf_release(&sb);
	return rc;
}

/*
 * Append an id of a CPU's topology; -1 when it is unknown, for example because the CPU is offline.
 */
static void put_id(const struct sysroot *sr, int cpu, const char *file, struct strbuf *out)
{
	char *s = feature_line(sr, CPU_DIR "/cpu", cpu, file);

	feature_u32(out, s ? (u32)strtol(s, NULL, 10) : (u32)-1);
	free(s);
}

/* Append the distinct contents of one topology file of all CPUs. Return: their number. */
static u32 put_siblings(const struct sysroot *sr, const struct int_list *cpus, const char *file,
			const char *old_file, struct strbuf *out)
{
	char **seen = xcalloc(cpus->nr + 1, sizeof(*seen));
	u32 nr = 0;

	for (size_t i = 0; i < cpus->nr; i++) {
		char *s = feature_line(sr, CPU_DIR "/cpu", cpus->v[i], file);
		bool known = false;

		if (!s && old_file)
			s = feature_line(sr, CPU_DIR "/cpu", cpus->v[i], old_file);
		for (u32 j = 0; s && j < nr && !known; j++)
			known = !strcmp(seen[j], s);
		if (s && !known)
			seen[nr++] = s;
		else
			free(s);
	}
	feature_u32(out, nr);
	for (u32 j = 0; j < nr; j++) {
		feature_string(out, seen[j]);
		free(seen[j]);
	}
	free(seen);
	return nr;
}

int host_cpu_topology(const struct sysroot *sr, struct strbuf *out)
{
	struct int_list online = { 0 }, present = { 0 };
	size_t at;

	feature_list(sr, CPU_DIR, "online", &online);
	feature_list(sr, CPU_DIR, "present", &present);
	if (!online.nr || !present.nr) {
		int_list_release(&online);
		int_list_release(&present);
		return -ENOENT;
	}
	put_siblings(sr, &online, "topology/package_cpus_list", "topology/core_siblings_list", out);
	put_siblings(sr, &online, "topology/core_cpus_list", "topology/thread_siblings_list", out);
	for (size_t i = 0; i < present.nr; i++) {
		put_id(sr, present.v[i], "topology/core_id", out);
		put_id(sr, present.v[i], "topology/physical_package_id", out);
	}
	/* Most architectures do not have dies; the body then ends here. */
	at = out->len;
	if (put_siblings(sr, &online, "topology/die_cpus_list", NULL, out)) {
		for (size_t i = 0; i < present.nr; i++)
			put_id(sr, present.v[i], "topology/die_id", out);
	} else {
		out->len = at;
	}
	int_list_release(&online);
	int_list_release(&present);
	return 0;
}

struct cache {
	u32 level, line_size, sets, ways;
	char *type, *size, *map;
};

static void cache_release(struct cache *c)
{
	free(c->type);
	free(c->size);
	free(c->map);
}

/* Return: 1; 0 when there is no such cache; -ENOENT when a part of its description is missing. */
static int read_cache(const struct sysroot *sr, int cpu, int index, struct cache *c)
{
	int rc = 0;
	char *dir = xasprintf(CPU_DIR "/cpu%d/cache/index%d", cpu, index);

	memset(c, 0, sizeof(*c));
	c->type = feature_line(sr, dir, -1, "type");
	if (c->type) {
		rc = -ENOENT;
		c->level = feature_num(sr, dir, -1, "level");
		c->line_size = feature_num(sr, dir, -1, "coherency_line_size");
		c->sets = feature_num(sr, dir, -1, "number_of_sets");
		c->ways = feature_num(sr, dir, -1, "ways_of_associativity");
		c->size = feature_line(sr, dir, -1, "size");
		c->map = feature_line(sr, dir, -1, "shared_cpu_list");
	}
	free(dir);
	if (c->type && c->size && c->map)
		return 1;
	cache_release(c);
	return rc;
}

static bool cache_known(const struct cache *v, size_t nr, const struct cache *c)
{
	for (size_t i = 0; i < nr; i++)
		if (v[i].level == c->level && !strcmp(v[i].type, c->type) &&
		    !strcmp(v[i].map, c->map))
			return true;
	return false;
}

static int cmp_cache(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	return x->level < y->level ? -1 : x->level > y->level;
}

int host_caches(const struct sysroot *sr, struct strbuf *out)
{
	enum { MAX_INDEX = 10 };
	struct int_list cpus = { 0 };
	struct cache *v = NULL, c;
	size_t nr = 0, cap = 0;
	int rc = 0;

	feature_list(sr, CPU_DIR, "present", &cpus);
	for (size_t i = 0; i < cpus.nr && rc >= 0; i++) {
		for (int k = 0; k < MAX_INDEX; k++) {
			rc = read_cache(sr, cpus.v[i], k, &c);
			if (rc <= 0)
				break;
			if (cache_known(v, nr, &c)) {
				cache_release(&c);
				continue;
			}
			VEC_GROW(v, nr + 1, cap);
			v[nr++] = c;
		}
	}
	if (nr) /* caches of one level stay in the order of their CPUs, because glibc's qsort is a
		   stable merge sort */
		qsort(v, nr, sizeof(*v), cmp_cache);
	if (rc >= 0) {
		feature_u32(out, 1); /* version */
		feature_u32(out, (u32)nr);
	}
	for (size_t i = 0; i < nr && rc >= 0; i++) {
		feature_u32(out, v[i].level);
		feature_u32(out, v[i].line_size);
		feature_u32(out, v[i].sets);
		feature_u32(out, v[i].ways);
		feature_string(out, v[i].type);
		feature_string(out, v[i].size);
		feature_string(out, v[i].map);
	}
	for (size_t i = 0; i < nr; i++)
		cache_release(&v[i]);
	free(v);
	int_list_release(&cpus);
	return MIN(rc, 0);
}
