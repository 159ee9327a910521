// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recording as rows of tables, for scripts that fill databases: those in which
 * perf_db_export_mode is true. There is a function of the script for each table, whose arguments
 * are the columns of a row. A thing has a row, and an id that is counted for its table, when it is
 * first met; other rows name it by that id. 0 is the id of what is not known.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

#define HOST 1 /* the id of the machine, of which there is one */

/* Each of these has ids, and a function of the script for its rows. */
#define KINDS(X)                                                                                   \
	X(evsel)                                                                                   \
	X(machine)                                                                                 \
	X(thread)                                                                                  \
	X(comm)                                                                                    \
	X(comm_thread)                                                                             \
	X(dso)                                                                                     \
	X(symbol)                                                                                  \
	X(call_path)                                                                               \
	X(sample)                                                                                  \
	X(context_switch)                                                                          \
	X(branch_type)

#define KIND(name) KIND_##name,
enum kind { KINDS(KIND) NR_KINDS };
#undef KIND

struct tables {
	PyObject *function[NR_KINDS]; /* owned; NULL: the script has none for that table */
	PyObject *ids[NR_KINDS];      /* owned: dictionaries from what identifies a thing */
	u64 last[NR_KINDS];           /* the last id */
	bool chains;                  /* call chains are wanted */
	bool failed;                  /* an exception was raised: nothing more is done */
};

/* The place of an address. */
struct where {
	u64 dso, symbol, offset;
};

/* ---- rows ---- */

/* Hand a row over. @values: a tuple, which is taken; NULL: making it raised an exception */
static void add_row(struct tables *t, enum kind kind, PyObject *values)
{
	PyObject *result = NULL;

	if (values && !t->failed && t->function[kind]) {
		result = PyObject_CallObject(t->function[kind], values);
		t->failed = !result;
	}
	t->failed = t->failed || !values;
	Py_XDECREF(result);
	Py_XDECREF(values);
}

/*
 * Return the id of a thing, and set *@is_new to whether it gets it now and so needs its row.
 * @key: what identifies it, which is taken; NULL: making it raised an exception
 */
static u64 id_of(struct tables *t, enum kind kind, PyObject *key, bool *is_new)
{
	PyObject *known = key ? PyDict_GetItemWithError(t->ids[kind], key) : NULL, *id = NULL;
	u64 found = 0;

	*is_new = false;
	if (known) {
		found = PyLong_AsUnsignedLongLong(known);
	} else if (key && !PyErr_Occurred()) {
		id = PyLong_FromUnsignedLongLong(t->last[kind] + 1);
		if (id && !PyDict_SetItem(t->ids[kind], key, id)) {
			found = ++t->last[kind];
			*is_new = true;
		}
	}
	t->failed = t->failed || !found;
	Py_XDECREF(id);
	Py_XDECREF(key);
	return found;
}

/* ---- things ---- */

static u64 event_id(struct python *py, const struct evsel *e)
{
	struct tables *t = py->tables;
	bool is_new;
	u64 id = id_of(t, KIND_evsel, PyLong_FromUnsignedLong(e->idx), &is_new);

	if (is_new)
		add_row(t, KIND_evsel, Py_BuildValue("(KN)", id, py_text(py, e->name)));
	return id;
}

static void add_machine(struct tables *t)
{
	bool is_new;

	id_of(t, KIND_machine, PyLong_FromLong(HOST), &is_new);
	if (is_new)
		add_row(t, KIND_machine, Py_BuildValue("(iis)", HOST, -1, ""));
}

/* Return the main thread of the process of a thread. */
static struct thread_at main_of(struct python *py, const struct thread_at *at, u64 time)
{
	struct thread_at main = *at;

	if (at->pid != at->tid)
		py->host->thread_at(py->view->of.machine, at->pid, at->pid, time, &main);
	return main;
}

/* @process: the id of the main thread; 0: it is the main thread itself */
static u64 thread_id(struct tables *t, const struct thread_at *at, u64 process)
{
	bool is_new;
	u64 id = id_of(t, KIND_thread, PyLong_FromUnsignedLong(at->thread), &is_new);

	if (is_new)
		add_row(t, KIND_thread,
			Py_BuildValue("(KiKii)", id, HOST, process ? process : id, (int)at->pid,
				      (int)at->tid));
	return id;
}

/* Return the id of the name that a process has. It is not known whether exec() gave the name. */
static u64 comm_id(struct python *py, const struct thread_at *main, u64 process)
{
	struct tables *t = py->tables;
	bool is_new;
	u64 id = id_of(t, KIND_comm, Py_BuildValue("(KI)", process, main->comm), &is_new);

	if (is_new)
		add_row(t, KIND_comm,
			Py_BuildValue("(KNKKi)", id,
				      py_text(py, py->host->comm(py->view->of.machine, main->comm)),
				      process, main->from, 0));
	return id;
}

