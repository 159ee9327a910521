// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dictionaries whose values are made when they are looked at. A sample has some thirty parts, of
 * which a script uses a few, so process_event() gets a dictionary that knows its keys and makes a
 * value when it is asked for. To the script it is a dictionary like any other: whatever looks at it
 * as a whole (its length, a copy, a comparison) completes it first. When the sample goes away, a
 * dictionary that the script keeps is completed, too.
 *
 * The struct of a dictionary is followed by what makes it lazy. The code of the base type reads its
 * table directly, so everything that would see a table which is not complete is overridden here.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

struct py_lazy {
	PyDictObject dict;
	struct python *py; /* makes its values; NULL: it is complete */
	enum py_group group;
};

static struct py_lazy *lazy_of(PyObject *self)
{
	return (struct py_lazy *)self;
}

/* ---- values ---- */

#define NO_KEY SIZE_MAX

/* Return the number of a key among those of a dictionary. Most keys are interned strings. */
static size_t find_key(const struct py_lazy *l, PyObject *key)
{
	size_t first, end;

	py_key_range(l->group, &first, &end);
	for (size_t i = first; i < end; i++)
		if (l->py->keys[i] == key)
			return i;
	if (!PyUnicode_Check(key) || PyUnicode_CHECK_INTERNED(key))
		return NO_KEY;
	for (size_t i = first; i < end; i++)
		if (!PyUnicode_Compare(l->py->keys[i], key))
			return i;
	return NO_KEY;
}

/* Return the value of a key, borrowed. NULL: there is none, or, with an exception, making it
 * failed. */
static PyObject *look_up(PyObject *self, PyObject *key)
{
	struct py_lazy *l = lazy_of(self);
	PyObject *v = PyDict_GetItemWithError(self, key);
	size_t i;

	if (v || !l->py || PyErr_Occurred())
		return v;
	i = find_key(l, key);
	v = i == NO_KEY ? NULL : py_key_value(l->py, i);
	if (v && PyDict_SetItem(self, l->py->keys[i], v))
		Py_CLEAR(v);
	Py_XDECREF(v); /* the dictionary has it */
	return v;
}

/* Complete a dictionary, with its keys in the order of the table. Return: 0, or -1 and an
 * exception. */
static int complete(PyObject *self)
{
	struct py_lazy *l = lazy_of(self);
	PyObject *values[PY_KEYS_MAX] = { NULL };
	struct python *py = l->py;
	size_t first, end, i;
	int ret = 0;

	if (!py)
		return 0;
	py_key_range(l->group, &first, &end);
	for (i = first; i < end && !ret; i++) {
		values[i - first] = look_up(self, py->keys[i]);
		Py_XINCREF(values[i - first]);
		ret = PyErr_Occurred() ? -1 : 0;
	}
	l->py = NULL;
	PyDict_Clear(self);
	for (i = first; i < end; i++) {
		if (values[i - first] && !ret)
			ret = PyDict_SetItem(self, py->keys[i], values[i - first]);
		Py_XDECREF(values[i - first]);
	}
	return ret;
}

/* ---- what scripts do with it ---- */

static PyObject *subscript(PyObject *self, PyObject *key)
{
	PyObject *v = look_up(self, key);

	if (!v && !PyErr_Occurred())
		PyErr_SetObject(PyExc_KeyError, key);
	Py_XINCREF(v);
	return v;
}

static int contains(PyObject *self, PyObject *key)
{
	PyObject *v = look_up(self, key);

	return v ? 1 : PyErr_Occurred() ? -1 : 0;
}

static PyObject *get(PyObject *self, PyObject *args)
{
	PyObject *key, *otherwise = Py_None, *v;

	if (!PyArg_UnpackTuple(args, "get", 1, 2, &key, &otherwise))
		return NULL;
	v = look_up(self, key);
	if (!v && PyErr_Occurred())
		return NULL;
	v = v ? v : otherwise;
	Py_INCREF(v);
	return v;
}

static Py_ssize_t length(PyObject *self)
{
	return complete(self) ? -1 : PyDict_Size(self);
}

static int assign(PyObject *self, PyObject *key, PyObject *v)
{
	if (complete(self))
		return -1;
	return v ? PyDict_SetItem(self, key, v) : PyDict_DelItem(self, key);
}

static PyObject *iterate(PyObject *self)
{
	return complete(self) ? NULL : PyDict_Type.tp_iter(self);
}

static PyObject *represent(PyObject *self)
{
	return complete(self) ? NULL : PyDict_Type.tp_repr(self);
}

static bool is_lazy(PyObject *o)
{
	return Py_TYPE(o)->tp_repr == represent;
}

/* Complete those of two objects that are such dictionaries. */
static int complete_both(PyObject *a, PyObject *b)
{
	return (is_lazy(a) && complete(a)) || (is_lazy(b) && complete(b)) ? -1 : 0;
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
	return complete_both(a, b) ? NULL : PyDict_Type.tp_richcompare(a, b, op);
}

#if PY_VERSION_HEX >= 0x03090000
static PyObject *merge(PyObject *a, PyObject *b)
{
	return complete_both(a, b) ? NULL : PyDict_Type.tp_as_number->nb_or(a, b);
}
#endif

