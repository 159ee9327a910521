// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "bpf/lock-watch-internal.h"
#include "bpf/tasks.h"

#include <errno.h>

/* The flags of contention_begin have these bits. */
enum { SPIN = 1, READ = 2, WRITE = 4, MUTEX = 32 };

#define OWNER_BITS 7   /* of the address of an owner: they tell something else */
#define READER_OWNED 1 /* that of an rwsem: readers have it */
#define OF_CPU 1       /* in the upper half of lock_open_key.who */
#define UNKNOWN_TASK (-1)
#define LOOKS 32 /* at the clock in one round of a loop: there are not enough rounds for one each */

/* The programs use their stack at these offsets. */
enum {
	S_PEEK = -8,
	S_OPEN_KEY = S_PEEK - (int)sizeof(struct lock_open_key),
	S_OPEN = S_OPEN_KEY - (int)sizeof(struct lock_open),
	S_SUM_KEY = S_OPEN - (int)sizeof(struct lock_sum_key),
	S_SUM = S_SUM_KEY - (int)sizeof(struct lock_sum),
};

enum { R_CTX = BPF_REG_6, R_LOCK = BPF_REG_7, R_FLAGS = BPF_REG_8, R_OPEN = BPF_REG_9 };

#define OPEN_KEY(member) (S_OPEN_KEY + (int)offsetof(struct lock_open_key, member))
#define OPEN(member) ((int)offsetof(struct lock_open, member))
#define SUM_KEY(member) (S_SUM_KEY + (int)offsetof(struct lock_sum_key, member))
#define SUM(member) (S_SUM + (int)offsetof(struct lock_sum, member))

/* ---- whose wait it is ---- */

/* Emit: goto @out unless this thread is wanted, which is not asked in a container. */
static void want_thread(struct bpf_code *c, const struct lock_watch *w, int out)
{
	bpf_want_thread(c, w->tasks, (struct bpf_ns){ 0 }, S_PEEK, out);
}

static void want_cpu(struct bpf_code *c, const struct lock_watch *w, int out)
{
	bpf_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_0);
	bpf_lookup(c, w->cpus, S_PEEK);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_0, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
}

static void want_cgroup(struct bpf_code *c, const struct lock_watch *w, u32 nr, int out)
{
	int in = bpf_label(c);

	for (u32 i = 0; i < nr; i++) {
		bpf_movmap(c, BPF_REG_1, w->cgroups);
		bpf_movi(c, BPF_REG_2, (s32)i);
		bpf_helper(c, BPF_FUNC_current_task_under_cgroup);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 1, in);
	}
	bpf_goto(c, out);
	bpf_bind(c, in);
}

/* Emit: goto @out unless the wait is wanted */
static void want(struct bpf_code *c, const struct lock_watch *w, const struct lock_watch_opts *opts,
		 int out)
{
	int flags = bpf_label(c);

	for (u32 i = 0; i < opts->nr_flags; i++)
		bpf_jumpi(c, BPF_JEQ, R_FLAGS, (s32)opts->flags[i], flags);
	if (opts->nr_flags)
		bpf_goto(c, out);
	bpf_bind(c, flags);
	if (w->addresses >= 0) {
		bpf_lookup(c, w->addresses, OPEN_KEY(address));
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	}
	if (opts->not_pid) {
		bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
		bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
		bpf_jumpi(c, BPF_JEQ, BPF_REG_0, (s32)opts->not_pid, out);
	}
	if (w->cpus >= 0)
		want_cpu(c, w, out);
	if (w->tasks >= 0)
		want_thread(c, w, out);
	if (w->cgroups >= 0)
		want_cgroup(c, w, (u32)opts->cgroups->nr, out);
}

/* Emit: the key of the wait that begins or ends now. The idle tasks have one number: they are told
 * apart by CPU. */
