// SPDX-License-Identifier: GPL-2.0-or-later
/* Find out what the events of a recording are, once, before the first of them. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "base/alloc.h"

#include <errno.h>
#include <sys/utsname.h>

/* ---- programs ---- */

static bool is_narrow(const char *machine)
{
	static const char *const wide[] = { "64", "s390x", "sparc64" };

	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (strstr(machine, wide[i]))
			return false;
	return true;
}

struct sysargs_abi trace_programs(const char *machine)
{
	struct utsname here = { 0 };
	const struct arch *a;
	struct sysargs_abi abi = { 0 };
	bool narrow;

	if (!machine && !uname(&here))
		machine = here.machine;
	a = arch_of(machine);
	narrow = is_narrow(machine ? machine : "");
	for (u32 i = 0; i < a->nr_elf; i++) {
		if (i && a->elf[i].narrow != narrow)
			continue;
		abi.machine = a->elf[i].machine;
		abi.narrow = a->elf[i].narrow;
	}
	return abi;
}

/* ---- events ---- */

static bool recorded(const struct evlist *l, const char *name)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->evsels[i]->name, name))
			return true;
	return false;
}

/*
 * The events of a single call are calls when both of its sides were recorded and the events of all
 * calls were not. Otherwise somebody wants to see them as events.
 */
static bool makes_calls(const struct trace_run *t, const char *name)
{
	const struct evlist *l = &t->r->session.evlist;
	const char *call;
	bool both;
	char *other;

	if (syscall_side_of(name, &call) == SYSCALL_NEITHER)
		return false;
	if (!call || trace_select_filtered(t->asked->select, call))
		return true;
	if (recorded(l, "raw_syscalls:sys_enter") || recorded(l, "raw_syscalls:sys_exit"))
		return false;
	other = xasprintf("syscalls:sys_%s_%s",
			  syscall_side_of(name, &call) == SYSCALL_ENTER ? "exit" : "enter", call);
	both = recorded(l, other);
	free(other);
	return both;
}

/* Tell whether an event is of a call that has a filter on its arguments. */
static bool is_filtered(const struct trace_run *t, const char *name)
{
	const char *call;

	return syscall_side_of(name, &call) != SYSCALL_NEITHER && call &&
	       trace_select_filtered(t->asked->select, call);
}

static bool is_fault(const struct evsel *e, bool *major)
{
	if (e->attr.type != PERF_TYPE_SOFTWARE)
		return false;
	*major = e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return *major || e->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN;
}

static bool bind_runtime(struct trace_event *e)
{
	const struct tf_field *f = e->format ? tf_find_field(e->format, "runtime") : NULL;

	if (!f || f->size != 8)
		return false;
	e->runtime = (struct engine_place){ .offset = f->offset, .size = 8 };
	return true;
}

/* A probe that the user has put on getname() tells the path that the thread's call is about. */
static bool bind_name(const struct evsel *evsel, struct trace_event *e)
{
	const struct tf_event *f = e->format;

	if (!f || strncmp(evsel->name, "probe:", 6) || !strstr(evsel->name, "getname"))
		return false;
	for (u32 i = f->nr_common; i < f->nr_fields && !e->name; i++)
		if (f->fields[i].flags & TF_STRING)
			e->name = &f->fields[i];
	return e->name != NULL;
}

static int bind_event(struct trace_run *t, const struct evsel *evsel, struct trace_event *e,
		      struct err *err)
{
	const bool swap = t->r->session.file->swap;

	*e = (struct trace_event){ .format = evsel_format(evsel, t->r->formats.tracefmt) };
	if (evsel_is_dummy(evsel)) {
		e->kind = TRACE_SILENT;
	} else if (evsel_is_tracepoint(evsel) && makes_calls(t, evsel->name)) {
		if (!syscall_bind(evsel->name, e->format, swap, &e->call))
			return err_set(err, -ENOENT,
				       "perf trace: %s has no usable format in this recording",
				       evsel->name);
		e->kind = TRACE_CALL;
		e->filtered = is_filtered(t, evsel->name);
	} else if (evsel == call_memory_event(&t->r->session.evlist)) {
		e->kind = TRACE_MEMORY;
	} else if (recorded(&t->r->session.evlist, "raw_syscalls:sys_enter") &&
		   bind_name(evsel, e)) {
		e->kind = TRACE_NAME;
	} else if (is_fault(evsel, &e->major)) {
		e->kind = TRACE_FAULT;
	} else if (t->asked->sched && !strcmp(evsel->name, "sched:sched_stat_runtime") &&
		   bind_runtime(e)) {
		e->kind = TRACE_RUNTIME;
	}
	return 0;
}

/* Set the numbers that wide and narrow programs have for two calls. */
static void set_numbers(const struct trace_run *t, s64 numbers[4], const char *one,
			const char *other)
{
	const struct sysargs *narrow = sysargs_of(t->sa, SYSARGS_NARROW);
	const char *const names[] = { one, other };

	for (int i = 0; i < 2; i++) {
		const s64 nr = narrow != t->sa ? sysargs_number(narrow, names[i]) : -1;

		numbers[i] = sysargs_number(t->sa, names[i]);
		numbers[2 + i] = nr < 0 ? -1 : nr + SYSARGS_NARROW;
	}
}

void trace_special(struct trace_run *t)
{
	struct syscall_special special;
	s64 closes[4];

	set_numbers(t, special.exits, "exit", "exit_group");
	set_numbers(t, special.execs, "execve", "execveat");
	set_numbers(t, closes, "close", "close");
	t->closes[0] = closes[0];
	t->closes[1] = closes[2];
	syscalls_special(t->calls, &special);
}

static int take_programs(struct trace_run *t, struct err *err)
{
	t->abi = trace_programs(t->r->session.file->env.arch);
	sysargs_free(t->sa);
	free(t->wanted);
	t->wanted = NULL;
	t->sa = sysargs_new(&t->abi, err);
	if (!t->sa)
		return err->code;
	t->wanted = trace_select_numbers(t->asked->select, t->sa);
	trace_special(t);
	return 0;
}

int trace_bind(struct trace_run *t, struct err *err)
{
	const struct evlist *l = &t->r->session.evlist;
	int rc = take_programs(t, err);

	free(t->events);
	t->events = xcalloc(l->nr + 1, sizeof(*t->events));
	t->nr_events = l->nr;
	t->copies_stacks = evlist_copies_stacks(l);
	for (size_t i = 0; i < l->nr && !rc; i++)
		rc = bind_event(t, l->evsels[i], &t->events[i], err);
	if (!rc)
		trace_types_read(t);
	return rc;
}
