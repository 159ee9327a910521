// SPDX-License-Identifier: GPL-2.0-or-later
/* Decode header features into struct env. Bodies: Documentation/format/perf.data.md. */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/cur.h"
#include "base/int-list.h"
#include "file/feature.h"
#include "file/reader-internal.h"

#include <errno.h>

#define MISC_BUILD_ID_SIZE (1U << 15) /* the 21st byte of the id field is its length */

/*
 * Read a u32 length, then that many bytes, which contain a terminator. NULL when they are cut off.
 */
static char *take_string(struct cur *c)
{
	u32 len = cur_u32(c);
	const char *s = cur_bytes(c, len);

	return s ? xstrndup(s, strnlen(s, len)) : NULL;
}

static int put_string(struct cur *c, char **slot)
{
	char *s = take_string(c);

	if (!s)
		return -EINVAL;
	free(*slot);
	*slot = s;
	return 0;
}

static int read_nrcpus(struct cur *c, struct env *env)
{
	env->nr_cpus_avail = cur_u32(c);
	env->nr_cpus_online = cur_u32(c);
	return cur_ok(c) ? 0 : -EINVAL;
}

static int read_cmdline(struct cur *c, struct env *env)
{
	u32 nr = cur_u32(c);

	if (env->cmdline || nr > cur_left(c) / 4)
		return -EINVAL;
	env->cmdline = xcalloc(nr ? nr : 1, sizeof(*env->cmdline));
	for (u32 i = 0; i < nr; i++) {
		char *s = take_string(c);

		if (!s)
			return -EINVAL;
		env->cmdline[env->nr_cmdline++] = s;
	}
	return 0;
}

/* ---- build-ids: a list of records, each with its own header ---- */

static void put_build_id(struct env *env, u16 misc, s32 pid, const u8 *id, u8 size,
			 const char *name, size_t max)
{
	struct env_build_id *b;

	/* The array grows in powers of two, so the capacity need not be stored. */
	if (!(env->nr_build_ids & (env->nr_build_ids - 1)) || !env->nr_build_ids)
		env->build_ids = xrealloc(env->build_ids, MAX(env->nr_build_ids * 2, (size_t)1),
					  sizeof(*env->build_ids));
	b = &env->build_ids[env->nr_build_ids++];
	*b = (struct env_build_id){ .size = MIN(size, sizeof(b->id)), .misc = misc, .pid = pid };
	memcpy(b->id, id, b->size);
	b->filename = xstrndup(name, strnlen(name, max));
}

/*
 * A body is s32 pid, u8 id[24], name. Files of the first versions lack the pid: the name begins
 * four bytes earlier, which the name of the kernel shows.
 */
static int read_one_build_id(struct cur *c, struct env *env, bool *no_pid)
{
	static const char shifted[] = "nel.kallsyms]";
	u16 misc, size;
	struct cur b;
	s32 pid = -1;
	const u8 *id;
	u8 id_size = 20;

	cur_skip(c, 4);
	misc = cur_u16(c);
	size = cur_u16(c);
	if (!cur_ok(c) || size < 8 + 24 || size - 8U > cur_left(c))
		return -EINVAL;
	b = cur_make(cur_bytes(c, size - 8U), size - 8U, c->swap);
	if (size > 36 + sizeof(shifted) && !memcmp(b.p + 28, shifted, sizeof(shifted) - 1))
		*no_pid = true;
	if (!*no_pid)
		pid = (s32)cur_u32(&b);
	id = cur_bytes(&b, 24);
	if (!id)
		return -EINVAL;
	if (misc & MISC_BUILD_ID_SIZE)
		id_size = id[20];
	put_build_id(env, (u16)(misc & ~MISC_BUILD_ID_SIZE), pid, id, id_size, (const char *)b.p,
		     cur_left(&b));
	return 0;
}

static int read_build_ids(struct cur *c, struct env *env)
{
	bool no_pid = false;

	while (cur_left(c)) {
		if (read_one_build_id(c, env, &no_pid) < 0)
			return -EINVAL;
	}
	return 0;
}

int perf_file_add_build_id(struct perf_file *f, const void *rec, size_t size)
{
	struct cur c = cur_make(rec, size, false);
	bool no_pid = false;

	return read_one_build_id(&c, &f->env, &no_pid);
}

/* ---- events and groups ---- */

/*
 * Return the attr that entry @idx of EVENT_DESC describes: the one with the same id or, without
 * ids, at the same position.
 */
