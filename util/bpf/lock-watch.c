// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/lock-watch.h"

#include "base/alloc.h"
#include "bpf/btf.h"
#include "bpf/lock-queues.h"
#include "bpf/lock-watch-internal.h"
#include "bpf/sys.h"
#include "bpf/tasks.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#define MAX_TASKS 65536
#define MISSED (1U << LOCK_MISSED_BITS)

enum { PROG_BEGIN, PROG_END, PROG_TASK, PROGS };

static u32 chosen_cpus(const struct lock_watch_opts *o)
{
	return o->cpus && o->cpus->nr ? (u32)o->cpus->v[o->cpus->nr - 1] + 1 : 0;
}

static int make_maps(struct lock_watch *w, const struct lock_watch_opts *o, struct err *err)
{
	u32 cpus = chosen_cpus(o), stacks = o->chains ? o->entries : 0;
	bool owners = o->owner_chains && !w->no_owner_chains;
	const struct bpf_map_spec maps[] = {
		{ &w->ctl, "lock_ctl", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct lock_ctl), 1 },
		{ &w->open, "lock_open", BPF_MAP_TYPE_LRU_HASH, sizeof(struct lock_open_key),
		  sizeof(struct lock_open), MAX_TASKS },
		{ &w->sums, "lock_sums", BPF_MAP_TYPE_HASH, sizeof(struct lock_sum_key),
		  sizeof(struct lock_sum), o->entries },
		{ &w->missed, "lock_missed", BPF_MAP_TYPE_ARRAY, 4, MISSED, 1 },
		{ &w->stacks, "lock_stacks", BPF_MAP_TYPE_STACK_TRACE, 4, 8 * o->depth, stacks },
		{ &w->chains, "lock_chains", BPF_MAP_TYPE_HASH, 8 * o->depth, 8,
		  owners ? o->entries : 0 },
		{ &w->chain, "lock_chain", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8 * o->depth, owners },
		{ &w->tasks, "lock_tasks", BPF_MAP_TYPE_LRU_HASH, 8, 8,
		  o->tids->nr ? MAX_TASKS : 0 },
		{ &w->cpus, "lock_cpus", BPF_MAP_TYPE_ARRAY, 4, 4, cpus },
		{ &w->cgroups, "lock_cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4,
		  o->cgroups ? (u32)o->cgroups->nr : 0 },
		{ &w->addresses, "lock_addresses", BPF_MAP_TYPE_HASH, 8, 8, o->nr_addresses },
		{ &w->delays, "lock_delays", BPF_MAP_TYPE_HASH, 8, 8, o->nr_delays },
	};

	return bpf_maps_new(maps, ARRAY_SIZE(maps), err);
}

static int fill_maps(struct lock_watch *w, const struct lock_watch_opts *o, struct err *err)
{
	u64 one = 1;
	int rc = 0;

	for (size_t i = 0; w->tasks >= 0 && !rc && i < o->tids->nr; i++)
		rc = bpf_map_set(w->tasks, &(u64){ (u32)o->tids->v[i] }, &one);
	for (size_t i = 0; w->cpus >= 0 && !rc && i < o->cpus->nr; i++)
		rc = bpf_map_set(w->cpus, &o->cpus->v[i], &(u32){ 1 });
	for (u32 i = 0; w->cgroups >= 0 && !rc && i < o->cgroups->nr; i++)
		rc = bpf_map_set(w->cgroups, &i, &o->cgroups->v[i]);
	for (u32 i = 0; !rc && i < o->nr_addresses; i++)
		rc = bpf_map_set(w->addresses, &o->addresses[i], &one);
	for (u32 i = 0; !rc && i < o->nr_delays; i++)
		rc = bpf_map_set(w->delays, &o->delays[i].address, &o->delays[i].ns);
	return rc ? err_set(err, rc, "failed to fill the maps of the BPF programs: %s", err_str(rc))
		  : 0;
}

/* ---- programs ---- */

static void find_queues(struct lock_watch *w, const struct lock_watch_opts *o, const struct btf *b)
{
	int cpus = bpf_possible_cpus(o->sysroot, NULL);

	if (cpus <= 0)
		return;
	w->nr_queues = (u32)cpus;
	w->queues = xcalloc(w->nr_queues, sizeof(*w->queues));
	lock_queues_find(b, w->nr_queues, w->queues);
}

