// SPDX-License-Identifier: GPL-2.0-or-later
/* Start and end of the interpreter, and the ways in which a script ends the run: it exits, raises
 * an exception, is interrupted, or prints into a pipe that nobody reads. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/common/common.h"
#include "engines/python/python-internal.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

#define STATUS_FAILED 1        /* of a script that raised an exception, as of python3 */
#define STATUS_INTERRUPTED 130 /* 128 and the number of SIGINT */

/* ---- start and end ---- */

static PyStatus configure(PyConfig *config, const struct script_start *start)
{
	char **argv = calloc((size_t)start->nr_args + 1, sizeof(*argv));
	PyStatus status;

	if (!argv)
		return PyStatus_NoMemory();
	argv[0] = (char *)start->file;
	for (int i = 0; i < start->nr_args; i++)
		argv[i + 1] = (char *)start->args[i];
	config->parse_argv = 0;
	/* Modules are found where python3 of the PATH finds them. */
	status = PyConfig_SetBytesString(config, &config->program_name, "python3");
	if (!PyStatus_Exception(status))
		status = PyConfig_SetBytesArgv(config, start->nr_args + 1, argv);
	free(argv);
	return status;
}

static PyStatus initialize(const struct script_start *start)
{
	PyConfig config;
	PyStatus status;

	if (PyImport_AppendInittab("perf_trace_context", py_context_module) < 0)
		return PyStatus_NoMemory();
	PyConfig_InitPythonConfig(&config);
	status = configure(&config, start);
	if (!PyStatus_Exception(status))
		status = Py_InitializeFromConfig(&config);
	PyConfig_Clear(&config);
	return status;
}

/* Modules beside the script can be imported, as by python3, unless PYTHONSAFEPATH is set. */
static bool add_folder(const char *file)
{
	PyObject *path = PySys_GetObject("path"), *flags = PySys_GetObject("flags"), *folder;
	PyObject *safe = flags ? PyObject_GetAttrString(flags, "safe_path") : NULL;
	char real[PATH_MAX], *slash;
	bool done;

	PyErr_Clear(); /* before 3.11 there is no such flag */
	done = (safe && PyObject_IsTrue(safe)) || !path || !realpath(file, real);
	Py_XDECREF(safe);
	if (done)
		return true;
	slash = strrchr(real, '/');
	folder = PyUnicode_DecodeFSDefaultAndSize(real, slash > real ? slash - real : 1);
	done = folder && !PyList_Insert(path, 0, folder);
	Py_XDECREF(folder);
	return done;
}

int py_begin(struct python *py, const struct script_start *start, struct err *err)
{
	PyStatus status = initialize(start);

	if (PyStatus_Exception(status))
		return engine_fail(err, -EINVAL, "cannot start Python: %s%s%s",
				   status.func ? status.func : "", status.func ? ": " : "",
				   status.err_msg ? status.err_msg : "unknown error");
	/* The second one also ends a handler that does not return. */
	engine_catch_interrupts(PyErr_SetInterrupt);
	py->globals = PyModule_GetDict(PyImport_AddModule("__main__"));
	Py_INCREF(py->globals); /* a script may remove its module */
	return 0;
}

void py_end(void)
{
	Py_FinalizeEx();
}

/* ---- errors ---- */

/* Take the exception that was raised. The caller owns it. */
static PyObject *take_exception(void)
{
#if PY_VERSION_HEX >= 0x030c0000
	return PyErr_GetRaisedException();
#else
	PyObject *type, *value, *trace;

	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	if (value && trace)
		PyException_SetTraceback(value, trace);
	Py_XDECREF(type);
	Py_XDECREF(trace);
	return value;
#endif
}

/* Return the exit status that sys.exit() was called with. Anything but a number is a message. */
static int exit_status(PyObject *exception)
{
	PyObject *code = exception ? PyObject_GetAttrString(exception, "code") : NULL;
	int status = STATUS_FAILED;

	if (!code || code == Py_None)
		status = code ? 0 : STATUS_FAILED;
	else if (PyLong_Check(code))
		status = (int)PyLong_AsLong(code) & 0xff;
	else
		PySys_FormatStderr("%S\n", code);
	PyErr_Clear();
	Py_XDECREF(code);
	return status;
}

/* Have nothing more be written to where that is not possible. */
static void drop_stdout(void)
{
	PySys_SetObject("stdout", Py_None);
}

