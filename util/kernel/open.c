// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening events. An event is first tried as it is configured. For each kind of refusal there is a
 * list of features to leave out, the newest first, and missing features are remembered for the
 * events that follow. Further steps are: a lower precise_ip, cpu-clock instead of cycles, and user
 * space without the kernel.
 */
#include "base/compat.h"
#include "kernel/open.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "kernel/cgroup.h"
#include "kernel/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

static void note(const struct open_opts *o, const char *fmt, ...) __printf(2, 3);
static void note(const struct open_opts *o, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	o->note(o->note_ctx, text);
}

/* The place where an event is opened. */
struct place {
	int cpu, tid; /* -1: any */
	int group;    /* descriptor of the leader, or -1 */
	int cgroup;   /* descriptor of its control group, instead of tid; or -1 */
};

static int sys_open(const struct open_opts *o, const struct evsel *e,
		    const struct perf_event_attr *attr, const struct place *at, u32 missing)
{
	unsigned long flags = (missing & MISSING_CLOEXEC ? 0 : PERF_FLAG_FD_CLOEXEC) |
			      (at->cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0);
	int pid = at->cgroup >= 0 ? at->cgroup : at->tid;
	int fd = attr_open(attr, e->config3, pid, at->cpu, at->group, flags);
	struct open_try t = { e, attr, pid, at->cpu, at->group, flags, fd };

	if (o->tried)
		o->tried(o->note_ctx, &t);
	return t.fd;
}

#define ROOM 16 /* descriptors for other purposes */

/*
 * Newer features were left out before older ones, but the error may have been about the last of
 * them alone: a PMU can refuse one that its kernel knows. Ask for each of the others again.
 * @m: bits left out, @last: the one that helped. Return: the descriptor.
 */
static int ask_again(const struct open_opts *o, const struct evsel *e, u32 *m, u32 was, u32 last,
		     const struct place *at, int fd)
{
	for (u32 bit = 1; bit < MISSING_LAST; bit <<= 1) {
		struct perf_event_attr a = e->attr;
		int again;

		if (!(*m & ~was & ~last & bit))
			continue;
		features_leave_out(&a, *m & ~bit);
		again = sys_open(o, e, &a, at, *m & ~bit);
		if (again < 0)
			continue;
		close(fd);
		fd = again;
		*m &= ~bit;
	}
	return fd;
}

/* Open one descriptor, leaving out features step by step. @missing is kept only if it helped. */
static int open_ladder(const struct open_opts *o, struct evsel *e, u32 *missing,
		       const struct place *at)
{
	struct perf_event_attr a = e->attr;
	u32 m = *missing, last = 0;
	int first, fd;

	features_leave_out(&a, m);
	first = fd = sys_open(o, e, &a, at, m);
	for (u32 bit = 1; fd < 0 && bit < MISSING_LAST; bit <<= 1) {
		if (fd != -EINVAL && fd != -E2BIG)
			break;
		if (m & bit || !features_used(&a, bit))
			continue;
		m |= last = bit;
		features_leave_out(&a, m);
		fd = sys_open(o, e, &a, at, m);
	}
	/* Another error than the first means that the kernel got past what it did not know. */
	if (fd < 0)
		return fd == -EINVAL || fd == -E2BIG ? first : fd;
	if (m != *missing) {
		fd = ask_again(o, e, &m, *missing, last, at, fd);
		note(o, "kernel lacks features 0x%x that were asked for, going on without them",
		     m & ~*missing);
	}
	*missing = m;
	features_leave_out(&e->attr, m);
	return fd;
}

/* Tell whether the error means that no PMU counts this; -EACCES and -EPERM are about rights. */
static bool no_pmu(int code)
{
	return code == -ENOENT || code == -EOPNOTSUPP || code == -ENODEV || code == -ENXIO ||
	       code == -EINVAL || code == -ENOSYS;
}