/* The ids of a thread and of the name of its process. */
struct who {
	u64 thread, comm;
};

static struct who who_is(struct python *py, const struct thread_at *at, u64 time)
{
	struct tables *t = py->tables;
	struct thread_at main = main_of(py, at, time);
	u64 process = thread_id(t, &main, 0), pair;
	struct who who = { .thread = process };
	bool is_new;

	if (main.thread != at->thread)
		who.thread = thread_id(t, at, process);
	who.comm = comm_id(py, &main, process);
	pair = id_of(t, KIND_comm_thread, Py_BuildValue("(KK)", who.comm, who.thread), &is_new);
	if (is_new)
		add_row(t, KIND_comm_thread, Py_BuildValue("(KKK)", pair, who.comm, who.thread));
	return who;
}

static u64 dso_id(struct python *py, const struct view_place *p)
{
	struct tables *t = py->tables;
	bool is_new;
	u64 id = id_of(t, KIND_dso, PyLong_FromUnsignedLong(p->dso->id), &is_new);

	if (is_new)
		add_row(t, KIND_dso,
			Py_BuildValue("(KiNNs)", id, HOST, py_text(py, p->dso->short_name),
				      py_text(py, p->dso->path), py->host->build_id(py->view, p)));
	return id;
}

/* Code without a symbol has one of its own, named "unknown", at each address. */
static u64 symbol_id(struct python *py, const struct view_place *p, u64 dso)
{
	struct tables *t = py->tables;
	const char *name = p->sym ? p->sym : "unknown";
	u64 start = p->sym ? p->sym_start : p->addr, end = p->sym ? p->sym_end : p->addr, id;
	bool is_new;

	id = id_of(t, KIND_symbol, Py_BuildValue("(KKN)", dso, start, py_text(py, name)), &is_new);
	if (is_new)
		add_row(t, KIND_symbol,
			Py_BuildValue("(KKLLiN)", id, dso, (long long)start, (long long)end,
				      p->sym ? py->host->binding(p) : 0, py_text(py, name)));
	return id;
}

static struct where where_is(struct python *py, const struct view_place *p)
{
	struct where w = { 0 };

	if (!p->dso)
		return w;
	w.dso = dso_id(py, p);
	w.symbol = symbol_id(py, p, w.dso);
	w.offset = p->sym ? p->symoff : 0;
	return w;
}

/* ---- call paths ---- */

/* @ip: of code that is in no object; else 0 */
static u64 path_id(struct tables *t, u64 parent, u64 symbol, u64 ip)
{
	bool is_new;
	u64 id = id_of(t, KIND_call_path, Py_BuildValue("(KKK)", parent, symbol, ip), &is_new);

	if (is_new)
		add_row(t, KIND_call_path,
			Py_BuildValue("(KKKL)", id, parent, symbol, (long long)ip));
	return id;
}

/* Return the path of the call chain of the sample: each path is a function called from another
 * path, and the outermost ones are below one that is no function. Inlined functions are part of the
 * one that they are in. */
