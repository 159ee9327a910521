// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, and what was done to locks in it is shown. */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

#include "schedtext/schedtext.h"

#include <errno.h>

/* ---- the recorder ---- */

void lock_record_args(struct verb_args *a, const struct sysroot *sr, bool user, int argc,
		      const char **argv)
{
	static const char *const before[] = { "-R", "-m",      "1024",       "-c",
					      "1",  "--synth", "task,cgroup" };
	static const struct verb_event of_lockdep[] = {
		{ "lock:lock_acquire" },
		{ "lock:lock_acquired" },
		{ "lock:lock_contended" },
		{ "lock:lock_release" },
	};
	static const struct verb_event of_waits[] = {
		{ "lock:contention_begin", .needed = true },
		{ "lock:contention_end", .needed = true },
	};
	static const struct verb_event of_futexes[] = {
		{ "syscalls:sys_enter_futex", .needed = true },
		{ "syscalls:sys_exit_futex", .needed = true },
	};
	int words;

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	if (user) {
		verb_args_add(a, "--data"); /* futexes lie in maps of data */
		verb_args_events(a, sr, of_futexes, ARRAY_SIZE(of_futexes));
		verb_args_users(a, argc, argv);
		return;
	}
	words = a->nr;
	verb_args_events(a, sr, of_lockdep, ARRAY_SIZE(of_lockdep));
	if (a->nr == words) { /* the kernel has no LOCKDEP */
		verb_args_add(a, "--call-graph");
		verb_args_add(a, "fp,8");
		verb_args_events(a, sr, of_waits, ARRAY_SIZE(of_waits));
	}
	verb_args_users(a, argc, argv);
}

/* ---- the run ---- */

/* This is kept while a recording is read. */
struct reading {
	const struct lock_show *show;
	struct analysis *a;
	struct lock *lock;
	struct lock_words words;
	struct lock_code code;
	bool placed;          /* the bounds of code of locks were looked up */
	struct span_map *map; /* of waits; NULL: none is wanted */
	struct lock_task_words tasks;
};

static const char *symbol(void *ctx, u64 address, u64 *start)
{
	const struct reading *g = ctx;
	struct recording *r = analysis_recording(g->a);

	return resolve_kernel_name(r->machine, recording_symbols(r), address, start);
}

const char *lock_task_name(void *ctx, const struct lock_row *row, u32 *tid)
{
	struct lock_task_words *w = ctx;
	const struct task_at *at = task_table_last(w->tasks, row->task);

	*tid = at->tid;
	if (at->comm)
		return at->comm;
	snprintf(w->unnamed, sizeof(w->unnamed), ":%u", at->tid);
	return at->tid ? w->unnamed : "swapper";
}

static const char *task(void *ctx, const struct lock_row *row, u32 *tid)
{
	struct reading *g = ctx;

	return lock_task_name(&g->tasks, row, tid);
}

static const char *cgroup(void *ctx, u64 id)
{
	const struct reading *g = ctx;

	return machine_cgroup(analysis_recording(g->a)->machine, id);
}

static const u64_una *chain_of(void *ctx, const struct lock_row *row, u32 *nr)
{
	const struct reading *g = ctx;

	return lock_chain(g->lock, row->chain, nr);
}

static bool look_at_chain(void *ctx, const u64_una *ips, u32 nr, u64 *caller)
{
	struct reading *g = ctx;
	struct recording *r = analysis_recording(g->a);

	if (!g->placed)
		lock_code_place(&g->code, r->machine, recording_symbols(r));
	g->placed = true;
	*caller = lock_code_caller(&g->code, ips, nr);
	return !g->show->stacks.set || lock_stack_matches(&g->words, &g->show->stacks, ips, nr);
}

static bool is_wanted(void *ctx, const struct lock_begin *b)
{
	const struct reading *g = ctx;
	const struct lock_show *s = g->show;
	const char *path;

	if (!analysis_wants_task(g->a, b->task) || (s->types && !(s->types >> b->type & 1)))
		return false;
	if (s->locks.set && !lock_is_listed(&g->words, &s->locks, b->address, b->name))
		return false;
	path = s->cgroups.set ? cgroup(ctx, b->cgroup) : NULL;
	return !s->cgroups.set || (path && lock_cgroup_is_listed(&s->cgroups, path));
}

