// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module perf_trace_context: what a handler asks about the sample it is called for. Its
 * functions take the context that handlers get as an argument.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arch/arch.h"
#include "arch/elf.h"
#include "engines/python/python-internal.h"

#include <errno.h>

#define CAPSULE "perf_script_context"

PyObject *py_context_new(struct python *py)
{
	PyObject *context = PyCapsule_New(py, CAPSULE, NULL);
	PyObject *module = context ? PyImport_ImportModule("perf_trace_context") : NULL;

	if (!module || PyObject_SetAttrString(module, "perf_script_context", context))
		Py_CLEAR(context);
	Py_XDECREF(module);
	return context;
}

/* Return the engine that a context stands for; NULL, and an exception, when it is none. */
static struct python *engine_of(PyObject *context)
{
	return PyCapsule_GetPointer(context, CAPSULE);
}

/* Return the engine as above, while a sample is at hand. */
static struct python *engine_with_sample(PyObject *context)
{
	struct python *py = engine_of(context);

	if (py && !py->view->ev) {
		PyErr_SetString(PyExc_RuntimeError, "no sample is at hand: this is for handlers");
		py = NULL;
	}
	return py;
}

/* ---- common fields of tracepoints ---- */

static PyObject *common_field(PyObject *context, const char *name)
{
	struct python *py = engine_with_sample(context);
	const struct sample *s;
	struct py_event *pe;
	u64 v = 0;

	if (!py)
		return NULL;
	pe = py_event_of(py, py->view->ev->evsel);
	if (!pe)
		return NULL;
	s = py->view->ev->sample;
	if (pe->tf && s->raw)
		py->host->field_int(pe->tf, py->host->find_field(pe->tf, name), s->raw, s->raw_size,
				    &v);
	return PyLong_FromLongLong((s64)v);
}

static PyObject *common_pc(PyObject *module, PyObject *context)
{
	return common_field(context, "common_preempt_count");
}

static PyObject *common_flags(PyObject *module, PyObject *context)
{
	return common_field(context, "common_flags");
}

static PyObject *common_lock_depth(PyObject *module, PyObject *context)
{
	return common_field(context, "common_lock_depth");
}

/* ---- code and lines ---- */

static PyObject *sample_insn(PyObject *module, PyObject *context)
{
	struct python *py = engine_with_sample(context);
	const u8 *insn;
	u32 len;

	if (!py)
		return NULL;
	insn = py->host->insn(py->view, &len);
	if (!insn)
		Py_RETURN_NONE;
	return PyBytes_FromStringAndSize((const char *)insn, len);
}

/* Return a file as a string, or None. */
static PyObject *file_name(struct python *py, const char *file)
{
	if (!file)
		Py_RETURN_NONE;
	return py_text(py, file);
}

static PyObject *sample_srcline(PyObject *module, PyObject *context)
{
	struct python *py = engine_with_sample(context);
	const char *file;
	u32 line;

	if (!py)
		return NULL;
	line = py->host->srcline(py->view, &file);
	return Py_BuildValue("(NI)", file_name(py, file), line);
}

/* Return the text of a line as a string, or None. */
static PyObject *line_text(struct python *py, const char *text, size_t len)
{
	if (!text)
		Py_RETURN_NONE;
	return py_string(py, text, len);
}

static PyObject *sample_srccode(PyObject *module, PyObject *context)
{
	struct python *py = engine_with_sample(context);
	const char *file, *text;
	size_t len = 0;
	u32 line;

	if (!py)
		return NULL;
	line = py->host->srcline(py->view, &file);
	text = line && file ? py->host->source(py->view, file, line, &len) : NULL;
	return Py_BuildValue("(NIN)", file_name(py, file), line, line_text(py, text, len));
}

/* ---- traces of processors ---- */

static PyObject *set_itrace_options(PyObject *module, PyObject *args)
{
	const char *options = "";
	PyObject *context;
	struct python *py;

	if (!PyArg_ParseTuple(args, "O|s:perf_set_itrace_options", &context, &options))
		return NULL;
	py = engine_of(context);
	if (!py)
		return NULL;
	if (*py->how->itrace)
		return PyLong_FromLong(1);
	*py->how->itrace = true;
	if (py->host->itrace_is_valid(options))
		return PyLong_FromLong(0);
	fprintf(stderr, "Bad Instruction Tracing options '%s'\n", options);
	return PyLong_FromLong(-EINVAL);
}

/* ---- what belongs to no sample ---- */

/* Return the engine whose module this is. */
static struct python *engine_of_module(PyObject *module)
{
	PyObject *context = PyObject_GetAttrString(module, "perf_script_context");
	struct python *py = context ? engine_of(context) : NULL;

	Py_XDECREF(context);
	return py;
}

static PyObject *config_value(PyObject *module, PyObject *args)
{
	const char *key, *value;
	struct python *py;

	if (!PyArg_ParseTuple(args, "s:perf_config_get", &key))
		return NULL;
	py = engine_of_module(module);
	if (!py)
		return NULL;
	value = py->how->setting(key);
	if (!value)
		Py_RETURN_NONE;
	return py_string(py, value, strlen(value));
}

static PyObject *name_of_syscall(PyObject *module, PyObject *args)
{
	const struct arch *arch;
	const char *name = NULL;
	struct python *py;
	size_t len;
	int nr;

	if (!PyArg_ParseTuple(args, "i:syscall_name", &nr))
		return NULL;
	py = engine_of_module(module);
	if (!py)
		return NULL;
	arch = py->view->arch;
	if (arch && arch->nr_elf && nr >= 0)
		name = py->host->syscall_name(arch->elf[0].machine, (u32)nr, &len);
	if (!name)
		Py_RETURN_NONE;
	return py_string(py, name, len);
}

PyObject *py_context_module(void)
{
	static PyMethodDef methods[] = {
		{ "common_pc", common_pc, METH_O, "Get the preemption count of an event." },
		{ "common_flags", common_flags, METH_O, "Get the flags of an event." },
		{ "common_lock_depth", common_lock_depth, METH_O,
		  "Get the depth of locks at an event." },
		{ "perf_sample_insn", sample_insn, METH_O,
		  "Get the machine code of the instruction that was sampled, or None." },
		{ "perf_sample_srcline", sample_srcline, METH_O,
		  "Get source file and line of the sample." },
		{ "perf_sample_srccode", sample_srccode, METH_O,
		  "Get source file, line and the text of the line." },
		{ "perf_set_itrace_options", set_itrace_options, METH_VARARGS,
		  "Set how traces of processors are decoded, if that was not set: 0, or else 1." },
		{ "perf_config_get", config_value, METH_VARARGS,
		  "Get a variable of the configuration, or None." },
		{ "syscall_name", name_of_syscall, METH_VARARGS,
		  "Get the name of a system call of the recorded machine, or None." },
		{ NULL, NULL, 0, NULL },
	};
	static PyModuleDef module = { PyModuleDef_HEAD_INIT, .m_name = "perf_trace_context",
				      .m_doc = "What perf knows of the sample at hand.",
				      .m_size = -1, .m_methods = methods };

	return PyModule_Create(&module);
}
