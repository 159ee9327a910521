// SPDX-License-Identifier: GPL-2.0-or-later
/* One event: its attr by name, and the counts of its descriptors. */
#include "python/module.h"

/* The members of an attr that programs read and set, X(name). */
#define MEMBERS(X)                                                                                 \
	X(type)                                                                                    \
	X(config)                                                                                  \
	X(config1)                                                                                 \
	X(config2)                                                                                 \
	X(sample_freq)                                                                             \
	X(sample_type)                                                                             \
	X(read_format)                                                                             \
	X(disabled)                                                                                \
	X(inherit)                                                                                 \
	X(pinned)                                                                                  \
	X(exclusive)                                                                               \
	X(exclude_user)                                                                            \
	X(exclude_kernel)                                                                          \
	X(exclude_hv)                                                                              \
	X(exclude_idle)                                                                            \
	X(mmap)                                                                                    \
	X(context_switch)                                                                          \
	X(comm)                                                                                    \
	X(freq)                                                                                    \
	X(inherit_stat)                                                                            \
	X(enable_on_exec)                                                                          \
	X(task)                                                                                    \
	X(watermark)                                                                               \
	X(precise_ip)                                                                              \
	X(mmap_data)                                                                               \
	X(sample_id_all)                                                                           \
	X(wakeup_events)                                                                           \
	X(bp_type)                                                                                 \
	X(bp_addr)                                                                                 \
	X(bp_len)

/* Finish setting a member: it must not have lost bits. */
static int kept(struct evsel *e, const char *name, u64 wanted, u64 got)
{
	if (wanted != got) {
		PyErr_Format(PyExc_OverflowError, "%llu is too large for '%s'",
			     (unsigned long long)wanted, name);
		return -1;
	}
	layout_init(&e->layout, &e->attr);
	return 0;
}

/* Tell whether a member may be set: an event that is open stays as it is. */
static bool may_set(const struct pm_evsel *self, PyObject *v)
{
	if (!v)
		PyErr_SetString(PyExc_AttributeError, "members of events cannot be deleted");
	else if (self->in->opened.nr)
		PyErr_SetString(PyExc_ValueError,
				"the event is open: set its members before open()");
	return !PyErr_Occurred();
}

#define ACCESS(name)                                                                               \
	static PyObject *get_##name(PyObject *self, void *closure)                                 \
	{                                                                                          \
		const struct evsel *e = pm_evsel_of((struct pm_evsel *)self);                      \
                                                                                                   \
		return PyLong_FromUnsignedLongLong(e->attr.name);                                  \
	}                                                                                          \
	static int set_##name(PyObject *self, PyObject *v, void *closure)                          \
	{                                                                                          \
		struct evsel *e = pm_evsel_of((struct pm_evsel *)self);                            \
		u64 wanted;                                                                        \
                                                                                                   \
		if (!may_set((struct pm_evsel *)self, v) || !pm_unsigned(v, &wanted))              \
			return -1;                                                                 \
		e->attr.name = wanted;                                                             \
		return kept(e, #name, wanted, e->attr.name);                                       \
	}
MEMBERS(ACCESS)

/* A period takes the place of a frequency, with which it shares its word. */
static int set_sample_period(PyObject *self, PyObject *v, void *closure)
{
	if (set_sample_freq(self, v, closure))
		return -1;
	pm_evsel_of((struct pm_evsel *)self)->attr.freq = 0;
	return 0;
}

static PyObject *get_name(PyObject *self, void *closure)
{
	return pm_text(pm_evsel_of((struct pm_evsel *)self)->name);
}

static PyGetSetDef members[] = {
#define MEMBER(name) { #name, get_##name, set_##name, NULL, NULL },
	MEMBERS(MEMBER)
#undef MEMBER
		{ "sample_period", get_sample_freq, set_sample_period, NULL, NULL },
	{ "name", get_name, NULL, "name of the event", NULL },
	{ NULL }
};

PyObject *pm_evsel_view(struct pm_evlist *in, u32 idx)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.evsel, Py_tp_alloc);
	struct pm_evsel *self = (struct pm_evsel *)alloc(pm_types.evsel, 0);

	if (!self)
		return NULL;
	Py_INCREF(in);
	self->in = in;
	self->idx = idx;
	return (PyObject *)self;
}

/* Set the members that the arguments name. Those that say how to sample come in the order in
 * which they are given. */
