/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Python module `perf`: events are opened and read by programs in Python, and recordings are
 * looked at sample by sample. It stands on the rooms as a command does. The files are:
 *
 *	module.c       the table of types and functions, and the functions
 *	constants.c    numbers of linux/perf_event.h by name
 *	maps.c         cpu_map and thread_map
 *	evsel.c        one event and its attr
 *	evlist.c       a list of events: descriptors, rings
 *	counts.c       their counts
 *	metrics.c      metrics, and their values from counts
 *	machine.c      the configuration, and the numbers of system calls
 *	records.c      records of rings as objects
 *	tracepoints.c  what samples of tracepoints say
 *	pmus.c         the PMUs of sysfs
 *	data.c         a recording as a sequence of samples
 *	live.c         samples while they are taken, as an iterator
 *	data-read.c    how samples of both are read
 *	samples.c      what was read as objects
 *	errors.c       sentences as exceptions, bytes as text
 *
 * Only the stable part of Python's interface is used, so that one file serves 3.8 and all later
 * versions (perf.abi3.so).
 */
#ifndef PERF_PYTHON_MODULE_H
#define PERF_PYTHON_MODULE_H

/* Headers have to compile where Python is not installed, and then this one has nothing. */
#if __has_include(<Python.h>)

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>
#include <structmember.h>

#include "base/compat.h"
#include "base/err.h"
#include "base/int-list.h"
#include "events/config.h"
#include "events/evlist.h"
#include "events/sources.h"
#include "kernel/count.h"
#include "kernel/ring.h"

/* A function with arguments by name, as the rest of a row of PyMethodDef. */
#define WITH_KEYWORDS(fn) (PyCFunction)(void (*)(void)) fn, METH_VARARGS | METH_KEYWORDS

/* The kinds of objects that hold records, by the member of union rec_any that they show. */
enum pm_kind {
	PM_MMAP,
	PM_TASK,
	PM_COMM,
	PM_THROTTLE,
	PM_LOST,
	PM_READ,
	PM_SAMPLE,
	PM_SWITCH,
	PM_NR_KINDS
};

/* The types of the module. There is one module in a process, which keeps them. */
struct pm_types {
	PyTypeObject *cpu_map, *thread_map, *evsel, *evlist, *counts, *pmu;
	PyTypeObject *data, *samples, *data_sample, *live;
	PyTypeObject *records[PM_NR_KINDS];
};
extern struct pm_types pm_types;
/* The machine that this runs on. */
extern const struct sysroot pm_machine;

/* A cpu_map or a thread_map. */
struct pm_map {
	PyObject_HEAD struct int_list list; /* owned */
};

/* The time for which events were enabled, in nanoseconds. */
struct pm_clock {
	u64 before, since; /* until it was last started or stopped, and when that was */
	bool on;
};

struct pm_metrics;

/* A list of events. */
struct pm_evlist {
	PyObject_HEAD struct evlist list; /* owned */
	struct int_list cpus;             /* owned: where its events are opened; {-1}: any CPU */
	struct int_list tids;             /* owned; {-1}: all threads */
	struct kevents opened;            /* owned */
	struct rings rings;               /* owned */
	struct tracefmt *tf; /* owned: formats of its tracepoints; NULL: none was needed */
	u8 *record;          /* owned: a copy of the record that is being read; NULL: none yet */
	struct pm_clock clock;
	struct pm_metrics *metrics; /* owned; NULL: its events are not those of metrics */
	bool sampling;              /* pm_evlist_sampling() has set its events up */
	bool taken;                 /* a live session reads the rings */
	bool own;                   /* of one event alone, which is in no list of the program's */
};

/* An event: a view of an element of a list. */
struct pm_evsel {
	PyObject_HEAD struct pm_evlist *in; /* owned reference */
	u32 idx;
};

/* ---- errors.c ---- */

/** pm_error - raise OSError with the number and the sentence of @err. Return: NULL. */
PyObject *pm_error(const struct err *err);
/** pm_text - return bytes from outside as a string; what is not UTF-8 is shown as \xNN. NULL
 * becomes None. */
PyObject *pm_text(const char *s);
/**
 * pm_append, pm_set - add a value to a list or a dictionary. The value is taken; NULL: making it
 * has raised an exception. After an exception the list or dictionary is given back, and *@list or
 * *@dict is NULL, with which nothing more is done.
 */
void pm_append(PyObject **list, PyObject *v);
void pm_set(PyObject **dict, const char *key, PyObject *v);
/** pm_add_type - make a type, add it to the module under the name behind its dot, and keep it in
 * *@type. Return: false when an exception was raised. */
bool pm_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type);
/** pm_free - end the life of an object whose contents were given back, and of its hold on its
 * type. */
void pm_free(PyObject *self);
/** pm_no_new - refuse to make an object of a type that only this module makes objects of. */
PyObject *pm_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/** pm_unsigned - read a number that Python passes, or raise an exception. */
bool pm_unsigned(PyObject *v, u64 *out);

/* ---- one for each file: add what it has to the module. Return: false with an exception ---- */

