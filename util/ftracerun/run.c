// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "events/parse.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define ROUND_MS 100 /* the rings are looked at so often at least */
#define PIECE 65536  /* text is written in pieces of this size */

const struct running_kernel *frun_kernel(struct run *r)
{
	if (!r->kernel_open)
		running_kernel_open(&r->kernel, r->c->sysroot, &r->symbols);
	r->kernel_open = true;
	return &r->kernel;
}

static const char *function_name(void *ctx, u64 address, u64 *start)
{
	return running_kernel_name(frun_kernel(ctx), address, start);
}

/* The kernel keeps names of tasks in the top folder; others have a name while they run. */
static void read_names(void *ctx, struct task_names *names)
{
	struct run *r = ctx;
	struct strbuf text = STRBUF_INIT;

	if (r->names_read)
		return;
	r->names_read = true;
	if (!sysroot_read(r->c->sysroot, &text, "%s/saved_cmdlines", tracefs_path(r->c->sysroot)))
		task_names_read(names, strbuf_str(&text));
	strbuf_release(&text);
}

int frun_print(struct run *r)
{
	int rc = r->out.len ? r->write(r->write_ctx, r->out.buf, r->out.len) : 0;

	strbuf_reset(&r->out);
	if (rc)
		r->end->closed = true;
	return rc;
}

/* Hand out the events that are not after @until, as far as --time takes them. */
static int hand_out(struct run *r, u64 until, struct err *err)
{
	struct fmerge_event ev;
	int rc = 0;

	r->names_read = false;
	while (!rc && fmerge_next(r->merge, until, &ev)) {
		if (ev.ev.time < r->from || ev.ev.time > r->until)
			continue;
		rc = r->event(r, &ev, err);
		if (!rc && r->out.len >= PIECE)
			rc = frun_print(r);
	}
	return rc ?: frun_print(r);
}

/*
 * One round: the rings are read, and events are handed out up to the newest one of the round
 * before, because another CPU may have older ones than those that were read now.
 */
static int one_round(struct run *r, struct err *err)
{
	const u64 before = fmerge_newest(r->merge);
	const long nr = frings_round(&r->rings, r->merge, false, err);

	if (nr < 0)
		return (int)nr;
	/* Where nothing comes any more, nothing can be older than what is there. */
	return r->spooled ? 0 : hand_out(r, nr ? before : ~0ull, err);
}

/* The loop waits for signals, and for rings that are half full. */
struct waiting {
	struct pollfd *fds;
	u32 nr;
};

static int begin_waiting(struct waiting *w, struct run *r, const sigset_t *set, struct err *err)
{
	w->nr = r->rings.nr + 1;
	w->fds = xcalloc(w->nr, sizeof(*w->fds));
	w->fds[0] = (struct pollfd){ signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK), POLLIN, 0 };
	for (u32 i = 0; i < r->rings.nr; i++)
		w->fds[i + 1] = (struct pollfd){ frings_fd(&r->rings, i), POLLIN, 0 };
	return w->fds[0].fd < 0
		       ? err_set(err, -errno, "cannot wait for signals: %s", err_str(-errno))
		       : 0;
}

/* Return whether nothing can come any more, because none of the tasks of -p is there. */
static bool tasks_ended(const struct run *r)
{
	for (size_t i = 0; i < r->tasks.nr; i++)
		if (!kill(r->tasks.v[i], 0) || errno != ESRCH)
			return false;
	return r->tasks.nr;
}

