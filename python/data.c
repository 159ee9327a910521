// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings: perf.data is a sequence of samples, and of columns of numbers. */
#include "python/module.h"

#include "base/alloc.h"
#include "python/data.h"

#include <errno.h>

struct data {
	PyObject_HEAD struct recording recording;
	struct recording_options options;
	char *path; /* owned: options.input */
	bool open, reading, was_read, failed;
	struct data_samples samples; /* complete when was_read */
	PyThreadState *thread;       /* while samples are read, without Python's lock */
};

/* A sample: a view of an element of what was read. */
struct sample_object {
	PyObject_HEAD struct data *of; /* owned reference */
	size_t idx;
};

static PyObject *data_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "path", "force", NULL };
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	const char *path = "perf.data";
	struct err err = { 0 };
	int force = 0, ret;
	struct data *self;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|sp:data", keywords, &path, &force))
		return NULL;
	self = (struct data *)alloc(type, 0);
	if (!self)
		return NULL;
	self->path = xstrdup(path);
	self->options = (struct recording_options){ .input = self->path,
						    .force = force,
						    .buildid_dir = getenv("PERF_BUILDID_DIR") };
	ret = recording_open(&self->recording, &self->options, NULL, &err);
	self->open = !ret;
	if (!ret)
		return (PyObject *)self;
	Py_DECREF(self);
	return pm_error(&err);
}

static void data_dealloc(PyObject *self)
{
	struct data *d = (struct data *)self;

	data_samples_release(&d->samples);
	if (d->open)
		recording_close(&d->recording);
	free(d->path);
	pm_free(self);
}

/* Let other threads of the program run, and hear of signals. */
static int look_up(void *ctx)
{
	struct data *d = ctx;
	int ret;

	PyEval_RestoreThread(d->thread);
	ret = PyErr_CheckSignals() ? -EINTR : 0;
	d->thread = PyEval_SaveThread();
	return ret;
}

/* Read the samples unless they have been read. Return: false with an exception. */
static bool read_all(struct data *d)
{
	struct err err = { 0 };
	int ret;

	if (d->was_read)
		return true;
	if (d->reading || d->failed) {
		PyErr_SetString(PyExc_RuntimeError,
				d->failed ? "reading this recording has failed: open it again"
					  : "another thread is reading this recording");
		return false;
	}
	d->reading = true;
	d->thread = PyEval_SaveThread();
	ret = data_read(&d->recording, &d->samples, look_up, d, &err);
	PyEval_RestoreThread(d->thread);
	d->reading = false;
	d->was_read = !ret;
	d->failed = ret;
	if (ret)
		data_samples_release(&d->samples);
	if (ret && !PyErr_Occurred())
		pm_error(&err);
	return !ret;
}

static Py_ssize_t data_length(PyObject *self)
{
	struct data *d = (struct data *)self;

	return read_all(d) ? (Py_ssize_t)d->samples.nr : -1;
}

static PyObject *data_item(PyObject *self, Py_ssize_t i)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.data_sample, Py_tp_alloc);
	struct data *d = (struct data *)self;
	struct sample_object *s;

	if (!read_all(d))
		return NULL;
	if (i < 0 || (size_t)i >= d->samples.nr) {
		PyErr_SetString(PyExc_IndexError, "the recording has no such sample");
		return NULL;
	}
	s = (struct sample_object *)alloc(pm_types.data_sample, 0);
	if (s) {
		Py_INCREF(self);
		s->of = d;
		s->idx = (size_t)i;
	}
	return (PyObject *)s;
}

static PyObject *data_events(PyObject *self, void *closure)
{
	struct data *d = (struct data *)self;
	const struct evlist *l = &d->recording.session.evlist;
	PyObject *names;

	if (!read_all(d))
		return NULL;
	names = PyList_New(0);
	for (size_t i = 0; names && i < l->nr; i++) {
		pm_append(&names, pm_text(l->evsels[i]->name));
	}
	return names;
}

/* Return what is wrong in the file or missing, as numbers by their descriptions. */
static PyObject *data_problems(PyObject *self, void *closure)
{
	struct data *d = (struct data *)self;
	const struct diag *diag = &d->recording.session.diag;
	PyObject *dict;

	if (!read_all(d))
		return NULL;
	dict = PyDict_New();
	for (int i = 0; dict && i < DIAG_MAX; i++) {
		if (diag->count[i])
			pm_set(&dict, diag_text((enum diag_kind)i),
			       PyLong_FromUnsignedLongLong(diag->count[i]));
	}
	return dict;
}

