// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu_map and thread_map: numbers of CPUs and of threads as sequences. */
#include "python/module.h"

#include "kernel/target.h"

static PyObject *made(struct pm_map *self, int ret, const struct err *err)
{
	if (!ret)
		return (PyObject *)self;
	Py_DECREF(self);
	return pm_error(err);
}

static struct pm_map *empty(PyTypeObject *type)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);

	return (struct pm_map *)alloc(type, 0);
}

static PyObject *cpu_map_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "cpustr", NULL };
	struct err err = { 0 };
	const char *text = NULL;
	struct pm_map *self;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|z:cpu_map", keywords, &text))
		return NULL;
	self = empty(type);
	if (!self)
		return NULL;
	return made(self,
		    text ? cpu_list_target(&pm_machine, text, &self->list, &err)
			 : cpu_list_online(&pm_machine, &self->list, &err),
		    &err);
}

/* Fill a list with the threads of a process or of a user, or with one thread. */
static int find_threads(struct int_list *l, int pid, int tid, long long uid, struct err *err)
{
	char text[32];

	if (pid >= 0) {
		snprintf(text, sizeof(text), "%d", pid);
		return thread_list_pids(&pm_machine, text, l, err);
	}
	if (tid >= 0) {
		snprintf(text, sizeof(text), "%d", tid);
		return thread_list_tids(&pm_machine, text, l, err);
	}
	if (uid >= 0)
		return thread_list_uid(&pm_machine, (unsigned int)uid, l, err);
	int_list_add(l, -1);
	return 0;
}

static PyObject *thread_map_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "pid", "tid", "uid", NULL };
	struct err err = { 0 };
	long long uid = -1;
	int pid = -1, tid = -1;
	struct pm_map *self;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|iiL:thread_map", keywords, &pid, &tid,
					 &uid))
		return NULL;
	if (uid > UINT32_MAX)
		return PyErr_Format(PyExc_OverflowError, "%lld is no user id: they have 32 bits",
				    uid);
	self = empty(type);
	return self ? made(self, find_threads(&self->list, pid, tid, uid, &err), &err) : NULL;
}

static void map_dealloc(PyObject *self)
{
	int_list_release(&((struct pm_map *)self)->list);
	pm_free(self);
}

static Py_ssize_t map_length(PyObject *self)
{
	return (Py_ssize_t)((struct pm_map *)self)->list.nr;
}

static PyObject *map_item(PyObject *self, Py_ssize_t i)
{
	const struct int_list *l = &((struct pm_map *)self)->list;

	if (i < 0 || (size_t)i >= l->nr) {
		PyErr_SetString(PyExc_IndexError, "the map has no such element");
		return NULL;
	}
	return PyLong_FromLong(l->v[i]);
}

static PyObject *map_repr(PyObject *self)
{
	PyObject *list = PySequence_List(self);
	PyObject *text =
		list ? PyUnicode_FromFormat(
			       "%s(%R)",
			       Py_TYPE(self) == pm_types.cpu_map ? "cpu_map" : "thread_map", list)
		     : NULL;

	Py_XDECREF(list);
	return text;
}

PyObject *pm_map_new(PyTypeObject *type, const struct int_list *list)
{
	struct pm_map *self = empty(type);

	for (size_t i = 0; self && i < list->nr; i++)
		int_list_add(&self->list, list->v[i]);
	return (PyObject *)self;
}

bool pm_map_copy(PyObject *map, PyTypeObject *type, struct int_list *to)
{
	const struct int_list *from;

	if (!map || map == Py_None)
		return true;
	if (!PyObject_TypeCheck(map, type)) {
		PyErr_Format(PyExc_TypeError, "a %s is needed here, not %R",
			     type == pm_types.cpu_map ? "cpu_map" : "thread_map", map);
		return false;
	}
	from = &((struct pm_map *)map)->list;
	int_list_release(to);
	for (size_t i = 0; i < from->nr; i++)
		int_list_add(to, from->v[i]);
	return true;
}

#define MAP_SLOTS(doc, new)                                                                        \
	{                                                                                          \
		{ Py_tp_doc, doc }, { Py_tp_new, new }, { Py_tp_dealloc, map_dealloc },            \
			{ Py_tp_repr, map_repr }, { Py_sq_length, map_length },                    \
			{ Py_sq_item, map_item }, { 0, NULL },                                     \
	}

bool pm_maps(PyObject *module)
{
	static PyType_Slot cpus[] = MAP_SLOTS(
		"cpu_map(cpustr=None)\n\nCPUs: those of a list such as \"0-3,7\", or all that are online.",
		cpu_map_new);
	static PyType_Slot threads[] = MAP_SLOTS(
		"thread_map(pid=-1, tid=-1, uid=-1)\n\nThe threads of a process or of a user, one thread, or [-1] for all.",
		thread_map_new);
	static PyType_Spec cpu_spec = { "perf.cpu_map", sizeof(struct pm_map), 0,
					Py_TPFLAGS_DEFAULT, cpus };
	static PyType_Spec thread_spec = { "perf.thread_map", sizeof(struct pm_map), 0,
					   Py_TPFLAGS_DEFAULT, threads };

	return pm_add_type(module, &cpu_spec, &pm_types.cpu_map) &&
	       pm_add_type(module, &thread_spec, &pm_types.thread_map);
}
