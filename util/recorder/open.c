// SPDX-License-Identifier: GPL-2.0-or-later
/* Prepare what is needed before the start: the target, its events, their rings. Tell what this user
 * may not have. */
#include "base/compat.h"
#include "recorder/opened.h"

#include "events/parse.h"
#include "kernel/rights.h"

#include <errno.h>
#include <unistd.h>

/* By default rings hold this much time at the expected rate, */
#define RING_MS 64
/* which is assumed to be this where every occurrence is a sample, */
#define FLOOD_BYTES_PER_S ((u64)32 << 20)
/* but all rings together have at most this part of the memory. */
#define RINGS_MEMORY_PART 128

/* --- the target ---------------------------------------------------------------- */

int opened_status(const struct target *t, int rc)
{
	if (t->pids)
		return (u8)-ENOMEM;
	if (rc == -ENODEV)
		return (u8)-ENODEV;
	return rc == -EINVAL && !t->uid ? 129 : 255;
}

int opened_find_target(struct opened *ev, const struct record_opts *o, pid_t pid, struct err *err)
{
	int rc = target_threads(&o->target, ev->sysroot, &ev->tids, err);

	if (!ev->tids.nr && pid && !o->sample.system_wide)
		int_list_add(&ev->tids, pid);
	if (rc)
		return rc;
	if (o->target.cpus) {
		rc = cpu_list_target(ev->sysroot, o->target.cpus, &ev->cpus, err);
		/* what runs there may have been started on any other */
		return rc ? rc : cpu_list_online(ev->sysroot, &ev->side_cpus, err);
	}
	if (o->sample.per_thread)
		return 0;
	return cpu_list_online(ev->sysroot, &ev->cpus, err);
}

/* --- events -------------------------------------------------------------------- */

static void tell_step(void *ctx, const char *text)
{
	const struct record_notes *notes = ctx;

	notice(notes->detail, "%s\n", text);
}

/* kevents_open() knows one context for both of its callbacks. */
static void tell_try(void *ctx, const struct open_try *t)
{
	const struct record_notes *notes = ctx;

	notes->tried(notes->tried_ctx, t);
}

int opened_events(struct opened *ev, const struct record_notes *notes, bool bundle,
		  struct progress *progress, struct err *err)
{
	struct kevents *k = &ev->kevents;
	struct open_opts o = {
		.sysroot = ev->sysroot,
		.cpus = &ev->cpus,
		.side_cpus = &ev->side_cpus,
		.tids = &ev->tids,
		.ignore_gone_threads = true,
		.bundle = bundle,
		.progress = progress,
		.note = tell_step,
		.tried = notes->tried ? tell_try : NULL,
		.note_ctx = (void *)notes,
	};
	int rc;

	raise_fd_limit();
	rc = kevents_open(k, ev->list, &o, err);
	if (!rc && k->nr_left_out)
		notice(notes->always, "%zu of the events that match cannot be recorded: %s%s\n",
		       k->nr_left_out, strbuf_str(&k->left_out),
		       k->nr_left_out > LEFT_OUT_TOLD ? ", ..." : "");
	if (!rc)
		rc = kevents_filter(k, ev->list, ev->sysroot, err);
	if (!rc)
		rc = bpf_filters_attach(&ev->filters, k, ev->list, ev->sysroot, err);
	return rc;
}

int opened_again(struct opened *ev, int cpu, bool index, const struct record_notes *notes,
		 struct err *err)
{
	struct open_opts o = { .sysroot = ev->sysroot,
			       .cpus = &ev->cpus,
			       .tids = &ev->tids,
			       .tried = notes->tried ? tell_try : NULL,
			       .note_ctx = (void *)notes };
	int rc = kevents_reopen(&ev->kevents, ev->list, &o, cpu, err);

	if (!rc)
		return 0;
	ev->new_ids = true;
	if (index)
		evlist_index(ev->list);
	return rc > 0 ? bpf_filters_attach_cpu(&ev->filters, &ev->kevents, cpu, err) ?: rc : rc;
}

bool opened_is_traced(const struct opened *ev)
{
	for (size_t i = 0; i < ev->list->nr; i++)
		if (evsel_is_tracepoint(ev->list->evsels[i]))
			return true;
	return false;
}

