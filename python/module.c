// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of the module, and the functions that belong to no type. */
#include "python/module.h"

#include "base/strbuf.h"

#include "perf-version.h"

struct pm_types pm_types;
const struct sysroot pm_machine = { .prefix = "" };

static PyObject *tracepoint(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "sys", "name", NULL };
	const char *sys, *name;
	struct err err = { 0 };
	u64 id = 0;
	int ret;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ss:tracepoint", keywords, &sys, &name))
		return NULL;
	ret = sysroot_read_u64(&pm_machine, &id, "%s/events/%s/%s/id", tracefs_path(&pm_machine),
			       sys, name);
	if (!ret)
		return PyLong_FromUnsignedLongLong(id);
	err_set(&err, ret,
		"cannot find tracepoint '%s:%s': %s; `perf list tracepoint` shows which there are",
		sys, name, err_str(ret));
	return pm_error(&err);
}

/* Raise what is wrong with a text of events. */
static void raise_parse_error(const struct parse_error *pe, const char *text)
{
	struct strbuf message = STRBUF_INIT;

	parse_error_format(pe, text, 80, &message);
	PyErr_SetString(PyExc_ValueError, strbuf_str(&message));
	strbuf_release(&message);
}

/* Append the events of a text to a list, set up for counting. Return: false with an exception. */
static bool add_events(struct evlist *l, const char *text)
{
	const struct count_opts counting = { .no_inherit = true };
	struct event_sources sources;
	struct parse_error pe = { 0 };
	int ret;

	if (!pm_sources_init(&sources))
		return false;
	ret = parse_events(l, text, &sources.env, &pe);
	event_sources_release(&sources);
	if (ret) {
		raise_parse_error(&pe, text);
		return false;
	}
	evlist_configure_counting(l, &counting);
	return true;
}

static PyObject *parse(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "events", "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL;
	struct pm_evlist *l;
	const char *text;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO:parse_events", keywords, &text, &cpus,
					 &threads))
		return NULL;
	l = pm_evlist_new();
	if (l && (!pm_evlist_targets(l, cpus, threads) || !add_events(&l->list, text)))
		Py_CLEAR(l);
	return (PyObject *)l;
}

__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit_perf(void);

PyMODINIT_FUNC PyInit_perf(void)
{
	static PyMethodDef functions[] = {
		{ "tracepoint", WITH_KEYWORDS(tracepoint),
		  "tracepoint(sys, name)\n\nReturn the config of a tracepoint." },
		{ "parse_events", WITH_KEYWORDS(parse),
		  "parse_events(events, cpus=None, threads=None)\n\nReturn an evlist of the events of a text, as of perf stat -e." },
		{ "pmus", pm_list_pmus, METH_NOARGS, "Return the PMUs of this machine." },
		{ "metrics", pm_list_metrics, METH_NOARGS,
		  "Return the metrics that are known, as dictionaries." },
		{ "parse_metrics", WITH_KEYWORDS(pm_parse_metrics),
		  "parse_metrics(metrics, pmu=None, cpus=None, threads=None)\n\nReturn an evlist of the events that metrics need, as of perf stat -M." },
		{ "config_get", WITH_KEYWORDS(pm_config_get),
		  "config_get(name)\n\nReturn the value of a variable of the configuration, or None." },
		{ "syscall_name", WITH_KEYWORDS(pm_syscall_name),
		  "syscall_name(id, *, elf_machine=0)\n\nReturn the name of a system call, or None." },
		{ "syscall_id", WITH_KEYWORDS(pm_syscall_id),
		  "syscall_id(name, *, elf_machine=0)\n\nReturn the number of a system call." },
		{ NULL }
	};
	static struct PyModuleDef definition = {
		PyModuleDef_HEAD_INIT,
		.m_name = "perf",
		.m_doc = "Performance events of Linux: counts, records as they come, recordings.",
		.m_size = -1,
		.m_methods = functions,
	};
	PyObject *m = PyModule_Create(&definition);

	if (m && (PyModule_AddStringConstant(m, "__version__", PERF_VERSION) || !pm_constants(m) ||
		  !pm_maps(m) || !pm_evsels(m) || !pm_evlists(m) || !pm_counts_values(m) ||
		  !pm_records(m) || !pm_pmus(m) || !pm_datas(m) || !pm_lives(m)))
		Py_CLEAR(m);
	return m;
}