static void take_open_key(struct bpf_code *c)
{
	int task = bpf_label(c);

	bpf_load(c, BPF_DW, R_LOCK, R_CTX, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, OPEN_KEY(address), R_LOCK);
	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_alui(c, BPF_LSH, BPF_REG_0, 32);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 32);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, task);
	bpf_helper(c, BPF_FUNC_get_smp_processor_id);
	bpf_mov64(c, BPF_REG_1, (u64)OF_CPU << 32);
	bpf_alu(c, BPF_OR, BPF_REG_0, BPF_REG_1);
	bpf_bind(c, task);
	bpf_store(c, BPF_DW, BPF_REG_10, OPEN_KEY(who), BPF_REG_0);
}

/* ---- what is known when a wait begins ---- */

/* Emit: R_OPEN = the entry of the wait, which is made unless it is there; goto @out when there is
 * no room, or when the wait has begun already */
static void find_open(struct bpf_code *c, const struct lock_watch *w, int out)
{
	int have = bpf_label(c), made = bpf_label(c);

	bpf_lookup(c, w->open, S_OPEN_KEY);
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, have);
	for (int i = 0; i < (int)sizeof(struct lock_open); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_OPEN + i, 0);
	bpf_update(c, w->open, S_OPEN_KEY, S_OPEN, BPF_ANY);
	bpf_lookup(c, w->open, S_OPEN_KEY);
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, made);
	bpf_count_up(c, w->ctl, offsetof(struct lock_ctl, lost_begins));
	bpf_goto(c, out);
	/* a mutex spins before it sleeps: the first begin counts */
	bpf_bind(c, have);
	bpf_load(c, BPF_DW, BPF_REG_1, R_OPEN, OPEN(since));
	bpf_jumpi(c, BPF_JNE, BPF_REG_1, 0, out);
	bpf_bind(c, made);
}

static void take_stack(struct bpf_code *c, const struct lock_watch *w)
{
	int have = bpf_label(c);

	bpf_mov(c, BPF_REG_1, R_CTX);
	bpf_movmap(c, BPF_REG_2, w->stacks);
	bpf_movi(c, BPF_REG_3, BPF_F_FAST_STACK_CMP);
	bpf_helper(c, BPF_FUNC_get_stackid);
	bpf_store(c, BPF_W, R_OPEN, OPEN(stack), BPF_REG_0);
	bpf_jumpi(c, BPF_JSGE, BPF_REG_0, 0, have);
	bpf_storei(c, BPF_W, R_OPEN, OPEN(stack), -1);
	bpf_count_up(c, w->ctl, offsetof(struct lock_ctl, lost_stacks));
	bpf_bind(c, have);
}

/* Emit: tid and name of the waiting task */
static void take_waiter(struct bpf_code *c)
{
	bpf_helper(c, BPF_FUNC_get_current_pid_tgid);
	bpf_store(c, BPF_W, R_OPEN, OPEN(tid), BPF_REG_0);
	bpf_mov(c, BPF_REG_1, R_OPEN);
	bpf_alui(c, BPF_ADD, BPF_REG_1, OPEN(comm));
	bpf_movi(c, BPF_REG_2, LOCK_WATCH_COMM);
	bpf_helper(c, BPF_FUNC_get_current_comm);
}

/*
 * Emit: tid and name of the task that has the lock. It is read while it may change: a task that is
 * gone meanwhile is unknown. Changes R_LOCK.
 */
