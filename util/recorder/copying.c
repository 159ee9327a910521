// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recorder/copying.h"

#include <errno.h>

static int refuse(const struct opened *ev, const struct record_opts *o, struct err *err)
{
	if (!ev->cpus.nr)
		return err_set(err, -EOPNOTSUPP, "each thread has a ring of its own");
	for (size_t i = 0; i < ev->list->nr; i++)
		if (ev->list->evsels[i]->cgroup)
			return err_set(err, -EOPNOTSUPP, "events are of a control group");
	return o->sample.overwrite ? err_set(err, -EOPNOTSUPP, "rings are overwritten") : 0;
}

static void tell(const struct notices *notes, const struct err *why)
{
	notice(notes, "Arguments of system calls are recorded without the memory they point to: %s\n",
	       why->msg);
}

void copying_prepare(struct copying *c, struct opened *ev, const struct record_opts *o,
		     const struct notices *notes)
{
	struct call_memory_opts opts = { .sysroot = ev->sysroot,
					 .copies = o->copies,
					 .nr_calls = o->nr_copies,
					 .tids = &ev->tids,
					 .inherit = !o->sample.no_inherit,
					 .not_pids = o->copies_not };
	struct err why = { 0 };
	int rc;

	if (!o->copies)
		return;
	for (size_t i = 0; i < ev->cpus.nr; i++)
		opts.cpus = MAX(opts.cpus, (u32)ev->cpus.v[i] + 1);
	rc = refuse(ev, o, &why) ?: call_memory_open(&c->bpf, &opts, &why);
	c->on = !rc;
	if (rc)
		tell(notes, &why);
	else
		call_memory_event_add(ev->list);
}

void copying_start(struct copying *c, const struct opened *ev, const struct notices *notes)
{
	struct err why = { 0 };

	if (c->on && call_memory_start(&c->bpf, &ev->kevents, ev->list, &why))
		tell(notes, &why);
}

void copying_stop(struct copying *c)
{
	if (c->on)
		call_memory_close(&c->bpf);
	c->on = false;
}
