// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events mem:SYMBOL[@OBJECT] on symbols of programs and of the libraries they load. In a
 * process that runs, the address is known before anything is opened. A command is opened with a
 * breakpoint at no place of its own; when it has become the program, and before its first
 * instruction, the breakpoint is moved to where that is: what is loaded at random places has its
 * addresses from then on only. For a library it is held from one system call to the next until its
 * loader has mapped that, before any of its code runs.
 */
#include "base/compat.h"
#include "recorder/opened.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "events/parse.h"
#include "symbol/elf-place.h"

#include <errno.h>
#include <unistd.h>

static int unknown(const struct evsel *e, const char *what, int rc, struct near *near,
		   struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < near->nr; i++)
		strbuf_addf(&sb, "%s%s", i ? ", " : "\nDid you mean ", near->best[i]);
	strbuf_addstr(&sb, near->nr ? "?" : "");
	if (rc == -ENXIO)
		err_set(err, rc, "%s: %s has not loaded '%s', whose '%s' it is to be", e->name,
			what, e->late->object, e->late->symbol);
	else if (rc == -ENOENT && e->late->object)
		err_set(err, rc, "%s: '%s' has no symbol '%s'%s", e->name, e->late->object,
			e->late->symbol, strbuf_str(&sb));
	else if (rc == -ENOENT)
		err_set(err, rc, "%s: neither the running kernel nor %s has a symbol '%s'%s",
			e->name, what, e->late->symbol, strbuf_str(&sb));
	else if (rc == -EDOM)
		err_set(err, rc, "%s: each thread of %s has a '%s' of its own", e->name, what,
			e->late->symbol);
	else
		err_set(err, rc, "%s: cannot tell where %s has '%s': %s", e->name, what,
			e->late->symbol, err_str(rc));
	strbuf_release(&sb);
	return rc;
}

/* Find the address that the event is to watch in @pid. Return: -ENXIO without a sentence when the
 * object is not loaded yet. */
static int settle(const struct opened *ev, struct evsel *e, int pid, const char *what, bool wait,
		  struct err *err)
{
	struct near near = { .word = e->late->symbol };
	struct elf_place place;
	int rc = process_find_place(ev->sysroot, pid, e->late->object, e->late->symbol, &place,
				    &near);

	if (!rc) {
		e->attr.bp_addr = place.addr + e->late->offset;
		breakpoint_kind(e, e->late->type, e->late->len, place.code);
	} else if (rc != -ENXIO || !wait) {
		unknown(e, what, rc, &near, err);
	}
	near_release(&near);
	return rc;
}

static int process_of(const struct sysroot *sr, int tid)
{
	struct strbuf sb = STRBUF_INIT;
	const char *line;
	int pid = tid;

	if (!sysroot_read(sr, &sb, "/proc/%d/status", tid)) {
		line = strstr(strbuf_str(&sb), "\nTgid:");
		pid = line ? (int)strtol(line + 6, NULL, 10) : tid;
	}
	strbuf_release(&sb);
	return pid;
}

/* --- a process that runs ------------------------------------------------------- */

static int settle_running(const struct opened *ev, struct evsel *e, int pid, struct err *err)
{
	char what[32];
	int rc;

	if (pid < 0)
		return err_set(err, -ENOENT,
			       "%s: %s has no symbol '%s'; for one of a program "
			       "give a command, or a process with -p",
			       e->name, e->late->object ? e->late->object : "the running kernel",
			       e->late->symbol);
	for (size_t k = 1; k < ev->tids.nr; k++)
		if (process_of(ev->sysroot, ev->tids.v[k]) != pid)
			return err_set(err, -EINVAL,
				       "%s: '%s' is at a place of its own in each process: "
				       "record one at a time",
				       e->name, e->late->symbol);
	snprintf(what, sizeof(what), "process %d", pid);
	rc = settle(ev, e, pid, what, false, err);
	evsel_late_done(e);
	return rc;
}

int late_settle(const struct late_breakpoints *b, struct err *err)
{
	const struct opened *ev = b->ev;
	pid_t command = b->workload->pid;
	int pid = ev->tids.nr && !command ? process_of(ev->sysroot, ev->tids.v[0]) : -1, rc = 0;

	for (size_t n = 0; n < ARRAY_SIZE(b->sets); n++) {
		const struct late_set *set = &b->sets[n];

		for (size_t i = 0; !rc && i < set->list->nr; i++) {
			struct evsel *e = set->list->evsels[i];

			if (!e->late)
				continue;
			/* the address means something else in other programs */
			if (set->of_target)
				*set->of_target = true;
			if (!command)
				rc = settle_running(ev, e, pid, err);
		}
	}
	return rc;
}

