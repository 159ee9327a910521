// SPDX-License-Identifier: GPL-2.0-or-later
/* Count samples as they come in the order of time, and hand them to the profile of a refresh. */
#include "base/compat.h"
#include "toprun/toprun-internal.h"

#include <errno.h>
#include <signal.h>

/* ---- records that are no samples ---- */

static int on_state(void *ctx, const struct session_event *ev, bool applied,
		    struct err *err __unused)
{
	struct toprun *t = ctx;

	/* a KSYMBOL record says all that is used of BPF programs */
	if (applied && !ev->guest && ev->hdr->type != PERF_RECORD_BPF_EVENT)
		state_log_add(&t->log, ev->hdr, ev->time);
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err __unused)
{
	struct toprun *t = ctx;
	struct rec_lost lost;

	/* what was overwritten is not missed */
	if (ev->hdr->type == PERF_RECORD_LOST && !t->conf.opts->overwrite &&
	    !rec_lost_decode(ev->hdr, ev->hdr->size, &lost))
		t->now.lost += lost.lost;
	return 0;
}

/* ---- samples ---- */

static void count_mode(struct toprun_numbers *n, const struct sample *s)
{
	n->samples++;
	n->kernel += s->cpumode == PERF_RECORD_MISC_KERNEL;
	n->user += s->cpumode == PERF_RECORD_MISC_USER;
	n->guest_kernel += s->cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
	n->guest_user += s->cpumode == PERF_RECORD_MISC_GUEST_USER;
	n->exact += !!(s->misc & PERF_RECORD_MISC_EXACT_IP);
}

/* Chains are completed now, as long as the process lives that they are of. */
static void complete_chain(struct toprun *t, const struct thread_at *at, struct sample *s)
{
	struct callchain c;

	if (!t->chain_sources.unwinder && !t->chain_sources.leaves)
		return;
	callchain_make(&t->chains, false, at->epoch, s, &c);
	s->callchain = c.ips;
	s->nr_callchain = c.nr;
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err __unused)
{
	struct toprun *t = ctx;
	struct sample s = *ev->sample;
	struct thread_at at;

	count_mode(&t->now, &s);
	if (!recording_switch_takes(&t->rec, ev))
		return 0;
	machine_thread_at(t->rec.machine, s.pid, s.tid, ev->time, &at);
	complete_chain(t, &at, &s);
	if (t->shares)
		shared_sample(&t->shared, t->rec.machine, &t->log, &s, &at);
	kept_add(&t->kept, ev, &s, &at);
	return 0;
}

const struct recording_ops counting_ops = {
	.formats = true,
	.state = on_state,
	.other = on_other,
	.sample = on_sample,
};

/* ---- start and end ---- */

static void open_chain_sources(struct toprun *t)
{
	const struct callchain_source from = { .machine = t->rec.machine,
					       .symbols = recording_symbols(&t->rec),
					       .arch = t->rec.session.file->env.arch,
					       .copies =
						       evlist_copies_stacks(&t->rec.session.evlist),
					       .unwind_style = t->rec.unwind_style };

	callchain_conf_open(&t->chain_sources, &from);
	t->chains.conf = &t->chain_sources;
}

/* Tell whether all that is shown of samples is where they were. */
static bool only_places(const struct hist_conf *conf, const struct evlist *l)
{
	u64 more = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_STACK_USER;

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & more)
			return false;
	return !conf->comms && !conf->cols.nr_keys &&
	       !(conf->cols.need & (NEED_COMM | NEED_THREAD));
}

void counting_start(struct toprun *t, size_t limit)
{
	const struct hist_conf *hist = hist_config(profile_hist(t->profile));
	const struct hist_columns *cols = &hist->cols;
	struct kept_conf conf = { .cpus = cols->need & NEED_CPU, .limit = limit };

	for (u32 i = 0; i < cols->nr_keys; i++)
		conf.raw |= cols->keys[i].key >= KEY_TRACE;
	kept_init(&t->kept, &conf, &t->rec.session.evlist);
	t->shares = only_places(hist, &t->rec.session.evlist);
	open_chain_sources(t);
}

