// SPDX-License-Identifier: GPL-2.0-or-later
/* Sentences as exceptions, bytes as text, and the life of types and objects. */
#include "python/module.h"

PyObject *pm_error(const struct err *err)
{
	PyObject *args = Py_BuildValue("iN", -err->code, pm_text(err->msg));

	if (args) {
		PyErr_SetObject(PyExc_OSError, args);
		Py_DECREF(args);
	}
	return NULL;
}

PyObject *pm_text(const char *s)
{
	if (!s)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "backslashreplace");
}

void pm_append(PyObject **list, PyObject *v)
{
	if (*list && (!v || PyList_Append(*list, v)))
		Py_CLEAR(*list);
	Py_XDECREF(v);
}

void pm_set(PyObject **dict, const char *key, PyObject *v)
{
	if (*dict && (!v || PyDict_SetItemString(*dict, key, v)))
		Py_CLEAR(*dict);
	Py_XDECREF(v);
}

bool pm_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
	PyObject *made = PyType_FromSpec(spec);

	if (!made)
		return false;
	*type = (PyTypeObject *)made;
	Py_INCREF(made);
	return !PyModule_AddObject(module, strchr(spec->name, '.') + 1, made);
}

void pm_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(self);
	Py_DECREF(type);
}

PyObject *pm_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	return PyErr_Format(PyExc_TypeError, "the module perf alone makes objects of %R", type);
}

bool pm_unsigned(PyObject *v, u64 *out)
{
	*out = PyLong_AsUnsignedLongLong(v);
	return !(*out == ~0ULL && PyErr_Occurred());
}