/* --- a command that is held ------------------------------------------------------ */

static bool has_late(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->late)
			return true;
	return false;
}

bool late_any(const struct late_breakpoints *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(b->sets); i++)
		if (has_late(b->sets[i].list))
			return true;
	return false;
}

/* Move the breakpoints whose address is known by now. @wait: the others may follow */
static int move_set(const struct late_breakpoints *b, const struct late_set *set, bool on,
		    bool wait, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < set->list->nr; i++) {
		struct evsel *e = set->list->evsels[i];

		if (!e->late)
			continue;
		rc = settle(b->ev, e, b->workload->pid, b->command, wait, err);
		if (rc == -ENXIO && wait) {
			rc = 0;
			continue;
		}
		if (!rc)
			rc = kevents_move_breakpoint(set->fds, e, on);
		if (rc && !err->msg[0])
			err_set(err, rc,
				"%s: the kernel does not take the breakpoint at %#" PRIx64 ": %s",
				e->name, (u64)e->attr.bp_addr, err_str(rc));
		evsel_late_done(e);
	}
	return rc;
}

/* @ended: the command has ended, nothing is to count any more */
static int move(const struct late_breakpoints *b, bool ended, bool wait, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < ARRAY_SIZE(b->sets); i++)
		rc = move_set(b, &b->sets[i], b->sets[i].on && !ended, wait, err);
	return rc;
}

/* Return the file whose code the held command runs, to be freed. NULL: it cannot be told. */
static char *code_file(const struct late_breakpoints *b)
{
	struct strbuf maps = STRBUF_INIT, call = STRBUF_INIT;
	const char *p, *end;
	char *file = NULL;
	u64 pc = 0, from, to;
	struct line l;

	/* its last word is the address of the next instruction */
	if (!sysroot_read(b->ev->sysroot, &call, "/proc/%d/syscall", b->workload->pid)) {
		const char *last = strrchr(strbuf_str(&call), ' ');

		pc = last ? strtoull(last + 1, NULL, 16) : 0;
	}
	if (!pc || sysroot_read(b->ev->sysroot, &maps, "/proc/%d/maps", b->workload->pid))
		strbuf_reset(&maps);
	p = strbuf_str(&maps);
	end = p + maps.len;
	while (!file && next_line(&p, end, &l)) {
		char *line = xstrndup(l.p, (size_t)(l.end - l.p)), *path = strchr(line, '/');

		if (path && sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) == 2 && pc >= from &&
		    pc < to)
			file = xstrdup(path);
		free(line);
	}
	strbuf_release(&maps);
	strbuf_release(&call);
	return file;
}

/* Return the loader, which runs before the program itself; NULL: the program has no libraries. */
static char *loader_of(const struct late_breakpoints *b)
{
	char *link = sysroot_path(b->ev->sysroot, "/proc/%d/exe", b->workload->pid);
	char *file = code_file(b), exe[4096];
	ssize_t n = readlink(link, exe, sizeof(exe) - 1);

	exe[MAX(n, (ssize_t)0)] = 0;
	if (file && !strcmp(file, exe)) {
		free(file);
		file = NULL;
	}
	free(link);
	return file;
}

int late_move(const struct late_breakpoints *b, struct err *err)
{
	char *loader = loader_of(b), *now = loader ? xstrdup(loader) : NULL;
	int rc = 0;

	/* as long as it is the loader that runs, more may be mapped */
	while (!rc) {
		bool loading = loader && now && !strcmp(now, loader);

		rc = move(b, false, loading, err);
		if (rc || !late_any(b))
			break;
		rc = workload_step(b->workload);
		free(now);
		now = rc ? NULL : code_file(b);
		/* it ended before it had loaded everything: that is told */
		if (rc == -ECHILD)
			rc = move(b, true, false, err);
	}
	if (rc && !err->msg[0])
		err_set(err, rc, "cannot follow %s while it is loaded: %s", b->command,
			err_str(rc));
	free(loader);
	free(now);
	return rc;
}