void counting_release(struct toprun *t)
{
	callchain_maker_release(&t->chains);
	callchain_conf_close(&t->chain_sources);
	kept_release(&t->kept);
	state_log_release(&t->log);
	shared_release(&t->shared);
}

/* ---- a refresh ---- */

static bool hidden(const struct toprun_look *look, u8 mode)
{
	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL)
		return look->hide_kernel;
	return look->hide_user &&
	       (mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_GUEST_USER);
}

/* Return kept sample @i as an event, whose sample is *@s. */
static struct session_event kept_event(const struct toprun *t, size_t i, const struct sample *s)
{
	return (struct session_event){ .time = s->time,
				       .offset = i,
				       .evsel = t->rec.session.evlist.evsels[t->kept.v[i].evsel],
				       .sample = s };
}

/* Hand out the state that the profile has to know beside that of the machine. */
static void show_state(const struct toprun *t, struct profile *p)
{
	for (size_t i = 0; i < t->log.nr; i++)
		profile_take_state(p, state_log_record(&t->log, i), t->log.v[i].time);
}

void counting_show(struct toprun *t, struct profile *p, const struct toprun_look *look)
{
	if (t->conf.opts->sample.namespaces)
		show_state(t, p);
	for (size_t i = 0; i < t->kept.nr; i++) {
		struct sample s;
		u32 nr = kept_get(&t->kept, i, &s);
		struct session_event ev = kept_event(t, i, &s);

		if (nr && !hidden(look, s.cpumode))
			profile_take(p, &ev, nr);
	}
}

void toprun_each(struct toprun *t, toprun_sample_fn *fn, void *ctx)
{
	for (size_t i = 0; i < t->kept.nr; i++) {
		struct sample s;
		struct thread_at at;
		u32 nr = kept_get(&t->kept, i, &s);
		struct session_event ev = kept_event(t, i, &s);

		machine_thread_at(t->rec.machine, s.pid, s.tid, s.time, &at);
		if (nr)
			fn(ctx, &ev, nr, &at);
	}
}

/* ---- state without what has ended ---- */

static void thread_now(void *ctx, u32 pid, u32 tid, u64 time, struct thread_at *at)
{
	machine_thread_at(ctx, pid, tid, time, at);
}

/* Find the processes and threads that samples are of, and the ranges of objects (shared.h) that
 * they are in. */
static void find_needed(const struct kept *k, struct map64 *ids, struct map64 *ranges)
{
	struct sample s;

	for (size_t i = 0; i < k->nr; i++) {
		u32 range;

		if (!kept_get(k, i, &s))
			continue;
		map64_set(ids, s.pid, 1);
		map64_set(ids, s.tid, 1);
		range = shared_range(&s);
		if (range != MAP64_NONE)
			map64_set(ranges, range, 1);
	}
}

/* Tell whether a thread still runs. Without permission to send signals, too, that is told. */
static bool runs(u32 tid)
{
	return !kill((pid_t)tid, 0) || errno != ESRCH;
}

/* Drop records of what has ended. */
static void drop_ended(struct toprun *t)
{
	struct map64 ids = { 0 }, ranges = { 0 };
	bool lost = t->lost_total || t->now.lost;

	find_needed(&t->kept, &ids, &ranges);
	state_log_drop_ended(&t->log, &ids, lost ? runs : NULL);
	state_log_drop_superseded(&t->log, kept_oldest(&t->kept));
	if (t->shares)
		shared_forget(&t->shared, &t->log, &ranges);
	map64_release(&ids);
	map64_release(&ranges);
	callchain_maker_release(&t->chains);
	callchain_conf_close(&t->chain_sources);
}

/* Go on with the model that was made of the other records. */
static void go_on(struct toprun *t)
{
	shared_renew(&t->shared, t->rec.machine);
	kept_move(&t->kept, thread_now, t->rec.machine);
	open_chain_sources(t);
}

void counting_renew(struct toprun *t)
{
	drop_ended(t);
	recording_renew(&t->rec, state_log_apply, &t->log);
	go_on(t);
}

void counting_renew_tasks(struct toprun *t)
{
	struct machine *old;

	drop_ended(t);
	old = recording_renew_tasks(&t->rec, state_log_apply, &t->log);
	if (t->past)
		machine_free(old);
	else
		t->past = old;
	go_on(t);
}