static int find_owners(struct lock_watch *w, struct lock_layout *at,
		       const struct lock_watch_opts *o, const struct btf *b, struct err *err)
{
	at->mutex_owner = btf_member(b, "mutex", "owner");
	at->rwsem_owner = btf_member(b, "rw_semaphore", "owner");
	at->pid = btf_member(b, "task_struct", "pid");
	at->comm = btf_member(b, "task_struct", "comm");
	if (at->mutex_owner < 0 || at->rwsem_owner < 0 || at->pid < 0 || at->comm < 0)
		return err_set(
			err, -EOPNOTSUPP,
			"this kernel's struct mutex and rw_semaphore do not tell who has them");
	if (o->owner_chains) {
		at->find_task = btf_func(b, "bpf_task_from_pid");
		at->put_task = btf_func(b, "bpf_task_release");
		w->no_owner_chains = !at->find_task || !at->put_task;
	}
	return 0;
}

static void find_names(struct lock_watch *w, struct lock_layout *at,
		       const struct lock_watch_opts *o, const struct btf *b)
{
	at->mm = btf_member(b, "task_struct", "mm");
	at->sighand = btf_member(b, "task_struct", "sighand");
	at->pi_lock = btf_member(b, "task_struct", "pi_lock");
	at->mmap_lock = btf_member(b, "mm_struct", "mmap_lock");
	at->siglock = btf_member(b, "sighand_struct", "siglock");
	at->cache_name = btf_member(b, "kmem_cache", "name");
	at->find_cache = at->cache_name < 0 ? 0 : btf_func(b, "bpf_get_kmem_cache");
	w->no_caches = !at->find_cache;
	find_queues(w, o, b);
}

/* Find what is needed of the kernel's structures and functions. Names can be done without, and then
 * @b has no types. */
static int find_layout(struct lock_watch *w, struct lock_layout *at,
		       const struct lock_watch_opts *o, struct btf *b, struct err *err)
{
	bool owners = o->by == LOCK_WATCH_BY_OWNER;
	int rc;

	*at = (struct lock_layout){ -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0 };
	if (!owners && o->by != LOCK_WATCH_BY_LOCK)
		return 0;
	w->no_caches = o->by == LOCK_WATCH_BY_LOCK;
	rc = btf_open_kernel(b, o->sysroot, owners ? err : NULL);
	if (rc)
		return owners ? rc : 0;
	if (owners)
		return find_owners(w, at, o, b, err);
	find_names(w, at, o, b);
	return 0;
}

/* @b: without types the programs call no functions of the kernel */
static int attach(struct lock_watch *w, int i, const char *name, const char *tracepoint,
		  const struct btf *b, struct bpf_code *code, struct err *err)
{
	int rc = bpf_tracepoint_open(&w->progs[i], name, tracepoint, b->nr ? b : NULL, code, err);

	return rc == -ENOENT ? err_set(err, rc,
				       "the kernel has no tracepoint lock:%s, which is of Linux "
				       "5.19",
				       tracepoint)
			     : rc;
}

static int load(struct lock_watch *w, const struct lock_watch_opts *o, struct btf *b,
		struct err *err)
{
	struct bpf_code begin = { 0 }, end = { 0 }, task = { 0 };
	struct lock_layout at;
	int rc = find_layout(w, &at, o, b, err);

	if (!rc)
		rc = make_maps(w, o, err);
	if (!rc)
		rc = fill_maps(w, o, err);
	if (!rc && w->tasks >= 0) {
		lock_prog_task(&task, w);
		rc = attach(w, PROG_TASK, "lock_task", "task_newtask", b, &task, err);
	}
	if (!rc) {
		lock_prog_end(&end, w, o, &at);
		rc = attach(w, PROG_END, "lock_end", "contention_end", b, &end, err);
	}
	if (!rc) {
		lock_prog_begin(&begin, w, o, &at);
		rc = attach(w, PROG_BEGIN, "lock_begin", "contention_begin", b, &begin, err);
	}
	return rc;
}

int lock_watch_open(struct lock_watch *w, const struct lock_watch_opts *opts, struct err *err)
{
	struct btf b = { 0 };
	int rc;

	*w = (struct lock_watch){ .by = opts->by, .depth = opts->depth };
	w->ctl = w->open = w->sums = w->missed = w->stacks = w->chains = w->chain = -1;
	w->tasks = w->cpus = w->cgroups = w->addresses = w->delays = -1;
	for (size_t i = 0; i < ARRAY_SIZE(w->progs); i++)
		w->progs[i] = BPF_AT_NOTHING;
	rc = opts->tids->nr ? bpf_first_namespace(opts->sysroot, err) : 0;
	rc = rc ?: load(w, opts, &b, err);
	btf_close(&b);
	if (rc)
		lock_watch_close(w);
	return rc;
}

