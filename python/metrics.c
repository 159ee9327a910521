// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics: which there are, the events that they need, and their values. */
#include "python/module.h"

#include "arch/arch.h"
#include "arch/cpuid.h"
#include "base/alloc.h"
#include "metric/metric.h"

#include <math.h>

/* The metrics of a list of events, and where their definitions live. */
struct pm_metrics {
	struct event_sources sources;
	struct metric_set set;
	char *cpuid; /* owned */
};

void pm_metrics_free(struct pm_metrics *m)
{
	if (!m)
		return;
	metric_set_release(&m->set);
	event_sources_release(&m->sources);
	free(m->cpuid);
	free(m);
}

/* ---- which there are ---- */

/* Return the names of a text "one;two" as a list. */
static PyObject *groups_of(const char *text)
{
	PyObject *list = PyList_New(0);

	while (list && text && *text) {
		size_t len = strcspn(text, ";");

		if (len)
			pm_append(&list, PyUnicode_FromStringAndSize(text, (Py_ssize_t)len));
		text += len + (text[len] == ';');
	}
	return list;
}

static PyObject *describe(const struct vendor_metric *m)
{
	const struct {
		const char *key, *text;
	} members[] = {
		{ "MetricName", m->name },
		{ "MetricExpr", m->expr },
		{ "BriefDescription", m->desc },
		{ "PublicDescription", m->long_desc },
		{ "MetricThreshold", m->threshold },
		{ "ScaleUnit", m->unit },
		{ "PMU", m->pmu },
		{ "Compat", m->compat },
	};
	PyObject *dict = PyDict_New();

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].text)
			pm_set(&dict, members[i].key, pm_text(members[i].text));
	pm_set(&dict, "MetricGroup", groups_of(m->groups));
	return dict;
}

static int add_description(void *ctx, const struct vendor_metric *m)
{
	PyObject **list = ctx;

	pm_append(list, describe(m));
	return *list ? 0 : -1;
}

PyObject *pm_list_metrics(PyObject *self, PyObject *none)
{
	struct event_sources sources;
	PyObject *list;

	if (!pm_sources_init(&sources))
		return NULL;
	list = PyList_New(0);
	if (list)
		metric_each(event_sources_table(&sources), add_description, &list);
	if (list && sources.later_err.code) {
		Py_CLEAR(list);
		pm_error(&sources.later_err);
	}
	event_sources_release(&sources);
	return list;
}

/* ---- their events ---- */

/* Tell whether a metric is one of a PMU. */
static bool is_of(const struct vendor_metric *m, const char *pmu)
{
	return m->pmu ? !strcmp(m->pmu, pmu) : arch_core_pmu(pmu);
}

static void keep_pmu(struct metric_set *set, const char *pmu)
{
	size_t nr = 0;

	for (size_t i = 0; i < set->nr; i++)
		if (is_of(set->v[i].def, pmu))
			set->v[nr++] = set->v[i];
	set->nr = nr;
}

/* Find metrics, and append their events to a list. Return: false with an exception. */
static bool find_events(struct pm_metrics *m, const char *names, const char *pmu, struct evlist *l)
{
	static const struct metric_options usual;
	const struct metric_env env = { .parse = &m->sources.env,
					.table = event_sources_table(&m->sources),
					.cpuid = m->cpuid };
	const struct count_opts counting = { .no_inherit = true };
	struct err err = { 0 };

	if (metric_set_add(&m->set, names, &env, &usual, &err)) {
		PyErr_SetString(PyExc_ValueError, err.msg);
		return false;
	}
	if (pmu)
		keep_pmu(&m->set, pmu);
	if (!m->set.nr) {
		PyErr_Format(PyExc_ValueError, "no metric of '%s' can be measured here%s%s", names,
			     pmu ? " by the PMU " : "", pmu ? pmu : "");
		return false;
	}
	if (metric_set_events(&m->set, l, &env, &usual, &err)) {
		PyErr_SetString(PyExc_ValueError, err.msg);
		return false;
	}
	evlist_configure_counting(l, &counting);
	return true;
}

static struct pm_metrics *metrics_new(void)
{
	struct pm_metrics *m = xcalloc(1, sizeof(*m));
	char *text;

	if (!pm_sources_init(&m->sources)) {
		free(m);
		return NULL;
	}
	text = m->sources.cpuid ? NULL : cpuid_text(&pm_machine);
	m->cpuid = cpuid_table_text(text ? text : m->sources.cpuid ? m->sources.cpuid : "");
	free(text);
	return m;
}

PyObject *pm_parse_metrics(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "metrics", "pmu", "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL;
	const char *names, *pmu = NULL;
	struct pm_evlist *l;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|zOO:parse_metrics", keywords, &names,
					 &pmu, &cpus, &threads))
		return NULL;
	l = pm_evlist_new();
	if (!l)
		return NULL;
	l->metrics = metrics_new();
	if (!l->metrics || !pm_evlist_targets(l, cpus, threads) ||
	    !find_events(l->metrics, names, pmu, &l->list))
		Py_CLEAR(l);
	return (PyObject *)l;
}

PyObject *pm_evlist_metrics(PyObject *self, PyObject *none)
{
	const struct pm_metrics *m = ((struct pm_evlist *)self)->metrics;
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && m && i < m->set.nr; i++)
		pm_append(&list, pm_text(m->set.v[i].name));
	return list;
}

/* ---- their values ---- */

struct counted {
	const struct evlist *l;
	const struct pm_count *v;
};

/* Return a count as metrics want it, scaled up when the event shared its counter; NaN: none. */
static double value_of(const struct evsel *e, const struct pm_count *c)
{
	double v = (double)c->v.val;

	if (!c->there || !c->v.running)
		return NAN;
	if (e->tool)
		return v / 1e9;
	if (c->v.running < c->v.enabled)
		v *= (double)c->v.enabled / (double)c->v.running;
	/* Metrics take clocks in nanoseconds, as the kernel counts them. */
	return e->scale != 0 && !evsel_is_clock(e) ? v * e->scale : v;
}

static double use_value(void *ctx, const struct metric_use *use, u32 *sources)
{
	const struct counted *c = ctx;
	double sum = 0;

	*sources = 0;
	for (u32 i = use->first; i < use->first + use->nr; i++) {
		double v = value_of(c->l->evsels[i], &c->v[i]);

		if (isnan(v))
			continue;
		sum += v;
		++*sources;
	}
	return *sources ? sum : NAN;
}

static const struct metric *find(const struct pm_metrics *m, const char *name)
{
	for (size_t i = 0; m && i < m->set.nr; i++)
		if (!strcasecmp(m->set.v[i].name, name))
			return &m->set.v[i];
	PyErr_Format(
		PyExc_ValueError,
		"the list does not measure '%s': make it by parse_metrics(), and see metrics()",
		name);
	return NULL;
}

PyObject *pm_compute_metric(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *keywords[] = { "metric", "cpu", "thread", NULL };
	struct pm_evlist *l = (struct pm_evlist *)self;
	struct counted counted = { .l = &l->list };
	const struct metric *m;
	struct pm_count *all;
	const char *name;
	double value;
	int cpu, tid;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sii:compute_metric", keywords, &name, &cpu,
					 &tid))
		return NULL;
	m = find(l->metrics, name);
	all = m ? pm_read_counts(l, cpu, tid) : NULL;
	if (!all)
		return NULL;
	counted.v = all;
	value = metric_value(m, use_value, &counted, NULL) * m->factor;
	free(all);
	return PyFloat_FromDouble(value);
}
