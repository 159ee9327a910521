// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening events. The ladder: an event is tried as configured; each refusal has a list of things
 * that may be left out, newest kernel feature first, and what turned out missing is remembered for
 * the events after it. Beyond that: lower precise_ip, cycles -> cpu-clock, kernel+user -> user.
 */
#include "base/compat.h"
#include "kernel/open.h"

#include "base/alloc.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

static int sys_open(const struct perf_event_attr *attr, int tid, int cpu, int group, u32 missing)
{
	unsigned long flags = missing & MISSING_CLOEXEC ? 0 : PERF_FLAG_FD_CLOEXEC;
	int fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, group, flags);

	return fd < 0 ? -errno : fd;
}

/* Is there anything in the attr that this rung of the ladder would take away? */
static bool uses(const struct perf_event_attr *a, enum open_missing m)
{
	switch (m) {
	case MISSING_READ_LOST:
		return a->read_format & PERF_FORMAT_LOST;
	case MISSING_WEIGHT_STRUCT:
		return a->sample_type & PERF_SAMPLE_WEIGHT_STRUCT;
	case MISSING_PAGE_SIZE:
		return a->sample_type & (PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE);
	case MISSING_CGROUP:
		return a->cgroup;
	case MISSING_BPF_EVENT:
		return a->bpf_event;
	case MISSING_KSYMBOL:
		return a->ksymbol;
	case MISSING_NAMESPACES:
		return a->namespaces;
	case MISSING_CLOCKID:
		return a->use_clockid;
	case MISSING_MMAP2:
		return a->mmap2;
	case MISSING_COMM_EXEC:
		return a->comm_exec;
	case MISSING_EXCLUDE_GUEST:
		return a->exclude_guest || a->exclude_host;
	case MISSING_CLOEXEC:
		return true;
	default:
		return false;
	}
}

static void leave_out(struct perf_event_attr *a, u32 missing)
{
	if (missing & MISSING_READ_LOST)
		a->read_format &= ~(u64)PERF_FORMAT_LOST;
	if (missing & MISSING_WEIGHT_STRUCT && a->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		a->sample_type &= ~(u64)PERF_SAMPLE_WEIGHT_STRUCT;
		a->sample_type |= PERF_SAMPLE_WEIGHT;
	}
	if (missing & MISSING_PAGE_SIZE)
		a->sample_type &= ~(u64)(PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE);
	if (missing & MISSING_CGROUP)
		a->cgroup = 0;
	if (missing & MISSING_BPF_EVENT)
		a->bpf_event = 0;
	if (missing & MISSING_KSYMBOL)
		a->ksymbol = 0;
	if (missing & MISSING_NAMESPACES)
		a->namespaces = 0;
	if (missing & MISSING_CLOCKID)
		a->use_clockid = a->clockid = 0;
	if (missing & MISSING_MMAP2)
		a->mmap2 = 0;
	if (missing & MISSING_COMM_EXEC)
		a->comm_exec = 0;
	if (missing & MISSING_EXCLUDE_GUEST)
		a->exclude_guest = a->exclude_host = 0;
}

/* One descriptor, with the ladder of kernel features. @missing is only kept when it helped. */
static int open_ladder(const struct open_opts *o, struct evsel *e, u32 *missing, int tid, int cpu,
		       int group)
{
	struct perf_event_attr a = e->attr;
	u32 m = *missing;
	int first, fd;

	leave_out(&a, m);
	first = fd = sys_open(&a, tid, cpu, group, m);
	for (u32 bit = 1; fd < 0 && bit < MISSING_LAST; bit <<= 1) {
		if (fd != -EINVAL && fd != -E2BIG)
			break;
		if (m & bit || !uses(&a, bit))
			continue;
		m |= bit;
		leave_out(&a, m);
		fd = sys_open(&a, tid, cpu, group, m);
	}
	if (fd < 0)
		return first;
	if (m != *missing)
		note(o, "kernel lacks features 0x%x that were asked for, going on without them",
		     m & ~*missing);
	*missing = m;
	e->attr = a;
	return fd;
}

/* -EACCES and -EPERM are about rights; everything here means that no PMU counts this. */
static bool no_pmu(int code)
{
	return code == -ENOENT || code == -EOPNOTSUPP || code == -ENODEV || code == -ENXIO ||
	       code == -EINVAL || code == -ENOSYS;
}

/* The default event says "u" through its attr; one that was typed gets it added. */
static void user_only(struct evsel *e)
{
	char *name;

	e->attr.exclude_kernel = 1;
	if (e->terms.unnamed) {
		evsel_rename(e);
		return;
	}
	e->attr.exclude_hv = 1;
	name = xasprintf("%s%su", e->name, strchr(e->name, ':') ? "" : ":");
	free(e->name);
	e->name = name;
}