static void take_owner(struct bpf_code *c, const struct lock_layout *at)
{
	int rwsem = bpf_label(c), have = bpf_label(c), none = bpf_label(c);

	bpf_storei(c, BPF_W, R_OPEN, OPEN(tid), UNKNOWN_TASK);
	bpf_jumpi(c, BPF_JSET, R_FLAGS, MUTEX, have);
	bpf_jumpi(c, BPF_JEQ, R_FLAGS, READ, rwsem);
	bpf_jumpi(c, BPF_JNE, R_FLAGS, WRITE, none);
	bpf_bind(c, rwsem);
	bpf_peek(c, S_PEEK, 8, R_LOCK, at->rwsem_owner);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_jumpi(c, BPF_JSET, BPF_REG_1, READER_OWNED, none);
	bpf_alui(c, BPF_ADD, R_LOCK, at->rwsem_owner - at->mutex_owner);
	bpf_bind(c, have);
	bpf_peek(c, S_PEEK, 8, R_LOCK, at->mutex_owner);
	bpf_load(c, BPF_DW, R_LOCK, BPF_REG_10, S_PEEK);
	bpf_alui(c, BPF_AND, R_LOCK, ~OWNER_BITS);
	bpf_jumpi(c, BPF_JEQ, R_LOCK, 0, none);
	bpf_peek(c, S_PEEK, 4, R_LOCK, at->pid);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, none);
	bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, S_PEEK);
	bpf_store(c, BPF_W, R_OPEN, OPEN(tid), BPF_REG_0);
	bpf_mov(c, BPF_REG_3, R_LOCK);
	bpf_alui(c, BPF_ADD, BPF_REG_3, at->comm);
	bpf_mov(c, BPF_REG_1, R_OPEN);
	bpf_alui(c, BPF_ADD, BPF_REG_1, OPEN(comm));
	bpf_movi(c, BPF_REG_2, LOCK_WATCH_COMM);
	bpf_helper(c, BPF_FUNC_probe_read_kernel);
	bpf_bind(c, none);
}

/* Emit: *(r10 + S_PEEK) = the number of the call chain at R_FLAGS, which gets one unless it has
 * one; goto @out when there is no room */
static void number_chain(struct bpf_code *c, const struct lock_watch *w, int out)
{
	int known = bpf_label(c), done = bpf_label(c);

	bpf_movmap(c, BPF_REG_1, w->chains);
	bpf_mov(c, BPF_REG_2, R_FLAGS);
	bpf_helper(c, BPF_FUNC_map_lookup_elem);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, 0, known);
	bpf_movval(c, BPF_REG_1, w->ctl, offsetof(struct lock_ctl, nr_chains));
	bpf_movi(c, BPF_REG_2, 1);
	bpf_fetch_add(c, BPF_REG_1, 0, BPF_REG_2);
	bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_2);
	bpf_movmap(c, BPF_REG_1, w->chains);
	bpf_mov(c, BPF_REG_2, R_FLAGS);
	bpf_frame(c, BPF_REG_3, S_PEEK);
	bpf_movi(c, BPF_REG_4, BPF_ANY);
	bpf_helper(c, BPF_FUNC_map_update_elem);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, done);
	bpf_count_up(c, w->ctl, offsetof(struct lock_ctl, lost_stacks));
	bpf_goto(c, out);
	bpf_bind(c, known);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_1);
	bpf_bind(c, done);
}

/* Emit: the call chain of the task that has the lock, which is looked up by its number. Changes
 * R_LOCK and R_FLAGS. */
static void take_owner_chain(struct bpf_code *c, const struct lock_watch *w,
			     const struct lock_layout *at)
{
	int out = bpf_label(c), put = bpf_label(c);

	bpf_load(c, BPF_W, BPF_REG_1, R_OPEN, OPEN(tid));
	bpf_kfunc(c, at->find_task);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_LOCK, BPF_REG_0);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_PEEK, 0);
	bpf_lookup(c, w->chain, S_PEEK);
	bpf_mov(c, R_FLAGS, BPF_REG_0);
	bpf_jumpi(c, BPF_JEQ, R_FLAGS, 0, put);
	bpf_mov(c, BPF_REG_1, R_LOCK);
	bpf_mov(c, BPF_REG_2, R_FLAGS);
	bpf_movi(c, BPF_REG_3, (s32)w->depth * 8);
	bpf_movi(c, BPF_REG_4, 0);
	bpf_helper(c, BPF_FUNC_get_task_stack);
	bpf_store(c, BPF_DW, BPF_REG_10, S_PEEK, BPF_REG_0);
	bpf_bind(c, put);
	bpf_mov(c, BPF_REG_1, R_LOCK);
	bpf_kfunc(c, at->put_task);
	bpf_jumpi(c, BPF_JEQ, R_FLAGS, 0, out);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_jumpi(c, BPF_JSLE, BPF_REG_1, 0, out);
	number_chain(c, w, out);
	bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, S_PEEK);
	bpf_store(c, BPF_W, R_OPEN, OPEN(stack), BPF_REG_1);
	bpf_bind(c, out);
}

