// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of tracepoints: their formats from the running kernel, and their fields as values. */
#include "python/module.h"

#include "events/catalog.h"
#include "events/parse.h"
#include "tracefmt/printable.h"
#include "tracefmt/tracefmt.h"

/* Return the name of the tracepoint with an id, which the caller frees; NULL: there is none. */
static char *name_of(u64 id)
{
	struct catalog all = { 0 };
	struct err err = { 0 };
	char *name = NULL;

	catalog_tracepoints(&all, &pm_machine, &err);
	for (size_t i = 0; !name && i < all.nr; i++) {
		const char *full = all.v[i].name, *colon = strchr(full, ':');
		u64 is = 0;

		if (colon &&
		    !sysroot_read_u64(&pm_machine, &is, "%s/events/%.*s/%s/id",
				      tracefs_path(&pm_machine), (int)(colon - full), full,
				      colon + 1) &&
		    is == id)
			name = strdup(full);
	}
	catalog_release(&all);
	return name;
}

static void load_format(struct tracefmt *tf, struct evsel *e)
{
	char *name = e->tp_name ? strdup(e->tp_name) : name_of(e->attr.config);
	char *colon = name ? strchr(name, ':') : NULL;
	struct err err = { 0 };

	if (colon) {
		*colon = '\0';
		tracefmt_load(tf, &pm_machine, name, colon + 1, &err);
	}
	free(name);
}

void pm_formats(struct pm_evlist *l)
{
	for (size_t i = 0; i < l->list.nr; i++) {
		struct evsel *e = l->list.evsels[i];

		if (!evsel_is_tracepoint(e) || !(e->attr.sample_type & PERF_SAMPLE_RAW))
			continue;
		if (!l->tf)
			l->tf = tracefmt_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, sizeof(long));
		if (!tracefmt_event(l->tf, (u32)e->attr.config))
			load_format(l->tf, e);
	}
}

static PyObject *value_of(const struct tf_event *tf, const struct tf_field *f, const void *raw,
			  size_t size)
{
	const void *data;
	size_t len = 0;
	ssize_t text;
	u64 v = 0;

	if (!(f->flags & TF_ARRAY)) {
		tf_field_int(tf, f, raw, size, &v);
		return f->flags & TF_SIGNED ? PyLong_FromLongLong((s64)v)
					    : PyLong_FromUnsignedLongLong(v);
	}
	data = tf_field_data(tf, f, raw, size, &len);
	if (!data)
		len = 0;
	text = f->flags & TF_STRING ? tf_printable(data, len) : -1;
	if (text >= 0)
		return PyUnicode_FromStringAndSize(data, text);
	return PyBytes_FromStringAndSize(data, (Py_ssize_t)len);
}

PyObject *pm_fields(const struct tf_event *tf, const void *raw, size_t size)
{
	PyObject *fields = PyDict_New();

	for (u32 i = 0; fields && tf && i < tf->nr_fields; i++) {
		pm_set(&fields, tf->fields[i].name, value_of(tf, &tf->fields[i], raw, size));
	}
	return fields;
}
