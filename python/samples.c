// SPDX-License-Identifier: GPL-2.0-or-later
/* Records become objects: a sample is a view of an element, a column holds one number of each,
 * and other records are made of their bytes. */
#include "python/samples.h"

/* A sample: a view of an element of what was read. */
struct sample_object {
	PyObject_HEAD struct pm_samples *of; /* owned reference, as is its owner */
	size_t idx;
};

/* ---- what was read ---- */

struct pm_samples *pm_samples_new(PyObject *owner, struct data_reader *rd)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.samples, Py_tp_alloc);
	struct pm_samples *s = (struct pm_samples *)alloc(pm_types.samples, 0);

	if (!s)
		return NULL;
	s->owner = owner;
	s->events = &rd->r->session.evlist;
	s->tf = rd->tf ? rd->tf : rd->r->formats.tracefmt;
	s->d = rd->out;
	rd->out = (struct data_samples){ 0 };
	return s;
}

static void samples_dealloc(PyObject *self)
{
	struct pm_samples *s = (struct pm_samples *)self;

	data_samples_release(&s->d);
	pm_free(self);
}

size_t pm_samples_nr(const struct pm_samples *s)
{
	return s->d.nr_order ? s->d.nr_order : s->d.nr;
}

static PyObject *sample_new(struct pm_samples *of, size_t idx)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(pm_types.data_sample, Py_tp_alloc);
	struct sample_object *s = (struct sample_object *)alloc(pm_types.data_sample, 0);

	if (s) {
		Py_INCREF(of);
		Py_INCREF(of->owner);
		s->of = of;
		s->idx = idx;
	}
	return (PyObject *)s;
}

PyObject *pm_samples_get(struct pm_samples *s, size_t i)
{
	const struct data_other *o;
	const wire_header *hdr;
	size_t what;

	if (i >= pm_samples_nr(s)) {
		PyErr_SetString(PyExc_IndexError, "there is no such sample or record");
		return NULL;
	}
	what = s->d.nr_order ? s->d.order[i] : i;
	if (!(what & DATA_OTHER))
		return sample_new(s, what);
	o = &s->d.others[what & ~DATA_OTHER];
	hdr = (const wire_header *)(strbuf_str(&s->d.other_bytes) + o->at);
	return pm_record(s->tf, s->events->evsels[o->event], hdr, hdr->size);
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

PyObject *pm_samples_columns(const struct pm_samples *s)
{
	PyObject *numpy = PyImport_ImportModule("numpy"), *dict;

	if (!numpy)
		PyErr_Clear();
	dict = PyDict_New();
	for (size_t i = 0; dict && i < ARRAY_SIZE(columns); i++) {
		pm_set(&dict, columns[i].name, column_array(&s->d, &columns[i], numpy));
	}
	Py_XDECREF(numpy);
	return dict;
}

/* ---- a sample ---- */

static void sample_dealloc(PyObject *self)
{
	struct pm_samples *of = ((struct sample_object *)self)->of;
	PyObject *owner = of->owner;

	Py_DECREF(of);
	pm_free(self);
	Py_DECREF(owner);
}

static const struct data_sample *sample_of(PyObject *self)
{
	const struct sample_object *s = (const struct sample_object *)self;

	return &s->of->d.v[s->idx];
}

static const struct evsel *event_of(PyObject *self)
{
	const struct sample_object *s = (const struct sample_object *)self;

	return s->of->events->evsels[sample_of(self)->event];
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
	const struct data_samples *d = &((struct sample_object *)self)->of->d;
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
	const struct data_samples *d = &((struct sample_object *)self)->of->d;
	const struct data_sample *s = sample_of(self);

	return PyBytes_FromStringAndSize(strbuf_str(&d->raw) + s->raw_at, (Py_ssize_t)s->raw_size);
}

static PyObject *get_fields(PyObject *self, void *closure)
{
	const struct pm_samples *of = ((const struct sample_object *)self)->of;
	const struct data_sample *s = sample_of(self);

	return pm_fields(evsel_format(event_of(self), of->tf), strbuf_str(&of->d.raw) + s->raw_at,
			 s->raw_size);
}

static PyObject *get_srcline(PyObject *self, void *closure)
{
	const struct data_sample *s = sample_of(self);

	if (!s->file)
		Py_RETURN_NONE;
	return Py_BuildValue("(NI)", pm_text(s->file), (unsigned int)s->line);
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
		GET(srcline, "source file and line, or None; see the argument of that name"),
		GET(callchain,
		    "frames, innermost first: tuples of address, function, offset in it, object"),
		{ "raw_buf", get_raw, NULL, "bytes of a tracepoint", NULL },
		GET(fields, "fields of a tracepoint by name"),
		{ NULL }
	};
	static PyType_Slot slots[] = { { Py_tp_doc,
					 "A sample of a recording or of a live session." },
				       { Py_tp_new, pm_no_new },
				       { Py_tp_dealloc, sample_dealloc },
				       { Py_tp_repr, sample_repr },
				       { Py_tp_getset, members },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf.data_sample", sizeof(struct sample_object), 0,
				    Py_TPFLAGS_DEFAULT, slots };

	return pm_add_type(module, &spec, &pm_types.data_sample);
}

bool pm_data_samples(PyObject *module)
{
	static PyType_Slot slots[] = { { Py_tp_doc, "Samples that were read at once." },
				       { Py_tp_new, pm_no_new },
				       { Py_tp_dealloc, samples_dealloc },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf._samples", sizeof(struct pm_samples), 0,
				    Py_TPFLAGS_DEFAULT, slots };

	return pm_add_type(module, &spec, &pm_types.samples) && add_sample(module);
}