static bool set_members(PyObject *self, PyObject *kwargs)
{
	PyObject *name, *value;
	Py_ssize_t at = 0;

	while (kwargs && PyDict_Next(kwargs, &at, &name, &value)) {
		if (!PyObject_HasAttr(self, name)) {
			PyErr_Format(PyExc_TypeError,
				     "%R is no member of events that evsel() knows", name);
			return false;
		}
		if (PyObject_SetAttr(self, name, value))
			return false;
	}
	return true;
}

static PyObject *evsel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	struct perf_event_attr attr = { .size = ATTR_SIZE,
					.sample_type = PERF_SAMPLE_PERIOD | PERF_SAMPLE_TID,
					.freq = 1,
					.sample_id_all = 1 };
	struct pm_evlist *l;
	PyObject *self;

	if (!PyArg_ParseTuple(args, ":evsel"))
		return NULL;
	l = pm_evlist_new();
	if (!l)
		return NULL;
	l->own = true;
	evlist_add(&l->list, &attr, "event");
	self = pm_evsel_view(l, 0);
	Py_DECREF(l);
	if (self && !set_members(self, kwargs))
		Py_CLEAR(self);
	if (self)
		evsel_rename(pm_evsel_of((struct pm_evsel *)self));
	return self;
}

static void evsel_dealloc(PyObject *self)
{
	Py_XDECREF(((struct pm_evsel *)self)->in);
	pm_free(self);
}

static PyObject *evsel_repr(PyObject *self)
{
	return PyUnicode_FromFormat("evsel(%s)", pm_evsel_of((struct pm_evsel *)self)->name);
}

static PyObject *evsel_str(PyObject *self)
{
	return get_name(self, NULL);
}

static PyObject *evsel_open(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "cpus", "threads", "inherit", NULL };
	struct pm_evsel *e = (struct pm_evsel *)self;
	PyObject *cpus = NULL, *threads = NULL;
	int inherit = -1;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOi:open", keywords, &cpus, &threads,
					 &inherit))
		return NULL;
	if (!e->in->own) {
		PyErr_SetString(PyExc_ValueError,
				"the event is in a list: open it with the list's open()");
		return NULL;
	}
	if (inherit >= 0 && !e->in->opened.nr)
		pm_evsel_of(e)->attr.inherit = inherit > 0;
	if (!pm_evlist_targets(e->in, cpus, threads) || !pm_evlist_open(e->in))
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *evsel_cpus(PyObject *self, PyObject *none)
{
	const struct pm_evsel *e = (const struct pm_evsel *)self;
	const struct kevents *k = &e->in->opened;
	struct int_list on = { 0 };
	PyObject *map;

	if (!k->nr)
		return pm_map_new(pm_types.cpu_map, &e->in->cpus);
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->idx)
			int_list_add(&on, k->fds[i].cpu);
	int_list_sort(&on);
	map = pm_map_new(pm_types.cpu_map, &on);
	int_list_release(&on);
	return map;
}

static PyObject *evsel_threads(PyObject *self, PyObject *none)
{
	return pm_map_new(pm_types.thread_map, &((struct pm_evsel *)self)->in->tids);
}

static PyObject *evsel_read(PyObject *self, PyObject *args)
{
	const struct pm_evsel *e = (const struct pm_evsel *)self;
	int cpu, tid;

	if (!PyArg_ParseTuple(args, "ii:read", &cpu, &tid))
		return NULL;
	return pm_counts(e->in, e->idx, cpu, tid);
}

bool pm_evsels(PyObject *module)
{
	static PyMethodDef methods[] = {
		{ "open", WITH_KEYWORDS(evsel_open),
		  "open(cpus=None, threads=None, inherit=-1)\n\nOpen the event for these CPUs and threads." },
		{ "cpus", evsel_cpus, METH_NOARGS,
		  "Return the CPUs on which it is opened; some PMUs count on few." },
		{ "threads", evsel_threads, METH_NOARGS,
		  "Return the threads for which it is opened." },
		{ "read", evsel_read, METH_VARARGS,
		  "read(cpu, thread)\n\nReturn its counts_values on a CPU and of a thread." },
		{ NULL }
	};
	static PyType_Slot slots[] = {
		{ Py_tp_doc,
		  "evsel(**members)\n\nAn event; members are those of perf_event_attr." },
		{ Py_tp_new, evsel_new },
		{ Py_tp_dealloc, evsel_dealloc },
		{ Py_tp_repr, evsel_repr },
		{ Py_tp_str, evsel_str },
		{ Py_tp_getset, members },
		{ Py_tp_methods, methods },
		{ 0, NULL }
	};
	static PyType_Spec spec = { "perf.evsel", sizeof(struct pm_evsel), 0, Py_TPFLAGS_DEFAULT,
				    slots };

	return pm_add_type(module, &spec, &pm_types.evsel);
}