void lock_prog_begin(struct bpf_code *c, const struct lock_watch *w,
		     const struct lock_watch_opts *opts, const struct lock_layout *at)
{
	int out = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	bpf_movval(c, BPF_REG_1, w->ctl, offsetof(struct lock_ctl, enabled));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_1, 0);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_1, 0, out);
	take_open_key(c);
	bpf_load(c, BPF_DW, R_FLAGS, R_CTX, 8);
	bpf_alui(c, BPF_LSH, R_FLAGS, 32);
	bpf_alui(c, BPF_RSH, R_FLAGS, 32);
	want(c, w, opts, out);
	find_open(c, w, out);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, R_OPEN, OPEN(since), BPF_REG_0);
	bpf_store(c, BPF_W, R_OPEN, OPEN(flags), R_FLAGS);
	bpf_storei(c, BPF_W, R_OPEN, OPEN(stack), -1);
	if (w->stacks >= 0)
		take_stack(c, w);
	if (opts->by == LOCK_WATCH_BY_OWNER)
		take_owner(c, at);
	else if (opts->by == LOCK_WATCH_BY_TASK)
		take_waiter(c);
	if (w->chains >= 0)
		take_owner_chain(c, w, at);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* ---- what a lock is, which is found out once for each sum ---- */

/* Emit: R_LOCK is a lock in the structure at the address that *(@src + @pointer) is, at @member:
 * then its hint is @hint, and goto @out */
static void hint_at(struct bpf_code *c, int src, int pointer, int member, int hint, int out)
{
	int other = bpf_label(c);

	if (member < 0)
		return;
	if (pointer >= 0) {
		bpf_peek(c, S_PEEK, 8, src, pointer);
		bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, S_PEEK);
	} else {
		bpf_mov(c, BPF_REG_1, src);
	}
	bpf_alui(c, BPF_ADD, BPF_REG_1, member);
	bpf_jump(c, BPF_JNE, BPF_REG_1, R_LOCK, other);
	bpf_storei(c, BPF_W, BPF_REG_10, SUM(hint), hint);
	bpf_goto(c, out);
	bpf_bind(c, other);
}

/* Emit: what the lock is to the task that waits for it. Changes R_CTX. */
static void take_hint(struct bpf_code *c, const struct lock_layout *at)
{
	int out = bpf_label(c);

	bpf_helper(c, BPF_FUNC_get_current_task);
	bpf_mov(c, R_CTX, BPF_REG_0);
	if (at->mm >= 0)
		hint_at(c, R_CTX, at->mm, at->mmap_lock, LOCK_HINT_MMAP_LOCK, out);
	if (at->sighand >= 0)
		hint_at(c, R_CTX, at->sighand, at->siglock, LOCK_HINT_SIGLOCK, out);
	hint_at(c, R_CTX, -1, at->pi_lock, LOCK_HINT_PI_LOCK, out);
	bpf_bind(c, out);
}

/* Emit: the name of the slab cache that the lock lies in an object of */
static void take_cache(struct bpf_code *c, const struct lock_layout *at)
{
	int none = bpf_label(c);

	bpf_mov(c, BPF_REG_1, R_LOCK);
	bpf_kfunc(c, at->find_cache);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, none);
	bpf_load(c, BPF_DW, BPF_REG_3, BPF_REG_0, at->cache_name);
	bpf_frame(c, BPF_REG_1, SUM(cache));
	bpf_movi(c, BPF_REG_2, LOCK_WATCH_CACHE);
	bpf_helper(c, BPF_FUNC_probe_read_kernel_str);
	bpf_bind(c, none);
}

/* ---- the end of a wait ---- */

enum { R_NS = BPF_REG_8 };