static u64 chain_id(struct python *py)
{
	const struct view_place *frames;
	struct tables *t = py->tables;
	size_t nr = 0;
	u64 path;

	if (t->chains && py->view->ev->evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		nr = py->host->frames(py->view, &frames);
	if (!nr)
		return 0;
	path = path_id(t, 0, 0, 0);
	while (nr && !t->failed) {
		const struct view_place *p = &frames[--nr];

		if (!p->inlined)
			path = path_id(t, path, where_is(py, p).symbol, p->dso ? 0 : p->ip);
	}
	return path;
}

/* ---- samples and switches ---- */

static struct where where_sampled(struct python *py, u64 ip)
{
	struct view_place p;

	py->host->place(py->view, py->view->ev->sample->cpumode, ip, &p);
	return where_is(py, &p);
}

/* Return the verdict after rows were handed over. */
static int done(struct python *py, struct err *err)
{
	return py->tables->failed ? py_failed(py, err) : SCRIPT_GO_ON;
}

int py_tables_sample(struct python *py, struct err *err)
{
	const struct session_event *ev = py->view->ev;
	const struct sample *s = ev->sample;
	struct tables *t = py->tables;
	u64 event = event_id(py, ev->evsel), path;
	struct where at = { 0 }, to = { 0 };
	u64 to_ip = 0;
	struct who who;

	add_machine(t);
	who = who_is(py, py->view->at, s->time);
	at = where_sampled(py, s->ip);
	path = chain_id(py);
	if (py->host->addr_is_place(ev->evsel)) {
		to_ip = s->addr;
		to = where_sampled(py, to_ip);
	}
	add_row(t, KIND_sample,
		Py_BuildValue("(KKiKKKKKLKiKKKLKKKKiiKiii)", ++t->last[KIND_sample], event, HOST,
			      who.thread, who.comm, at.dso, at.symbol, at.offset, (long long)s->ip,
			      s->time, (int)s->cpu, to.dso, to.symbol, to.offset, (long long)to_ip,
			      s->period, s->weight, s->transaction, view_data_src(py->view), 0, 0,
			      path, 0, 0, 0));
	return done(py, err);
}

/* The idle task and threads that are not told have no row. */
static struct who other_of(struct python *py, const struct session_event *ev,
			   const struct rec_switch *sw)
{
	struct thread_at at;

	if (!sw->cpu_wide || !sw->next_prev_tid)
		return (struct who){ 0 };
	py->host->thread_at(py->view->of.machine, sw->next_prev_pid, sw->next_prev_tid, ev->id.time,
			    &at);
	return who_is(py, &at, ev->id.time);
}

int py_tables_switch(struct python *py, const struct session_event *ev, const struct rec_switch *sw,
		     struct err *err)
{
	struct tables *t = py->tables;
	struct thread_at at;
	struct who one = { 0 }, other;

	if (!py_tables_want_switches(py))
		return SCRIPT_GO_ON;
	add_machine(t);
	if (ev->id.tid) {
		py->host->thread_at(py->view->of.machine, ev->id.pid, ev->id.tid, ev->id.time, &at);
		one = who_is(py, &at, ev->id.time);
	}
	other = other_of(py, ev, sw);
	add_row(t, KIND_context_switch,
		Py_BuildValue("(KiKiKKKKi)", ++t->last[KIND_context_switch], HOST, ev->id.time,
			      (int)ev->id.cpu, sw->out ? one.thread : other.thread,
			      sw->out ? one.comm : other.comm, sw->out ? other.thread : one.thread,
			      sw->out ? other.comm : one.comm,
			      sw->out | (sw->out && sw->preempt) << 1));
	return done(py, err);
}

bool py_tables_want_switches(const struct python *py)
{
	return py->tables && py->tables->function[KIND_context_switch];
}

/* ---- start and end ---- */

/* Add the names of the branches of traces. Each may also begin or end a trace. */
static void add_branch_types(struct tables *t)
{
	static const struct {
		int flags;
		const char *name;
	} types[] = {
		{ 0, "no branch" },
		{ 1, "unconditional jump" },
		{ 3, "call" },
		{ 5, "return" },
		{ 9, "conditional jump" },
		{ 19, "system call" },
		{ 21, "return from system call" },
		{ 33, "asynchronous branch" },
		{ 67, "software interrupt" },
		{ 69, "return from interrupt" },
		{ 99, "hardware interrupt" },
		{ 129, "transaction abort" },
		{ 2051, "vm entry" },
		{ 4099, "vm exit" },
	};
	enum { BEGIN = 256, END = 512 };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		int flags = types[i].flags;
		bool plain = flags == 1;

		add_row(t, KIND_branch_type, Py_BuildValue("(is)", flags, types[i].name));
		add_row(t, KIND_branch_type,
			Py_BuildValue("(iN)", flags | BEGIN,
				      PyUnicode_FromFormat("trace begin%s%s", plain ? "" : " / ",
							   plain ? "" : types[i].name)));
		add_row(t, KIND_branch_type,
			Py_BuildValue("(iN)", flags | END,
				      PyUnicode_FromFormat("%s%strace end",
							   plain ? "" : types[i].name,
							   plain ? "" : " / ")));
	}
}

/* Tell whether a variable of the script is true. */
static bool is_set(const struct python *py, const char *name)
{
	PyObject *v = PyDict_GetItemString(py->globals, name);

	return v && PyObject_IsTrue(v) == 1;
}

int py_tables_begin(struct python *py, struct err *err)
{
	static const char *const names[] = {
#define KIND(name) #name "_table",
		KINDS(KIND)
#undef KIND
	};
	struct tables *t;

	if (!is_set(py, "perf_db_export_mode"))
		return SCRIPT_GO_ON;
	t = py->tables = calloc(1, sizeof(*t));
	if (!t) {
		PyErr_NoMemory();
		return py_failed(py, err);
	}
	t->chains = is_set(py, "perf_db_export_callchains");
	for (size_t i = 0; i < NR_KINDS; i++) {
		t->function[i] = py_function(py, names[i]);
		t->ids[i] = PyDict_New();
		t->failed = t->failed || !t->ids[i] || PyErr_Occurred();
	}
	add_branch_types(t);
	return done(py, err);
}

void py_tables_end(struct python *py)
{
	for (size_t i = 0; py->tables && i < NR_KINDS; i++) {
		Py_XDECREF(py->tables->function[i]);
		Py_XDECREF(py->tables->ids[i]);
	}
	free(py->tables);
	py->tables = NULL;
}
