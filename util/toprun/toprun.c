// SPDX-License-Identifier: GPL-2.0-or-later
/* The life of a live profile: open, start, refresh, end. Counting is in counting.c. */
#include "base/compat.h"
#include "toprun/toprun-internal.h"
#include "toprun/overwritten.h"

#include "base/alloc.h"
#include "kernel/tracing.h"

#include <errno.h>
#include <poll.h>

#define QUEUE_LIMIT ((size_t)32 << 20) /* bytes of samples that may wait to be counted */
#define KEPT_LIMIT ((size_t)8 << 20)   /* bytes of kept samples; rows take ten times that */
#define READ_MS 100                    /* rings are read at least so often */
#define UNSEEN_LIMIT ((size_t)4 << 20) /* bytes of new state while there are no refreshes */

struct toprun *toprun_new(const struct toprun_conf *conf)
{
	struct toprun *t = xzalloc(sizeof(*t));

	t->conf = *conf;
	t->ev.sysroot = conf->sysroot;
	t->ev.list = conf->events;
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

/* End all threads, after what is in the rings was read. */
static void stop(struct toprun *t)
{
	kevents_enable(&t->ev.kevents, false);
	atomic_store(&t->stop, true);
	if (t->running)
		pthread_join(t->thread, NULL);
	t->running = false;
}

void toprun_free(struct toprun *t)
{
	stop(t);
	profile_drop(t->profile);
	machine_free(t->past);
	counting_release(t);
	if (t->opened)
		recording_close(&t->rec);
	raw_file_drop(&t->raw);
	opened_release(&t->ev);
	strbuf_release(&t->before);
	strbuf_release(&t->tracing);
	free(t->fds);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

int toprun_open(struct toprun *t, struct err *err)
{
	const struct toprun_conf *c = &t->conf;
	int rc = opened_find_target(&t->ev, c->opts, 0, err);

	if (rc)
		return rc;
	record_opts_events(c->opts, c->events);
	rc = opened_events(&t->ev, c->notes, false, NULL, err);
	return rc ? rc : opened_rings(&t->ev, c->opts, c->notes, err);
}

/* ---- the thread that reads the rings ---- */

/* One descriptor of each place is watched: that of an event that is everywhere. */
static void watch(struct toprun *t)
{
	const struct kevents *k = &t->ev.kevents;

	t->fds = xcalloc(k->nr + 1, sizeof(*t->fds));
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == 0)
			t->fds[t->nr_fds++] =
				(struct pollfd){ .fd = k->fds[i].fd, .events = POLLIN };
	t->live = t->nr_fds;
}

/* Wait until there is more in the rings. A descriptor hangs up when its thread has ended. */
static int wait_for_more(void *ctx, struct err *err __unused)
{
	struct toprun *t = ctx;

	if (!t->prioritized) {
		t->prioritized = true;
		realtime_set(t->conf.opts->ring.realtime, err);
	}
	poll(t->fds, t->nr_fds, (int)MIN(t->conf.refresh_ms, READ_MS));
	for (size_t i = 0; i < t->nr_fds; i++)
		if (t->fds[i].fd >= 0 && t->fds[i].revents & (POLLHUP | POLLERR)) {
			t->fds[i].fd = -1;
			atomic_fetch_sub(&t->live, 1);
		}
	return !atomic_load(&t->stop);
}

/* ---- the thread of the session ---- */

void toprun_lock(struct toprun *t)
{
	atomic_fetch_add(&t->wanted, 1);
	pthread_mutex_lock(&t->lock);
	atomic_fetch_sub(&t->wanted, 1);
	machine_seal(t->rec.machine);
}

void toprun_unlock(struct toprun *t)
{
	machine_unseal(t->rec.machine);
	pthread_mutex_unlock(&t->lock);
}

static void rest(void *ctx)
{
	struct toprun *t = ctx;

	pthread_mutex_unlock(&t->lock);
}

/* Whoever wants to look at the profile goes first, however many records wait. Nobody may look for
 * hours, while the rows stand still or a window is open: state is dropped meanwhile, too. */
static void work(void *ctx)
{
	struct toprun *t = ctx;

	while (atomic_load(&t->wanted))
		poll(NULL, 0, 1);
	pthread_mutex_lock(&t->lock);
	if (state_log_grown(&t->log) >= UNSEEN_LIMIT)
		counting_renew_tasks(t);
}

static void *run_session(void *ctx)
{
	struct toprun *t = ctx;

	pthread_mutex_lock(&t->lock);
	t->result = recording_samples(&t->rec, &counting_ops, t, 1, &t->err);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* Return the seconds of a clock since *@since, which is set to now. */
static double lap(clockid_t clock, struct timespec *since)
{
	const struct timespec then = *since;

	clock_gettime(clock, since);
	return (double)(since->tv_sec - then.tv_sec) +
	       (double)(since->tv_nsec - then.tv_nsec) / 1e9;
}

/* ---- the start ---- */

static int describe_existing(struct toprun *t, struct err *err)
{
	const struct record_opts *o = t->conf.opts;
	struct live_state state = {
		.sysroot = t->conf.sysroot,
		.layout = &evlist_side_band(t->ev.list)->layout,
		.tids = target_tasks(&o->target) ? &t->ev.tids : NULL,
		.mmap_data = o->sample.addr || o->sample.data_maps,
		.namespaces = o->sample.namespaces,
		.cgroups = o->sample.cgroups,
		.workers = (int)o->ring.synth_threads,
		.map_limit_ms = o->map_timeout,
	};

	return live_before(&state, &t->before, err);
}

static struct recording_facts facts_of(const struct toprun *t)
{
	return (struct recording_facts){ .opts = t->conf.opts,
					 .ev = &t->ev,
					 .progs = &t->no_progs,
					 .tracing = &t->tracing,
					 .clock = &t->no_clock };
}

static struct source *new_source(struct toprun *t)
{
	const struct live_conf live = {
		.rings = &t->ev.rings, .before = &t->before, .wait = wait_for_more, .ctx = t
	};
	struct source *src = live_source_new(&live);

	if (t->conf.opts->overwrite)
		src = overwritten_source(&t->ev.rings, src);
	return t->raw.open ? raw_file_source(&t->raw, src) : src;
}

static int open_recording(struct toprun *t, struct err *err)
{
	const struct behind_conf behind = {
		.from = new_source(t), .limit = QUEUE_LIMIT, .rest = rest, .work = work, .ctx = t
	};

	t->behind = behind_new(&behind, err);
	if (!t->behind)
		return err->code;
	recording_open_source(&t->rec, t->conf.source, t->conf.notes->always,
			      behind_source(t->behind), "the ring buffers", t->ev.list);
	t->opened = true;
	live_describe(t->rec.session.file, t->conf.sysroot);
	recording_symbols(&t->rec);
	return recording_prepare(&t->rec, err);
}

/* Texts and fields of tracepoints need their formats. */
static int take_formats(struct toprun *t, struct err *err)
{
	return opened_is_traced(&t->ev)
		       ? tracing_data(t->conf.sysroot, t->ev.list, &t->tracing, err)
		       : 0;
}

static int start_file(struct toprun *t, struct err *err)
{
	const struct recording_facts facts = facts_of(t);

	return t->conf.record ? raw_file_start(&t->raw, t->conf.record, &facts, err) : 0;
}

int toprun_finish(struct toprun *t, struct err *err)
{
	const struct recording_facts facts = facts_of(t);

	stop(t);
	if (t->result < 0) {
		*err = t->err;
		return t->result;
	}
	return raw_file_finish(&t->raw, &facts, err);
}

int toprun_start(struct toprun *t, struct err *err)
{
	int rc = describe_existing(t, err);

	/* threads inherit it: what is shown is to be of now, also on a busy machine */
	priority_raise(&t->priority);
	evlist_index(t->ev.list);
	watch(t);
	rc = rc ?: take_formats(t, err);
	rc = rc ?: start_file(t, err);
	rc = rc ?: open_recording(t, err);
	if (!rc && t->tracing.len)
		perf_file_set_tracing(t->rec.session.file, t->tracing.buf, t->tracing.len);
	rc = rc ?: recording_bind_switch(&t->rec, err);
	if (rc)
		return rc;
	t->profile = profile_new(t->conf.asked, &t->rec);
	rc = profile_start(t->profile, err);
	if (rc)
		return rc;
	counting_start(t, KEPT_LIMIT);
	lap(CLOCK_MONOTONIC, &t->since);
	lap(CLOCK_PROCESS_CPUTIME_ID, &t->cpu_since);
	kevents_enable(&t->ev.kevents, true);
	rc = pthread_create(&t->thread, NULL, run_session, t);
	if (rc)
		return err_set(err, -rc, "no thread to count samples: %s", err_str(-rc));
	t->running = true;
	return 0;
}

const struct opened *toprun_target(const struct toprun *t)
{
	return &t->ev;
}

struct recording *toprun_recording(struct toprun *t)
{
	return &t->rec;
}

/* ---- a refresh ---- */

static void take_numbers(struct toprun *t, struct toprun_numbers *out)
{
	u64 dropped = behind_dropped(t->behind) + t->kept.dropped;

	*out = t->now;
	out->seconds = lap(CLOCK_MONOTONIC, &t->since);
	out->cpu = lap(CLOCK_PROCESS_CPUTIME_ID, &t->cpu_since);
	out->lost_total = t->lost_total += out->lost;
	out->dropped = dropped - t->dropped_total;
	out->dropped_total = t->dropped_total = dropped;
	t->now = (struct toprun_numbers){ 0 };
}

/* There is no profile any more that was made before. */
static void forget_past(struct toprun *t)
{
	machine_free(t->past);
	t->past = NULL;
}

/* Drop what is known of processes that have ended, when there is much of it. */
static void renew_state(struct toprun *t)
{
	if (!state_log_is_long(&t->log))
		return;
	machine_unseal(t->rec.machine);
	counting_renew(t);
	machine_seal(t->rec.machine);
}

void toprun_age(struct toprun *t, bool zero)
{
	if (zero)
		kept_clear(&t->kept);
	else
		kept_age(&t->kept);
}

/* Return a profile of what is kept; NULL and a sentence. */
static struct profile *count(struct toprun *t, const struct toprun_look *look, struct err *err)
{
	struct profile *p = profile_new(look->asked ? look->asked : t->conf.asked, &t->rec);

	if (profile_take_threads(p, err) || profile_start(p, err)) {
		profile_drop(p);
		return NULL;
	}
	counting_show(t, p, look);
	profile_finish(p);
	return p;
}

struct stacks *toprun_stacks(struct toprun *t, const struct toprun_look *look, struct err *err)
{
	struct profile_options asked = look->asked ? *look->asked : *t->conf.asked;
	struct toprun_look of_stacks = *look;
	struct profile *p;
	struct stacks *s;

	profile_ask_stacks(&asked);
	of_stacks.asked = &asked;
	p = count(t, &of_stacks, err);
	if (!p)
		return NULL;
	s = profile_stacks(p, true);
	profile_drop(p);
	return s;
}

int toprun_refresh(struct toprun *t, const struct toprun_look *look, struct toprun_view *view,
		   struct err *err)
{
	struct profile *p;

	if (t->result < 0) {
		*err = t->err;
		return t->result;
	}
	if (!look->again) {
		profile_drop(t->profile);
		t->profile = NULL;
		renew_state(t);
	}
	p = count(t, look, err);
	if (!p)
		return err->code;
	hist_keep_comms(profile_hist(p));
	profile_drop(t->profile);
	forget_past(t);
	view->profile = t->profile = p;
	view->ended = t->nr_fds && !atomic_load(&t->live);
	if (look->again)
		return 0;
	toprun_age(t, look->zero);
	take_numbers(t, &view->numbers);
	return 0;
}
