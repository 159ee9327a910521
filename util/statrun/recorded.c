// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the records of a recording of counts. */
#include "base/compat.h"
#include "statrun/recorded.h"

#include "base/alloc.h"
#include "events/names.h"
#include "statrun/recorded-config.h"

#include <errno.h>

const u8 stat_file_modes[STAT_FILE_MODES] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE,
					      AGGR_CORE, AGGR_THREAD, AGGR_GLOBAL, AGGR_NODE };

static void take_threads(struct stat_recorded *r, const wire_header *rec)
{
	struct rec_thread_map m;

	if (r->settled || r->table.tids.nr || rec_thread_map_decode(rec, rec->size, &m))
		return;
	for (u64 i = 0; i < m.nr; i++) {
		const char *comm;
		int tid = (int)rec_thread_map_entry(&m, i, &comm);

		stat_table_add_thread(&r->table, tid, xstrndup(comm, strnlen(comm, 16)));
	}
}

static void take_cpus(struct stat_recorded *r, const wire_header *rec)
{
	struct rec_cpu_map m;
	u32 pos = 0;
	s32 cpu;

	if (r->settled || r->table.cpus.nr || rec_cpu_map_decode(rec, rec->size, &m))
		return;
	while (rec_cpu_map_next(&m, &pos, &cpu))
		stat_table_add_cpu(&r->table, cpu);
}

static void take_own_mode(struct stat_recorded *r, u64 value)
{
	if ((value & 0xff) == TERM_BY_CLUSTER)
		r->mode = AGGR_CLUSTER;
	if ((value & 0xff) != TERM_BY_CACHE)
		return;
	r->mode = AGGR_CACHE;
	r->cache_level = value >> 8 < 10 ? (int)(value >> 8) : 0;
}

static void take_config(struct stat_recorded *r, const wire_header *rec)
{
	struct rec_stat_config c;
	bool level = false;

	if (rec_stat_config_decode(rec, rec->size, &c))
		return;
	for (u64 i = 0; i < c.nr; i++)
		level |= c.terms[i * 2] == TERM_LEVEL;
	for (u64 i = 0; i < c.nr; i++) {
		u64 tag = c.terms[i * 2], value = c.terms[i * 2 + 1];

		if (tag == TERM_MODE && !r->mode_given)
			r->mode = stat_recorded_mode(r->session.file, value, level);
		else if (tag == TERM_INTERVAL)
			r->interval = (unsigned int)MIN(value, (u64)UINT32_MAX);
		else if (tag == TERM_SCALE)
			r->scale = value;
		else if (tag == TERM_LEVEL && !r->mode_given)
			r->cache_level = value < 10 ? (int)value : 0;
		else if (tag == TERM_OWN && !r->mode_given)
			take_own_mode(r, value);
		else if (tag >= TERM_CLUSTERS && tag - TERM_CLUSTERS < INT32_MAX)
			map64_set(&r->clusters, tag - TERM_CLUSTERS, (u32)value);
	}
}

/* Write the CPUs of an event's PMU as sysfs has them. */
static char *cpus_text(const struct rec_cpu_map *cpus)
{
	struct strbuf sb = STRBUF_INIT;
	u32 pos = 0;
	s32 cpu;

	while (rec_cpu_map_next(cpus, &pos, &cpu))
		strbuf_addf(&sb, "%s%d", sb.len ? "," : "", cpu);
	return strbuf_detach(&sb);
}

static void take_update(struct stat_recorded *r, const wire_header *rec)
{
	struct rec_event_update u;
	struct evsel *e;
	u32 idx;

	if (rec_event_update_decode(rec, rec->size, &u))
		return;
	idx = map64_get(&r->session.evlist.by_id, u.id);
	if (idx == MAP64_NONE)
		return;
	e = r->session.evlist.evsels[idx];
	if (u.kind == EVENT_UPDATE_SCALE) {
		e->scale = u.scale;
	} else if (u.kind == EVENT_UPDATE_UNIT) {
		free(e->unit);
		e->unit = xstrdup(u.text);
	} else if (u.kind == EVENT_UPDATE_CPUS) {
		free(e->cpumask);
		e->cpumask = cpus_text(&u.cpus);
	}
}

