// SPDX-License-Identifier: GPL-2.0-or-later
/* Call chains and branch stacks as lists of dictionaries. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

/* The names of the parts, X(identifier). */
#define PARTS(X)                                                                                   \
	X(ip)                                                                                      \
	X(sym)                                                                                     \
	X(sym_off)                                                                                 \
	X(dso)                                                                                     \
	X(start)                                                                                   \
	X(end)                                                                                     \
	X(binding)                                                                                 \
	X(name)                                                                                    \
	X(from)                                                                                    \
	X(to)                                                                                      \
	X(from_dsoname)                                                                            \
	X(to_dsoname)                                                                              \
	X(mispred)                                                                                 \
	X(predicted)                                                                               \
	X(in_tx)                                                                                   \
	X(abort)                                                                                   \
	X(cycles)                                                                                  \
	X(pred)

#define PART(name) part_##name,
enum part { PARTS(PART) NR_PARTS };
#undef PART

bool py_places_begin(struct python *py)
{
	static const char *const names[] = {
#define PART(name) #name,
		PARTS(PART)
#undef PART
	};

	_Static_assert(NR_PARTS <= ARRAY_SIZE(py->parts), "there is room for all names");
	for (size_t i = 0; i < NR_PARTS; i++) {
		py->parts[i] = PyUnicode_InternFromString(names[i]);
		if (!py->parts[i])
			return false;
	}
	return true;
}

void py_places_end(struct python *py)
{
	for (size_t i = 0; i < NR_PARTS; i++)
		Py_CLEAR(py->parts[i]);
}

/* Set a part of a dictionary to a value, which is taken. Nothing is done once something has
 * failed: *@d is then NULL. */
static void set(struct python *py, PyObject **d, enum part part, PyObject *v)
{
	if (*d && (!v || PyDict_SetItem(*d, py->parts[part], v)))
		Py_CLEAR(*d);
	Py_XDECREF(v);
}

/* Append a dictionary, which is taken, to a list. Nothing is done once something has failed. */
static void append(PyObject **list, PyObject *d)
{
	if (*list && (!d || PyList_Append(*list, d)))
		Py_CLEAR(*list);
	Py_XDECREF(d);
}

/* ---- call chains ---- */

static PyObject *symbol_dict(struct python *py, const struct view_place *p)
{
	PyObject *d = PyDict_New();

	set(py, &d, part_start, PyLong_FromUnsignedLongLong(p->sym_start));
	set(py, &d, part_end, PyLong_FromUnsignedLongLong(p->sym_end));
	set(py, &d, part_binding, PyLong_FromLong(py->host->binding(p)));
	set(py, &d, part_name, py_text(py, p->sym));
	return d;
}

static PyObject *frame_dict(struct python *py, const struct view_place *p)
{
	PyObject *d = PyDict_New();

	set(py, &d, part_ip, PyLong_FromUnsignedLongLong(p->ip));
	if (p->sym) {
		set(py, &d, part_sym, symbol_dict(py, p));
		set(py, &d, part_sym_off, PyLong_FromUnsignedLongLong(p->symoff));
	}
	if (p->object)
		set(py, &d, part_dso, py_text(py, p->object));
	return d;
}

PyObject *py_chain(struct python *py)
{
	const struct view_place *frames = NULL;
	PyObject *list = PyList_New(0);
	size_t nr = 0;

	if (py->view->ev->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		nr = py->host->frames(py->view, &frames);
	for (size_t i = 0; i < nr; i++)
		append(&list, frame_dict(py, &frames[i]));
	return list;
}

/* ---- branch stacks ---- */

/* The bits of the flags of a branch, as in linux/perf_event.h. */
enum { BRANCH_MISPRED = 1, BRANCH_PREDICTED = 2, BRANCH_IN_TX = 4, BRANCH_ABORT = 8 };
#define BRANCH_CYCLES(flags) ((flags) >> 4 & 0xffff)

static PyObject *object_at(struct python *py, u64 ip)
{
	struct view_place p;

	py->host->place(py->view, RESOLVE_ANY_MODE, ip, &p);
	return py_text(py, p.object ? p.object : "[unknown]");
}

static PyObject *branch_dict(struct python *py, const u64_una *branch)
{
	PyObject *d = PyDict_New();
	u64 flags = branch[2];

	set(py, &d, part_from, PyLong_FromUnsignedLongLong(branch[0]));
	set(py, &d, part_to, PyLong_FromUnsignedLongLong(branch[1]));
	set(py, &d, part_mispred, PyBool_FromLong(flags & BRANCH_MISPRED));
	set(py, &d, part_predicted, PyBool_FromLong(flags & BRANCH_PREDICTED));
	set(py, &d, part_in_tx, PyBool_FromLong(flags & BRANCH_IN_TX));
	set(py, &d, part_abort, PyBool_FromLong(flags & BRANCH_ABORT));
	set(py, &d, part_cycles, PyLong_FromUnsignedLongLong(BRANCH_CYCLES(flags)));
	set(py, &d, part_from_dsoname, object_at(py, branch[0]));
	set(py, &d, part_to_dsoname, object_at(py, branch[1]));
	return d;
}

static PyObject *symbol_at(struct python *py, u64 ip)
{
	struct view_place p;
	char offset[32];

	py->host->place(py->view, RESOLVE_ANY_MODE, ip, &p);
	if (!p.sym)
		return py_text(py, "[unknown]");
	snprintf(offset, sizeof(offset), "+0x%" PRIx64, p.symoff);
	return PyUnicode_FromFormat("%s%s", p.sym, offset);
}

static PyObject *letter(u64 is, char yes)
{
	return PyUnicode_FromOrdinal(is ? yes : '-');
}

static PyObject *branch_symbols_dict(struct python *py, const u64_una *branch)
{
	PyObject *d = PyDict_New();
	u64 flags = branch[2];

	set(py, &d, part_from, symbol_at(py, branch[0]));
	set(py, &d, part_to, symbol_at(py, branch[1]));
	set(py, &d, part_pred,
	    letter(flags & (BRANCH_MISPRED | BRANCH_PREDICTED),
		   flags & BRANCH_MISPRED ? 'M' : 'P'));
	set(py, &d, part_in_tx, letter(flags & BRANCH_IN_TX, 'X'));
	set(py, &d, part_abort, letter(flags & BRANCH_ABORT, 'A'));
	return d;
}

static PyObject *branch_list(struct python *py,
			     PyObject *(*dict)(struct python *py, const u64_una *branch))
{
	const struct sample *s = py->view->ev->sample;
	PyObject *list = PyList_New(0);

	for (u64 i = 0; i < s->nr_branches; i++)
		append(&list, dict(py, s->branches + 3 * i));
	return list;
}

PyObject *py_branches(struct python *py)
{
	return branch_list(py, branch_dict);
}

PyObject *py_branch_symbols(struct python *py)
{
	return branch_list(py, branch_symbols_dict);
}
