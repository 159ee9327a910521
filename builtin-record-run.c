// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The run of perf record: open, hold the workload at its gate, start, move ring spans to the file
 * until the end, describe. Data never passes through a buffer of ours.
 */
#include "base/compat.h"
#include "builtin-record.h"
#include "builtin.h"

#include "base/alloc.h"
#include "kernel/synth.h"
#include "kernel/tracing.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAIL 255

static void say(void *ctx, const char *text)
{
	const struct record *r = ctx;

	if (r->verbose)
		fprintf(stderr, "%s\n", text);
}

static int fail(const struct err *err)
{
	fprintf(stderr, "Error:\n%s\n\n", err->msg);
	return FAIL;
}

/* --- preparation ---------------------------------------------------------- */

static int setup_targets(struct record *r, struct err *err)
{
	const struct sysroot *sr = &r->sysroot;
	int rc = 0;

	if (r->pids)
		rc = thread_list_pids(sr, r->pids, &r->tids, err);
	else if (r->tids_arg)
		rc = thread_list_tids(sr, r->tids_arg, &r->tids, err);
	else if (r->workload.pid && !r->sample.system_wide)
		int_list_add(&r->tids, r->workload.pid);
	if (rc)
		return rc;
	if (r->cpu_list)
		return cpu_list_target(sr, r->cpu_list, &r->cpus, err);
	if (r->sample.per_thread)
		return 0;
	return cpu_list_online(sr, &r->cpus, err);
}

static int block_signals(struct record *r, sigset_t *old, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, old);
	r->sigfd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->sigfd < 0 ? err_set(err, -errno, "failed to set up signals: %s", err_str(-errno))
			    : 0;
}

static int open_events(struct record *r, struct err *err)
{
	struct open_opts o = {
		.sysroot = &r->sysroot,
		.cpus = &r->cpus,
		.tids = &r->tids,
		.ignore_gone_threads = true,
		.note = say,
		.note_ctx = r,
	};
	bool rounded = false;
	size_t pages = r->pages_arg ? ring_pages_parse(r->pages_arg, &rounded) : 0;
	int rc;

	raise_fd_limit();
	rc = kevents_open(&r->kevents, &r->evlist, &o, err);
	if (!rc)
		rc = kevents_filter(&r->kevents, &r->evlist, err);
	if (rc)
		return rc;
	rc = rings_map(&r->rings, &r->sysroot, &r->kevents, pages, true, err);
	if (!rc && r->rings.pages < r->rings.wanted && !r->quiet)
		fprintf(stderr,
			"Ring buffers made smaller, %zu instead of %zu pages each: this user may not lock more memory.\n"
			"Raise /proc/sys/kernel/perf_event_mlock_kb to get more.\n",
			r->rings.pages, r->rings.wanted);
	return rc;
}

/* What was there before us, in the order perf 6.1 writes it. */
static void synthesize(struct record *r, struct strbuf *out)
{
	struct evlist *l = &r->evlist;
	const struct wire_layout *layout = &l->evsels[0]->layout;
	struct synth s = { .sysroot = &r->sysroot,
			   .out = out,
			   .mmap_data = r->sample.addr,
			   .namespaces = r->sample.namespaces };

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->terms.tracking)
			layout = &l->evsels[i]->layout;
	s.layout = layout;
	synth_id_index(out, &r->kevents);
	synth_kernel(&s);
	synth_thread_map(out, &r->tids);
	synth_cpu_map(out, &r->cpus);
	if (r->sample.cgroups)
		synth_cgroups(&s);
	if (r->sample.system_wide)
		synth_all(&s);
	else if (r->pids || r->tids_arg)
		synth_threads(&s, &r->tids);
	if (r->workload.pid)
		synth_comm(&s, r->workload.pid, "perf-exec");
	enc_plain(out, PERF_RECORD_FINISHED_INIT, 0, NULL, 0);
}

/* --- the start -------------------------------------------------------------- */

static int write_start(struct record *r, const struct strbuf *tracing, const struct strbuf *synth,
		       struct err *err)
{
	struct writer_attr *attrs = writer_attrs(&r->evlist);
	int rc = file_writer_open(&r->writer, r->output, err);

