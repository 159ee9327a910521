// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs of 32 bits on a kernel of 64 bits make calls by other numbers, with structs of other
 * layouts. No event says so; but all files that such a program has mapped since its exec are below
 * 4 GiB, while a program of 64 bits has at least the kernel's own object above.
 */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "arch/arch.h"
#include "wire/records.h"

#include <string.h>

#define NARROW_END ((u64)1 << 32) /* the first address that narrow programs do not have */

/* This is known of the mappings of a process. */
enum { SPACE_UNKNOWN, SPACE_LOW, SPACE_HIGH };

/* ---- what processes have mapped ---- */

/* An exec makes the stack where programs of 64 bits have it, and moves it when it knows better. */
static bool is_memory_alone(const char *name)
{
	return !strcmp(name, "//anon") || !strcmp(name, "[stack]");
}

static void set_space(struct trace_run *t, u32 *space, u32 is)
{
	t->nr_low += (is == SPACE_LOW) - (*space == SPACE_LOW);
	*space = is;
}

static void note_map(struct trace_run *t, const struct session_event *ev)
{
	struct rec_mmap map;
	u32 *space;

	if (rec_mmap_decode(ev->hdr, ev->hdr->size, &map) || (s32)map.pid < 0 ||
	    is_memory_alone(map.filename))
		return;
	space = map64_slot(&t->spaces, map.pid);
	if (map.start + map.len > NARROW_END)
		set_space(t, space, SPACE_HIGH);
	else if (*space != SPACE_HIGH)
		set_space(t, space, SPACE_LOW);
	t->any_low |= *space == SPACE_LOW;
}

static void note_exec(struct trace_run *t, const struct session_event *ev)
{
	struct rec_comm comm;

	if (!rec_comm_decode(ev->hdr, ev->hdr->size, &comm) && comm.exec)
		set_space(t, map64_slot(&t->spaces, comm.pid), SPACE_UNKNOWN);
}

static void note_fork(struct trace_run *t, const struct session_event *ev)
{
	struct rec_task task;
	u32 space;

	if (rec_task_decode(ev->hdr, ev->hdr->size, &task) || task.pid == task.ppid)
		return;
	space = map64_get(&t->spaces, task.ppid);
	set_space(t, map64_slot(&t->spaces, task.pid), space == MAP64_NONE ? SPACE_UNKNOWN : space);
}

void trace_narrow_note(struct trace_run *t, const struct session_event *ev)
{
	switch (ev->hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		note_map(t, ev);
		break;
	case PERF_RECORD_COMM:
		note_exec(t, ev);
		break;
	case PERF_RECORD_FORK:
		note_fork(t, ev);
		break;
	default:
		break;
	}
}

/* ---- the calls of narrow programs ---- */

bool trace_narrow_add(struct sysargs *sa, const struct sysargs_abi *abi, const struct arch *a)
{
	const struct sysargs_abi other = { .machine = a->also_runs,
					   .narrow = true,
					   .big_endian = abi->big_endian };
	struct sysargs *narrow;
	struct err err = { 0 };

	if (sysargs_of(sa, SYSARGS_NARROW) != sa)
		return true;
	narrow = a->also_runs && !abi->narrow ? sysargs_new(&other, &err) : NULL;
	if (narrow)
		sysargs_add_narrow(sa, narrow);
	return narrow != NULL;
}

bool trace_narrow_have(struct trace_run *t)
{
	if (t->narrow_tried)
		return t->has_narrow;
	t->narrow_tried = true;
	if (!trace_narrow_add(t->sa, &t->abi, arch_of(t->r->session.file->env.arch)))
		return false;
	t->wanted_narrow =
		trace_select_numbers(t->asked->select, sysargs_of(t->sa, SYSARGS_NARROW));
	trace_special(t);
	return t->has_narrow = true;
}

s64 trace_number_begun(struct trace_run *t, u32 pid, s64 nr)
{
	if (!t->any_low || nr < 0 || nr >= SYSARGS_NARROW ||
	    map64_get(&t->spaces, pid) != SPACE_LOW || !trace_narrow_have(t))
		return nr;
	return nr + SYSARGS_NARROW;
}

s64 trace_number_ended(struct trace_run *t, u32 pid, u32 tid, s64 nr)
{
	const s64 number = trace_number_begun(t, pid, nr);
	const struct syscall_call *call = t->any_low ? syscalls_open_call(t->calls, tid) : NULL;

	/* exec ends in another program than it has begun in, perhaps by its number there */
	if (call && call->nr != number &&
	    (sysargs_own_number(call->nr) == nr ||
	     (trace_is_exec(t, call->nr) && trace_is_exec(t, number))))
		return call->nr;
	return number;
}
