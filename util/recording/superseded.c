// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What lives on changes as well: threads get other names, files are mapped in the place of others,
 * programs of the kernel come and go. A record is of no use once a later one says the same of the
 * same thing, if no sample is older than that one.
 *
 * The log is walked from the newest record to the oldest. A fork copies what there is at its time,
 * so that records before it are not compared with those behind it.
 */
#include "base/compat.h"
#include "recording/state-log.h"

#include "base/alloc.h"

/* No record tells that a control group is gone, so that only the names of the newest are kept. */
enum { CGROUPS_MAX = 65536 };

struct later {
	u64 oldest; /* time of the oldest sample */
	u32 nr_cgroups;
	struct map64 said;  /* what records say that are older than that, by hash */
	struct map64 forks; /* thread -> number of the later forks that are from it, or begin it */
};

static u64 key_of_task(const struct later *l, u32 type, u32 id)
{
	return hash_mix(hash_mix(type, id), map64_get(&l->forks, id));
}

static u64 key_of_range(u64 key, u64 start, u64 len)
{
	return hash_mix(hash_mix(key, start), len);
}

static void note_fork(struct later *l, u32 id)
{
	u32 *nr = map64_slot(&l->forks, id);

	*nr = *nr == MAP64_NONE ? 0 : *nr + 1;
}

static void note_forks(struct later *l, const wire_header *rec)
{
	struct rec_task t;

	if (rec_task_decode(rec, rec->size, &t))
		return;
	note_fork(l, t.ppid);
	if (t.ptid != t.ppid)
		note_fork(l, t.ptid);
	if (t.tid != t.ppid && t.tid != t.ptid)
		note_fork(l, t.tid);
}

/* Return a hash of what a record tells about; 0: it has to stay in any case. *@end: it tells that
 * this is there no longer. */
static u64 key_of(const struct later *l, const wire_header *rec, bool *end)
{
	union {
		struct rec_mmap map;
		struct rec_comm comm;
		struct rec_namespaces ns;
		struct rec_ksymbol sym;
		struct rec_cgroup group;
	} r;

	*end = false;
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (rec_mmap_decode(rec, rec->size, &r.map))
			return 0;
		return key_of_range(key_of_task(l, PERF_RECORD_MMAP, r.map.pid) + rec->misc,
				    r.map.start, r.map.len);
	case PERF_RECORD_COMM: /* exec() does more than to change a name */
		if (rec_comm_decode(rec, rec->size, &r.comm) || r.comm.exec)
			return 0;
		return key_of_task(l, rec->type, r.comm.tid);
	case PERF_RECORD_NAMESPACES:
		if (rec_namespaces_decode(rec, rec->size, &r.ns))
			return 0;
		return key_of_task(l, rec->type, r.ns.tid);
	case PERF_RECORD_KSYMBOL:
		if (rec_ksymbol_decode(rec, rec->size, &r.sym))
			return 0;
		*end = r.sym.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
		return key_of_range(rec->type, r.sym.addr, r.sym.len);
	case PERF_RECORD_CGROUP:
		if (rec_cgroup_decode(rec, rec->size, &r.group))
			return 0;
		return hash_mix(rec->type, r.group.id);
	default:
		return 0;
	}
}

/* Tell whether a record can be dropped. */
static bool is_superseded(struct later *l, const wire_header *rec, u64 time)
{
	bool end;
	u64 key;

	if (rec->type == PERF_RECORD_FORK)
		note_forks(l, rec);
	key = time < l->oldest ? key_of(l, rec, &end) : 0;
	if (!key)
		return false;
	if (map64_get(&l->said, key) != MAP64_NONE)
		return true;
	map64_set(&l->said, key, 1);
	return end || (rec->type == PERF_RECORD_CGROUP && ++l->nr_cgroups > CGROUPS_MAX);
}

static bool is_gone(void *gone, const struct state_log *l __unused, size_t i)
{
	return ((const bool *)gone)[i];
}

void state_log_drop_superseded(struct state_log *l, u64 oldest)
{
	struct later later = { .oldest = oldest };
	bool *gone = xcalloc(l->nr + 1, sizeof(*gone));

	for (size_t i = l->nr; i--;)
		gone[i] = is_superseded(&later, state_log_record(l, i), l->v[i].time);
	state_log_drop(l, is_gone, gone);
	free(gone);
	map64_release(&later.said);
	map64_release(&later.forks);
}
