// SPDX-License-Identifier: GPL-2.0-or-later
/* Find what a run looks at: its CPUs and threads, where they are and what they are called. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"

#include <errno.h>

static int find_lists(const struct stat_run *r, struct int_list *cpus, struct int_list *tids,
		      struct err *err)
{
	const struct stat_options *o = r->o;
	int rc = target_threads(&o->target, o->sysroot, tids, err);

	if (rc)
		return rc;
	if (o->mode == AGGR_THREAD && !tids->nr)
		return thread_list_all(o->sysroot, tids, err);
	if (o->target.cpus)
		return cpu_list_target(o->sysroot, o->target.cpus, cpus, err);
	if (o->target.all_cpus || o->bpf.progs)
		return cpu_list_online(o->sysroot, cpus, err);
	return 0;
}

/* --per-cache is of caches that are known. */
static int check_cache(const struct stat_run *r, const struct cpu_place *at, struct err *err)
{
	int level = r->o->cache_level;

	if (r->o->mode != AGGR_CACHE || at->cache >= 0)
		return 0;
	return err_set(err, -ENOENT,
		       "CPU %d has no cache%s%.0d that the kernel tells of: "
		       "see /sys/devices/system/cpu/cpu%d/cache",
		       at->cpu, level ? " of level " : "", level, at->cpu);
}

static int add_cpus(struct stat_run *r, const struct int_list *cpus, struct err *err)
{
	struct stat_table *t = &r->table;
	int rc = 0;

	t->places = xcalloc(MAX(cpus->nr, (size_t)1), sizeof(*t->places));
	for (size_t i = 0; !rc && i < cpus->nr; i++) {
		cpu_place_read(r->o->sysroot, cpus->v[i], r->o->cache_level, &t->places[i]);
		stat_table_add_cpu(t, cpus->v[i]);
		rc = check_cache(r, &t->places[i], err);
	}
	return rc;
}

static char *name_of(const struct sysroot *sr, int tid)
{
	struct strbuf sb = STRBUF_INIT;

	if (!sysroot_read(sr, &sb, "/proc/%d/comm", tid))
		sb.buf[strcspn(sb.buf, "\n")] = 0;
	return strbuf_detach(&sb);
}

int stat_find_target(struct stat_run *r, struct err *err)
{
	struct int_list cpus = { 0 }, tids = { 0 };
	int rc = find_lists(r, &cpus, &tids, err);

	if (!rc)
		rc = add_cpus(r, &cpus, err);
	for (size_t i = 0; !rc && i < tids.nr; i++)
		stat_table_add_thread(&r->table, tids.v[i], name_of(r->o->sysroot, tids.v[i]));
	int_list_release(&cpus);
	int_list_release(&tids);
	return rc;
}

void stat_target_text(const struct stat_options *o, const char *const *words, bool escape,
		      struct strbuf *out)
{
	if (o->bpf.progs)
		strbuf_addf(out, "'BPF program(s) %s", o->bpf.progs);
	else if (o->target.pids)
		strbuf_addf(out, "process id '%s", o->target.pids);
	else if (o->target.tids)
		strbuf_addf(out, "thread id '%s", o->target.tids);
	else if (o->target.all_cpus)
		strbuf_addstr(out, "'system wide");
	else if (o->target.cpus)
		strbuf_addf(out, "'CPU(s) %s", o->target.cpus);
	else
		for (const char *const *word = words; *word; word++) {
			strbuf_addch(out, word == words ? '\'' : ' ');
			if (escape)
				strbuf_addname(out, *word);
			else
				strbuf_addstr(out, *word);
		}
}

bool stat_command_alone(const struct stat_options *o)
{
	const struct target *t = &o->target;

	return o->command && !t->all_cpus && !t->cpus && !t->pids && !t->tids;
}