/* Emit: the key of the sum */
static void take_sum_key(struct bpf_code *c, const struct lock_watch_opts *opts)
{
	if (opts->by == LOCK_WATCH_BY_CGROUP)
		bpf_helper(c, BPF_FUNC_get_current_cgroup_id);
	else if (opts->by == LOCK_WATCH_BY_LOCK)
		bpf_mov(c, BPF_REG_0, R_LOCK);
	else if (opts->by == LOCK_WATCH_BY_FLAGS)
		bpf_load(c, BPF_W, BPF_REG_0, R_OPEN, OPEN(flags));
	else
		bpf_movi(c, BPF_REG_0, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, SUM_KEY(what), BPF_REG_0);
	bpf_load(c, BPF_W, BPF_REG_0, R_OPEN, OPEN(tid));
	bpf_store(c, BPF_W, BPF_REG_10, SUM_KEY(tid), BPF_REG_0);
	bpf_load(c, BPF_W, BPF_REG_0, R_OPEN, OPEN(stack));
	bpf_store(c, BPF_W, BPF_REG_10, SUM_KEY(stack), BPF_REG_0);
}

/* Emit: a sum of this wait alone */
static void take_sum(struct bpf_code *c, const struct lock_watch_opts *opts,
		     const struct lock_layout *at)
{
	static const size_t copied[] = { offsetof(struct lock_sum, total),
					 offsetof(struct lock_sum, max),
					 offsetof(struct lock_sum, min) };

	for (int i = 0; i < (int)sizeof(struct lock_sum); i += 8)
		bpf_storei(c, BPF_DW, BPF_REG_10, S_SUM + i, 0);
	bpf_storei(c, BPF_DW, BPF_REG_10, SUM(count), 1);
	for (size_t i = 0; i < ARRAY_SIZE(copied); i++)
		bpf_store(c, BPF_DW, BPF_REG_10, S_SUM + (int)copied[i], R_NS);
	bpf_store(c, BPF_DW, BPF_REG_10, SUM(address), R_LOCK);
	bpf_load(c, BPF_W, BPF_REG_0, R_OPEN, OPEN(flags));
	bpf_store(c, BPF_W, BPF_REG_10, SUM(flags), BPF_REG_0);
	for (int i = 0; i < LOCK_WATCH_COMM; i += 8) {
		bpf_load(c, BPF_DW, BPF_REG_0, R_OPEN, OPEN(comm) + i);
		bpf_store(c, BPF_DW, BPF_REG_10, SUM(comm) + i, BPF_REG_0);
	}
	if (opts->by == LOCK_WATCH_BY_LOCK)
		take_hint(c, at);
	if (at->find_cache)
		take_cache(c, at);
}

/* Emit: the sum at r0 grows by R_NS, and goto @out; if there is none, go on. Two CPUs may change
 * the longest or shortest wait at a time: then one of them has it. */
static void add_to_sum(struct bpf_code *c, int out)
{
	int none = bpf_label(c), longest = bpf_label(c);

	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, none);
	bpf_movi(c, BPF_REG_1, 1);
	bpf_add_atomic(c, BPF_REG_0, offsetof(struct lock_sum, count), BPF_REG_1);
	bpf_add_atomic(c, BPF_REG_0, offsetof(struct lock_sum, total), R_NS);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct lock_sum, max));
	bpf_jump(c, BPF_JLE, R_NS, BPF_REG_1, longest);
	bpf_store(c, BPF_DW, BPF_REG_0, offsetof(struct lock_sum, max), R_NS);
	bpf_bind(c, longest);
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_0, offsetof(struct lock_sum, min));
	bpf_jump(c, BPF_JGE, R_NS, BPF_REG_1, out);
	bpf_store(c, BPF_DW, BPF_REG_0, offsetof(struct lock_sum, min), R_NS);
	bpf_goto(c, out);
	bpf_bind(c, none);
}

