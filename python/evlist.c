// SPDX-License-Identifier: GPL-2.0-or-later
/* A list of events: opened as a whole, read by its rings and by its counters. */
#include "python/module.h"

#include "base/alloc.h"
#include "events/config.h"
#include "kernel/target.h"
#include "tracefmt/tracefmt.h"

#include <errno.h>
#include <poll.h>

static PyObject *evlist_alloc(PyTypeObject *type)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	struct pm_evlist *l = (struct pm_evlist *)alloc(type, 0);
	struct err err = { 0 };

	if (!l)
		return NULL;
	int_list_add(&l->tids, -1);
	if (!cpu_list_online(&pm_machine, &l->cpus, &err))
		return (PyObject *)l;
	Py_DECREF(l);
	return pm_error(&err);
}

struct pm_evlist *pm_evlist_new(void)
{
	return (struct pm_evlist *)evlist_alloc(pm_types.evlist);
}

static PyObject *evlist_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL, *self;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:evlist", keywords, &cpus, &threads))
		return NULL;
	self = evlist_alloc(type);
	if (self && !pm_evlist_targets((struct pm_evlist *)self, cpus, threads))
		Py_CLEAR(self);
	return self;
}

static void evlist_dealloc(PyObject *self)
{
	struct pm_evlist *l = (struct pm_evlist *)self;

	pm_evlist_close(l);
	evlist_release(&l->list);
	int_list_release(&l->cpus);
	int_list_release(&l->tids);
	tracefmt_free(l->tf);
	pm_metrics_free(l->metrics);
	free(l->record);
	pm_free(self);
}

/* ---- the list ---- */

static Py_ssize_t evlist_length(PyObject *self)
{
	return (Py_ssize_t)((struct pm_evlist *)self)->list.nr;
}

static PyObject *evlist_item(PyObject *self, Py_ssize_t i)
{
	struct pm_evlist *l = (struct pm_evlist *)self;

	if (i < 0 || (size_t)i >= l->list.nr) {
		PyErr_SetString(PyExc_IndexError, "the list has no such event");
		return NULL;
	}
	return pm_evsel_view(l, (u32)i);
}

static PyObject *evlist_repr(PyObject *self)
{
	const struct evlist *l = &((struct pm_evlist *)self)->list;
	struct strbuf names = STRBUF_INIT;
	PyObject *text;

	for (size_t i = 0; i < l->nr; i++) {
		strbuf_addstr(&names, i ? "," : "");
		strbuf_addstr(&names, l->evsels[i]->name);
	}
	text = PyUnicode_FromFormat("evlist([%s])", strbuf_str(&names));
	strbuf_release(&names);
	return text;
}

/* Move the descriptors of the only event of @from to event @idx of @to. */
static void take_descriptors(struct pm_evlist *to, struct pm_evlist *from, u32 idx)
{
	struct kevents *k = &to->opened;

	VEC_GROW(k->fds, k->nr + from->opened.nr, k->cap);
	for (size_t i = 0; i < from->opened.nr; i++) {
		k->fds[k->nr] = from->opened.fds[i];
		k->fds[k->nr++].evsel = idx;
	}
	from->opened.nr = 0;
	kevents_release(&from->opened);
}

static PyObject *evlist_add_evsel(PyObject *self, PyObject *evsel)
{
	struct pm_evlist *l = (struct pm_evlist *)self;
	struct pm_evsel *e = (struct pm_evsel *)evsel;
	struct pm_evlist *from;

	if (!PyObject_TypeCheck(evsel, pm_types.evsel))
		return PyErr_Format(PyExc_TypeError, "an evsel is needed here, not %R", evsel);
	from = e->in;
	if (!from->own || l->rings.nr) {
		PyErr_SetString(PyExc_ValueError,
				from->own ? "the list has rings already: add events before mmap()"
					  : "the event is in a list already");
		return NULL;
	}
	e->idx = evlist_add_copy(&l->list, pm_evsel_of(e))->idx;
	for (size_t i = 0; i < from->list.evsels[0]->nr_ids; i++)
		evsel_add_id(l->list.evsels[e->idx], from->list.evsels[0]->ids[i]);
	take_descriptors(l, from, e->idx);
	evlist_index(&l->list);
	Py_INCREF(l);
	e->in = l;
	Py_DECREF(from);
	return PyLong_FromSize_t(l->list.nr);
}

