// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run of perf stat: open, start, wait, read, add up. The window that is measured has nothing in
 * it but the start of the command and waiting.
 */
#include "base/compat.h"
#include "statrun/statrun.h"
#include "cmd/common/message.h"

#include "base/alloc.h"
#include "base/cpuid.h"
#include "kernel/count.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAIL 255

/* --- what is looked at ---------------------------------------------------------- */

static int find_target(struct stat_cmd *s, struct err *err)
{
	const struct sysroot *sr = &s->sysroot;
	int rc = target_threads(&s->target, sr, &s->tids, err);

	if (rc)
		return rc;
	if (s->mode == AGGR_THREAD && !s->tids.nr)
		return thread_list_all(sr, &s->tids, err);
	if (s->target.cpus)
		return cpu_list_target(sr, s->target.cpus, &s->cpus, err);
	if (s->target.all_cpus || s->bpf.progs)
		return cpu_list_online(sr, &s->cpus, err);
	return 0;
}

/* What perf ends with when there is no such target: as the reference does. */
static int target_status(const struct stat_cmd *s, int rc)
{
	return rc == -EINVAL || (rc == -ESRCH && s->target.pids) ? (u8)-EINVAL : FAIL;
}

static void name_threads(struct stat_cmd *s)
{
	s->threads = xcalloc(MAX(s->tids.nr, (size_t)1), sizeof(*s->threads));
	for (size_t i = 0; i < s->tids.nr; i++) {
		struct strbuf sb = STRBUF_INIT;

		if (!sysroot_read(&s->sysroot, &sb, "/proc/%d/comm", s->tids.v[i]))
			sb.buf[strcspn(sb.buf, "\n")] = 0;
		s->threads[i] = (struct stat_thread){ s->tids.v[i], strbuf_detach(&sb) };
	}
}

/* --per-cache is of caches that are known. */
static int check_caches(const struct stat_cmd *s, struct err *err)
{
	for (size_t i = 0; s->mode == AGGR_CACHE && i < s->cpus.nr; i++)
		if (s->places[i].cache < 0)
			return err_set(err, -ENOENT,
				       "CPU %d has no cache%s%.0d that the kernel tells of: "
				       "see /sys/devices/system/cpu/cpu%d/cache",
				       s->cpus.v[i], s->cache_level ? " of level " : "",
				       s->cache_level, s->cpus.v[i]);
	return 0;
}

static int find_places(struct stat_cmd *s, struct err *err)
{
	s->places = xcalloc(MAX(s->cpus.nr, (size_t)1), sizeof(*s->places));
	for (size_t i = 0; i < s->cpus.nr; i++) {
		cpu_place_read(&s->sysroot, s->cpus.v[i], s->cache_level, &s->places[i]);
		map64_set(&s->cpu_index, (u64)s->cpus.v[i], (u32)i);
	}
	return check_caches(s, err);
}

static void index_places(struct stat_cmd *s)
{
	size_t nr_cpus = MAX(s->cpus.nr, (size_t)1);

	for (size_t i = 0; i < s->tids.nr; i++)
		map64_set(&s->tid_index, (u64)s->tids.v[i], (u32)i);
	name_threads(s);
	s->view.threads = s->threads;
	s->view.nr_cpus = (u32)nr_cpus;
	aggr_map_init(&s->ids, s->mode, s->places, nr_cpus, MAX(s->tids.nr, (size_t)1));
	counts_init(&s->counts, s->evlist.nr, nr_cpus,
		    s->mode == AGGR_THREAD ? MAX(s->tids.nr, (size_t)1) : 1);
	s->unsupported = xcalloc(MAX(s->evlist.nr, (size_t)1), sizeof(*s->unsupported));
	stat_result_init(&s->result, &s->evlist, &s->ids, s->unsupported);
	s->result.metrics = &s->chosen.shown;
	if (!s->ev.apart)
		stat_result_merge(&s->result, s->ev.merge_all);
}

/* --- counts --------------------------------------------------------------------- */

