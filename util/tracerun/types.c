// SPDX-License-Identifier: GPL-2.0-or-later
/* The types of the kernel, which name values of enums and members of structs. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

#include "bpf/btf-print.h"

#include <sys/utsname.h>

/* Reading the types takes longer than a short run, so it is done for events that need them. */
static bool has_enums(const struct tf_event *format)
{
	for (u32 i = format ? format->nr_common : 0; format && i < format->nr_fields; i++)
		if (!strncmp(format->fields[i].type, "enum ", 5))
			return true;
	return false;
}

static bool are_wanted(const struct trace_run *t)
{
	bool wanted = t->look.view.force_btf;

	for (size_t i = 0; i < t->nr_events && !wanted && !t->asked->print_format; i++)
		wanted = t->events[i].kind == TRACE_OTHER && has_enums(t->events[i].format);
	return wanted && t->asked->lines;
}

/* The types at hand are those of the kernel that runs. */
static bool are_of_recording(const struct trace_run *t)
{
	const char *recorded = t->r->session.file->env.os_release;
	struct utsname here;

	return t->asked->live || (recorded && !uname(&here) && !strcmp(recorded, here.release));
}

void trace_types_read(struct trace_run *t)
{
	struct err ignored = { 0 };

	if (t->look.view.btf || !are_wanted(t) || !are_of_recording(t) ||
	    btf_open_kernel(&t->types, t->asked->sysroot, &ignored))
		return;
	btf_index(&t->types);
	t->look.view.btf = &t->types;
}

void trace_types_release(struct trace_run *t)
{
	if (t->look.view.btf)
		btf_close(&t->types);
}