static struct file_attr *desc_target(struct perf_file *f, u32 idx, const u8 *ids, u32 nr_ids,
				     bool swap)
{
	struct cur c = cur_make(ids, (size_t)nr_ids * 8, swap);
	u64 id = cur_u64(&c);

	if (nr_ids) {
		/* Usually it has the same position, so that is checked first. */
		if (idx < f->nr_attrs && f->attrs[idx].nr_ids && f->attrs[idx].ids[0] == id)
			return &f->attrs[idx];
		for (size_t i = 0; i < f->nr_attrs; i++) {
			for (size_t k = 0; k < f->attrs[i].nr_ids; k++) {
				if (f->attrs[i].ids[k] == id)
					return &f->attrs[i];
			}
		}
	}
	return idx < f->nr_attrs && !f->attrs[idx].name ? &f->attrs[idx] : NULL;
}

static int read_event_desc(struct cur *c, struct perf_file *f)
{
	u32 nr = cur_u32(c), attr_size = cur_u32(c);

	for (u32 i = 0; i < nr; i++) {
		struct file_attr *a;
		u32 nr_ids;
		const u8 *ids;
		char *name;

		cur_skip(c, attr_size);
		nr_ids = cur_u32(c);
		name = take_string(c);
		ids = cur_bytes(c, (size_t)nr_ids * 8);
		if (!name || !ids) {
			free(name);
			return -EINVAL;
		}
		a = desc_target(f, i, ids, nr_ids, c->swap);
		if (a && *name) {
			free(a->name);
			a->name = name;
		} else {
			free(name);
		}
	}
	return cur_ok(c) ? 0 : -EINVAL;
}

static int read_groups(struct cur *c, struct env *env)
{
	u32 nr = cur_u32(c);

	if (env->groups || nr > cur_left(c) / 12)
		return -EINVAL;
	env->groups = xcalloc(nr ? nr : 1, sizeof(*env->groups));
	for (u32 i = 0; i < nr; i++) {
		struct env_group *g = &env->groups[i];

		g->name = take_string(c);
		if (!g->name)
			return -EINVAL;
		env->nr_groups++;
		g->leader_idx = cur_u32(c);
		g->nr_members = cur_u32(c);
	}
	return cur_ok(c) ? 0 : -EINVAL;
}

static int read_sample_time(struct cur *c, struct env *env)
{
	env->sample_first = cur_u64(c);
	env->sample_last = cur_u64(c);
	return cur_ok(c) ? 0 : -EINVAL;
}

static void skip_texts(struct cur *c)
{
	u32 nr = cur_u32(c);

	for (u32 i = 0; i < nr && cur_ok(c); i++)
		cur_skip(c, cur_u32(c));
}

/*
 * Read the texts of packages and of cores, then u32 core and u32 package of each CPU; newer files
 * also have the texts of dies and the die of each CPU.
 */
static int read_cpu_topology(struct cur *c, struct env *env)
{
	u32 nr = env->nr_cpus_avail;

	skip_texts(c);
	skip_texts(c);
	if (env->socket_of || cur_left(c) / 8 < nr || !cur_ok(c))
		return cur_ok(c) ? 0 : -EINVAL;
	env->socket_of = xcalloc(nr + 1, sizeof(*env->socket_of));
	env->core_of = xcalloc(nr + 1, sizeof(*env->core_of));
	env->die_of = xcalloc(nr + 1, sizeof(*env->die_of));
	env->nr_socket_of = nr;
	for (u32 i = 0; i < nr; i++) {
		env->core_of[i] = (s32)cur_u32(c);
		env->socket_of[i] = (s32)cur_u32(c);
	}
	skip_texts(c);
	for (u32 i = 0; i < nr && cur_left(c) >= 4; i++)
		env->die_of[i] = (s32)cur_u32(c);
	return 0;
}

#define MOST_CPUS (1 << 16)

/* Put CPUs on a node. @room: the number of CPUs that can still be entered, since each is on one
 * node */
static void put_on_node(struct env *env, const char *cpus, u32 node, size_t *room)
{
	struct int_list list = { 0 };
	size_t nr = 0;

	if (cpu_list_parse(&list, cpus))
		int_list_sort(&list); /* entries before the fault are used */
	while (nr < list.nr && nr < *room && list.v[nr] < MOST_CPUS)
		nr++;
	*room -= nr;
	if (nr && (u32)list.v[nr - 1] >= env->nr_node_of) {
		u32 end = (u32)list.v[nr - 1] + 1;

		env->node_of = xrealloc(env->node_of, end, sizeof(*env->node_of));
		while (env->nr_node_of < end)
			env->node_of[env->nr_node_of++] = -1;
	}
	for (size_t i = 0; i < nr; i++)
		env->node_of[list.v[i]] = (s32)node;
	int_list_release(&list);
}

