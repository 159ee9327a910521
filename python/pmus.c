// SPDX-License-Identifier: GPL-2.0-or-later
/* The PMUs of sysfs and the events that they name. */
#include "python/module.h"

#include "base/alloc.h"
#include "events/pmu.h"

struct pmu_object {
	PyObject_HEAD unsigned int type;
	PyObject *name;   /* owned */
	PyObject *cpus;   /* owned: text, or None */
	PyObject *events; /* owned: a list of dictionaries */
};

static void pmu_dealloc(PyObject *self)
{
	struct pmu_object *p = (struct pmu_object *)self;

	Py_XDECREF(p->name);
	Py_XDECREF(p->cpus);
	Py_XDECREF(p->events);
	pm_free(self);
}

static PyObject *pmu_repr(PyObject *self)
{
	return PyUnicode_FromFormat("pmu(%S)", ((struct pmu_object *)self)->name);
}

static PyObject *pmu_name(PyObject *self, PyObject *none)
{
	PyObject *name = ((struct pmu_object *)self)->name;

	Py_INCREF(name);
	return name;
}

static PyObject *pmu_events(PyObject *self, PyObject *none)
{
	return PySequence_List(((struct pmu_object *)self)->events);
}

static PyObject *alias_dict(const struct pmu_alias *a)
{
	PyObject *scale = a->scale ? PyFloat_FromDouble(a->scale) : pm_text(NULL);

	return Py_BuildValue("{sNsNsNsN}", "name", pm_text(a->name), "terms", pm_text(a->terms),
			     "unit", pm_text(a->unit), "scale", scale);
}

/* Fill in an object. Return: false with an exception. */
static bool describe(struct pmu_object *o, const struct pmu *p)
{
	o->type = p->type;
	o->name = pm_text(p->name);
	o->cpus = pm_text(p->cpumask);
	o->events = PyList_New(0);
	for (size_t i = 0; o->events && i < p->nr_aliases; i++) {
		pm_append(&o->events, alias_dict(&p->aliases[i]));
	}
	return o->name && o->cpus && o->events;
}

static PyObject *pmu_new(const struct pmu *p)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.pmu, Py_tp_alloc);
	PyObject *o = alloc(pm_types.pmu, 0);

	if (o && !describe((struct pmu_object *)o, p))
		Py_CLEAR(o);
	return o;
}

PyObject *pm_list_pmus(PyObject *self, PyObject *none)
{
	PyObject *list = PyList_New(0);
	struct pmus all = { 0 };
	struct err err = { 0 };
	int ret = pmus_scan(&all, &pm_machine);

	for (size_t i = 0; list && !ret && i < all.nr; i++) {
		pmu_load(&all.v[i], &pm_machine);
		pm_append(&list, pmu_new(&all.v[i]));
	}
	pmus_release(&all);
	if (!ret)
		return list;
	Py_XDECREF(list);
	err_set(&err, ret, "cannot read /sys/bus/event_source/devices: %s", err_str(ret));
	return pm_error(&err);
}

bool pm_pmus(PyObject *module)
{
	static PyMethodDef methods[] = { { "name", pmu_name, METH_NOARGS, "Return its name." },
					 { "events", pmu_events, METH_NOARGS,
					   "Return the events that it names, as dictionaries." },
					 { NULL } };
	static PyMemberDef members[] = { { "type", T_UINT, offsetof(struct pmu_object, type),
					   READONLY, "the type that events of it have" },
					 { "cpus", T_OBJECT, offsetof(struct pmu_object, cpus),
					   READONLY, "the CPUs on which it counts; None: on all" },
					 { NULL } };
	static PyType_Slot slots[] = { { Py_tp_doc, "A unit of the machine that counts events." },
				       { Py_tp_new, pm_no_new },
				       { Py_tp_dealloc, pmu_dealloc },
				       { Py_tp_repr, pmu_repr },
				       { Py_tp_methods, methods },
				       { Py_tp_members, members },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf.pmu", sizeof(struct pmu_object), 0, Py_TPFLAGS_DEFAULT,
				    slots };

	return pm_add_type(module, &spec, &pm_types.pmu);
}
