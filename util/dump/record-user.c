// SPDX-License-Identifier: GPL-2.0-or-later
/* Print records that recorders write about themselves. */
#include "base/compat.h"
#include "base/cur.h"
#include "dump/record-internal.h"

int put_id_index(const void *rec, size_t size, const struct record_about *about, struct strbuf *out)
{
	struct rec_id_index x;

	(void)about;
	if (rec_id_index_decode(rec, size, &x))
		return -EINVAL;
	strbuf_addf(out, " nr: %" PRIu64 "\n", x.nr);
	for (u64 i = 0; i < x.nr; i++) {
		const u64_una *e = x.entries + 4 * i, *g = x.guests ? x.guests + 2 * i : NULL;

		strbuf_addf(out,
			    " ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64
			    "  tid: %" PRId64,
			    (u64)e[0], (u64)e[1], (s64)e[2], (s64)e[3]);
		if (g)
			strbuf_addf(out, "  machine_pid: %" PRId64 "  vcpu: %" PRId64, (s64)g[0],
				    (s64)g[1]);
		strbuf_addch(out, '\n');
	}
	return 0;
}

/* ------------------------------------------------------------------ what was measured */

int put_thread_map(const void *rec, size_t size, const struct record_about *about,
		   struct strbuf *out)
{
	struct rec_thread_map m;
	const char *comm;

	(void)about;
	if (rec_thread_map_decode(rec, size, &m))
		return -EINVAL;
	strbuf_addf(out, " nr: %" PRIu64 " thread%s: ", m.nr, m.nr > 1 ? "s" : "");
	for (u64 i = 0; i < m.nr; i++)
		strbuf_addf(out, "%s%d", i ? ", " : "", (s32)rec_thread_map_entry(&m, i, &comm));
	strbuf_addch(out, '\n');
	return 0;
}

static void end_range(struct strbuf *out, s32 first, s32 last)
{
	if (last > first)
		strbuf_addf(out, "-%d", last);
}

/* Append a list of CPUs such as "0-3,8". */
static void put_cpus(const struct rec_cpu_map *m, struct strbuf *out)
{
	s32 first = 0, last = 0, cpu;
	bool any = false;
	u32 pos = 0;

	while (rec_cpu_map_next(m, &pos, &cpu)) {
		if (any && cpu == last + 1 && first >= 0) {
			last = cpu;
			continue;
		}
		if (any)
			end_range(out, first, last);
		strbuf_addf(out, "%s%d", any ? "," : "", cpu);
		first = last = cpu;
		any = true;
	}
	if (any)
		end_range(out, first, last);
}

int put_cpu_map(const void *rec, size_t size, const struct record_about *about, struct strbuf *out)
{
	struct rec_cpu_map m;

	(void)about;
	if (rec_cpu_map_decode(rec, size, &m))
		return -EINVAL;
	strbuf_addstr(out, ": ");
	put_cpus(&m, out);
	strbuf_addch(out, '\n');
	return 0;
}

int put_event_update(const void *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	struct rec_event_update u;

	(void)about;
	if (rec_event_update_decode(rec, size, &u)) {
		struct cur c = cur_make(rec, size, false);

		cur_skip(&c, sizeof(struct perf_event_header));
		u.kind = cur_u64(&c);
		u.id = cur_u64(&c);
		if (!cur_ok(&c) || u.kind <= EVENT_UPDATE_CPUS)
			return -EINVAL;
	}
	strbuf_addf(out, "\n... id:    %" PRIu64 "\n", u.id);
	switch (u.kind) {
	case EVENT_UPDATE_SCALE:
		strbuf_addf(out, "... scale: %f\n", u.scale);
		break;
	case EVENT_UPDATE_UNIT:
	case EVENT_UPDATE_NAME:
		strbuf_addstr(out, u.kind == EVENT_UPDATE_UNIT ? "... unit:  " : "... name:  ");
		strbuf_addname(out, u.text);
		strbuf_addch(out, '\n');
		break;
	case EVENT_UPDATE_CPUS:
		strbuf_addstr(out, "... ");
		put_cpus(&u.cpus, out);
		strbuf_addch(out, '\n');
		break;
	default:
		strbuf_addstr(out, "... unknown type\n");
	}
	return 0;
}

/* ------------------------------------------------------------------ counts */

/* Append the words that a recorder may write, in a fixed order. */
int put_stat_config(const void *rec, size_t size, const struct record_about *about,
		    struct strbuf *out)
{
	static const char *const names[] = { "aggr_mode", "interval ", "scale    ", "aggr_level" };
	static const u8 order[] = { 0, 2, 1 };
	struct rec_stat_config c;
	u64 value[ARRAY_SIZE(names)] = { 0 };