/* Return whether the run is over: the command or the tasks have ended, or a signal ends it. */
static bool is_over(struct waiting *w, struct run *r, struct workload *command)
{
	struct signalfd_siginfo info;

	while (read(w->fds[0].fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		r->end->signal = (int)info.ssi_signo;
		workload_term(command);
		return true;
	}
	return command->pid ? workload_poll(command) : tasks_ended(r);
}

/* Do round after round until the run is over, or @until, a time in ns. Return: 1: it is over; 0:
 * the time has come; or a negative errno and a sentence. */
static int watch(struct run *r, struct workload *command, const sigset_t *set, u64 until,
		 struct err *err)
{
	struct waiting w;
	int rc = begin_waiting(&w, r, set, err);

	while (!rc) {
		const u64 now = clock_ns(CLOCK_MONOTONIC);
		const bool over = is_over(&w, r, command);

		if (over || now >= until) {
			rc = over;
			break;
		}
		poll(w.fds, w.nr, (int)MIN((until - now) / 1000000 + 1, (u64)ROUND_MS));
		rc = one_round(r, err);
	}
	if (w.fds[0].fd >= 0)
		close(w.fds[0].fd);
	free(w.fds);
	return rc;
}

/* Let the command run while the ring is on. */
static int trace_command(struct run *r, struct workload *command, const sigset_t *set,
			 struct err *err)
{
	const u64 delay = r->c->delay * 1000000ULL;
	int rc = 0;

	if (!r->c->delay)
		rc = ftrace_put(&r->in, "tracing_on", "1", "perf ftrace", err);
	if (!rc && command->pid) {
		rc = workload_start(command, err);
		if (rc)
			rc = err_set(err, rc, "Workload failed: %s: %s", r->c->command[0],
				     err_str(rc));
	}
	if (!rc && delay) {
		rc = watch(r, command, set, clock_ns(CLOCK_MONOTONIC) + delay, err);
		rc = rc ?: ftrace_put(&r->in, "tracing_on", "1", "-D", err);
	}
	rc = MIN(rc ?: watch(r, command, set, UINT64_MAX, err), 0);
	if (rc && command->pid && !command->gate) {
		workload_term(command);
		workload_wait(command);
	}
	return rc;
}

/* Switch the ring off and look at all that is left in it. */
static int finish(struct run *r, struct err *err)
{
	int rc = ftrace_put(&r->in, "tracing_on", "0", "perf ftrace", err);
	long nr = rc ? rc : frings_round(&r->rings, r->merge, true, err);

	return nr < 0 ? (int)nr : hand_out(r, ~0ull, err);
}

static void tell_lost(struct run *r)
{
	const u64 lost = frings_lost(&r->in, &r->rings), bad = fmerge_bad(r->merge);

	if (lost)
		notice(r->c->notes,
		       "The rings were full: %" PRIu64
		       " events were lost. -m makes them larger; fewer events help, too.\n",
		       lost);
	if (bad)
		notice(r->c->notes, "%" PRIu64 " pages of the rings could not be read.\n", bad);
	if (r->text.unknown)
		notice(r->c->notes,
		       "%" PRIu64 " events are not known: somebody else has switched them on.\n",
		       r->text.unknown);
}

static int with_rings(struct run *r, struct workload *command, const sigset_t *set, struct err *err)
{
	int rc = frings_open(&r->rings, &r->in, r->spooled, err);

	if (rc)
		return rc;
	r->merge = fmerge_new(&r->rings.layout, r->rings.nr_cpus, r->spooled ? frings_more : NULL,
			      &r->rings);
	r->show.nr_cpus = r->rings.nr_cpus;
	r->graph = fgraph_new(&r->text, &r->show);
	if (r->header)
		r->header(r);
	rc = frun_print(r) ?: trace_command(r, command, set, err);
	rc = rc ?: finish(r, err);
	if (!rc && r->footer) {
		r->footer(r);
		rc = frun_print(r);
	}
	tell_lost(r);
	fgraph_free(r->graph);
	fmerge_free(r->merge);
	frings_close(&r->rings);
	return rc;
}

/*
 * Make the instance. A tracer that the kernel has, but not for instances, runs in the top folder.
 */
static int make_instance(struct run *r, struct err *err)
{
	struct strbuf there = STRBUF_INIT;
	int rc = ftrace_instance_open(&r->in, r->c->sysroot, false, err);

	if (rc || ftrace_has_word(&r->in, "available_tracers", r->tracer))
		return rc;
	ftrace_instance_close(&r->in);
	rc = ftrace_instance_open(&r->in, r->c->sysroot, true, err);
	if (rc || ftrace_has_word(&r->in, "available_tracers", r->tracer))
		return rc;
	ftrace_get(&r->in, "available_tracers", &there);
	while (there.len && there.buf[there.len - 1] == '\n')
		there.buf[--there.len] = '\0';
	rc = err_set(err, -ENODEV,
		     "this kernel has no tracer '%s' (it has: %s)\n"
		     "-e EVENT traces events with the tracer nop, which runs everywhere.",
		     r->tracer, strbuf_str(&there));
	strbuf_release(&there);
	ftrace_instance_close(&r->in);
	return rc;
}

bool frun_has_tracer(const struct ftrace_conf *c, const char *tracer)
{
	const struct ftrace_instance top = {
		.sr = c->sysroot, .dir = sysroot_path(c->sysroot, "%s", tracefs_path(c->sysroot))
	};
	const bool has = ftrace_has_word(&top, "available_tracers", tracer);

	free(top.dir);
	return has;
}

/* Read "start,stop" in seconds; both may be left out. */
static int read_times(struct run *r, struct err *err)
{
	const char *text = r->c->time, *comma;
	double from, until;
	char *end;

	r->until = ~0ull;
	if (!text)
		return 0;
	comma = strchr(text, ',');
	from = strtod(text, &end);
	if (!comma || (end != comma && text != comma) || from < 0)
		return err_set(err, -EINVAL, "--time: '%s' is not start,stop in seconds", text);
	r->from = (u64)(from * 1e9);
	until = strtod(comma + 1, &end);
	if (*end || until < 0)
		return err_set(err, -EINVAL, "--time: '%s' is not start,stop in seconds", text);
	if (comma[1])
		r->until = (u64)(until * 1e9);
	return 0;
}

/* Older kernels do not tell how often migration was disabled. */
static bool shows_migration(struct run *r)
{
	struct strbuf head = STRBUF_INIT;
	bool shows = true;

	ftrace_put(&r->in, "options/irq-info", r->text.no_state ? "0" : "1", "", NULL);
	if (!r->text.no_state && !ftrace_get(&r->in, "trace", &head) &&
	    strstr(strbuf_str(&head), "preempt-depth"))
		shows = strstr(head.buf, "migrate-disable");
	strbuf_release(&head);
	return shows;
}

static int set_up(struct run *r, struct err *err)
{
	struct strbuf clock = STRBUF_INIT;
	int rc = frun_settings(r, err);

	if (rc)
		return rc;
	r->text.migrate = shows_migration(r);
	frun_own_formats(r);
	if (!strcmp(r->tracer, BLK))
		frun_expect_blocks(r);
	rc = frun_events(r, err);
	if (!rc && r->prepare)
		rc = r->prepare(r, err);
	if (!ftrace_get(&r->in, "trace_clock", &clock))
		r->text.counter = strstr(strbuf_str(&clock), "[counter]") ||
				  strstr(strbuf_str(&clock), "-tsc]") ||
				  strstr(strbuf_str(&clock), "[uptime]");
	strbuf_release(&clock);
	return rc;
}

static int around(void *ctx, struct workload *command, const sigset_t *set, struct err *err)
{
	struct run *r = ctx;
	int rc = make_instance(r, err), closed;

	if (rc)
		return rc;
	rc = ftrace_put(&r->in, "tracing_on", "0", "perf ftrace", err);
	/* Whom to trace is put back after the tracer, so that it never traces everything. */
	rc = rc ?: frun_target(r, command->pid, err);
	rc = rc ?: set_up(r, err);
	rc = rc ?: with_rings(r, command, set, err);
	closed = ftrace_instance_close(&r->in);
	if (closed && !rc)
		notice(r->c->notes, "Not all settings of tracing could be put back.\n");
	return rc;
}

int frun_verb(struct run *r, struct err *err)
{
	int rc = read_times(r, err);

	if (rc)
		return rc;
	r->events_on |= r->c->nr_events > 0;
	r->text.formats = tracefmt_new(false, sizeof(long));
	r->text.printer.ksym = function_name;
	r->text.printer.ksym_ctx = r;
	r->text.more_names = read_names;
	r->text.args = frun_args;
	r->text.ctx = r;
	rc = workload_around(r->c->command, WORKLOAD_OUTPUT_OURS, around, r, err);
	if (r->kernel_open)
		running_kernel_close(&r->kernel);
	int_list_release(&r->tasks);
	kfuncs_release(&r->functions);
	btf_close(&r->types);
	strbuf_release(&r->out);
	tracefmt_free(r->text.formats);
	ftext_release(&r->text);
	return rc;
}
