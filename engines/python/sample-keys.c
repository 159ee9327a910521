// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of a sample by name, as process_event() gets them. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engines/python/python-internal.h"

struct key {
	const char *name;
	/* Make the value; NULL without an exception: there is none. */
	PyObject *(*value)(struct python *py, const struct sample *s, const struct key *key);
	u16 at;  /* of numbers: offset in struct sample */
	u8 size; /* and bytes there */
	bool sign;
};

static u64 sample_type(const struct python *py)
{
	return py->view->ev->evsel->attr.sample_type;
}

/* ---- numbers ---- */

#define AT(member) offsetof(struct sample, member), sizeof(((struct sample *)NULL)->member)

static PyObject *number(struct python *py, const struct sample *s, const struct key *key)
{
	const u8 *p = (const u8 *)s + key->at;
	u64 v = 0;

	memcpy(&v, p, key->size); /* the low bytes come first, or there is just one size */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v >>= 8 * (8 - key->size);
#endif
	if (key->sign)
		return PyLong_FromLong((s32)v);
	return PyLong_FromUnsignedLongLong(v);
}

/* Decode what the sample has read of its counters; without that it is one counter with nothing. */
static void read_group(struct python *py, const struct sample *s, struct wire_read *r)
{
	static const u64 nothing[3];
	u64 format = py->view->ev->evsel->attr.read_format;

	if (s->read && !py->host->read_init(r, format, s->read, s->read_size))
		return;
	format &= PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_GROUP;
	*r = (struct wire_read){ .format = format };
	if (!(format & PERF_FORMAT_GROUP))
		py->host->read_init(r, format, nothing, sizeof(nothing));
}

/* A list of (id, value), or (id, value, lost), of each event. */
static PyObject *read_values(struct python *py, const struct sample *s, const struct key *key)
{
	PyObject *list = PyList_New(0);
	struct wire_read r;

	read_group(py, s, &r);
	for (u64 i = 0; list && i < r.nr; i++) {
		u64 id, lost, v = py->host->read_value(&r, i, &id, &lost);
		PyObject *value = Py_BuildValue(r.format & PERF_FORMAT_LOST ? "(KKK)" : "(KK)",
						(unsigned long long)id, (unsigned long long)v,
						(unsigned long long)lost);

		if (!value || PyList_Append(list, value))
			Py_CLEAR(list);
		Py_XDECREF(value);
	}
	return list;
}

/* A time of the counters; key->at says which. */
static PyObject *read_time(struct python *py, const struct sample *s, const struct key *key)
{
	struct wire_read r;

	if (!(py->view->ev->evsel->attr.read_format & key->at))
		return NULL;
	read_group(py, s, &r);
	return PyLong_FromUnsignedLongLong(key->at == PERF_FORMAT_TOTAL_TIME_ENABLED ? r.enabled
										     : r.running);
}

static PyObject *data_src(struct python *py, const struct sample *s, const struct key *key)
{
	return PyLong_FromUnsignedLongLong(view_data_src(py->view));
}

static PyObject *data_src_text(struct python *py, const struct sample *s, const struct key *key)
{
	return PyUnicode_FromString(py->host->text(py->view, VIEW_DATA_SRC));
}

static const struct guest_id *guest_of(const struct python *py, const struct sample *s)
{
	return py->host->guest(&py->view->of.session->guests, s->id);
}

static PyObject *machine_pid(struct python *py, const struct sample *s, const struct key *key)
{
	const struct guest_id *guest = guest_of(py, s);

	return guest ? PyLong_FromUnsignedLong(guest->pid) : NULL;
}

static PyObject *vcpu(struct python *py, const struct sample *s, const struct key *key)
{
	const struct guest_id *guest = guest_of(py, s);

	return guest ? PyLong_FromLong(guest->vcpu) : NULL;
}

/* ---- the event ---- */

static PyObject *sample_dict(struct python *py, const struct sample *s, const struct key *key)
{
	return py_lazy(py, PY_SAMPLE);
}