/* ---- opening ---- */

bool pm_evlist_targets(struct pm_evlist *l, PyObject *cpus, PyObject *threads)
{
	return pm_map_copy(cpus, pm_types.cpu_map, &l->cpus) &&
	       pm_map_copy(threads, pm_types.thread_map, &l->tids);
}

/* Let samples of several events say whose they are. */
static void tell_apart(struct evlist *l)
{
	for (size_t i = 0; l->nr > 1 && i < l->nr; i++) {
		struct evsel *e = l->evsels[i];

		e->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
		layout_init(&e->layout, &e->attr);
	}
}

bool pm_evlist_open(struct pm_evlist *l)
{
	const struct open_opts opts = { .sysroot = &pm_machine,
					.cpus = &l->cpus,
					.tids = &l->tids };
	struct err err = { 0 };
	int ret;

	if (l->opened.nr) {
		PyErr_SetString(PyExc_ValueError, "the events are open already");
		return false;
	}
	tell_apart(&l->list);
	Py_BEGIN_ALLOW_THREADS;
	raise_fd_limit();
	ret = kevents_open(&l->opened, &l->list, &opts, &err);
	if (!ret)
		ret = kevents_filter(&l->opened, &l->list, &pm_machine, &err);
	Py_END_ALLOW_THREADS;
	if (!ret) {
		evlist_index(&l->list);
		l->clock = (struct pm_clock){ 0 };
		pm_clock_run(&l->clock, !l->list.evsels[0]->attr.disabled);
		return true;
	}
	kevents_release(&l->opened);
	pm_error(&err);
	return false;
}

static PyObject *evlist_open(PyObject *self, PyObject *none)
{
	if (!pm_evlist_open((struct pm_evlist *)self))
		return NULL;
	Py_RETURN_NONE;
}

void pm_evlist_close(struct pm_evlist *l)
{
	rings_release(&l->rings);
	kevents_release(&l->opened);
}

/* Raise an exception when a live session reads the records. */
static bool is_free(const struct pm_evlist *l)
{
	if (l->taken)
		PyErr_SetString(PyExc_ValueError,
				"a live session reads these events: end it by its close()");
	return !l->taken;
}

static PyObject *evlist_close(PyObject *self, PyObject *none)
{
	struct pm_evlist *l = (struct pm_evlist *)self;

	if (!is_free(l))
		return NULL;
	pm_evlist_close(l);
	Py_RETURN_NONE;
}

void pm_evlist_enable(struct pm_evlist *l, bool on)
{
	for (size_t i = 0; i < l->opened.nr; i++)
		kfd_enable(&l->opened.fds[i], on);
	pm_clock_run(&l->clock, on);
}

static PyObject *enable(PyObject *self, bool on)
{
	if (!pm_is_open((struct pm_evlist *)self))
		return NULL;
	pm_evlist_enable((struct pm_evlist *)self, on);
	Py_RETURN_NONE;
}

static PyObject *evlist_enable(PyObject *self, PyObject *none)
{
	return enable(self, true);
}

static PyObject *evlist_disable(PyObject *self, PyObject *none)
{
	return enable(self, false);
}

void pm_evlist_sampling(struct pm_evlist *l, u64 freq, u64 period, bool chains)
{
	const struct sample_opts o = { .freq = freq,
				       .count = period,
				       .freq_set = !period,
				       .count_set = period,
				       .time = true,
				       .cpu = true,
				       .system_wide = l->tids.nr == 1 && l->tids.v[0] < 0,
				       .callgraph = chains ? CALLGRAPH_FP : CALLGRAPH_NONE };

	evlist_configure(&l->list, &o);
	l->sampling = true;
}

