// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record -e mem:SYMBOL on symbols of programs. In a process that runs, the address is known
 * before anything is opened. A command is opened with a breakpoint at no place of its own; when it
 * has become the program, and before its first instruction, the breakpoint is moved to where that
 * is: what is loaded at random places has its addresses from then on only.
 */
#include "base/compat.h"
#include "parts/record-internal.h"

#include "events/parse.h"
#include "symbol/elf-place.h"

#include <errno.h>

static int unknown(const struct evsel *e, const char *what, int rc, struct near *near,
		   struct err *err)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < near->nr; i++)
		strbuf_addf(&sb, "%s%s", i ? ", " : "\nDid you mean ", near->best[i]);
	strbuf_addstr(&sb, near->nr ? "?" : "");
	if (rc == -ENOENT)
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

/* What the event is to watch in @pid. */
static int settle(struct record *r, struct evsel *e, int pid, const char *what, struct err *err)
{
	struct near near = { .word = e->late->symbol };
	struct elf_place place;
	int rc = process_find_place(&r->sysroot, pid, e->late->symbol, &place, &near);

	if (rc) {
		unknown(e, what, rc, &near, err);
	} else {
		e->attr.bp_addr = place.addr + e->late->offset;
		breakpoint_kind(e, e->late->type, e->late->len, place.code);
	}
	near_release(&near);
	return rc;
}

static int process_of(const struct record *r, int tid)
{
	struct strbuf sb = STRBUF_INIT;
	const char *line;
	int pid = tid;

	if (!sysroot_read(&r->sysroot, &sb, "/proc/%d/status", tid)) {
		line = strstr(strbuf_str(&sb), "\nTgid:");
		pid = line ? (int)strtol(line + 6, NULL, 10) : tid;
	}
	strbuf_release(&sb);
	return pid;
}

int record_late_breakpoints(struct record *r, struct err *err)
{
	int pid = r->tids.nr && !r->workload.pid ? process_of(r, r->tids.v[0]) : -1, rc = 0;
	char what[32];

	for (size_t i = 0; i < r->ro.sw.event_list.nr; i++)
		if (r->ro.sw.event_list.evsels[i]->late)
			return err_set(err, -EINVAL,
				       "%s: symbols of programs are for the events of -e",
				       r->ro.sw.event_list.evsels[i]->name);
	for (size_t i = 0; !rc && i < r->evlist.nr; i++) {
		struct evsel *e = r->evlist.evsels[i];

		if (!e->late || r->workload.pid)
			continue;
		if (pid < 0)
			return err_set(
				err, -ENOENT,
				"%s: the running kernel has no symbol '%s'; for one of a program "
				"give a command, or a process with -p",
				e->name, e->late->symbol);
		for (size_t k = 1; k < r->tids.nr; k++)
			if (process_of(r, r->tids.v[k]) != pid)
				return err_set(err, -EINVAL,
					       "%s: '%s' is at a place of its own in each process: "
					       "record one at a time",
					       e->name, e->late->symbol);
		snprintf(what, sizeof(what), "process %d", pid);
		rc = settle(r, e, pid, what, err);
		evsel_late_done(e);
	}
	return rc;
}

bool record_has_late(const struct record *r)
{
	for (size_t i = 0; i < r->evlist.nr; i++)
		if (r->evlist.evsels[i]->late)
			return true;
	return false;
}

int record_move_breakpoints(struct record *r, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < r->evlist.nr; i++) {
		struct evsel *e = r->evlist.evsels[i];

		if (!e->late)
			continue;
		rc = settle(r, e, r->workload.pid, r->command[0], err);
		if (!rc)
			rc = kevents_move_breakpoint(&r->kevents, e, !r->sample.delayed);
		if (rc && !err->msg[0])
			err_set(err, rc,
				"%s: the kernel does not take the breakpoint at %#" PRIx64 ": %s",
				e->name, (u64)e->attr.bp_addr, err_str(rc));
		evsel_late_done(e);
	}
	return rc;
}
