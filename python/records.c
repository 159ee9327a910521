// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of rings as objects, one type for each kind. All have the members of a sample, which
 * other records have in their trailer. */
#include "python/module.h"

#include "wire/event.h"

struct record {
	PyObject_HEAD unsigned int type, misc;
	struct sample s;    /* without what points into the record */
	union rec_any body; /* likewise */
	PyObject *text;     /* owned: file name or comm; NULL: it has none */
	PyObject *raw;      /* owned: bytes of a sample; NULL: it has none */
	PyObject *fields;   /* owned: the fields of a tracepoint by name; NULL: likewise */
};

static void record_dealloc(PyObject *self)
{
	struct record *r = (struct record *)self;

	Py_XDECREF(r->text);
	Py_XDECREF(r->raw);
	Py_XDECREF(r->fields);
	pm_free(self);
}

/* ---- texts ---- */

static PyObject *mmap_repr(PyObject *self)
{
	const struct record *r = (const struct record *)self;
	const struct rec_mmap *m = &r->body.mmap;
	char range[128];

	snprintf(range, sizeof(range),
		 "start: 0x%" PRIx64 ", length: 0x%" PRIx64 ", offset: 0x%" PRIx64, m->start,
		 m->len, m->pgoff);
	return PyUnicode_FromFormat("{ type: mmap, pid: %u, tid: %u, %s, filename: %S }", m->pid,
				    m->tid, range, r->text);
}

static PyObject *task_repr(PyObject *self)
{
	const struct record *r = (const struct record *)self;
	const struct rec_task *t = &r->body.task;

	return PyUnicode_FromFormat("{ type: %s, pid: %u, ppid: %u, tid: %u, ptid: %u, time: %llu}",
				    r->type == PERF_RECORD_FORK ? "fork" : "exit", t->pid, t->ppid,
				    t->tid, t->ptid, (unsigned long long)t->time);
}

static PyObject *comm_repr(PyObject *self)
{
	const struct record *r = (const struct record *)self;

	return PyUnicode_FromFormat("{ type: comm, pid: %u, tid: %u, comm: %S }", r->body.comm.pid,
				    r->body.comm.tid, r->text);
}

static PyObject *throttle_repr(PyObject *self)
{
	const struct record *r = (const struct record *)self;
	const struct rec_throttle *t = &r->body.throttle;

	return PyUnicode_FromFormat("{ type: %sthrottle, time: %llu, id: %llu, stream_id: %llu }",
				    r->type == PERF_RECORD_THROTTLE ? "" : "un",
				    (unsigned long long)t->time, (unsigned long long)t->id,
				    (unsigned long long)t->stream_id);
}

static PyObject *lost_repr(PyObject *self)
{
	const struct rec_lost *l = &((const struct record *)self)->body.lost;

	return PyUnicode_FromFormat("{ type: lost, id: 0x%llx, lost: 0x%llx }",
				    (unsigned long long)l->id, (unsigned long long)l->lost);
}

static PyObject *read_repr(PyObject *self)
{
	const struct rec_read *r = &((const struct record *)self)->body.read;

	return PyUnicode_FromFormat("{ type: read, pid: %u, tid: %u }", r->pid, r->tid);
}

static PyObject *sample_repr(PyObject *self)
{
	return PyUnicode_FromString("{ type: sample }");
}

static PyObject *switch_repr(PyObject *self)
{
	const struct record *r = (const struct record *)self;
	const struct rec_switch *s = &r->body.sw;

	if (!s->cpu_wide)
		return PyUnicode_FromFormat("{ type: context_switch, switch_out: %d }", s->out);
	return PyUnicode_FromFormat("{ type: context_switch, next_prev_pid: %u, "
				    "next_prev_tid: %u, switch_out: %d }",
				    s->next_prev_pid, s->next_prev_tid, s->out);
}

/* Fields of tracepoints are attributes of their samples. */
static PyObject *sample_getattr(PyObject *self, PyObject *name)
{
	PyObject *fields = ((struct record *)self)->fields, *v;

	v = fields ? PyDict_GetItemWithError(fields, name) : NULL;
	if (v)
		Py_INCREF(v);
	else if (!PyErr_Occurred())
		v = PyObject_GenericGetAttr(self, name);
	return v;
}

/* ---- types ---- */

#define AT(name, kind, where, doc)                                                                 \
	{                                                                                          \
		name, kind, offsetof(struct record, where), READONLY, doc                          \
	}