	if (!rc)
		rc = file_writer_start(&r->writer, attrs, r->evlist.nr, err);
	if (!rc && r->writer.pipe) {
		struct features f = { .nr = 0 };

		collect_features(r, NULL, tracing, &f);
		rc = file_writer_feature_records(&r->writer, f.v, f.nr, err);
		features_release(&f);
	}
	if (!rc)
		rc = file_writer_write(&r->writer, synth->buf, synth->len, err);
	free(attrs);
	return rc;
}

/* --- the loop ------------------------------------------------------------- */

/* Everything in all rings, and a FINISHED_ROUND behind it: what comes later is not older. Return: 1
 * when there was any. */
static int drain(struct record *r, struct err *err)
{
	static const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND,
							.size = sizeof(round) };
	bool any = false;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct iovec iov[2];
		u64 head;
		int nr = ring_spans(&r->rings.v[i], iov, &head), rc;

		if (!nr)
			continue;
		rc = file_writer_writev(&r->writer, iov, nr, err);
		if (rc)
			return rc;
		ring_consume(&r->rings.v[i], head);
		any = true;
	}
	return any ? file_writer_write(&r->writer, &round, sizeof(round), err) ?: 1 : 0;
}

struct watch {
	struct pollfd *fds; /* [0]: signals; then one per place of the first event */
	size_t nr, live;
};

static void watch_init(struct watch *w, const struct record *r)
{
	w->fds = xcalloc(r->kevents.nr + 1, sizeof(*w->fds));
	w->fds[0] = (struct pollfd){ .fd = r->sigfd, .events = POLLIN };
	w->nr = 1;
	for (size_t i = 0; i < r->kevents.nr; i++)
		if (r->kevents.fds[i].evsel == r->kevents.fds[0].evsel)
			w->fds[w->nr++] =
				(struct pollfd){ .fd = r->kevents.fds[i].fd, .events = POLLIN };
	w->live = w->nr - 1;
}

/* A descriptor hangs up when its thread has ended. True when none is left. */
static bool watch_hangups(struct watch *w)
{
	for (size_t i = 1; i < w->nr; i++) {
		if (w->fds[i].fd >= 0 && w->fds[i].revents & (POLLHUP | POLLERR)) {
			w->fds[i].fd = -1;
			w->live--;
		}
	}
	return !w->live;
}

/* True when recording is to end. */
static bool take_signals(struct record *r)
{
	struct signalfd_siginfo si;
	bool done = false;

	while (read(r->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			done |= workload_poll(&r->workload);
		} else {
			r->signal = (int)si.ssi_signo;
			done = true;
		}
	}
	return done;
}

static u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + (u64)ts.tv_nsec / 1000000;
}

/* Milliseconds until the events are to be enabled, -1 when they are already or never will be. */
static int delay_left(struct record *r, u64 start)
{
	u64 gone = now_ms() - start;

	if (r->delay_ms <= 0)
		return -1;
	if (gone < (u64)r->delay_ms)
		return (int)((u64)r->delay_ms - gone);
	r->delay_ms = 0;
	kevents_enable(&r->kevents, true);
	fprintf(stderr, "Events enabled\n");
	return -1;
}

static int record_loop(struct record *r, struct err *err)
{
	struct watch w;
	u64 start = now_ms();
	bool done = false;
	int rc = 0;

	watch_init(&w, r);
	while (!done) {
		if (poll(w.fds, w.nr, delay_left(r, start)) < 0 && errno != EINTR) {
			rc = err_set(err, -errno, "failed to wait for data: %s", err_str(-errno));
			break;
		}
		r->waking++;
		done = take_signals(r);
		if (watch_hangups(&w))
			done = true;
		if (done)
			kevents_enable(&r->kevents, false);
		rc = drain(r, err);
		if (rc < 0)
			break;
	}
	while (rc > 0)
		rc = drain(r, err);
	free(w.fds);
	return rc;
}

/* --- the end -------------------------------------------------------------- */