	if (rec_stat_config_decode(rec, size, &c))
		return -EINVAL;
	if (about->style == RECORD_SCRIPT)
		return 0;
	for (u64 i = 0; i < c.nr; i++) {
		if (c.terms[2 * i] < ARRAY_SIZE(names))
			value[c.terms[2 * i]] = c.terms[2 * i + 1];
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		strbuf_addf(out, "... %s %" PRIu64 "\n", names[order[i]], value[order[i]]);
	return 0;
}

int put_stat(const void *rec, size_t size, const struct record_about *about, struct strbuf *out)
{
	struct rec_stat s;

	if (rec_stat_decode(rec, size, &s))
		return -EINVAL;
	if (about->style != RECORD_SCRIPT)
		strbuf_addf(out,
			    "\n... id %" PRIu64 ", cpu %d, thread %d\n... value %" PRIu64
			    ", enabled %" PRIu64 ", running %" PRIu64 "\n",
			    s.id, (s32)s.cpu, (s32)s.thread, s.value, s.enabled, s.running);
	return 0;
}

int put_stat_round(const void *rec, size_t size, const struct record_about *about,
		   struct strbuf *out)
{
	struct rec_stat_round r;

	if (rec_stat_round_decode(rec, size, &r))
		return -EINVAL;
	if (about->style != RECORD_SCRIPT)
		strbuf_addf(out, "\n... time %" PRIu64 ", type %s\n", r.time,
			    r.type == STAT_ROUND_FINAL ? "FINAL" : "INTERVAL");
	return 0;
}

/* ------------------------------------------------------------------ clocks */

int put_time_conv(const void *rec, size_t size, const struct record_about *about,
		  struct strbuf *out)
{
	struct rec_time_conv t;

	if (rec_time_conv_decode(rec, size, &t))
		return -EINVAL;
	strbuf_addf(out,
		    "\n... Time Shift      %" PRIu64 "\n... Time Muliplier  %" PRIu64
		    "\n... Time Zero       %" PRIu64 "\n",
		    t.shift, t.mult, t.zero);
	if (t.has_cycles)
		strbuf_addf(out,
			    "... Time Cycles     %" PRIu64 "\n... Time Mask       %#" PRIx64
			    "\n... Cap Time Zero   %d\n... Cap Time Short  %d\n",
			    t.cycles, t.mask, t.cap_zero, t.cap_short);
	if (about->style)
		strbuf_addstr(out, ": unhandled!\n");
	return 0;
}

/* ------------------------------------------------------------------ later recorders */

int put_bpf_metadata(const void *rec, size_t size, const struct record_about *about,
		     struct strbuf *out)
{
	struct rec_bpf_metadata m;
	const char *key, *value;
	char text[257];

	(void)about;
	if (rec_bpf_metadata_decode(rec, size, &m))
		return -EINVAL;
	strbuf_addstr(out, " prog ");
	strbuf_addname(out, m.name);
	for (u64 i = 0; i < m.nr; i++) {
		rec_bpf_metadata_entry(&m, i, &key, &value);
		strbuf_addf(out, "\n  entry %" PRIu64 ": ", i);
		snprintf(text, sizeof(text), "%.64s", key);
		strbuf_addname(out, text);
		strbuf_addstr(out, " = ");
		snprintf(text, sizeof(text), "%.256s", value);
		strbuf_addname(out, text);
	}
	strbuf_addch(out, '\n');
	return 0;
}

/* The counters are printed as in /proc/schedstat, so that a line can be compared with it. */
int put_schedstat_cpu(const void *rec, size_t size, const struct record_about *about,
		      struct strbuf *out)
{
	struct rec_schedstat_cpu s;

	(void)about;
	if (rec_schedstat_cpu_decode(rec, size, &s))
		return -EINVAL;
	strbuf_addf(out, " version %u, timestamp %" PRIu64 ": cpu%u", s.version, s.time, s.cpu);
	if (schedstat_known(s.version))
		strbuf_addf(out, " %u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			    s.yld_count, s.array_exp, s.sched_count, s.sched_goidle, s.ttwu_count,
			    s.ttwu_local, s.rq_cpu_time, s.run_delay, s.pcount);
	else
		strbuf_addf(out, ", %" PRIu64 " bytes\n", s.size);
	return 0;
}

int put_schedstat_domain(const void *rec, size_t size, const struct record_about *about,
			 struct strbuf *out)
{
	struct rec_schedstat_domain s;

	(void)about;
	if (rec_schedstat_domain_decode(rec, size, &s))
		return -EINVAL;
	strbuf_addf(out, " version %u, timestamp %" PRIu64 ": cpu%u domain%u", s.version, s.time,
		    s.cpu, s.domain);
	for (u64 i = 0; i < s.nr; i++)
		strbuf_addf(out, " %u", s.counts[i]);
	strbuf_addch(out, '\n');
	return 0;
}
