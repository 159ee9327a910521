// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples: which function of the script takes them, and its arguments. A sample of a tracepoint
 * goes to a function named after it, SUBSYSTEM__EVENT, with the fields of the event as arguments,
 * or else to trace_unhandled(); any other sample goes to process_event(). The function of an event
 * is looked up at the first of its samples.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/common/common.h"
#include "engines/python/python-internal.h"

#define BREATH 1024 /* samples between two chances for other threads of the script */

/* The arguments in front of the fields: event name, context, CPU, seconds, nanoseconds, process,
 * name of the thread, call chain. */
enum { ARG_NAME, ARG_CONTEXT, ARG_CPU, ARG_SECS, ARG_NSECS, ARG_PID, ARG_COMM, ARG_CHAIN };

/* ---- what is known of an event ---- */

static void forget(struct py_event *pe)
{
	for (u32 i = 0; i < pe->nr_fields; i++)
		Py_XDECREF(pe->fields[i].key);
	free(pe->fields);
	Py_XDECREF(pe->handler);
	Py_XDECREF(pe->handler_name);
	Py_XDECREF(pe->name);
	Py_XDECREF(pe->attr);
	*pe = (struct py_event){ 0 };
}

void py_forget_events(struct python *py)
{
	for (size_t i = 0; i < py->nr_events; i++)
		forget(&py->events[i]);
	free(py->events);
	py->events = NULL;
	py->nr_events = 0;
}

/*
 * Decide which arguments a handler takes. Beside the usual ones there is one more for those that
 * want the other parts of the sample; handlers of before there were call chains have one less.
 */
static void choose_arguments(struct py_event *pe)
{
	int usual = ARG_CHAIN + 1 + (int)pe->nr_fields, optional;
	int takes = py_parameters(pe->handler, &optional);

	pe->takes_sample = takes == usual + 1;
	pe->takes_chain = takes != usual - 1;
	pe->misfit = takes >= 0 && (takes < usual - 1 || takes - optional > usual + 1);
}

/* Python's own message says how many arguments there were, but not which. */
static void tell_arguments(const struct py_event *pe)
{
	PySys_FormatStderr(
		"%U() is called with event_name, context, common_cpu, common_secs, common_nsecs, "
		"common_pid, common_comm, common_callchain and the fields of the event, of which "
		"there are %u; common_callchain may be left out, or perf_sample_dict follow\n",
		pe->handler_name, pe->nr_fields);
}

static bool look_up_fields(struct python *py, struct py_event *pe)
{
	const struct tf_event *tf = pe->tf;

	pe->pid = py->host->find_field(tf, "common_pid");
	pe->fields = calloc(tf->nr_fields + 1, sizeof(*pe->fields));
	for (u32 i = tf->nr_common; pe->fields && i < tf->nr_fields; i++) {
		struct py_field *f = &pe->fields[pe->nr_fields];

		f->field = &tf->fields[i];
		f->key = PyUnicode_InternFromString(f->field->name);
		if (!f->key)
			return false;
		pe->nr_fields++;
	}
	return pe->fields || PyErr_NoMemory();
}

static bool look_up_tracepoint(struct python *py, struct py_event *pe)
{
	pe->handler_name = PyUnicode_FromFormat("%s__%s", pe->tf->system, pe->tf->name);
	if (!pe->handler_name || !look_up_fields(py, pe))
		return false;
	PyUnicode_InternInPlace(&pe->handler_name);
	pe->handler = PyDict_GetItemWithError(py->globals, pe->handler_name);
	Py_XINCREF(pe->handler);
	if (PyErr_Occurred() || !py_define_words(py, pe->tf, pe->handler_name))
		return false;
	if (pe->handler)
		choose_arguments(pe);
	return true;
}

struct py_event *py_event_of(struct python *py, const struct evsel *e)
{
	struct py_event *pe;

	if (unlikely(e->idx >= py->nr_events)) {
		size_t nr = e->idx + 16;
		struct py_event *more = realloc(py->events, nr * sizeof(*more));

		if (!more)
			return (struct py_event *)PyErr_NoMemory();
		memset(more + py->nr_events, 0, (nr - py->nr_events) * sizeof(*more));
		py->events = more;
		py->nr_events = nr;
	}
	pe = &py->events[e->idx];
	if (likely(pe->known))
		return pe;
	pe->tracepoint = e->attr.type == PERF_TYPE_TRACEPOINT;
	pe->name = py_string(py, e->name, strlen(e->name));
	pe->attr = PyBytes_FromStringAndSize((const char *)&e->attr, sizeof(e->attr));
	pe->tf = pe->tracepoint ? py->host->format(e, py->view->of.tracefmt) : NULL;
	if (!pe->name || !pe->attr || (pe->tf && !look_up_tracepoint(py, pe)))
		return NULL;
	pe->known = true;
	return pe;
}

/* ---- arguments ---- */

static PyObject *comm_of(struct python *py)
{
	return py_text(py, py->host->comm(py->view->of.machine, py->view->at->comm));
}

static PyObject *pid_of(struct python *py, const struct py_event *pe)
{
	const struct sample *s = py->view->ev->sample;
	u64 pid = 0;

	if (pe->pid)
		py->host->field_int(pe->tf, pe->pid, s->raw, s->raw_size, &pid);
	return (s64)pid < 0 ? PyLong_FromLong((long)pid) : py_same_number(py, pid);
}

