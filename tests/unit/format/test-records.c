// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Documentation/format/perf.data.md says of every record, against the decoders: bytes are made
 * from the page's tables, in both orders, and each field must come out with what was put in. No row
 * of the page goes without, and no field that is looked for here.
 */
#include "base/compat.h"
#include "doc-table.h"
#include "wire/event.h"
#include "wire/fields.h"

#include <setjmp.h>
#include <cmocka.h>

enum how {
	NUMBER,  /* in the struct */
	INLINE,  /* bytes in the struct */
	POINTED, /* bytes or text behind a pointer */
	ELEMENT, /* a part of an element behind a pointer */
};

struct want {
	const char *name;
	enum how how;
	u16 at, width;
	u16 stride, part; /* of elements */
};

struct record {
	const char *title; /* as on the page, behind "Record N " */
	u16 misc;
	struct want wants[14];
};

#define AT(s, m) offsetof(struct s, m)
#define WIDTH(s, m) sizeof(((struct s *)0)->m)
#define N(s, m)                                                                                    \
	{                                                                                          \
#m, NUMBER, AT(s, m), WIDTH(s, m), 0, 0                                            \
	}
#define B(s, m)                                                                                    \
	{                                                                                          \
#m, INLINE, AT(s, m), WIDTH(s, m), 0, 0                                            \
	}
#define P(s, m)                                                                                    \
	{                                                                                          \
#m, POINTED, AT(s, m), 0, 0, 0                                                     \
	}
#define E(s, m, name, stride, part, width)                                                         \
	{                                                                                          \
		name, ELEMENT, AT(s, m), width, stride, part                                       \
	}
#define TASK                                                                                       \
	N(rec_task, pid), N(rec_task, ppid), N(rec_task, tid), N(rec_task, ptid), N(rec_task, time)
#define THROTTLE N(rec_throttle, time), N(rec_throttle, id), N(rec_throttle, stream_id)
#define MMAP                                                                                       \
	N(rec_mmap, pid), N(rec_mmap, tid), N(rec_mmap, start), N(rec_mmap, len),                  \
		N(rec_mmap, pgoff), P(rec_mmap, filename)
#define MMAP2 MMAP, N(rec_mmap, prot), N(rec_mmap, flags)
#define ID_INDEX                                                                                   \
	N(rec_id_index, nr), E(rec_id_index, entries, "id", 32, 0, 8),                             \
		E(rec_id_index, entries, "idx", 32, 8, 8),                                         \
		E(rec_id_index, entries, "cpu", 32, 16, 8),                                        \
		E(rec_id_index, entries, "tid", 32, 24, 8)
#define ERROR                                                                                      \
	N(rec_auxtrace_error, type), N(rec_auxtrace_error, code), N(rec_auxtrace_error, cpu),      \
		N(rec_auxtrace_error, pid), N(rec_auxtrace_error, tid),                            \
		N(rec_auxtrace_error, fmt), N(rec_auxtrace_error, ip), P(rec_auxtrace_error, msg)
#define CPUS N(rec_cpu_map, kind), N(rec_cpu_map, nr)
#define UPDATE N(rec_event_update, kind), N(rec_event_update, id)
#define TIME N(rec_time_conv, shift), N(rec_time_conv, mult), N(rec_time_conv, zero)
#define STAT_OF_CPU                                                                                \
	N(rec_schedstat_cpu, time), N(rec_schedstat_cpu, cpu), N(rec_schedstat_cpu, version)