static PyObject *event_name(struct python *py, const struct sample *s, const struct key *key)
{
	struct py_event *pe = py_event_of(py, py->view->ev->evsel);

	Py_XINCREF(pe ? pe->name : NULL);
	return pe ? pe->name : NULL;
}

static PyObject *attr_bytes(struct python *py, const struct sample *s, const struct key *key)
{
	struct py_event *pe = py_event_of(py, py->view->ev->evsel);

	Py_XINCREF(pe ? pe->attr : NULL);
	return pe ? pe->attr : NULL;
}

static PyObject *raw_bytes(struct python *py, const struct sample *s, const struct key *key)
{
	return PyBytes_FromStringAndSize(s->raw, s->raw ? s->raw_size : 0);
}

static PyObject *comm(struct python *py, const struct sample *s, const struct key *key)
{
	return py_text(py, py->host->comm(py->view->of.machine, py->view->at->comm));
}

static PyObject *cgroup(struct python *py, const struct sample *s, const struct key *key)
{
	const char *path;

	if (!(sample_type(py) & PERF_SAMPLE_CGROUP))
		return NULL;
	path = py->host->cgroup(py->view->of.machine, s->cgroup);
	return py_text(py, path ? path : "unknown");
}

static PyObject *intr_regs(struct python *py, const struct sample *s, const struct key *key)
{
	return PyUnicode_FromString(py->host->text(py->view, VIEW_INTR_REGS));
}

static PyObject *user_regs(struct python *py, const struct sample *s, const struct key *key)
{
	return PyUnicode_FromString(py->host->text(py->view, VIEW_USER_REGS));
}

/* ---- chains and branches ---- */

static PyObject *callchain(struct python *py, const struct sample *s, const struct key *key)
{
	return py_chain(py);
}

static PyObject *branches(struct python *py, const struct sample *s, const struct key *key)
{
	return py_branches(py);
}

static PyObject *branch_symbols(struct python *py, const struct sample *s, const struct key *key)
{
	return py_branch_symbols(py);
}

/* ---- addresses ---- */

/* The parts of an address that was looked up. */
enum place_part {
	PLACE_OBJECT,
	PLACE_BUILD_ID,
	PLACE_START,
	PLACE_END,
	PLACE_SYMBOL,
	PLACE_OFFSET,
};

static PyObject *place_part(struct python *py, const struct view_place *p, enum place_part part)
{
	switch (part) {
	case PLACE_OBJECT:
		return p->object ? py_text(py, p->object) : NULL;
	case PLACE_BUILD_ID:
		return p->dso ? PyUnicode_FromString(py->host->build_id(py->view, p)) : NULL;
	case PLACE_START:
		return p->map ? PyLong_FromUnsignedLongLong(p->map->start) : NULL;
	case PLACE_END:
		return p->map ? PyLong_FromUnsignedLongLong(p->map->end) : NULL;
	case PLACE_SYMBOL:
		return p->sym ? py_text(py, p->sym) : NULL;
	case PLACE_OFFSET:
		return p->sym ? PyLong_FromUnsignedLongLong(p->symoff) : NULL;
	}
	return NULL;
}

/* A part of the sampled address; key->at says which. */
static PyObject *of_ip(struct python *py, const struct sample *s, const struct key *key)
{
	struct view_place p;

	py->host->place(py->view, s->cpumode, s->ip, &p);
	return place_part(py, &p, key->at);
}

/* Tell whether addr of the sample is an address that can be looked up. */
static bool addr_is_place(const struct python *py)
{
	return sample_type(py) & PERF_SAMPLE_ADDR && py->host->addr_is_place(py->view->ev->evsel);
}

static PyObject *addr_correlates(struct python *py, const struct sample *s, const struct key *key)
{
	return addr_is_place(py) ? PyBool_FromLong(true) : NULL;
}