static void take_count(void *ctx, const struct kfd *k, const struct kcount *c)
{
	struct stat_cmd *s = ctx;
	u32 cpu = s->cpus.nr ? map64_get(&s->cpu_index, (u64)k->cpu) : 0;
	u32 thread = s->counts.nr_threads > 1 ? map64_get(&s->tid_index, (u64)k->tid) : 0;
	size_t i = counts_index(&s->counts, k->evsel, cpu, thread);
	struct count *n = &s->counts.now[i];

	stat_file_count(s, k, c);
	if (s->verbose > 1)
		fprintf(s->out, "%s: %d: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			s->evlist.evsels[k->evsel]->name, k->cpu, c->val, c->enabled, c->running);
	n->val += c->val;
	n->enabled += c->enabled;
	n->running += c->running;
	s->counts.there[i] = true;
}

/* What is measured by the command itself. */
static void take_tool_events(struct stat_cmd *s)
{
	for (size_t i = 0; i < s->evlist.nr; i++) {
		size_t at = counts_index(&s->counts, i, 0, 0);
		u64 v;

		switch (s->evlist.evsels[i]->tool) {
		case TOOL_DURATION_TIME:
			v = s->times.wall;
			break;
		case TOOL_USER_TIME:
			v = s->times.user;
			break;
		case TOOL_SYSTEM_TIME:
			v = s->times.system;
			break;
		default:
			continue;
		}
		s->counts.now[at] = (struct count){ v, v, v };
		s->counts.there[at] = true;
	}
}

static u64 ns_of(const struct timeval *tv)
{
	return (u64)tv->tv_sec * 1000000000 + (u64)tv->tv_usec * 1000;
}

/* @before: of the children that ended before the run. */
static void take_times(struct stat_cmd *s, u64 now, const struct rusage *before)
{
	struct rusage after;

	getrusage(RUSAGE_CHILDREN, &after);
	s->times.wall = now - s->start;
	s->times.user = ns_of(&after.ru_utime) - ns_of(&before->ru_utime);
	s->times.system = ns_of(&after.ru_stime) - ns_of(&before->ru_stime);
}

void stat_read_counts(struct stat_cmd *s)
{
	/* what is now adds up over the threads that are one to us */
	memset(s->counts.now, 0,
	       s->counts.nr_evsels * s->counts.nr_cpus * s->counts.nr_threads *
		       sizeof(*s->counts.now));
	if (stat_bpf_used(s))
		bpf_counts_read(&s->bpf.counts, take_count, s);
	else
		kevents_read(&s->kevents, &s->evlist, take_count, s);
}

void stat_enable(struct stat_cmd *s, bool on)
{
	if (stat_bpf_used(s))
		bpf_counts_enable(&s->bpf.counts, on);
	else
		kevents_enable(&s->kevents, on);
}

/* What --pre and --post say. @mask: of signals, as we were started with it */
static int run_aside(const char *command, const sigset_t *mask, struct err *err)
{
	char *argv[] = { "/bin/sh", "-c", (char *)(uintptr_t)command, NULL };
	struct workload w;
	int rc = workload_prepare(&w, argv, mask, false, err);

	if (!rc)
		rc = workload_start(&w, err);
	if (rc)
		return rc;
	workload_wait(&w);
	if (WIFEXITED(w.status) && !WEXITSTATUS(w.status))
		return 0;
	return err_set(err, -ECHILD, "'%s' failed", command);
}

/* --- one run -------------------------------------------------------------------- */

static void say(void *ctx, const char *text)
{
	const struct stat_cmd *s = ctx;

	if (s->verbose)
		fprintf(stderr, "%s\n", text);
}

static void show_try(void *ctx, const struct open_try *t)
{
	struct stat_cmd *s = ctx;

	open_show_try(&s->tried, t);
}

static void show_machine(const struct stat_cmd *s)
{
	char *text = cpuid_text(&s->sysroot), *name = text ? cpuid_table_text(text) : NULL;

	if (name)
		fprintf(stderr, "Using CPUID %s\n", name);
	if (!s->control.given)
		fputs("Control descriptor is not initialized\n", stderr);
	free(name);
	free(text);
}

/* With -v: what is added up, of all there is. */
static void show_sums(const struct stat_cmd *s)
{
	for (size_t i = 0; s->verbose && s->mode == AGGR_GLOBAL && i < s->evlist.nr; i++) {
		const struct stat_value *v = stat_value_at(&s->result, i, 0);

		if (!s->unsupported[i])
			fprintf(s->out, "%s: %.0f %" PRIu64 " %" PRIu64 "\n",
				s->evlist.evsels[i]->name, v->val, v->enabled, v->running);
	}
}

/* Who is to be on a counter first, and next; the caller frees. NULL: as they come */
static u32 *take_turns(const struct stat_cmd *s, size_t *nr)
{
	u32 *order = s->turn ? xcalloc(s->evlist.nr + 1, sizeof(*order)) : NULL;

	*nr = 0;
	for (u32 i = 0; order && i < s->evlist.nr; i++)
		if (s->evlist.evsels[i]->leader == i)
			order[(*nr)++] = i;
	turns_order(s->turn, order, *nr);
	return order;
}

static int open_kevents(struct stat_cmd *s, struct err *err)
{
	struct open_opts o = {
		.sysroot = &s->sysroot,
		.cpus = &s->cpus,
		.tids = &s->tids,
		.ignore_gone_threads = true,
		.counting = true,
		.note = say,
		.tried = s->verbose > 1 ? show_try : NULL,
		.note_ctx = s,
	};
	struct int_list child = { 0 };
	u32 *order = take_turns(s, &o.nr_order);
	int rc;

	o.order = order;
	if (s->workload.pid && !s->cpus.nr && !s->tids.nr) {
		int_list_add(&child, s->workload.pid);
		o.tids = &child;
	}
	rc = kevents_open(&s->kevents, &s->evlist, &o, err);
	int_list_release(&child);
	free(order);
	for (size_t i = 0; !rc && i < s->evlist.nr; i++)
		s->unsupported[i] = s->kevents.unsupported[i];
	return rc;
}

static int open_events(struct stat_cmd *s, struct err *err)
{
	int rc = stat_bpf_used(s) ? stat_bpf_open(s, err) : open_kevents(s, err);

	if (rc) {
		fputs("Error:\n", stderr);
		return rc;
	}
	for (size_t i = 0; i < s->evlist.nr; i++) {
		if (s->verbose && s->unsupported[i])
			fprintf(stderr,
				"Warning:\n%s event is not supported by the kernel.\n"
				"failed to read counter %s\n",
				s->evlist.evsels[i]->name, s->evlist.evsels[i]->name);
	}
	rc = kevents_filter(&s->kevents, &s->evlist, &s->sysroot, err);
	return rc ? rc : stat_file_start(s, err);
}

/* @now: CLOCK_MONOTONIC ns */
static void one_interval(struct stat_cmd *s, u64 now)
{
	s->times.wall = now - s->start;
	stat_read_counts(s);
	take_tool_events(s);
	stat_file_round(s, s->times.wall, false);
	stat_sum(&s->result, &s->counts, s->places, s->scale);
	show_sums(s);
	counts_mark(&s->counts);
	s->result.duration = (u64)s->interval * 1000000;
	side_interval(s, now - s->start);
	if (!s->side.live.on)
		stat_show_interval(s, now - s->start);
}

/* Return: why it ended. */
static enum stat_event wait_for_end(struct stat_cmd *s)
{
	u64 step = (u64)s->interval * 1000000, next = step ? s->start + step : 0;
	u64 end = s->timeout ? s->start + (u64)s->timeout * 1000000 : 0;
	unsigned int shown = 0;
	u64 now;

	for (;;) {
		enum stat_event why = stat_wait(s, end && (!next || end < next) ? end : next);

		if (why != STAT_INTERVAL)
			return why;
		if (end && stat_now() >= end)
			return STAT_TIMEOUT;
		one_interval(s, stat_now());
		if (s->interval_count && ++shown == s->interval_count)
			return STAT_TIMEOUT;
		/* what could not be kept up with is left out; the others stay where they belong */
		now = stat_now();
		next += step * (1 + (now > next ? (now - next) / step : 0));
	}
}

static int start(struct stat_cmd *s, struct err *err)
{
	int rc;

	if (s->delay < 0)
		fputs("Events disabled\n", stderr);
	if (s->delay > 0 && !s->workload.pid)
		stat_wait(s, stat_now() + (u64)s->delay * 1000000);
	s->start = stat_now();
	if (!s->count.enable_on_exec && !s->delay)
		stat_enable(s, true);
	rc = workload_start(&s->workload, err);
	if (rc)
		return err_set(err, rc, "Workload failed: %s", err_str(rc));
	if (s->delay > 0) {
		fputs("Events disabled\n", stderr);
		stat_wait(s, s->start + (u64)s->delay * 1000000);
		stat_enable(s, true);
		fputs("Events enabled\n", stderr);
		s->start = stat_now();
	}
	return 0;
}

static int run_command(struct stat_cmd *s, const sigset_t *mask, struct err *err)
{
	struct rusage before;
	int rc = 0;

	if (s->pre)
		rc = run_aside(s->pre, mask, err);
	if (s->sync)
		sync();
	getrusage(RUSAGE_CHILDREN, &before);
	if (!rc && s->command)
		rc = workload_prepare(&s->workload, s->command, mask, false, err);
	if (!rc)
		rc = open_events(s, err);
	if (!rc)
		rc = start(s, err);
	if (rc) {
		workload_cancel(&s->workload);
		kevents_release(&s->kevents);
		stat_bpf_close(s);
		return rc;
	}
	s->why = wait_for_end(s);
	stat_end_workload(s);
	if (s->workload.ended && WIFSIGNALED(s->workload.status) && !s->interval)
		fprintf(stderr, "%s: %s\n", s->command[0], strsignal(WTERMSIG(s->workload.status)));
	take_times(s, stat_now(), &before);
	/* of intervals the file has what is shown */
	s->file.mute = s->interval;
	stat_read_counts(s);
	s->file.mute = false;
	take_tool_events(s);
	if (!s->interval)
		stat_file_round(s, s->times.wall, true);
	/* what was counted is shown all the same */
	s->post_failed = s->post && run_aside(s->post, mask, err);
	if (s->post_failed)
		fprintf(stderr, "%s\n", err->msg);
	return 0;
}

int stat_exit_status(const struct stat_cmd *s)
{
	if (s->post_failed)
		return FAIL;
	if (!s->workload.ended)
		return 0;
	/* that it was we who ended it is no failure */
	if (WIFSIGNALED(s->workload.status))
		return s->why != STAT_ENDED ? 0 : 128 + WTERMSIG(s->workload.status);
	return WEXITSTATUS(s->workload.status);
}

int stat_run_once(struct stat_cmd *s, const sigset_t *mask, struct err *err)
{
	int rc = run_command(s, mask, err);

	if (rc)
		return rc;
	if (s->interval && s->why != STAT_TIMEOUT)
		one_interval(s, s->start + s->times.wall);
	counts_unmark(&s->counts);
	stat_sum(&s->result, &s->counts, s->places, s->scale);
	show_sums(s);
	s->result.duration = s->times.wall;
	side_run_end(s);
	return 0;
}

void stat_forget_run(struct stat_cmd *s)
{
	side_run_over(s);
	counts_clear(&s->counts);
	kevents_release(&s->kevents);
	stat_bpf_close(s);
}

static int run_all(struct stat_cmd *s, const sigset_t *mask, struct err *err)
{
	int rc = 0;

	for (int run = 0; !rc && !s->signal && !s->side.quit && !s->post_failed &&
			  (!s->repeat || run < s->repeat);
	     run++) {
		if (s->repeat != 1 && s->verbose)
			fprintf(s->out, "[ perf stat: executing run #%d ... ]\n", run + 1);
		s->turn = (size_t)run;
		rc = stat_run_once(s, mask, err);
		if (rc)
			break;
		if (!s->repeat) {
			/* each by itself; one that was broken off is none */
			if (!s->signal && !s->interval)
				stat_show_end(s);
			stat_forget_run(s);
			continue;
		}
		stat_runs_add(&s->runs, &s->result);
		VEC_GROW(s->walls, s->nr_walls + 1, s->cap_walls);
		s->walls[s->nr_walls++] = s->times.wall;
		stat_forget_run(s);
	}
	return rc;
}

int stat_run(struct stat_cmd *s)
{
	struct err err = { 0 };
	sigset_t set, mask;
	int rc, status = FAIL;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &mask);
	s->sigfd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	raise_fd_limit();
	if (s->verbose)
		show_machine(s);
	rc = find_target(s, &err);
	if (rc)
		status = target_status(s, rc);
	if (!rc)
		rc = find_places(s, &err);
	if (!rc) {
		/* metrics know their events by number */
		if (s->target.cpus && !s->chosen.metrics.nr)
			stat_events_drop(&s->evlist, &s->cpus, s->target.cpus, &stderr_notices);
		index_places(s);
		s->count.enable_on_exec = (s->command || s->compare.nr) && !s->cpus.nr &&
					  !s->tids.nr && !s->delay && !stat_bpf_used(s);
		evlist_configure_counting(&s->evlist, &s->count);
		stat_file_configure(s);
		stat_view_settle(&s->view, &s->evlist, &s->chosen.shown);
		rc = side_start(s, &err);
	}
	if (!rc)
		stat_wait_start(s);
	if (!rc)
		rc = s->compare.nr ? compare_runs(s, &mask, &err) : run_all(s, &mask, &err);
	side_leave(s);
	if (rc) {
		fprintf(stderr, "%s\n", err.msg);
		return status;
	}
	ends_release(&s->ends);
	stat_runs_result(&s->runs, &s->result);
	if (s->repeat && !s->compare.nr && (!s->interval || s->summary))
		stat_show_end(s);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return s->compare.nr ? compare_end(s) : stat_exit_status(s);
}
