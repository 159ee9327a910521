// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings: perf.data is a sequence of samples, and of columns of numbers. */
#include "python/samples.h"

#include "base/alloc.h"

#include <errno.h>

/* The arguments that choose samples; they become texts as of options of commands. */
enum choice { TIME, CPUS, PIDS, TIDS, COMMS, EVENTS, NR_CHOICES };

struct data {
	PyObject_HEAD struct recording recording;
	struct recording_options options;
	char *path;                /* owned: options.input */
	char *choices[NR_CHOICES]; /* owned; NULL: all */
	struct name_list events;   /* of choices[EVENTS] */
	bool open, reading, failed;
	struct data_reader reader;
	struct pm_samples *samples; /* owned; NULL: not read yet */
	PyThreadState *thread;      /* while samples are read, without Python's lock */
};

/* ---- arguments ---- */

static bool add_word(struct strbuf *to, PyObject *v)
{
	PyObject *text = NULL, *bytes;

	if (PyUnicode_Check(v) || PyLong_Check(v))
		text = PyObject_Str(v);
	else
		PyErr_Format(PyExc_TypeError, "names and numbers choose samples, not %R", v);
	bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
	if (bytes)
		strbuf_addf(to, "%s%s", to->len ? "," : "", PyBytes_AsString(bytes));
	Py_XDECREF(bytes);
	Py_XDECREF(text);
	return bytes;
}

/* Make a text of names and numbers: of one, or of a sequence of them. */
static bool take_words(PyObject *v, struct strbuf *to)
{
	PyObject *items, *item;
	bool ok = true;

	if (PyUnicode_Check(v) || PyLong_Check(v) || !PySequence_Check(v))
		return add_word(to, v);
	items = PyObject_GetIter(v);
	while (items && ok && (item = PyIter_Next(items))) {
		ok = add_word(to, item);
		Py_DECREF(item);
	}
	Py_XDECREF(items);
	return !PyErr_Occurred();
}

/* Make a text of a time: "start,stop" of two numbers of seconds, of which None is open. */
static bool take_time(PyObject *v, struct strbuf *to)
{
	PyObject *from, *until;
	double first = 0, last = 0;

	if (PyUnicode_Check(v))
		return add_word(to, v);
	if (!PyArg_ParseTuple(v, "OO;a time is a text as of --time, or two numbers of seconds",
			      &from, &until))
		return false;
	if (from != Py_None)
		first = PyFloat_AsDouble(from);
	if (until != Py_None && !PyErr_Occurred())
		last = PyFloat_AsDouble(until);
	if (from != Py_None)
		strbuf_addf(to, "%.9f", first);
	strbuf_addch(to, ',');
	if (until != Py_None)
		strbuf_addf(to, "%.9f", last);
	return !PyErr_Occurred();
}

static bool take_choice(struct data *d, enum choice c, PyObject *v)
{
	struct strbuf text = STRBUF_INIT;
	bool ok;

	if (!v || v == Py_None)
		return true;
	if (c == TIME && !PyUnicode_Check(v) && !PyTuple_Check(v)) {
		PyErr_Format(PyExc_TypeError,
			     "a time is a text as of --time, or two numbers of seconds, not %R", v);
		return false;
	}
	ok = c == TIME ? take_time(v, &text) : take_words(v, &text);
	if (ok)
		d->choices[c] = xstrdup(strbuf_str(&text));
	strbuf_release(&text);
	return ok;
}

/* ---- opening ---- */

/* Open the recording, and decide what is wanted of it. Return: false with an exception. */
static bool open_recording(struct data *d)
{
	struct err err = { 0 };
	int ret = 0;

	if (d->choices[EVENTS])
		ret = name_list_parse(&d->events, d->choices[EVENTS], "event", &err);
	if (!ret)
		ret = recording_open(&d->recording, &d->options, NULL, &err);
	if (ret) {
		pm_error(&err);
		return false;
	}
	d->open = true;
	recording_symbols(&d->recording);
	ret = recording_prepare(&d->recording, &err);
	if (ret == -EINVAL)
		PyErr_SetString(PyExc_ValueError, err.msg);
	else if (ret)
		pm_error(&err);
	return !ret;
}

