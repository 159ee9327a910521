// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat record: events as in any recording, then STAT records of every reading, and a
 * STAT_ROUND behind those of one moment. */
#include "base/compat.h"
#include "session/features.h"
#include "statrun/statrun.h"

#include "base/alloc.h"
#include "kernel/synth.h"
#include "perf-version.h"

#include <stdio.h>
#include <unistd.h>

void stat_file_configure(struct stat_cmd *s)
{
	for (size_t i = 0; i < s->evlist.nr; i++)
		s->evlist.evsels[i]->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
}

/* What perf counts by itself has no descriptor whose id the kernel would have made. */
static void name_tools(struct stat_cmd *s)
{
	u64 last = 0;

	s->file.tool_ids = xcalloc(s->evlist.nr + 1, sizeof(*s->file.tool_ids));
	for (size_t i = 0; i < s->kevents.nr; i++)
		last = MAX(last, s->kevents.fds[i].id);
	for (size_t i = 0; i < s->evlist.nr; i++) {
		if (s->evlist.evsels[i]->nr_ids)
			continue;
		s->file.tool_ids[i] = ++last;
		evsel_add_id(s->evlist.evsels[i], last);
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

static void put_config(const struct stat_cmd *s, struct strbuf *out)
{
	struct strbuf terms = STRBUF_INIT;
	struct rec_stat_config c;

	put_term(&terms, TERM_MODE, file_mode(s->mode));
	put_term(&terms, TERM_INTERVAL, s->interval);
	put_term(&terms, TERM_SCALE, s->scale);
	if (s->mode == AGGR_CACHE)
		put_term(&terms, TERM_OWN, TERM_BY_CACHE | (u64)s->cache_level << 8);
	if (s->mode == AGGR_CLUSTER)
		put_term(&terms, TERM_OWN, TERM_BY_CLUSTER);
	for (size_t i = 0; s->mode == AGGR_CLUSTER && i < s->cpus.nr; i++)
		if (s->places[i].cluster >= 0)
			put_term(&terms, TERM_CLUSTERS + (u64)s->cpus.v[i],
				 (u64)s->places[i].cluster);
	c = (struct rec_stat_config){ .nr = terms.len / 16,
				      .terms = (const u64_una *)(const void *)terms.buf };
	enc_record(out, PERF_RECORD_STAT_CONFIG, 0, &c, NULL, NULL);
	strbuf_release(&terms);
}

static void collect(const struct stat_cmd *s, struct features *f)
{
	for (u32 bit = HEADER_HOSTNAME; bit <= HEADER_PMU_CAPS; bit++) {
		switch (bit) {
		case HEADER_VERSION:
			feature_string(features_add(f, bit), PERF_VERSION);
			break;
		case HEADER_CMDLINE:
			features_cmdline(f, s->file.argc, s->file.argv);
			break;
		case HEADER_EVENT_DESC:
			features_events(f, &s->evlist);
			break;
		case HEADER_GROUP_DESC:
			features_groups(f, &s->evlist);
			break;
		case HEADER_STAT:
			/* says by being there that this is one */
			features_add(f, bit);
			break;
		default:
			features_host(f, &s->sysroot, bit);
		}
	}
}

static int write_head(struct stat_cmd *s, struct err *err)
{
	struct writer_attr *attrs = writer_attrs(&s->evlist);
	struct features f = { .nr = 0 };
	int rc = file_writer_start(&s->file.w, attrs, s->evlist.nr, err);

	if (!rc && s->file.w.pipe) {
		collect(s, &f);
		rc = file_writer_feature_records(&s->file.w, f.v, f.nr, err);
		features_release(&f);
	}
	free(attrs);
	return rc;
}

/* What is counted; with --per-thread what each is called, too. */
static void put_threads(const struct stat_cmd *s, struct strbuf *out)
{
	const char **names = xcalloc(s->tids.nr + 1, sizeof(*names));
	struct int_list child = { 0 };

	for (size_t i = 0; i < s->tids.nr; i++)
		names[i] = s->threads[i].comm;
	if (s->workload.pid && !s->tids.nr && !s->cpus.nr)
		int_list_add(&child, s->workload.pid);
	synth_thread_map(out, child.nr ? &child : &s->tids,
			 s->mode == AGGR_THREAD && s->tids.nr ? names : NULL);
	int_list_release(&child);
	free(names);
}

int stat_file_start(struct stat_cmd *s, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	if (!s->file.path || s->file.open)
		return 0;
	rc = file_writer_open(&s->file.w, s->file.path, err);
	if (rc)
		return rc;
	s->file.open = true;
	name_tools(s);
	rc = write_head(s, err);
	synth_event_update(&sb, &s->evlist);
	put_threads(s, &sb);
	synth_cpu_map(&sb, &s->cpus);
	put_config(s, &sb);
	if (!rc)
		rc = file_writer_write(&s->file.w, sb.buf, sb.len, err);
	strbuf_release(&sb);
	s->file.failed = rc;
	return rc;
}

static void put(struct stat_cmd *s, u32 type, const void *rec)
{
	struct strbuf sb = STRBUF_INIT;
	struct err err = { 0 };

	enc_record(&sb, type, 0, rec, NULL, NULL);
	if (!s->file.failed)
		s->file.failed = file_writer_write(&s->file.w, sb.buf, sb.len, &err);
	if (err.code)
		fprintf(stderr, "%s\n", err.msg);
	strbuf_release(&sb);
}

void stat_file_count(struct stat_cmd *s, const struct kfd *k, const struct kcount *c)
{
	struct rec_stat r = { .id = k->id,
			      .cpu = (u32)k->cpu,
			      .value = c->val,
			      .enabled = c->enabled,
			      .running = c->running };

	if (!s->file.open || s->file.mute)
		return;
	if (s->tids.nr)
		r.thread = map64_get(&s->tid_index, (u64)k->tid);
	put(s, PERF_RECORD_STAT, &r);
}

void stat_file_round(struct stat_cmd *s, u64 time, bool final)
{
	struct rec_stat_round round = { final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL, time };

	if (!s->file.open)
		return;
	for (size_t i = 0; i < s->evlist.nr; i++) {
		size_t at = counts_index(&s->counts, i, 0, 0);
		const struct count *c = &s->counts.now[at];
		struct rec_stat r = { .id = s->file.tool_ids[i],
				      .cpu = s->cpus.nr ? (u32)s->cpus.v[0] : (u32)-1,
				      .value = c->val,
				      .enabled = c->enabled,
				      .running = c->running };

		if (s->evlist.evsels[i]->tool && s->counts.there[at])
			put(s, PERF_RECORD_STAT, &r);
	}
	put(s, PERF_RECORD_STAT_ROUND, &round);
	s->file.rounds++;
}

int stat_file_end(struct stat_cmd *s)
{
	struct features f = { .nr = 0 };
	struct err err = { 0 };
	int rc = s->file.failed;

	if (!s->file.open)
		return 0;
	free(s->file.tool_ids);
	s->file.open = false;
	if (!s->file.rounds) {
		/* nothing ran, as was told */
		file_writer_abort(&s->file.w);
		return -1;
	}
	if (!rc && !s->file.w.pipe) {
		collect(s, &f);
		rc = file_writer_finish(&s->file.w, f.v, f.nr, &err);
		features_release(&f);
	}
	if (file_writer_close(&s->file.w, rc ? NULL : &err))
		rc = rc ? rc : err.code;
	if (err.code)
		fprintf(stderr, "%s\n", err.msg);
	return rc ? -1 : 0;
}