/* Make the arguments from ARG_CPU up to the call chain, which is NULL when it is not wanted. */
static bool make_common(struct python *py, const struct py_event *pe, bool chain, PyObject **args)
{
	const struct sample *s = py->view->ev->sample;

	args[ARG_CPU] = PyLong_FromLong((s32)s->cpu);
	args[ARG_SECS] = py_same_number(py, s->time / 1000000000);
	args[ARG_NSECS] = PyLong_FromUnsignedLong((unsigned long)(s->time % 1000000000));
	args[ARG_PID] = pid_of(py, pe);
	args[ARG_COMM] = comm_of(py);
	args[ARG_CHAIN] = chain ? py_chain(py) : NULL;
	return args[ARG_CPU] && args[ARG_SECS] && args[ARG_NSECS] && args[ARG_PID] &&
	       args[ARG_COMM] && (!chain || args[ARG_CHAIN]);
}

static int call_handler(struct python *py, struct py_event *pe, struct err *err)
{
	const struct sample *s = py->view->ev->sample;
	PyObject *stack[64], **args = stack, *result = NULL;
	size_t most = ARG_CHAIN + 2 + pe->nr_fields, nr;
	int verdict;
	bool made;

	/* one more in front, which calls of methods use */
	if (most + 1 > ARRAY_SIZE(stack))
		args = PyMem_New(PyObject *, most + 1);
	if (!args)
		return py_called(py, PyErr_NoMemory(), err);
	args++;
	args[ARG_NAME] = pe->handler_name;
	args[ARG_CONTEXT] = py->context;
	made = make_common(py, pe, pe->takes_chain, args);
	nr = ARG_CHAIN + pe->takes_chain;
	for (u32 i = 0; made && i < pe->nr_fields; i++) {
		args[nr] = py_field_value(py, pe->tf, pe->fields[i].field, s->raw, s->raw_size);
		made = args[nr] != NULL;
		nr += made;
	}
	if (made && pe->takes_sample) {
		args[nr] = py_lazy(py, PY_ROOT);
		made = args[nr] != NULL;
		nr += made;
	}
	if (made)
		result = PyObject_Vectorcall(pe->handler, args, nr | PY_VECTORCALL_ARGUMENTS_OFFSET,
					     NULL);
	for (size_t i = ARG_CPU; i < nr; i++)
		Py_XDECREF(args[i]);
	args--;
	if (args != stack)
		PyMem_Free(args);
	verdict = py_called(py, result, err);
	if (verdict == SCRIPT_OVER && pe->misfit)
		tell_arguments(pe);
	return verdict;
}

/* Make the dictionary of a tracepoint that has no handler. */
static PyObject *fields_dict(struct python *py, const struct py_event *pe)
{
	const struct sample *s = py->view->ev->sample;
	PyObject *args[ARG_CHAIN + 1] = { NULL }, *dict = PyDict_New();
	bool made = dict && make_common(py, pe, true, args);

	for (size_t i = ARG_CPU; i <= ARG_CHAIN; i++) {
		made = made && !PyDict_SetItem(dict, py->common[i - ARG_CPU], args[i]);
		Py_XDECREF(args[i]);
	}
	for (u32 i = 0; made && i < pe->nr_fields; i++) {
		PyObject *v = py_field_value(py, pe->tf, pe->fields[i].field, s->raw, s->raw_size);

		made = v && !PyDict_SetItem(dict, pe->fields[i].key, v);
		Py_XDECREF(v);
	}
	if (!made)
		Py_CLEAR(dict);
	return dict;
}

static int call_unhandled(struct python *py, struct py_event *pe, struct err *err)
{
	PyObject *args[5] = { NULL, pe->handler_name, py->context }, *result = NULL;
	bool with_sample = py->unhandled_takes_sample;

	args[3] = fields_dict(py, pe);
	if (args[3] && with_sample)
		args[4] = py_lazy(py, PY_ROOT);
	if (args[3] && (!with_sample || args[4]))
		result = PyObject_Vectorcall(py->unhandled, args + 1,
					     (3 + with_sample) | PY_VECTORCALL_ARGUMENTS_OFFSET,
					     NULL);
	Py_XDECREF(args[3]);
	Py_XDECREF(args[4]);
	return py_called(py, result, err);
}

static int call_process_event(struct python *py, struct err *err)
{
	PyObject *args[2] = { NULL, py_lazy(py, PY_ROOT) }, *result = NULL;

	if (args[1])
		result = PyObject_Vectorcall(py->process_event, args + 1,
					     1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
	Py_XDECREF(args[1]);
	return py_called(py, result, err);
}

/* ---- samples ---- */

/* Let other threads of the script run, and Python's handlers of signals. */
static int breathe(struct python *py, struct err *err)
{
	py->calls = 0;
	Py_BEGIN_ALLOW_THREADS;
	Py_END_ALLOW_THREADS;
	return PyErr_CheckSignals() ? py_failed(py, err) : SCRIPT_GO_ON;
}

static int dispatch(struct python *py, struct py_event *pe, struct err *err)
{
	if (pe->tf && !py->view->ev->sample->raw)
		return SCRIPT_GO_ON;
	if (pe->handler)
		return call_handler(py, pe, err);
	if (pe->tf)
		return py->unhandled ? call_unhandled(py, pe, err) : SCRIPT_GO_ON;
	if (pe->tracepoint)
		return SCRIPT_GO_ON;
	if (py->tables)
		return py_tables_sample(py, err);
	return py->process_event ? call_process_event(py, err) : SCRIPT_GO_ON;
}

int py_handle_sample(struct python *py, struct err *err)
{
	struct py_event *pe = py_event_of(py, py->view->ev->evsel);
	int verdict = pe ? dispatch(py, pe, err) : py_failed(py, err);

	if (!py_lazy_done(py) && verdict == SCRIPT_GO_ON)
		verdict = py_failed(py, err);
	if (verdict == SCRIPT_GO_ON && unlikely(++py->calls >= BREATH))
		verdict = breathe(py, err);
	return verdict == SCRIPT_GO_ON && unlikely(engine_interrupted()) ? SCRIPT_ENOUGH : verdict;
}
