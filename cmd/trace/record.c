// SPDX-License-Identifier: GPL-2.0-or-later
/* perf trace record: perf record with the events of perf trace in front of the user's arguments. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/trace/trace.h"

#include "base/alloc.h"

#define OWN_ARGUMENTS 16 /* the most that stand in front of the user's */

int trace_record(const struct trace_command *t, int argc, const char **argv)
{
	static const char *const before[] = { "record", "-R", "-m", "1024", "-c", "1" };
	const char **v = xcalloc((size_t)argc + OWN_ARGUMENTS, sizeof(*v));
	int nr = 0, status;

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
	status = cmd_record(nr, v);
	free(v);
	return status;
}