static int look_up(void *ctx);

static PyObject *data_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "path", "force", "all",  "srcline", "time", "cpu",
				    "pid",  "tid",   "comm", "event",   NULL };
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	PyObject *choices[NR_CHOICES] = { NULL };
	const char *path = "perf.data";
	int force = 0, all = 0, lines = 0;
	struct data *self;
	bool ok = true;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|sp$ppOOOOOO:data", keywords, &path, &force,
					 &all, &lines, &choices[TIME], &choices[CPUS],
					 &choices[PIDS], &choices[TIDS], &choices[COMMS],
					 &choices[EVENTS]))
		return NULL;
	self = (struct data *)alloc(type, 0);
	if (!self)
		return NULL;
	for (int c = 0; ok && c < NR_CHOICES; c++)
		ok = take_choice(self, c, choices[c]);
	self->path = xstrdup(path);
	self->options = (struct recording_options){ .input = self->path,
						    .force = force,
						    .buildid_dir = getenv("PERF_BUILDID_DIR"),
						    .time = self->choices[TIME],
						    .cpus = self->choices[CPUS],
						    .pids = self->choices[PIDS],
						    .tids = self->choices[TIDS],
						    .comms = self->choices[COMMS] };
	self->reader = (struct data_reader){ .r = &self->recording,
					     .only = &self->events,
					     .others = all ? pm_record_has_kind : NULL,
					     .lines = lines,
					     .pause = look_up,
					     .ctx = self };
	if (!ok || !open_recording(self))
		Py_CLEAR(self);
	return (PyObject *)self;
}

static void data_dealloc(PyObject *self)
{
	struct data *d = (struct data *)self;

	Py_XDECREF(d->samples);
	data_reader_release(&d->reader);
	if (d->open)
		recording_close(&d->recording);
	name_list_release(&d->events);
	for (int c = 0; c < NR_CHOICES; c++)
		free(d->choices[c]);
	free(d->path);
	pm_free(self);
}

/* ---- reading ---- */

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

/* Raise what has ended reading: a wish that the recording cannot meet, or what is wrong with it. */
static void raise_read_error(const struct data *d, int ret, const struct err *err)
{
	if (PyErr_Occurred())
		return;
	if (ret == -ENOENT || d->recording.bad_time)
		PyErr_SetString(PyExc_ValueError, err->msg);
	else
		pm_error(err);
}

/* Read the samples unless they have been read. Return: false with an exception. */
static bool read_all(struct data *d)
{
	struct err err = { 0 };
	int ret;

	if (d->samples)
		return true;
	if (d->reading || d->failed) {
		PyErr_SetString(PyExc_RuntimeError,
				d->failed ? "reading this recording has failed: open it again"
					  : "another thread is reading this recording");
		return false;
	}
	d->reading = true;
	d->thread = PyEval_SaveThread();
	ret = data_read(&d->reader, &err);
	PyEval_RestoreThread(d->thread);
	d->reading = false;
	if (!ret)
		ret = data_check_names(&d->reader, &err);
	d->failed = ret;
	if (ret)
		raise_read_error(d, ret, &err);
	else
		d->samples = pm_samples_new((PyObject *)d, &d->reader);
	return d->samples;
}

/* ---- the sequence ---- */

static Py_ssize_t data_length(PyObject *self)
{
	struct data *d = (struct data *)self;

	return read_all(d) ? (Py_ssize_t)pm_samples_nr(d->samples) : -1;
}

static PyObject *data_item(PyObject *self, Py_ssize_t i)
{
	struct data *d = (struct data *)self;

	return read_all(d) ? pm_samples_get(d->samples, (size_t)i) : NULL;
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

static PyObject *data_columns(PyObject *self, PyObject *none)
{
	struct data *d = (struct data *)self;

	return read_all(d) ? pm_samples_columns(d->samples) : NULL;
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
		  "data(path=\"perf.data\", force=False, *, all=False, srcline=False, time=None, cpu=None, pid=None, tid=None, comm=None, event=None)\n\nThe samples of a recording, in the order of time." },
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

	return pm_add_type(module, &spec, &pm_types.data) && pm_data_samples(module);
}