/* Events of one kind of cores among others have that in their names: cpu_atom/cycles/. */
static void find_kinds(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		size_t len = strcspn(e->name, "/");

		if (!e->pmu && e->name[len] && !strncmp(e->name, "cpu_", 4))
			e->pmu = xstrndup(e->name, len);
	}
}

/* Find the events that perf counts by itself. In a file they are events that count nothing. */
static void find_tools(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];

		if (e->attr.type != PERF_TYPE_SOFTWARE) {
			if (e->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
				e->tool = TOOL_RETIRE_LATENCY;
			e->snapshot |= e->tool == TOOL_RETIRE_LATENCY;
			continue;
		}
		e->tool = event_tool_find(e->name);
		e->snapshot |= e->tool >= TOOL_FACTS;
		if (evsel_is_dummy(e) && e->attr.config1) {
			e->tool = TOOL_GAUGE;
			e->snapshot = e->attr.config1 == GAUGE_STATE;
		}
	}
}

#define MOST_COUNTS (1 << 24) /* events x CPUs x threads; no file has as many */

/* Caches and clusters are told apart only when the file says which there are. */
static bool check_places(struct stat_recorded *r)
{
	for (size_t i = 0; i < r->table.cpus.nr; i++) {
		if (r->mode == AGGR_CACHE && r->table.places[i].cache < 0)
			r->missing = "caches of that level, or not of all CPUs";
		if (r->mode == AGGR_CLUSTER && r->table.places[i].cluster < 0)
			r->missing = "clusters of CPUs: that takes perf stat record --per-cluster";
	}
	return !r->missing;
}

/* Fall back to one sum when counts were not made by CPU or thread and cannot be told apart by
 * them. */
static void check_mode(struct stat_recorded *r)
{
	const struct int_list *cpus = &r->table.cpus;

	if (r->mode == AGGR_THREAD || r->mode == AGGR_GLOBAL || (cpus->nr && cpus->v[0] >= 0))
		return;
	if (r->mode_given)
		notice(&r->to->notes, "warning: processing task data, aggregation mode not set\n");
	r->mode = AGGR_GLOBAL;
}

static void find_places(struct stat_recorded *r)
{
	struct stat_table *t = &r->table;

	t->places = xcalloc(stat_table_nr_cpus(t), sizeof(*t->places));
	for (size_t i = 0; i < t->cpus.nr; i++)
		t->places[i] = stat_recorded_place(r, t->cpus.v[i]);
}

/* Get ready for counts, as all that comes before them has come. Return: false when it does not make
 * sense. */
static bool settle(struct stat_recorded *r)
{
	struct stat_table *t = &r->table;
	size_t nr_threads = MAX(t->tids.nr, (size_t)1);

	if (r->settled)
		return t->counts.now;
	r->settled = true;
	r->evlist = r->session.evlist;
	find_tools(&r->evlist);
	find_kinds(&r->evlist);
	if (nr_threads * stat_table_nr_cpus(t) * MAX(r->evlist.nr, (size_t)1) > MOST_COUNTS)
		return false;
	check_mode(r);
	find_places(r);
	if (!check_places(r))
		return false;
	if (!t->threads) {
		t->threads = xcalloc(1, sizeof(*t->threads));
		t->threads[0] = (struct stat_thread){ -1, "" };
	}
	stat_table_settle(t, &r->evlist, r->mode, nr_threads, &r->results);
	return true;
}

static void take_count(struct stat_recorded *r, const wire_header *rec)
{
	struct counts *c = &r->table.counts;
	struct rec_stat st;
	u32 idx, cpu;
	size_t at;

	if (rec_stat_decode(rec, rec->size, &st) || !settle(r)) {
		r->bad += !r->missing;
		return;
	}
	idx = map64_get(&r->session.evlist.by_id, st.id);
	cpu = r->table.cpus.nr ? map64_get(&r->table.cpu_index, (u64)(s32)st.cpu) : 0;
	/* what counts on any CPU stands on the first */
	if (cpu == MAP64_NONE && (s32)st.cpu < 0)
		cpu = 0;
	if (idx >= c->nr_evsels || cpu >= c->nr_cpus || st.thread >= c->nr_threads) {
		r->bad++;
		return;
	}
	at = counts_index(c, idx, cpu, st.thread);
	c->now[at] = (struct count){ st.value, st.enabled, st.running };
	c->there[at] = true;
}