static const struct record records[] = {
	{ "MMAP", 0, { MMAP } },
	{ "LOST", 0, { N(rec_lost, id), N(rec_lost, lost) } },
	{ "COMM", 0, { N(rec_comm, pid), N(rec_comm, tid), P(rec_comm, comm) } },
	{ "EXIT", 0, { TASK } },
	{ "THROTTLE", 0, { THROTTLE } },
	{ "UNTHROTTLE", 0, { THROTTLE } },
	{ "FORK", 0, { TASK } },
	{ "READ",
	  0,
	  { N(rec_read, pid), N(rec_read, tid), E(rec_read, values, "values", 8, 0, 8) } },
	{ "MMAP2",
	  0,
	  { MMAP2, N(rec_mmap, maj), N(rec_mmap, min), N(rec_mmap, ino),
	    N(rec_mmap, ino_generation) } },
	{ "MMAP2 with a build-id",
	  PERF_RECORD_MISC_MMAP_BUILD_ID,
	  { MMAP2, N(rec_mmap, build_id_size), B(rec_mmap, build_id) } },
	{ "AUX", 0, { N(rec_aux, offset), N(rec_aux, size), N(rec_aux, flags) } },
	{ "ITRACE_START", 0, { N(rec_itrace_start, pid), N(rec_itrace_start, tid) } },
	{ "LOST_SAMPLES", 0, { N(rec_lost, lost) } },
	{ "SWITCH", 0, { { 0 } } },
	{ "SWITCH_CPU_WIDE", 0, { N(rec_switch, next_prev_pid), N(rec_switch, next_prev_tid) } },
	{ "NAMESPACES",
	  0,
	  { N(rec_namespaces, pid), N(rec_namespaces, tid), N(rec_namespaces, nr),
	    E(rec_namespaces, links, "dev", 16, 0, 8),
	    E(rec_namespaces, links, "ino", 16, 8, 8) } },
	{ "KSYMBOL",
	  0,
	  { N(rec_ksymbol, addr), N(rec_ksymbol, len), N(rec_ksymbol, type), N(rec_ksymbol, flags),
	    P(rec_ksymbol, name) } },
	{ "BPF_EVENT", 0, { N(rec_bpf, type), N(rec_bpf, flags), N(rec_bpf, id), P(rec_bpf, tag) } },
	{ "CGROUP", 0, { N(rec_cgroup, id), P(rec_cgroup, path) } },
	{ "TEXT_POKE",
	  0,
	  { N(rec_text_poke, addr), N(rec_text_poke, old_len), N(rec_text_poke, new_len),
	    P(rec_text_poke, old_bytes), P(rec_text_poke, new_bytes) } },
	{ "AUX_OUTPUT_HW_ID", 0, { N(rec_aux_hw_id, hw_id) } },
	{ "CALLCHAIN_DEFERRED",
	  0,
	  { N(rec_deferred, cookie), N(rec_deferred, nr), E(rec_deferred, ips, "ips", 8, 0, 8) } },
	/* The attr: by its config; in the struct type and size come before that. */
	{ "HEADER_ATTR",
	  0,
	  { { "attr", NUMBER, AT(rec_attr, attr) + 8, 8, 0, 0 },
	    E(rec_attr, ids, "ids", 8, 0, 8) } },
	{ "HEADER_EVENT_TYPE", 0, { N(rec_event_type, id), P(rec_event_type, name) } },
	{ "HEADER_TRACING_DATA", 0, { N(rec_tracing_data, size) } },
	{ "HEADER_BUILD_ID",
	  1 << 15,
	  { N(rec_build_id, pid), B(rec_build_id, build_id), N(rec_build_id, build_id_size),
	    P(rec_build_id, filename) } },
	{ "FINISHED_ROUND", 0, { { 0 } } },
	{ "ID_INDEX", 0, { ID_INDEX } },
	{ "ID_INDEX with guests",
	  0,
	  { ID_INDEX, E(rec_id_index, guests, "machine_pid", 16, 0, 8),
	    E(rec_id_index, guests, "vcpu", 16, 8, 8) } },
	{ "AUXTRACE_INFO",
	  0,
	  { N(rec_auxtrace_info, type), E(rec_auxtrace_info, priv, "priv", 8, 0, 8) } },
	{ "AUXTRACE",
	  0,
	  { N(rec_auxtrace, size), N(rec_auxtrace, offset), N(rec_auxtrace, reference),
	    N(rec_auxtrace, idx), N(rec_auxtrace, tid), N(rec_auxtrace, cpu) } },
	{ "AUXTRACE_ERROR", 0, { ERROR } },
	{ "AUXTRACE_ERROR with a time", 0, { ERROR, N(rec_auxtrace_error, time) } },
	{ "AUXTRACE_ERROR of a guest",
	  0,
	  { ERROR, N(rec_auxtrace_error, time), N(rec_auxtrace_error, machine_pid),
	    N(rec_auxtrace_error, vcpu) } },
	{ "THREAD_MAP",
	  0,
	  { N(rec_thread_map, nr), E(rec_thread_map, entries, "pid", 24, 0, 8),
	    E(rec_thread_map, entries, "comm", 24, 8, 16) } },
	{ "CPU_MAP of CPUs", 0, { CPUS, E(rec_cpu_map, words, "cpus", 2, 0, 2) } },
	{ "CPU_MAP mask of u32",
	  0,
	  { CPUS, N(rec_cpu_map, width), E(rec_cpu_map, words, "words", 4, 0, 4) } },
	{ "CPU_MAP mask of u64",
	  0,
	  { CPUS, N(rec_cpu_map, width), E(rec_cpu_map, words, "words", 8, 0, 8) } },
	{ "CPU_MAP range",
	  0,
	  { N(rec_cpu_map, kind), N(rec_cpu_map, any), N(rec_cpu_map, first),
	    N(rec_cpu_map, last) } },
	{ "STAT_CONFIG",
	  0,
	  { N(rec_stat_config, nr), E(rec_stat_config, terms, "tag", 16, 0, 8),
	    E(rec_stat_config, terms, "value", 16, 8, 8) } },
	{ "STAT",
	  0,
	  { N(rec_stat, id), N(rec_stat, cpu), N(rec_stat, thread), N(rec_stat, value),
	    N(rec_stat, enabled), N(rec_stat, running) } },
	{ "STAT_ROUND", 0, { N(rec_stat_round, type), N(rec_stat_round, time) } },
	{ "EVENT_UPDATE unit", 0, { UPDATE, P(rec_event_update, text) } },
	{ "EVENT_UPDATE scale", 0, { UPDATE, N(rec_event_update, scale) } },
	{ "EVENT_UPDATE name", 0, { UPDATE, P(rec_event_update, text) } },
	{ "EVENT_UPDATE CPUs",
	  0,
	  { UPDATE,
	    { "map_kind", NUMBER, AT(rec_event_update, cpus.kind), 2, 0, 0 },
	    { "nr", NUMBER, AT(rec_event_update, cpus.nr), 2, 0, 0 },
	    E(rec_event_update, cpus.words, "cpus", 2, 0, 2) } },
	{ "TIME_CONV", 0, { TIME } },
	{ "TIME_CONV with cycles",
	  0,
	  { TIME, N(rec_time_conv, cycles), N(rec_time_conv, mask), N(rec_time_conv, cap_zero),
	    N(rec_time_conv, cap_short) } },
	{ "HEADER_FEATURE", 0, { N(rec_feature, bit), P(rec_feature, data) } },
	{ "COMPRESSED", 0, { P(rec_compressed, data) } },
	{ "FINISHED_INIT", 0, { { 0 } } },
	{ "COMPRESSED2",
	  0,
	  { { "n", NUMBER, AT(rec_compressed, size), 8, 0, 0 }, P(rec_compressed, data) } },
	{ "BPF_METADATA",
	  0,
	  { P(rec_bpf_metadata, name), N(rec_bpf_metadata, nr),
	    E(rec_bpf_metadata, entries, "key", 320, 0, 64),
	    E(rec_bpf_metadata, entries, "value", 320, 64, 256) } },
	{ "SCHEDSTAT_CPU",
	  0,
	  { STAT_OF_CPU, N(rec_schedstat_cpu, yld_count), N(rec_schedstat_cpu, array_exp),
	    N(rec_schedstat_cpu, sched_count), N(rec_schedstat_cpu, sched_goidle),
	    N(rec_schedstat_cpu, ttwu_count), N(rec_schedstat_cpu, ttwu_local),
	    N(rec_schedstat_cpu, rq_cpu_time), N(rec_schedstat_cpu, run_delay),
	    N(rec_schedstat_cpu, pcount) } },
	{ "SCHEDSTAT_CPU of another version", 0, { STAT_OF_CPU, P(rec_schedstat_cpu, data) } },
	{ "SCHEDSTAT_DOMAIN",
	  0,
	  { N(rec_schedstat_domain, time), N(rec_schedstat_domain, cpu),
	    N(rec_schedstat_domain, version), N(rec_schedstat_domain, domain),
	    E(rec_schedstat_domain, counts, "counts", 4, 0, 4) } },
};