#define EVERY_RECORD                                                                               \
	AT("type", T_UINT, type, "type of the record, RECORD_*"),                                  \
		AT("misc", T_UINT, misc, "flags of its header"),                                   \
		AT("sample_ip", T_ULONGLONG, s.ip, "address of the instruction"),                  \
		AT("sample_pid", T_INT, s.pid, "process"),                                         \
		AT("sample_tid", T_INT, s.tid, "thread"),                                          \
		AT("sample_time", T_ULONGLONG, s.time, "time in nanoseconds"),                     \
		AT("sample_addr", T_ULONGLONG, s.addr, "address of the event"),                    \
		AT("sample_id", T_ULONGLONG, s.id, "id of the event"),                             \
		AT("sample_stream_id", T_ULONGLONG, s.stream_id, "id of its descriptor"),          \
		AT("sample_period", T_ULONGLONG, s.period, "what the sample stands for"),          \
		AT("sample_cpu", T_INT, s.cpu, "CPU")

static PyMemberDef mmap_members[] = {
	EVERY_RECORD,
	AT("pid", T_UINT, body.mmap.pid, "process"),
	AT("tid", T_UINT, body.mmap.tid, "thread"),
	AT("start", T_ULONGLONG, body.mmap.start, "first address"),
	AT("len", T_ULONGLONG, body.mmap.len, "bytes"),
	AT("pgoff", T_ULONGLONG, body.mmap.pgoff, "offset in the file"),
	AT("filename", T_OBJECT, text, "what is mapped"),
	{ NULL },
};
static PyMemberDef task_members[] = {
	EVERY_RECORD,
	AT("pid", T_UINT, body.task.pid, "process"),
	AT("ppid", T_UINT, body.task.ppid, "its parent"),
	AT("tid", T_UINT, body.task.tid, "thread"),
	AT("ptid", T_UINT, body.task.ptid, "thread that made it"),
	AT("time", T_ULONGLONG, body.task.time, "time in nanoseconds"),
	{ NULL },
};
static PyMemberDef comm_members[] = {
	EVERY_RECORD,
	AT("pid", T_UINT, body.comm.pid, "process"),
	AT("tid", T_UINT, body.comm.tid, "thread"),
	AT("comm", T_OBJECT, text, "its new name"),
	{ NULL },
};
static PyMemberDef throttle_members[] = {
	EVERY_RECORD,
	AT("time", T_ULONGLONG, body.throttle.time, "time in nanoseconds"),
	AT("id", T_ULONGLONG, body.throttle.id, "id of the event"),
	AT("stream_id", T_ULONGLONG, body.throttle.stream_id, "id of its descriptor"),
	{ NULL },
};
static PyMemberDef lost_members[] = {
	EVERY_RECORD,
	AT("id", T_ULONGLONG, body.lost.id, "id of the event"),
	AT("lost", T_ULONGLONG, body.lost.lost, "number of records that were lost"),
	{ NULL },
};
static PyMemberDef read_members[] = {
	EVERY_RECORD,
	AT("pid", T_UINT, body.read.pid, "process"),
	AT("tid", T_UINT, body.read.tid, "thread"),
	{ NULL },
};
static PyMemberDef sample_members[] = {
	EVERY_RECORD,
	AT("raw_buf", T_OBJECT, raw, "bytes of a tracepoint, or None"),
	{ NULL },
};
static PyMemberDef switch_members[] = {
	EVERY_RECORD,
	AT("next_prev_pid", T_UINT, body.sw.next_prev_pid, "process that comes or was"),
	AT("next_prev_tid", T_UINT, body.sw.next_prev_tid, "thread that comes or was"),
	AT("switch_out", T_BOOL, body.sw.out, "whether the thread leaves the CPU"),
	{ NULL },
};

/* The kinds, in the order of enum pm_kind. */
static const struct kind {
	const char *name, *doc;
	PyMemberDef *members;
	reprfunc repr;
} kinds[PM_NR_KINDS] = {
	[PM_MMAP] = { "perf.mmap_event", "A file was mapped.", mmap_members, mmap_repr },
	[PM_TASK] = { "perf.task_event", "A thread began or ended.", task_members, task_repr },
	[PM_COMM] = { "perf.comm_event", "A thread has a new name.", comm_members, comm_repr },
	[PM_THROTTLE] = { "perf.throttle_event", "The kernel slowed an event down, or let it go.",
			  throttle_members, throttle_repr },
	[PM_LOST] = { "perf.lost_event", "There was no room for records.", lost_members,
		      lost_repr },
	[PM_READ] = { "perf.read_event", "The counts of a thread that has ended.", read_members,
		      read_repr },
	[PM_SAMPLE] = { "perf.sample_event", "A sample.", sample_members, sample_repr },
	[PM_SWITCH] = { "perf.switch_event", "A thread came to a CPU or left it.", switch_members,
			switch_repr },
};