bool pm_constants(PyObject *module);
bool pm_maps(PyObject *module);
bool pm_evsels(PyObject *module);
bool pm_evlists(PyObject *module);
bool pm_counts_values(PyObject *module);
bool pm_records(PyObject *module);
bool pm_pmus(PyObject *module);
bool pm_datas(PyObject *module);
bool pm_data_samples(PyObject *module);
bool pm_lives(PyObject *module);

/* ---- maps.c ---- */

/** pm_map_new - return a map of type @type with a copy of @list. */
PyObject *pm_map_new(PyTypeObject *type, const struct int_list *list);
/** pm_map_copy - replace @to by the numbers of a map of type @type, unless @map is NULL or None.
 * Return: false with an exception when it is something else. */
bool pm_map_copy(PyObject *map, PyTypeObject *type, struct int_list *to);

/* ---- evsel.c ---- */

/** pm_evsel_view - return an object for the event @idx of a list. */
PyObject *pm_evsel_view(struct pm_evlist *in, u32 idx);
/** pm_evsel_of - return the event that an object shows. */
static inline struct evsel *pm_evsel_of(const struct pm_evsel *self)
{
	return self->in->list.evsels[self->idx];
}

/* ---- counts.c ---- */

/* The count of an event at one place. */
struct pm_count {
	struct kcount v;
	bool there; /* it is counted at that place */
};

/** pm_is_open - tell whether the events of a list are open; if not, an exception is raised. */
bool pm_is_open(const struct pm_evlist *l);
/** pm_clock_run - start or stop a clock. */
void pm_clock_run(struct pm_clock *c, bool on);
/** pm_read_counts - return the counts of all events on a CPU and of a thread, which the caller
 * frees; NULL with an exception: nothing is counted there. */
struct pm_count *pm_read_counts(const struct pm_evlist *l, int cpu, int tid);
/** pm_counts - return the counts of an event on a CPU and of a thread. */
PyObject *pm_counts(const struct pm_evlist *l, u32 idx, int cpu, int tid);

/* ---- metrics.c: functions of the module and methods of evlist ---- */

PyObject *pm_list_metrics(PyObject *self, PyObject *none);
PyObject *pm_parse_metrics(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *pm_evlist_metrics(PyObject *self, PyObject *none);
PyObject *pm_compute_metric(PyObject *self, PyObject *args, PyObject *kwargs);
/** pm_metrics_free - free them; NULL is nothing. */
void pm_metrics_free(struct pm_metrics *m);

/* ---- machine.c: likewise ---- */

PyObject *pm_config_get(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *pm_syscall_name(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *pm_syscall_id(PyObject *self, PyObject *args, PyObject *kwargs);
/** pm_sources_init - prepare the sources of event names that the configuration names. Return:
 * false with an exception, and then there is nothing to release. */
bool pm_sources_init(struct event_sources *s);

/* ---- evlist.c ---- */

/** pm_evlist_new - return an empty list, for all threads on the CPUs that are online. */
struct pm_evlist *pm_evlist_new(void);
/** pm_evlist_targets - let a list be opened for these CPUs and threads; NULL: those it has.
 * Return: false with an exception. */
bool pm_evlist_targets(struct pm_evlist *l, PyObject *cpus, PyObject *threads);
/** pm_evlist_open - open all events. Return: false with an exception. */
bool pm_evlist_open(struct pm_evlist *l);
/** pm_evlist_sampling - set all events up for samples, @freq a second or one each @period events;
 * @chains: with call chains. */
void pm_evlist_sampling(struct pm_evlist *l, u64 freq, u64 period, bool chains);
/** pm_evlist_map - map rings of @pages pages. Return: false with an exception. */
bool pm_evlist_map(struct pm_evlist *l, size_t pages);
/** pm_evlist_enable - let the open events count, or stop them. */
void pm_evlist_enable(struct pm_evlist *l, bool on);
/** pm_evlist_close - close the events and unmap the rings. */
void pm_evlist_close(struct pm_evlist *l);

/* ---- tracepoints.c ---- */

/** pm_formats - read the formats of the tracepoints of a list whose samples have raw data. What
 * cannot be read is left out: such samples have bytes only. */
void pm_formats(struct pm_evlist *l);
/** pm_fields - return the fields of a sample of a tracepoint, by name. @tf: its format; NULL: it is
 * not known, and the result is empty. */
PyObject *pm_fields(const struct tf_event *tf, const void *raw, size_t size);

/* ---- pmus.c ---- */

/** pm_list_pmus - the function perf.pmus(). */
PyObject *pm_list_pmus(PyObject *self, PyObject *none);

/* ---- records.c ---- */

/** pm_record_has_kind - tell whether there are objects for records of a type. */
bool pm_record_has_kind(u32 type);
/**
 * pm_record - return an object for a record; NULL without an exception: its type has none.
 * @tf: the formats of tracepoints; NULL: none are known
 * @e: its event
 */
PyObject *pm_record(const struct tracefmt *tf, const struct evsel *e, const void *rec, size_t size);

#endif
#endif
