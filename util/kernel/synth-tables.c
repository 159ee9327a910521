// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records about the recording itself: ids, threads, CPUs, and properties of events that are not in
 * attrs.
 */
#include "base/compat.h"
#include "kernel/synth.h"

#include "kernel/target.h"

/* Return how many entries of @size bytes fit in one record after the count. */
static u64 fitting(u64 nr, size_t size)
{
	return MIN(nr, (UINT16_MAX - sizeof(struct perf_event_header) - 8) / size);
}

void synth_id_index(struct strbuf *out, const struct kevents *k)
{
	enum { WORDS = 4 };
	struct strbuf entries = STRBUF_INIT;
	struct rec_id_index index;

	for (size_t from = 0; from < k->nr; from += index.nr) {
		index = (struct rec_id_index){ .nr = fitting(k->nr - from, WORDS * 8) };
		strbuf_reset(&entries);
		for (size_t i = 0; i < index.nr; i++) {
			const struct kfd *f = &k->fds[from + i];
			/* idx: the ring that receives the samples of the event */
			u64 entry[WORDS] = { f->id, f->cpu >= 0 ? (u64)f->cpu : from + i,
					     (u64)(s64)f->cpu, (u64)(s64)f->tid };

			strbuf_add(&entries, entry, sizeof(entry));
		}
		index.entries = (const u64_una *)entries.buf;
		enc_record(out, PERF_RECORD_ID_INDEX, 0, &index, NULL, NULL);
	}
	strbuf_release(&entries);
}

void synth_thread_map(struct strbuf *out, const struct int_list *tids, const char *const *names)
{
	struct {
		u64 pid;
		char comm[16];
	} entry = { (u64)-1, "" };
	struct rec_thread_map map = { .nr = fitting(MAX(tids->nr, (size_t)1), sizeof(entry)) };
	struct strbuf entries = STRBUF_INIT;

	for (size_t i = 0; i < map.nr; i++) {
		if (tids->nr)
			entry.pid = (u64)(s64)tids->v[i];
		memset(entry.comm, 0, sizeof(entry.comm));
		if (names)
			memcpy(entry.comm, names[i], strnlen(names[i], sizeof(entry.comm) - 1));
		strbuf_add(&entries, &entry, sizeof(entry));
	}
	map.entries = (const u8 *)entries.buf;
	enc_record(out, PERF_RECORD_THREAD_MAP, 0, &map, NULL, NULL);
	strbuf_release(&entries);
}

/* Make the list of CPUs in CPU_MAP and EVENT_UPDATE records. @words: the caller owns them */
static struct rec_cpu_map cpu_map(const struct int_list *cpus, struct strbuf *words)
{
	struct rec_cpu_map m = { .kind = CPU_MAP_CPUS };

	if (cpus->nr && (size_t)(cpus->v[cpus->nr - 1] - cpus->v[0]) == cpus->nr - 1) {
		m.kind = CPU_MAP_RANGE;
		m.first = (u16)cpus->v[0];
		m.last = (u16)cpus->v[cpus->nr - 1];
		return m;
	}
	m.nr = (u16)fitting(MAX(cpus->nr, (size_t)1), 2);
	for (size_t i = 0; i < m.nr; i++) {
		u16 c = cpus->nr ? (u16)cpus->v[i] : 0xffff; /* any CPU */

		strbuf_add(words, &c, sizeof(c));
	}
	m.words = words->buf;
	return m;
}

void synth_cpu_map(struct strbuf *out, const struct int_list *cpus)
{
	struct strbuf words = STRBUF_INIT;
	struct rec_cpu_map m = cpu_map(cpus, &words);

	enc_record(out, PERF_RECORD_CPU_MAP, 0, &m, NULL, NULL);
	strbuf_release(&words);
}

/* Append the EVENT_UPDATE records of an event. */
static void add_update(struct strbuf *out, const struct evsel *e, struct rec_event_update u)
{
	u.id = e->nr_ids ? e->ids[0] : 0;
	enc_record(out, PERF_RECORD_EVENT_UPDATE, 0, &u, NULL, NULL);
}

static void add_update_cpus(struct strbuf *out, const struct evsel *e)
{
	struct strbuf words = STRBUF_INIT;
	struct int_list cpus = { 0 };

	if (!cpu_list_parse(&cpus, e->cpumask) && cpus.nr)
		add_update(out, e,
			   (struct rec_event_update){ .kind = EVENT_UPDATE_CPUS,
						      .cpus = cpu_map(&cpus, &words) });
	int_list_release(&cpus);
	strbuf_release(&words);
}

void synth_event_update(struct strbuf *out, const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (e->unit)
			add_update(out, e,
				   (struct rec_event_update){ .kind = EVENT_UPDATE_UNIT,
							      .text = e->unit });
		if (e->scale != 0)
			add_update(out, e,
				   (struct rec_event_update){ .kind = EVENT_UPDATE_SCALE,
							      .scale = e->scale });
		if (e->cpumask)
			add_update_cpus(out, e);
	}
}
