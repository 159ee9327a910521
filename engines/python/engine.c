// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of functions that perf calls. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/common/common.h"
#include "engines/python/python-internal.h"

#include "perf-version.h"

#include <errno.h>

static bool look_up_functions(struct python *py)
{
	int optional;

	py->process_event = py_function(py, "process_event");
	py->unhandled = py_function(py, "trace_unhandled");
	py->unhandled_takes_sample = py->unhandled && py_parameters(py->unhandled, &optional) == 4;
	return !PyErr_Occurred();
}

static int start(void **state, const struct script_start *how, struct err *err)
{
	struct python *py = calloc(1, sizeof(*py));
	int verdict;

	if (!py)
		return engine_fail(err, -ENOMEM, "no memory for Python");
	*py = (struct python){ .how = how, .host = how->host, .view = how->view };
	verdict = py_begin(py, how, err);
	if (verdict) {
		free(py);
		return verdict;
	}
	*state = py;
	py->context = py_context_new(py);
	if (!py->context || !py_keys_begin(py) || !py_places_begin(py) || !py_lazy_begin(py))
		return py_failed(py, err);
	verdict = py_run_file(py, how->file, err);
	if (verdict == SCRIPT_GO_ON)
		verdict = look_up_functions(py) ? py_call_named(py, "trace_begin", NULL, 0, err)
						: py_failed(py, err);
	return verdict == SCRIPT_GO_ON ? py_tables_begin(py, err) : verdict;
}

static unsigned int wants(void *state)
{
	return py_wants(state);
}

static void events(void *state)
{
	py_forget_events(state);
}

static int sample(void *state, struct err *err)
{
	return py_handle_sample(state, err);
}

static int record(void *state, const struct session_event *ev, struct err *err)
{
	return py_handle_record(state, ev, err);
}

static int count(void *state, const struct script_count *c, struct err *err)
{
	return py_handle_count(state, c, err);
}

static int interval(void *state, u64 time, struct err *err)
{
	return py_handle_interval(state, time, err);
}

static int flush(void *state, struct err *err)
{
	return py_flush(state, err);
}

static int stop(void *state, bool whole, struct err *err)
{
	struct python *py = state;
	int verdict = whole ? py_call_named(py, "trace_end", NULL, 0, err) : SCRIPT_GO_ON;

	return verdict == SCRIPT_GO_ON ? py_flush(py, err) : verdict;
}

static int status(const void *state)
{
	const struct python *py = state;

	return py->status;
}

static void end(void *state)
{
	struct python *py = state;

	py_forget_events(py);
	py_tables_end(py);
	py_lazy_end(py);
	py_keys_end(py);
	py_places_end(py);
	py_text_end(py);
	Py_XDECREF(py->process_event);
	Py_XDECREF(py->unhandled);
	Py_XDECREF(py->context);
	Py_XDECREF(py->globals);
	py_end();
	free(py);
}

extern const struct script_engine_ops perf_script_engine;
__attribute__((visibility("default"))) const struct script_engine_ops perf_script_engine = {
	.version = PERF_VERSION,
	.start = start,
	.wants = wants,
	.events = events,
	.sample = sample,
	.record = record,
	.count = count,
	.interval = interval,
	.flush = flush,
	.stop = stop,
	.status = status,
	.free = end,
};