/* Complete the dictionary, then call the function of the base type. */
static PyObject *call_base(PyObject *self, const char *name, PyObject *args, PyObject *kwargs)
{
	PyObject *function = NULL, *all = NULL, *own, *result = NULL;

	if (complete(self))
		return NULL;
	own = PyTuple_Pack(1, self);
	function = PyObject_GetAttrString((PyObject *)&PyDict_Type, name);
	all = own ? PySequence_Concat(own, args) : NULL;
	if (function && all)
		result = PyObject_Call(function, all, kwargs);
	Py_XDECREF(own);
	Py_XDECREF(function);
	Py_XDECREF(all);
	return result;
}

#define OF_BASE(name)                                                                              \
	static PyObject *base_##name(PyObject *self, PyObject *args, PyObject *kwargs)             \
	{                                                                                          \
		return call_base(self, #name, args, kwargs);                                       \
	}
OF_BASE(keys)
OF_BASE(values)
OF_BASE(items)
OF_BASE(copy)
OF_BASE(pop)
OF_BASE(popitem)
OF_BASE(setdefault)
OF_BASE(update)
OF_BASE(clear)
OF_BASE(__reversed__)

/* A copy in another process, or a deep one, is a plain dictionary. */
static PyObject *reduce(PyObject *self, PyObject *unused)
{
	PyObject *copy = complete(self) ? NULL : PyDict_Copy(self);

	return copy ? Py_BuildValue("O(N)", &PyDict_Type, copy) : NULL;
}

#define METHOD(name)                                                                               \
	{                                                                                          \
#name, (PyCFunction)(void *)base_##name, METH_VARARGS | METH_KEYWORDS, NULL        \
	}

bool py_lazy_begin(struct python *py)
{
	static PyMethodDef methods[] = {
		{ "get", get, METH_VARARGS, NULL },
		METHOD(keys),
		METHOD(values),
		METHOD(items),
		METHOD(copy),
		METHOD(pop),
		METHOD(popitem),
		METHOD(setdefault),
		METHOD(update),
		METHOD(clear),
		METHOD(__reversed__),
		{ "__reduce__", reduce, METH_NOARGS, NULL },
		{ NULL, NULL, 0, NULL },
	};
	static PyType_Slot slots[] = {
		{ Py_mp_subscript, subscript },
		{ Py_mp_length, length },
		{ Py_mp_ass_subscript, assign },
		{ Py_sq_contains, contains },
		{ Py_tp_iter, iterate },
		{ Py_tp_repr, represent },
		{ Py_tp_richcompare, compare },
#if PY_VERSION_HEX >= 0x03090000
		{ Py_nb_or, merge },
#endif
		{ Py_tp_methods, methods },
		{ 0, NULL },
	};
	static PyType_Spec spec = { .name = "perf.sample",
				    .basicsize = sizeof(struct py_lazy),
				    .flags = Py_TPFLAGS_DEFAULT,
				    .slots = slots };
	PyObject *bases = PyTuple_Pack(1, &PyDict_Type);

	py->lazy_type = bases ? PyType_FromSpecWithBases(&spec, bases) : NULL;
	Py_XDECREF(bases);
	return py->lazy_type;
}

void py_lazy_end(struct python *py)
{
	Py_CLEAR(py->lazy[PY_ROOT]);
	Py_CLEAR(py->lazy[PY_SAMPLE]);
	Py_CLEAR(py->lazy_type);
}

/* ---- of the sample at hand ---- */

static PyObject *new_dict(struct python *py)
{
	PyObject *args = PyTuple_New(0);
	PyObject *d = args ? PyDict_Type.tp_new((PyTypeObject *)py->lazy_type, args, NULL) : NULL;

	Py_XDECREF(args);
	return d;
}

/*
 * Functions in C that take a dictionary of no entries for an empty one look at its table, so it has
 * its first entry from the start.
 */
static bool fill_first(struct python *py, PyObject *d)
{
	size_t first, end;

	py_key_range(lazy_of(d)->group, &first, &end);
	return look_up(d, py->keys[first]);
}

PyObject *py_lazy(struct python *py, enum py_group group)
{
	PyObject *d = py->lazy[group];

	if (!py->lazy_used[group]) {
		if (!d)
			py->lazy[group] = d = new_dict(py);
		if (!d)
			return NULL;
		lazy_of(d)->py = py;
		lazy_of(d)->group = group;
		py->lazy_used[group] = true;
		if (!fill_first(py, d))
			return NULL;
	}
	Py_INCREF(d);
	return d;
}

/* Complete a dictionary that the script keeps, and empty it for the next sample otherwise. */
static bool leave(struct python *py, enum py_group group)
{
	PyObject *d = py->lazy[group];
	bool kept, done = true;

	if (!py->lazy_used[group])
		return true;
	kept = Py_REFCNT(d) > 1;
	if (kept && !PyErr_Occurred())
		done = !complete(d);
	else if (!kept)
		PyDict_Clear(d);
	lazy_of(d)->py = NULL;
	py->lazy_used[group] = false;
	if (kept)
		Py_CLEAR(py->lazy[group]);
	return done;
}

bool py_lazy_done(struct python *py)
{
	bool done = leave(py, PY_ROOT); /* it may hold the other one */

	return leave(py, PY_SAMPLE) && done;
}
