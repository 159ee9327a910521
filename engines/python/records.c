// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that are no samples, and counts of `perf stat record`: each kind has a function of the
 * script, whose arguments are the parts of the record. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

/* The functions for records. */
#define ON_SWITCH "context_switch"
#define ON_THROTTLE "throttle"
#define ON_UNTHROTTLE "unthrottle"
#define ON_AUX_ERROR "auxtrace_error"
#define ON_INTERVAL "stat__interval"
#define STAT_PREFIX "stat__"

/* Tell whether the script has a function for counts, of any event. */
static bool wants_counts(const struct python *py)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;

	while (PyDict_Next(py->globals, &at, &key, &value)) {
		const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;

		PyErr_Clear(); /* a name that is no UTF-8 */
		if (name && !strncmp(name, STAT_PREFIX, strlen(STAT_PREFIX)))
			return true;
	}
	return false;
}

unsigned int py_wants(struct python *py)
{
	static const char *const names[] = { ON_SWITCH, ON_THROTTLE, ON_UNTHROTTLE, ON_AUX_ERROR };
	unsigned int wants = wants_counts(py) ? SCRIPT_WANTS_COUNTS : 0;

	if (py_tables_want_switches(py))
		wants |= SCRIPT_WANTS_RECORDS;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (PyDict_GetItemString(py->globals, names[i]))
			wants |= SCRIPT_WANTS_RECORDS;
	return wants;
}

/* ---- arguments ---- */

/* The arguments of a call. */
struct arguments {
	PyObject *v[16];
	size_t nr;
	size_t first; /* so many there have always been */
};

static void add(struct arguments *a, PyObject *v)
{
	a->v[a->nr++] = v;
}

static void add_signed(struct arguments *a, u32 v)
{
	add(a, PyLong_FromLong((s32)v));
}

static void add_u64(struct arguments *a, u64 v)
{
	add(a, PyLong_FromUnsignedLongLong(v));
}

/* Call a function of the script, if there is one. Arguments that came with later versions are left
 * out for functions that do not take them. */
static int call(struct python *py, const char *name, struct arguments *a, struct err *err)
{
	PyObject *function = py_function(py, name);
	int optional, takes = function ? py_parameters(function, &optional) : -1;

	while (takes >= 0 && a->nr > (size_t)takes && a->nr > a->first)
		Py_XDECREF(a->v[--a->nr]);
	Py_XDECREF(function);
	return py_call_named(py, name, a->v, a->nr, err);
}

/* ---- records ---- */

/* The machine of a record, by the process that runs it and its processor. */
static void add_machine(struct arguments *a, const struct guest_id *guest)
{
	add_signed(a, guest ? guest->pid : 0);
	add_signed(a, guest ? (u32)guest->vcpu : UINT32_MAX);
}

static void add_switch(struct python *py, struct arguments *a, const struct session_event *ev,
		       const struct rec_switch *sw)
{
	const struct guest_id *guest = py->host->guest(&py->view->of.session->guests, ev->id.id);

	add_u64(a, ev->id.time);
	add_signed(a, ev->id.cpu);
	add_signed(a, ev->id.pid);
	add_signed(a, ev->id.tid);
	add_signed(a, sw->cpu_wide ? sw->next_prev_pid : UINT32_MAX);
	add_signed(a, sw->cpu_wide ? sw->next_prev_tid : UINT32_MAX);
	add_signed(a, guest ? guest->pid : UINT32_MAX);
	add(a, PyBool_FromLong(sw->out));
	add(a, PyBool_FromLong(sw->preempt));
	add_machine(a, guest);
}

static void add_throttle(struct arguments *a, const struct session_event *ev,
			 const struct rec_throttle *t)
{
	add_u64(a, t->time);
	add_u64(a, t->id);
	add_u64(a, t->stream_id);
	add_signed(a, ev->id.cpu);
	add_signed(a, ev->id.pid);
	add_signed(a, ev->id.tid);
}

static void add_aux_error(struct python *py, struct arguments *a,
			  const struct rec_auxtrace_error *e)
{
	add_u64(a, e->type);
	add_u64(a, e->code);
	add_signed(a, e->cpu);
	add_signed(a, e->pid);
	add_signed(a, e->tid);
	add_u64(a, e->ip);
	add_u64(a, e->fmt ? e->time : 0);
	add(a, py_string(py, e->msg ? e->msg : "", e->msg ? strlen(e->msg) : 0));
	add_signed(a, 0); /* the CPU mode, which records do not have */
	add_signed(a, e->fmt >= 2 ? e->machine_pid : 0);
	add_signed(a, e->fmt >= 2 ? e->vcpu : UINT32_MAX);
}

int py_handle_record(struct python *py, const struct session_event *ev, struct err *err)
{
	struct arguments a = { .first = 9 };
	const char *name = NULL;
	union rec_any rec;
	int verdict;

	if (py->host->decode(NULL, ev->hdr, ev->hdr->size, &rec))
		return SCRIPT_GO_ON;
	switch (ev->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		verdict = py_tables_switch(py, ev, &rec.sw, err);
		if (verdict != SCRIPT_GO_ON)
			return verdict;
		name = ON_SWITCH;
		add_switch(py, &a, ev, &rec.sw);
		break;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		name = ev->hdr->type == PERF_RECORD_THROTTLE ? ON_THROTTLE : ON_UNTHROTTLE;
		a.first = 6;
		add_throttle(&a, ev, &rec.throttle);
		break;
	case PERF_RECORD_AUXTRACE_ERROR:
		name = ON_AUX_ERROR;
		add_aux_error(py, &a, &rec.auxtrace_error);
		break;
	default:
		return SCRIPT_GO_ON;
	}
	return call(py, name, &a, err);
}

/* ---- counts ---- */

/* Find the function for counts of an event: its name has the event's with "_" for ":", or, as not
 * every name can be written in a script, for each other character. */
static void count_function(const struct python *py, const struct evsel *e, char *name, size_t size)
{
	char *p = name + strlen(STAT_PREFIX);

	snprintf(name, size, STAT_PREFIX "%s", e->name);
	for (char *c = p; *c; c++)
		if (*c == ':')
			*c = '_';
	if (PyDict_GetItemString(py->globals, name))
		return;
	for (char *c = p; *c; c++)
		if (!Py_ISALNUM(*c))
			*c = '_';
}

int py_handle_count(struct python *py, const struct script_count *c, struct err *err)
{
	struct arguments a = { .nr = 0 };
	char name[256];

	count_function(py, c->evsel, name, sizeof(name));
	add_signed(&a, (u32)c->cpu);
	add_signed(&a, (u32)c->thread);
	add_u64(&a, c->time);
	add_u64(&a, c->value);
	add_u64(&a, c->enabled);
	add_u64(&a, c->running);
	return py_call_named(py, name, a.v, a.nr, err);
}

int py_handle_interval(struct python *py, u64 time, struct err *err)
{
	PyObject *args[1] = { PyLong_FromUnsignedLongLong(time) };

	return py_call_named(py, ON_INTERVAL, args, 1, err);
}
