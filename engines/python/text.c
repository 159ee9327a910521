// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings and numbers: names of threads, objects and functions, process ids and seconds come again
 * with most samples, so that it pays to keep those that were made. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

#include "base/hash.h"

static PyObject *decode(const char *s, size_t len)
{
	return PyUnicode_DecodeUTF8(s, (Py_ssize_t)len, "backslashreplace");
}

/* Make a string, which the slot owns as well. */
static PyObject *put(PyObject **slot, const char *s, size_t len)
{
	PyObject *text = decode(s, len);

	if (text) {
		Py_XSETREF(*slot, text);
		Py_INCREF(text);
	}
	return text;
}

PyObject *py_text(struct python *py, const char *s)
{
	struct py_constant *slot;
	PyObject *text;

	if (!s)
		s = "";
	slot = &py->constants[hash_u64((u64)(uintptr_t)s) % PY_CONSTANTS];
	if (likely(slot->from == s && slot->text)) {
		Py_INCREF(slot->text);
		return slot->text;
	}
	text = put(&slot->text, s, strlen(s));
	if (text)
		slot->from = s;
	return text;
}

PyObject *py_string(struct python *py, const char *s, size_t len)
{
	struct py_string *slot;
	u64 first = 0, last = 0;
	PyObject *text;

	if (len > sizeof(slot->bytes))
		return decode(s, len);
	memcpy(&first, s, MIN(len, sizeof(first)));
	if (len > sizeof(first))
		memcpy(&last, s + len - sizeof(last), sizeof(last));
	slot = &py->strings[hash_u64(first ^ hash_u64(last + len)) % PY_STRINGS];
	if (likely(slot->text && slot->len == len && !memcmp(slot->bytes, s, len))) {
		Py_INCREF(slot->text);
		return slot->text;
	}
	text = put(&slot->text, s, len);
	if (text) {
		slot->len = (u32)len;
		memcpy(slot->bytes, s, len);
	}
	return text;
}

PyObject *py_same_number(struct python *py, u64 v)
{
	struct py_number *slot = &py->numbers[v % PY_NUMBERS];

	if (unlikely(!slot->number || slot->value != v)) {
		PyObject *number = PyLong_FromUnsignedLongLong(v);

		if (!number)
			return NULL;
		Py_XSETREF(slot->number, number);
		slot->value = v;
	}
	Py_INCREF(slot->number);
	return slot->number;
}

void py_text_end(struct python *py)
{
	for (size_t i = 0; i < PY_NUMBERS; i++)
		Py_CLEAR(py->numbers[i].number);
	for (size_t i = 0; i < PY_CONSTANTS; i++)
		Py_CLEAR(py->constants[i].text);
	for (size_t i = 0; i < PY_STRINGS; i++)
		Py_CLEAR(py->strings[i].text);
}