/* Tell whether a line of @probes, "p:GROUP/NAME ..." or "r8:...", makes the tracepoint @name. */
static bool makes(const char *probes, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t group = colon ? (size_t)(colon - name) : 0;

	for (const char *p = probes; colon && (p = strchr(p, ':'));) {
		p++;
		if (!strncmp(p, name, group) && p[group] == '/' &&
		    !strncmp(p + group + 1, colon + 1, strlen(colon + 1)) &&
		    strchr(" \n", p[group + 1 + strlen(colon + 1)]))
			return true;
	}
	return false;
}

bool opened_has_probes(const struct opened *ev)
{
	static const char *const lists[] = { "dynamic_events", "kprobe_events", "uprobe_events" };
	struct strbuf probes = STRBUF_INIT;
	bool has = false;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		sysroot_read(ev->sysroot, &probes, "%s/%s", tracefs_path(ev->sysroot), lists[i]);
	for (size_t i = 0; probes.len && !has && i < ev->list->nr; i++)
		has = ev->list->evsels[i]->tp_name &&
		      makes(strbuf_str(&probes), ev->list->evsels[i]->tp_name);
	strbuf_release(&probes);
	return has;
}

/* --- memory of system calls ----------------------------------------------------- */

static bool is_same_cgroup(const struct evsel *a, const struct evsel *b)
{
	return !strcmp(a->cgroup ? a->cgroup : "", b->cgroup ? b->cgroup : "");
}

/* An event of a control group takes what programs write for its threads only. */
static int refuse_copies(const struct opened *ev, const struct record_opts *o, struct err *err)
{
	for (size_t i = 1; i < ev->list->nr; i++)
		if (!is_same_cgroup(ev->list->evsels[0], ev->list->evsels[i]))
			return err_set(err, -EOPNOTSUPP, "events are of different control groups");
	return o->sample.overwrite ? err_set(err, -EOPNOTSUPP, "rings are overwritten") : 0;
}

static void tell_copies(const struct notices *notes, const struct err *why)
{
	notice(notes,
	       "Arguments of system calls are recorded without the memory they point to: %s\n",
	       why->msg);
}

void opened_copies(struct opened *ev, const struct record_opts *o, const struct notices *notes)
{
	struct call_memory_opts opts = { .sysroot = ev->sysroot,
					 .copies = o->copies,
					 .nr_calls = o->nr_copies,
					 .tids = &ev->tids,
					 .inherit = !o->sample.no_inherit,
					 .not_pids = o->copies_not };
	struct err why = { 0 };
	int rc;

	if (!o->copies)
		return;
	for (size_t i = 0; i < ev->cpus.nr; i++)
		opts.cpus = MAX(opts.cpus, (u32)ev->cpus.v[i] + 1);
	rc = refuse_copies(ev, o, &why) ?: call_memory_open(&ev->copies, &opts, &why);
	ev->copying = !rc;
	if (rc)
		tell_copies(notes, &why);
	else
		call_memory_event_add(ev->list, ev->copies.per_thread);
}

void opened_copies_start(struct opened *ev, const struct notices *notes)
{
	struct err why = { 0 };

	if (ev->copying && call_memory_start(&ev->copies, &ev->kevents, ev->list, &why))
		tell_copies(notes, &why);
}

void opened_copies_stop(struct opened *ev)
{
	if (ev->copying)
		call_memory_close(&ev->copies);
	ev->copying = false;
}

/* --- rings --------------------------------------------------------------------- */

/* Bytes a second that one CPU may write, by what the events are. */
static u64 expected_rate(const struct evlist *l)
{
	u64 rate = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *a = &l->evsels[i]->attr;
		u64 bytes = 128 + a->sample_stack_user;

		if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
			bytes += 256;
		if (a->freq)
			rate += a->sample_freq * bytes;
		else if (a->type == PERF_TYPE_TRACEPOINT && a->sample_period == 1)
			rate = MAX(rate, FLOOD_BYTES_PER_S);
	}
	return rate;
}

