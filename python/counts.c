// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts of open events at one place, which is a CPU and a thread. */
#include "python/module.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "kernel/count.h"

struct counts_object {
	PyObject_HEAD unsigned long long val, ena, run;
};

bool pm_is_open(const struct pm_evlist *l)
{
	if (!l->opened.nr)
		PyErr_SetString(PyExc_ValueError, "the events are not open: call open() first");
	return l->opened.nr;
}

/* ---- time ---- */

void pm_clock_run(struct pm_clock *c, bool on)
{
	u64 t = clock_ns(CLOCK_MONOTONIC);

	if (c->on)
		c->before += t - c->since;
	c->since = t;
	c->on = on;
}

static u64 clock_read(const struct pm_clock *c)
{
	return c->before + (c->on ? clock_ns(CLOCK_MONOTONIC) - c->since : 0);
}

/* ---- reading ---- */

struct reading {
	const struct pm_evlist *l;
	int cpu, tid;
	struct pm_count *out;
	bool any;
};

/* Return a count that no event of the kernel has, but this program. */
static struct pm_count tool_count(const struct pm_evlist *l, enum tool_event tool)
{
	u64 ns = clock_read(&l->clock);

	if (tool != TOOL_DURATION_TIME)
		return (struct pm_count){ .there = false };
	return (struct pm_count){ .there = true, .v = { ns, ns, ns } };
}

static void take(void *ctx, const struct kfd *k, const struct kcount *c)
{
	struct reading *r = ctx;
	enum tool_event tool = r->l->list.evsels[k->evsel]->tool;

	if (k->cpu != r->cpu || k->tid != r->tid)
		return;
	r->any = true;
	r->out[k->evsel] = tool ? tool_count(r->l, tool)
				: (struct pm_count){ .there = true, .v = *c };
}

struct pm_count *pm_read_counts(const struct pm_evlist *l, int cpu, int tid)
{
	struct reading r = { .l = l, .cpu = cpu, .tid = tid };

	if (!pm_is_open(l))
		return NULL;
	r.out = xcalloc(l->list.nr, sizeof(*r.out));
	kevents_read(&l->opened, &l->list, take, &r);
	if (r.any)
		return r.out;
	free(r.out);
	PyErr_Format(PyExc_ValueError, "nothing is counted on CPU %d for thread %d", cpu, tid);
	return NULL;
}

/* ---- counts_values ---- */

PyObject *pm_counts(const struct pm_evlist *l, u32 idx, int cpu, int tid)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.counts, Py_tp_alloc);
	struct pm_count *all = pm_read_counts(l, cpu, tid), c;
	struct counts_object *self;

	if (!all)
		return NULL;
	c = all[idx];
	free(all);
	if (!c.there)
		return PyErr_Format(PyExc_ValueError, "'%s' is not counted on CPU %d for thread %d",
				    l->list.evsels[idx]->name, cpu, tid);
	self = (struct counts_object *)alloc(pm_types.counts, 0);
	if (self) {
		self->val = c.v.val;
		self->ena = c.v.enabled;
		self->run = c.v.running;
	}
	return (PyObject *)self;
}

static PyObject *counts_repr(PyObject *self)
{
	const struct counts_object *c = (const struct counts_object *)self;

	return PyUnicode_FromFormat("counts_values(val=%llu, ena=%llu, run=%llu)", c->val, c->ena,
				    c->run);
}

static void counts_dealloc(PyObject *self)
{
	pm_free(self);
}

bool pm_counts_values(PyObject *module)
{
	static PyMemberDef members[] = {
		{ "val", T_ULONGLONG, offsetof(struct counts_object, val), READONLY, "the count" },
		{ "ena", T_ULONGLONG, offsetof(struct counts_object, ena), READONLY,
		  "nanoseconds for which the event was enabled" },
		{ "run", T_ULONGLONG, offsetof(struct counts_object, run), READONLY,
		  "nanoseconds for which it was on a counter" },
		{ NULL }
	};
	static PyType_Slot slots[] = { { Py_tp_doc, "The count of an event at one place." },
				       { Py_tp_new, pm_no_new },
				       { Py_tp_dealloc, counts_dealloc },
				       { Py_tp_repr, counts_repr },
				       { Py_tp_members, members },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf.counts_values", sizeof(struct counts_object), 0,
				    Py_TPFLAGS_DEFAULT, slots };

	return pm_add_type(module, &spec, &pm_types.counts);
}