/* Emit: note that there is no room for this sum, in a table of hashes */
static void miss_sum(struct bpf_code *c, const struct lock_watch *w)
{
	bpf_count_up(c, w->ctl, offsetof(struct lock_ctl, lost_waits));
	bpf_load(c, BPF_DW, BPF_REG_0, BPF_REG_10, SUM_KEY(what));
	bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, SUM_KEY(tid));
	bpf_mov64(c, BPF_REG_2, 0x9e3779b97f4a7c15ULL);
	bpf_alu(c, BPF_MUL, BPF_REG_0, BPF_REG_2);
	bpf_alu(c, BPF_XOR, BPF_REG_0, BPF_REG_1);
	bpf_mov64(c, BPF_REG_2, 0xd6e8feb86659fd93ULL);
	bpf_alu(c, BPF_MUL, BPF_REG_0, BPF_REG_2);
	bpf_alui(c, BPF_RSH, BPF_REG_0, 64 - LOCK_MISSED_BITS);
	bpf_movval(c, BPF_REG_1, w->missed, 0);
	bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_0);
	bpf_storei(c, BPF_B, BPF_REG_1, 0, 1);
}

/* Emit: let time pass while the lock is held, if it is one of those */
static void delay(struct bpf_code *c, const struct lock_watch *w)
{
	int again = bpf_label(c), done = bpf_label(c);

	bpf_lookup(c, w->delays, OPEN_KEY(address));
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, done);
	bpf_load(c, BPF_DW, R_LOCK, BPF_REG_0, 0);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_alu(c, BPF_ADD, R_LOCK, BPF_REG_0);
	bpf_bind(c, again);
	bpf_may_goto(c, done);
	for (int i = 0; i < LOOKS; i++) {
		bpf_helper(c, BPF_FUNC_ktime_get_ns);
		bpf_jump(c, BPF_JGE, BPF_REG_0, R_LOCK, done);
	}
	bpf_goto(c, again);
	bpf_bind(c, done);
}

void lock_prog_end(struct bpf_code *c, const struct lock_watch *w,
		   const struct lock_watch_opts *opts, const struct lock_layout *at)
{
	int out = bpf_label(c), counted = bpf_label(c), stored = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	take_open_key(c);
	bpf_lookup(c, w->open, S_OPEN_KEY);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, out);
	bpf_mov(c, R_OPEN, BPF_REG_0);
	bpf_load(c, BPF_DW, R_NS, R_OPEN, OPEN(since));
	bpf_jumpi(c, BPF_JEQ, R_NS, 0, out);
	bpf_storei(c, BPF_DW, R_OPEN, OPEN(since), 0);
	bpf_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_alu(c, BPF_SUB, BPF_REG_0, R_NS);
	bpf_mov(c, R_NS, BPF_REG_0);
	take_sum_key(c, opts);
	bpf_lookup(c, w->sums, S_SUM_KEY);
	add_to_sum(c, counted);
	take_sum(c, opts, at);
	bpf_update(c, w->sums, S_SUM_KEY, S_SUM, BPF_NOEXIST);
	bpf_jumpi(c, BPF_JEQ, BPF_REG_0, 0, counted);
	bpf_jumpi(c, BPF_JNE, BPF_REG_0, -EEXIST, stored);
	bpf_lookup(c, w->sums, S_SUM_KEY); /* another CPU was faster */
	add_to_sum(c, counted);
	bpf_bind(c, stored);
	miss_sum(c, w);
	bpf_bind(c, counted);
	if (w->delays >= 0)
		delay(c, w);
	bpf_bind(c, out);
	bpf_return(c, 0);
}

/* Threads that a wanted one creates are wanted, and the address of one that is not may be that of
 * one that was. */
void lock_prog_task(struct bpf_code *c, const struct lock_watch *w)
{
	int other = bpf_label(c);

	bpf_mov(c, R_CTX, BPF_REG_1);
	bpf_load(c, BPF_DW, R_LOCK, R_CTX, 0);
	bpf_store(c, BPF_DW, BPF_REG_10, S_OPEN_KEY, R_LOCK);
	want_thread(c, w, other);
	bpf_storei(c, BPF_DW, BPF_REG_10, S_PEEK, 1);
	bpf_update(c, w->tasks, S_OPEN_KEY, S_PEEK, BPF_ANY);
	bpf_return(c, 0);
	bpf_bind(c, other);
	bpf_movmap(c, BPF_REG_1, w->tasks);
	bpf_frame(c, BPF_REG_2, S_OPEN_KEY);
	bpf_helper(c, BPF_FUNC_map_delete_elem);
	bpf_return(c, 0);
}