/* Read u32 nodes, and for each its u32 number, u64 total, u64 free, and a text of its CPUs. */
static int read_numa_topology(struct cur *c, struct env *env)
{
	size_t room = MOST_CPUS;
	u32 nr = cur_u32(c);

	for (u32 i = 0; i < nr && room && cur_ok(c); i++) {
		u32 node = cur_u32(c);
		char *cpus;

		cur_skip(c, 16);
		cpus = take_string(c);
		if (cpus)
			put_on_node(env, cpus, node, &room);
		free(cpus);
	}
	return cur_ok(c) ? 0 : -EINVAL;
}

/* Read u32 version and then the members of env. */
static int read_clock(struct cur *c, struct env *env)
{
	u32 id;
	u64 wall, clock;

	cur_u32(c);
	id = cur_u32(c);
	wall = cur_u64(c);
	clock = cur_u64(c);
	if (!cur_ok(c))
		return -EINVAL;
	env->clock = id;
	env->clock_wall = wall;
	env->clock_time = clock;
	return 0;
}

/* Read one domain of a CPU. Return: whether it is whole; else it is released. */
static bool read_domain(struct cur *c, const struct env *env, u32 cpu, struct env_domain *d)
{
	*d = (struct env_domain){ .cpu = cpu, .level = cur_u32(c) };
	if (env->schedstat_version >= SCHEDSTAT_NAMES)
		d->name = take_string(c);
	d->mask = take_string(c);
	d->list = take_string(c);
	if (cur_ok(c))
		return true;
	env_domain_release(d);
	return false;
}

/* Read u32 version, u32 greatest number of domains, and u32 cpu, u32 domains of each CPU. */
static int read_cpu_domains(struct cur *c, struct env *env)
{
	if (env->domains)
		return -EINVAL;
	env->schedstat_version = cur_u32(c);
	cur_u32(c);
	while (cur_ok(c) && cur_left(c)) {
		u32 cpu = cur_u32(c), nr = cur_u32(c);
		struct env_domain d;

		for (u32 i = 0; i < nr && read_domain(c, env, cpu, &d); i++) {
			if (!(env->nr_domains & (env->nr_domains - 1)))
				env->domains = xrealloc(env->domains,
							MAX(env->nr_domains * 2, (u32)1),
							sizeof(*env->domains));
			env->domains[env->nr_domains++] = d;
		}
	}
	return cur_ok(c) ? 0 : -EINVAL;
}

int feature_decode(struct perf_file *f, u32 bit, const void *body, size_t size)
{
	struct cur c = cur_make(body, size, f->swap);
	struct env *env = &f->env;

	switch (bit) {
	case HEADER_TRACING_DATA:
		env->tracing_data = body;
		env->tracing_size = size;
		return 0;
	case HEADER_BUILD_ID:
		return read_build_ids(&c, env);
	case HEADER_HOSTNAME:
		return put_string(&c, &env->hostname);
	case HEADER_OSRELEASE:
		return put_string(&c, &env->os_release);
	case HEADER_VERSION:
		return put_string(&c, &env->version);
	case HEADER_ARCH:
		return put_string(&c, &env->arch);
	case HEADER_NRCPUS:
		return read_nrcpus(&c, env);
	case HEADER_CPUDESC:
		return put_string(&c, &env->cpu_desc);
	case HEADER_CPUID:
		return put_string(&c, &env->cpuid);
	case HEADER_TOTAL_MEM:
		env->total_mem = cur_u64(&c);
		return cur_ok(&c) ? 0 : -EINVAL;
	case HEADER_CMDLINE:
		return read_cmdline(&c, env);
	case HEADER_EVENT_DESC:
		return read_event_desc(&c, f);
	case HEADER_CPU_TOPOLOGY:
		return read_cpu_topology(&c, env);
	case HEADER_NUMA_TOPOLOGY:
		return read_numa_topology(&c, env);
	case HEADER_GROUP_DESC:
		return read_groups(&c, env);
	case HEADER_SAMPLE_TIME:
		return read_sample_time(&c, env);
	case HEADER_CLOCK_DATA:
		return read_clock(&c, env);
	case HEADER_CPU_DOMAIN_INFO:
		return read_cpu_domains(&c, env);
	default: /* the bytes are available from perf_file_feature() */
		return 0;
	}
}
