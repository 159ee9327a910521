// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf record before the start: targets, signals, events and their rings, and what was there before
 * us.
 */
#include "base/compat.h"
#include "symbol/object-id.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "kernel/synth.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

static void say(void *ctx, const char *text)
{
	const struct record *r = ctx;

	if (r->verbose)
		fprintf(stderr, "%s\n", text);
}

/* The end of the terminal ends the recording, unless nohup was asked to prevent that. */
static bool hangup_ends(void)
{
	struct sigaction now;

	return !sigaction(SIGHUP, NULL, &now) && now.sa_handler != SIG_IGN;
}

int record_block_signals(struct record *r, sigset_t *old, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (hangup_ends())
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, old);
	r->sigfd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->sigfd < 0 ? err_set(err, -errno, "failed to set up signals: %s", err_str(-errno))
			    : 0;
}

static void tell_left_out(const struct kevents *k)
{
	fprintf(stderr, "%zu of the events that match cannot be recorded: %s%s\n", k->nr_left_out,
		strbuf_str(&k->left_out), k->nr_left_out > LEFT_OUT_TOLD ? ", ..." : "");
}

int record_open_events(struct record *r, struct err *err)
{
	struct open_opts o = {
		.sysroot = &r->sysroot,
		.cpus = &r->cpus,
		.tids = &r->tids,
		.ignore_gone_threads = true,
		.note = say,
		.tried = r->verbose > 1 ? record_show_try : NULL,
		.note_ctx = r,
	};
	size_t pages = r->pump.pages, guessed = 0;
	int rc;

	raise_fd_limit();
	rc = kevents_open(&r->kevents, &r->evlist, &o, err);
	if (!rc && r->kevents.nr_left_out)
		tell_left_out(&r->kevents);
	if (!rc)
		rc = kevents_filter(&r->kevents, &r->evlist, &r->sysroot, err);
	if (!rc)
		rc = record_filter_attach(r, err);
	if (!rc)
		rc = record_offcpu_open(r, err);
	if (rc)
		return rc;
	if (r->kevents.missing & MISSING_BUILD_ID) {
		fprintf(stderr,
			"Warning:\nThis kernel (before 5.12) cannot put build-ids into map records: "
			"those of what samples hit are written at the end instead.\n");
		r->no_buildid = false;
	}
	if (!pages)
		pages = guessed = pump_ring_pages(r, MAX(r->cpus.nr, (size_t)1));
	rc = rings_map(&r->rings, &r->sysroot, &r->kevents, pages, true, err);
	/* what only we thought good need not be told of */
	record_tell_limits(r, rc, !guessed, err);
	return rc;
}

/* The BPF programs that are loaded, and those that will be. */
void record_find_bpf(struct record *r)
{
	struct int_list cpus = { 0 };

	if (r->no_bpf || bpf_progs_all(&r->bpf))
		return;
	if (!cpu_list_online(&r->sysroot, &cpus, NULL))
		r->bpf_watched = !bpf_watch_open(&r->bpf_watch, &r->sysroot, &cpus);
	int_list_release(&cpus);
	/* those that came between the two */
	bpf_progs_all(&r->bpf);
}

static void tell_slow(void *ctx, int pid)
{
	(void)ctx;
	fprintf(stderr,
		"Reading /proc/%d/maps time out. You may want to increase the time limit by --proc-map-timeout\n",
		pid);
}

/* @ids: for the build-ids of maps; to be freed */
static struct synth synth_of(const struct record *r, struct strbuf *out, struct object_ids **ids)
{
	const struct evlist *l = &r->evlist;
	struct synth s = { .sysroot = &r->sysroot,
			   .workers = (int)r->pump.synth_threads,
			   .out = out,
			   .layout = &l->evsels[0]->layout,
			   .mmap_data = r->sample.addr,
			   .no_maps = !(r->synth & SYNTH_MAPS),
			   .namespaces = r->sample.namespaces,
			   .map_limit_ns = MAX((u64)r->ro.map_timeout * 1000000, (u64)1),
			   .slow = tell_slow,
			   .build_id = object_ids_find };

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->terms.tracking)
			s.layout = &l->evsels[i]->layout;
	s.build_id_ctx = *ids = object_ids_new(&r->sysroot, !r->sample.build_ids);
	return s;
}

/* In the order perf 6.1 writes it. */
void record_synth_tables(struct record *r, struct strbuf *out)
{
	struct object_ids *ids;
	struct synth s = synth_of(r, out, &ids);

	synth_time_conv(out, r->rings.v[0].base);
	synth_id_index(out, &r->kevents);
	synth_kernel(&s);
	synth_event_update(out, &r->evlist);
	synth_thread_map(out, &r->tids, NULL);
	synth_cpu_map(out, &r->cpus);
	object_ids_free(ids);
}

void record_synth_events(struct record *r, struct strbuf *out, bool again)
{
	struct object_ids *ids;
	struct synth s = synth_of(r, out, &ids);

	synth_bpf(&s, &r->bpf);
	if (r->sample.cgroups && r->synth & SYNTH_CGROUPS)
		synth_cgroups(&s);
	if (!(r->synth & SYNTH_TASKS))
		;
	else if (r->sample.system_wide)
		synth_all(&s);
	else if (r->target.pids || r->target.tids || r->target.uid)
		synth_threads(&s, &r->tids);
	if (again && !r->sample.system_wide)
		record_tasks_synthesize(r, &s);
	else if (!again && r->workload.pid)
		synth_comm(&s, r->workload.pid, "perf-exec");
	object_ids_free(ids);
}
