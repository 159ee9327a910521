// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat report: the counts of a file, added up as they would have been when it was made, or
 * otherwise: by the topology of the machine that it is of. */
#include "base/compat.h"
#include "statrun/statrun.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "session/session.h"

const u8 stat_file_modes[STAT_FILE_MODES] = { AGGR_NONE, AGGR_GLOBAL, AGGR_SOCKET, AGGR_DIE,
					      AGGR_CORE, AGGR_THREAD, AGGR_GLOBAL, AGGR_NODE };

struct report {
	struct stat_cmd *s;
	struct session *session;
	bool mode_given, settled, any_round;
	const char *missing; /* what the file does not tell; NULL: nothing */
	u64 bad;             /* counts of events, CPUs or threads that the file does not have */
};

static void take_threads(struct report *r, const wire_header *rec)
{
	struct stat_cmd *s = r->s;
	struct rec_thread_map m;

	if (r->settled || s->threads || rec_thread_map_decode(rec, rec->size, &m) || !m.nr)
		return;
	s->threads = xcalloc(m.nr + 1, sizeof(*s->threads));
	for (u64 i = 0; i < m.nr; i++) {
		const char *comm;
		int tid = (int)rec_thread_map_entry(&m, i, &comm);

		s->threads[i] = (struct stat_thread){ tid, xstrndup(comm, strnlen(comm, 16)) };
		int_list_add(&s->tids, tid);
	}
}

static void take_cpus(struct report *r, const wire_header *rec)
{
	struct stat_cmd *s = r->s;
	struct rec_cpu_map m;
	u32 pos = 0;
	s32 cpu;

	if (r->settled || s->cpus.nr || rec_cpu_map_decode(rec, rec->size, &m))
		return;
	while (rec_cpu_map_next(&m, &pos, &cpu)) {
		map64_set(&s->cpu_index, (u64)cpu, (u32)s->cpus.nr);
		int_list_add(&s->cpus, cpu);
	}
}

static void take_own_mode(struct stat_cmd *s, u64 value)
{
	if ((value & 0xff) == TERM_BY_CLUSTER)
		s->mode = AGGR_CLUSTER;
	if ((value & 0xff) != TERM_BY_CACHE)
		return;
	s->mode = AGGR_CACHE;
	s->cache_level = value >> 8 < 10 ? (int)(value >> 8) : 0;
}

static void take_config(struct report *r, const wire_header *rec)
{
	struct stat_cmd *s = r->s;
	struct rec_stat_config c;
	bool level = false;

	if (rec_stat_config_decode(rec, rec->size, &c))
		return;
	for (u64 i = 0; i < c.nr; i++)
		level |= c.terms[i * 2] == TERM_LEVEL;
	for (u64 i = 0; i < c.nr; i++) {
		u64 tag = c.terms[i * 2], value = c.terms[i * 2 + 1];

		if (tag == TERM_MODE && !r->mode_given)
			s->mode = stat_recorded_mode(r->session->file, value, level);
		else if (tag == TERM_INTERVAL)
			s->interval = (unsigned int)MIN(value, (u64)UINT32_MAX);
		else if (tag == TERM_SCALE)
			s->scale = value;
		else if (tag == TERM_LEVEL && !r->mode_given)
			s->cache_level = value < 10 ? (int)value : 0;
		else if (tag == TERM_OWN && !r->mode_given)
			take_own_mode(s, value);
		else if (tag >= TERM_CLUSTERS && tag - TERM_CLUSTERS < INT32_MAX)
			map64_set(&s->file.clusters, tag - TERM_CLUSTERS, (u32)value);
	}
	s->view.interval = s->interval;
}

/* Where its PMU counts: as sysfs would say it. */
static char *cpus_text(const struct rec_cpu_map *cpus)
{
	struct strbuf sb = STRBUF_INIT;
	u32 pos = 0;
	s32 cpu;

	while (rec_cpu_map_next(cpus, &pos, &cpu))
		strbuf_addf(&sb, "%s%d", sb.len ? "," : "", cpu);
	return strbuf_detach(&sb);
}

