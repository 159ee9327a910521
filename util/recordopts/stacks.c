// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How callers are found: by frame pointers where all code keeps them, else by unwind tables. The
 * program and its libraries are looked at before the recording; for the whole system, those
 * libraries that this program has.
 */
#include "base/compat.h"
#include "recordopts/settle.h"

#include "arch/arch.h"
#include "base/escape.h"
#include "recordunwind/choose.h"
#include "recordunwind/objects.h"

#include <unistd.h>

static void find_own_libraries(const struct record_settling *s, struct intern *objects)
{
	char program[4096];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[MAX(len, 0)] = '\0';
	objects_of_process(objects, s->sysroot, (u32)getpid(), program);
}

static void find_objects(const struct record_settling *s, struct intern *objects)
{
	const struct record_opts *o = s->opts;
	const char *ids = o->target.pids ? o->target.pids : o->target.tids;
	struct int_list list = { 0 };

	if (ids && !id_list_parse(ids, "id", &list, NULL))
		for (size_t i = 0; i < list.nr; i++)
			objects_of_process(objects, s->sysroot, (u32)list.v[i], NULL);
	else if (!ids && !o->target.uid && !o->sample.system_wide && o->command)
		objects_of_command(objects, o->command[0]);
	else
		find_own_libraries(s, objects);
	int_list_release(&list);
}

static void show_name(const struct stack_facts *f, char *out, size_t size)
{
	const char *slash = strrchr(f->first, '/');

	escape_name(out, size, slash ? slash + 1 : f->first);
}

static void choose(const struct record_settling *s, const struct stack_facts *f)
{
	struct sample_opts *o = &s->opts->sample;
	const struct arch *host = arch_host();
	bool can = host->sample_regs && host->frames && !s->opts->ring.threads;
	char name[256];

	o->callgraph = can && f->first ? CALLGRAPH_DWARF : CALLGRAPH_FP;
	o->unwind = o->callgraph == CALLGRAPH_DWARF;
	if (o->unwind) {
		show_name(f, name, sizeof(name));
		notice(s->info,
		       "[ perf record: Stacks are copied and unwound (dwarf,unwind), as %s keeps "
		       "no frame pointers ]\n",
		       name);
	} else {
		notice(s->info, "[ perf record: Stacks follow frame pointers (fp)%s ]\n",
		       f->first ? ", as they cannot be unwound here"
		       : f->nr  ? ", which the program and its libraries keep"
				: "");
	}
}

static void advise(const struct record_settling *s, const struct stack_facts *f)
{
	char name[256];

	if (!f->program)
		return;
	show_name(f, name, sizeof(name));
	notice(s->info,
	       "[ perf record: %s keeps no frame pointers: --call-graph dwarf,unwind finds the "
	       "callers of its functions ]\n",
	       name);
}

void record_settle_stacks(const struct record_settling *s)
{
	enum callgraph_mode mode = s->opts->sample.callgraph;
	struct intern objects = { 0 };
	struct stack_facts facts;

	if (mode != CALLGRAPH_AUTO && !(mode == CALLGRAPH_FP && s->advise && s->info))
		return;
	find_objects(s, &objects);
	stacks_look(&objects, &facts);
	if (mode == CALLGRAPH_AUTO)
		choose(s, &facts);
	else
		advise(s, &facts);
	intern_release(&objects);
}