static struct doc doc;

static u64 native(const u8 *p, u16 width)
{
	u64 v = 0;

	memcpy(&v, p, MIN(width, (u16)8));
	return v;
}

static void check_value(const struct want *w, const struct doc_value *v, const u8 *vals,
			const char *title)
{
	const u8 *p = vals + w->at;

	if (w->how == POINTED || w->how == ELEMENT) {
		memcpy(&p, vals + w->at, sizeof(p));
		if (!p)
			fail_msg("%s: nothing at %s", title, w->name);
		p += (size_t)v->index * w->stride + w->part;
	}
	if (v->len ? memcmp(p, v->bytes, v->len) != 0 : native(p, w->width) != v->number)
		fail_msg("%s: %s (%d.) is not what the page makes of it", title, w->name, v->index);
}

static const struct want *find_want(const struct record *r, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->wants) && r->wants[i].name; i++)
		if (!strcmp(r->wants[i].name, name))
			return &r->wants[i];
	fail_msg("%s: the row %s has no test", r->title, name);
	return NULL;
}

static void check_decoded(const struct record *r, const struct doc_values *values, const void *vals)
{
	for (size_t i = 0; i < values->nr; i++) {
		const struct doc_value *v = &values->v[i];

		if (strcmp(v->name, "0") != 0)
			check_value(find_want(r, v->name), v, vals, r->title);
	}
	for (size_t i = 0; i < ARRAY_SIZE(r->wants) && r->wants[i].name; i++)
		if (!doc_get(values, r->wants[i].name, 0))
			fail_msg("%s: the page has no %s", r->title, r->wants[i].name);
}