static PyObject *evlist_config(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "freq", "period", "callgraph", NULL };
	struct pm_evlist *l = (struct pm_evlist *)self;
	unsigned long long freq = 4000, period = 0;
	int chains = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|KKp:config", keywords, &freq, &period,
					 &chains))
		return NULL;
	if (l->opened.nr || l->sampling) {
		PyErr_SetString(PyExc_ValueError,
				l->opened.nr
					? "the events are open: call config() before"
					: "config() was called before: it adds to what events are");
		return NULL;
	}
	pm_evlist_sampling(l, freq, period, chains);
	Py_RETURN_NONE;
}

/* ---- rings ---- */

bool pm_evlist_map(struct pm_evlist *l, size_t pages)
{
	struct err err = { 0 };

	if (rings_map(&l->rings, &pm_machine, &l->opened, pages, false, &err)) {
		rings_release(&l->rings);
		pm_error(&err);
		return false;
	}
	pm_formats(l);
	return true;
}

static PyObject *evlist_mmap(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "pages", "overwrite", NULL };
	struct pm_evlist *l = (struct pm_evlist *)self;
	int pages = 128, overwrite = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ip:mmap", keywords, &pages, &overwrite))
		return NULL;
	if (!pm_is_open(l))
		return NULL;
	if (pages <= 0 || pages & (pages - 1) || overwrite || l->rings.nr) {
		PyErr_SetString(PyExc_ValueError,
				overwrite     ? "rings that are overwritten cannot be read here"
				: l->rings.nr ? "the list has rings already"
					      : "the number of pages of a ring is a power of two");
		return NULL;
	}
	if (!pm_evlist_map(l, (size_t)pages))
		return NULL;
	Py_RETURN_NONE;
}

/* Raise an exception unless there are rings. */
static bool has_rings(const struct pm_evlist *l)
{
	if (!l->rings.nr)
		PyErr_SetString(PyExc_ValueError, "the list has no rings: call mmap() first");
	return l->rings.nr;
}

static PyObject *evlist_pollfd(PyObject *self, PyObject *none)
{
	const struct rings *r = &((struct pm_evlist *)self)->rings;
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < r->nr; i++) {
		pm_append(&list, PyLong_FromLong(r->v[i].fd));
	}
	return list;
}

static PyObject *evlist_poll(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "timeout", NULL };
	struct pm_evlist *l = (struct pm_evlist *)self;
	int timeout = -1, ready, code;
	struct pollfd *fds;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i:poll", keywords, &timeout) ||
	    !has_rings(l))
		return NULL;
	fds = xcalloc(l->rings.nr, sizeof(*fds));
	for (size_t i = 0; i < l->rings.nr; i++)
		fds[i] = (struct pollfd){ .fd = l->rings.v[i].fd, .events = POLLIN };
	Py_BEGIN_ALLOW_THREADS;
	ready = poll(fds, l->rings.nr, timeout);
	code = errno;
	Py_END_ALLOW_THREADS;
	free(fds);
	if (ready >= 0)
		return PyLong_FromLong(ready);
	if (code == EINTR)
		return PyErr_CheckSignals() ? NULL : PyLong_FromLong(0);
	errno = code;
	return PyErr_SetFromErrno(PyExc_OSError);
}

/* Copy the first @len bytes of two spans. */
static void copy_from(const struct iovec *iov, void *to, size_t len)
{
	size_t first = MIN(len, iov[0].iov_len);

	memcpy(to, iov[0].iov_base, first);
	if (len > first)
		memcpy((u8 *)to + first, iov[1].iov_base, len - first);
}

/* Take the next record of a ring into @l->record. Return: its size; 0: there is none. */
static size_t next_record(struct pm_evlist *l, struct ring *r)
{
	struct iovec iov[2] = { { 0 } };
	wire_header hdr;
	u64 head;
	size_t have = 0;
	int n = ring_spans(r, iov, &head);

	for (int i = 0; i < n; i++)
		have += iov[i].iov_len;
	if (have < sizeof(hdr))
		return 0;
	copy_from(iov, &hdr, sizeof(hdr));
	if (hdr.size < sizeof(hdr) || hdr.size > have) {
		ring_consume(r, head);
		return 0;
	}
	if (!l->record)
		l->record = xmalloc(UINT16_MAX + 1);
	copy_from(iov, l->record, hdr.size);
	ring_consume(r, r->tail + hdr.size);
	return hdr.size;
}