static int paranoid_level(const struct sysroot *sr)
{
	struct strbuf sb = STRBUF_INIT;
	int level = 2;

	if (!sysroot_read(sr, &sb, "/proc/sys/kernel/perf_event_paranoid"))
		level = (int)strtol(strbuf_str(&sb), NULL, 10);
	strbuf_release(&sb);
	return level;
}

/* Give something up after @code. Return: true when it is worth another try. */
static bool step_down(const struct open_opts *o, struct evsel *e, int code)
{
	struct perf_event_attr *a = &e->attr;

	if (a->precise_ip && e->terms.precise_max && no_pmu(code) && code != -ENOENT) {
		a->precise_ip--;
		note(o, "%s: trying precise_ip %u", e->name, a->precise_ip);
		return true;
	}
	if (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES &&
	    no_pmu(code)) {
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
	if ((code == -EACCES || code == -EPERM) && !a->exclude_kernel && !a->exclude_user &&
	    a->type != PERF_TYPE_TRACEPOINT) {
		int paranoid = paranoid_level(o->sysroot);

		if (paranoid <= 1)
			return false;
		note(o,
		     "kernel.perf_event_paranoid=%d, trying to fall back to excluding kernel and hypervisor samples",
		     paranoid);
		user_only(e);
		return true;
	}
	return false;
}

static int rights_error(const struct open_opts *o, const struct evsel *e, int code, struct err *err)
{
	int level = paranoid_level(o->sysroot);
	int need = e->attr.type == PERF_TYPE_TRACEPOINT ? -1 : o->tids->nr ? 1 : 0;

	if (e->attr.exclude_kernel && o->tids->nr)
		return err_set(
			err, code,
			"Access to the %s event is limited: the target belongs to another user, or the kernel "
			"refuses perf to everybody (kernel.perf_event_paranoid is %d).\n"
			"Run as that user or as root, or give perf the capabilities CAP_PERFMON and CAP_SYS_PTRACE.",
			e->name, level);
	return err_set(
		err, code,
		"Access to performance monitoring and observability operations is limited.\n"
		"The %s event needs /proc/sys/kernel/perf_event_paranoid to be %d or lower; it is %d:\n"
		"  -1: everything for everybody\n"
		">= 0: no tracepoints and raw hardware data\n"
		">= 1: no system-wide recording (-a, -C)\n"
		">= 2: no kernel samples, only user space (:u)\n"
		"To allow it until the next boot:  sudo sysctl kernel.perf_event_paranoid=%d\n"
		"To allow it for good, put kernel.perf_event_paranoid = %d into /etc/sysctl.conf.\n"
		"Or run as root, or give the perf binary the capability CAP_PERFMON.",
		e->name, need, level, need, need);
}

static int open_error(const struct open_opts *o, const struct evsel *e, int code, size_t opened,
		      struct err *err)
{
	const char *name = e->name;

	switch (code) {
	case -EACCES:
	case -EPERM:
		return rights_error(o, e, code, err);
	case -EMFILE:
	case -ENFILE:
		return err_set(
			err, code,
			"Too many events are opened (%zu so far): each event takes a file descriptor per CPU and thread.\n"
			"Hint: record fewer events, threads or CPUs, or raise the limit with 'ulimit -n <limit>'%s.",
			opened, code == -ENFILE ? " and fs.file-max" : "");
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
		if (e->attr.sample_period)
			return err_set(
				err, code,
				"%s: PMU Hardware doesn't support sampling/overflow-interrupts. Try 'perf stat'",
				name);
		break;
	default:
		break;
	}
	return err_set(err, code,
		       "The sys_perf_event_open() syscall returned with %d (%s) for event (%s).\n"
		       "\"dmesg | grep -i perf\" may provide additional information.",
		       -code, err_str(code), name);
}

/* The descriptor of the group leader on the same CPU and thread; -1 when there is none. */
static int leader_fd(const struct kevents *k, const struct evsel *e, int cpu, int tid)
{
	if (e->leader == e->idx)
		return -1;
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->leader && k->fds[i].cpu == cpu && k->fds[i].tid == tid)
			return k->fds[i].fd;
	return -1;
}

/* Where in what read() gives a field of @format comes: after the value and the fields before it. */
static size_t read_index(const struct perf_event_attr *attr, u64 format)
{
	return 1 + (size_t)__builtin_popcountll(attr->read_format & (format - 1) &
						~(u64)PERF_FORMAT_GROUP);
}

/* The id of an event, for kernels that have no ioctl for it (before 3.12). */
static u64 read_id(int fd, const struct perf_event_attr *attr)
{
	u64 v[8] = { 0 };

	if (attr->read_format & PERF_FORMAT_GROUP || read(fd, v, sizeof(v)) < 16)
		return 0;
	return v[read_index(attr, PERF_FORMAT_ID)];
}