size_t opened_ring_pages(const struct record_opts *o, const struct evlist *l, size_t nr_rings,
			 u64 memory, u64 page)
{
	u64 want = expected_rate(l) * RING_MS / 1000 / page;
	u64 room = memory / RINGS_MEMORY_PART / MAX(nr_rings, (size_t)1);
	u64 pages = 1;

	/* what a ring holds is how much an output file may be too long */
	if (o->switching.size)
		want = MIN(want, o->switching.size / page);
	if (o->max_size)
		want = MIN(want, o->max_size / page);
	while (pages * 2 <= MIN(want, room))
		pages *= 2;
	return (size_t)pages;
}

/* Return: 0: as many as any user may have. */
static size_t guess_pages(const struct opened *ev, const struct record_opts *o)
{
	size_t pages;

	/* others may lock what kernel.perf_event_mlock_kb allows, which is the default size */
	if (geteuid())
		return 0;
	pages = opened_ring_pages(o, ev->list, MAX(ev->cpus.nr, (size_t)1),
				  (u64)sysconf(_SC_PHYS_PAGES), (u64)sysconf(_SC_PAGESIZE));
	return pages > ring_default_pages(ev->sysroot) ? pages : 0;
}

static void tell_events(const struct opened *ev, const struct notices *notes)
{
	struct strbuf unknown = STRBUF_INIT;
	struct rights rights;

	features_told(ev->kevents.missing, &unknown);
	if (unknown.len)
		notice(notes,
		       "Warning:\nThe kernel does not know all that was asked for, which is left out: %s.\n",
		       strbuf_str(&unknown));
	strbuf_release(&unknown);
	if (ev->kevents.user_only) {
		rights_read(ev->sysroot, &rights);
		notice(notes,
		       "Warning:\nOnly user space is recorded: samples of the kernel need "
		       "/proc/sys/kernel/perf_event_paranoid to be 1 or lower, it is %d\n"
		       "(sudo sysctl kernel.perf_event_paranoid=1), or the capability CAP_PERFMON.\n",
		       rights.paranoid);
	}
	if (ev->kevents.no_namespaces)
		notice(notes, "Warning:\nNamespaces are recorded as they are at the start only: "
			      "changes need the capability CAP_PERFMON.\n");
}

/* Tell what was left out or made smaller. @rc: of mapping the rings; its sentence in @err is
 * completed. @asked: the user said how large they are to be. */
static void tell_limits(const struct opened *ev, int rc, bool asked, const struct notices *notes,
			struct err *err)
{
	/* one ring for each CPU, or for each thread */
	const size_t nr = ev->cpus.nr ? ev->cpus.nr : ev->tids.nr;
	const struct rings *rings = &ev->rings;
	const bool refused = rc == -EPERM;
	struct strbuf sb = STRBUF_INIT;

	if (!rc)
		tell_events(ev, notes);
	if (refused || (!rc && asked && rings->pages < rings->wanted))
		rights_memory(ev->sysroot, nr, rings->wanted, &sb);
	if (refused)
		err_set(err, rc, "Permission error mapping pages.\n%s", strbuf_str(&sb));
	else if (sb.len)
		notice(notes,
		       "Ring buffers made smaller, %zu instead of %zu pages each: this user may not "
		       "lock more memory.\n%s",
		       rings->pages, rings->wanted, strbuf_str(&sb));
	strbuf_release(&sb);
}

int opened_rings(struct opened *ev, const struct record_opts *o, const struct record_notes *notes,
		 struct err *err)
{
	size_t pages = o->ring.pages, guessed = 0;
	int rc;

	if (!pages)
		pages = guessed = guess_pages(ev, o);
	rc = rings_map(&ev->rings, ev->sysroot, &ev->kevents, pages, true, err);
	/* what only we thought good need not be told of */
	tell_limits(ev, rc, !guessed, notes->info, err);
	return rc;
}

void opened_release(struct opened *ev)
{
	rings_release(&ev->rings);
	kevents_release(&ev->kevents);
	bpf_filters_release(&ev->filters);
	int_list_release(&ev->cpus);
	int_list_release(&ev->side_cpus);
	int_list_release(&ev->tids);
}
