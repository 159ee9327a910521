// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat record: events as in any recording, then STAT records of every reading, and a
 * STAT_ROUND behind those of one moment. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"
#include "kernel/synth.h"
#include "perf-version.h"
#include "session/features.h"
#include "statrun/recorded-config.h"

#include <errno.h>

void stat_file_configure(struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		l->evsels[i]->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
}

/* Give ids to events that perf counts by itself: they have no descriptor with an id of the
 * kernel. */
static void name_tools(struct stat_run *r)
{
	u64 last = 0;

	r->file.tool_ids = xcalloc(r->evlist->nr + 1, sizeof(*r->file.tool_ids));
	for (size_t i = 0; i < r->kevents.nr; i++)
		last = MAX(last, r->kevents.fds[i].id);
	for (size_t i = 0; i < r->evlist->nr; i++) {
		if (r->evlist->evsels[i]->nr_ids)
			continue;
		r->file.tool_ids[i] = ++last;
		evsel_add_id(r->evlist->evsels[i], last);
	}
}

static u64 file_mode(enum aggr_mode mode)
{
	for (u64 i = 0; i < STAT_FILE_MODES; i++)
		if (stat_file_modes[i] == mode)
			return i;
	return 1; /* all is one */
}

static void put_term(struct strbuf *terms, u64 tag, u64 value)
{
	u64 term[] = { tag, value };

	strbuf_add(terms, term, sizeof(term));
}

static void put_config(const struct stat_run *r, struct strbuf *out)
{
	struct strbuf terms = STRBUF_INIT;
	struct rec_stat_config c;

	put_term(&terms, TERM_MODE, file_mode(r->o->mode));
	put_term(&terms, TERM_INTERVAL, r->o->interval);
	put_term(&terms, TERM_SCALE, r->o->scale);
	if (r->o->mode == AGGR_CACHE)
		put_term(&terms, TERM_OWN, TERM_BY_CACHE | (u64)r->o->cache_level << 8);
	if (r->o->mode == AGGR_CLUSTER)
		put_term(&terms, TERM_OWN, TERM_BY_CLUSTER);
	for (size_t i = 0; r->o->mode == AGGR_CLUSTER && i < r->table.cpus.nr; i++)
		if (r->table.places[i].cluster >= 0)
			put_term(&terms, TERM_CLUSTERS + (u64)r->table.cpus.v[i],
				 (u64)r->table.places[i].cluster);
	c = (struct rec_stat_config){ .nr = terms.len / 16,
				      .terms = (const u64_una *)(const void *)terms.buf };
	enc_record(out, PERF_RECORD_STAT_CONFIG, 0, &c, NULL, NULL);
	strbuf_release(&terms);
}

static void collect(const struct stat_run *r, struct features *f)
{
	for (u32 bit = HEADER_HOSTNAME; bit <= HEADER_PMU_CAPS; bit++) {
		switch (bit) {
		case HEADER_VERSION:
			feature_string(features_add(f, bit), PERF_VERSION);
			break;
		case HEADER_CMDLINE:
			features_cmdline(f, r->o->file.argc, r->o->file.argv);
			break;
		case HEADER_EVENT_DESC:
			features_events(f, r->evlist);
			break;
		case HEADER_GROUP_DESC:
			features_groups(f, r->evlist);
			break;
		case HEADER_STAT:
			/* says by being there that this is one */
			features_add(f, bit);
			break;
		default:
			features_host(f, r->o->sysroot, bit);
		}
	}
}

static int write_head(struct stat_run *r, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(r->evlist);
	struct features f = { .nr = 0 };
	int rc = file_writer_start(&r->file.w, attrs, r->evlist->nr, err);

	if (!rc && r->file.w.pipe) {
		collect(r, &f);
		rc = file_writer_feature_records(&r->file.w, f.v, f.nr, err);
		features_release(&f);
	}
	free(attrs);
	return rc;
}

/* Write the map of what is counted; with --per-thread it has the threads' names. */
static void put_threads(const struct stat_run *r, struct strbuf *out)
{
	const char **names = xcalloc(r->table.tids.nr + 1, sizeof(*names));
	struct int_list child = { 0 };

	for (size_t i = 0; i < r->table.tids.nr; i++)
		names[i] = r->table.threads[i].comm;
	if (r->workload.pid && !r->table.tids.nr && !r->table.cpus.nr)
		int_list_add(&child, r->workload.pid);
	synth_thread_map(out, child.nr ? &child : &r->table.tids,
			 r->o->mode == AGGR_THREAD && r->table.tids.nr ? names : NULL);
	int_list_release(&child);
	free(names);
}

int stat_file_start(struct stat_run *r, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	if (!r->o->file.path || r->file.open)
		return 0;
	rc = file_writer_open(&r->file.w, r->o->file.path, err);
	if (rc)
		return rc;
	r->file.open = true;
	name_tools(r);
	rc = write_head(r, err);
	synth_event_update(&sb, r->evlist);
	put_threads(r, &sb);
	synth_cpu_map(&sb, &r->table.cpus);
	put_config(r, &sb);
	if (!rc)
		rc = file_writer_write(&r->file.w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	r->file.failed = rc;
	return rc;
}

static void put(struct stat_run *r, u32 type, const void *rec)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = { 0 };

	enc_record(&sb, type, 0, rec, NULL, NULL);
	if (!r->file.failed)
		r->file.failed = file_writer_write(&r->file.w, sb.buf, sb.len, &err);
	if (err.code)
		notice(&r->to.notes, "%s\n", err.msg);
	strbuf_release(&sb);
}

void stat_file_count(struct stat_run *r, const struct kfd *k, const struct kcount *c)
{
	struct rec_stat rec = { .id = k->id,
				.cpu = (u32)k->cpu,
				.value = c->val,
				.enabled = c->enabled,
				.running = c->running };

	if (!r->file.open || r->file.mute)
		return;
	if (r->table.tids.nr)
		rec.thread = map64_get(&r->table.tid_index, (u64)k->tid);
	put(r, PERF_RECORD_STAT, &rec);
}

void stat_file_round(struct stat_run *r, u64 time, bool final)
{
	struct rec_stat_round round = { final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL, time };

	if (!r->file.open)
		return;
	for (size_t i = 0; i < r->evlist->nr; i++) {
		size_t at = counts_index(&r->table.counts, i, 0, 0);
		const struct count *c = &r->table.counts.now[at];
		struct rec_stat rec = { .id = r->file.tool_ids[i],
					.cpu = r->table.cpus.nr ? (u32)r->table.cpus.v[0] : (u32)-1,
					.value = c->val,
					.enabled = c->enabled,
					.running = c->running };

		if (r->evlist->evsels[i]->tool && r->table.counts.there[at])
			put(r, PERF_RECORD_STAT, &rec);
	}
	put(r, PERF_RECORD_STAT_ROUND, &round);
	r->file.rounds++;
}

int stat_run_finish(struct stat_run *r, struct err *err)
{
	struct features f = { .nr = 0 };
	int rc = r->file.failed, closed;

	if (!r->file.open)
		return 0;
	r->file.open = false;
	if (!r->file.rounds) {
		/* nothing ran, as was told */
		file_writer_abort(&r->file.w);
		return -ENODATA;
	}
	if (!rc && !r->file.w.pipe) {
		collect(r, &f);
		rc = file_writer_finish(&r->file.w, f.v, f.nr, err);
		features_release(&f);
	}
	closed = file_writer_close(&r->file.w, rc ? NULL : err);
	return rc ? rc : closed;
}