/* Return the event of a record; NULL: it cannot be told. */
static const struct evsel *event_of(const struct evlist *l, const void *rec, size_t size)
{
	const wire_header *hdr = rec;

	if (hdr->type == PERF_RECORD_SAMPLE)
		return evlist_of_sample(l, rec, size);
	return evlist_of_trailer(l, rec, size);
}

static PyObject *next_on(struct pm_evlist *l, struct ring *r)
{
	const struct evsel *e;
	PyObject *record;
	size_t size;

	while ((size = next_record(l, r))) {
		e = event_of(&l->list, l->record, size);
		if (!e) {
			PyErr_SetString(PyExc_ValueError,
					"a sample does not say which event it is of: "
					"open several events with the open() of their list");
			return NULL;
		}
		record = pm_record(l->tf, e, l->record, size);
		if (record || PyErr_Occurred())
			return record;
	}
	return NULL;
}

static PyObject *evlist_read_on_cpu(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "cpu", NULL };
	struct pm_evlist *l = (struct pm_evlist *)self;
	bool known = false;
	int cpu;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i:read_on_cpu", keywords, &cpu) ||
	    !has_rings(l) || !is_free(l))
		return NULL;
	for (size_t i = 0; i < l->rings.nr; i++) {
		PyObject *record;

		if (l->rings.v[i].cpu != cpu)
			continue;
		known = true;
		record = next_on(l, &l->rings.v[i]);
		if (record || PyErr_Occurred())
			return record;
	}
	if (!known)
		return PyErr_Format(PyExc_ValueError, "the events have no ring on CPU %d", cpu);
	Py_RETURN_NONE;
}

bool pm_evlists(PyObject *module)
{
	static PyMethodDef methods[] = {
		{ "add", evlist_add_evsel, METH_O, "Add an event; return how many there are." },
		{ "open", evlist_open, METH_NOARGS, "Open all events." },
		{ "close", evlist_close, METH_NOARGS, "Close all events." },
		{ "config", WITH_KEYWORDS(evlist_config),
		  "config(freq=4000, period=0, callgraph=False)\n\nSet all events up for samples." },
		{ "enable", evlist_enable, METH_NOARGS, "Let the events count." },
		{ "disable", evlist_disable, METH_NOARGS, "Stop them." },
		{ "mmap", WITH_KEYWORDS(evlist_mmap),
		  "mmap(pages=128, overwrite=False)\n\nMap a ring for each CPU." },
		{ "get_pollfd", evlist_pollfd, METH_NOARGS,
		  "Return the descriptors that tell of new records." },
		{ "poll", WITH_KEYWORDS(evlist_poll),
		  "poll(timeout=-1)\n\nWait for records, for so many milliseconds; return how many rings have some." },
		{ "read_on_cpu", WITH_KEYWORDS(evlist_read_on_cpu),
		  "read_on_cpu(cpu)\n\nReturn the next record of a CPU, or None." },
		{ "metrics", pm_evlist_metrics, METH_NOARGS,
		  "Return the names of the metrics that its events are for." },
		{ "compute_metric", WITH_KEYWORDS(pm_compute_metric),
		  "compute_metric(metric, cpu, thread)\n\nReturn the value of a metric at a place; nan: it cannot be computed." },
		{ NULL }
	};
	static PyType_Slot slots[] = { { Py_tp_doc,
					 "evlist(cpus=None, threads=None)\n\nA list of events." },
				       { Py_tp_new, evlist_new },
				       { Py_tp_dealloc, evlist_dealloc },
				       { Py_tp_repr, evlist_repr },
				       { Py_sq_length, evlist_length },
				       { Py_sq_item, evlist_item },
				       { Py_tp_methods, methods },
				       { 0, NULL } };
	static PyType_Spec spec = { "perf.evlist", sizeof(struct pm_evlist), 0, Py_TPFLAGS_DEFAULT,
				    slots };

	return pm_add_type(module, &spec, &pm_types.evlist);
}
