// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "base/hash.h"

#include "auxsamples/auxsamples-internal.h"
#include "auxsamples/spe-source.h"
#include "file/scratch.h"
#include "session/rewrite.h"
#include "wire/encode.h"

#define NONE ((u32)-1)
#define ID_DISTANCE 1000000000 /* from the id of the event that recorded, as in perf 6.1 */

/* An event that is made: the letter that asks for it, and which records count for it. */
static const struct made_event {
	const char *name;
	char letter;
	u64 mask; /* of SPE_EV_*; 0: accesses to memory, or any operation */
} made[] = {
	{ "l1d-miss", 'f', SPE_EV_L1D_REFILL },
	{ "l1d-access", 'f', SPE_EV_L1D_ACCESS },
	{ "llc-miss", 'm', SPE_EV_LLC_REFILL },
	{ "llc-access", 'm', SPE_EV_LLC_ACCESS },
	{ "tlb-miss", 't', SPE_EV_TLB_REFILL },
	{ "tlb-access", 't', SPE_EV_TLB_ACCESS },
	{ "branch-miss", 'b', SPE_EV_MISPRED },
	{ "remote-access", 'a', SPE_EV_REMOTE },
	{ "memory", 'M', 0 },
	{ "instructions", 'i', 0 },
};

#define BY_DEFAULT "fmtbaM"

struct made_sample {
	u64 time, seq; /* those of one time stay in the order of the traces */
	u32 pid, tid, cpu;
	struct spe_record rec;
};

struct making {
	struct aux_survey sv;
	struct perf_event_attr attr; /* of all events that are made */
	struct wire_layout layout;
	struct writer_attr events[ARRAY_SIZE(made)];
	struct perf_event_attr attrs[ARRAY_SIZE(made)];
	u64 ids[ARRAY_SIZE(made)];
	const struct made_event *of[ARRAY_SIZE(made)];
	size_t nr_events;
	bool numbered;            /* see spe_numbers_sources() */
	u64 interval, operations; /* operations in a sample of instructions, and so far */
	struct made_sample *v;    /* owned; in the order of time */
	size_t nr, cap, next;
	u64 bad; /* bytes that are no packet */
	struct strbuf out;
	const struct aux_samples_conf *conf;
	size_t first; /* number of the first event that is made, in the recording */
	char *dir;    /* owned; for files that do not stay; NULL: there are none yet */
};

/* ------------------------------------------------------------------ from traces to records */

/* Source of the conversion: the comments on struct perf_event_mmap_page in linux/perf_event.h. */
static u64 to_time(const struct rec_time_conv *c, u64 count)
{
	u64 low;

	if (!c->mult || c->shift > 63)
		return count;
	if (c->cap_short)
		count = c->cycles + ((count - c->cycles) & c->mask);
	low = count & (((u64)1 << c->shift) - 1);
	return c->zero + (count >> c->shift) * c->mult + (low * c->mult >> c->shift);
}

static void set_task(const struct making *m, const struct aux_trace *t, struct made_sample *s)
{
	u32 pid;

	s->tid = s->rec.has_context ? (u32)s->rec.context : t->tid;
	if (s->tid == NONE) {
		aux_survey_task(&m->sv, t->cpu, s->time, &s->pid, &s->tid);
		return;
	}
	pid = map64_get(&m->sv.pids, s->tid);
	s->pid = pid == MAP64_NONE ? s->tid : pid;
}

static void decode_trace(struct making *m, const struct aux_trace *t)
{
	struct made_sample s = { .cpu = t->cpu == NONE ? 0 : t->cpu };
	size_t at = 0;
	u64 last = 0;

	while (spe_record_next(t->bytes, &at, t->size, &s.rec, &m->bad)) {
		if (!s.rec.pc && !s.rec.events) /* an end behind padding */
			continue;
		last = s.rec.time ? to_time(&m->sv.conv, s.rec.time) : last;
		s.time = last;
		s.seq = m->nr;
		set_task(m, t, &s);
		VEC_GROW(m->v, m->nr + 1, m->cap);
		m->v[m->nr++] = s;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct made_sample *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time ? 1 : -1)
				  : (x->seq > y->seq) - (x->seq < y->seq);
}

/* ------------------------------------------------------------------ which events */

static bool wanted(const struct itrace_option *asked, char letter)
{
	const char *l = asked->letters && *asked->letters ? asked->letters : BY_DEFAULT;

	return strchr(l, letter) || (letter == 'b' && strchr(l, 'r'));
}

/* Return the number of operations for a sample of instructions: "i10i"; 1 without a number. */
static u64 interval_of(const char *letters)
{
	const char *i = letters ? strchr(letters, 'i') : NULL;
	u64 n = i ? strtoull(i + 1, NULL, 10) : 0;

	return n ? n : 1;
}