void lock_watch_close(struct lock_watch *w)
{
	const int maps[] = { w->ctl,   w->open,  w->sums, w->missed,  w->stacks,    w->chains,
			     w->chain, w->tasks, w->cpus, w->cgroups, w->addresses, w->delays };

	for (size_t i = 0; i < ARRAY_SIZE(w->progs); i++)
		bpf_tracepoint_close(&w->progs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		if (maps[i] >= 0)
			close(maps[i]);
	free(w->queues);
	w->queues = NULL;
}

/* ---- sums ---- */

void lock_watch_enable(struct lock_watch *w, bool on)
{
	struct lock_ctl ctl;

	bpf_value_get(w->ctl, &ctl, sizeof(ctl));
	ctl.enabled = on;
	bpf_value_set(w->ctl, &ctl);
}

/* Return about how many different sums the hashes in the table are of: several may have one. */
static u64 missed_sums(const struct lock_watch *w)
{
	u8 *table = xmalloc(MISSED);
	u32 zero = 0, used = 0;

	if (!bpf_map_get(w->missed, &zero, table))
		for (u32 i = 0; i < MISSED; i++)
			used += table[i];
	free(table);
	if (used >= MISSED)
		used = MISSED - 1;
	return (u64)(-log1p(-(double)used / MISSED) * MISSED + 0.5);
}

/* Copy the call chain of a sum. @chains: those of owners in the order of their numbers, or NULL */
static void take_stack(const struct lock_watch *w, s32 stack, const u64 *chains, u64 nr_chains,
		       struct lock_watch_sum *out)
{
	u32 id = (u32)stack;

	out->nr_ips = 0;
	memset(out->ips, 0, sizeof(out->ips));
	if (stack < 0)
		return;
	if (chains && id < nr_chains)
		memcpy(out->ips, chains + (size_t)id * w->depth, (size_t)w->depth * 8);
	else if (w->stacks < 0 || bpf_map_get(w->stacks, &id, out->ips))
		return;
	while (out->nr_ips < LOCK_WATCH_STACK_MAX && out->ips[out->nr_ips])
		out->nr_ips++;
}

/* Return the call chains of owners, @w->depth addresses each; NULL: there are none. The caller
 * frees them. */
static u64 *owner_chains(const struct lock_watch *w, u64 nr)
{
	u64 *all, key[LOCK_WATCH_STACK_MAX], id;

	if (w->chains < 0 || !nr)
		return NULL;
	all = xcalloc(nr, (size_t)w->depth * 8);
	for (int rc = bpf_map_next(w->chains, NULL, key); !rc;
	     rc = bpf_map_next(w->chains, key, key))
		if (!bpf_map_get(w->chains, key, &id) && id < nr)
			memcpy(all + (size_t)id * w->depth, key, (size_t)w->depth * 8);
	return all;
}

/* Return what is known of the lock of a sum. */
static enum lock_watch_hint hint_of(const struct lock_watch *w, const struct lock_sum *sum)
{
	for (u32 i = 0; i < w->nr_queues && !sum->hint; i++)
		if (w->queues[i] && w->queues[i] == sum->address)
			return LOCK_HINT_QUEUE;
	return (enum lock_watch_hint)sum->hint;
}

void lock_watch_read(const struct lock_watch *w, lock_watch_fn fn, void *ctx,
		     struct lock_watch_lost *lost)
{
	struct lock_sum_key key;
	struct lock_sum sum;
	struct lock_ctl ctl;
	u64 *chains;

	bpf_value_get(w->ctl, &ctl, sizeof(ctl));
	chains = owner_chains(w, ctl.nr_chains);

	for (int rc = bpf_map_next(w->sums, NULL, &key); !rc;
	     rc = bpf_map_next(w->sums, &key, &key)) {
		struct lock_watch_sum out;

		if (bpf_map_get(w->sums, &key, &sum))
			continue;
		out = (struct lock_watch_sum){
			.count = sum.count,
			.total = sum.total,
			.max = sum.max,
			.min = sum.min,
			.address = sum.address,
			.cgroup = w->by == LOCK_WATCH_BY_CGROUP ? key.what : 0,
			.flags = sum.flags,
			.tid = key.tid,
			.hint = hint_of(w, &sum),
		};
		memcpy(out.comm, sum.comm, sizeof(out.comm) - 1);
		memcpy(out.cache, sum.cache, sizeof(out.cache) - 1);
		take_stack(w, key.stack, chains, ctl.nr_chains, &out);
		fn(ctx, &out);
	}
	free(chains);
	*lost = (struct lock_watch_lost){ ctl.lost_waits,     ctl.lost_waits ? missed_sums(w) : 0,
					  ctl.lost_begins,    ctl.lost_stacks,
					  w->no_owner_chains, w->no_caches };
}
