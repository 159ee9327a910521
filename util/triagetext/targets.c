// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The question is about the recorded command and all that it has started, or about some processes,
 * or about the whole machine.
 */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "recording/sample-filter.h"

/* The recorder's child has this name until it becomes the command. */
#define BEFORE_COMMAND "perf-exec"
#define COMM_BYTES 15
#define MOST_NAMES 16 /* so many names that a thread had are looked at */
#define KTHREADD 2U   /* the pid of the parent of the kernel's threads */

struct triage_targets {
	struct analysis *a; /* borrowed */
	const struct triage_thread *threads;
	u32 nr_threads;
	bool all;
	struct sample_filter
		filter;       /* of processes; its list is empty: the command is asked about */
	struct map64 parents; /* pid of the parent by pid */
	u32 root;             /* pid of the command */
};

/* Return the program that the recorder was to start, without its folder; NULL: there was none. */
static const char *program_asked(const struct env *env)
{
	const char *slash;

	for (u32 i = 0; i + 1 < env->nr_cmdline; i++) {
		if (strcmp(env->cmdline[i], "--"))
			continue;
		slash = strrchr(env->cmdline[i + 1], '/');
		return slash ? slash + 1 : env->cmdline[i + 1];
	}
	return NULL;
}

/* Tell whether a recorder started this process, and it then became the program @name. The kernel
 * keeps the first bytes of names. */
static bool is_command(const struct triage_targets *t, const struct triage_thread *th,
		       const char *name)
{
	const struct machine *m = analysis_recording(t->a)->machine;
	struct thread_at at = { .until = 0 };
	bool before = false;

	for (u32 i = 0; i < MOST_NAMES && at.until <= th->last; i++) {
		const char *comm;

		machine_thread_at(m, th->pid, th->tid, at.until, &at);
		comm = machine_comm(m, at.comm);
		if (before && (!name || !strncmp(comm, name, COMM_BYTES)))
			return true;
		before = !strcmp(comm, BEFORE_COMMAND);
	}
	return before && !name;
}

static void learn_parents(struct triage_targets *t)
{
	for (u32 id = 0; id < t->nr_threads; id++) {
		const struct triage_thread *th = &t->threads[id];
		u32 parent = analysis_life(t->a, id).parent;

		if (!th->seen || th->pid != th->tid || parent == UINT32_MAX)
			continue;
		map64_set(&t->parents, th->pid, parent);
	}
}

struct triage_targets *triage_targets_new(struct triage_pass *p, const struct triage_show *show)
{
	struct triage_targets *t = xzalloc(sizeof(*t));
	struct err err = { 0 };
	const char *name;

	t->a = p->a;
	t->threads = triage_threads(p->states, &t->nr_threads);
	t->all = show->all;
	learn_parents(t);
	if (show->pids && !sample_filter_pids(&t->filter, show->pids, &err))
		return t;
	name = program_asked(&analysis_recording(p->a)->session.file->env);
	for (u32 id = 0; id < t->nr_threads && !t->root && !t->all; id++) {
		const struct triage_thread *th = &t->threads[id];

		if (th->seen && th->pid == th->tid && is_command(t, th, name))
			t->root = th->pid;
	}
	t->all |= !t->root;
	return t;
}

void triage_targets_free(struct triage_targets *t)
{
	sample_filter_release(&t->filter);
	map64_release(&t->parents);
	free(t);
}

/* Tell whether a process descends from the command. */
static bool descends(const struct triage_targets *t, u32 pid)
{
	for (u32 depth = 0; depth < 64 && pid && pid != MAP64_NONE; depth++) {
		if (pid == t->root)
			return true;
		pid = map64_get(&t->parents, pid);
	}
	return false;
}

bool triage_targets_has(struct triage_targets *t, u32 id)
{
	const struct triage_thread *th = &t->threads[id];

	if (!th->seen || !th->tid)
		return false;
	if (t->filter.nr_pids)
		return sample_filter_match(&t->filter, th->pid, th->tid, 0, 0, "");
	if (t->all)
		return th->pid != KTHREADD && map64_get(&t->parents, th->pid) != KTHREADD;
	return descends(t, th->pid);
}

bool triage_targets_all(const struct triage_targets *t)
{
	return t->all || t->filter.nr_pids;
}