static void choose_events(struct making *m, const struct session *s,
			  const struct itrace_option *asked)
{
	const struct evsel *from = s->evlist.evsels[0];
	u64 id;

	for (size_t i = 0; i < s->evlist.nr; i++)
		if (s->evlist.evsels[i]->attr.type == m->sv.pmu)
			from = s->evlist.evsels[i];
	m->attr = (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(m->attr),
		.sample_type =
			(from->attr.sample_type &
			 (PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_ID |
			  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PHYS_ADDR)) |
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT,
		.sample_id_all = from->attr.sample_id_all,
		.exclude_user = from->attr.exclude_user,
		.exclude_kernel = from->attr.exclude_kernel,
		.exclude_hv = from->attr.exclude_hv,
		.exclude_host = from->attr.exclude_host,
		.exclude_guest = from->attr.exclude_guest,
	};
	layout_init(&m->layout, &m->attr);
	m->interval = interval_of(asked->letters);
	id = (from->nr_ids ? from->ids[0] : 0) + ID_DISTANCE;
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		size_t k = m->nr_events;

		if (!wanted(asked, made[i].letter))
			continue;
		m->ids[k] = id + k;
		m->of[k] = &made[i];
		m->attrs[k] = m->attr;
		if (made[i].letter == 'i')
			m->attrs[k].config = PERF_COUNT_HW_INSTRUCTIONS;
		m->events[k] = (struct writer_attr){
			.attr = &m->attrs[k], .ids = &m->ids[k], .nr_ids = 1, .name = made[i].name
		};
		m->nr_events++;
	}
}

/* ------------------------------------------------------------------ from records to samples */

static bool counts_for(struct making *m, const struct made_event *e, const struct spe_record *r)
{
	if (e->mask)
		return r->events & e->mask;
	if (e->letter == 'M')
		return r->op_class == SPE_OP_MEMORY;
	return m->operations % m->interval == 0;
}

/* Write the samples of one record. */
static void write_samples(struct making *m, struct rewrite *rw, const struct made_sample *from)
{
	const struct spe_record *r = &from->rec;
	struct sample s = {
		.misc = r->level ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.pid = from->pid,
		.tid = from->tid,
		.cpu = from->cpu,
		.time = from->time,
		.ip = r->pc,
		.phys_addr = r->phys,
		.weight = r->latency,
	};
	u64 source = spe_data_src(r, m->numbered);

	m->operations++;
	for (size_t i = 0; i < m->nr_events; i++) {
		if (!counts_for(m, m->of[i], r))
			continue;
		s.addr = m->of[i]->mask == SPE_EV_MISPRED ? r->target : r->addr;
		s.data_src = m->of[i]->mask == SPE_EV_MISPRED ? 0 : source;
		s.id = s.stream_id = m->ids[i];
		s.period = m->of[i]->letter == 'i' ? m->interval : 1;
		strbuf_reset(&m->out);
		if (!enc_sample(&m->out, &m->layout, &s))
			rewrite_insert_as(rw, m->out.buf, &m->layout);
	}
}

/* The kernel tells of traces in records of these types. */
static bool is_about_trace(u32 type)
{
	return type == PERF_RECORD_AUX || type == PERF_RECORD_ITRACE_START ||
	       type == PERF_RECORD_AUX_OUTPUT_HW_ID;
}

/* Samples stand before the first record that is later. */
static int on_record(void *ctx, struct rewrite *rw, const struct session_event *ev, struct err *err)
{
	struct making *m = ctx;

	for (; m->next < m->nr && m->v[m->next].time < ev->time; m->next++)
		write_samples(m, rw, &m->v[m->next]);
	return m->conf->in_place && is_about_trace(ev->hdr->type) ? REWRITE_DROP : REWRITE_KEEP;
}

/* Samples stand for the traces. */
static bool is_trace(u32 type)
{
	return type == PERF_RECORD_AUXTRACE_INFO || type == PERF_RECORD_AUXTRACE ||
	       type == PERF_RECORD_AUXTRACE_ERROR;
}

/* Nor is there an index of them. */
static bool stays(u32 bit, u8 *body, size_t size)
{
	return bit != HEADER_AUXTRACE;
}

static int write_file(struct making *m, struct session *s, const char *path, struct err *err)
{
	static const struct rewrite_ops ops = { .record = on_record };
	static const struct rewrite_about no_traces = { .drops = is_trace, .body = stays };
	const struct rewrite_conf conf = { .about = m->conf->in_place ? &no_traces : NULL,
					   .added = m->events,
					   .nr_added = m->nr_events };
	struct rewrite rw;
	int ret = rewrite_open(&rw, s, path, &conf, err);

	if (ret)
		return ret;
	ret = rewrite_ordered(&rw, &ops, m, err);
	for (; !ret && m->next < m->nr; m->next++)
		write_samples(m, &rw, &m->v[m->next]);
	if (!ret)
		ret = rewrite_finish(&rw, err);
	rewrite_close(&rw);
	return ret;
}