static void take_update(struct report *r, const wire_header *rec)
{
	struct rec_event_update u;
	struct evsel *e;
	u32 idx;

	if (rec_event_update_decode(rec, rec->size, &u))
		return;
	idx = map64_get(&r->session->evlist.by_id, u.id);
	if (idx == MAP64_NONE)
		return;
	e = r->session->evlist.evsels[idx];
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

/* Events that perf counts by itself: in a file they are some that count nothing. */
static void find_tools(const struct evlist *l)
{
	static const char *const names[TOOL_NR] = { [TOOL_DURATION_TIME] = "duration_time",
						    [TOOL_USER_TIME] = "user_time",
						    [TOOL_SYSTEM_TIME] = "system_time" };

	for (size_t i = 0; i < l->nr; i++)
		for (int t = TOOL_NONE + 1; t < TOOL_NR; t++)
			if (l->evsels[i]->attr.type == PERF_TYPE_SOFTWARE &&
			    !strcmp(l->evsels[i]->name, names[t]))
				l->evsels[i]->tool = (enum tool_event)t;
}

#define MOST_COUNTS (1 << 24) /* events x CPUs x threads; no file has as many */

/* Caches and clusters are told apart only when the file says which there are. */
static bool check_places(struct report *r)
{
	const struct stat_cmd *s = r->s;

	for (size_t i = 0; i < s->cpus.nr; i++) {
		if (s->mode == AGGR_CACHE && s->places[i].cache < 0)
			r->missing = "caches of that level, or not of all CPUs";
		if (s->mode == AGGR_CLUSTER && s->places[i].cluster < 0)
			r->missing = "clusters of CPUs: that takes perf stat record --per-cluster";
	}
	return !r->missing;
}

/* All that comes before counts has come. Return: false when it does not make sense. */
static bool settle(struct report *r)
{
	struct stat_cmd *s = r->s;
	size_t nr_cpus = MAX(s->cpus.nr, (size_t)1), nr_threads = MAX(s->tids.nr, (size_t)1);

	if (r->settled)
		return s->counts.now;
	r->settled = true;
	s->evlist = r->session->evlist; /* borrowed */
	find_tools(&s->evlist);
	find_kinds(&s->evlist);
	if (nr_threads * nr_cpus * MAX(s->evlist.nr, (size_t)1) > MOST_COUNTS)
		return false;
	/* what was not counted by CPU or thread cannot be told apart by them */
	if (s->mode != AGGR_THREAD && s->mode != AGGR_GLOBAL && (!s->cpus.nr || s->cpus.v[0] < 0)) {
		if (r->mode_given)
			fputs("warning: processing task data, aggregation mode not set\n", stderr);
		s->mode = AGGR_GLOBAL;
	}
	s->places = xcalloc(nr_cpus, sizeof(*s->places));
	for (size_t i = 0; i < s->cpus.nr; i++)
		s->places[i] = stat_recorded_place(s, r->session->file, s->cpus.v[i]);
	if (!check_places(r))
		return false;
	if (!s->threads) {
		s->threads = xcalloc(1, sizeof(*s->threads));
		s->threads[0] = (struct stat_thread){ -1, "" };
	}
	s->view.threads = s->threads;
	s->view.nr_cpus = (u32)nr_cpus;
	aggr_map_init(&s->ids, s->mode, s->places, nr_cpus, nr_threads);
	counts_init(&s->counts, s->evlist.nr, nr_cpus, nr_threads);
	s->unsupported = xcalloc(s->evlist.nr + 1, sizeof(*s->unsupported));
	stat_result_init(&s->result, &s->evlist, &s->ids, s->unsupported);
	stat_view_settle(&s->view, &s->evlist, &s->chosen.shown);
	return true;
}

static void take_count(struct report *r, const wire_header *rec)
{
	struct counts *c = &r->s->counts;
	struct rec_stat st;
	u32 idx, cpu;
	size_t at;

	if (rec_stat_decode(rec, rec->size, &st) || !settle(r)) {
		r->bad += !r->missing;
		return;
	}
	idx = map64_get(&r->session->evlist.by_id, st.id);
	cpu = r->s->cpus.nr ? map64_get(&r->s->cpu_index, (u64)(s32)st.cpu) : 0;
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

static void show_round(struct report *r, const wire_header *rec)
{
	struct stat_cmd *s = r->s;
	struct rec_stat_round round;

	if (rec_stat_round_decode(rec, rec->size, &round) || !settle(r))
		return;
	r->any_round = true;
	if (round.type == STAT_ROUND_FINAL) {
		s->times.wall = round.time;
		s->result.duration = round.time;
		counts_unmark(&s->counts);
	} else {
		s->result.duration = (u64)s->interval * 1000000;
	}
	stat_sum(&s->result, &s->counts, s->places, s->scale);
	if (round.type == STAT_ROUND_FINAL) {
		stat_show_end(s);
	} else {
		counts_mark(&s->counts);
		stat_show_interval(s, round.time);
	}
}

static int on_record(void *ctx, const struct session_event *ev, struct err *err)
{
	struct report *r = ctx;

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
		show_round(r, ev->hdr);
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

/* The words of the command that made the file, for the line above the counts. */
static char **command_of(const struct perf_file *f)
{
	static char pipe[] = "pipe", none[] = "";
	char **words = xcalloc(f->env.nr_cmdline + 2, sizeof(*words));

	for (u32 i = 0; i < f->env.nr_cmdline; i++)
		words[i] = f->env.cmdline[i];
	if (f->pipe || !f->env.nr_cmdline)
		words[0] = f->pipe ? pipe : none;
	return words;
}

static void release(struct stat_cmd *s)
{
	for (size_t i = 0; i < s->tids.nr; i++)
		free((char *)(uintptr_t)s->threads[i].comm);
	free(s->threads);
	free(s->places);
	free(s->unsupported);
	free(s->command);
	counts_release(&s->counts);
	stat_result_release(&s->result);
	aggr_map_release(&s->ids);
	map64_release(&s->cpu_index);
	map64_release(&s->file.clusters);
	int_list_release(&s->tids);
	int_list_release(&s->cpus);
}

int stat_report(struct stat_cmd *s, const char *path, bool mode_given)
{
	static const struct session_ordered_ops ops = { .format = on_sample, .all = true };
	struct session session;
	struct report r = { .s = s, .session = &session, .mode_given = mode_given };
	struct err err = { 0 };
	int rc = session_open(&session, path, false, &err);

	if (rc) {
		fprintf(stderr, "%s\n", err.msg);
		return 255;
	}
	session.file_order = true;
	s->reported = true;
	s->command = command_of(session.file);
	rc = session_ordered(&session, &ops, &r, 1, &err);
	if (rc)
		fprintf(stderr, "%s\n", err.msg);
	warn_diag(&session.diag);
	if (r.bad)
		fprintf(stderr,
			"%" PRIu64
			" counts are of events, CPUs or threads that the file does not name: left out.\n",
			r.bad);
	if (!rc && r.missing)
		fprintf(stderr, "%s does not tell of %s.\n", session.file->path, r.missing);
	else if (!rc && !r.any_round)
		fprintf(stderr, "%s has no counts: it was not made by perf stat record.\n",
			session.file->path);
	release(s);
	session_close(&session);
	return rc || !r.any_round ? 255 : 0;
}