/* ---- columns ---- */

#define COLUMN(name, format)                                                                       \
	{                                                                                          \
#name, format, offsetof(struct data_sample, name),                                 \
			sizeof(((struct data_sample *)NULL)->name)                                 \
	}
static const struct column {
	const char *name, *format; /* as of Python's module struct */
	size_t offset, size;
} columns[] = {
	COLUMN(time, "Q"), COLUMN(ip, "Q"),  COLUMN(addr, "Q"), COLUMN(period, "Q"),
	COLUMN(pid, "i"),  COLUMN(tid, "i"), COLUMN(cpu, "i"),  COLUMN(event, "i"),
};

/* Return the bytes of a column. */
static PyObject *column_bytes(const struct data_samples *d, const struct column *c)
{
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(d->nr * c->size));
	char *to = bytes ? PyBytes_AsString(bytes) : NULL;

	for (size_t i = 0; to && i < d->nr; i++)
		memcpy(to + i * c->size, (const char *)&d->v[i] + c->offset, c->size);
	return bytes;
}

/* Return a column as an array of @numpy, or as a memoryview when that is NULL. */
static PyObject *column_array(const struct data_samples *d, const struct column *c, PyObject *numpy)
{
	PyObject *bytes = column_bytes(d, c), *view, *array;

	if (!bytes)
		return NULL;
	if (numpy) {
		array = PyObject_CallMethod(numpy, "frombuffer", "Os", bytes, c->format);
		Py_DECREF(bytes);
		return array;
	}
	view = PyMemoryView_FromObject(bytes);
	Py_DECREF(bytes);
	array = view ? PyObject_CallMethod(view, "cast", "s", c->format) : NULL;
	Py_XDECREF(view);
	return array;
}

static PyObject *data_columns(PyObject *self, PyObject *none)
{
	struct data *d = (struct data *)self;
	PyObject *numpy, *dict;

	if (!read_all(d))
		return NULL;
	numpy = PyImport_ImportModule("numpy");
	if (!numpy)
		PyErr_Clear();
	dict = PyDict_New();
	for (size_t i = 0; dict && i < ARRAY_SIZE(columns); i++) {
		pm_set(&dict, columns[i].name, column_array(&d->samples, &columns[i], numpy));
	}
	Py_XDECREF(numpy);
	return dict;
}

/* ---- a sample ---- */

static void sample_dealloc(PyObject *self)
{
	Py_XDECREF(((struct sample_object *)self)->of);
	pm_free(self);
}

static const struct data_sample *sample_of(PyObject *self)
{
	const struct sample_object *s = (const struct sample_object *)self;

	return &s->of->samples.v[s->idx];
}

static const struct evsel *event_of(PyObject *self)
{
	const struct sample_object *s = (const struct sample_object *)self;

	return s->of->recording.session.evlist.evsels[sample_of(self)->event];
}

#define NUMBER(name)                                                                               \
	static PyObject *get_##name(PyObject *self, void *closure)                                 \
	{                                                                                          \
		return PyLong_FromLongLong((long long)sample_of(self)->name);                      \
	}
#define ADDRESS(name, from)                                                                        \
	static PyObject *get_##name(PyObject *self, void *closure)                                 \
	{                                                                                          \
		return PyLong_FromUnsignedLongLong(sample_of(self)->from);                         \
	}
#define TEXT(name, from)                                                                           \
	static PyObject *get_##name(PyObject *self, void *closure)                                 \
	{                                                                                          \
		return pm_text(sample_of(self)->from);                                             \
	}
NUMBER(pid)
NUMBER(tid)
NUMBER(cpu)
ADDRESS(time, time)
ADDRESS(ip, ip)
ADDRESS(addr, addr)
ADDRESS(period, period)
ADDRESS(symoff, place.symoff)
TEXT(comm, comm)
TEXT(symbol, place.symbol)
TEXT(dso, place.object)

static PyObject *get_event(PyObject *self, void *closure)
{
	return pm_text(event_of(self)->name);
}