static int need_folder(struct making *m, struct err *err)
{
	return m->dir ? 0 : scratch_make("perf-traces-", &m->dir, err);
}

/* Put a session in the place of another one. It is called by the name of the recording. */
static void take_place(struct session *s, struct session *other)
{
	char *name = other->file->path;

	other->forced = s->forced;
	other->file->path = s->file->path;
	s->file->path = name;
	session_close(s);
	*s = *other;
}

/* Write samples, and traces unless they are left out, to a file which replaces the session. */
static int replace(struct making *m, struct session *s, struct session *from, struct err *err)
{
	struct session with_samples;
	char *path;
	int ret = need_folder(m, err);

	if (ret)
		return ret;
	path = xasprintf("%s/samples", m->dir);
	ret = write_file(m, from, path, err);
	if (!ret)
		ret = session_open(&with_samples, path, true, err);
	m->first = from->evlist.nr;
	if (!ret)
		take_place(s, &with_samples);
	free(path);
	return ret ? ret : 1;
}

/* ------------------------------------------------------------------ streams, folders */

/* Traces can be looked through where a recording is one file that is not compressed. */
static bool is_plain(const struct perf_file *f)
{
	return !f->pipe && !f->nr_parts && !perf_file_has_feature(f, HEADER_COMPRESSED);
}

/* Tell whether a recording that is not plain may have traces. */
static bool may_have_traces(const struct session *s)
{
	if (s->file->swap)
		return false;
	return s->file->pipe ? aux_survey_ahead(s)
			     : perf_file_has_feature(s->file, HEADER_AUXTRACE);
}

/* Write a recording again as a plain file, or a stream into one, and open that. */
static int copy(struct making *m, struct session *s, struct session *out, struct err *err)
{
	struct rewrite rw;
	char *path;
	int ret = need_folder(m, err);

	if (ret)
		return ret;
	path = xasprintf("%s/plain", m->dir);
	ret = rewrite_open(&rw, s, path, NULL, err);
	if (!ret) {
		ret = s->file->pipe ? rewrite_copy(&rw, NULL, NULL, err)
				    : rewrite_ordered(&rw, NULL, NULL, err);
		if (!ret)
			ret = rewrite_finish(&rw, err);
		rewrite_close(&rw);
	}
	if (!ret)
		ret = session_open(out, path, true, err);
	free(path);
	return ret;
}

/* Make samples of the traces of @from, whose events are those of @s. Return: as aux_samples_open().
 */
static int make_samples(struct making *m, struct session *s, struct session *from, struct err *err)
{
	int ret = 0;

	if (!aux_survey(&m->sv, s, from->file))
		return 0;
	m->numbered = spe_numbers_sources(s->file->env.cpuid);
	for (size_t i = 0; i < m->sv.nr_traces; i++)
		decode_trace(m, &m->sv.traces[i]);
	if (m->bad)
		notice(m->conf->notices,
		       "Warning:\n%" PRIu64
		       " bytes of the traces of %s are damaged; samples that they hold are missing.\n",
		       m->bad, s->file->path);
	if (m->nr)
		qsort(m->v, m->nr, sizeof(*m->v), by_time);
	choose_events(m, s, m->conf->asked);
	if (m->nr_events)
		ret = replace(m, s, from, err);
	aux_survey_release(&m->sv);
	return ret;
}

/* Make samples of a recording that is not plain. */
static int make_samples_of_copy(struct making *m, struct session *s, struct err *err)
{
	struct session plain;
	int ret = copy(m, s, &plain, err);

	if (ret)
		return ret;
	ret = make_samples(m, s, &plain, err);
	if (ret || !s->file->pipe) { /* files without traces stay as they are */
		session_close(&plain);
		return ret;
	}
	/* The stream has been read: its copy, to which no event was added, is what there is. */
	m->first = plain.evlist.nr;
	take_place(s, &plain);
	return 1;
}

int aux_samples_open(struct session *s, const struct aux_samples_conf *conf, size_t *first,
		     struct err *err)
{
	struct making m = { .out = STRBUF_INIT, .conf = conf };
	const bool plain = is_plain(s->file);
	int ret;

	if (conf->asked->none || (!plain && !may_have_traces(s)))
		return 0;
	ret = plain ? make_samples(&m, s, s, err) : make_samples_of_copy(&m, s, err);
	if (m.dir)
		scratch_remove(m.dir); /* what is open stays readable */
	*first = m.first;
	free(m.dir);
	free(m.v);
	strbuf_release(&m.out);
	return ret;
}