bool pm_records(PyObject *module)
{
	for (int i = 0; i < PM_NR_KINDS; i++) {
		const struct kind *k = &kinds[i];
		PyType_Slot slots[] = { { Py_tp_doc, (void *)k->doc },
					{ Py_tp_new, pm_no_new },
					{ Py_tp_dealloc, record_dealloc },
					{ Py_tp_repr, k->repr },
					{ Py_tp_members, k->members },
					{ i == PM_SAMPLE ? Py_tp_getattro : 0,
					  i == PM_SAMPLE ? sample_getattr : NULL },
					{ 0, NULL } };
		PyType_Spec spec = { k->name, sizeof(struct record), 0, Py_TPFLAGS_DEFAULT, slots };

		if (!pm_add_type(module, &spec, &pm_types.records[i]))
			return false;
	}
	return true;
}

/* ---- records ---- */

/* Return the kind of a type of records; PM_NR_KINDS: it has none. */
static enum pm_kind kind_of(u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return PM_MMAP;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return PM_TASK;
	case PERF_RECORD_COMM:
		return PM_COMM;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return PM_THROTTLE;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return PM_LOST;
	case PERF_RECORD_READ:
		return PM_READ;
	case PERF_RECORD_SAMPLE:
		return PM_SAMPLE;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return PM_SWITCH;
	default:
		return PM_NR_KINDS;
	}
}

bool pm_record_has_kind(u32 type)
{
	return kind_of(type) != PM_NR_KINDS;
}

/* Take what a sample consists of. Return: false with an exception. */
static bool take_sample(struct record *r, const struct tracefmt *tf, const struct evsel *e,
			const void *rec, size_t size)
{
	if (sample_decode(&e->layout, rec, size, &r->s)) {
		PyErr_Format(PyExc_ValueError,
			     "a sample of '%s' is too short for what it has to hold", e->name);
		return false;
	}
	if (!r->s.raw)
		return true;
	r->raw = PyBytes_FromStringAndSize(r->s.raw, (Py_ssize_t)r->s.raw_size);
	r->fields = pm_fields(evsel_format(e, tf), r->s.raw, r->s.raw_size);
	return r->raw && r->fields;
}

/* Take the trailer of a record that is no sample. */
static void take_trailer(struct record *r, const struct evsel *e, const void *rec, size_t size)
{
	struct sample_id id = { .pid = ~0U, .tid = ~0U, .time = ~0ULL, .id = ~0ULL, .cpu = ~0U };

	sample_id_decode(&e->layout, rec, size, &id);
	r->s = (struct sample){ .pid = id.pid,
				.tid = id.tid,
				.time = id.time,
				.id = id.id,
				.stream_id = e->layout.sample_type & PERF_SAMPLE_STREAM_ID
						     ? id.stream_id
						     : ~0ULL,
				.cpu = id.cpu };
}

/* Take the body of a record that is no sample. Return: false with an exception. */
static bool take_body(struct record *r, enum pm_kind kind, const struct evsel *e, const void *rec,
		      size_t size)
{
	const char *text = NULL;

	if (rec_decode(&e->layout, rec, size, &r->body)) {
		PyErr_Format(PyExc_ValueError, "a record of type %u is too short", r->type);
		return false;
	}
	if (kind == PM_MMAP)
		text = r->body.mmap.filename;
	else if (kind == PM_COMM)
		text = r->body.comm.comm;
	r->text = text ? pm_text(text) : NULL;
	return !text || r->text;
}

PyObject *pm_record(const struct tracefmt *tf, const struct evsel *e, const void *rec, size_t size)
{
	const wire_header *hdr = rec;
	enum pm_kind kind = kind_of(hdr->type);
	struct record *r;
	allocfunc alloc;
	bool ok;

	if (kind == PM_NR_KINDS)
		return NULL;
	alloc = (allocfunc)PyType_GetSlot(pm_types.records[kind], Py_tp_alloc);
	r = (struct record *)alloc(pm_types.records[kind], 0);
	if (!r)
		return NULL;
	r->type = hdr->type;
	r->misc = hdr->misc;
	if (kind == PM_SAMPLE) {
		ok = take_sample(r, tf, e, rec, size);
	} else {
		take_trailer(r, e, rec, size);
		ok = take_body(r, kind, e, rec, size);
	}
	if (!ok)
		Py_CLEAR(r);
	return (PyObject *)r;
}