/* What the kernel dropped per event, as LOST_SAMPLES records. */
static int write_lost(struct record *r, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < r->kevents.nr; i++) {
		const struct kfd *k = &r->kevents.fds[i];
		const struct evsel *e = r->evlist.evsels[k->evsel];
		u64 lost = kevents_lost(k, &e->attr);
		struct sample_id id = { .pid = (u32)-1,
					.tid = (u32)-1,
					.id = k->id,
					.stream_id = k->id,
					.cpu = (u32)k->cpu };

		if (!lost)
			continue;
		r->lost += lost;
		enc_lost_samples(&sb, lost, &e->layout, &id);
	}
	rc = file_writer_write(&r->writer, sb.buf, sb.len, err);
	strbuf_release(&sb);
	return rc;
}

static void tell_lost(const struct record *r, const struct record_scan *scan)
{
	u64 lost = MAX(scan->lost_events, r->lost);

	if (!lost || r->quiet)
		return;
	fprintf(stderr,
		"Warning:\nProcessed %" PRIu64 " events and lost %" PRIu64 " chunks (%" PRIu64
		" events)!\n\n",
		scan->events, scan->lost_chunks, lost);
	fprintf(stderr,
		"Check IO/CPU overload! Larger buffers (-m), a lower rate (-F) or fewer events help.\n\n");
}

static void tell_end(const struct record *r, const struct record_scan *scan)
{
	char samples[64] = "";

	if (r->quiet)
		return;
	if (scan->samples)
		snprintf(samples, sizeof(samples), " (%" PRIu64 " samples)", scan->samples);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s%s ]\n",
		(double)r->writer.data_size / 1024.0 / 1024.0, r->output, samples);
}

/*
 * Write the header and what belongs to it. When the disk is full the data gives way: without event
 * names, tracepoint formats and build-ids the rest of it is worth little, and what describes it is
 * small.
 */
static int write_features(struct record *r, struct features *f, struct record_scan *scan,
			  struct err *err)
{
	struct err first = { 0 };
	u64 need = 4096, dropped;
	int rc = file_writer_finish(&r->writer, f->v, f->nr, &first);

	if (rc != -ENOSPC && rc != -EDQUOT && rc != -EFBIG) {
		if (rc)
			*err = first;
		return rc;
	}
	for (size_t i = 0; i < f->nr; i++)
		need += f->v[i].body.len + 16;
	if (need >= r->writer.data_size) {
		*err = first;
		return rc;
	}
	r->writer.data_size = record_cut(r, r->writer.data_size - need, &dropped);
	if (ftruncate(r->writer.fd, (off_t)(r->writer.data_offset + r->writer.data_size)))
		return err_set(err, -errno, "failed to shorten %s: %s", r->output, err_str(-errno));
	scan->samples -= MIN(dropped, scan->samples);
	fprintf(stderr,
		"Warning:\n%s: no space left: the last %" PRIu64
		" samples were dropped to fit the header.\n",
		r->output, dropped);
	return file_writer_finish(&r->writer, f->v, f->nr, err);
}

static int finish(struct record *r, const struct strbuf *tracing, bool failed, struct err *err)
{
	struct record_scan scan = { 0 };
	struct features f = { .nr = 0 };
	int rc = write_lost(r, err), rc2 = 0;

	if (!r->quiet)
		fprintf(stderr, "[ perf record: Woken up %lu times to write data ]\n", r->waking);
	if (!r->writer.pipe) {
		struct err late = { 0 };

		/* a write that failed half-way may have left half a record */
		if (!r->no_buildid && !r->no_buildid_cache)
			r->cache_dir = buildid_cache_dir();
		if (!record_scan(r, !r->no_buildid, r->buildid_all, &scan) && (rc || failed))
			r->writer.data_size = scan.whole;
		collect_features(r, &scan, tracing, &f);
		rc2 = write_features(r, &f, &scan, &late);
		if (rc2 && !rc)
			*err = late;
		rc = rc ? rc : rc2;
	}
	tell_lost(r, &scan);
	if (!rc2)
		tell_end(r, &scan);
	record_cache_copy(r);
	features_release(&f);
	strbuf_release(&scan.build_ids);
	return rc;
}