static void one_record(const struct record *r, const struct doc_table *t, u32 type, bool swap)
{
	struct doc_values values = { 0 };
	union rec_any out;
	struct pb b;
	size_t at;

	pb_init(&b, swap);
	at = pb_begin(&b, type, r->misc);
	doc_emit(&b, t, &values);
	if (type != PERF_RECORD_COMPRESSED)
		while (b.out.len % 8)
			pb_u8(&b, 0);
	pb_end(&b, at);
	if (*values.problem)
		fail_msg("%s", values.problem);
	if (swap)
		assert_int_equal(record_swap(NULL, b.out.buf, b.out.len), 0);
	if (!wire_body(type))
		assert_int_equal(t->nr, 0);
	else if (rec_decode(NULL, b.out.buf, b.out.len, &out))
		fail_msg("%s is refused", r->title);
	else
		check_decoded(r, &values, &out);
	doc_values_release(&values);
	pb_release(&b);
}

static const struct record *find_record(const char *title)
{
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		if (!strcmp(records[i].title, title))
			return &records[i];
	fail_msg("the page has a record %s that has no test", title);
	return NULL;
}

static void test_every_record(void **state)
{
	bool told[PERF_RECORD_USER_MAX] = { false };
	size_t seen = 0;

	for (size_t i = 0; i < doc.nr; i++) {
		const struct doc_table *t = &doc.tables[i];
		char *title;
		u32 type;

		if (strncmp(t->title, "Record ", 7) != 0)
			continue;
		type = (u32)strtoul(t->title + 7, &title, 10);
		assert_true(type < PERF_RECORD_USER_MAX && *title == ' ');
		told[type] = true;
		seen++;
		for (int swap = 0; swap < 2; swap++)
			one_record(find_record(title + 1), t, type, swap);
	}
	assert_int_equal(seen, ARRAY_SIZE(records));
	/* SAMPLE has tables of its own. */
	for (u32 type = 0; type < PERF_RECORD_USER_MAX; type++)
		if (record_name(type) && type != PERF_RECORD_SAMPLE && !told[type])
			fail_msg("the page does not have %s", record_name(type));
}

static int load(void **state)
{
	doc_load(&doc);
	return 0;
}

static int unload(void **state)
{
	doc_release(&doc);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_record) };

	return cmocka_run_group_tests(tests, load, unload);
}