static void on_wait(void *ctx, u64 since, u64 until)
{
	const struct reading *g = ctx;

	span_map_add(g->map, since, until);
}

static bool has_cgroups(const struct recording *r)
{
	const struct evlist *l = &r->session.evlist;

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CGROUP)
			return true;
	return false;
}

static void put_threads(const struct reading *g, struct strbuf *out)
{
	struct task_table *tasks = analysis_tasks(g->a);

	strbuf_addstr(out, " Thread ID: comm\n");
	for (u32 id = 0; id < task_table_nr(tasks); id++) {
		struct lock_row row = { .task = id };
		const char *name;
		u32 tid;

		if (!lock_saw_task(g->lock, id))
			continue;
		name = task((void *)g, &row, &tid);
		strbuf_addf(out, "%10u: ", tid);
		strbuf_addname(out, name);
		strbuf_addch(out, '\n');
	}
}

struct span_map *lock_map_new(const struct lock_show *s)
{
	static const struct span_map_words of_waits = {
		.title = "Waits for locks",
		.subtitle = "from the time at which a task asked for a lock until it had it",
		.what = "waits",
	};

	return s->heatmap ? span_map_new(&of_waits) : NULL;
}

void lock_put_losses(const struct lock_show *s, const struct analysis *a, struct strbuf *notes)
{
	const struct sched_counts none = { 0 };
	struct analysis_losses losses = analysis_losses(a);

	if (!s->quiet)
		sched_put_losses(&none, &losses, notes);
}

static void put_result(const struct reading *g, struct strbuf *out, struct strbuf *notes)
{
	struct lock_table t = {
		.show = g->show,
		.words = &g->words,
		.missing = lock_missing(g->lock),
	};

	t.rows = lock_rows(g->lock, &t.nr);
	if (g->show->view == LOCK_INFO) {
		if (g->show->threads)
			put_threads(g, out);
		if (g->show->threads && g->show->map)
			strbuf_addch(out, '\n');
		if (g->show->map)
			lock_put_map(&t, out);
	} else {
		lock_put_table(&t, out);
	}
	if (!t.nr && g->show->view == LOCK_CONTENTION && !g->show->quiet)
		strbuf_addstr(notes, "No thread waited for a lock while this was recorded, or the "
				     "filters leave none of the waits.\n");
	lock_put_losses(g->show, g->a, notes);
}

int lock_show_run(const struct lock_show *s, struct analysis *a, struct strbuf *out,
		  struct strbuf *notes, struct err *err)
{
	static const char *const names[] = {
		[LOCK_REPORT] = "lock report",
		[LOCK_INFO] = "lock info",
		[LOCK_CONTENTION] = "lock contention",
	};
	const struct engine e = lock_engine(names[s->view]);
	struct reading g = { .show = s, .a = a, .tasks = { .tasks = analysis_tasks(a) } };
	struct lock_conf conf = {
		.by = s->by,
		.all = s->view != LOCK_CONTENTION,
		.tasks = analysis_tasks(a),
		.max_stack = s->max_stack,
		.chain = look_at_chain,
		.wanted = is_wanted,
		.ctx = &g,
	};
	int ret;

	g.words = (struct lock_words){ symbol, task, cgroup, chain_of, &g };
	g.code = (struct lock_code){ .words = &g.words, .skip = s->stack_skip };
	g.map = lock_map_new(s);
	if (g.map)
		conf.wait = on_wait;
	g.lock = lock_new(&conf);
	ret = analysis_run(a, &e, g.lock, err);
	if (!ret && (s->by == LOCK_BY_CGROUP || s->cgroups.set) &&
	    !has_cgroups(analysis_recording(a)))
		ret = err_set(err, -ENOENT,
			      "lock contention: the recording does not tell the cgroups of tasks.\n"
			      "Record them with: perf lock record --all-cgroups");
	if (!ret)
		put_result(&g, out, notes);
	if (!ret && g.map)
		ret = span_map_write(g.map, s->heatmap, err);
	span_map_free(g.map);
	lock_free(g.lock);
	return ret;
}