/* A part of the address of data, or of the target of a branch. */
static PyObject *of_addr(struct python *py, const struct sample *s, const struct key *key)
{
	struct view_place p;

	if (!addr_is_place(py))
		return NULL;
	py->host->place(py->view, RESOLVE_ANY_MODE, s->addr, &p);
	return place_part(py, &p, key->at);
}

/* ---- the table ---- */

/* The dictionaries show their keys in this order. The first key of each is always there. */
static const struct key keys[] = {
	{ "ev_name", event_name },
	{ "attr", attr_bytes },
	{ "sample", sample_dict },
	{ "raw_buf", raw_bytes },
	{ "comm", comm },
	{ "dso", of_ip, PLACE_OBJECT },
	{ "dso_bid", of_ip, PLACE_BUILD_ID },
	{ "dso_map_start", of_ip, PLACE_START },
	{ "dso_map_end", of_ip, PLACE_END },
	{ "symbol", of_ip, PLACE_SYMBOL },
	{ "symoff", of_ip, PLACE_OFFSET },
	{ "callchain", callchain },
	{ "brstack", branches },
	{ "brstacksym", branch_symbols },
	{ "iregs", intr_regs },
	{ "uregs", user_regs },
	{ "cgroup", cgroup },
#define ROOT_KEYS 17
	{ "pid", number, AT(pid), true },
	{ "tid", number, AT(tid), true },
	{ "cpu", number, AT(cpu) },
	{ "ip", number, AT(ip) },
	{ "time", number, AT(time) },
	{ "period", number, AT(period) },
	{ "phys_addr", number, AT(phys_addr) },
	{ "addr", number, AT(addr) },
	{ "time_enabled", read_time, PERF_FORMAT_TOTAL_TIME_ENABLED },
	{ "time_running", read_time, PERF_FORMAT_TOTAL_TIME_RUNNING },
	{ "values", read_values },
	{ "weight", number, AT(weight) },
	{ "transaction", number, AT(transaction) },
	{ "datasrc", data_src },
	{ "datasrc_decode", data_src_text },
	{ "cpumode", number, AT(cpumode) },
	{ "addr_correlates_sym", addr_correlates },
	{ "addr_dso", of_addr, PLACE_OBJECT },
	{ "addr_dso_bid", of_addr, PLACE_BUILD_ID },
	{ "addr_dso_map_start", of_addr, PLACE_START },
	{ "addr_dso_map_end", of_addr, PLACE_END },
	{ "addr_symbol", of_addr, PLACE_SYMBOL },
	{ "addr_symoff", of_addr, PLACE_OFFSET },
	{ "machine_pid", machine_pid },
	{ "vcpu", vcpu },
};

bool py_keys_begin(struct python *py)
{
	static const char *const common[] = { "common_cpu", "common_s",    "common_ns",
					      "common_pid", "common_comm", "common_callchain" };

	py->keys = calloc(ARRAY_SIZE(keys), sizeof(*py->keys));
	if (!py->keys)
		return PyErr_NoMemory();
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		py->keys[i] = PyUnicode_InternFromString(keys[i].name);
		if (!py->keys[i])
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
		py->common[i] = PyUnicode_InternFromString(common[i]);
		if (!py->common[i])
			return false;
	}
	return true;
}

void py_keys_end(struct python *py)
{
	for (size_t i = 0; py->keys && i < ARRAY_SIZE(keys); i++)
		Py_XDECREF(py->keys[i]);
	free(py->keys);
	py->keys = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(py->common); i++)
		Py_CLEAR(py->common[i]);
}

void py_key_range(enum py_group group, size_t *first, size_t *end)
{
	_Static_assert(ARRAY_SIZE(keys) <= PY_KEYS_MAX, "a dictionary has room for all");
	*first = group == PY_ROOT ? 0 : ROOT_KEYS;
	*end = group == PY_ROOT ? ROOT_KEYS : ARRAY_SIZE(keys);
}

PyObject *py_key_value(struct python *py, size_t key)
{
	return keys[key].value(py, py->view->ev->sample, &keys[key]);
}
