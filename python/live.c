// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Live sessions: samples are read, and their places looked up, while they are taken. A thread reads
 * the rings as `perf top` does and puts records in the order of time. It and the program take
 * turns: what the thread has read since its last turn is one part, which the program is handed out
 * while the thread stands still, so that neither changes what the other looks at.
 */
#include "python/samples.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "live/live.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* Signals are heard of, and a ring that is not half full yet is read, so often. */
#define ROUND_MS 100

struct live {
	PyObject_HEAD struct pm_evlist *events; /* owned reference */
	struct recording_options options;
	struct recording recording;
	struct data_reader reader;
	struct strbuf before; /* records of what ran already */
	struct pollfd *fds;   /* owned; -1: its thread has ended */
	size_t nr_fds, nr_running;
	size_t pages;            /* of a ring */
	u64 ns;                  /* the time after which the session ends; 0: none */
	u64 until;               /* the same on the clock */
	struct pm_samples *part; /* owned; NULL: none was read yet */
	size_t at;               /* the next one of it */
	bool open, waiting;      /* waiting: a thread of the program is in its turn's end */
	/* Both threads look at these members, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool thread_turn, stop, ended;
	/* The thread. */
	pthread_t thread;
	pid_t pid; /* the process that it belongs to */
	bool running;
	int result;
	struct err err;
};

/* ---- the thread ---- */

/* Wait for the next turn of the thread. Return: whether to go on. */
static bool wait_for_turn(struct live *l)
{
	bool go_on;

	pthread_mutex_lock(&l->lock);
	while (!l->thread_turn && !l->stop)
		pthread_cond_wait(&l->changed, &l->lock);
	go_on = !l->stop;
	pthread_mutex_unlock(&l->lock);
	return go_on;
}

static void end_turn(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->thread_turn = false;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
}

/* A descriptor hangs up when its thread has ended. */
static void wait_for_records(struct live *l, int ms)
{
	if (poll(l->fds, l->nr_fds, ms) <= 0)
		return;
	for (size_t i = 0; i < l->nr_fds; i++)
		if (l->fds[i].fd >= 0 && l->fds[i].revents & (POLLHUP | POLLERR)) {
			l->fds[i].fd = -1;
			l->nr_running--;
		}
}

static int on_round(void *ctx, struct err *err)
{
	struct live *l = ctx;
	u64 now = clock_ns(CLOCK_MONOTONIC);
	int ms = ROUND_MS;

	if (l->until)
		ms = now >= l->until ? 0 : (int)MIN((l->until - now) / 1000000 + 1, ROUND_MS);
	/* The program comes first when there is something for it. */
	wait_for_records(l, l->reader.out.nr || l->reader.out.nr_order ? 0 : ms);
	end_turn(l);
	return wait_for_turn(l) && l->nr_running && !(l->until && now >= l->until);
}

static void *run(void *ctx)
{
	struct live *l = ctx;
	int ret = wait_for_turn(l) ? data_read(&l->reader, &l->err) : 0;

	pthread_mutex_lock(&l->lock);
	l->result = ret;
	l->ended = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* ---- start and end ---- */

static bool describe_what_runs(struct live *l)
{
	const struct pm_evlist *events = l->events;
	const struct live_state state = { .sysroot = &pm_machine,
					  .layout = &evlist_side_band(&events->list)->layout,
					  .tids = &events->tids };
	const struct live_state all = { .sysroot = &pm_machine, .layout = state.layout };
	bool everything = events->tids.nr == 1 && events->tids.v[0] < 0;
	struct err err = { 0 };
	int ret;

	Py_BEGIN_ALLOW_THREADS;
	ret = live_before(everything ? &all : &state, &l->before, &err);
	Py_END_ALLOW_THREADS;
	if (!ret)
		return true;
	pm_error(&err);
	return false;
}

static bool open_recording(struct live *l)
{
	const struct live_conf conf = {
		.rings = &l->events->rings, .before = &l->before, .wait = on_round, .ctx = l
	};
	struct err err = { 0 };

	recording_open_source(&l->recording, &l->options, NULL, live_source_new(&conf), "the rings",
			      &l->events->list);
	l->open = true;
	live_describe(l->recording.session.file, &pm_machine);
	recording_symbols(&l->recording);
	if (!recording_prepare(&l->recording, &err))
		return true;
	pm_error(&err);
	return false;
}

static void watch(struct live *l)
{
	const struct rings *r = &l->events->rings;

	l->nr_fds = l->nr_running = r->nr;
	l->fds = xcalloc(r->nr, sizeof(*l->fds));
	for (size_t i = 0; i < r->nr; i++)
		l->fds[i] = (struct pollfd){ .fd = r->v[i].fd, .events = POLLIN };
}

/* Signals are for the threads of the program. */
static bool start_thread(struct live *l)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&l->thread, NULL, run, l);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	l->running = !ret;
	l->pid = getpid();
	if (ret)
		PyErr_Format(PyExc_OSError, "no thread to read records: %s", err_str(-ret));
	return !ret;
}

