// SPDX-License-Identifier: GPL-2.0-or-later
/* Header features to bytes. What a machine does not tell is left out, as 0 or as "". */
#include "base/compat.h"
#include "file/feature.h"

#include "base/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"
#define STR_ALIGN 64

static void put_u32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void put_u64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

/* u32 length, then the text and zeros up to that length */
void feature_string(struct strbuf *out, const char *s)
{
	static const char zeros[STR_ALIGN];
	u32 len = (u32)strlen(s) + 1, padded = ALIGN_UP(len, (u32)STR_ALIGN);

	put_u32(out, padded);
	strbuf_add(out, s, len);
	strbuf_add(out, zeros, padded - len);
}

void feature_cmdline(struct strbuf *out, const char *exe, int argc, const char *const argv[])
{
	put_u32(out, (u32)argc + 1);
	feature_string(out, exe);
	for (int i = 0; i < argc; i++)
		feature_string(out, argv[i]);
}

void feature_event_desc(struct strbuf *out, const struct writer_attr *attrs, size_t nr)
{
	put_u32(out, (u32)nr);
	put_u32(out, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < nr; i++) {
		strbuf_add(out, attrs[i].attr, sizeof(*attrs[i].attr));
		put_u32(out, (u32)attrs[i].nr_ids);
		feature_string(out, attrs[i].name);
		strbuf_add(out, attrs[i].ids, attrs[i].nr_ids * 8);
	}
}

void feature_group_desc(struct strbuf *out, const struct env_group *groups, u32 nr)
{
	put_u32(out, nr);
	for (u32 i = 0; i < nr; i++) {
		feature_string(out, groups[i].name ? groups[i].name : "{anon_group}");
		put_u32(out, groups[i].leader_idx);
		put_u32(out, groups[i].nr_members);
	}
}

void feature_sample_time(struct strbuf *out, u64 first, u64 last)
{
	put_u64(out, first);
	put_u64(out, last);
}

void feature_clockid(struct strbuf *out, u64 resolution)
{
	put_u64(out, resolution);
}

void feature_build_id(struct strbuf *out, const struct env_build_id *id)
{
	static const char zeros[STR_ALIGN];
	u32 name_len = (u32)strlen(id->filename) + 1, padded = ALIGN_UP(name_len, (u32)STR_ALIGN);
	u8 size = MIN(id->size, (u8)20);
	/* the 24 bytes of the id: 20, their number, 3 of padding; misc bit 15 says that the number
	 * is there */
	struct {
		struct perf_event_header h;
		s32 pid;
		u8 id[20], size, pad[3];
	} b = { { .type = PERF_RECORD_HEADER_BUILD_ID, .misc = id->misc | 1U << 15 },
		id->pid,
		{ 0 },
		size,
		{ 0 } };

	if (padded > 0xff00)
		return;
	b.h.type = 0; /* inside the section the type is not used */
	b.h.size = (u16)(sizeof(b) + padded);
	memcpy(b.id, id->id, size);
	strbuf_add(out, &b, sizeof(b));
	strbuf_add(out, id->filename, name_len);
	strbuf_add(out, zeros, padded - name_len);
}

/* --- from /proc and /sys -------------------------------------------------- */

/* One line of a small file, without its newline; caller frees; NULL when it cannot be read. */
static char *read_line(const struct sysroot *sr, const char *dir, int nr, const char *file)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = nr >= 0 ? sysroot_read(sr, &sb, "%s%d/%s", dir, nr, file)
			 : sysroot_read(sr, &sb, "%s/%s", dir, file);

	if (rc) {
		strbuf_release(&sb);
		return NULL;
	}
	if (sb.len)
		sb.buf[strcspn(sb.buf, "\n")] = 0;
	return strbuf_detach(&sb);
}

static u32 read_num(const struct sysroot *sr, const char *dir, int nr, const char *file)
{
	char *s = read_line(sr, dir, nr, file);
	u32 v = s ? (u32)strtoul(s, NULL, 10) : 0;

	free(s);
	return v;
}

struct nums {
	int *v;
	size_t nr, cap;
};

