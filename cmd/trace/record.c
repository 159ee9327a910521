// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments with which perf trace record runs perf record: its events, and then the user's. */
#include "base/compat.h"

#include "cmd/trace/trace.h"

#include "base/alloc.h"

#define OWN_ARGUMENTS 16 /* the most that stand in front of the user's */

const struct call_copies *trace_record_copies(struct trace_command *t, u32 *nr)
{
	if (!t->asked.syscalls)
		return NULL;
	t->copies = sysargs_copies(t->sa, NULL, &t->asked.look.view);
	*nr = sysargs_nr(t->sa);
	return t->copies;
}

int trace_record_arguments(const struct trace_command *t, int argc, const char **argv,
			   const char ***out)
{
	static const char *const before[] = { "record", "-R", "-m", "1024", "-c", "1" };
	const char **v = xcalloc((size_t)argc + OWN_ARGUMENTS, sizeof(*v));
	int nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		v[nr++] = before[i];
	if (t->asked.syscalls) {
		v[nr++] = "-e";
		v[nr++] = "raw_syscalls:sys_enter,raw_syscalls:sys_exit";
	}
	if (t->asked.faults)
		v[nr++] = "-d";
	if (t->asked.faults & TRACE_FAULTS_MAJOR) {
		v[nr++] = "-e";
		v[nr++] = "major-faults";
	}
	if (t->asked.faults & TRACE_FAULTS_MINOR) {
		v[nr++] = "-e";
		v[nr++] = "minor-faults";
	}
	for (int i = 1; i < argc; i++)
		v[nr++] = argv[i];
	*out = v;
	return nr;
}