/* End the session; what was read of it remains. */
static void finish(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->stop = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
	/* A fork of the program has no such thread. */
	if (l->running && l->pid == getpid()) {
		Py_BEGIN_ALLOW_THREADS;
		pthread_join(l->thread, NULL);
		Py_END_ALLOW_THREADS;
	}
	l->running = false;
	if (l->events->taken) {
		pm_evlist_close(l->events);
		l->events->taken = false;
	}
}

/*
 * The thread is there before the events are, which it would inherit in a program that samples
 * itself. The events count before it is looked what runs, so that nothing is missed in between.
 */
static bool start(struct live *l)
{
	struct pm_evlist *events = l->events;

	if (l->stop) {
		PyErr_SetString(PyExc_ValueError, "the session has ended: make another one");
		return false;
	}
	if (events->opened.nr) {
		PyErr_SetString(PyExc_ValueError,
				"the events are open: a live session opens them itself");
		return false;
	}
	if (!events->sampling)
		pm_evlist_sampling(events, 4000, 0, false);
	if (!start_thread(l) || !pm_evlist_open(events))
		return false;
	events->taken = true;
	if (!pm_evlist_map(events, l->pages))
		return false;
	pm_evlist_enable(events, true);
	l->reader.tf = events->tf;
	l->until = l->ns ? clock_ns(CLOCK_MONOTONIC) + l->ns : 0;
	watch(l);
	return describe_what_runs(l) && open_recording(l);
}

static bool start_once(struct live *l)
{
	if (l->running || l->part)
		return true;
	if (start(l))
		return true;
	finish(l);
	return false;
}

/* ---- the program ---- */

static PyObject *live_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "events", "timeout", "pages", "all", "srcline", NULL };
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	PyObject *events, *timeout = Py_None;
	int pages = 128, all = 0, lines = 0;
	double seconds = 0;
	struct live *l;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|O$ipp:LiveSession", keywords,
					 pm_types.evlist, &events, &timeout, &pages, &all, &lines))
		return NULL;
	if (timeout != Py_None)
		seconds = PyFloat_AsDouble(timeout);
	if (PyErr_Occurred())
		return NULL;
	if (pages <= 0 || pages & (pages - 1) || !(seconds >= 0 && seconds < 1e9) ||
	    (timeout != Py_None && seconds <= 0))
		return PyErr_Format(
			PyExc_ValueError,
			"a session takes seconds, more than 0, and pages, a power of two");
	l = (struct live *)alloc(type, 0);
	if (!l)
		return NULL;
	Py_INCREF(events);
	l->events = (struct pm_evlist *)events;
	l->pages = (size_t)pages;
	l->ns = (u64)(seconds * 1e9);
	l->options = (struct recording_options){ .buildid_dir = getenv("PERF_BUILDID_DIR") };
	l->reader = (struct data_reader){ .r = &l->recording,
					  .others = all ? pm_record_has_kind : NULL,
					  .lines = lines };
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->changed, NULL);
	return (PyObject *)l;
}