static int exit_status(struct record *r)
{
	if (!r->workload.pid)
		return 0;
	if (WIFSIGNALED(r->workload.status)) {
		r->signal = WTERMSIG(r->workload.status);
		return 128 + r->signal;
	}
	return WEXITSTATUS(r->workload.status);
}

/* Between opened events and the end. @mask: none of ours. */
static int record_started(struct record *r, struct err *err)
{
	struct strbuf tracing = STRBUF_INIT, synth = STRBUF_INIT;
	int rc = 0;

	for (size_t i = 0; !rc && i < r->evlist.nr && !tracing.len; i++)
		if (evsel_is_tracepoint(r->evlist.evsels[i]))
			rc = tracing_data(&r->sysroot, &r->evlist, &tracing, err);
	if (!rc) {
		synthesize(r, &synth);
		if (r->sample.delayed)
			fprintf(stderr, "Events disabled\n");
		else if (!r->sample.enable_on_exec)
			kevents_enable(&r->kevents, true);
		if (workload_start(&r->workload, err)) {
			fprintf(stderr, "Failed to collect '%s' for the '%s' workload: %s\n",
				r->evlist.evsels[0]->name, r->command[0], err->msg);
			err->msg[0] = 0;
			rc = -ENOENT;
		}
	}
	if (!rc)
		rc = write_start(r, &tracing, &synth, err);
	strbuf_release(&synth);
	if (!rc)
		rc = record_loop(r, err);
	workload_term(&r->workload);
	if (r->writer.path) {
		/* A full disk does not undo what was written before it: the file is completed all
		 * the same. */
		struct err late = { 0 };
		int rc2 = finish(r, &tracing, rc != 0, &late);

		if (rc2 && !rc)
			*err = late;

		rc = rc ? rc : rc2;
		rc2 = file_writer_close(&r->writer, rc ? NULL : err);
		rc = rc ? rc : rc2;
	}
	strbuf_release(&tracing);
	return rc;
}

/*
 * The kernel takes some 20 ms to let go of each tracepoint, one after the other: half a minute for
 * syscalls:*. A child that holds the descriptors a little longer than we do waits for that instead
 * of the user. Everything is written by then, and the events are disabled.
 */
static void release_events(struct record *r)
{
	bool slow = false;

	kevents_enable(&r->kevents, false);
	for (size_t i = 0; i < r->evlist.nr && r->kevents.nr; i++)
		slow |= evsel_is_tracepoint(r->evlist.evsels[i]);
	rings_release(&r->rings);
	if (slow) {
		fflush(NULL);
		if (!fork()) {
			prctl(PR_SET_NAME, "perf-close");
			/* nobody is to wait for the end of our output, nor to find us in the way */
			close(STDIN_FILENO);
			close(STDOUT_FILENO);
			close(STDERR_FILENO);
			(void)!chdir("/");
			setsid();
			kevents_release(&r->kevents);
			_exit(0);
		}
	}
	kevents_release(&r->kevents);
}

int record_run(struct record *r)
{
	struct err err = { 0 };
	sigset_t mask;
	int rc;

	r->sigfd = -1;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	rc = file_writer_probe(r->output, &err);
	if (!rc)
		rc = block_signals(r, &mask, &err);
	if (!rc && r->command)
		rc = workload_prepare(&r->workload, r->command, &mask, &err);
	/* only now: the command is to have the dispositions we were started with */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (!rc)
		rc = setup_targets(r, &err);
	if (rc) {
		fprintf(stderr, "%s\n", err.msg);
	} else {
		evlist_configure(&r->evlist, &r->sample);
		rc = open_events(r, &err);
		if (rc)
			fail(&err);
	}
	if (!rc) {
		rc = record_started(r, &err);
		if (rc && err.msg[0])
			fprintf(stderr, "%s\n", err.msg);
	} else if (r->workload.pid) {
		workload_cancel(&r->workload);
	}
	/* The file is complete: a second Ctrl-C need not wait for a stubborn command. */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	workload_wait(&r->workload);
	rc = rc ? FAIL : exit_status(r);
	release_events(r);
	evlist_release(&r->evlist);
	int_list_release(&r->cpus);
	int_list_release(&r->tids);
	if (r->sigfd >= 0)
		close(r->sigfd);
	return rc;
}