/* Opens @e on one place; -ENOENT-like refusals have been stepped through. */
static int open_one(struct kevents *k, struct evsel *e, const struct open_opts *o, int cpu, int tid,
		    int group)
{
	int fd;

	do {
		fd = open_ladder(o, e, &k->missing, tid, cpu, group);
	} while (fd < 0 && fd != -ESRCH && step_down(o, e, fd));
	if (fd >= 0) {
		struct kfd kf = { .fd = fd, .evsel = e->idx, .cpu = cpu, .tid = tid };

		if (ioctl(fd, PERF_EVENT_IOC_ID, &kf.id) < 0)
			kf.id = read_id(fd, &e->attr);
		VEC_GROW(k->fds, k->nr + 1, k->cap);
		k->fds[k->nr++] = kf;
		evsel_add_id(e, kf.id);
	}
	return fd;
}

/* A weak group that does not fit ends before @e; the rest counts by itself. */
static bool break_group(struct evlist *l, struct evsel *e, int code)
{
	struct evsel *leader = l->evsels[e->leader];
	u32 end = leader->idx + leader->nr_members;

	if (leader == e || !leader->terms.weak || !(no_pmu(code) || code == -ENOSPC))
		return false;
	leader->nr_members = e->idx - leader->idx;
	for (u32 i = e->idx; i < end; i++) {
		struct evsel *m = l->evsels[i];

		m->leader = i;
		m->nr_members = 1;
		m->attr.disabled = leader->attr.disabled;
		m->attr.enable_on_exec = leader->attr.enable_on_exec;
	}
	return true;
}

static int open_evsel(struct kevents *k, struct evlist *l, struct evsel *e,
		      const struct open_opts *o, struct err *err)
{
	size_t nr_cpus = o->cpus->nr ? o->cpus->nr : 1, nr_tids = o->tids->nr ? o->tids->nr : 1;
	size_t gone = 0;

	for (size_t c = 0; c < nr_cpus; c++) {
		for (size_t t = 0; t < nr_tids; t++) {
			int cpu = o->cpus->nr ? o->cpus->v[c] : -1;
			int tid = o->tids->nr ? o->tids->v[t] : -1;
			int fd = open_one(k, e, o, cpu, tid, leader_fd(k, e, cpu, tid));

			if (fd < 0 && break_group(l, e, fd))
				fd = open_one(k, e, o, cpu, tid, -1);
			if (fd == -ESRCH && o->ignore_gone_threads && nr_tids > 1) {
				gone++;
				continue;
			}
			if (fd < 0)
				return open_error(o, e, fd, k->nr, err);
		}
	}
	if (gone == nr_cpus * nr_tids)
		return open_error(o, e, -ESRCH, k->nr, err);
	return 0;
}

int kevents_open(struct kevents *k, struct evlist *l, const struct open_opts *o, struct err *err)
{
	for (size_t i = 0; i < l->nr; i++) {
		int rc = open_evsel(k, l, l->evsels[i], o, err);

		if (rc)
			return rc;
	}
	for (size_t i = 0; i < l->nr; i++)
		layout_init(&l->evsels[i]->layout, &l->evsels[i]->attr);
	evlist_index(l);
	return 0;
}

void kevents_enable(struct kevents *k, bool on)
{
	for (size_t i = 0; i < k->nr; i++)
		ioctl(k->fds[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int kevents_filter(struct kevents *k, const struct evlist *l, struct err *err)
{
	for (size_t i = 0; i < k->nr; i++) {
		const struct evsel *e = l->evsels[k->fds[i].evsel];

		if (e->filter && ioctl(k->fds[i].fd, PERF_EVENT_IOC_SET_FILTER, e->filter) < 0)
			return err_set(err, -errno,
				       "failed to set filter \"%s\" on event %s with %d (%s)",
				       e->filter, e->name, errno, err_str(-errno));
	}
	return 0;
}

u64 kevents_lost(const struct kfd *k, const struct perf_event_attr *attr)
{
	u64 v[8] = { 0 };

	if (!(attr->read_format & PERF_FORMAT_LOST) || attr->read_format & PERF_FORMAT_GROUP)
		return 0;
	return read(k->fd, v, sizeof(v)) < 16 ? 0 : v[read_index(attr, PERF_FORMAT_LOST)];
}

void kevents_release(struct kevents *k)
{
	for (size_t i = 0; i < k->nr; i++)
		close(k->fds[i].fd);
	free(k->fds);
	memset(k, 0, sizeof(*k));
}

void raise_fd_limit(void)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_NOFILE, &r) && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}
