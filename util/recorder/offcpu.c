// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record --off-cpu: the sleeps of threads as samples of an event "offcpu-time", whose period
 * is the time in ns. The event is opened like others, for its ids; its samples are made here, in
 * the layout that perf 6.1 has for them, so that every perf reads them.
 */
#include "base/compat.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "bpf/offcpu.h"
#include "kernel/cgroup.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

/* What its samples may have. */
#define OFFCPU_TYPES                                                                               \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CGROUP)

struct record_offcpu {
	struct offcpu bpf;
	const struct evsel *evsel; /* borrowed */
	struct strbuf out;         /* samples that wait to be written */
	struct int_list online, cgroups;
};

static struct evsel *find_event(struct record *r)
{
	for (size_t i = 0; r->off_cpu && i < r->evlist.nr; i++)
		if (r->evlist.evsels[i]->terms.offcpu)
			return r->evlist.evsels[i];
	return NULL;
}

void record_offcpu_add(struct record *r)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_BPF_OUTPUT,
				     .size = sizeof(a),
				     .sample_period = 1,
				     .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
						    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU };
	struct evsel *e;

	if (!r->off_cpu)
		return;
	e = evlist_add(&r->evlist, &a, "offcpu-time");
	e->terms.offcpu = e->terms.period_set = e->terms.named = true;
	/* its samples differ from all others */
	r->sample.identifier = true;
}

void record_offcpu_configure(struct record *r)
{
	struct evsel *e = find_event(r);

	if (!e)
		return;
	e->attr.sample_type &= OFFCPU_TYPES;
	e->attr.sample_type |= PERF_SAMPLE_PERIOD;
	e->attr.sample_regs_user = e->attr.sample_regs_intr = 0;
	e->attr.sample_stack_user = 0;
	e->attr.branch_sample_type = 0;
	e->attr.sample_period = 1;
	layout_init(&e->layout, &e->attr);
}

/* Threads have other numbers for the kernel than for us, when we are in a container. */
static void find_namespace(const struct record *r, struct offcpu_opts *opts)
{
	enum { INITIAL = 0xeffffffc }; /* the inode of the first one, fixed in the kernel */
	char *path = sysroot_path(&r->sysroot, "/proc/self/ns/pid");
	struct stat st;

	if (!stat(path, &st) && st.st_ino != (ino_t)INITIAL) {
		opts->ns_dev = st.st_dev;
		opts->ns_ino = st.st_ino;
	}
	free(path);
}

/* The groups that any event is restricted to. */
static int find_cgroups(struct record *r, struct int_list *out, struct err *err)
{
	for (size_t i = 0; i < r->evlist.nr; i++) {
		const char *name = r->evlist.evsels[i]->cgroup;
		bool seen = !name;
		int fd;

		for (size_t j = 0; j < i && !seen; j++)
			seen = r->evlist.evsels[j]->cgroup &&
			       !strcmp(r->evlist.evsels[j]->cgroup, name);
		if (seen)
			continue;
		fd = cgroup_open(&r->sysroot, name, err);
		if (fd < 0)
			return fd;
		int_list_add(out, fd);
	}
	return 0;
}

int record_offcpu_open(struct record *r, struct err *err)
{
	struct record_offcpu *o;
	struct offcpu_opts opts = {
		.sysroot = &r->sysroot,
		.tids = &r->tids,
		.cpus = r->target.cpus ? &r->cpus : NULL,
		.inherit = !r->sample.no_inherit,
		.not_pid = r->sample.system_wide ? (u32)getpid() : 0,
		.thresh_ns = r->off_cpu_thresh * 1000000,
		.clockid_set = r->sample.clockid_set,
		.clockid = r->sample.clockid,
	};
	struct evsel *e = find_event(r);
	int rc;

	if (!e)
		return 0;
	o = xzalloc(sizeof(*o));
	o->evsel = e;
	find_namespace(r, &opts);
	rc = cpu_list_online(&r->sysroot, &o->online, err);
	if (!rc)
		rc = find_cgroups(r, &o->cgroups, err);
	opts.online = &o->online;
	opts.cgroups = o->cgroups.nr ? &o->cgroups : NULL;
	if (!rc)
		rc = offcpu_open(&o->bpf, &opts, err);
	for (size_t i = 0; i < o->cgroups.nr; i++)
		close(o->cgroups.v[i]);
	int_list_release(&o->cgroups);
	if (rc) {
		err_prefix(err, "--off-cpu");
		int_list_release(&o->online);
		free(o);
		return rc;
	}
	r->offcpu = o;
	return 0;
}