static void live_dealloc(PyObject *self)
{
	struct live *l = (struct live *)self;

	finish(l);
	Py_XDECREF(l->part);
	data_reader_release(&l->reader);
	if (l->open)
		recording_close(&l->recording);
	strbuf_release(&l->before);
	free(l->fds);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->changed);
	Py_DECREF(l->events);
	pm_free(self);
}

/* Give the thread a turn, and take what it has read. Return: false at the end, with an exception
 * when it is none that was wanted. */
static bool take_part(struct live *l)
{
	struct pm_samples *part, *last = l->part;
	bool ended;

	l->waiting = true;
	Py_BEGIN_ALLOW_THREADS;
	pthread_mutex_lock(&l->lock);
	l->thread_turn = true;
	pthread_cond_broadcast(&l->changed);
	while (l->thread_turn && !l->ended)
		pthread_cond_wait(&l->changed, &l->lock);
	ended = l->ended;
	pthread_mutex_unlock(&l->lock);
	Py_END_ALLOW_THREADS;
	l->waiting = false;
	part = PyErr_CheckSignals() ? NULL : pm_samples_new((PyObject *)l, &l->reader);
	if (!part)
		return false;
	l->part = part;
	l->at = 0;
	Py_XDECREF(last);
	if (!ended || pm_samples_nr(part))
		return true;
	finish(l);
	if (l->result)
		pm_error(&l->err);
	return false;
}

static PyObject *live_next(PyObject *self)
{
	struct live *l = (struct live *)self;

	if (l->waiting) {
		PyErr_SetString(PyExc_RuntimeError, "another thread waits for a sample");
		return NULL;
	}
	if (!start_once(l))
		return NULL;
	while (!l->part || l->at == pm_samples_nr(l->part))
		if (!take_part(l))
			return NULL;
	return pm_samples_get(l->part, l->at++);
}

static PyObject *live_self(PyObject *self)
{
	Py_INCREF(self);
	return self;
}

static PyObject *live_enter(PyObject *self, PyObject *none)
{
	return start_once((struct live *)self) ? live_self(self) : NULL;
}

static PyObject *live_stop(PyObject *self, PyObject *none)
{
	struct live *l = (struct live *)self;

	pthread_mutex_lock(&l->lock);
	l->stop = true;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
	Py_RETURN_NONE;
}

static PyObject *live_close(PyObject *self, PyObject *none)
{
	finish((struct live *)self);
	Py_RETURN_NONE;
}

static PyObject *live_exit(PyObject *self, PyObject *exception)
{
	return live_close(self, NULL);
}

static PyObject *live_lost(PyObject *self, void *closure)
{
	return PyLong_FromUnsignedLongLong(((struct live *)self)->reader.lost);
}

bool pm_lives(PyObject *module)
{
	static PyMethodDef methods[] = {
		{ "stop", live_stop, METH_NOARGS,
		  "End the session: the iteration ends with what was read." },
		{ "close", live_close, METH_NOARGS, "End the session, and close its events." },
		{ "__enter__", live_enter, METH_NOARGS, "Open the events, and begin to sample." },
		{ "__exit__", live_exit, METH_VARARGS, "Do what close() does." },
		{ NULL }
	};
	static PyGetSetDef members[] = { { "lost", live_lost, NULL,
					   "number of samples that there was no room for", NULL },
					 { NULL } };
	static PyType_Slot slots[] = {
		{ Py_tp_doc,
		  "LiveSession(events, timeout=None, *, pages=128, all=False, srcline=False)\n\nSamples of an evlist while they are taken, in the order of time, until the timeout (seconds), stop(), or the end of the threads." },
		{ Py_tp_new, live_new },
		{ Py_tp_dealloc, live_dealloc },
		{ Py_tp_iter, live_self },
		{ Py_tp_iternext, live_next },
		{ Py_tp_getset, members },
		{ Py_tp_methods, methods },
		{ 0, NULL }
	};
	static PyType_Spec spec = { "perf.LiveSession", sizeof(struct live), 0, Py_TPFLAGS_DEFAULT,
				    slots };

	return pm_add_type(module, &spec, &pm_types.live);
}