/* "0-3,7" to numbers; stops at what makes no sense. */
static void parse_list(const char *p, struct nums *out)
{
	while (p && isdigit((unsigned char)*p)) {
		char *end;
		long a = strtol(p, &end, 10), b = a;

		if (*end == '-')
			b = strtol(end + 1, &end, 10);
		for (; a <= b && a < 65536; a++) {
			VEC_GROW(out->v, out->nr + 1, out->cap);
			out->v[out->nr++] = (int)a;
		}
		p = *end == ',' ? end + 1 : NULL;
	}
}

static void list_of(const struct sysroot *sr, const char *dir, const char *file, struct nums *out)
{
	char *s = read_line(sr, dir, -1, file);

	parse_list(s, out);
	free(s);
}

static int host_uname(enum header_feature bit, struct strbuf *out)
{
	struct utsname u;

	if (uname(&u))
		return -errno;
	feature_string(out, bit == HEADER_HOSTNAME    ? u.nodename
			    : bit == HEADER_OSRELEASE ? u.release
						      : u.machine);
	return 0;
}

static int host_nrcpus(const struct sysroot *sr, struct strbuf *out)
{
	struct nums present = { 0 }, online = { 0 };

	list_of(sr, CPU_DIR, "present", &present);
	list_of(sr, CPU_DIR, "online", &online);
	put_u32(out, present.nr ? (u32)present.nr : (u32)sysconf(_SC_NPROCESSORS_CONF));
	put_u32(out, online.nr ? (u32)online.nr : (u32)sysconf(_SC_NPROCESSORS_ONLN));
	free(present.v);
	free(online.v);
	return 0;
}

/* The value of "key<blanks>: value" in the first block of /proc/cpuinfo; caller frees. */
static char *cpuinfo_value(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		const char *colon = p + len;

		if (strncmp(p, key, len))
			continue;
		colon += strspn(colon, " \t");
		if (*colon != ':')
			continue;
		colon++;
		colon += strspn(colon, " \t");
		return xstrndup(colon, strcspn(colon, "\n"));
	}
	return NULL;
}

static int host_cpuinfo(const struct sysroot *sr, enum header_feature bit, struct strbuf *out)
{
	static const char *const names[] = { "model name", "Processor", "cpu", "uarch",
					     "vendor_id" };
	struct strbuf sb = STRBUF_INIT;
	char *v = NULL;
	int rc = sysroot_read(sr, &sb, "/proc/cpuinfo");

	if (!rc && bit == HEADER_CPUDESC) {
		for (size_t i = 0; !v && i < ARRAY_SIZE(names); i++)
			v = cpuinfo_value(strbuf_str(&sb), names[i]);
	} else if (!rc) {
		char *vendor = cpuinfo_value(strbuf_str(&sb), "vendor_id");
		char *family = cpuinfo_value(strbuf_str(&sb), "cpu family");
		char *model = cpuinfo_value(strbuf_str(&sb), "model");
		char *step = cpuinfo_value(strbuf_str(&sb), "stepping");

		if (vendor && family && model)
			v = xasprintf("%s,%s,%s,%s", vendor, family, model, step ? step : "0");
		else
			v = read_line(sr, CPU_DIR, -1, "cpu0/regs/identification/midr_el1");
		free(vendor);
		free(family);
		free(model);
		free(step);
	}
	if (v)
		feature_string(out, v);
	rc = v ? 0 : rc ? rc : -ENODATA;
	free(v);
	strbuf_release(&sb);
	return rc;
}

static u64 meminfo_kb(const char *text, const char *key)
{
	const char *p = text ? strstr(text, key) : NULL;

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

static int host_total_mem(const struct sysroot *sr, struct strbuf *out)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = sysroot_read(sr, &sb, "/proc/meminfo");

	if (!rc)
		put_u64(out, meminfo_kb(strbuf_str(&sb), "MemTotal:"));
	strbuf_release(&sb);
	return rc;
}

/* The different texts of one topology file over all CPUs. */
static void put_siblings(const struct sysroot *sr, const struct nums *cpus, const char *file,
			 const char *old_file, struct strbuf *out)
{
	char **seen = xcalloc(cpus->nr + 1, sizeof(*seen));
	u32 nr = 0;

	for (size_t i = 0; i < cpus->nr; i++) {
		char *s = read_line(sr, CPU_DIR "/cpu", cpus->v[i], file);
		bool known = false;

		if (!s && old_file)
			s = read_line(sr, CPU_DIR "/cpu", cpus->v[i], old_file);
		for (u32 j = 0; s && j < nr && !known; j++)
			known = !strcmp(seen[j], s);
		if (s && !known)
			seen[nr++] = s;
		else
			free(s);
	}
	put_u32(out, nr);
	for (u32 j = 0; j < nr; j++) {
		feature_string(out, seen[j]);
		free(seen[j]);
	}
	free(seen);
}