static void end_run(struct stat_recorded *r, u64 time)
{
	r->results.times.wall = time;
	r->results.last.duration = time;
	counts_unmark(&r->table.counts);
	stat_sum(&r->results.last, &r->table.counts, r->table.places, r->scale);
	r->to->run_end(r->to->ctx);
}

static void end_interval(struct stat_recorded *r, u64 time)
{
	r->results.last.duration = (u64)r->interval * 1000000;
	stat_sum(&r->results.last, &r->table.counts, r->table.places, r->scale);
	counts_mark(&r->table.counts);
	r->to->interval(r->to->ctx, time);
}

static void take_round(struct stat_recorded *r, const wire_header *rec)
{
	struct rec_stat_round round;

	if (rec_stat_round_decode(rec, rec->size, &round) || !settle(r))
		return;
	r->any_round = true;
	if (round.type == STAT_ROUND_FINAL)
		end_run(r, round.time);
	else
		end_interval(r, round.time);
}

static int on_record(void *ctx, const struct session_event *ev, struct err *err)
{
	struct stat_recorded *r = ctx;

	(void)err;
	switch (ev->hdr->type) {
	case PERF_RECORD_THREAD_MAP:
		take_threads(r, ev->hdr);
		break;
	case PERF_RECORD_CPU_MAP:
		take_cpus(r, ev->hdr);
		break;
	case PERF_RECORD_STAT_CONFIG:
		take_config(r, ev->hdr);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		take_update(r, ev->hdr);
		break;
	case PERF_RECORD_STAT:
		take_count(r, ev->hdr);
		break;
	case PERF_RECORD_STAT_ROUND:
		take_round(r, ev->hdr);
		break;
	default:
		break;
	}
	return 0;
}

static int on_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	(void)worker;
	(void)out;
	return ev->sample ? 0 : on_record(ctx, ev, err);
}

/* Return the words of the command that made the file, for the line above the counts. */
static const char **command_of(const struct perf_file *f)
{
	const char **words = xcalloc(f->env.nr_cmdline + 2, sizeof(*words));

	for (u32 i = 0; i < f->env.nr_cmdline; i++)
		words[i] = f->env.cmdline[i];
	if (f->pipe || !f->env.nr_cmdline)
		words[0] = f->pipe ? "pipe" : "";
	return words;
}

int stat_recorded_open(struct stat_recorded *r, const struct stat_recorded_options *o,
		       struct err *err)
{
	int rc;

	*r = (struct stat_recorded){ .mode = o->mode,
				     .mode_given = o->mode_given,
				     .cache_level = o->cache_level,
				     .scale = true };
	rc = session_open(&r->session, o->path, false, err);
	if (rc)
		return rc;
	r->session.file_order = true;
	r->command = command_of(r->session.file);
	return 0;
}

int stat_recorded_read(struct stat_recorded *r, const struct stat_listener *to, struct err *err)
{
	static const struct session_ordered_ops ops = { .format = on_sample, .all = true };

	r->to = to;
	return session_ordered(&r->session, &ops, r, 1, err);
}

int stat_recorded_check(const struct stat_recorded *r, struct err *err)
{
	const char *path = r->session.file->path;

	if (r->bad)
		notice(&r->to->notes,
		       "%" PRIu64
		       " counts are of events, CPUs or threads that the file does not name: left out.\n",
		       r->bad);
	if (r->missing)
		return err_set(err, -ENODATA, "%s does not tell of %s.", path, r->missing);
	if (!r->any_round)
		return err_set(err, -ENODATA,
			       "%s has no counts: it was not made by perf stat record.", path);
	return 0;
}

void stat_recorded_close(struct stat_recorded *r)
{
	free(r->command);
	stat_results_release(&r->results);
	stat_table_release(&r->table);
	map64_release(&r->clusters);
	session_close(&r->session);
}
