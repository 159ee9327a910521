// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "lockrun/lockrun-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "kernel/workload.h"
#include "locktext/table.h"

#include <errno.h>

/* A row may be about a task. */
struct lock_task {
	u32 tid;
	char comm[LOCK_WATCH_COMM];
};

/* This is kept while sums become rows. */
struct counted {
	const struct lock_run *r;
	struct running_kernel kernel;
	struct lock_words words;
	struct lock_code code;
	struct lock *lock;
	struct lock_task *tasks; /* owned */
	u32 nr_tasks;
	size_t cap_tasks;
	struct map64 task_of; /* the number of a task by its tid */
	struct intern names;  /* of locks */
	struct lock_watch_lost lost;
	int signal; /* it ended the run */
};

/* ---- words ---- */

static const char *symbol(void *ctx, u64 address, u64 *start)
{
	const struct counted *c = ctx;

	return running_kernel_name(&c->kernel, address, start);
}

static const char *task(void *ctx, const struct lock_row *row, u32 *tid)
{
	const struct counted *c = ctx;
	const struct lock_task *t = &c->tasks[row->task];

	*tid = t->tid;
	return t->tid == UINT32_MAX ? "Unknown" : t->comm;
}

static const char *cgroup(void *ctx, u64 id)
{
	const struct counted *c = ctx;

	return machine_cgroup(c->kernel.machine, id);
}

static const u64_una *chain_of(void *ctx, const struct lock_row *row, u32 *nr)
{
	const struct counted *c = ctx;

	return lock_chain(c->lock, row->chain, nr);
}

static bool look_at_chain(void *ctx, const u64_una *ips, u32 nr, u64 *caller)
{
	struct counted *c = ctx;
	const struct lock_show *s = c->r->show;

	if (nr && !c->code.from[0] && !c->code.from[1])
		lock_code_place(&c->code, c->kernel.machine, c->kernel.symbols);
	*caller = lock_code_caller(&c->code, ips, nr);
	return !s->stacks.set || lock_stack_matches(&c->words, &s->stacks, ips, nr);
}

/* ---- rows ---- */

static u32 task_number(struct counted *c, const struct lock_watch_sum *sum)
{
	u32 *slot = map64_slot(&c->task_of, sum->tid);

	if (*slot == MAP64_NONE) {
		*slot = c->nr_tasks;
		VEC_GROW(c->tasks, (size_t)c->nr_tasks + 1, c->cap_tasks);
		c->tasks[c->nr_tasks].tid = sum->tid;
		memcpy(c->tasks[c->nr_tasks++].comm, sum->comm, sizeof(sum->comm));
	}
	return *slot;
}

static const char *hint_name(enum lock_watch_hint hint)
{
	switch (hint) {
	case LOCK_HINT_MMAP_LOCK:
		return "mmap_lock";
	case LOCK_HINT_SIGLOCK:
		return "siglock";
	case LOCK_HINT_PI_LOCK:
		return "pi_lock";
	case LOCK_HINT_QUEUE:
		return "rq_lock";
	case LOCK_HINT_NONE:
		break;
	}
	return "";
}

/* Return what a lock without a symbol is called: an object of a slab cache has the name of the
 * cache, with an ampersand before it. */
static const char *name_of(struct counted *c, const struct lock_watch_sum *sum)
{
	char name[LOCK_WATCH_CACHE + 1];

	if (sum->hint || !*sum->cache)
		return hint_name(sum->hint);
	snprintf(name, sizeof(name), "&%s", sum->cache);
	return intern_str(&c->names, intern_str_id(&c->names, name));
}

/* Add a sum to its row. The first frames of the call chain are those of the program. */
static void add_sum(void *ctx, const struct lock_watch_sum *sum)
{
	struct counted *c = ctx;
	const struct lock_row row = {
		.type = lock_type_of(sum->flags),
		.address = sum->address,
		.cgroup = sum->cgroup,
		.task = task_number(c, sum),
		.name = name_of(c, sum),
		.waits = { sum->count, sum->total, sum->max, sum->min },
	};
	u32 ours = lock_code_ours(&c->words, sum->ips, sum->nr_ips);

	lock_add(c->lock, &row, sum->ips + ours, MIN(sum->nr_ips - ours, c->r->show->max_stack));
}

void lock_put_lost(const struct lock_watch_lost *lost, u32 entries, struct strbuf *out)
{
	if (lost->no_owner_chains)
		strbuf_addstr(out, "  INFO: this kernel does not let BPF programs see the call "
				   "chains of other tasks, which Linux 6.2 does\n");
	if (lost->waits)
		strbuf_addf(out,
			    "  INFO: %" PRIu64 " waits were not counted, as there was no room for "
			    "about %" PRIu64 " more rows: -M %" PRIu64 " has it\n",
			    lost->waits, lost->sums, entries + lost->sums + lost->sums / 8);
	if (lost->stacks)
		strbuf_addf(out,
			    "  INFO: the call chains of %" PRIu64 " waits could not be kept: a "
			    "larger -M has more of them\n",
			    lost->stacks);
	if (lost->begins)
		strbuf_addf(out,
			    "  INFO: %" PRIu64 " waits were not counted, as too many tasks waited "
			    "at a time\n",
			    lost->begins);
}

/* ---- the run ---- */

static int run(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct counted *c = ctx;
	struct lock_choice choice;
	struct lock_watch w;
	int rc = lock_choice_make(&choice, c->r, &c->kernel, err);

	if (!rc && command->pid && !c->r->target.all_cpus && !c->r->target.cpus)
		int_list_add(&choice.tids, command->pid);
	if (!rc)
		rc = lock_watch_open(&w, &choice.opts, err);
	if (!rc) {
		lock_watch_enable(&w, true);
		rc = workload_run(command, c->r->command[0], set, &c->signal, err);
		lock_watch_enable(&w, false);
		if (!rc)
			lock_watch_read(&w, add_sum, c, &c->lost);
		lock_watch_close(&w);
	}
	lock_choice_release(&choice);
	return rc;
}

int lock_run(const struct lock_run *r, struct strbuf *out, struct strbuf *notes, int *signal,
	     struct err *err)
{
	struct counted c = { .r = r };
	const struct lock_conf conf = { .by = r->show->by, .chain = look_at_chain, .ctx = &c };
	struct lock_table t = { .show = r->show, .words = &c.words };
	int rc;

	c.words = (struct lock_words){ symbol, task, cgroup, chain_of, &c };
	c.code = (struct lock_code){ .words = &c.words, .skip = r->show->stack_skip };
	c.lock = lock_new(&conf);
	running_kernel_open(&c.kernel, r->sysroot, r->o);
	rc = workload_around(r->command, WORKLOAD_OUTPUT_OURS, run, &c, err);
	*signal = c.signal;
	if (!rc) {
		t.rows = lock_rows(c.lock, &t.nr);
		t.missing = lock_missing(c.lock);
		lock_put_table(&t, out);
		if (r->show->verbose && c.lost.no_caches)
			strbuf_addstr(notes, "  INFO: this kernel does not tell which slab cache a "
					     "lock lies in, which Linux 6.13 does\n");
		if (!r->show->quiet)
			lock_put_lost(&c.lost, r->entries, notes);
	}
	running_kernel_close(&c.kernel);
	lock_free(c.lock);
	map64_release(&c.task_of);
	intern_release(&c.names);
	free(c.tasks);
	return rc;
}