/* Write what a stream of the module sys holds. */
static bool flush_stream(const char *name)
{
	PyObject *stream = PySys_GetObject(name);
	PyObject *result;

	if (!stream || stream == Py_None)
		return true;
	result = PyObject_CallMethod(stream, "flush", NULL);
	Py_XDECREF(result);
	return result;
}

/* Print an exception, which is taken, behind what was printed before it. */
static void print_exception(PyObject *exception)
{
	if (!flush_stream("stdout"))
		drop_stdout();
	PyErr_Clear();
	PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
	PyErr_Print();
	Py_DECREF(exception);
}

int py_failed(struct python *py, struct err *err)
{
	PyObject *exception;

	if (PyErr_ExceptionMatches(PyExc_BrokenPipeError) && engine_pipe_is_closed()) {
		PyErr_Clear();
		drop_stdout();
		return engine_fail(err, -EPIPE, "nobody reads what the script prints");
	}
	py->status = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) ? STATUS_INTERRUPTED
								     : STATUS_FAILED;
	exception = take_exception();
	if (exception && PyErr_GivenExceptionMatches(exception, PyExc_SystemExit)) {
		py->status = exit_status(exception);
		Py_DECREF(exception);
	} else if (exception) {
		print_exception(exception);
	}
	return SCRIPT_OVER;
}

int py_called(struct python *py, PyObject *result, struct err *err)
{
	if (unlikely(!result))
		return py_failed(py, err);
	Py_DECREF(result);
	return SCRIPT_GO_ON;
}

int py_flush(struct python *py, struct err *err)
{
	PyObject *exception;

	if (flush_stream("stdout"))
		return SCRIPT_GO_ON;
	if (!PyErr_ExceptionMatches(PyExc_OSError) || engine_pipe_is_closed())
		return py_failed(py, err);
	exception = take_exception();
	drop_stdout();
	PySys_FormatStderr("write failure on standard output: %S\n", exception);
	Py_XDECREF(exception);
	py->status = STATUS_UNWRITTEN;
	return SCRIPT_OVER;
}

/* ---- the script ---- */

int py_run_file(struct python *py, const char *file, struct err *err)
{
	FILE *f = engine_open_script("python", file, err);
	PyObject *name, *result = NULL;

	if (!f)
		return err->code;
	name = PyUnicode_DecodeFSDefault(file);
	if (name && !PyDict_SetItemString(py->globals, "__file__", name) && add_folder(file))
		result = PyRun_FileEx(f, file, Py_file_input, py->globals, py->globals, 1);
	else
		fclose(f);
	Py_XDECREF(name);
	return py_called(py, result, err);
}

PyObject *py_function(const struct python *py, const char *name)
{
	PyObject *function = PyDict_GetItemString(py->globals, name);

	Py_XINCREF(function);
	return function;
}

int py_call_named(struct python *py, const char *name, PyObject **args, size_t nr, struct err *err)
{
	PyObject *function = py_function(py, name), *result = NULL;
	bool made = true;

	for (size_t i = 0; i < nr; i++)
		made = made && args[i];
	if (function && made)
		result = PyObject_Vectorcall(function, args, nr, NULL);
	for (size_t i = 0; i < nr; i++)
		Py_XDECREF(args[i]);
	if (!function && made)
		return SCRIPT_GO_ON;
	Py_XDECREF(function);
	return py_called(py, result, err);
}

/* Return a number that an attribute of an attribute has, or -1. */
static int number_of(PyObject *o, const char *name)
{
	PyObject *v = PyObject_GetAttrString(o, name);
	long n = v && PyLong_Check(v) ? PyLong_AsLong(v) : -1;

	Py_XDECREF(v);
	return (int)n;
}

int py_parameters(PyObject *function, int *optional)
{
	bool bound = PyMethod_Check(function);
	PyObject *plain = bound ? PyMethod_GET_FUNCTION(function) : function;
	PyObject *code = PyObject_GetAttrString(plain, "__code__");
	PyObject *defaults = PyObject_GetAttrString(plain, "__defaults__");
	int nr = code ? number_of(code, "co_argcount") : -1;

	*optional = defaults && PyTuple_Check(defaults) ? (int)PyTuple_GET_SIZE(defaults) : 0;
	if (nr >= 0 && number_of(code, "co_flags") & CO_VARARGS)
		nr = -1;
	PyErr_Clear();
	Py_XDECREF(code);
	Py_XDECREF(defaults);
	return nr < 0 ? -1 : nr - bound;
}
