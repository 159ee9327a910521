// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of tracepoints as values: numbers as their type says, strings, and bytes of arrays
 * that are no text. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

#include "tracefmt/printable.h"

PyObject *py_field_value(struct python *py, const struct tf_event *tf, const struct tf_field *f,
			 const void *raw, size_t size)
{
	const void *data;
	Py_ssize_t text;
	size_t len = 0;
	u64 v;

	if (likely(!(f->flags & TF_ARRAY))) {
		py->host->field_int(tf, f, raw, size, &v);
		return f->flags & TF_SIGNED ? PyLong_FromLongLong((s64)v)
					    : PyLong_FromUnsignedLongLong(v);
	}
	data = py->host->field_data(tf, f, raw, size, &len);
	if (!data)
		len = 0;
	text = f->flags & TF_STRING ? tf_printable(data, len) : -1;
	if (text >= 0)
		return py_string(py, data ? data : "", (size_t)text);
	return PyByteArray_FromStringAndSize(data, (Py_ssize_t)len);
}