/* Tell whether no PMU has such an event at all, as opposed to a refusal because of its options. */
static bool no_event(int code)
{
	return code == -ENOENT || code == -ENXIO || code == -ENODEV;
}

static bool is_cycles(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/*
 * Tell whether an event was refused although it is alone and has no branches, so that no counter
 * can be the reason.
 */
static bool asks_little(const struct evsel *e)
{
	return e->leader == e->idx && e->nr_members == 1 &&
	       !(e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
}

/*
 * The default event has "u" only in its attr; the name of one that the user typed gets it appended.
 */
static void user_only(struct evsel *e)
{
	char *name;

	e->attr.exclude_kernel = 1;
	if (e->terms.unnamed && !is_cycles(&e->attr)) {
		evsel_rename(e);
		return;
	}
	if (!e->terms.unnamed)
		e->attr.exclude_hv = 1;
	name = xasprintf("%s%su", e->name, strchr(e->name, ':') ? "" : ":");
	free(e->name);
	e->name = name;
}

/* Tell whether it is a breakpoint on code or data of the kernel, which user space never touches. */
static bool watches_kernel(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_BREAKPOINT && a->bp_addr >> 63;
}

/* Leave out what this user may not have, after @code. */
static bool ask_less(struct kevents *k, const struct open_opts *o, struct evsel *e, bool everywhere)
{
	struct perf_event_attr *a = &e->attr;
	struct rights r;

	rights_read(o->sysroot, &r);
	if (rights_perfmon(&r))
		return false;
	if (a->namespaces) {
		a->namespaces = 0;
		k->no_namespaces = true;
		return true;
	}
	if (a->exclude_kernel || a->exclude_user || a->type == PERF_TYPE_TRACEPOINT ||
	    r.paranoid <= 1 || everywhere || watches_kernel(a))
		return false;
	note(o,
	     "kernel.perf_event_paranoid=%d, trying to fall back to excluding kernel and hypervisor samples",
	     r.paranoid);
	user_only(e);
	k->user_only = true;
	return true;
}

/* Give a feature up after @code. Return: whether to try again. */
static bool step_down(struct kevents *k, const struct open_opts *o, struct evsel *e,
		      bool everywhere, int code)
{
	struct perf_event_attr *a = &e->attr;

	if (a->precise_ip && e->terms.precise_max && no_pmu(code) && code != -ENOENT) {
		a->precise_ip--;
		note(o, "%s: trying precise_ip %u", e->name, a->precise_ip);
		return true;
	}
	if (!o->counting && is_cycles(a) && (no_event(code) || (no_pmu(code) && asks_little(e)))) {
		note(o,
		     "The cycles event is not supported, trying to fall back to cpu-clock-ticks");
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_CPU_CLOCK;
		if (e->terms.precise_max)
			a->precise_ip = 3;
		if (!e->terms.named)
			evsel_rename(e);
		return true;
	}
	return (code == -EACCES || code == -EPERM) && ask_less(k, o, e, everywhere);
}

/* Return: 0 when the kernel knows all that the event asks for, so that something else is wrong. */
static int unknown_error(const struct evsel *e, const char *name, int code, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	struct utsname running;

	if (code != -EINVAL && code != -E2BIG)
		return 0;
	features_unknown(&e->attr, e->config3, &sb);
	if (!sb.len || uname(&running)) {
		strbuf_release(&sb);
		return 0;
	}
	err_set(err, code,
		"The kernel does not know what the %s event asks for: %s.\n"
		"Leave that out, or record on a newer kernel; this one is %s.",
		name, strbuf_str(&sb), running.release);
	strbuf_release(&sb);
	return code;
}

/*
 * @name: as the user gave it, before anything was left out
 * @tid: that was to be measured; -1: all
 */
static int open_error(const struct kevents *k, const struct open_opts *o, const struct evsel *e,
		      const char *name, int tid, int code, struct err *err)
{
	const struct refused refused = { .e = e,
					 .name = name,
					 .tid = tid,
					 .everywhere = e->cgroup || !o->tids->nr,
					 .code = code };

	if (e->cgroup && (code == -ENOENT || code == -EBADF))
		return err_set(
			err, code,
			"The %s event cannot be restricted to the control group %s: it is not of the hierarchy that "
			"has perf_event. That may be one of version 1 that is not mounted; see /proc/cgroups.",
			name, e->cgroup);
	if (e->cgroup && code == -EINVAL && e->leader != e->idx)
		return err_set(
			err, code,
			"The %s event and the leader of its group must be for the same control group: "
			"name it once for each event, as in -G web,web.",
			name);
	if (unknown_error(e, name, code, err))
		return code;
	switch (code) {
	case -ENOSYS:
		if (!features_none())
			break;
		return err_set(
			err, code,
			"There are no performance events here (perf_event_open: %s): the kernel was built "
			"without CONFIG_PERF_EVENTS, or a seccomp filter hides them, as those of "
			"containers do (docker run --cap-add PERFMON).",
			err_str(code));
	case -EACCES:
	case -EPERM:
		return rights_refused(o->sysroot, &refused, err);
	case -EMFILE:
	case -ENFILE:
		return rights_files(o->sysroot, k->wanted, k->nr, code, err);
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		return err_set(err, code, "The %s event is not supported.", name);
	case -ESRCH:
		return err_set(err, code, "The thread to record is gone: %s.", err_str(code));
	case -EBUSY:
		return err_set(err, code,
			       "The PMU %s counters are busy and in use by another process.", name);
	case -ENOSPC:
		return err_set(
			err, code,
			"The %s event needs more counters than there are (hardware breakpoints?).",
			name);
	case -EOPNOTSUPP:
		if (e->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return err_set(
				err, code,
				"%s: PMU Hardware or event type doesn't support branch stack sampling.",
				name);
		if (e->attr.sample_period)
			return err_set(
				err, code,
				"%s: PMU Hardware doesn't support sampling/overflow-interrupts. Try 'perf stat'",
				name);
		break;
	case -EINVAL:
		if (e->attr.type == PERF_TYPE_BREAKPOINT)
			return err_set(
				err, code,
				"The kernel does not accept the breakpoint %s. A processor watches 1, 2, 4 or 8 bytes, at\n"
				"an address that is a multiple of that; code of the kernel only when that has kprobes.",
				name);
		if (!o->tids->nr)
			break;
		return err_set(
			err, code,
			"Invalid event (%s) in per-thread mode, enable system wide with '-a'.",
			name);
	default:
		break;
	}
	return err_set(err, code,
		       "The sys_perf_event_open() syscall returned with %d (%s) for event (%s).\n"
		       "\"dmesg | grep -i perf\" may provide additional information.\n",
		       -code, err_str(code), name);
}

/* Return the descriptor of the group leader on the same CPU and thread, or -1. */
static int leader_fd(const struct kevents *k, const struct evsel *e, int cpu, int tid)
{
	if (e->leader == e->idx)
		return -1;
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->leader && k->fds[i].cpu == cpu && k->fds[i].tid == tid)
			return k->fds[i].fd;
	return -1;
}

/*
 * Return the index of a field of @format in the words of read(): after the value and earlier
 * fields.
 */
static size_t read_index(const struct perf_event_attr *attr, u64 format)
{
	return 1 + (size_t)__builtin_popcountll(attr->read_format & (format - 1) &
						~(u64)PERF_FORMAT_GROUP);
}

/* Return the id of an event on kernels that have no ioctl for it (before 3.12). */
static u64 read_id(int fd, const struct perf_event_attr *attr)
{
	u64 v[8] = { 0 };

	if (attr->read_format & PERF_FORMAT_GROUP || read(fd, v, sizeof(v)) < 16)
		return 0;
	return v[read_index(attr, PERF_FORMAT_ID)];
}

/* Tell whether an event can be enabled by way of another one: nothing is to differ by that. */
static bool can_follow(const struct evsel *e, const struct place *at)
{
	const struct perf_event_attr *a = &e->attr;

	return a->type == PERF_TYPE_TRACEPOINT && a->disabled && !a->enable_on_exec &&
	       !e->terms.later && !a->pinned && !a->exclusive &&
	       !(a->sample_type & PERF_SAMPLE_READ) && !(a->read_format & PERF_FORMAT_GROUP) &&
	       e->leader == e->idx && e->nr_members == 1 && !e->cgroup && at->cpu >= 0 &&
	       at->tid < 0;
}

/* Return the descriptor that enables the others of this CPU, or -1. */
static int head_of(struct kevents *k, int cpu)
{
	for (size_t i = 0; i < k->nr_heads; i++) {
		size_t at = k->heads[i];

		/* its event may have been left out since */
		if (at < k->nr && k->fds[at].leads && k->fds[at].cpu == cpu)
			return k->fds[at].fd;
	}
	return -1;
}

/* Open @e as one more of the bundle of its CPU. Return: -1: it has to be opened alone. */
static int open_follower(struct kevents *k, const struct evsel *e, const struct open_opts *o,
			 const struct place *at)
{
	struct perf_event_attr a = e->attr;
	struct place behind = *at;

	behind.group = head_of(k, at->cpu);
	if (behind.group < 0)
		return -1;
	features_leave_out(&a, k->missing);
	a.disabled = 0;
	return MAX(sys_open(o, e, &a, &behind, k->missing), -1);
}

static void add_head(struct kevents *k, size_t at)
{
	k->fds[at].leads = true;
	VEC_GROW(k->heads, k->nr_heads + 1, k->cap_heads);
	k->heads[k->nr_heads++] = at;
}

/* Open @e at one place, after all steps that refusals require. */
static int open_one(struct kevents *k, struct evsel *e, const struct open_opts *o,
		    const struct place *at)
{
	bool bundled = o->bundle && can_follow(e, at);
	int fd = bundled ? open_follower(k, e, o, at) : -1;
	bool follows = fd >= 0;

	while (fd < 0) {
		fd = open_ladder(o, e, &k->missing, at);
		if (fd >= 0 || fd == -ESRCH || !step_down(k, o, e, at->tid < 0, fd))
			break;
	}
	if (fd >= 0) {
		struct kfd kf = { .fd = fd,
				  .evsel = e->idx,
				  .cpu = at->cpu,
				  .tid = at->tid,
				  .follows = follows,
				  .later = e->terms.later,
				  .backward = e->attr.write_backward };

		if (ioctl(fd, PERF_EVENT_IOC_ID, &kf.id) < 0)
			kf.id = read_id(fd, &e->attr);
		VEC_GROW(k->fds, k->nr + 1, k->cap);
		k->fds[k->nr++] = kf;
		evsel_add_id(e, kf.id);
		if (bundled && !follows && head_of(k, at->cpu) < 0)
			add_head(k, k->nr - 1);
		progress_add(o->progress, 1);
	}
	return fd;
}

/*
 * A weak group that does not fit is broken up: its events count separately, and all of them have to
 * be opened again. The same happens to a group without its leader, if that is allowed to be
 * missing.
 */
static bool break_group(struct kevents *k, struct evlist *l, struct evsel *e, int code)
{
	struct evsel *leader = l->evsels[e->leader];
	u32 end = leader->idx + leader->nr_members;

	if (leader->nr_members < 2 || (leader == e && !k->unsupported) || !leader->terms.weak ||
	    !(no_pmu(code) || code == -ENOSPC))
		return false;
	/* they were opened last */
	while (k->nr && k->fds[k->nr - 1].evsel >= leader->idx && k->fds[k->nr - 1].evsel < end)
		close(k->fds[--k->nr].fd);
	for (u32 i = leader->idx; i < end; i++) {
		struct evsel *m = l->evsels[i];

		m->leader = i;
		m->nr_members = 1;
		m->nr_ids = 0;
		m->attr.disabled = leader->attr.disabled;
		m->attr.enable_on_exec = leader->attr.enable_on_exec;
	}
	return true;
}

/* The threads that were asked for; empty: all. */
static const struct int_list *tids_of(const struct evsel *e, const struct open_opts *o)
{
	static const struct int_list all = { 0 };

	return e->terms.everywhere ? &all : o->tids;
}

/* The CPUs that were asked for; the side-band's own event may have more. */
static const struct int_list *cpus_asked(const struct evsel *e, const struct open_opts *o)
{
	return e->terms.tracking && o->side_cpus && o->side_cpus->nr ? o->side_cpus : o->cpus;
}

/*
 * Make a list of the CPUs that were asked for on which the PMU of the event counts; where none were
 * asked for, of those in the event's own terms. The caller releases it.
 */
static void cpus_of(const struct evsel *e, const struct open_opts *o, struct int_list *out)
{
	struct int_list mask = { 0 };
	bool all = !e->cpumask || cpu_list_parse(&mask, e->cpumask);
	const struct int_list *cpus = cpus_asked(e, o);

	for (size_t i = 0; i < cpus->nr; i++)
		for (size_t j = 0; j < (all ? 1 : mask.nr); j++)
			if (all || mask.v[j] == cpus->v[i])
				int_list_add(out, cpus->v[i]);
	for (size_t j = 0; !cpus->nr && e->terms.cpus_given && j < mask.nr; j++)
		int_list_add(out, mask.v[j]);
	int_list_release(&mask);
}

/*
 * Mark the event as not counted, so that it is shown as such and the others are counted. Without
 * its leader a group cannot be. Return: whether that is possible.
 */
static bool uncounted(struct kevents *k, const struct evsel *e)
{
	if (e->leader == e->idx && e->nr_members > 1)
		return false;
	k->unsupported[e->idx] = true;
	return true;
}

#define GROUP_BROKEN 1
#define LEFT_OUT 2

/*
 * Leave out an event of a glob, so that the others are opened. If the first event fails for lack of
 * rights or because of limits, all would.
 */
static bool leave_event_out(struct kevents *k, struct evlist *l, struct evsel *e,
			    const struct open_opts *o, int code)
{
	bool rights = code == -EACCES || code == -EPERM;

	if (o->order || !e->terms.may_fail || e->nr_members > 1 || e->leader != e->idx ||
	    l->nr < 2 || !(no_pmu(code) || code == -EBUSY || (rights && k->nr)))
		return false;
	while (k->nr && k->fds[k->nr - 1].evsel == e->idx)
		close(k->fds[--k->nr].fd);
	if (k->nr_left_out++ < LEFT_OUT_TOLD)
		strbuf_addf(&k->left_out, "%s%s (%s)", k->nr_left_out > 1 ? ", " : "", e->name,
			    err_str(code));
	evlist_remove(l, e->idx);
	return true;
}

/*
 * Return: 0; GROUP_BROKEN when its group has to be opened again from the leader on; LEFT_OUT when
 * @e was removed; a negative errno.
 */
static int open_evsel(struct kevents *k, struct evlist *l, struct evsel *e,
		      const struct open_opts *o, struct err *err)
{
	const struct int_list *tids = tids_of(e, o);
	size_t nr_tids = tids->nr ? tids->nr : 1, nr_cpus, gone = 0;
	struct int_list cpus = { 0 };
	int rc = 0, cgroup = e->cgroup ? cgroup_open(o->sysroot, e->cgroup, err) : -1;
	char *given;

	if (e->cgroup && cgroup < 0)
		return cgroup;
	given = xstrdup(e->name);
	cpus_of(e, o, &cpus);
	nr_cpus = o->cpus->nr || cpus.nr ? cpus.nr : 1;
	for (size_t i = 0; i < nr_cpus * nr_tids; i++) {
		struct place at = { .cpu = cpus.nr ? cpus.v[i / nr_tids] : -1,
				    .tid = tids->nr ? tids->v[i % nr_tids] : -1,
				    .cgroup = cgroup };
		int fd;

		at.group = leader_fd(k, e, at.cpu, at.tid);
		fd = open_one(k, e, o, &at);
		if (fd < 0 && break_group(k, l, e, fd)) {
			rc = GROUP_BROKEN;
			break;
		}
		if (fd == -ENOSYS && features_none()) {
			rc = open_error(k, o, e, given, at.tid, fd, err);
			break;
		}
		if (k->unsupported && no_pmu(fd) && uncounted(k, e))
			break;
		if (fd < 0 && fd != -ESRCH && leave_event_out(k, l, e, o, fd)) {
			rc = LEFT_OUT;
			break;
		}
		if (fd == -ESRCH && o->ignore_gone_threads && nr_tids > 1) {
			gone++;
		} else if (fd < 0) {
			rc = open_error(k, o, e, given, at.tid, fd, err);
			break;
		}
	}
	int_list_release(&cpus);
	if (cgroup >= 0)
		close(cgroup);
	if (rc == LEFT_OUT)
		; /* @e is gone */
	else if (!nr_cpus)
		rc = err_set(err, -ENODEV,
			     "The %s event counts on CPUs %s only, none of which is recorded.",
			     e->name, e->cpumask);
	else if (!rc && gone == nr_cpus * nr_tids)
		rc = open_error(k, o, e, given, -1, -ESRCH, err);
	free(given);
	return rc;
}

/*
 * Check that descriptors are left: files of /proc that cannot be opened later would be missing
 * silently.
 */
static bool room_left(const struct kevents *k)
{
	struct rlimit lim;

	return !k->nr || getrlimit(RLIMIT_NOFILE, &lim) ||
	       (rlim_t)k->fds[k->nr - 1].fd + ROOM < lim.rlim_cur;
}

/* Open the events from @from to before @to, or to the end of the list, which may become shorter. */
static int open_range(struct kevents *k, struct evlist *l, size_t from, size_t to,
		      const struct open_opts *o, struct err *err)
{
	for (size_t i = from; i < MIN(to, l->nr); i++) {
		u32 leader = l->evsels[i]->leader;
		int rc;

		if (o->counting && l->evsels[i]->tool)
			continue;
		rc = open_evsel(k, l, l->evsels[i], o, err);

		if (rc < 0)
			return rc;
		if (rc == GROUP_BROKEN)
			i = (size_t)leader - 1;
		else if (rc == LEFT_OUT)
			i--;
	}
	return 0;
}

/*
 * Open the groups in the requested order, and then put the descriptors in the order of events
 * again.
 */
static int open_ordered(struct kevents *k, struct evlist *l, const struct open_opts *o,
			struct err *err)
{
	size_t *start = xcalloc(l->nr + 1, sizeof(*start));
	struct kfd *fds;
	int rc = 0;

	for (size_t i = 0; !rc && i < o->nr_order; i++) {
		u32 leader = o->order[i];

		rc = open_range(k, l, leader, leader + l->evsels[leader]->nr_members, o, err);
	}
	fds = xcalloc(k->nr + 1, sizeof(*fds));
	for (size_t i = 0; i < k->nr; i++)
		start[k->fds[i].evsel + 1]++;
	for (size_t i = 0; i < l->nr; i++)
		start[i + 1] += start[i];
	for (size_t i = 0; i < k->nr; i++)
		fds[start[k->fds[i].evsel]++] = k->fds[i];
	free(k->fds);
	k->fds = fds;
	k->cap = k->nr + 1;
	free(start);
	return rc;
}

int kevents_open(struct kevents *k, struct evlist *l, const struct open_opts *o, struct err *err)
{
	char title[64];
	int rc;

	if (o->counting)
		k->unsupported = xcalloc(MAX(l->nr, (size_t)1), sizeof(*k->unsupported));
	/* ids of an earlier opening are not valid any more */
	for (size_t i = 0; i < l->nr; i++)
		l->evsels[i]->nr_ids = 0;
	k->wanted += l->nr * MAX(o->cpus->nr, (size_t)1) * MAX(o->tids->nr, (size_t)1);
	snprintf(title, sizeof(title), "Opening %zu events...", k->wanted);
	progress_start(o->progress, title, k->wanted);
	rc = o->order ? open_ordered(k, l, o, err) : open_range(k, l, 0, SIZE_MAX, o, err);
	progress_end(o->progress);
	if (rc)
		return rc;
	if (!room_left(k))
		return rights_files(o->sysroot, k->wanted, k->nr, -EMFILE, err);
	for (size_t i = 0; i < l->nr; i++)
		layout_init(&l->evsels[i]->layout, &l->evsels[i]->attr);
	evlist_index(l);
	return 0;
}

/*
 * Open the event of @kf again, with the same descriptor number. Polling of the former descriptor
 * continues to work: the mapping of the ring keeps it alive, and it is woken with all others of the
 * ring.
 */
static int reopen(struct kevents *k, struct evlist *l, const struct open_opts *o, struct kfd *kf,
		  struct err *err)
{
	struct evsel *e = l->evsels[kf->evsel];
	struct place at = { .cpu = kf->cpu,
			    .tid = kf->tid,
			    .group = leader_fd(k, e, kf->cpu, kf->tid),
			    .cgroup = -1 };
	u64 lost = kevents_lost(kf, &e->attr);
	int fd, rc = 0;

	if (e->cgroup)
		at.cgroup = cgroup_open(o->sysroot, e->cgroup, err);
	if (e->cgroup && at.cgroup < 0)
		return at.cgroup;
	fd = sys_open(o, e, &e->attr, &at, k->missing);
	if (at.cgroup >= 0)
		close(at.cgroup);
	if (fd < 0)
		return open_error(k, o, e, e->name, -1, fd, err);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, kf->fd) < 0 ||
	    (e->filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, e->filter) < 0) ||
	    dup3(fd, kf->fd, O_CLOEXEC) < 0)
		rc = err_set(err, -errno, "failed to open %s again: %s", e->name, err_str(-errno));
	close(fd);
	if (rc)
		return rc;
	kf->lost_before = lost;
	kf->leads = kf->follows = false;
	if (ioctl(kf->fd, PERF_EVENT_IOC_ID, &kf->id) < 0)
		kf->id = read_id(kf->fd, &e->attr);
	evsel_add_id(e, kf->id);
	return 0;
}

int kevents_reopen(struct kevents *k, struct evlist *l, const struct open_opts *o, int cpu,
		   struct err *err)
{
	int nr = 0;

	/* events of threads move with them from CPU to CPU */
	for (size_t i = 0; i < k->nr; i++) {
		int rc;

		if (k->fds[i].cpu != cpu || k->fds[i].tid >= 0)
			continue;
		rc = reopen(k, l, o, &k->fds[i], err);
		if (rc)
			return rc;
		nr++;
	}
	return nr;
}

u64 kevents_lost(const struct kfd *k, const struct perf_event_attr *attr)
{
	u64 v[8] = { 0 };

	if (!(attr->read_format & PERF_FORMAT_LOST) || attr->read_format & PERF_FORMAT_GROUP)
		return 0;
	if (read(k->fd, v, sizeof(v)) < 16)
		return k->lost_before;
	return k->lost_before + v[read_index(attr, PERF_FORMAT_LOST)];
}

void raise_fd_limit(void)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_NOFILE, &r) && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}