void record_offcpu_enable(struct record *r, bool on)
{
	if (r->offcpu)
		offcpu_enable(&r->offcpu->bpf, on);
}

/* --- samples ------------------------------------------------------------------ */

static void add_sample(void *ctx, const struct offcpu_sample *s)
{
	struct record_offcpu *o = ctx;
	u64 chain[OFFCPU_STACK_MAX + 1] = { PERF_CONTEXT_USER };
	struct sample out = {
		.misc = PERF_RECORD_MISC_USER,
		.cpumode = PERF_RECORD_MISC_USER,
		.id = o->evsel->ids[0],
		.pid = s->pid,
		.tid = s->tid,
		.time = s->time,
		.cpu = s->cpu,
		.period = s->period,
		.cgroup = s->cgroup,
		.ip = s->nr_ips ? s->ips[0] : 0,
		.callchain = chain,
		.nr_callchain = s->nr_ips ? s->nr_ips + 1 : 0,
	};

	memcpy(chain + 1, s->ips, s->nr_ips * sizeof(u64));
	enc_sample(&o->out, &o->evsel->layout, &out);
}

static int write_samples(struct record *r, struct err *err)
{
	struct record_offcpu *o = r->offcpu;
	struct iovec iov = { o->out.buf, o->out.len };
	int rc = o->out.len ? record_write_events(r, &iov, 1, err) : 0;

	strbuf_reset(&o->out);
	return rc;
}

/* After each drain: they belong to the round that begins now. */
static int on_drained(struct record *r, void *ctx, bool any, struct err *err)
{
	struct record_offcpu *o = ctx;

	(void)any;
	offcpu_read(&o->bpf, add_sample, o);
	return write_samples(r, err) ?: LOOP_GO_ON;
}

static int on_told(struct record *r, void *ctx, u32 revents, struct err *err)
{
	const struct kfd *k = ctx;

	(void)err;
	if (revents & (EPOLLHUP | EPOLLERR))
		loop_forget(r, k->fd);
	return LOOP_GO_ON; /* on_drained() takes them */
}

int record_offcpu_watch(struct record *r, struct err *err)
{
	int rc = 0;

	if (!r->offcpu)
		return 0;
	for (size_t i = 0; i < r->offcpu->bpf.kevents.nr && !rc; i++) {
		struct kfd *k = &r->offcpu->bpf.kevents.fds[i];

		rc = loop_watch(r, k->fd, EPOLLIN, on_told, k, err);
	}
	loop_check(r, on_drained, r->offcpu);
	return rc;
}

int record_offcpu_finish(struct record *r, struct err *err)
{
	struct offcpu_lost lost = { 0 };
	int rc;

	if (!r->offcpu)
		return 0;
	offcpu_finish(&r->offcpu->bpf, add_sample, r->offcpu, &lost);
	rc = write_samples(r, err);
	if (!rc)
		rc = record_write_mark(r, PERF_RECORD_FINISHED_ROUND, err);
	if (lost.sleeps && !r->quiet)
		fprintf(stderr,
			"Warning:\n--off-cpu: %" PRIu64
			" sleeps found no room and were not recorded.\n",
			lost.sleeps);
	if (lost.stacks && !r->quiet)
		fprintf(stderr,
			"Warning:\n--off-cpu: the stacks of %" PRIu64
			" sleeps found no room, they are recorded without.\n",
			lost.stacks);
	return rc;
}

void record_offcpu_release(struct record *r)
{
	struct record_offcpu *o = r->offcpu;

	if (!o)
		return;
	offcpu_close(&o->bpf);
	strbuf_release(&o->out);
	int_list_release(&o->online);
	free(o);
	r->offcpu = NULL;
}
