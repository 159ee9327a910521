// SPDX-License-Identifier: GPL-2.0-or-later
/* Record samples of sleeps. */
#include "base/compat.h"
#include "recorder/off-cpu.h"

#include "base/alloc.h"
#include "bpf/offcpu.h"
#include "kernel/cgroup.h"
#include "wire/encode.h"

#include <errno.h>
#include <unistd.h>

struct sleeps {
	struct offcpu bpf;
	const struct evsel *evsel; /* borrowed */
	struct strbuf *out;        /* borrowed, while samples are read */
	struct event_loop *loop;   /* borrowed */
	struct int_list online, cgroups;
};

/* The groups that any event is restricted to. */
static int find_cgroups(const struct opened *ev, struct int_list *out, struct err *err)
{
	const struct evlist *l = ev->list;

	for (size_t i = 0; i < l->nr; i++) {
		const char *name = l->evsels[i]->cgroup;
		bool seen = !name;
		int fd;

		for (size_t j = 0; j < i && !seen; j++)
			seen = l->evsels[j]->cgroup && !strcmp(l->evsels[j]->cgroup, name);
		if (seen)
			continue;
		fd = cgroup_open(ev->sysroot, name, err);
		if (fd < 0)
			return fd;
		int_list_add(out, fd);
	}
	return 0;
}

int sleeps_open(struct sleeps **out, const struct opened *ev, const struct record_opts *o,
		struct err *err)
{
	struct sleeps *s;
	struct offcpu_opts opts = {
		.sysroot = ev->sysroot,
		.tids = &ev->tids,
		.cpus = o->target.cpus ? &ev->cpus : NULL,
		.inherit = !o->sample.no_inherit,
		.not_pid = o->sample.system_wide ? (u32)getpid() : 0,
		.thresh_ns = o->off_cpu_thresh * 1000000,
		.clockid_set = o->sample.clockid_set,
		.clockid = o->sample.clockid,
	};
	struct evsel *e = offcpu_event(ev->list);
	int rc;

	*out = NULL;
	if (!e)
		return 0;
	s = xzalloc(sizeof(*s));
	s->evsel = e;
	opts.ns = bpf_ns_own(ev->sysroot);
	rc = cpu_list_online(ev->sysroot, &s->online, err);
	if (!rc)
		rc = find_cgroups(ev, &s->cgroups, err);
	opts.online = &s->online;
	opts.cgroups = s->cgroups.nr ? &s->cgroups : NULL;
	if (!rc)
		rc = offcpu_open(&s->bpf, &opts, err);
	for (size_t i = 0; i < s->cgroups.nr; i++)
		close(s->cgroups.v[i]);
	int_list_release(&s->cgroups);
	if (rc) {
		err_prefix(err, "--off-cpu");
		int_list_release(&s->online);
		free(s);
		return rc;
	}
	*out = s;
	return 0;
}

void sleeps_enable(struct sleeps *s, bool on)
{
	if (s)
		offcpu_enable(&s->bpf, on);
}

/* --- samples ------------------------------------------------------------------ */

static void add_sample(void *ctx, const struct offcpu_sample *in)
{
	struct sleeps *s = ctx;
	u64 chain[OFFCPU_STACK_MAX + 1] = { PERF_CONTEXT_USER };
	struct sample out = {
		.misc = PERF_RECORD_MISC_USER,
		.cpumode = PERF_RECORD_MISC_USER,
		.id = s->evsel->ids[0],
		.pid = in->pid,
		.tid = in->tid,
		.time = in->time,
		.cpu = in->cpu,
		.period = in->period,
		.cgroup = in->cgroup,
		.ip = in->nr_ips ? in->ips[0] : 0,
		.callchain = chain,
		.nr_callchain = in->nr_ips ? in->nr_ips + 1 : 0,
	};

	if (in->unfinished)
		out.misc |= PERF_RECORD_MISC_SWITCH_OUT;
	memcpy(chain + 1, in->ips, in->nr_ips * sizeof(u64));
	enc_sample(s->out, &s->evsel->layout, &out);
}

void sleeps_read(struct sleeps *s, struct strbuf *out)
{
	if (!s)
		return;
	s->out = out;
	offcpu_read(&s->bpf, add_sample, s);
}

static int on_told(void *ctx, int fd, u32 events, struct err *err __unused)
{
	const struct sleeps *s = ctx;

	if (events & (EPOLLHUP | EPOLLERR))
		event_loop_forget(s->loop, fd);
	return EVENT_LOOP_GO_ON; /* sleeps_read() takes them */
}

int sleeps_watch(struct sleeps *s, struct event_loop *loop, struct err *err)
{
	int rc = 0;

	if (!s)
		return 0;
	s->loop = loop;
	for (size_t i = 0; i < s->bpf.kevents.nr && !rc; i++)
		rc = event_loop_watch(loop, s->bpf.kevents.fds[i].fd, EPOLLIN, on_told, s, err);
	return rc;
}

void sleeps_finish(struct sleeps *s, struct strbuf *out, const struct notices *notes)
{
	struct offcpu_lost lost = { 0 };

	if (!s)
		return;
	s->out = out;
	offcpu_finish(&s->bpf, add_sample, s, &lost);
	if (lost.sleeps)
		notice(notes,
		       "Warning:\n--off-cpu: %" PRIu64
		       " sleeps found no room and were not recorded.\n",
		       lost.sleeps);
	if (lost.stacks)
		notice(notes,
		       "Warning:\n--off-cpu: the stacks of %" PRIu64
		       " sleeps found no room, they are recorded without.\n",
		       lost.stacks);
}

void sleeps_free(struct sleeps *s)
{
	if (!s)
		return;
	offcpu_close(&s->bpf);
	int_list_release(&s->online);
	free(s);
}