static int host_cpu_topology(const struct sysroot *sr, struct strbuf *out)
{
	struct nums online = { 0 }, present = { 0 };

	list_of(sr, CPU_DIR, "online", &online);
	list_of(sr, CPU_DIR, "present", &present);
	if (!online.nr || !present.nr) {
		free(online.v);
		free(present.v);
		return -ENOENT;
	}
	put_siblings(sr, &online, "topology/package_cpus_list", "topology/core_siblings_list", out);
	put_siblings(sr, &online, "topology/core_cpus_list", "topology/thread_siblings_list", out);
	for (size_t i = 0; i < present.nr; i++) {
		put_u32(out, read_num(sr, CPU_DIR "/cpu", present.v[i], "topology/core_id"));
		put_u32(out,
			read_num(sr, CPU_DIR "/cpu", present.v[i], "topology/physical_package_id"));
	}
	put_siblings(sr, &online, "topology/die_cpus_list", NULL, out);
	for (size_t i = 0; i < present.nr; i++)
		put_u32(out, read_num(sr, CPU_DIR "/cpu", present.v[i], "topology/die_id"));
	free(online.v);
	free(present.v);
	return 0;
}

static int host_numa(const struct sysroot *sr, struct strbuf *out)
{
	struct nums nodes = { 0 };

	list_of(sr, NODE_DIR, "online", &nodes);
	if (!nodes.nr)
		return -ENOENT;
	put_u32(out, (u32)nodes.nr);
	for (size_t i = 0; i < nodes.nr; i++) {
		struct strbuf sb = STRBUF_INIT;
		char *cpus = read_line(sr, NODE_DIR "/node", nodes.v[i], "cpulist");

		(void)sysroot_read(sr, &sb, NODE_DIR "/node%d/meminfo", nodes.v[i]);
		put_u32(out, (u32)nodes.v[i]);
		put_u64(out, meminfo_kb(sb.buf, "MemTotal:"));
		put_u64(out, meminfo_kb(sb.buf, "MemFree:"));
		feature_string(out, cpus ? cpus : "");
		free(cpus);
		strbuf_release(&sb);
	}
	free(nodes.v);
	return 0;
}