static PyObject *get_callchain(PyObject *self, void *closure)
{
	const struct data_samples *d = &((struct sample_object *)self)->of->samples;
	const struct data_sample *s = sample_of(self);
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < s->nr_frames; i++) {
		const struct data_frame *f = &d->frames[s->first_frame + i];
		pm_append(&list,
			  Py_BuildValue("(KNKN)", (unsigned long long)f->ip, pm_text(f->symbol),
					(unsigned long long)f->symoff, pm_text(f->object)));
	}
	return list;
}

static PyObject *get_raw(PyObject *self, void *closure)
{
	const struct data_samples *d = &((struct sample_object *)self)->of->samples;
	const struct data_sample *s = sample_of(self);

	return PyBytes_FromStringAndSize(strbuf_str(&d->raw) + s->raw_at, (Py_ssize_t)s->raw_size);
}

static PyObject *get_fields(PyObject *self, void *closure)
{
	const struct data *d = ((const struct sample_object *)self)->of;
	const struct data_sample *s = sample_of(self);

	return pm_fields(evsel_format(event_of(self), d->recording.formats.tracefmt),
			 strbuf_str(&d->samples.raw) + s->raw_at, s->raw_size);
}

static PyObject *sample_repr(PyObject *self)
{
	const struct data_sample *s = sample_of(self);

	return PyUnicode_FromFormat("data_sample(event=%s, time=%llu, cpu=%d, pid=%d, tid=%d)",
				    event_of(self)->name, s->time, s->cpu, s->pid, s->tid);
}

static bool add_sample(PyObject *module)
{
#define GET(name, doc)                                                                             \
	{                                                                                          \
#name, get_##name, NULL, doc, NULL                                                 \
	}
	static PyGetSetDef members[] = {
		GET(event, "name of the event"),
		GET(time, "time in nanoseconds"),
		GET(cpu, "CPU; -1: not recorded"),
		GET(pid, "process"),
		GET(tid, "thread"),
		GET(comm, "name of the thread at that time"),
		GET(ip, "address of the instruction"),
		GET(addr, "address of the event"),
		GET(period, "what the sample stands for"),
		GET(symbol, "function, or None"),
		GET(symoff, "offset of the instruction in the function"),
		GET(dso, "path of the object, or None"),
		GET(callchain,
		    "frames, innermost first: tuples of address, function, offset in it, object"),
		{ "raw_buf", get_raw, NULL, "bytes of a tracepoint", NULL },
		GET(fields, "fields of a tracepoint by name"),
		{ NULL }
	};
	static PyType_Slot slots[] = { { Py_tp_doc, "A sample of a recording." },
				       { Py_tp_new, pm_no_new },
				       { Py_tp_dealloc, sample_dealloc },
				       { Py_tp_repr, sample_repr },
				       { Py_tp_getset, members },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf.data_sample", sizeof(struct sample_object), 0,
				    Py_TPFLAGS_DEFAULT, slots };

	return pm_add_type(module, &spec, &pm_types.data_sample);
}

bool pm_datas(PyObject *module)
{
	static PyMethodDef methods[] = {
		{ "columns", data_columns, METH_NOARGS,
		  "Return the numbers of all samples by name: arrays of numpy, or memoryviews without it." },
		{ NULL }
	};
	static PyGetSetDef members[] = {
		{ "events", data_events, NULL,
		  "names of the events; the column 'event' is an index here", NULL },
		{ "problems", data_problems, NULL,
		  "what is wrong or missing: numbers by descriptions", NULL },
		{ NULL }
	};
	static PyType_Slot slots[] = {
		{ Py_tp_doc,
		  "data(path=\"perf.data\", force=False)\n\nThe samples of a recording, in the order of time." },
		{ Py_tp_new, data_new },
		{ Py_tp_dealloc, data_dealloc },
		{ Py_sq_length, data_length },
		{ Py_sq_item, data_item },
		{ Py_tp_getset, members },
		{ Py_tp_methods, methods },
		{ 0, NULL }
	};
	static PyType_Spec spec = { "perf.data", sizeof(struct data), 0, Py_TPFLAGS_DEFAULT,
				    slots };

	return pm_add_type(module, &spec, &pm_types.data) && add_sample(module);
}