static int host_pmus(const struct sysroot *sr, struct strbuf *out)
{
	char *path = sysroot_path(sr, "/sys/bus/event_source/devices");
	DIR *dir = opendir(path);
	size_t at = out->len;
	struct dirent *d;
	u32 nr = 0;

	free(path);
	if (!dir)
		return -errno;
	put_u32(out, 0);
	while ((d = readdir(dir))) {
		u64 type;

		if (d->d_name[0] == '.' ||
		    sysroot_read_u64(sr, &type, "/sys/bus/event_source/devices/%s/type", d->d_name))
			continue;
		put_u32(out, (u32)type);
		feature_string(out, d->d_name);
		nr++;
	}
	closedir(dir);
	memcpy(out->buf + at, &nr, sizeof(nr));
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

static bool read_cache(const struct sysroot *sr, int cpu, int index, struct cache *c)
{
	char *dir = xasprintf(CPU_DIR "/cpu%d/cache/index%d", cpu, index);

	memset(c, 0, sizeof(*c));
	c->type = read_line(sr, dir, -1, "type");
	if (c->type) {
		c->level = read_num(sr, dir, -1, "level");
		c->line_size = read_num(sr, dir, -1, "coherency_line_size");
		c->sets = read_num(sr, dir, -1, "number_of_sets");
		c->ways = read_num(sr, dir, -1, "ways_of_associativity");
		c->size = read_line(sr, dir, -1, "size");
		c->map = read_line(sr, dir, -1, "shared_cpu_list");
	}
	free(dir);
	if (c->type && c->size && c->map)
		return true;
	cache_release(c);
	return false;
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

static int host_caches(const struct sysroot *sr, struct strbuf *out)
{
	enum { MAX_INDEX = 10 };
	struct nums cpus = { 0 };
	struct cache *v = NULL, c;
	size_t nr = 0, cap = 0;

	list_of(sr, CPU_DIR, "present", &cpus);
	for (size_t i = 0; i < cpus.nr; i++) {
		for (int k = 0; k < MAX_INDEX && read_cache(sr, cpus.v[i], k, &c); k++) {
			if (cache_known(v, nr, &c)) {
				cache_release(&c);
				continue;
			}
			VEC_GROW(v, nr + 1, cap);
			v[nr++] = c;
		}
	}
	if (nr) /* the order of equal levels is that of their CPUs: glibc's qsort merges, it is
		   stable */
		qsort(v, nr, sizeof(*v), cmp_cache);
	put_u32(out, 1); /* version */
	put_u32(out, (u32)nr);
	for (size_t i = 0; i < nr; i++) {
		put_u32(out, v[i].level);
		put_u32(out, v[i].line_size);
		put_u32(out, v[i].sets);
		put_u32(out, v[i].ways);
		feature_string(out, v[i].type);
		feature_string(out, v[i].size);
		feature_string(out, v[i].map);
		cache_release(&v[i]);
	}
	free(v);
	free(cpus.v);
	return 0;
}

/* One bit per memory block of a node. */
static void put_memory_node(const struct sysroot *sr, int node, struct strbuf *out)
{
	char *path = sysroot_path(sr, NODE_DIR "/node%d", node);
	DIR *dir = opendir(path);
	u64 *bits = NULL;
	size_t words = 0, nr_bits = 0;
	struct dirent *d;

	free(path);
	while (dir && (d = readdir(dir))) {
		unsigned long block;

		if (strncmp(d->d_name, "memory", 6) || !isdigit((unsigned char)d->d_name[6]))
			continue;
		block = strtoul(d->d_name + 6, NULL, 10);
		if (block >= 1UL << 24)
			continue;
		if (block / 64 >= words) {
			size_t want = block / 64 + 1;

			bits = xrealloc(bits, want, sizeof(*bits));
			memset(bits + words, 0, (want - words) * sizeof(*bits));
			words = want;
		}
		bits[block / 64] |= 1ULL << block % 64;
		nr_bits = MAX(nr_bits, (size_t)block + 1);
	}
	if (dir)
		closedir(dir);
	put_u64(out, (u64)node);
	put_u64(out, nr_bits);
	put_u64(out, nr_bits); /* once as the node's size, once as that of its bitmap */
	strbuf_add(out, bits, words * sizeof(*bits));
	free(bits);
}

static int host_memory(const struct sysroot *sr, struct strbuf *out)
{
	char *s = read_line(sr, "/sys/devices/system/memory", -1, "block_size_bytes");
	struct nums nodes = { 0 };

	if (!s)
		return -ENOENT;
	list_of(sr, NODE_DIR, "has_memory", &nodes);
	if (!nodes.nr)
		list_of(sr, NODE_DIR, "online", &nodes);
	put_u64(out, 1); /* version */
	put_u64(out, strtoull(s, NULL, 16));
	put_u64(out, nodes.nr);
	for (size_t i = 0; i < nodes.nr; i++)
		put_memory_node(sr, nodes.v[i], out);
	free(nodes.v);
	free(s);
	return 0;
}

int feature_host(const struct sysroot *sr, enum header_feature bit, struct strbuf *out)
{
	switch (bit) {
	case HEADER_HOSTNAME:
	case HEADER_OSRELEASE:
	case HEADER_ARCH:
		return host_uname(bit, out);
	case HEADER_NRCPUS:
		return host_nrcpus(sr, out);
	case HEADER_CPUDESC:
	case HEADER_CPUID:
		return host_cpuinfo(sr, bit, out);
	case HEADER_TOTAL_MEM:
		return host_total_mem(sr, out);
	case HEADER_CPU_TOPOLOGY:
		return host_cpu_topology(sr, out);
	case HEADER_NUMA_TOPOLOGY:
		return host_numa(sr, out);
	case HEADER_PMU_MAPPINGS:
		return host_pmus(sr, out);
	case HEADER_CACHE:
		return host_caches(sr, out);
	case HEADER_MEM_TOPOLOGY:
		return host_memory(sr, out);
	case HEADER_BPF_PROG_INFO: /* no programs are described: a count of 0 */
	case HEADER_BPF_BTF:
	case HEADER_PMU_CAPS:
		put_u32(out, 0);
		return 0;
	default:
		return -ENOENT;
	}
}
